// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/profile/expression_judge.h"
#include "sql/profile/type_facts.h"

#include <QString>
#include <QStringList>
#include <functional>

namespace idemdesk::sql {

/// What an expression must be for its place in a profile.
enum class Wanted {
    Anything,
    Comparable,
    Timestamptz,
    Timestamp,
    Number,
    Integer,
    LockNumber,
    Text,
    Interval,
    Boolean
};

/// One expression to be planned against the live table.
struct PlannedExpression {
    QString path; ///< its place in the profile: "$.roles.status"
    QString sql; ///< over t, $now already replaced
    Wanted wanted = Wanted::Anything;
    bool essential = false; ///< without it the target cannot be read
    std::function<void(const TypeFacts &, quint32)> keep; ///< called with its type where it is fine
    std::function<void()> drop; ///< called where it is not
    QStringList
        parts; ///< what stands in `sql` of the profile's own: each has to be an expression by itself; none: all of it
    SqlForm form = SqlForm::Expression; ///< of the parts
};

/// What is wrong with one of them.
struct PlanFault {
    qsizetype index = 0;
    QString reason; ///< a sentence
    Error error;
};

/// Plans expressions over `relation AS t`, all in two round trips where nothing is wrong, else one by one: they must be
/// SQL, be allowed, have the wanted type, and contain no volatile, aggregate or set-returning function. Runs none of
/// them. The Error is about the connection only.
Result<QList<PlanFault>> planExpressions(
    Session &session, const QString &relation, const QList<PlannedExpression> &expressions);

} // namespace idemdesk::sql
