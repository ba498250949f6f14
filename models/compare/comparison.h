// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/compare/compare_rows.h"
#include "models/diff/json_diff.h"
#include "models/diff/text_diff.h"
#include "models/fingerprint/recipe_search.h"
#include "sql/types/result.h"

#include <QFuture>
#include <atomic>
#include <memory>
#include <optional>

namespace idemdesk::models {

/// What was compared, whole: shared between the models, never changed.
struct Comparison {
    QString nameA; ///< "stored request of ord-1", a file's name; hostile
    QString nameB;
    std::optional<JsonSource> a; ///< both, where both payloads are JSON
    std::optional<JsonSource> b;
    JsonDiff diff; ///< of them
    QString textA; ///< where one is no JSON; bytes that are no UTF-8 are written as \xFF
    QString textB;
    QList<QStringView> linesA; ///< of the texts
    QList<QStringView> linesB;
    QList<TextSpan> lines; ///< their differences
    DifferingRows treeRows;
    SideRows sideRows;
    QString summary; ///< whole sentences
    QString why; ///< why the fingerprints differ, where both are JSON
    QString notJson; ///< why they were compared as text, or empty
    std::optional<RecipeAnswer> recipe; ///< where a fingerprint was given
    QString recipeOf; ///< the name of the payload that makes it; empty where none does
    QString recipeSentence; ///< what makes the fingerprint, or that nothing was found and why that may be

    bool json() const { return a.has_value() && b.has_value(); }
};

/// How many lines differ, and how, where both were compared as text.
DiffCounts lineCounts(const Comparison &comparison);

/// Two payloads and what is known of them.
struct CompareInput {
    QByteArray a;
    QByteArray b;
    QString nameA;
    QString nameB;
    QStringList ignore; ///< JSON pointers of what may differ
    QString fingerprint; ///< as it is stored; empty where none is known
    RequestParts parts;
    PayloadOrigin origin = PayloadOrigin::Unknown;
};

/// Set to give up what runs on another thread.
using CancelFlag = std::shared_ptr<std::atomic_bool>;

/// Compares two payloads. Error: Usage where a rule is no pointer, Cancelled where the flag was set.
sql::Result<std::shared_ptr<const Comparison>> comparePayloads(const CompareInput &input, const CancelFlag &cancelled);
/// The same on another thread.
QFuture<sql::Result<std::shared_ptr<const Comparison>>> comparePayloadsLater(
    const CompareInput &input, const CancelFlag &cancelled);

/// A file's bytes, read on another thread. Error: File, also where it is no file or larger than
/// JsonSource::kMostBytes.
QFuture<sql::Result<QByteArray>> payloadFileLater(const QString &path, const CancelFlag &cancelled);
/// The error of a payload that is too large to be compared.
sql::Error tooLargeError(const QString &name);

} // namespace idemdesk::models
