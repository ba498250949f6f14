// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/actions/compile.h"

#include "sql/keys/state_predicate.h"
#include "sql/keys/unreadable.h"
#include "sql/profile/effect_links.h"
#include "sql/profile/expression_sql.h"
#include "sql/profile/sql_scanner.h"
#include "sql/trends/trend_metrics.h"
#include "sql/types/tr.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

/// The statement with its values written as constants. They come from the profile, which an administrator vets as a
/// whole.
QString inlined(const Statement &statement)
{
    QString out;
    SqlScanner scanner(statement.sql);
    SqlToken token;
    while (scanner.next(&token)) {
        const QString text = statement.sql.mid(token.begin, token.end - token.begin);
        const int number = text.startsWith(u'$') ? text.mid(1).toInt() : 0;
        if (number >= 1 && number <= statement.binds.size()) {
            const Cell &value = statement.binds.at(number - 1);
            out += value.null ? u"NULL"_s : quoteLiteral(value.text);
        } else {
            out += text;
        }
    }
    return out;
}

/// $now and the clock's functions become ($1), the variables of a rule ($2) to ($5).
QString withParameters(const QString &sql)
{
    return renderNow(renderVariables(sql,
                         { { u"reason"_s, u"$2"_s }, { u"action"_s, u"$3"_s }, { u"effect_id"_s, u"$4"_s },
                             { u"effect_type"_s, u"$5"_s } }),
        u"$1::pg_catalog.timestamptz"_s); // typed, so that no operator beside it makes something else of it
}

/// A condition put together with binds, as constants and parameters. The values are set in before the parameters are,
/// so that the two kinds of `$1` never meet.
template <typename Make> QString constant(const Target &target, Make make)
{
    Render render(target);
    Statement statement { make(render), {} };
    // finish() would put a clock in place of $now; here it stays a variable till the values are constants.
    statement.binds = render.finish(u"true"_s, std::nullopt).binds;
    return withParameters(inlined(statement));
}

QString stateSql(const Target &target)
{
    const Profile &profile = target.profile;
    const auto label = [](KeyState state) { return quoteLiteral(stateName(state)); };
    const QString other = label(profile.otherStates.value_or(KeyState::Unknown));
    if (!profile.has(Role::Status)) {
        return other + u"::pg_catalog.text"_s;
    }
    const QString status = u"(("_s + profile.role(Role::Status).sql + u")::pg_catalog.text)"_s;
    QString cases
        = u"CASE WHEN "_s + status + u" IS NULL THEN "_s + label(profile.nullState.value_or(KeyState::Unknown));
    for (const auto &[raw, state] : profile.states) {
        cases += u" WHEN "_s + status + u" = "_s + quoteLiteral(raw) + u" THEN "_s + label(state);
    }
    return withParameters(cases + u" ELSE "_s + other + u" END"_s);
}

/// Each state that rows are deleted in as a condition on the stored column, whose statistics and index serve the
/// planner.
QJsonObject finishedStates(const Target &target)
{
    QJsonObject conditions;
    for (const KeyState state : { KeyState::Succeeded, KeyState::FailedRetryable, KeyState::FailedFinal }) {
        conditions.insert(
            stateName(state), constant(target, [state](Render &render) { return stateIn(render, { state }); }));
    }
    return conditions;
}

/// What take_sample() counts beside the states and what is stale.
QJsonArray sampleAggregates(const Target &target)
{
    QJsonArray list;
    const QStringList ids = trendMetricIds();
    for (const QString &id : ids) {
        if (id == u"stale" || id == u"in_progress") {
            continue;
        }
        Render probe(target);
        if (sampleAggregate(probe, id)) {
            list.append(QJsonArray { id,
                constant(target, [&id](Render &render) { return sampleAggregate(render, id).value_or(QString()); }) });
        }
    }
    return list;
}

QJsonArray names(const QStringList &list)
{
    return QJsonArray::fromStringList(list);
}

QJsonArray stateNames(const QList<KeyState> &states)
{
    QStringList list;
    for (const KeyState state : states) {
        list += stateName(state);
    }
    return names(list);
}

