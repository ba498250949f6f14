// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/regions/region_align.h"

#include "models/format/labels.h"
#include "sql/types/tr.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

/// The rule of the losing side that leads its row to the state of the other one; -1: there is none.
int alignRuleFor(const sql::CompiledTarget &compiled, const sql::KeyRecord &loser, const sql::KeyRecord &winner)
{
    const sql::Cell status = loser.role(sql::Role::Status);
    for (int i = 0; i < compiled.rules.size(); ++i) {
        const sql::CompiledRule &rule = compiled.rules.at(i);
        if (rule.verb == sql::ActionVerb::Align && rule.from.contains(loser.state) && rule.to == winner.state
            && (rule.status.isEmpty() || rule.status.contains(status.null ? u"null"_s : status.text))) {
            return i;
        }
    }
    return -1;
}

/// Why a key is left whatever a profile says, or nothing.
QString leftAnyway(const RegionDifference &difference, const std::array<QString, 2> &labels)
{
    if (difference.onItsWay) {
        return Tr::tr("It is still on its way, or being worked on: look again.");
    }
    if (difference.rule == RegionRule::Route) {
        return ruleText(difference, labels) + u' ' + Tr::tr("A row that is missing is not made here.");
    }
    if (difference.keep < 0 || difference.rows[0].size() != 1 || difference.rows[1].size() != 1) {
        return ruleText(difference, labels);
    }
    const int side = 1 - difference.keep;
    return difference.rows.at(side).constFirst().record.state == sql::KeyState::Succeeded
        ? Tr::tr("It succeeded in %1, and a success is never overwritten.").arg(labels.at(side))
        : QString();
}

bool isIntent(const sql::KeyRecord &one, const sql::KeyRecord &other)
{
    return one.key == other.key && one.scope == other.scope;
}

/// The one row of the key as it is now; null where there is none, or more than one.
const sql::SideRow *onlyRow(const QList<sql::SideRow> &rows, const sql::KeyRecord &record)
{
    const sql::SideRow *found = nullptr;
    for (const sql::SideRow &row : rows) {
        if (isIntent(row.record, record)) {
            if (found != nullptr) {
                return nullptr;
            }
            found = &row;
        }
    }
    return found;
}

/// As it was when it was planned: what is compared, and when it was written.
bool unchanged(const sql::SideRow *now, const sql::SideRow &planned)
{
    return now != nullptr && *now == planned && now->record.sameRow(planned.record)
        && now->record.state == planned.record.state && writtenAt(now->record) == writtenAt(planned.record);
}

sql::Cells picked(const QStringList &names, const QStringList &columns, const sql::Cells &cells)
{
    sql::Cells values;
    for (const QString &name : names) {
        values.append(cells.value(columns.indexOf(name)));
    }
    return values;
}

} // namespace

AlignPlan planAlign(const QList<RegionDifference> &differences,
    const std::array<std::optional<sql::CompiledTarget>, 2> &compiled, const std::array<QString, 2> &labels)
{
    AlignPlan plan;
    for (qsizetype i = 0; i < differences.size(); ++i) {
        const RegionDifference &difference = differences.at(i);
        QString why = leftAnyway(difference, labels);
        if (!why.isEmpty()) {
            plan.left.append({ i, why });
            continue;
        }
        const int side = 1 - difference.keep;
        const sql::KeyRecord &loser = difference.rows.at(side).constFirst().record;
        const sql::KeyRecord &winner = difference.rows.at(difference.keep).constFirst().record;
        const int rule = compiled.at(side) ? alignRuleFor(*compiled.at(side), loser, winner) : -1;
        if (!compiled.at(side)) {
            why = Tr::tr("The table is not registered in %1, so nothing is changed there.").arg(labels.at(side));
        } else if (rule < 0) {
            why = Tr::tr("The profile has no rule to align a key from “%1” to “%2”.")
                      .arg(stateLabel(loser.state), stateLabel(winner.state));
        } else if (loser.state == sql::KeyState::InProgress && loser.stale == false
            && !compiled.at(side)->rules.at(rule).live) {
            why = Tr::tr("It is being worked on in %1.").arg(labels.at(side));
        }
        if (why.isEmpty()) {
            plan.steps.append({ i, side, rule });
        } else {
            plan.left.append({ i, why });
        }
    }
    return plan;
}

