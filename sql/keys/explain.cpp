// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/keys/explain.h"

#include <rapidjson/document.h>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

double number(const rapidjson::Value &node, const char *name)
{
    const auto found = node.FindMember(name);
    return found != node.MemberEnd() && found->value.IsNumber() ? found->value.GetDouble() : 0;
}

QString text(const rapidjson::Value &node, const char *name)
{
    const auto found = node.FindMember(name);
    return found != node.MemberEnd() && found->value.IsString()
        ? QString::fromUtf8(found->value.GetString(), found->value.GetStringLength())
        : QString();
}

void walk(const rapidjson::Value &node, int depth, Explained *out)
{
    if (!node.IsObject() || depth > 200) {
        return;
    }
    const QString type = text(node, "Node Type");
    QString line = QString(depth * 2, u' ') + type;
    for (const char *name : { "Index Name", "Relation Name" }) {
        if (const QString value = text(node, name); !value.isEmpty()) {
            line += u' ' + value;
        }
    }
    line += u"  (cost %1, rows %2)"_s.arg(number(node, "Total Cost"), 0, 'f', 2).arg(number(node, "Plan Rows"), 0, 'f', 0);
    for (const char *name : { "Index Cond", "Recheck Cond", "Filter" }) {
        if (const QString value = text(node, name); !value.isEmpty()) {
            line += u'\n' + QString(depth * 2 + 4, u' ') + QString::fromLatin1(name) + u": "_s + value;
        }
    }
    out->text += line + u'\n';
    if (const QString schema = text(node, "Schema"), name = text(node, "Relation Name"); !schema.isEmpty() && !name.isEmpty()) {
        const QString relation = quoteIdentifier(schema) + u'.' + quoteIdentifier(name);
        if (!out->relations.contains(relation)) {
            out->relations += relation;
        }
    }
    if (type.endsWith(u"Scan")) {
        out->rowsRead = qMax(out->rowsRead, number(node, "Plan Rows"));
        out->sequential = out->sequential || type == u"Seq Scan";
        out->indexConditions = out->indexConditions || node.HasMember("Index Cond") || node.HasMember("TID Cond");
    }
    if (const auto plans = node.FindMember("Plans"); plans != node.MemberEnd() && plans->value.IsArray()) {
        for (const auto &plan : plans->value.GetArray()) {
            walk(plan, depth + 1, out);
        }
    }
}

} // namespace

Result<Explained> explain(Session &session, const Statement &statement, PlanDetail detail)
{
    Statement asked = statement;
    asked.sql = (detail == PlanDetail::Relations ? u"EXPLAIN (FORMAT JSON, VERBOSE) "_s : u"EXPLAIN (FORMAT JSON) "_s) + statement.sql;
    const auto answer = session.one(asked);
    if (!answer) {
        return answer.error();
    }
    const QByteArray json = answer->first().text.toUtf8();
    rapidjson::Document document;
    document.Parse<rapidjson::kParseIterativeFlag>(json.constData(), static_cast<std::size_t>(json.size()));
    Explained out;
    if (document.HasParseError() || !document.IsArray() || document.Empty() || !document[0].IsObject()
        || !document[0].HasMember("Plan")) {
        return out;
    }
    const auto &plan = document[0]["Plan"];
    out.totalCost = number(plan, "Total Cost");
    out.rows = number(plan, "Plan Rows");
    walk(plan, 0, &out);
    return out;
}

} // namespace idemdesk::sql
