// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/regions/region_list.h"

#include "models/keys/key_cells.h"
#include "sql/types/enum_table.h"
#include "sql/types/tr.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

QString differenceScope(const RegionDifference &difference)
{
    QStringList parts;
    for (const sql::Cell &part : difference.record().scope) {
        parts += part.null ? u"–"_s : part.text;
    }
    return parts.join(u" / "_s);
}

QString differenceProposal(const RegionDifference &difference, const std::array<QString, 2> &labels)
{
    return difference.onItsWay ? Tr::tr("Still on its way, or being worked on: compare again later.")
                               : ruleText(difference, labels);
}

bool sameIntent(const RegionDifference &a, const RegionDifference &b)
{
    return a.record().scope == b.record().scope && a.record().key == b.record().key;
}

} // namespace

QString groupText(DifferenceGroup group)
{
    if (!group) {
        return Tr::tr("Still on its way");
    }
    switch (*group) {
    case DifferenceKind::Results:
        return Tr::tr("Done twice");
    case DifferenceKind::Fingerprint:
        return Tr::tr("Reused key");
    case DifferenceKind::Missing:
        return Tr::tr("Missing");
    case DifferenceKind::State:
        return Tr::tr("Other state");
    case DifferenceKind::Answers:
        return Tr::tr("Other answer");
    case DifferenceKind::Rows:
        return Tr::tr("Several rows");
    }
    return {};
}

QString stateOnSide(const RegionDifference &difference, int side)
{
    const QList<sql::SideRow> &rows = difference.rows.at(std::size_t(side));
    if (rows.isEmpty()) {
        return Tr::tr("No row");
    }
    return rows.size() > 1 ? Tr::tr("%n row(s)", nullptr, int(rows.size())) : recordStateText(rows.constFirst().record);
}

QList<DifferenceGroup> differenceGroups()
{
    QList<DifferenceGroup> groups;
    for (const DifferenceKind kind : sql::kAllOf<DifferenceKind>) {
        groups += kind;
    }
    return groups << std::nullopt;
}

RegionList::RegionList(QObject *parent)
    : RowModel(parent)
{
}

DifferenceGroup RegionList::groupOf(const RegionDifference &difference)
{
    return difference.onItsWay ? DifferenceGroup() : DifferenceGroup(difference.kind);
}

void RegionList::setDifferences(const QList<RegionDifference> &differences, const std::array<QString, 2> &labels)
{
    m_all = differences;
    m_labels = labels;
    std::stable_sort(m_all.begin(), m_all.end(), [](const RegionDifference &a, const RegionDifference &b) {
        return std::pair(a.onItsWay, a.kind) < std::pair(b.onItsWay, b.kind);
    });
    list();
}

void RegionList::showOnly(const QList<DifferenceGroup> &groups)
{
    if (groups != m_shown) {
        m_shown = groups;
        list();
    }
}

void RegionList::list()
{
    QList<RegionDifference> listed;
    std::copy_if(m_all.cbegin(), m_all.cend(), std::back_inserter(listed), [this](const RegionDifference &difference) {
        return m_shown.isEmpty() || m_shown.contains(groupOf(difference));
    });
    updateRows(listed, sameIntent);
}

qsizetype RegionList::count(DifferenceGroup group) const
{
    return std::count_if(m_all.cbegin(), m_all.cend(),
        [group](const RegionDifference &difference) { return groupOf(difference) == group; });
}

QString RegionList::writtenText(const RegionDifference &difference, int side, bool exact) const
{
    const QList<sql::SideRow> &rows = difference.rows.at(std::size_t(side));
    const auto at = rows.size() == 1 ? writtenAt(rows.constFirst().record) : std::nullopt;
    if (!at) {
        return {};
    }
    return exact ? tr("written %1").arg(timeFormat().exact(*at)) : timeFormat().text(*at);
}

std::span<const RegionList::ColumnSpec> RegionList::columns()
{
    using Model = RegionList;
    using Row = RegionDifference;
    static constexpr ColumnSpec specs[] = {
        { .title = [] { return tr("Difference"); },
            .text = [](const Model &, const Row &row) { return groupText(groupOf(row)); },
            .toolTip = [](const Model &, const Row &row) { return differenceText(row.kind); } },
        { .title = [] { return tr("Scope"); },
            .text = [](const Model &, const Row &row) { return differenceScope(row); } },
        { .title = [] { return tr("Key"); },
            .text = [](const Model &, const Row &row) { return row.record().key.text; } },
        { .title = [] { return tr("First side"); },
            .text = [](const Model &, const Row &row) { return stateOnSide(row, 0); },
            .toolTip = [](const Model &model, const Row &row) { return model.writtenText(row, 0, true); },
            .time = true },
        { .title = [] { return tr("Second side"); },
            .text = [](const Model &, const Row &row) { return stateOnSide(row, 1); },
            .toolTip = [](const Model &model, const Row &row) { return model.writtenText(row, 1, true); },
            .time = true },
        { .title = [] { return tr("Proposal"); },
            .text = [](const Model &model, const Row &row) { return differenceProposal(row, model.m_labels); } },
    };
    static_assert(std::size(specs) == ColumnCount);
    return specs;
}

QVariant RegionList::sideData(const RegionDifference &difference, int side, int role) const
{
    const QList<sql::SideRow> &rows = difference.rows.at(std::size_t(side));
    if (role == TitleRole) {
        return stateOnSide(difference, side);
    }
    if (role == DetailRole) {
        return writtenText(difference, side, false);
    }
    if (rows.size() != 1) {
        return {};
    }
    const sql::KeyRecord &record = rows.constFirst().record;
    switch (role) {
    case StateRole:
        return int(record.state);
    case StaleRole:
        return record.stale.value_or(false);
    case ExpiredRole:
        return record.expired.value_or(false);
    default:
        return {};
    }
}

QVariant RegionList::itemData(const RegionDifference &difference, int column, int role) const
{
    if (column == First || column == Second) {
        return sideData(difference, column - First, role);
    }
    if (column == Difference && role == TitleRole) {
        return groupText(groupOf(difference));
    }
    if (column == Difference && role == KindRole) {
        return difference.onItsWay ? -1 : int(difference.kind);
    }
    if (column == Difference && role == DetailRole && difference.onItsWay) {
        return groupText(difference.kind); // as what it would count if it stayed
    }
    return column == Key && role == DetailRole ? QVariant(displayText(differenceScope(difference))) : QVariant();
}

} // namespace idemdesk::models

#include "moc_region_list.cpp"
