// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/diff/json_diff.h"

#include "models/diff/json_diff_pairs.h"
#include "models/diff/number_form.h"
#include "sql/types/tr.h"

#include <QHash>
#include <deque>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

using Type = JsonDocument::Type;

/// A pair of containers whose children are still to be compared.
struct Task {
    int node = 0;
    int depth = 0;
    QList<int> rules; ///< those whose first `depth` parts fit so far
};

class Builder
{
public:
    Builder(const JsonSource &a, const JsonSource &b, const QList<QStringList> &ignore)
        : m_a(a)
        , m_b(b)
        , m_ignore(ignore)
    {
    }

    JsonDiff build()
    {
        m_diff.sameBytes = m_a.text() == m_b.text() && m_a.hasBlanks() == m_b.hasBlanks();
        constexpr std::size_t atOnce = 1'000'000; // what is not used of it costs no memory
        m_diff.nodes.reserve(
            std::min(std::size_t(m_a.nodeCount()) + std::size_t(m_b.nodeCount()), atOnce)); // as many as there can be
        QList<int> all;
        for (int i = 0; i < int(m_ignore.size()); ++i) {
            all.append(i);
        }
        DiffNode root;
        root.a = 0;
        root.b = 0;
        root.ignored = matched(all, 0);
        m_diff.nodes.push_back(root);
        compare(0, 0, all);
        while (!m_tasks.empty()) {
            const Task task = m_tasks.front();
            m_tasks.pop_front();
            expand(task);
        }
        if (!m_diff.sameBytes && (m_diff.nodes[0].status == DiffStatus::Same || m_a.hasBlanks() != m_b.hasBlanks())) {
            m_diff.forms |= DiffForm::Whitespace;
        }
        for (const DiffNode &node : m_diff.nodes) {
            count(node);
        }
        return std::move(m_diff);
    }

private:
    bool matched(const QList<int> &rules, int depth) const
    {
        return std::any_of(rules.begin(), rules.end(), [&](int rule) { return m_ignore[rule].size() == depth; });
    }

    QList<int> fitting(const QList<int> &rules, int depth, const QString &part) const
    {
        QList<int> fit;
        for (const int rule : rules) {
            const QStringList &parts = m_ignore[rule];
            if (parts.size() > depth && (parts[depth] == u"*" || parts[depth] == part)) {
                fit.append(rule);
            }
        }
        return fit;
    }

    void keep(QByteArrayView text, qsizetype *at, qsizetype *size)
    {
        *at = m_diff.texts.size();
        *size = text.size();
        m_diff.texts.append(text);
    }

    void keepValue(DiffNode &node)
    {
        if (m_b.isContainer(node.b)) {
            keep(m_b.compact(node.b), &node.newText, &node.newTextSize);
        } else {
            keep(m_b.rawText(node.b), &node.newText, &node.newTextSize);
        }
    }

    /// Classifies the pair of a node that has both sides, and queues two containers.
    void compare(int index, int depth, const QList<int> &rules)
    {
        DiffNode &node = m_diff.nodes[std::size_t(index)];
        const bool moved = node.status == DiffStatus::Moved;
        if (m_a.rawName(node.a) != m_b.rawName(node.b)) {
            keep(m_b.rawName(node.b), &node.newName, &node.newNameSize);
            node.forms
                |= m_a.decodedName(node.a) == m_b.decodedName(node.b) ? DiffForm::Escapes : DiffForm::UnicodeForm;
        }
        if (JsonSource::same(m_a, node.a, m_b, node.b)) {
            node.status = moved ? DiffStatus::Moved : node.forms.toInt() != 0 ? DiffStatus::Changed : DiffStatus::Same;
            return;
        }
        const Type left = m_a.type(node.a);
        const Type right = m_b.type(node.b);
        if (left == right && m_a.isContainer(node.a)) {
            node.status = moved ? DiffStatus::Moved : DiffStatus::Within;
            m_tasks.push_back({ index, depth, rules });
            return;
        }
        node.status = moved ? DiffStatus::Moved : DiffStatus::Changed;
        const DiffForms form = left != right ? DiffForms() : valueForm(left, node.a, node.b);
        node.forms = form.toInt() != 0 ? node.forms | form : DiffForms();
        keepValue(node);
    }

    DiffForms valueForm(Type type, int left, int right) const
    {
        if (type == Type::Number) {
            return sameNumber(m_a.rawText(left), m_b.rawText(right)) ? DiffForm::NumberForm : DiffForms();
        }
        if (type != Type::String) {
            return {};
        }
        const QString before = m_a.document().value(left);
        const QString after = m_b.document().value(right);
        if (before == after) {
            return DiffForm::Escapes;
        }
        return before.normalized(QString::NormalizationForm_C) == after.normalized(QString::NormalizationForm_C)
            ? DiffForm::UnicodeForm
            : DiffForms();
    }

