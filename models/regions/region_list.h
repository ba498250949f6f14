// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/regions/region_difference.h"
#include "models/table/row_model.h"

#include <array>
#include <optional>

namespace idemdesk::models {

/// What a difference is listed under: its kind, or nothing where it is still on its way. Each is in one group only.
using DifferenceGroup = std::optional<DifferenceKind>;

QString groupText(DifferenceGroup group); ///< for people, short: "Done twice"
QString stateOnSide(const RegionDifference &difference, int side); ///< "Succeeded", "Missing", "2 rows"

/// The differences of two sides, one a row: the gravest first, and what is still on its way last.
class RegionList final : public RowModel<RegionList, RegionDifference>
{
    Q_OBJECT

public:
    enum Column { Difference, Scope, Key, First, Second, Proposal, ColumnCount };

    explicit RegionList(QObject *parent = nullptr);

    void setDifferences(const QList<RegionDifference> &differences, const std::array<QString, 2> &labels);
    void clear() { setDifferences({}, {}); }
    /// Lists those of these groups alone; all of them where none is given.
    void showOnly(const QList<DifferenceGroup> &groups);

    const QList<RegionDifference> &all() const { return m_all; } ///< listed or not
    qsizetype count(DifferenceGroup group) const; ///< of all
    const std::array<QString, 2> &labels() const { return m_labels; }

    static DifferenceGroup groupOf(const RegionDifference &difference);
    static std::span<const ColumnSpec> columns();
    /// KindRole of Difference: int of the DifferenceKind, -1 where it is on its way. StateRole, StaleRole and
    /// ExpiredRole of a side: of its row, where it has one alone.
    QVariant itemData(const RegionDifference &difference, int column, int role) const;

private:
    QVariant sideData(const RegionDifference &difference, int side, int role) const;
    QString writtenText(const RegionDifference &difference, int side, bool exact) const;
    void list();

    QList<RegionDifference> m_all;
    QList<DifferenceGroup> m_shown;
    std::array<QString, 2> m_labels;
};

/// Every group, the gravest first.
QList<DifferenceGroup> differenceGroups();

} // namespace idemdesk::models
