// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/format/time_format.h"
#include "sql/session/session.h"
#include "sql/types/action.h"

#include <QJsonObject>
#include <QJsonValue>
#include <optional>

namespace idemdesk::models {

inline constexpr int kMostRowsNamed = 200; ///< of an action, in a list to read; the rest is counted

/// What another person decides on: an action with the target that it is about, where that is still registered.
struct Decision {
    sql::ActionRecord action;
    std::optional<sql::RegisteredTarget> target;
    QList<sql::AskedRow> rows; ///< the first of the rows that it was asked for; none of a purge

    QJsonObject plan() const;
    /// What the server runs for this verb, as it was compiled; undefined or null where it runs nothing of the profile.
    QJsonValue compiled() const;
    /// The same as indented JSON for reading, with what it rests on: the states, the effects, the tables. Empty where
    /// there is none. Hostile, as everything a profile says.
    QString compiledText() const;
    /// What the plan says, one fact a text: "rows whose retention ended before …", "the rows are NOT kept: …". Hostile.
    QStringList planFacts() const;
    /// The same by label and value, without what becomes of the rows: what an approver asks first. Hostile.
    QList<QStringList> planLines(const TimeFormat &format) const;
    /// The first `most` rows by their keys, a text each, then how many more: "t1 / k001 becomes Succeeded, with ch_17".
    /// Empty where no rows were named. Hostile.
    QStringList rowFacts(qsizetype most = kMostRowsNamed) const;
    /// All that is to be known before deciding, as label and value, in the order of reading. Safe to show.
    QList<QStringList> facts() const;
};

/// Reads what there is to know of an action; nothing where it never was.
sql::Result<std::optional<Decision>> readDecision(sql::Session &session, const QString &id);
/// The same of one that was read.
sql::Result<Decision> readDecision(
    sql::Session &session, const sql::ActionRecord &action, const QList<sql::RegisteredTarget> &targets);

} // namespace idemdesk::models