    void expand(const Task &task)
    {
        const DiffNode above = m_diff.nodes[std::size_t(task.node)];
        const bool object = m_a.type(above.a) == Type::Object;
        const ChildPairs pairs
            = object ? pairMembers(m_a, above.a, m_b, above.b) : pairElements(m_a, above.a, m_b, above.b);
        const int countA = int(pairs.partner.size());
        const int countB = m_b.document().childCount(above.b);
        std::vector<int> owner(std::size_t(countB), -1);
        for (int row = 0; row < countA; ++row) {
            if (pairs.partner[std::size_t(row)] >= 0) {
                owner[std::size_t(pairs.partner[std::size_t(row)])] = row;
            }
        }
        const int first = int(m_diff.nodes.size());
        int nextA = 0;
        const auto removedUpTo = [&](int end) {
            for (; nextA < end; ++nextA) {
                if (pairs.partner[std::size_t(nextA)] < 0) {
                    addChild(task, above, m_a.document().child(above.a, nextA), -1, false);
                }
            }
        };
        for (int row = 0; row < countB; ++row) {
            const int from = owner[std::size_t(row)];
            const bool moved = from >= 0 && pairs.moved[std::size_t(from)];
            if (from >= 0 && !moved) {
                removedUpTo(from);
            }
            addChild(task, above, from < 0 ? -1 : m_a.document().child(above.a, from),
                m_b.document().child(above.b, row), moved);
        }
        removedUpTo(countA);
        DiffNode &node = m_diff.nodes[std::size_t(task.node)];
        node.firstChild = first;
        node.childCount = int(m_diff.nodes.size()) - first;
        if (pairs.reordered) {
            node.forms |= DiffForm::KeyOrder;
        }
    }

    void addChild(const Task &task, const DiffNode &above, int a, int b, bool moved)
    {
        DiffNode node;
        node.a = a;
        node.b = b;
        node.parent = task.node;
        const JsonSource &source = b >= 0 ? m_b : m_a;
        const int self = b >= 0 ? b : a;
        QList<int> rules;
        node.ignored = above.ignored;
        if (!task.rules.isEmpty()) {
            const JsonDocument &document = source.document();
            rules = fitting(task.rules, task.depth,
                document.hasName(self) ? document.name(self) : QString::number(document.row(self)));
            node.ignored = node.ignored || matched(rules, task.depth + 1);
        }
        if (a >= 0 && b >= 0) {
            node.status = moved ? DiffStatus::Moved : DiffStatus::Same;
            m_diff.nodes.push_back(node);
            compare(int(m_diff.nodes.size()) - 1, task.depth + 1, rules);
            return;
        }
        node.status = b >= 0 ? DiffStatus::Added : DiffStatus::Removed;
        if (source.document().duplicateName(self) && overridden(source, self)) {
            node.forms |= DiffForm::Duplicates;
        }
        if (b >= 0) {
            keepValue(node);
            if (const QByteArrayView name = m_b.rawName(b); !name.isEmpty()) {
                keep(name, &node.newName, &node.newNameSize);
            }
        }
        m_diff.nodes.push_back(node);
    }

    /// Members of one name are paired from the last, so that of those left over all but an object's last are
    /// overridden.
    bool overridden(const JsonSource &source, int self)
    {
        const JsonDocument &document = source.document();
        LastRows &rows = &source == &m_a ? m_lastA : m_lastB;
        if (const int object = document.parent(self); rows.object != object) {
            rows = { object, {} };
            for (int row = 0; row < document.childCount(object); ++row) {
                rows.byName.insert(source.decodedName(document.child(object, row)), row);
            }
        }
        return rows.byName.value(source.decodedName(self)) > document.row(self);
    }

    void count(const DiffNode &node)
    {
        if (node.status == DiffStatus::Same || (node.status == DiffStatus::Within && !node.forms)) {
            return;
        }
        DiffCounts &counts = m_diff.counts;
        if (node.ignored) {
            ++counts.ignored;
            return;
        }
        m_diff.forms |= node.forms;
        if (node.formOnly()) {
            ++counts.form;
            return;
        }
        counts.added += node.status == DiffStatus::Added ? 1 : 0;
        counts.removed += node.status == DiffStatus::Removed ? 1 : 0;
        counts.changed += node.status == DiffStatus::Changed ? 1 : 0;
        counts.moved += node.status == DiffStatus::Moved ? 1 : 0;
    }

    /// Where each name of an object stands last; of one object at a time.
    struct LastRows {
        int object = -1;
        QHash<QByteArray, int> byName;
    };

