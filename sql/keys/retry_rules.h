// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/keys/render.h"

#include <functional>

namespace idemdesk::sql {

/// The conditions of a profile's rules for retries ("retry"), each rendered once for one statement.
class RetryRules
{
public:
    /// The target's profile has such rules, or nothing holds.
    explicit RetryRules(Render &render);

    /// SQL: what `value` gives for the first rule that holds for a row and this payload; NULL where none does. `value`
    /// takes the rule's index.
    QString firstOf(RetryPayload payload, const std::function<QString(qsizetype)> &value) const;
    const QList<RetryRule> &rules() const { return m_rules; }

private:
    const QList<RetryRule> m_rules;
    QStringList m_conditions;
};

} // namespace idemdesk::sql
