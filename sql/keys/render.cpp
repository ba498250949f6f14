// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/keys/render.h"

#include "sql/profile/expression_sql.h"
#include "sql/types/tr.h"

#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

QString Render::bind(const Cell &value, const QString &castType)
{
    Source source;
    if (m_term != nullptr) {
        source = { m_term->valuePosition, qMax(1, m_term->position + m_term->length - m_term->valuePosition) };
    }
    m_sources.append(source);
    const QString placeholder = m_statement.bind(value);
    return castType.isEmpty() ? placeholder : placeholder + u"::"_s + castType;
}

QString Render::bindNumber(qint64 value)
{
    return bind(QString::number(value), u"pg_catalog.int8"_s);
}

QString Render::bindText(const QString &value)
{
    return bind(value, u"pg_catalog.text"_s);
}

QString Render::bindArray(const QStringList &values, const QString &castType)
{
    return bind(arrayLiteral(values), castType + u"[]"_s);
}

QString Render::from() const
{
    return u" FROM "_s + m_target.relation.sql + u" t"_s;
}

QString Render::unusedBinds(const QString &sql) const
{
    QString out;
    for (qsizetype i = 1; i <= m_statement.binds.size(); ++i) {
        const QRegularExpression mention(u"\\$%1(?!\\d)"_s.arg(i));
        if (!mention.match(sql).hasMatch()) {
            out += u", $"_s + QString::number(i) + u"::pg_catalog.text"_s;
        }
    }
    return out;
}

Statement Render::finish(const QString &sql, const std::optional<Timestamp> &now)
{
    QString nowSql = u"pg_catalog.now()"_s;
    if (now) {
        m_term = nullptr;
        nowSql = bind(now->toRfc3339(), u"pg_catalog.timestamptz"_s);
    }
    m_statement.sql = renderNow(sql, nowSql);
    if (now && m_statement.sql == sql) {
        // Nothing speaks of the time: an unused parameter would only confuse.
        m_statement.binds.removeLast();
        m_sources.removeLast();
    }
    return m_statement;
}

Error Render::located(Error error) const
{
    const int index = error.parameter - 1;
    if (index >= 0 && index < m_sources.size() && m_sources.at(index).position >= 0) {
        error.position = m_sources.at(index).position;
        error.length = m_sources.at(index).length;
    }
    const bool absent = error.kind == ErrorKind::MissingObject || error.kind == ErrorKind::Privilege;
    if (absent && m_statement.sql.contains(QLatin1String(kConflictTable)) && error.detail.contains(u"idemdesk"_s)) {
        error.what
            = Tr::tr("Conflicts of this database are not known to the server, so keys cannot be filtered by them.");
        error.why = error.kind == ErrorKind::Privilege ? Tr::tr("This login may not read the console's schema.")
                                                       : Tr::tr("The console's schema is not installed, or older.");
        error.todo = Tr::tr("Look at the Conflicts page: it shows what was imported on this computer, too.");
    }
    return error;
}

QString operatorSql(const QString &schema, const QString &name)
{
    if (schema.isEmpty() || schema == u"pg_catalog") {
        return u' ' + name + u' ';
    }
    return u" OPERATOR("_s + quoteIdentifier(schema) + u'.' + name + u") "_s;
}

QString arrayLiteral(const QStringList &values)
{
    QString out = u"{"_s;
    for (const QString &value : values) {
        QString inner = value;
        inner.replace(u'\\', u"\\\\"_s).replace(u'"', u"\\\""_s);
        out += (out.size() > 1 ? u",\""_s : u"\""_s) + inner + u'"';
    }
    return out + u'}';
}

QString likeEscaped(const QString &text)
{
    QString out = text;
    return out.replace(u'\\', u"\\\\"_s).replace(u'%', u"\\%"_s).replace(u'_', u"\\_"_s);
}

ExpressionType columnType(const RelationFacts &relation, const QString &column)
{
    ExpressionType type;
    if (const ColumnFacts *facts = relation.column(column)) {
        type.castType = facts->castType;
        type.typeName = facts->typeName;
        type.category = facts->typeCategory;
        type.operatorSchema = facts->operatorSchema;
        type.enumLabels = facts->enumLabels;
        type.codePointOrder = facts->codePointOrder;
    }
    return type;
}

const ColumnFacts *plainColumnFacts(const Target &target, const Expression &expression)
{
    const QString name = expression.column.isEmpty() ? plainColumn(expression.sql) : expression.column;
    return name.isEmpty() ? nullptr : target.relation.column(name);
}

} // namespace idemdesk::sql