    const JsonSource &m_a;
    const JsonSource &m_b;
    LastRows m_lastA;
    LastRows m_lastB;
    const QList<QStringList> &m_ignore;
    JsonDiff m_diff;
    std::deque<Task> m_tasks;
};

} // namespace

JsonDiff diffJson(const JsonSource &a, const JsonSource &b, const QList<QStringList> &ignore)
{
    return Builder(a, b, ignore).build();
}

sql::Result<QList<QStringList>> ignoreRules(const QStringList &pointers)
{
    QList<QStringList> rules;
    for (const QString &pointer : pointers) {
        if (!pointer.startsWith(u'/')) {
            sql::Error error;
            error.kind = sql::ErrorKind::Usage;
            error.what = Tr::tr("“%1” is not a JSON pointer.").arg(pointer);
            error.why = Tr::tr("A pointer begins with a slash, such as /items/*/updated_at.");
            return error;
        }
        QStringList parts = pointer.sliced(1).split(u'/');
        for (QString &part : parts) {
            part.replace("~1"_L1, "/"_L1).replace("~0"_L1, "~"_L1);
        }
        rules.append(parts);
    }
    return rules;
}

namespace {

QByteArrayView textOf(const JsonDiff &diff, qsizetype at, qsizetype size)
{
    return QByteArrayView(diff.texts).sliced(at, size);
}

QString preview(const JsonSource &source, int node, qsizetype most)
{
    // Four bytes a character at most; a cut inside one leaves a replacement mark, which goes with the cut.
    const QByteArrayView raw = source.rawText(node);
    QString text = QString::fromUtf8(raw.first(std::min(raw.size(), most * 4)));
    if (text.size() > most) {
        text.truncate(most - 1);
        text += u'…';
    }
    return text;
}

/// A container being written, and where it stands.
struct OpenBranch {
    int node = 0;
    int next = 0;
    bool first = true;
};

} // namespace

QByteArray applyDiff(const JsonSource &a, const JsonDiff &diff)
{
    QByteArray out;
    std::vector<OpenBranch> open;
    const auto write = [&](int index) {
        const DiffNode &node = diff.nodes[std::size_t(index)];
        if (!open.empty()) {
            if (!open.back().first) {
                out += ',';
            }
            open.back().first = false;
        }
        const QByteArrayView name = node.newName >= 0 ? textOf(diff, node.newName, node.newNameSize)
            : node.a >= 0                             ? a.rawName(node.a)
                                                      : QByteArrayView();
        if (!name.isEmpty()) {
            out.append(name);
            out += ':';
        }
        if (node.newText >= 0) {
            out.append(textOf(diff, node.newText, node.newTextSize));
        } else if (node.childCount > 0) {
            out += a.type(node.a) == JsonDocument::Type::Object ? '{' : '[';
            open.push_back({ index, 0, true });
        } else {
            out.append(a.compact(node.a));
        }
    };
    write(0);
    while (!open.empty()) {
        const DiffNode &node = diff.nodes[std::size_t(open.back().node)];
        if (open.back().next == node.childCount) {
            out += a.type(node.a) == JsonDocument::Type::Object ? '}' : ']';
            open.pop_back();
            continue;
        }
        const int child = node.firstChild + open.back().next++;
        if (diff.nodes[std::size_t(child)].status != DiffStatus::Removed) {
            write(child);
        }
    }
    return out;
}

QList<JsonChange> changesOf(
    const JsonDiff &diff, const JsonSource &a, const JsonSource &b, qsizetype most, qsizetype textChars)
{
    QList<JsonChange> changes;
    std::vector<int> waiting { 0 };
    while (!waiting.empty() && changes.size() < most) {
        const int index = waiting.back();
        waiting.pop_back();
        const DiffNode &node = diff.nodes[std::size_t(index)];
        for (int i = node.childCount - 1; i >= 0; --i) {
            if (diff.nodes[std::size_t(node.firstChild) + std::size_t(i)].status != DiffStatus::Same) {
                waiting.push_back(node.firstChild + i);
            }
        }
        if (node.status == DiffStatus::Same || (node.status == DiffStatus::Within && !node.forms)) {
            continue;
        }
        JsonChange change;
        change.node = index;
        change.status = node.status;
        change.forms = node.forms;
        change.formOnly = node.formOnly();
        change.ignored = node.ignored;
        change.pointer = node.b >= 0 ? b.document().pointer(node.b) : a.document().pointer(node.a);
        change.from = node.a >= 0 ? preview(a, node.a, textChars) : QString();
        change.to = node.b >= 0 ? preview(b, node.b, textChars) : QString();
        changes.append(change);
    }
    return changes;
}

} // namespace idemdesk::models
