// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/actions/runner_rights.h"

#include "sql/keys/render.h"
#include "sql/profile/reader_rights.h"
#include "sql/types/tr.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

/// What one statement of the profile is called towards a person, and its SQL over t.
struct ReachingPart {
    QString name;
    QString sql; ///< a query that is not run
};

/// The placeholders are the trampoline's: now, reason, action, effect id, effect type. A body of this form is parsed
/// and its dependencies are kept as it is created, and nothing of it runs.
const QString kCreateSql
    = u"CREATE FUNCTION pg_temp.idemdesk_reach(pg_catalog.timestamptz, pg_catalog.text, pg_catalog.text, "
      "pg_catalog.text, pg_catalog.text) RETURNS pg_catalog.void LANGUAGE sql BEGIN ATOMIC %1; END"_s;

/// Kind, name to show, statement. What is in pg_catalog is everybody's.
const QString kMissingSql = uR"(
WITH runner AS (
    -- One that is still to be made has the rights of everybody, and the name that make_runner() will give it.
    SELECT COALESCE(r.oid, 0::pg_catalog.oid) AS oid, COALESCE(r.rolname, ('idemdesk_runner_' || CASE
               WHEN pg_catalog.octet_length(o.rolname) <= 40 THEN o.rolname::pg_catalog.text
               ELSE pg_catalog.md5(o.rolname) END)::pg_catalog.name) AS rolname
      FROM pg_catalog.pg_class c JOIN pg_catalog.pg_roles o ON o.oid = c.relowner
      LEFT JOIN idemdesk.runner u ON u.owner = c.relowner
      LEFT JOIN pg_catalog.pg_roles r ON r.oid = u.runner WHERE c.oid = $1::pg_catalog.oid),
reached AS (
    SELECT DISTINCT d.refclassid, d.refobjid, d.refobjsubid
      FROM pg_catalog.pg_depend d JOIN pg_catalog.pg_proc f ON f.oid = d.objid
     WHERE d.classid = 'pg_catalog.pg_proc'::pg_catalog.regclass AND f.proname = 'idemdesk_reach'
       AND f.pronamespace = pg_catalog.pg_my_temp_schema() AND d.refobjid <> $1::pg_catalog.oid),
tables AS (
    SELECT c.oid, c.relnamespace AS schema, c.relname, n.nspname,
           pg_catalog.string_agg(pg_catalog.quote_ident(a.attname), ', ' ORDER BY a.attnum)
               FILTER (WHERE NOT pg_catalog.has_column_privilege(u.oid, c.oid, a.attnum, 'SELECT')) AS columns,
           pg_catalog.count(a.attnum) = 0 AND NOT pg_catalog.has_any_column_privilege(u.oid, c.oid, 'SELECT') AS whole
      FROM reached r JOIN pg_catalog.pg_class c ON c.oid = r.refobjid
      JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
      LEFT JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum = r.refobjsubid AND r.refobjsubid > 0
     CROSS JOIN runner u
     WHERE r.refclassid = 'pg_catalog.pg_class'::pg_catalog.regclass AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
     GROUP BY c.oid, c.relnamespace, c.relname, n.nspname, u.oid),
functions AS (
    SELECT p.oid, p.pronamespace AS schema FROM reached r JOIN pg_catalog.pg_proc p ON p.oid = r.refobjid
     WHERE r.refclassid = 'pg_catalog.pg_proc'::pg_catalog.regclass),
types AS (
    SELECT t.oid, t.typnamespace AS schema FROM reached r JOIN pg_catalog.pg_type t ON t.oid = r.refobjid
     WHERE r.refclassid = 'pg_catalog.pg_type'::pg_catalog.regclass
    UNION
    -- A cast of a column to the type that it has leaves no dependency, and yet its name is looked up.
    SELECT y.oid, y.typnamespace
      FROM reached r
      JOIN pg_catalog.pg_attribute a ON a.attrelid = r.refobjid AND a.attnum = r.refobjsubid AND a.attnum > 0
      JOIN pg_catalog.pg_type y ON y.oid = a.atttypid
     WHERE r.refclassid = 'pg_catalog.pg_class'::pg_catalog.regclass
       AND y.typnamespace <> 'pg_catalog'::pg_catalog.regnamespace
       AND pg_catalog.strpos($2::pg_catalog.text, y.typname) > 0),
schemas AS (SELECT schema FROM tables UNION SELECT schema FROM functions UNION SELECT schema FROM types)
SELECT 1, n.nspname, pg_catalog.format('GRANT USAGE ON SCHEMA %I TO %I', n.nspname, u.rolname), u.rolname
  FROM schemas s JOIN pg_catalog.pg_namespace n ON n.oid = s.schema CROSS JOIN runner u
 WHERE NOT pg_catalog.has_schema_privilege(u.oid, n.oid, 'USAGE')
UNION ALL
SELECT 2, t.nspname || '.' || t.relname, pg_catalog.format('GRANT SELECT%s ON %I.%I TO %I',
           CASE WHEN t.whole THEN '' ELSE ' (' || t.columns || ')' END, t.nspname, t.relname, u.rolname), u.rolname
  FROM tables t CROSS JOIN runner u WHERE t.whole OR t.columns IS NOT NULL
