// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/diff/json_diff.h"

using namespace Qt::StringLiterals;

namespace idemdesk::models {

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

QList<JsonChange> changesOf(const JsonDiff &diff, const JsonSource &a, const JsonSource &b, qsizetype most, qsizetype textChars)
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
