// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/compare/compare_rows.h"

#include <algorithm>

namespace idemdesk::models {

namespace {

std::vector<SideStretch> folded(const std::vector<SideRow> &rows)
{
    std::vector<SideStretch> out;
    const int end = int(rows.size());
    for (int at = 0; at < end;) {
        int next = at;
        while (next < end && rows[std::size_t(next)].status == DiffStatus::Same) {
            ++next;
        }
        if (next - at > SideRows::kMostUnfolded) {
            out.push_back({ at, next - at });
        } else {
            next = std::max(next, at + 1);
            for (int row = at; row < next; ++row) {
                out.push_back({ row, 1 });
            }
        }
        at = next;
    }
    return out;
}

/// The lines of the first payload in its own order, by node: rows stand in the second's order, and a number must be
/// that of the payload which it stands beside.
class OwnLines
{
public:
    explicit OwnLines(const JsonDiff &diff)
        : m_begin(diff.nodes.size(), 0)
        , m_height(diff.nodes.size(), 0)
    {
        const std::vector<DiffNode> &nodes = diff.nodes;
        for (std::size_t at = nodes.size(); at-- > 0;) { // children come after their parent
            const DiffNode &node = nodes[at];
            if (node.a >= 0) {
                m_height[at] += node.childCount > 0 ? 2 : 1;
                if (node.parent >= 0) {
                    m_height[std::size_t(node.parent)] += m_height[at];
                }
            }
        }
        std::vector<int> own;
        for (std::size_t at = 0; at < nodes.size(); ++at) {
            own.clear();
            for (int child = nodes[at].firstChild; child < nodes[at].firstChild + nodes[at].childCount; ++child) {
                if (nodes[std::size_t(child)].a >= 0) {
                    own.push_back(child);
                }
            }
            const auto before = [&nodes](int a, int b) { return nodes[std::size_t(a)].a < nodes[std::size_t(b)].a; };
            if (!std::is_sorted(own.begin(), own.end(), before)) {
                std::sort(own.begin(), own.end(), before);
            }
            int line = m_begin[at] + 1;
            for (const int child : own) {
                m_begin[std::size_t(child)] = line;
                line += m_height[std::size_t(child)];
            }
        }
    }

    int first(int node) const { return m_begin[std::size_t(node)] + 1; }
    int last(int node) const { return m_begin[std::size_t(node)] + m_height[std::size_t(node)]; }

private:
    std::vector<int> m_begin; ///< from 0
    std::vector<int> m_height; ///< lines
};

/// Writes the tree line by line, without recursion: payloads may be nested 10,000 deep.
class Writer
{
public:
    explicit Writer(const JsonDiff &diff)
        : m_diff(diff)
        , m_own(diff)
    {
    }

    std::vector<SideRow> write()
    {
        add(SideRow::Kind::Value, 0, true, true);
        while (!m_open.empty()) {
            Open &top = m_open.back();
            if (top.next == node(top.row.node).childCount) {
                SideRow row = top.row;
                m_open.pop_back();
                row.kind = SideRow::Kind::Close;
                number(row);
                continue;
            }
            const int child = top.next++;
            add(SideRow::Kind::Value, node(top.row.node).firstChild + child, child >= top.lastA, child >= top.lastB);
        }
        return std::move(m_rows);
    }

private:
    struct Open {
        SideRow row;
        int next = 0;
        int lastA = -1; ///< the last child that the first payload has
        int lastB = -1;
    };

    const DiffNode &node(int index) const { return m_diff.nodes[std::size_t(index)]; }

    void add(SideRow::Kind kind, int index, bool lastA, bool lastB)
    {
        const DiffNode &shown = node(index);
        SideRow row { kind, shown.status, lastA, lastB, index, int(m_open.size()), 0, 0 };
        if (shown.childCount == 0) {
            number(row);
            return;
        }
        row.kind = SideRow::Kind::Open;
        number(row);
        Open open { row, 0, -1, -1 };
        for (int child = 0; child < shown.childCount; ++child) {
            const DiffNode &member = node(shown.firstChild + child);
            open.lastA = member.a >= 0 ? child : open.lastA;
            open.lastB = member.b >= 0 ? child : open.lastB;
        }
        m_open.push_back(open);
    }

    void number(SideRow row)
    {
        const int own = row.kind == SideRow::Kind::Close ? m_own.last(row.node) : m_own.first(row.node);
        row.lineA = node(row.node).a >= 0 ? own : 0;
        row.lineB = node(row.node).b >= 0 ? ++m_lineB : 0;
        m_rows.push_back(row);
    }

    const JsonDiff &m_diff;
    OwnLines m_own;
    std::vector<SideRow> m_rows;
    std::vector<Open> m_open;
    int m_lineB = 0;
};

} // namespace

DifferingRows differingRows(const JsonDiff &diff)
{
    const std::size_t size = diff.nodes.size();
    DifferingRows out { {}, std::vector<int>(size, 0), std::vector<int>(size, 0), std::vector<int>(size, -1) };
    if (size > 0) {
        out.row[0] = 0;
    }
    for (std::size_t node = 0; node < size; ++node) {
        out.first[node] = int(out.shown.size());
        const DiffNode &above = diff.nodes[node];
        for (int child = above.firstChild; child < above.firstChild + above.childCount; ++child) {
            if (diff.nodes[std::size_t(child)].status != DiffStatus::Same) {
                out.row[std::size_t(child)] = out.count[node]++;
                out.shown.push_back(child);
            }
        }
    }
    return out;
}

SideRows sideRows(const JsonDiff &diff)
{
    SideRows out { Writer(diff).write(), {} };
    out.folded = folded(out.rows);
    return out;
}

SideRows sideRows(const QList<TextSpan> &lines)
{
    SideRows out;
    for (const TextSpan &span : lines) {
        for (qsizetype i = 0; i < std::max(span.aLength, span.bLength); ++i) {
            SideRow row;
            row.kind = SideRow::Kind::Text;
            row.lineA = i < span.aLength ? int(span.a + i) + 1 : 0;
            row.lineB = i < span.bLength ? int(span.b + i) + 1 : 0;
            row.status = span.same ? DiffStatus::Same
                : row.lineA == 0   ? DiffStatus::Added
                : row.lineB == 0   ? DiffStatus::Removed
                                   : DiffStatus::Changed;
            out.rows.push_back(row);
        }
    }
    out.folded = folded(out.rows);
    return out;
}

} // namespace idemdesk::models
