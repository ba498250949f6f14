// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/keys/retry_rules.h"

#include "sql/keys/state_predicate.h"

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

RetryRules::RetryRules(Render &render)
    : m_rules(render.target().profile.retry.value_or(QList<RetryRule>()))
{
    for (const RetryRule &rule : m_rules) {
        m_conditions += holds(retryCondition(render, rule));
    }
}

QString RetryRules::firstOf(RetryPayload payload, const std::function<QString(qsizetype)> &value) const
{
    QString cases;
    for (qsizetype i = 0; i < m_rules.size(); ++i) {
        if (!m_rules.at(i).payload || m_rules.at(i).payload == payload) {
            cases += u" WHEN "_s + m_conditions.at(i) + u" THEN "_s + value(i);
        }
    }
    return cases.isEmpty() ? u"NULL::pg_catalog.text"_s : u"CASE"_s + cases + u" END"_s;
}

} // namespace idemdesk::sql
