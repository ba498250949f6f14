// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/profile/reader_rights.h"

#include "sql/keys/render.h"
#include "sql/profile/catalogue.h"
#include "sql/profile/expression_sql.h"
#include "sql/profile/relation_name.h"
#include "sql/profile/sql_scanner.h"
#include "sql/types/tr.h"

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

/// Kind, name to show, statement, for qualified names $1 and $2 (schemas and what is in them) and the present
/// login.
const QString kReaderLacksSql = uR"(
WITH named AS (
    SELECT n.oid AS schema, n.nspname, x.name
      FROM ROWS FROM (pg_catalog.unnest($1::pg_catalog.text[]), pg_catalog.unnest($2::pg_catalog.text[]))
               AS x (schema, name)
      JOIN pg_catalog.pg_namespace n ON n.nspname = x.schema),
tables AS (SELECT d.nspname, c.oid, c.relname FROM named d JOIN pg_catalog.pg_class c
               ON c.relnamespace = d.schema AND c.relname = d.name AND c.relkind IN ('r', 'p', 'v', 'm', 'f')),
functions AS (SELECT d.nspname, p.oid, p.proname FROM named d JOIN pg_catalog.pg_proc p
                  ON p.pronamespace = d.schema AND p.proname = d.name),
types AS (
    SELECT d.nspname FROM named d JOIN pg_catalog.pg_type y ON y.typnamespace = d.schema AND y.typname = d.name
    UNION
    -- What is compared with a column of the table itself is cast to its type by name.
    SELECT n.nspname FROM tables t
      JOIN pg_catalog.pg_attribute a ON a.attrelid = t.oid AND a.attnum > 0 AND NOT a.attisdropped
      JOIN pg_catalog.pg_type y ON y.oid = a.atttypid JOIN pg_catalog.pg_namespace n ON n.oid = y.typnamespace
     WHERE n.nspname <> 'pg_catalog' AND t.nspname || '.' || t.relname = $3::pg_catalog.text
       AND a.attname = ANY ($4::pg_catalog.text[]))
SELECT 1, s.nspname, pg_catalog.format('GRANT USAGE ON SCHEMA %I TO %I', s.nspname, CURRENT_USER)
  FROM (SELECT nspname FROM tables UNION SELECT nspname FROM functions UNION SELECT nspname FROM types) s
 WHERE NOT pg_catalog.has_schema_privilege(s.nspname, 'USAGE')
UNION
SELECT 2, t.nspname || '.' || t.relname,
       pg_catalog.format('GRANT SELECT ON %I.%I TO %I', t.nspname, t.relname, CURRENT_USER)
  FROM tables t WHERE NOT pg_catalog.has_table_privilege(t.oid, 'SELECT')
UNION
SELECT 3, f.nspname || '.' || f.proname,
       pg_catalog.format('GRANT EXECUTE ON FUNCTION %I.%I(%s) TO %I', f.nspname, f.proname,
           pg_catalog.pg_get_function_identity_arguments(f.oid), CURRENT_USER)
  FROM functions f WHERE NOT pg_catalog.has_function_privilege(f.oid, 'EXECUTE')
ORDER BY 1, 2, 3)"_s;

/// Each "schema.name" in the SQL; what is no schema finds nothing later.
void addNamedThings(const QString &sql, QStringList *schemas, QStringList *names)
{
    SqlScanner scanner(sql);
    SqlToken token;
    QString first;
    bool dot = false;
    while (scanner.next(&token)) {
        const QString text = sql.mid(token.begin, token.end - token.begin);
        if (text.trimmed().isEmpty() || text.startsWith(u"--") || text.startsWith(u"/*")) {
            continue;
        }
        const QString name = foldedName(text, token.piece);
        if (dot && !first.isEmpty() && !name.isEmpty()) {
            schemas->append(first);
            names->append(name);
        }
        dot = text == u".";
        first = dot ? first : name;
    }
}

QString readerLackText(int kind, const QString &what)
{
    return kind == 1 ? Tr::tr("This login may not use the schema %1, which the profile names.").arg(what)
        : kind == 2  ? Tr::tr("This login may not read %1, which the profile names.").arg(what)
                     : Tr::tr("This login may not call %1, which the profile names.").arg(what);
}

