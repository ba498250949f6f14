// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/keys/scope_retries.h"

#include "sql/keys/scope_parts.h"
#include "sql/keys/unreadable.h"

#include <QCoreApplication>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

static Result<QList<ScopeRetries>> readScopeRetriesOnce(Session &session, const Target &target, int limit)
{
    if (!target.profile.has(Role::Attempts)) {
        return makeError(ErrorKind::NotSaid,
            QCoreApplication::translate("ScopeRetries", "Nobody can say how often the keys of this table were tried."),
            QCoreApplication::translate("ScopeRetries", "The profile names no attempts."));
    }
    Render render(target);
    const QList<ScopePart> parts = partsOf(target);
    const QString attempts = u"COALESCE(("_s + target.profile.role(Role::Attempts).sql + u")::pg_catalog.numeric, 1)"_s;
    QStringList columns;
    QStringList numbers;
    for (const ScopePart &part : parts) {
        columns += u"("_s + part.sql + u")::pg_catalog.text"_s;
        numbers += QString::number(columns.size());
    }
    columns += { u"pg_catalog.count(*) FILTER (WHERE "_s + attempts + u" <= 1)"_s,
        u"pg_catalog.count(*) FILTER (WHERE "_s + attempts + u" > 1)"_s, u"pg_catalog.max("_s + attempts + u")"_s };
    const QString retried = QString::number(columns.size() - 1);
    const QString sql = u"SELECT "_s + columns.join(u", "_s) + render.from()
        + (numbers.isEmpty() ? QString() : u" GROUP BY "_s + numbers.join(u", "_s)) + u" ORDER BY "_s + retried
        + u" DESC"_s + (numbers.isEmpty() ? QString() : u", "_s + numbers.join(u", "_s)) + u" LIMIT "_s
        + QString::number(limit);
    QList<ScopeRetries> all;
    const auto read = session.each(render.finish(sql, {}), [&](const Row &row) {
        ScopeRetries one;
        const int size = int(parts.size());
        for (int i = 0; i < size; ++i) {
            one.scope += row.cell(i);
        }
        one.first = row.integer(size);
        one.retried = row.integer(size + 1);
        one.most = qint64(row.text(size + 2).toDouble());
        all += one;
        return true;
    });
    return read ? Result<QList<ScopeRetries>>(all) : Result<QList<ScopeRetries>>(render.located(read.error()));
}

Result<QList<ScopeRetries>> readScopeRetries(Session &session, const Target &target, int limit)
{
    return readAround(session, target, false, nullptr,
        [&](const Target &readable) { return readScopeRetriesOnce(session, readable, limit); });
}

} // namespace idemdesk::sql
