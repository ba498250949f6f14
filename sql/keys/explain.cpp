// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/keys/explain.h"

#include "sql/json/json_tree.h"

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

/// A node of a plan and its list of plans are two levels.
constexpr int kMostPlanLevels = 400;

double number(const JsonNode &node, const QString &name)
{
    const JsonNode *found = node.member(name);
    return found != nullptr && found->kind == JsonNode::Kind::Number ? found->text.toDouble() : 0;
}

QString text(const JsonNode &node, const QString &name)
{
    const JsonNode *found = node.member(name);
    return found != nullptr && found->isText() ? found->text : QString();
}

void walk(const JsonNode &node, int depth, Explained *out)
{
    const QString type = text(node, u"Node Type"_s);
    QString line = QString(depth * 2, u' ') + type;
    for (const QString &name : { u"Index Name"_s, u"Relation Name"_s }) {
        if (const QString value = text(node, name); !value.isEmpty()) {
            line += u' ' + value;
        }
    }
    line += u"  (cost %1, rows %2)"_s.arg(number(node, u"Total Cost"_s), 0, 'f', 2)
                .arg(number(node, u"Plan Rows"_s), 0, 'f', 0);
    for (const QString &name : { u"Index Cond"_s, u"Recheck Cond"_s, u"Filter"_s }) {
        if (const QString value = text(node, name); !value.isEmpty()) {
            line += u'\n' + QString(depth * 2 + 4, u' ') + name + u": "_s + value;
        }
    }
    out->text += line + u'\n';
    if (const QString schema = text(node, u"Schema"_s), name = text(node, u"Relation Name"_s);
        !schema.isEmpty() && !name.isEmpty()) {
        const QString relation = quoteIdentifier(schema) + u'.' + quoteIdentifier(name);
        if (!out->relations.contains(relation)) {
            out->relations += relation;
        }
    }
    if (type.endsWith(u"Scan")) {
        out->rowsRead = qMax(out->rowsRead, number(node, u"Plan Rows"_s));
        out->sequential = out->sequential || type == u"Seq Scan";
        out->indexConditions
            = out->indexConditions || node.member(u"Index Cond"_s) != nullptr || node.member(u"TID Cond"_s) != nullptr;
    }
    if (const JsonNode *plans = node.member(u"Plans"_s)) {
        for (const JsonNode &plan : plans->items) {
            walk(plan, depth + 1, out);
        }
    }
}

} // namespace

Result<Explained> explain(Session &session, const Statement &statement, PlanDetail detail)
{
    Statement asked = statement;
    asked.sql = (detail == PlanDetail::Relations ? u"EXPLAIN (FORMAT JSON, VERBOSE) "_s : u"EXPLAIN (FORMAT JSON) "_s)
        + statement.sql;
    TRY(const auto answer, session.one(asked));
    const auto json = parseJson(answer.first().text.toUtf8(), {}, kMostPlanLevels);
    const JsonNode *plan = json && !json->items.isEmpty() ? json->items.first().member(u"Plan"_s) : nullptr;
    Explained out;
    if (plan == nullptr || !plan->isObject()) {
        return out;
    }
    out.totalCost = number(*plan, u"Total Cost"_s);
    out.rows = number(*plan, u"Plan Rows"_s);
    walk(*plan, 0, &out);
    return out;
}

} // namespace idemdesk::sql
