// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/regions/region_difference.h"

#include "sql/types/enum_table.h"
#include "sql/types/tr.h"

#include <QMap>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

/// Scope and key as one value that sorts; NULL before every text, and unlike the empty one.
QStringList intentOf(const sql::KeyRecord &record)
{
    QStringList parts;
    for (const sql::Cell &part : record.scope) {
        parts += part.null ? QString() : u'=' + part.text;
    }
    return parts + QStringList { record.key.text };
}

DifferenceKind kindOf(const RegionDifference &difference)
{
    if (difference.rows[0].isEmpty() || difference.rows[1].isEmpty()) {
        return DifferenceKind::Missing;
    }
    if (difference.rows[0].size() > 1 || difference.rows[1].size() > 1) {
        return DifferenceKind::Rows;
    }
    const sql::SideRow &left = difference.rows[0].constFirst();
    const sql::SideRow &right = difference.rows[1].constFirst();
    const bool bothSucceeded
        = left.record.state == sql::KeyState::Succeeded && right.record.state == sql::KeyState::Succeeded;
    if (bothSucceeded && left.result != right.result) {
        return DifferenceKind::Results;
    }
    if (!(left.record.role(sql::Role::Fingerprint) == right.record.role(sql::Role::Fingerprint))) {
        return DifferenceKind::Fingerprint;
    }
    const bool sameState = left.record.role(sql::Role::Status) == right.record.role(sql::Role::Status);
    return sameState ? DifferenceKind::Answers : DifferenceKind::State;
}

/// For two rows of the same request: which of them stands.
void decide(RegionDifference *difference, const std::array<QString, 2> &labels)
{
    const sql::KeyRecord &left = difference->rows[0].constFirst().record;
    const sql::KeyRecord &right = difference->rows[1].constFirst().record;
    if (left.state == sql::KeyState::Unknown || right.state == sql::KeyState::Unknown) {
        return; // what cannot be read decides nothing
    }
    const bool leftDone = left.state == sql::KeyState::Succeeded;
    if (leftDone != (right.state == sql::KeyState::Succeeded)) {
        difference->rule = RegionRule::Succeeded;
        difference->keep = leftDone ? 0 : 1;
        return;
    }
    const auto leftAt = writtenAt(left);
    const auto rightAt = writtenAt(right);
    if (leftAt && rightAt && leftAt->micros != rightAt->micros) {
        difference->rule = RegionRule::LaterWriter;
        difference->keep = leftAt->micros > rightAt->micros ? 0 : 1;
        return;
    }
    difference->rule = RegionRule::LabelOrder;
    difference->keep = labels[0] < labels[1] ? 0 : 1;
}

void judge(RegionDifference *difference, const std::array<QString, 2> &labels)
{
    difference->kind = kindOf(*difference);
    switch (difference->kind) {
    case DifferenceKind::Missing:
        difference->rule = RegionRule::Route;
        difference->keep = difference->rows[0].isEmpty() ? 1 : 0;
        break;
    case DifferenceKind::Results:
        difference->rule = RegionRule::Compensate;
        break;
    case DifferenceKind::Fingerprint:
    case DifferenceKind::Rows:
        difference->rule = RegionRule::Look;
        break;
    case DifferenceKind::State:
    case DifferenceKind::Answers:
        decide(difference, labels);
        break;
    }
}

bool same(QList<sql::SideRow> left, QList<sql::SideRow> right)
{
    const auto byHash = [](const sql::SideRow &a, const sql::SideRow &b) { return a.compared < b.compared; };
    std::sort(left.begin(), left.end(), byHash);
    std::sort(right.begin(), right.end(), byHash);
    return left == right;
}

constexpr sql::EnumNames<sql::EnumName<DifferenceKind>> kKinds({
    { DifferenceKind::Results, u"results" },
    { DifferenceKind::Fingerprint, u"fingerprint" },
    { DifferenceKind::Missing, u"missing" },
    { DifferenceKind::State, u"state" },
    { DifferenceKind::Answers, u"answers" },
    { DifferenceKind::Rows, u"rows" },
});

constexpr sql::EnumNames<sql::EnumName<RegionRule>> kRules({
    { RegionRule::Compensate, u"compensate" },
    { RegionRule::Look, u"look" },
    { RegionRule::Route, u"route" },
    { RegionRule::Succeeded, u"succeeded" },
    { RegionRule::LaterWriter, u"later_writer" },
    { RegionRule::LabelOrder, u"label_order" },
});

} // namespace

std::optional<sql::Timestamp> writtenAt(const sql::KeyRecord &record)
{
    std::optional<sql::Timestamp> latest;
    for (const sql::Role role : { sql::Role::UpdatedAt, sql::Role::CompletedAt, sql::Role::HeartbeatAt,
             sql::Role::ClaimedAt, sql::Role::CreatedAt }) {
        const auto at = record.time(role);
        if (at && (!latest || latest->micros < at->micros)) {
            latest = at;
        }
    }
    return latest;
}

QString differenceName(DifferenceKind kind)
{
    return kKinds.nameOf(kind);
}

std::optional<DifferenceKind> differenceFromName(const QString &name)
{
    return kKinds.find(name);
}

QString differenceText(DifferenceKind kind)
{
    switch (kind) {
    case DifferenceKind::Results:
        return Tr::tr("Both succeeded, with different results");
    case DifferenceKind::Fingerprint:
        return Tr::tr("Different requests under one key");
    case DifferenceKind::Missing:
        return Tr::tr("Missing on one side");
    case DifferenceKind::State:
        return Tr::tr("Different states");
    case DifferenceKind::Answers:
        return Tr::tr("Same state, different answers");
    case DifferenceKind::Rows:
        return Tr::tr("Several rows, not the same ones");
    }
    return {};
}

QString ruleName(RegionRule rule)
{
    return kRules.nameOf(rule);
}

QString ruleText(const RegionDifference &difference, const std::array<QString, 2> &labels)
{
    const QString kept = labels.at(difference.keep < 0 ? 0 : difference.keep);
    const QString other = labels.at(difference.keep < 0 ? 1 : 1 - difference.keep);
    switch (difference.rule) {
    case RegionRule::Compensate:
        return Tr::tr("Reverse one of the two effects. Change neither row.");
    case RegionRule::Look:
        return Tr::tr("No rule decides this: look at both sides.");
    case RegionRule::Route:
        return Tr::tr("A retry in %1 would run it again: send its retries to %2.").arg(other, kept);
    case RegionRule::Succeeded:
        return Tr::tr("%1 stands: it succeeded.").arg(kept);
    case RegionRule::LaterWriter:
        return Tr::tr("%1 stands: it was written last.").arg(kept);
    case RegionRule::LabelOrder:
        return Tr::tr("%1 stands: nothing tells which is newer, so the first label does.").arg(kept);
    }
    return {};
}

QList<RegionDifference> differencesOf(
    const std::array<QList<sql::SideRow>, 2> &rows, const std::array<QString, 2> &labels)
{
    QMap<QStringList, RegionDifference> byIntent;
    for (std::size_t side = 0; side < rows.size(); ++side) {
        for (const sql::SideRow &row : rows.at(side)) {
            byIntent[intentOf(row.record)].rows.at(side).append(row);
        }
    }
    QList<RegionDifference> differences;
    for (RegionDifference &difference : byIntent) {
        if (!same(difference.rows[0], difference.rows[1])) {
            judge(&difference, labels);
            differences += difference;
        }
    }
    std::stable_sort(differences.begin(), differences.end(),
        [](const RegionDifference &a, const RegionDifference &b) { return a.kind < b.kind; });
    return differences;
}

} // namespace idemdesk::models
