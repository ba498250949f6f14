// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/regions/region_detail.h"

#include "models/diff/json_diff.h"
#include "models/format/labels.h"
#include "models/keys/key_cells.h"
#include "sql/keys/body_reader.h"
#include "sql/lanes/database.h"
#include "sql/types/enum_table.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

constexpr int kBodiesDeadlineMs = 20'000;
constexpr int kAmountRank = 0; // the money first
constexpr int kResultRank = 1;
constexpr int kStateRank = 2;
constexpr int kTimeRank = 4;
constexpr qint64 kBodyChars = 200'000; // of a request or an answer
constexpr qsizetype kMostChanges = 50; // of two payloads; who wants all opens the keys

SideLine roleLine(const RegionDifference &difference, sql::Role role)
{
    SideLine line { roleTitle(role), {}, false, sql::isTimeRole(role) };
    std::array<sql::Cell, 2> cells;
    for (std::size_t side = 0; side < cells.size(); ++side) {
        const QList<sql::SideRow> &rows = difference.rows.at(side);
        cells.at(side) = rows.isEmpty() ? sql::Cell() : rows.constFirst().record.role(role);
        line.said.at(side) = cells.at(side).failed() ? cells.at(side).error : cells.at(side).text;
    }
    line.differs = !(cells[0] == cells[1]);
    line.rank = line.time ? kTimeRank : role == sql::Role::ResultId || role == sql::Role::ResultType ? kResultRank : 3;
    return line;
}

QString rowText(const QList<sql::SideRow> &rows, qsizetype number)
{
    if (number >= rows.size()) {
        return {};
    }
    const sql::KeyRecord &record = rows.at(number).record;
    const QString result = recordResultText(record);
    return recordStateText(record) + (result.isEmpty() ? QString() : u" · "_s + result);
}

/// A side with several rows is told row by row, in short; else role by role.
QList<SideLine> knownLines(const RegionDifference &difference)
{
    QList<SideLine> lines;
    const qsizetype most = std::max(difference.rows[0].size(), difference.rows[1].size());
    if (most > 1) {
        for (qsizetype i = 0; i < most; ++i) {
            const std::array said { rowText(difference.rows[0], i), rowText(difference.rows[1], i) };
            lines.append({ RegionDetail::tr("Row %1").arg(i + 1), said, said[0] != said[1] });
        }
        return lines;
    }
    SideLine state { RegionDetail::tr("State"), {}, false };
    for (std::size_t side = 0; side < state.said.size(); ++side) {
        const QList<sql::SideRow> &rows = difference.rows.at(side);
        state.said.at(side) = rows.isEmpty() ? RegionDetail::tr("No row") : recordStateText(rows.constFirst().record);
    }
    state.differs = state.said[0] != state.said[1];
    state.rank = kStateRank;
    lines += state;
    for (const sql::Role role : sql::kAllOf<sql::Role>) {
        const SideLine line = roleLine(difference, role);
        if (!sql::isLargeRole(role) && (line.differs || !line.said[0].isEmpty())) {
            lines += line;
        }
    }
    return lines;
}

/// What differs is read first.
QList<SideLine> differingFirst(QList<SideLine> lines)
{
    std::stable_sort(lines.begin(), lines.end(), [](const SideLine &a, const SideLine &b) {
        return a.differs != b.differs ? a.differs : a.differs && a.rank < b.rank;
    });
    return lines;
}

} // namespace

RegionDetail::RegionDetail(QObject *parent)
    : RowModel(parent)
{
}

void RegionDetail::setSides(const std::array<sql::Database *, 2> &databases, const std::array<sql::Target, 2> &targets)
{
    for (std::size_t side = 0; side < databases.size(); ++side) {
        m_reading.at(side).setDatabase(databases.at(side));
    }
    m_targets = targets;
    clear();
}

void RegionDetail::clear()
{
    ++m_shown;
    for (Request &reading : m_reading) {
        reading.drop();
    }
    m_notes.clear();
    setRows({});
    emit changed();
}

void RegionDetail::show(const RegionDifference &difference)
{
    clear();
    setRows(differingFirst(knownLines(difference)));
    if (difference.rows[0].size() <= 1 && difference.rows[1].size() <= 1) {
        readBodies(difference);
    }
    emit changed();
}