UNION ALL
SELECT 3, n.nspname || '.' || p.proname, pg_catalog.format('GRANT EXECUTE ON FUNCTION %I.%I(%s) TO %I', n.nspname,
           p.proname, pg_catalog.pg_get_function_identity_arguments(p.oid), u.rolname), u.rolname
  FROM functions f JOIN pg_catalog.pg_proc p ON p.oid = f.oid
  JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace CROSS JOIN runner u
 WHERE NOT pg_catalog.has_function_privilege(u.oid, p.oid, 'EXECUTE')
UNION ALL
SELECT 4, n.nspname || '.' || y.typname,
       pg_catalog.format('GRANT USAGE ON TYPE %I.%I TO %I', n.nspname, y.typname, u.rolname), u.rolname
  FROM types t JOIN pg_catalog.pg_type y ON y.oid = t.oid
  JOIN pg_catalog.pg_namespace n ON n.oid = y.typnamespace CROSS JOIN runner u
 WHERE NOT pg_catalog.has_type_privilege(u.oid, y.oid, 'USAGE')
ORDER BY 1, 2, 3)"_s;

QString lackText(int kind, const QString &what, const QString &part, const QString &runner)
{
    switch (kind) {
    case 1:
        return Tr::tr("%3 may not use the schema %1, which %2 needs.").arg(what, part, runner);
    case 2:
        return Tr::tr("%3 may not read %1, which %2 needs.").arg(what, part, runner);
    case 3:
        return Tr::tr("%3 may not call %1, which %2 needs.").arg(what, part, runner);
    default:
        return Tr::tr("%3 may not use the type %1, which %2 needs.").arg(what, part, runner);
    }
}

QList<ReachingPart> reachingParts(const QJsonObject &compiled)
{
    const QString relation = compiled[u"relation"_s].toString();
    QList<ReachingPart> parts;
    for (const QJsonValue &effect : compiled[u"effects"_s].toArray()) {
        parts.append({ Tr::tr("the effect “%1”").arg(effect[u"type"_s].toString()),
            u"SELECT 1 FROM %1 t CROSS JOIN LATERAL (%2) e"_s.arg(relation, effect[u"sql"_s].toString()) });
    }
    QStringList expressions;
    for (const QString &member :
        { u"state"_s, u"status"_s, u"stale"_s, u"empty_replay"_s, u"scope_text"_s, u"leased"_s }) {
        if (const QString sql = compiled[member].toString(); !sql.isEmpty()) {
            expressions += sql;
        }
    }
    for (const QJsonValue &rule : compiled[u"purge"_s].toArray()) {
        expressions += rule[u"where"_s].toString();
    }
    for (const QString &sql : std::as_const(expressions)) {
        parts.append({ Tr::tr("an expression of the profile"), u"SELECT (%2) FROM %1 t"_s.arg(relation, sql) });
    }
    for (const QJsonValue &rule : compiled[u"rules"_s].toArray()) {
        for (const QJsonValue &set : rule[u"set"_s].toArray()) {
            parts.append({ Tr::tr("the rule for %1").arg(rule[u"to"_s].toString()),
                u"SELECT (%2) FROM %1 t"_s.arg(relation, set.toArray().at(1).toString()) });
        }
    }
    return parts;
}

} // namespace

Result<QList<Registration::Item>> missingReaderRights(Session &session, const Profile &profile)
{
    TRY(const auto lacks, lackingReaderRights(session, profile));
    QList<Registration::Item> items;
    for (const LackingRight &lack : lacks) {
        items.append({ u"grant"_s, u"grant"_s, lack.text, lack.sql });
    }
    return items;
}

Result<QList<Registration::Item>> missingRunnerRights(
    Session &session, const Target &target, const CompiledTarget &compiled)
{
    QList<Registration::Item> items;
    QStringList known;
    const QList<ReachingPart> parts = reachingParts(QJsonDocument::fromJson(compiled.json).object());
    for (const ReachingPart &part : parts) {
        // Each in a transaction of its own: one that cannot be parsed here says nothing of the others, and the trial
        // tells of it.
        TRY(session.begin());
        Statement missing { kMissingSql, {} };
        missing.bind(QString::number(target.relation.oid));
        missing.bind(part.sql);
        const auto created = session.run({ QString(kCreateSql).replace(u"%1"_s, part.sql), {} });
        const auto lacks = created ? session.all(missing) : Result<QList<Cells>>(created.error());
        session.rollback();
        if (!created && created.error().sqlState == u"25006") { // this session may only read
            items.append({ u"warning"_s, u"not_looked_at"_s,
                Tr::tr(
                    "Whether the rights suffice for all that the profile reads was not looked at: a dry run may only "
                    "read. “targets check” looks."),
                {} });
            return items;
        }
        if (!lacks) {
            if (lacks.error().kind == ErrorKind::ConnectionLost || lacks.error().kind == ErrorKind::Cancelled) {
                return lacks.error();
            }
            continue;
        }
        for (const Cells &lack : *lacks) {
            const QString &sql = lack.at(2).text;
            if (!known.contains(sql)) {
                known += sql;
                items.append({ u"grant"_s, u"grant"_s,
                    lackText(lack.at(0).text.toInt(), lack.at(1).text, part.name, lack.at(3).text), sql });
            }
        }
    }
    return items;
}

} // namespace idemdesk::sql
