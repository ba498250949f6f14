// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/action.h"

#include <QJsonObject>
#include <QJsonValue>
#include <optional>

namespace idemdesk::models {

/// What another person decides on: an action with the target that it is about, where that is still registered.
struct Decision {
    sql::ActionRecord action;
    std::optional<sql::RegisteredTarget> target;

    QJsonObject plan() const;
    /// What the server runs for this verb, as it was compiled; undefined or null where it runs nothing of the profile.
    QJsonValue compiled() const;
    /// The same as indented JSON for reading; empty where there is none. Hostile, as everything a profile says.
    QString compiledText() const;
    /// What the plan says, one fact a text: "rows whose retention ended before …", "the rows are NOT kept: …". Hostile.
    QStringList planFacts() const;
    /// All that is to be known before deciding, as label and value, in the order of reading. Safe to show.
    QList<QStringList> facts() const;
};

Decision decisionOn(const sql::ActionRecord &action, const QList<sql::RegisteredTarget> &targets);

} // namespace idemdesk::models