QJsonValue textOrNull(const QString &text)
{
    return text.isEmpty() ? QJsonValue() : QJsonValue(text);
}

QJsonArray setJson(const QList<std::pair<QString, QString>> &columns)
{
    QJsonArray set;
    for (const auto &[column, expression] : columns) {
        set.append(QJsonArray { column, withParameters(expression) });
    }
    return set;
}

QJsonObject ruleJson(ActionVerb verb, const ActionRule &rule)
{
    QJsonObject json { { u"verb"_s, verbName(verb) }, { u"from"_s, stateNames(rule.from) },
        { u"status"_s, names(rule.status) }, { u"to"_s, rule.to && !rule.deletes ? stateName(*rule.to) : u"absent"_s },
        { u"set"_s, setJson(rule.set) }, { u"needs"_s, textOrNull(rule.needsEffect) },
        { u"forbids"_s, textOrNull(rule.forbidsEffect) }, { u"live"_s, rule.live } };
    if (!rule.copy.isEmpty()) {
        json.insert(u"copy"_s, names(rule.copy));
    }
    if (rule.second) {
        json.insert(u"second"_s,
            QJsonObject {
                { u"match"_s, withParameters(rule.second->match) }, { u"set"_s, setJson(rule.second->set) } });
    }
    return json;
}

QJsonValue emptyReplay(const Profile &profile)
{
    QStringList parts;
    for (const Role role : { Role::ResultId, Role::ResponseBody, Role::ResponseCode }) {
        if (profile.has(role)) {
            parts += u"("_s + profile.role(role).sql + u")"_s;
        }
    }
    if (profile.kind != TargetKind::Request || parts.isEmpty()) {
        return {};
    }
    return withParameters(u"pg_catalog.num_nulls("_s + parts.join(u", "_s) + u") = "_s + QString::number(parts.size()));
}

/// What a purge walks by: the column as it is stored, so that its index serves.
QString walkedBy(const Expression &by)
{
    if (!by.present()) {
        return {};
    }
    return by.form == TimeForm::Iso ? timestamptzSql(by) : u"("_s + by.sql + u")"_s;
}

Result<QString> typeOf(Session &session, const Target &target, const QString &sql)
{
    TRY(const auto described,
        session.describe(
            u"SELECT "_s + renderNow(sql, u"pg_catalog.now()"_s) + u" FROM "_s + target.relation.sql + u" AS t"_s));
    Statement statement { u"SELECT pg_catalog.format_type($1::pg_catalog.oid, NULL)"_s, {} };
    statement.bind(QString::number(described.columnTypes.value(0)));
    TRY(const auto type, session.one(statement));
    return type.constFirst().text;
}

/// A relation's name with both its parts quoted, from what a profile calls it; empty where there is none of that name.
Result<QString> quotedRelation(Session &session, const QString &name)
{
    Statement statement { u"SELECT pg_catalog.format('\"%s\".\"%s\"', pg_catalog.replace(n.nspname, '\"', '\"\"'), "
                          u"pg_catalog.replace(c.relname, '\"', '\"\"'))"
                          " FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace"
                          " WHERE c.oid = pg_catalog.to_regclass($1::pg_catalog.text)"_s,
        {} };
    statement.bind(name);
    TRY(const auto found, session.all(statement));
    return found.isEmpty() ? QString() : found.constFirst().constFirst().text;
}

/// The archive that purged rows move to (a profile's "history").
Result<QJsonValue> historyJson(Session &session, const Profile &profile)
{
    if (!profile.history) {
        return QJsonValue();
    }
    TRY(const auto relation, quotedRelation(session, profile.history->relation));
    if (relation.isEmpty()) {
        Error error = makeError(ErrorKind::Usage, Tr::tr("The profile's archive cannot be used."),
            Tr::tr("“history” must name an existing table and its columns."));
        error.where = u"$.history"_s;
        return error;
    }
    return QJsonValue(QJsonObject { { u"relation"_s, relation }, { u"columns"_s, names(profile.history->columns) } });
}

