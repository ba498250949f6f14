// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/actions/decision.h"

#include "models/actions/action_words.h"
#include "models/format/display_text.h"
#include "models/format/labels.h"
#include "models/format/quantities.h"
#include "sql/actions/action_gateway.h"
#include "sql/actions/registration.h"
#include "sql/types/tr.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

constexpr int kFactChars = 2'000;
constexpr int kMostRowsInFacts = 3;

/// The scopes of a plan: how many the server says, or all.
QString scopesText(const QJsonValue &scopes)
{
    return scopes.isArray() ? Tr::tr("scopes: %1").arg(scopes.toArray().size())
        : scopes.isDouble() ? Tr::tr("scopes: %1").arg(scopes.toInteger())
                            : Tr::tr("every scope");
}

/// When the retention must have ended, as times are shown; a text that is none stays as it stands.
QString cutoffText(const QJsonObject &plan, const TimeFormat &format)
{
    const QString text = plan.value(u"cutoff"_s).toString();
    const auto time = sql::Timestamp::parse(text);
    return time ? format.text(*time) : text;
}

/// "in progress becomes failed, may be retried", for each rule of the verb that the server has.
QStringList ruleFacts(const QJsonValue &compiled)
{
    QStringList facts;
    const QJsonArray rules = compiled.toArray();
    for (const QJsonValue &rule : rules) {
        QStringList from;
        const QJsonArray names = rule[u"from"_s].toArray();
        for (const QJsonValue &name : names) {
            const auto state = sql::stateFromName(name.toString());
            from += state ? stateLabel(*state) : name.toString();
        }
        const auto to = sql::stateFromName(rule[u"to"_s].toString());
        if (!from.isEmpty()) {
            facts += to ? Tr::tr("%1 becomes %2").arg(from.join(u", "_s), stateLabel(*to))
                        : Tr::tr("%1 is deleted").arg(from.join(u", "_s));
        }
    }
    facts.removeDuplicates();
    return facts;
}

} // namespace

QJsonObject Decision::plan() const
{
    return QJsonDocument::fromJson(action.planJson).object();
}

QJsonValue Decision::compiled() const
{
    const QJsonObject all = target ? QJsonDocument::fromJson(target->compiledJson).object() : QJsonObject();
    const QString verb = sql::verbName(action.verb);
    if (all.contains(verb)) {
        return all.value(verb);
    }
    QJsonArray ofVerb;
    const QJsonArray rules = all.value(u"rules"_s).toArray();
    for (const QJsonValue &rule : rules) {
        if (rule[u"verb"_s].toString() == verb) {
            ofVerb.append(rule);
        }
    }
    return ofVerb.isEmpty() ? QJsonValue() : QJsonValue(ofVerb);
}

QString Decision::compiledText() const
{
    const QJsonValue what = compiled();
    if (!what.isArray() && !what.isObject()) {
        return {};
    }
    const QJsonObject all = QJsonDocument::fromJson(target->compiledJson).object();
    QJsonObject told { { sql::verbName(action.verb), what } };
    for (const QString &name :
        { u"relation"_s, u"state"_s, u"in_state"_s, u"stale"_s, u"guard"_s, u"effects"_s, u"second"_s, u"history"_s }) {
        if (const QJsonValue value = all.value(name); !value.isUndefined() && !value.isNull()) {
            told.insert(name, value);
        }
    }
    return QString::fromUtf8(QJsonDocument(told).toJson());
}