QStringList alignColumns(const sql::Profile &ofSide, const sql::Profile &ofOther, bool told)
{
    QStringList columns = ofSide.guard;
    for (const sql::ActionRule &rule : ofOther.align) {
        columns += rule.copy;
    }
    for (const sql::ActionRule &rule : told ? ofSide.align : QList<sql::ActionRule>()) {
        columns += rule.copy;
        for (const auto &[column, sql] : rule.set) {
            columns += column;
        }
    }
    columns.removeDuplicates();
    return columns;
}

AlignSet freezeAlign(int side, const QList<AlignStep> &steps, const QList<RegionDifference> &differences,
    const AlignLook &look, const sql::CompiledTarget &compiled, const sql::Profile &profile)
{
    const int other = 1 - side;
    AlignSet set;
    for (const AlignStep &step : steps) {
        if (step.side != side) {
            continue;
        }
        const RegionDifference &difference = differences.at(step.difference);
        const sql::SideRow *loser = onlyRow(look.rows.at(side), difference.record());
        const sql::SideRow *winner = onlyRow(look.rows.at(other), difference.record());
        if (!unchanged(loser, difference.rows.at(side).constFirst())
            || !unchanged(winner, difference.rows.at(other).constFirst())) {
            set.left.append({ step.difference, Tr::tr("It changed since it was planned.") });
            continue;
        }
        sql::FrozenRow row;
        row.identity = loser->record.identity;
        row.guard = picked(profile.guard, look.columns.at(side), loser->columns);
        row.rule = step.rule;
        row.other = sql::OtherRow { winner->record.state, winner->record.role(sql::Role::Fingerprint),
            writtenAt(winner->record),
            picked(compiled.rules.at(step.rule).copy, look.columns.at(other), winner->columns) };
        set.rows.append(row);
        set.differences.append(step.difference);
    }
    return set;
}

QList<AlignChange> alignChanges(const AlignStep &step, const QList<RegionDifference> &differences,
    const AlignLook &look, const sql::CompiledTarget &compiled, const sql::Profile &profile)
{
    const int other = 1 - step.side;
    const sql::KeyRecord &record = differences.at(step.difference).record();
    const sql::SideRow *loser = onlyRow(look.rows.at(step.side), record);
    const sql::SideRow *winner = onlyRow(look.rows.at(other), record);
    if (loser == nullptr || winner == nullptr || step.rule < 0 || step.rule >= compiled.rules.size()) {
        return {};
    }
    const auto now
        = [&](const QString &column) { return picked({ column }, look.columns.at(step.side), loser->columns); };
    QList<AlignChange> changes;
    const QStringList &copied = compiled.rules.at(step.rule).copy;
    const sql::Cells values = picked(copied, look.columns.at(other), winner->columns);
    for (qsizetype i = 0; i < copied.size(); ++i) {
        const sql::Cell before = now(copied.at(i)).constFirst();
        if (!(before == values.at(i))) {
            changes.append({ copied.at(i), before, values.at(i), {} });
        }
    }
    // The compiled rules stand in the order of the profile, kind by kind.
    const auto place = std::count_if(compiled.rules.cbegin(), compiled.rules.cbegin() + step.rule,
        [](const sql::CompiledRule &rule) { return rule.verb == sql::ActionVerb::Align; });
    for (const auto &[column, sql] : profile.align.value(place).set) {
        changes.append({ column, now(column).constFirst(), {}, sql });
    }
    return changes;
}

} // namespace idemdesk::models