void RegionDetail::readBodies(const RegionDifference &difference)
{
    m_bodies = {};
    for (std::size_t side = 0; side < m_reading.size(); ++side) {
        const sql::Target &target = m_targets.at(side);
        const QList<sql::SideRow> &rows = difference.rows.at(side);
        const bool stored
            = target.profile.has(sql::Role::RequestPayload) || target.profile.has(sql::Role::ResponseBody);
        if (rows.isEmpty() || !stored) {
            m_bodies.at(side) = Bodies();
            continue;
        }
        m_reading.at(side).ask(
            { sql::LaneKind::Background, kBodiesDeadlineMs },
            [target, identity = rows.constFirst().record.identity](
                sql::Session &session) { return sql::readBodies(session, target, { identity }, kBodyChars); },
            [this, side, shown = m_shown](const sql::Result<Bodies> &bodies) {
                if (shown != m_shown) {
                    return;
                }
                if (!bodies) {
                    m_notes += tr("Request and answer were not read: %1").arg(bodies.error().line());
                }
                m_bodies.at(side) = bodies ? *bodies : Bodies();
                addBodies();
            });
    }
}

void RegionDetail::addBodies()
{
    if (m_bodies[0] && m_bodies[1] && m_notes.isEmpty()) {
        addBody(sql::Role::RequestPayload);
        addBody(sql::Role::ResponseBody);
    }
    emit changed();
}

void RegionDetail::addBody(sql::Role role)
{
    std::array<sql::Cell, 2> cells;
    for (std::size_t side = 0; side < cells.size(); ++side) {
        const Bodies &bodies = *m_bodies.at(side);
        cells.at(side) = bodies.isEmpty() ? sql::Cell() : bodies.constFirst().role(role);
    }
    if (cells[0].null && cells[1].null) {
        return;
    }
    QList<SideLine> lines;
    const auto a = JsonSource::read(cells[0].text.toUtf8());
    const auto b = JsonSource::read(cells[1].text.toUtf8());
    if (cells[0] == cells[1] || cells[0].null || cells[1].null || !a || !b) {
        lines.append({ roleTitle(role), { cells[0].text, cells[1].text }, !(cells[0] == cells[1]) });
    } else {
        const QList<JsonChange> changes = changesOf(diffJson(*a, *b), *a, *b, kMostChanges + 1);
        for (const JsonChange &change : changes.mid(0, kMostChanges)) {
            lines.append({ tr("%1 %2", "response body, JSON pointer").arg(roleTitle(role), change.pointer),
                { change.from, change.to }, !change.formOnly });
            const bool amount = change.pointer.section(u'/', -1).contains(u"amount"_s, Qt::CaseInsensitive);
            lines.last().rank = amount ? kAmountRank : lines.constLast().rank;
        }
        if (changes.size() > kMostChanges) {
            m_notes += tr("More of the payload differs than is listed.");
        }
    }
    if (cells[0].partial() || cells[1].partial()) {
        m_notes += tr("%1: only its beginning was read.").arg(roleTitle(role));
    }
    setRows(differingFirst(m_rows + lines));
}

QString RegionDetail::sideText(const SideLine &line, int side, bool exact) const
{
    const QString &said = line.said.at(std::size_t(side));
    const auto at = line.time ? sql::Timestamp::parse(said) : std::nullopt;
    if (!at) {
        return said.isEmpty() ? u"–"_s : said;
    }
    return exact ? timeFormat().exact(*at) : timeFormat().text(*at);
}

std::span<const RegionDetail::ColumnSpec> RegionDetail::columns()
{
    using Model = RegionDetail;
    static constexpr ColumnSpec specs[] = {
        { .title = [] { return tr("What"); },
            .text
            = [](const Model &, const SideLine &line) { return (line.differs ? u"≠ "_s : u"= "_s) + line.what; } },
        { .title = [] { return tr("First side"); },
            .text = [](const Model &model, const SideLine &line) { return model.sideText(line, 0, false); },
            .toolTip = [](const Model &model, const SideLine &line) { return model.sideText(line, 0, true); },
            .time = true },
        { .title = [] { return tr("Second side"); },
            .text = [](const Model &model, const SideLine &line) { return model.sideText(line, 1, false); },
            .toolTip = [](const Model &model, const SideLine &line) { return model.sideText(line, 1, true); },
            .time = true },
    };
    static_assert(std::size(specs) == ColumnCount);
    return specs;
}

QVariant RegionDetail::itemData(const SideLine &line, int column, int role) const
{
    if (column != What) {
        return {};
    }
    switch (role) {
    case FailedRole:
        return line.differs;
    case Qt::AccessibleTextRole:
        return displayText(line.differs ? tr("%1 differs", "a part of a key").arg(line.what)
                                        : tr("%1 is the same", "a part of a key").arg(line.what));
    default:
        return {};
    }
}

} // namespace idemdesk::models

#include "moc_region_detail.cpp"