QStringList Decision::planFacts() const
{
    const QJsonObject plan = this->plan();
    QStringList parts;
    if (plan.contains(u"cutoff"_s)) {
        parts += Tr::tr("rows whose retention ended before %1").arg(cutoffText(plan, TimeFormat::named()));
    }
    QStringList states;
    const QJsonArray stateNames = plan.value(u"states"_s).toArray();
    for (const QJsonValue &state : stateNames) {
        states += state.toString();
    }
    if (!states.isEmpty()) {
        parts += Tr::tr("states: %1").arg(states.join(u", "_s));
    }
    if (plan.contains(u"scopes"_s)) {
        parts += scopesText(plan.value(u"scopes"_s));
    }
    if (plan.contains(u"images"_s)) {
        parts += plan.value(u"images"_s).toBool(true) ? Tr::tr("the rows are kept for undo")
                                                      : Tr::tr("the rows are NOT kept: it cannot be undone");
    }
    if (plan.contains(u"approval_above"_s)) {
        parts += plan.value(u"approval_above"_s).isNull()
            ? Tr::tr("no action would wait for another person any more")
            : Tr::tr("actions on more than %1 rows would wait for another person")
                  .arg(plan.value(u"approval_above"_s).toInteger());
    }
    if (plan.contains(u"undo_window"_s)) {
        parts += Tr::tr("undo for %1").arg(plan.value(u"undo_window"_s).toString());
    }
    if (plan.contains(u"group"_s)) {
        const QJsonObject group = plan.value(u"group"_s).toObject();
        parts += Tr::tr("part of the group action %1 over “%2”, here in “%3”")
                     .arg(group.value(u"id"_s).toString(), group.value(u"name"_s).toString(),
                         group.value(u"member"_s).toString());
    }
    if (plan.contains(u"winner"_s)) {
        parts += Tr::tr("the rows of “%1” stand").arg(plan.value(u"winner"_s).toString());
    }
    if (plan.contains(u"partition"_s)) {
        parts += Tr::tr("partition %1").arg(plan.value(u"partition"_s).toString());
    }
    QStringList tables;
    const QJsonArray relations = plan.value(u"relations"_s).toArray();
    for (const QJsonValue &entry : relations) {
        const QJsonObject relation = entry.toObject();
        const QString table = relation.value(u"table"_s).toString();
        const QString owner = relation.value(u"owner_now"_s).toString();
        tables += relation.value(u"is"_s).toInteger() > 0 ? table
            : owner.isEmpty()                             ? Tr::tr("%1 (not in this database)").arg(table)
                                                          : Tr::tr("%1 (not adopted: of %2 now)").arg(table, owner);
    }
    if (!tables.isEmpty()) {
        parts += Tr::tr("tables: %1").arg(tables.join(u", "_s));
    }
    return parts + ruleFacts(compiled());
}

QList<QStringList> Decision::planLines(const TimeFormat &format) const
{
    const QJsonObject plan = this->plan();
    QList<QStringList> lines;
    if (plan.contains(u"cutoff"_s)) {
        lines += QStringList { Tr::tr("Cutoff"), Tr::tr("retention ended before %1").arg(cutoffText(plan, format)) };
    }
    QStringList states;
    const QJsonArray stateNames = plan.value(u"states"_s).toArray();
    for (const QJsonValue &name : stateNames) {
        const auto state = sql::stateFromName(name.toString());
        states += state ? stateLabel(*state) : name.toString();
    }
    if (!states.isEmpty()) {
        lines += QStringList { Tr::tr("States"), states.join(u" · "_s) }; // of which one has a comma
    }
    if (plan.contains(u"scopes"_s)) {
        lines += QStringList { Tr::tr("Scopes"), scopesText(plan.value(u"scopes"_s)) };
    }
    if (lines.isEmpty() && !planFacts().isEmpty()) {
        lines += QStringList { Tr::tr("Plan"), planFacts().join(u"; "_s) };
    }
    return lines;
}

QList<QStringList> Decision::facts() const
{
    QList<QStringList> facts;
    const auto add = [&facts](const QString &label, const QString &value) {
        facts += QStringList { label, displayText(value, kFactChars) };
    };
    add(Tr::tr("Table"), target ? action.target + u" ("_s + target->relation + u')' : action.target);
    if (action.plannedRows > 0) {
        add(Tr::tr("Rows"), countText(action.plannedRows));
    }
    const QStringList named = rowFacts(kMostRowsInFacts);
    for (const QString &row : named) {
        add(&row == &named.constFirst() ? Tr::tr("Which") : QString(), row);
    }
    const QStringList told = planFacts();
    for (const QString &fact : told) {
        add(&fact == &told.constFirst() ? Tr::tr("Plan") : QString(), fact);
    }
    if (target && target->approvalAbove) {
        add(Tr::tr("Limit"), Tr::tr("above %1 rows another person decides").arg(countText(*target->approvalAbove)));
    }
    add(Tr::tr("Undo"), undoUntilText(action));
    if (!action.undoOf.isEmpty()) {
        add(Tr::tr("Undoes"), Tr::tr("action %1").arg(action.undoOf));
    }
    add(Tr::tr("Requested by"), action.requestedBy);
    add(Tr::tr("Reason"), action.reason);
    if (!action.ticket.isEmpty()) {
        add(Tr::tr("Ticket"), action.ticket);
    }
    return facts;
}

