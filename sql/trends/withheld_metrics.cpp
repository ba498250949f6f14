// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/trends/withheld_metrics.h"

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

Result<QStringList> withheldMetrics(Session &session, const QString &registeredName, const QStringList &metrics)
{
    Statement statement { uR"(
SELECT m.m FROM pg_catalog.unnest($2::pg_catalog.text[]) m (m)
 WHERE m.m <> ALL (idemdesk.public_metrics())
   AND NOT EXISTS (SELECT FROM idemdesk.known_tables() k WHERE k.name = $1::pg_catalog.text AND k.whole))"_s,
        {} };
    statement.bind(registeredName);
    statement.bind(u'{' + metrics.join(u',') + u'}');
    QStringList withheld;
    TRY(session.each(statement, [&withheld](const Row &row) {
        withheld += row.text(0);
        return true;
    }));
    return withheld;
}

} // namespace idemdesk::sql