/// The table's own columns that values are compared with.
QStringList columnsNamed(const Profile &profile)
{
    QStringList columns = profile.identity + profile.guard;
    const auto add = [&columns](const Expression &expression) {
        columns += expression.column.isEmpty() ? plainColumn(expression.sql) : expression.column;
    };
    add(profile.key);
    for (const QList<LabelledExpression> *list : { &profile.scope, &profile.aliases }) {
        for (const LabelledExpression &part : *list) {
            add(part.value);
        }
    }
    for (const FieldSpec &field : profile.fields) {
        add(field.value);
    }
    for (const Expression &role : profile.roles) {
        add(role);
    }
    return columns;
}

/// Qualified names in all that a profile reads or changes.
struct NamedThings {
    QStringList schemas;
    QStringList names; ///< one for each schema
};

NamedThings namedIn(const Profile &profile)
{
    NamedThings named;
    const auto add = [&named](const QString &sql) { addNamedThings(sql, &named.schemas, &named.names); };
    add(profile.relation);
    add(profile.key.sql);
    for (const QList<LabelledExpression> *list : { &profile.scope, &profile.aliases }) {
        for (const LabelledExpression &part : *list) {
            add(part.value.sql);
        }
    }
    for (const FieldSpec &field : profile.fields) {
        add(field.value.sql);
    }
    for (const Expression &role : profile.roles) {
        add(role.sql);
    }
    for (const EffectSpec &effect : profile.effects) {
        add(effect.sql);
    }
    for (const QList<TimeRule> &rules : { profile.stale.value_or(QList<TimeRule>()), profile.purge }) {
        for (const TimeRule &rule : rules) {
            add(rule.by.sql + u' ' + rule.after + u' ' + rule.when);
        }
    }
    for (const OrderSpec &order : profile.orders) {
        add(order.value.sql);
    }
    for (const PolicySpec &policy : profile.policies) {
        add(policy.maxAttempts + u' ' + policy.staleAfter);
    }
    add(profile.advisoryLock);
    for (const auto &list : { profile.retryExpressions(), profile.sideExpressions() }) {
        for (const auto &[place, text] : list) {
            add(text);
        }
    }
    for (const QList<ActionRule> &rules : { profile.recover, profile.requeue, profile.reclassify }) {
        for (const ActionRule &rule : rules) {
            add(rule.second ? rule.second->relation : QString());
        }
    }
    return named;
}

} // namespace

Result<QList<LackingRight>> lackingReaderRights(Session &session, const Profile &profile)
{
    const NamedThings named = namedIn(profile);
    Statement statement { kReaderLacksSql, {} };
    statement.bind(arrayLiteral(named.schemas));
    statement.bind(arrayLiteral(named.names));
    const auto table = parseRelationName(profile.relation);
    statement.bind(table ? table->schema + u'.' + table->name : QString());
    statement.bind(arrayLiteral(columnsNamed(profile)));
    TRY(const auto lacks, session.all(statement));
    QList<LackingRight> rights;
    for (const Cells &lack : lacks) {
        const int kind = lack.at(0).text.toInt();
        rights.append({ readerLackText(kind, lack.at(1).text), lack.at(2).text, kind == 1 });
    }
    return rights;
}

Result<QStringList> tablesHiddenBeside(Session &session, const Profile &profile)
{
    const NamedThings named = namedIn(profile);
    const auto own = parseRelationName(profile.relation);
    QStringList schemas;
    QStringList names;
    for (qsizetype i = 0; i < named.schemas.size(); ++i) {
        const bool itself = own && named.schemas.at(i) == own->schema && named.names.at(i) == own->name;
        if (!itself && named.schemas.at(i) != u"pg_catalog") {
            schemas += named.schemas.at(i);
            names += named.names.at(i);
        }
    }
    return names.isEmpty() ? Result<QStringList>(QStringList()) : relationsHidingRows(session, schemas, names);
}

QString readersPolicy(const RelationFacts &relation, const QString &login)
{
    return relation.isView() ? QString() : readersPolicy(relation.sql, login);
}

QString readersPolicy(const QString &table, const QString &login)
{
    if (login.isEmpty()) {
        return {};
    }
    const QString name = quoteIdentifier(u"idemdesk reads as "_s + login.left(40));
    return u"CREATE POLICY %1 ON %2 FOR SELECT TO %3 USING (true);"_s.arg(name, table, quoteIdentifier(login));
}

} // namespace idemdesk::sql