namespace {

/// What an align writes: `status = succeeded, result = ch_7`. Empty where this login may not see it.
QString writtenText(const QJsonObject &rule, const QByteArray &otherJson)
{
    const QJsonArray columns = rule.value(u"copy"_s).toArray();
    const QJsonArray values = QJsonDocument::fromJson(otherJson).object().value(u"values"_s).toArray();
    QStringList parts;
    for (qsizetype i = 0; i < columns.size() && columns.size() == values.size(); ++i) {
        constexpr qsizetype kMostChars = 60;
        const QString value = values.at(i).isNull()
            ? u"NULL"_s
            : u'“' + middleElided(displayText(values.at(i).toString()), kMostChars) + u'”';
        parts += displayText(columns.at(i).toString()) + u" = "_s + value;
    }
    return parts.join(u", "_s);
}

/// What names a row, so short that what becomes of it is seen, and so that no part passes for two.
QString namedPart(const QString &text)
{
    constexpr qsizetype kMostChars = 120;
    const QString shown = middleElided(displayText(text), kMostChars);
    return text.contains(u" / "_s) || text.isEmpty() ? u'“' + shown + u'”' : shown;
}

} // namespace

QStringList Decision::rowFacts(qsizetype most) const
{
    const QJsonArray becomes
        = target ? QJsonDocument::fromJson(target->compiledJson).object().value(u"rules"_s).toArray() : QJsonArray();
    QStringList facts;
    for (const sql::AskedRow &row : rows.first(std::min(most, rows.size()))) {
        if (row.identity.isEmpty()) {
            return { Tr::tr(
                "Not shown: this login may not read what names the rows, or the table was registered anew.") };
        }
        QStringList parts;
        for (const sql::Cell &cell : row.identity) {
            parts += namedPart(cell.text);
        }
        const QString to = becomes.at(row.rule).toObject().value(u"to"_s).toString();
        const auto state = sql::stateFromName(to);
        const QString fact = row.rule < 0 ? Tr::tr("%1 goes back to what it was").arg(parts.join(u" / "_s))
            : to.isEmpty()                ? parts.join(u" / "_s)
            : state                       ? Tr::tr("%1 becomes %2").arg(parts.join(u" / "_s), stateLabel(*state))
                                          : Tr::tr("%1 is deleted").arg(parts.join(u" / "_s));
        const QString written = writtenText(becomes.at(row.rule).toObject(), row.otherJson);
        facts += !row.effectId.isEmpty() ? Tr::tr("%1, with %2").arg(fact, row.effectId)
            : !written.isEmpty()         ? Tr::tr("%1: %2").arg(fact, written)
                                         : fact;
    }
    if (const qint64 more = action.plannedRows - facts.size(); more > 0 && !facts.isEmpty()) {
        facts += Tr::tr("and %1 more").arg(countText(more));
    }
    return facts;
}

sql::Result<Decision> readDecision(
    sql::Session &session, const sql::ActionRecord &action, const QList<sql::RegisteredTarget> &targets)
{
    TRY(const auto rows, sql::readAskedRows(session, action.id, kMostRowsNamed));
    const auto found = std::find_if(targets.cbegin(), targets.cend(),
        [&action](const sql::RegisteredTarget &target) { return target.name == action.target; });
    return Decision { action, found == targets.cend() ? std::nullopt : std::optional(*found), rows };
}

sql::Result<std::optional<Decision>> readDecision(sql::Session &session, const QString &id)
{
    TRY(const auto action, sql::readAction(session, id));
    if (!action) {
        return std::optional<Decision>();
    }
    TRY(const auto targets, sql::readRegisteredTargets(session));
    TRY(const auto decision, readDecision(session, *action, targets));
    return std::optional(decision);
}

} // namespace idemdesk::models
