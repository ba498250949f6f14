// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/regions/side_reader.h"
#include <QList>
#include <QString>
#include <array>
#include <optional>

namespace idemdesk::models {

/// In what the two sides of one key differ; the gravest first.
enum class DifferenceKind {
    Results, ///< both succeeded, with different results: the effect may have happened twice
    Fingerprint, ///< they were asked for different things under one key
    Missing, ///< one side does not have it
    State, ///< the same request, further on one side
    Answers, ///< the same request in the same state, which is no success, with different answers
    Rows, ///< several rows have the key, and not the same ones on both sides
};
QString differenceName(DifferenceKind kind); ///< for JSON and --kind: "results"
std::optional<DifferenceKind> differenceFromName(const QString &name);
QString differenceText(DifferenceKind kind); ///< for people

/// What to do about a difference, by seed 000, part 3. Nothing of it is done by itself.
enum class RegionRule {
    Compensate, ///< both happened: a person undoes one of them in the business, no row is overwritten
    Look, ///< no rule decides it: a person looks at both
    Route, ///< the missing side would run it again: send retries to the side that has it
    Succeeded, ///< succeeded stands over everything else
    LaterWriter, ///< the side that wrote last
    LabelOrder, ///< nothing else decides it: the first of the two labels by alphabet
};
QString ruleName(RegionRule rule);

/// One key that is not the same on both sides.
struct RegionDifference {
    DifferenceKind kind = DifferenceKind::Missing;
    std::array<QList<sql::SideRow>, 2> rows; ///< with this scope and key, by side; usually one or none each
    RegionRule rule = RegionRule::Look;
    int keep = -1; ///< the side whose row the rule prefers; -1: none
    bool onItsWay = false; ///< replication had not come so far when the wait for it ended

    const sql::KeyRecord &record() const { return (rows[0].isEmpty() ? rows[1] : rows[0]).constFirst().record; }
};

/// When the row was written last, as far as the profile tells it.
std::optional<sql::Timestamp> writtenAt(const sql::KeyRecord &record);

/// One sentence that says what the rule proposes, with the labels of the sides.
QString ruleText(const RegionDifference &difference, const std::array<QString, 2> &labels);

/// Puts the rows of both sides together by scope and key and judges those that differ. The gravest come first, then in
/// the order of scope and key.
QList<RegionDifference> differencesOf(
    const std::array<QList<sql::SideRow>, 2> &rows, const std::array<QString, 2> &labels);

} // namespace idemdesk::models