/// The one second table that rules change as well (their "second").
Result<QJsonValue> secondJson(Session &session, const Profile &profile)
{
    const QList<ActionRule> rules = profile.recover + profile.requeue + profile.reclassify;
    const auto with
        = std::find_if(rules.cbegin(), rules.cend(), [](const ActionRule &rule) { return rule.second.has_value(); });
    if (with == rules.cend()) {
        return QJsonValue();
    }
    TRY(const auto relation, quotedRelation(session, with->second->relation));
    if (relation.isEmpty()) {
        Error error = makeError(ErrorKind::Usage, Tr::tr("The second table of the profile's rules cannot be used."),
            Tr::tr("There is no table “%1”, or its name cannot be read.").arg(with->second->relation));
        error.where = u"$.actions"_s;
        return error;
    }
    return QJsonValue(QJsonObject { { u"relation"_s, relation } });
}

QJsonArray identityJson(const Target &target)
{
    QJsonArray identity;
    for (int i = 0; i < target.profile.identity.size(); ++i) {
        const ExpressionType type = target.identityTypes.value(i);
        const QString schema = type.operatorSchema.isEmpty() ? u"pg_catalog"_s : type.operatorSchema;
        identity.append(QJsonObject { { u"name"_s, target.profile.identity.at(i) }, { u"type"_s, type.castType },
            { u"eq"_s, u"OPERATOR("_s + quoteIdentifier(schema) + u".=)"_s } });
    }
    return identity;
}

QJsonArray effectsJson(const Target &target)
{
    QJsonArray effects;
    for (const EffectSpec &effect : target.profile.effects) {
        effects.append(QJsonObject { { u"type"_s, effect.type }, { u"proves"_s, effect.proves },
            { u"sql"_s, withParameters(effect.sql) },
            { u"missing"_s, withParameters(missingLinksSql(effect, target.relation)) } });
    }
    return effects;
}

QJsonArray rulesJson(const Profile &profile)
{
    QJsonArray rules;
    for (const auto &[verb, list] :
        { std::pair { ActionVerb::Recover, profile.recover }, { ActionVerb::Requeue, profile.requeue },
            { ActionVerb::Reclassify, profile.reclassify }, { ActionVerb::Align, profile.align } }) {
        for (const ActionRule &rule : list) {
            rules.append(ruleJson(verb, rule));
        }
    }
    return rules;
}

/// When a row was written last, as far as the profile tells it.
QJsonValue writtenAt(const Profile &profile)
{
    QStringList times;
    for (const Role role :
        { Role::UpdatedAt, Role::CompletedAt, Role::HeartbeatAt, Role::ClaimedAt, Role::CreatedAt }) {
        if (profile.has(role)) {
            times += timestamptzSql(profile.role(role));
        }
    }
    return times.isEmpty() ? QJsonValue() : QJsonValue(withParameters(u"GREATEST("_s + times.join(u", "_s) + u')'));
}

Result<QJsonArray> purgeJson(Session &session, const Target &target)
{
    QJsonArray purge;
    for (const TimeRule &rule : target.profile.purge) {
        const QString by = walkedBy(rule.by);
        QString type;
        if (!by.isEmpty()) {
            TRY(type, typeOf(session, target, by));
        }
        purge.append(QJsonObject { { u"states"_s, stateNames(rule.states) },
            { u"where"_s, constant(target, [&](Render &render) { return ruleCondition(render, rule); }) },
            { u"by"_s, textOrNull(by.isEmpty() ? by : withParameters(by)) }, { u"by_type"_s, textOrNull(type) } });
    }
    return purge;
}

} // namespace

