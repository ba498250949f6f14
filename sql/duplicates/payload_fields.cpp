// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/duplicates/payload_fields.h"

#include "sql/keys/render.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

QString pathSql(const QStringList &steps)
{
    return quoteLiteral(arrayLiteral(steps)) + u"::pg_catalog.text[]"_s;
}

bool isPlace(const QString &step)
{
    bool number = false;
    return step.toInt(&number) >= 0 && number;
}

/// Later places first: taking out an element moves those behind it.
bool later(const QStringList &a, const QStringList &b)
{
    for (qsizetype i = 0; i < std::min(a.size(), b.size()); ++i) {
        if (a.at(i) != b.at(i)) {
            return isPlace(a.at(i)) && isPlace(b.at(i)) ? a.at(i).toInt() > b.at(i).toInt() : a.at(i) > b.at(i);
        }
    }
    return a.size() > b.size();
}

} // namespace

QStringList pointerSteps(const QString &pointer)
{
    QStringList steps = pointer.split(u'/').mid(1);
    for (QString &step : steps) {
        step.replace(u"~1"_s, u"/"_s).replace(u"~0"_s, u"~"_s);
    }
    return steps;
}

QString payloadWithout(const QString &payload, const QStringList &pointers)
{
    QList<QStringList> paths;
    for (const QString &pointer : pointers) {
        if (const QStringList steps = pointerSteps(pointer); !steps.isEmpty() && !steps.contains(u"*"_s)) {
            paths += steps;
        }
    }
    std::sort(paths.begin(), paths.end(), later);
    // PostgreSQL fails on a name where the payload has a list; the checks look at the payload as it came, one column
    // below.
    QString kept = u"p.v"_s;
    for (const QStringList &path : std::as_const(paths)) {
        QStringList lists;
        for (qsizetype i = 0; i < path.size(); ++i) {
            if (!isPlace(path.at(i))) {
                lists += u"pg_catalog.jsonb_typeof(p.v OPERATOR(pg_catalog.#>) "_s + pathSql(path.first(i))
                    + u") IS NOT DISTINCT FROM 'array'"_s;
            }
        }
        const QString away = u"OPERATOR(pg_catalog.#-) "_s
            + (lists.isEmpty() ? pathSql(path)
                               : u"CASE WHEN "_s + lists.join(u" OR "_s) + u" THEN '{}'::pg_catalog.text[] ELSE "_s
                        + pathSql(path) + u" END"_s);
        kept = u"("_s + kept + u' ' + away + u')';
    }
    return u"(SELECT CASE WHEN pg_catalog.jsonb_typeof(p.v) IN ('object', 'array') THEN "_s + kept
        + u" ELSE p.v END FROM (SELECT ("_s + payload + u")::pg_catalog.jsonb AS v) p)"_s;
}

} // namespace idemdesk::sql
