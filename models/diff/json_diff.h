// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/diff/json_source.h"
#include "sql/types/result.h"

#include <QFlags>
#include <QList>
#include <QStringList>
#include <vector>

namespace idemdesk::models {

enum class DiffStatus : quint8 {
    Same, ///< written alike, blanks aside
    Within, ///< a container whose differences are among its children
    Changed,
    Added,
    Removed,
    Moved ///< an array's element at another place; its children say what changed in it
};

/// Differences that leave the data as they are.
enum class DiffForm : quint8 {
    NumberForm = 1, ///< 1, 1.0 and 1.00
    UnicodeForm = 2, ///< the same letters, composed or not
    Escapes = 4, ///< "é" and "\u00e9"
    KeyOrder = 8, ///< an object's members in another order
    Duplicates = 16, ///< a member that a later one of the same name overrides
    Whitespace = 32 ///< blanks between tokens, of the whole text
};
Q_DECLARE_FLAGS(DiffForms, DiffForm)
Q_DECLARE_OPERATORS_FOR_FLAGS(DiffForms)

/// One row of the tree of differences. Children follow one another, in b's order with a's removed ones between; what is
/// Same, Added or Removed has none.
struct DiffNode {
    DiffStatus status = DiffStatus::Same;
    DiffForms forms;
    bool ignored = false; ///< by a rule, itself or above
    int a = -1; ///< node of the first payload, or -1
    int b = -1; ///< node of the second payload, or -1
    int parent = -1;
    int firstChild = 0;
    int childCount = 0;
    qsizetype newName = -1; ///< into JsonDiff::texts where the second payload writes the name otherwise, or added it
    qsizetype newNameSize = 0;
    qsizetype newText = -1; ///< likewise the value
    qsizetype newTextSize = 0;

    /// A difference that leaves the data as they are.
    bool formOnly() const { return forms.toInt() != 0 && status != DiffStatus::Moved; }
};

struct DiffCounts {
    int added = 0;
    int removed = 0;
    int changed = 0;
    int moved = 0;
    int form = 0; ///< differences of form only
    int ignored = 0;

    int data() const { return added + removed + changed + moved; }
};

/// The differences of two payloads. Holds what is new itself: with the first payload it is enough to make the second.
struct JsonDiff {
    std::vector<DiffNode> nodes; ///< 0 is the pair of roots
    QByteArray texts;
    DiffCounts counts;
    DiffForms forms; ///< all there are, ignored ones left out
    bool sameBytes = false;

    bool sameData() const { return counts.data() == 0; }
};

/// One difference as a list shows it.
struct JsonChange {
    int node = 0; ///< of JsonDiff::nodes
    DiffStatus status = DiffStatus::Same;
    DiffForms forms;
    bool formOnly = false;
    bool ignored = false;
    QString pointer; ///< in the second payload; of what was removed, in the first
    QString from; ///< JSON text, cut; empty where it was added
    QString to; ///< JSON text, cut; empty where it was removed
};

/// A JSON pointer in which a part "*" stands for any name or place: "/items/*/updated_at". Error: Usage.
sql::Result<QList<QStringList>> ignoreRules(const QStringList &pointers);

/// Compares two payloads. Members meet by name, elements by an identifying member where all have one (id, key, sku…),
/// else by value, else by place. Time grows with size, not with its square.
JsonDiff diffJson(const JsonSource &a, const JsonSource &b, const QList<QStringList> &ignore = {});

/// The second payload, without blanks between its tokens, out of the first and the differences.
QByteArray applyDiff(const JsonSource &a, const JsonDiff &diff);

/// The differences in the order of the text, at most `most` of them.
QList<JsonChange> changesOf(
    const JsonDiff &diff, const JsonSource &a, const JsonSource &b, qsizetype most = 10'000, qsizetype textChars = 200);

} // namespace idemdesk::models