Result<CompiledTarget> compileTarget(Session &session, const Target &target)
{
    const Profile &profile = target.profile;
    QJsonArray scope;
    QStringList scopeTexts;
    for (const LabelledExpression &part : profile.scope) {
        const QString sql = withParameters(part.value.sql);
        scope.append(sql);
        scopeTexts += u"("_s + sql + u")::pg_catalog.text"_s;
    }
    TRY(const auto purge, purgeJson(session, target));
    TRY(const auto history, historyJson(session, profile));
    TRY(const auto second, secondJson(session, profile));
    const QString relation = quoteIdentifier(target.relation.schema) + u'.' + quoteIdentifier(target.relation.name);
    QJsonObject json { { u"version"_s, 1 }, { u"relation"_s, relation }, { u"identity"_s, identityJson(target) },
        { u"guard"_s, names(profile.guard) }, { u"scope"_s, scope },
        { u"scope_text"_s, u"pg_catalog.jsonb_build_array("_s + scopeTexts.join(u", "_s) + u")::pg_catalog.text"_s },
        { u"key"_s, withParameters(profile.key.sql) }, { u"state"_s, stateSql(target) },
        { u"in_state"_s, finishedStates(target) }, { u"samples"_s, sampleAggregates(target) },
        { u"readable"_s, textOrNull(withParameters(readableSql(target))) },
        { u"status"_s,
            profile.has(Role::Status) ? QJsonValue(withParameters(profile.role(Role::Status).sql)) : QJsonValue() },
        { u"empty_replay"_s, emptyReplay(profile) }, { u"rules"_s, rulesJson(profile) },
        { u"effects"_s, effectsJson(target) }, { u"purge"_s, purge }, { u"history"_s, history },
        { u"second"_s, second } };
    if (!profile.align.isEmpty()) {
        json.insert(u"written"_s, writtenAt(profile));
        json.insert(u"fingerprint"_s,
            profile.has(Role::Fingerprint) ? QJsonValue(withParameters(profile.role(Role::Fingerprint).sql))
                                           : QJsonValue());
    }
    json.insert(u"stale"_s,
        profile.stale
            ? QJsonValue(constant(target, [](Render &render) { return staleCondition(render).value_or(u"false"_s); }))
            : QJsonValue());
    json.insert(u"leased"_s,
        profile.has(Role::LeaseUntil) ? QJsonValue(
            constant(target, [&](Render &) { return compareTime(profile.role(Role::LeaseUntil), u">"_s, u"$now"_s); }))
                                      : QJsonValue());
    return compiledFromJson(QJsonDocument(json).toJson(QJsonDocument::Compact));
}

Result<CompiledTarget> compiledFromJson(const QByteArray &text)
{
    const QJsonObject json = QJsonDocument::fromJson(text).object();
    if (json.value(u"version"_s).toInt() != 1) {
        return makeError(ErrorKind::Usage, Tr::tr("What is registered for this target cannot be read."),
            Tr::tr("It was stored by another version of the console."), Tr::tr("Register the target again."));
    }
    CompiledTarget compiled;
    compiled.json = text;
    const QJsonArray rules = json.value(u"rules"_s).toArray();
    for (const QJsonValue &value : rules) {
        CompiledRule rule;
        rule.verb = verbFromName(value[u"verb"_s].toString()).value_or(ActionVerb::Recover);
        const QJsonArray from = value[u"from"_s].toArray();
        for (const QJsonValue &state : from) {
            rule.from.append(stateFromName(state.toString()).value_or(KeyState::Unknown));
        }
        const QJsonArray narrowed = value[u"status"_s].toArray();
        for (const QJsonValue &status : narrowed) {
            rule.status.append(status.toString());
        }
        rule.to = stateFromName(value[u"to"_s].toString());
        rule.needsEffect = value[u"needs"_s].toString();
        rule.forbidsEffect = value[u"forbids"_s].toString();
        rule.live = value[u"live"_s].toBool();
        const QJsonArray copied = value[u"copy"_s].toArray();
        for (const QJsonValue &column : copied) {
            rule.copy.append(column.toString());
        }
        compiled.rules.append(rule);
    }
    const QJsonArray purge = json.value(u"purge"_s).toArray();
    for (const QJsonValue &value : purge) {
        compiled.purgeBy.append(value[u"by"_s].toString());
    }
    return compiled;
}

} // namespace idemdesk::sql
