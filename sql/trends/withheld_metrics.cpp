// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/trends/withheld_metrics.h"

#include <QJsonArray>
#include <QJsonDocument>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

Result<QStringList> withheldMetrics(Session &session, const QString &registeredName, const QStringList &metrics)
{
    TRY(const auto withheld, withheldMetrics(session, QStringList { registeredName }, metrics));
    return withheld.value(registeredName);
}

Result<QMap<QString, QStringList>> withheldMetrics(
    Session &session, const QStringList &registeredNames, const QStringList &metrics)
{
    Statement statement { uR"(
SELECT n.name, m.m
  FROM pg_catalog.jsonb_array_elements_text($1::pg_catalog.jsonb) n (name)
 CROSS JOIN pg_catalog.unnest($2::pg_catalog.text[]) m (m)
 WHERE m.m <> ALL (idemdesk.public_metrics())
   AND NOT EXISTS (SELECT FROM idemdesk.known_tables() k WHERE k.name = n.name AND k.whole))"_s,
        {} };
    statement.bind(
        QString::fromUtf8(QJsonDocument(QJsonArray::fromStringList(registeredNames)).toJson(QJsonDocument::Compact)));
    statement.bind(u'{' + metrics.join(u',') + u'}');
    QMap<QString, QStringList> withheld;
    TRY(session.each(statement, [&withheld](const Row &row) {
        withheld[row.text(0)] += row.text(1);
        return true;
    }));
    return withheld;
}

} // namespace idemdesk::sql
