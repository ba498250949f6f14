// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/regions/region_difference.h"
#include "sql/types/action.h"

namespace idemdesk::models {

/// One key that takes over the row of the other side, as the rule proposes it.
struct AlignStep {
    qsizetype difference = 0; ///< its place among the differences
    int side = 0; ///< the one that loses, and is changed
    int rule = -1; ///< index into the compiled rules of that side
};

/// One key that is left as it is.
struct AlignLeft {
    qsizetype difference = 0;
    QString why; ///< a sentence
};

struct AlignPlan {
    QList<AlignStep> steps;
    QList<AlignLeft> left;
};

/// Sorts differences into those that may be aligned and those that are left. Nothing that succeeded is ever changed,
/// nor what is still on its way, nor a key that has several rows. compiled: of the sides, in their order; nothing where
/// a side has no console or does not know the table, so that nothing may be changed there.
AlignPlan planAlign(const QList<RegionDifference> &differences,
    const std::array<std::optional<sql::CompiledTarget>, 2> &compiled, const std::array<QString, 2> &labels);

/// Columns that are read with the rows of this side before it is changed, or the other one by it: its own guard, and
/// what the other side's rules copy. told: also what its own rules write, for alignChanges().
QStringList alignColumns(const sql::Profile &ofSide, const sql::Profile &ofOther, bool told = false);

/// What was read of both sides right before: as alignColumns() names the values.
struct AlignLook {
    std::array<QStringList, 2> columns;
    std::array<QList<sql::SideRow>, 2> rows; ///< of all keys of the steps
};

/// The frozen rows of one side, from a look that came after the plan. A row of either side that is no longer as it was
/// planned is left out and said.
struct AlignSet {
    QList<sql::FrozenRow> rows;
    QList<qsizetype> differences; ///< by rows
    QList<AlignLeft> left;
};
AlignSet freezeAlign(int side, const QList<AlignStep> &steps, const QList<RegionDifference> &differences,
    const AlignLook &look, const sql::CompiledTarget &compiled, const sql::Profile &profile);

/// One value that an align writes.
struct AlignChange {
    QString column;
    sql::Cell before;
    sql::Cell after; ///< the other side's value
    QString sql; ///< the profile's expression instead, which the server computes then
};
/// What a step would write, from a look that came after the plan, with the columns for it; columns that stay as they
/// are are left out. profile: of the side that loses, as compiled is. Nothing where a row is not there any more.
QList<AlignChange> alignChanges(const AlignStep &step, const QList<RegionDifference> &differences,
    const AlignLook &look, const sql::CompiledTarget &compiled, const sql::Profile &profile);

} // namespace idemdesk::models
