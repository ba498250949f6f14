// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/profile/type_facts.h"

#include <QJsonArray>
#include <QJsonDocument>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

QString oidArray(const QList<quint32> &oids)
{
    QStringList numbers;
    for (const quint32 oid : oids) {
        numbers.append(QString::number(oid));
    }
    return u"{"_s + numbers.join(u',') + u"}"_s;
}

QStringList jsonTexts(const QString &json)
{
    QStringList texts;
    const QJsonArray values = QJsonDocument::fromJson(json.toUtf8()).array();
    for (const QJsonValue &value : values) {
        texts.append(value.toString());
    }
    return texts;
}

Result<QMap<quint32, TypeFacts>> readTypes(Session &session, const QList<quint32> &oids)
{
    QMap<quint32, TypeFacts> types;
    if (oids.isEmpty()) {
        return types;
    }
    // The walk from a domain to its base type ends at typtype <> 'd'. The operators are those of the default btree
    // class of the type itself; types that borrow another's (varchar, enums, arrays) borrow pg_catalog's.
    Statement statement;
    statement.sql = uR"(
WITH RECURSIVE walk AS (
    SELECT w.oid AS asked, w.oid AS at FROM pg_catalog.unnest($1::pg_catalog.oid[]) AS w(oid)
    UNION ALL
    SELECT k.asked, d.typbasetype FROM walk k JOIN pg_catalog.pg_type d ON d.oid = k.at WHERE d.typtype = 'd')
SELECT k.asked, n.nspname, b.typname, b.typcategory,
       pg_catalog.quote_ident(n.nspname) || '.' || pg_catalog.quote_ident(b.typname),
       (SELECT pg_catalog.json_agg(e.enumlabel ORDER BY e.enumsortorder)::pg_catalog.text
          FROM pg_catalog.pg_enum e WHERE e.enumtypid = b.oid),
       (SELECT o.nspname
          FROM pg_catalog.pg_opclass c
          JOIN pg_catalog.pg_am m ON m.oid = c.opcmethod AND m.amname = 'btree'
          JOIN pg_catalog.pg_amop a ON a.amopfamily = c.opcfamily AND a.amopstrategy = 3
                                   AND a.amoplefttype = c.opcintype AND a.amoprighttype = c.opcintype
          JOIN pg_catalog.pg_operator p ON p.oid = a.amopopr
          JOIN pg_catalog.pg_namespace o ON o.oid = p.oprnamespace
         WHERE c.opcdefault AND c.opcintype = b.oid LIMIT 1),
       b.typname NOT IN ('json', 'xml', 'point', 'line', 'lseg', 'box', 'path', 'polygon', 'jsonpath', 'aclitem')
  FROM walk k
  JOIN pg_catalog.pg_type b ON b.oid = k.at AND b.typtype <> 'd'
  JOIN pg_catalog.pg_namespace n ON n.oid = b.typnamespace)"_s;
    statement.bind(oidArray(oids));
    const auto read = session.each(statement, [&types](const Row &row) {
        TypeFacts facts;
        facts.schema = row.text(1);
        facts.name = row.text(2);
        facts.category = row.text(3).isEmpty() ? QChar(u'U') : row.text(3).front();
        facts.castType = row.text(4);
        facts.enumLabels = jsonTexts(row.text(5));
        facts.operatorSchema = row.isNull(6) ? u"pg_catalog"_s : row.text(6);
        facts.ordered = row.truth(7);
        types.insert(row.text(0).toUInt(), facts);
        return true;
    });
    if (!read) {
        return read.error();
    }
    return types;
}

} // namespace idemdesk::sql
