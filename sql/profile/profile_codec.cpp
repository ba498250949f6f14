// SPDX-License-Identifier: GPL-3.0-or-later
// The keys of a profile, in the order of DESIGN 3. Whoever adds one adds its member, its descriptor here, and its place
// in profile.schema.json.
#include "sql/profile/profile_codec.h"

#include "sql/profile/codec_values.h"
#include "sql/profile/expression_sql.h"
#include "sql/profile/relation_name.h"
#include "sql/types/alert.h"

#include <QRegularExpression>
#include <functional>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace codec {
namespace {

constexpr int kFormatVersion = 1;

Codec<int> version()
{
    const QString words = u"the format's version, 1"_s;
    const auto read = [words](ProfileReading &reading, const JsonNode &node, int *to) {
        bool whole = false;
        *to = node.kind == JsonNode::Kind::Number ? node.text.toInt(&whole) : 0;
        if (!whole || *to < 1) {
            reading.fail(node, words);
        } else if (*to > kFormatVersion) {
            reading.fail(node, u"at most version %1: the profile was made for a newer console"_s.arg(kFormatVersion));
        }
    };
    return { read, [](int from) { return JsonNode::ofNumber(QString::number(from)); }, R"({"const":1})", words };
}

Codec<QString> profileName()
{
    static const QRegularExpression form(u"^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$"_s);
    return textThat([](const QString &name) { return form.match(name).hasMatch(); },
        u"a name of letters, digits, dots, dashes and underscores, at most 63"_s,
        R"({"type":"string","pattern":"^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$"})");
}

Codec<TargetKind> targetKind()
{
    QList<std::pair<QString, TargetKind>> kinds;
    for (const TargetKind kind :
        { TargetKind::Request, TargetKind::Inbox, TargetKind::Outbox, TargetKind::Lease, TargetKind::Job }) {
        kinds.append({ kindName(kind), kind });
    }
    return fromText(choice(kinds, u"one of request, inbox, outbox, lease, job"_s));
}

Codec<QString> relation()
{
    return textThat([](const QString &name) { return parseRelationName(name).has_value(); },
        u"a table's name with its schema and its quoting, such as sales.\"InboxState\""_s);
}

Codec<QList<LabelledExpression>> labelled(const Codec<QString> &label, const QString &once)
{
    return distinct(
        listOf(objectOf<LabelledExpression>({ field(u"label"_s, &LabelledExpression::label, label, Required),
            field(u"sql"_s, &LabelledExpression::value, expression(), Required) })),
        once, u"label"_s);
}

/// One that filters name, label:value.
Codec<QString> filterLabel(const QString &words)
{
    static const QRegularExpression form(u"^[\\p{L}_][\\p{L}\\p{N}_.-]*$"_s);
    return textThat([](const QString &label) { return form.match(label).hasMatch(); }, words);
}

Codec<QList<LabelledExpression>> scope()
{
    const QString words = u"a word that no other part has as its label"_s;
    return labelled(filterLabel(words), words);
}

Codec<Profile> roles()
{
    QList<Field<Profile>> fields;
    for (const Role role : kAllOf<Role>) {
        const Codec<Expression> value = isTimeRole(role) ? timeExpression() : expression();
        const auto read = [=](ProfileReading &reading, const JsonNode &node, Profile *to) {
            value.read(reading, node, &to->roles[role]);
        };
        const auto write
            = [=](const Profile &from) { return from.has(role) ? value.write(from.role(role)) : JsonNode(); };
        fields.append({ roleName(role), { read, write, value.schema }, Always });
    }
    return objectOf(fields);
}

void readStates(ProfileReading &reading, const JsonNode &node, Profile *to)
{
    const Codec<KeyState> codec = state(QList<KeyState>(kAllStates.begin(), kAllStates.end()));
    bool ended = false;
    for (const auto &[raw, value] : node.members) {
        KeyState found = KeyState::Unknown;
        codec.read(reading, value, &found);
        if (raw == u"*") {
            to->otherStates = found;
            ended = true;
        } else if (raw == u"null") {
            to->nullState = found;
        } else if (ended) {
            reading.failAt(value.path, u"an entry after “*”"_s, u"“*” as the last entry"_s);
        } else if (!to->has(Role::Status)) {
            reading.failAt(value.path, u"a raw status"_s, u"only “*”, as the profile has no status role"_s);
        } else {
            to->states.append({ raw, found });
        }
    }
}

/// An object that gives raw values what they stand for; that of NULL, and "*" for all others, come last.
template <typename To, typename Meaning>
Codec<To> rawValues(const QString &words, const QByteArray &each,
    const std::function<void(ProfileReading &, const JsonNode &, To *)> &readValues, QString (*nameOf)(Meaning),
    QList<std::pair<QString, Meaning>> To::*values, std::optional<Meaning> To::*ofNull,
    std::optional<Meaning> To::*ofOthers)
{
    const auto read = [words, readValues](ProfileReading &reading, const JsonNode &node, To *to) {
        if (!node.isObject() || node.members.isEmpty()) {
            reading.fail(node, words);
        }
        readValues(reading, node, to);
    };
    const auto write = [=](const To &from) {
        JsonNode node = JsonNode::ofObject();
        for (const auto &[raw, meaning] : from.*values) {
            node.add(raw, JsonNode::ofText(nameOf(meaning)));
        }
        if (from.*ofNull) {
            node.add(u"null"_s, JsonNode::ofText(nameOf(*(from.*ofNull))));
        }
        if (from.*ofOthers) {
            node.add(u"*"_s, JsonNode::ofText(nameOf(*(from.*ofOthers))));
        }
        return node;
    };
    return { read, write, R"({"type":"object","minProperties":1,"additionalProperties":)" + each + '}', words };
}

Codec<Profile> rawStates()
{
    return rawValues<Profile, KeyState>(u"an object that gives raw statuses their state"_s,
        state(QList<KeyState>(kAllStates.begin(), kAllStates.end())).schema, readStates, stateName, &Profile::states,
        &Profile::nullState, &Profile::otherStates);
}

Codec<TimeRule> timeRule(const QList<KeyState> &allowed)
{
    const auto check = [](ProfileReading &reading, const JsonNode &node, TimeRule *rule) {
        if (!rule->by.present() && rule->when.isEmpty()) {
            reading.fail(node, u"“by” (with “after”) or “when” in the rule"_s);
        } else if (!rule->by.present() && !rule->after.isEmpty()) {
            reading.failMember(node, u"after"_s, u"“by” beside “after”"_s);
        }
    };
    return objectOf<TimeRule>(
        {
            field(u"states"_s, &TimeRule::states, states(allowed), Required),
            field(u"status"_s, &TimeRule::status, texts()),
            field(u"by"_s, &TimeRule::by, timeExpression()),
            field(u"after"_s, &TimeRule::after, span()),
            field(u"when"_s, &TimeRule::when, sqlText()),
        },
        check, R"(,"anyOf":[{"required":["by"]},{"required":["when"]}])");
}

Codec<std::optional<QList<TimeRule>>> stale()
{
    return optionalOf(listOf(timeRule({ KeyState::Pending, KeyState::InProgress }), true,
        u"a list with at least one rule, or null where staleness cannot be told"_s));
}

/// One rule or a list of them.
Codec<Profile> purge()
{
    const Codec<TimeRule> rule = timeRule(knownStates());
    const Codec<QList<TimeRule>> rules = listOf(rule);
    const auto read = [=](ProfileReading &reading, const JsonNode &node, Profile *to) {
        if (node.isList()) {
            rules.read(reading, node, &to->purge);
        } else if (node.isObject()) {
            rule.read(reading, node, &to->purge.emplaceBack());
        } else {
            reading.fail(node, u"a rule, a list of rules, or null"_s);
        }
    };
    const auto write = [=](const Profile &from) {
        // What is kept of a rule in a list has its place there.
        const bool listed = std::any_of(from.extra.keyBegin(), from.extra.keyEnd(),
            [](const QString &place) { return place.startsWith(u"$.purge["); });
        return from.purge.isEmpty()             ? JsonNode()
            : from.purge.size() == 1 && !listed ? rule.write(from.purge.first())
                                                : rules.write(from.purge);
    };
    return { read, write, R"({"anyOf":[)" + rule.schema + ',' + rules.schema + "]}" };
}

template <typename E> Codec<E> oneOfAll(QString (*name)(E))
{
    QList<std::pair<QString, E>> values;
    QStringList names;
    for (const E value : kAllOf<E>) {
        values.append({ name(value), value });
        names += name(value);
    }
    return choice(values, u"one of "_s + names.join(u", "_s));
}

/// An HTTP status, or an expression of one.
Codec<QString> httpStatus()
{
    static const QRegularExpression whole(u"^[1-5][0-9]{2}$"_s);
    const Codec<QString> sql = sqlText();
    const auto read = [=](ProfileReading &reading, const JsonNode &node, QString *to) {
        if (node.isText()) {
            sql.read(reading, node, to);
        } else if (node.kind == JsonNode::Kind::Number && whole.match(node.text).hasMatch()) {
            *to = node.text;
        } else {
            reading.fail(node, u"an HTTP status from 100 to 599, or an SQL expression of one"_s);
        }
    };
    const auto write = [](const QString &from) {
        return whole.match(from).hasMatch() ? JsonNode::ofNumber(from) : JsonNode::ofText(from);
    };
    return { read, write, R"({"anyOf":[{"type":"integer","minimum":100,"maximum":599},)" + sql.schema + "]}" };
}

void checkRetry(ProfileReading &reading, const JsonNode &node, RetryRule *rule)
{
    if (!rule->until.isEmpty() && rule->outcome != RetryOutcome::Wait) {
        reading.failMember(node, u"until"_s, u"“until” beside the outcome wait only"_s);
    }
    if (rule->outcome == RetryOutcome::Conflict && rule->payload != RetryPayload::Other) {
        reading.failMember(node, u"payload"_s, u"“payload”: “other” beside the outcome conflict"_s);
    }
}

Codec<RetryRule> retryRule()
{
    static const QRegularExpression state(u"^[0-9A-Z]{5}$"_s);
    const Codec<RetryPayload> payload = choice<RetryPayload>(
        { { u"same"_s, RetryPayload::Same }, { u"other"_s, RetryPayload::Other } }, u"same or other"_s);
    return objectOf<RetryRule>(
        {
            field(u"states"_s, &RetryRule::states, states(knownStates())),
            field(u"status"_s, &RetryRule::status, texts()),
            field(u"is"_s, &RetryRule::facts, distinct(listOf(oneOfAll(&retryFactName), true), u"each word once"_s)),
            field(u"when"_s, &RetryRule::when, sqlText()),
            field(u"payload"_s, &RetryRule::payload, optionalOf(payload)),
            field(u"outcome"_s, &RetryRule::outcome, oneOfAll(&retryOutcomeName), Required),
            field(u"until"_s, &RetryRule::until, sqlText()),
            field(u"sqlstate"_s, &RetryRule::sqlState,
                textThat([](const QString &text) { return state.match(text).hasMatch(); },
                    u"an SQLSTATE of five digits and capital letters"_s,
                    R"({"type":"string","pattern":"^[0-9A-Z]{5}$"})")),
            field(u"http"_s, &RetryRule::http, httpStatus()),
            field(u"reason"_s, &RetryRule::reason, text()),
        },
        checkRetry);
}

Codec<QList<std::pair<QString, QString>>> columnsSet(const Codec<QString> &value)
{
    using Set = QList<std::pair<QString, QString>>;
    const auto read = [=](ProfileReading &reading, const JsonNode &node, Set *to) {
        if (!node.isObject() || node.members.isEmpty()) {
            reading.fail(node, u"an object that gives columns their new values"_s);
        }
        for (const auto &[column, expression] : node.members) {
            if (column.trimmed().isEmpty()) {
                reading.fail(expression, u"a column's name before it"_s);
            }
            value.read(reading, expression, &to->emplaceBack(column, QString()).second);
        }
    };
    const auto write = [](const Set &from) {
        JsonNode node = JsonNode::ofObject();
        for (const auto &[column, expression] : from) {
            node.add(column, JsonNode::ofText(expression));
        }
        return node;
    };
    return { read, write, R"({"type":"object","minProperties":1,"additionalProperties":)" + value.schema + '}', {},
        false };
}

Codec<SecondRow> secondRow()
{
    const QStringList variables { u"now"_s, u"reason"_s, u"action"_s };
    return objectOf<SecondRow>({ field(u"relation"_s, &SecondRow::relation, relation(), Required),
        field(u"match"_s, &SecondRow::match, sqlText(), Required),
        field(u"set"_s, &SecondRow::set, columnsSet(sqlText(variables)), Required) });
}

void checkAction(ProfileReading &reading, const JsonNode &node, ActionRule *rule)
{
    const JsonNode *set = node.member(u"set"_s);
    for (const auto &[column, value] : set != nullptr ? set->members : decltype(set->members)()) {
        for (const QString &variable : variablesIn(value.text)) {
            if (variable.startsWith(u"effect_") && node.member(u"needs_effect"_s) == nullptr) {
                reading.fail(value, u"“needs_effect” in the rule, which gives $"_s + variable + u" its value"_s);
            }
        }
    }
    if (rule->deletes && (rule->to || !rule->set.isEmpty())) {
        reading.fail(node, u"“to”: “absent” and no “set” beside “delete”"_s);
    } else if (rule->deletes && rule->second) {
        reading.fail(*node.member(u"second"_s), u"“second” in a rule that changes its row, not one that deletes it"_s);
    } else if (!rule->deletes && !rule->to) {
        reading.failMember(node, u"to"_s, u"“delete”: true beside “absent”"_s);
    } else if (!rule->deletes && rule->set.isEmpty()) {
        reading.fail(node, u"“set” with at least one column, or “delete”: true"_s);
    }
}

Codec<ActionRule> action()
{
    QList<std::pair<QString, std::optional<KeyState>>> ends;
    for (const KeyState state : knownStates()) {
        ends.append({ stateName(state), state });
    }
    ends.append({ u"absent"_s, std::nullopt });
    const QStringList variables { u"now"_s, u"reason"_s, u"action"_s, u"effect_id"_s, u"effect_type"_s };
    return objectOf<ActionRule>(
        {
            field(u"from"_s, &ActionRule::from, states(knownStates()), Required),
            field(u"status"_s, &ActionRule::status, texts()),
            field(
                u"to"_s, &ActionRule::to, fromText(choice(ends, u"a state other than unknown, or absent"_s)), Required),
            field(u"set"_s, &ActionRule::set, columnsSet(sqlText(variables)), Last),
            field(u"delete"_s, &ActionRule::deletes, flag(), Last),
            field(u"needs_effect"_s, &ActionRule::needsEffect, text()),
            field(u"forbids_effect"_s, &ActionRule::forbidsEffect, text()),
            field(u"live"_s, &ActionRule::live, flag()),
            field(u"second"_s, &ActionRule::second, optionalOf(secondRow()), Last),
        },
        checkAction,
        R"(,"oneOf":[{"required":["set"],"not":{"properties":{"to":{"const":"absent"}}}},)"
        R"({"required":["delete"],"properties":{"delete":{"const":true},"to":{"const":"absent"}}}])");
}

void checkAlign(ProfileReading &reading, const JsonNode &node, ActionRule *rule)
{
    if (rule->copy.isEmpty()) {
        reading.failMember(node, u"copy"_s, u"the columns that take the other region's values"_s);
    }
    if (!rule->to) {
        reading.failMember(node, u"to"_s, u"a state: no row is deleted because another region has none"_s);
    }
    if (rule->from.contains(KeyState::Succeeded)) {
        reading.fail(*node.member(u"from"_s), u"no “succeeded”, as what succeeded is never overwritten"_s);
    }
    const JsonNode *set = node.member(u"set"_s);
    for (const auto &[column, value] : set != nullptr ? set->members : decltype(set->members)()) {
        if (rule->copy.contains(column)) {
            reading.fail(value, u"a column that is not in “copy” as well"_s);
        }
    }
}

/// A rule that takes over another region's row.
Codec<ActionRule> alignment()
{
    QList<std::pair<QString, std::optional<KeyState>>> ends;
    for (const KeyState state : knownStates()) {
        ends.append({ stateName(state), state });
    }
    const QStringList variables { u"now"_s, u"reason"_s, u"action"_s };
    return objectOf<ActionRule>(
        {
            field(u"from"_s, &ActionRule::from, states(knownStates()), Required),
            field(u"status"_s, &ActionRule::status, texts()),
            field(u"to"_s, &ActionRule::to, fromText(choice(ends, u"a state other than unknown"_s)), Required),
            field(u"copy"_s, &ActionRule::copy, texts(true), Required),
            field(u"set"_s, &ActionRule::set, columnsSet(sqlText(variables)), Last),
            field(u"forbids_effect"_s, &ActionRule::forbidsEffect, text()),
            field(u"live"_s, &ActionRule::live, flag()),
        },
        checkAlign);
}

Codec<Profile> actions()
{
    // A recovery asks for staleness, which no row under a running lease has.
    const auto check = [](ProfileReading &reading, const JsonNode &node, Profile *profile) {
        for (qsizetype i = 0; i < profile->recover.size(); ++i) {
            if (profile->recover.at(i).live) {
                reading.fail(*node.member(u"recover"_s)->items.at(i).member(u"live"_s),
                    u"“live” in a rule of “requeue” or “reclassify” only"_s);
            }
        }
        QString relation; // one image is kept beside a row's, so that it is of one table
        for (const auto &[name, rules] : { std::pair { u"recover"_s, &profile->recover },
                 { u"requeue"_s, &profile->requeue }, { u"reclassify"_s, &profile->reclassify } }) {
            for (qsizetype i = 0; i < rules->size(); ++i) {
                const std::optional<SecondRow> &second = rules->at(i).second;
                relation = second && relation.isEmpty() ? second->relation : relation;
                if (second && second->relation != relation) {
                    reading.fail(*node.member(name)->items.at(i).member(u"second"_s)->member(u"relation"_s),
                        u"the same second table in all rules"_s);
                }
            }
        }
    };
    return objectOf<Profile>(
        {
            field(u"recover"_s, &Profile::recover, listOf(action()), Always),
            field(u"requeue"_s, &Profile::requeue, listOf(action()), Always),
            field(u"reclassify"_s, &Profile::reclassify, listOf(action()), Always),
            field(u"align"_s, &Profile::align, listOf(alignment())),
        },
        check);
}

Codec<QList<OrderSpec>> orders()
{
    const QString words = u"a label of its own, without a leading minus, other than identity"_s;
    const auto fits = [](const QString &label) { return !label.startsWith(u'-') && label != u"identity"; };
    Codec<OrderSpec> nulls = within(
        &OrderSpec::nullsLast, choice<bool>({ { u"first"_s, false }, { u"last"_s, true } }, u"first or last"_s));
    nulls.read = [read = nulls.read](ProfileReading &reading, const JsonNode &node, OrderSpec *to) {
        to->nullsWritten = true;
        read(reading, node, to);
    };
    nulls.write = [write = nulls.write](const OrderSpec &from) { return from.nullsWritten ? write(from) : JsonNode(); };
    const auto check = [](ProfileReading &reading, const JsonNode &node, OrderSpec *order) {
        checkEither(reading, node, u"column"_s, u"sql"_s);
        if (!order->nullsWritten) {
            order->nullsLast = !order->descending; // as PostgreSQL does
        }
    };
    const QList<Field<OrderSpec>> label { field(u"label"_s, &OrderSpec::label, textThat(fits, words), Required) };
    const QList<Field<OrderSpec>> direction { field(u"desc"_s, &OrderSpec::descending, flag()), { u"nulls"_s, nulls } };
    return distinct(listOf(objectOf<OrderSpec>(label + fieldsWithin(&OrderSpec::value, timeFields()) + direction, check,
                        eitherSchema("column", "sql"))),
        words, u"label"_s);
}

Codec<QList<EffectSpec>> effects()
{
    return distinct(listOf(objectOf<EffectSpec>({
                        field(u"type"_s, &EffectSpec::type, text(), Required),
                        field(u"proves"_s, &EffectSpec::proves, flag(), Always),
                        field(u"sql"_s, &EffectSpec::sql, sqlText(), Required),
                        field(u"optional"_s, &EffectSpec::optional, texts()),
                    })),
        u"each effect type once"_s, u"type"_s);
}

/// Labels are words of the filter language; that none says what another word says is looked at with the whole profile.
Codec<QList<FieldSpec>> ownFields()
{
    const QString words = u"a word that no other field has as its label"_s;
    Codec<FieldType> type = oneOfAll(&fieldTypeName);
    type.write = [write = type.write](FieldType from) { return from == FieldType::Text ? JsonNode() : write(from); };
    return distinct(listOf(objectOf<FieldSpec>({
                        field(u"label"_s, &FieldSpec::label, filterLabel(words), Required),
                        field(u"sql"_s, &FieldSpec::value, expression(), Required),
                        field(u"type"_s, &FieldSpec::type, type),
                    })),
        words, u"label"_s);
}

/// A number, or an expression of one.
Codec<QString> maxAttempts()
{
    static const QRegularExpression whole(u"^[1-9][0-9]{0,8}$"_s);
    const Codec<QString> sql = sqlText();
    const auto read = [=](ProfileReading &reading, const JsonNode &node, QString *to) {
        if (node.isText()) {
            sql.read(reading, node, to);
        } else if (node.kind == JsonNode::Kind::Number && whole.match(node.text).hasMatch()) {
            *to = node.text;
        } else {
            reading.fail(node, u"a whole number from 1, or an SQL expression over t"_s);
        }
    };
    const auto write = [](const QString &from) {
        return whole.match(from).hasMatch() ? JsonNode::ofNumber(from) : JsonNode::ofText(from);
    };
    return { read, write, R"({"anyOf":[{"type":"integer","minimum":1},)" + sql.schema + "]}" };
}

/// A value under its name in a map.
template <typename V> Codec<QMap<QString, V>> under(const QString &name, const Codec<V> &codec)
{
    using Map = QMap<QString, V>;
    const auto read
        = [=](ProfileReading &reading, const JsonNode &node, Map *to) { codec.read(reading, node, &(*to)[name]); };
    const auto write
        = [=](const Map &from) { return from.contains(name) ? codec.write(from.value(name)) : JsonNode(); };
    return { read, write, codec.schema, {}, codec.nullable };
}

Codec<QMap<QString, QString>> windows()
{
    QList<Field<QMap<QString, QString>>> fields;
    for (const QString &name : { u"client_retry"_s, u"redelivery"_s, u"reconciliation"_s, u"audit"_s }) {
        fields.append({ name, under(name, duration()), Last });
    }
    return objectOf(fields);
}

Codec<PolicySpec> policy()
{
    return objectOf<PolicySpec>({
        field(u"match"_s, &PolicySpec::match, textMap(u"an object of scope labels and values; empty matches all"_s),
            Required),
        field(u"effect"_s, &PolicySpec::effect,
            fromText(choice<QString>(
                { { u"local"_s, u"local"_s }, { u"external"_s, u"external"_s } }, u"local or external"_s))),
        field(u"max_attempts"_s, &PolicySpec::maxAttempts, maxAttempts()),
        field(u"stale_after"_s, &PolicySpec::staleAfter, span()),
        field(u"safe_to_repeat"_s, &PolicySpec::safeToRepeat, text()),
        field(u"dedup"_s, &PolicySpec::dedup,
            optionalOf(choice<DedupWindow>({ { u"permanent"_s, DedupWindow::Permanent },
                                               { u"long"_s, DedupWindow::Long }, { u"short"_s, DedupWindow::Short } },
                u"permanent, long or short"_s))),
        field(u"windows"_s, &PolicySpec::windows, windows()),
    });
}

/// A text, the same for every row, or SQL.
Codec<RecipePart> recipePart()
{
    const auto readValue = [](ProfileReading &reading, const JsonNode &node, RecipePart *to) {
        if (!node.isText() || node.text.contains(QChar(0))) {
            reading.fail(node, u"a text, the same for every row"_s); // which may be empty
        }
        to->text = node.text;
    };
    const auto readSql = [](ProfileReading &reading, const JsonNode &node, RecipePart *to) {
        *to = { true, reading.sql(node, { u"now"_s }) };
    };
    const auto check = [](ProfileReading &reading, const JsonNode &node, RecipePart *) {
        checkEither(reading, node, u"value"_s, u"sql"_s);
    };
    Codec<RecipePart> codec
        = objectOf<RecipePart>({ { u"value"_s, { readValue, {}, R"({"type":"string"})", {}, false } },
                                   { u"sql"_s, { readSql, {}, sqlText().schema, {}, false } } },
            check, eitherSchema("value", "sql"));
    codec.write = [](const RecipePart &from) {
        return JsonNode::ofObject().add(from.isSql ? u"sql"_s : u"value"_s, JsonNode::ofText(from.text));
    };
    codec.nullable = false;
    return codec;
}

Codec<StoredRecipe> recipe()
{
    QList<Field<QMap<QString, RecipePart>>> parts;
    for (const QString &name : recipePartNames()) {
        parts.append({ name, under(name, recipePart()) });
    }
    return objectOf<StoredRecipe>({ field(u"recipe"_s, &StoredRecipe::recipe, text(), Required),
        field(u"parts"_s, &StoredRecipe::parts, objectOf(parts)) });
}

Codec<QString> jsonPointer()
{
    return textThat([](const QString &pointer) { return pointer.startsWith(u'/'); },
        u"a JSON pointer, which begins with a slash, such as /items/*/updated_at"_s,
        R"({"type":"string","pattern":"^/"})");
}

/// One expression or a list of them.
Codec<Profile> businessReference()
{
    const Codec<QString> one = sqlText();
    const Codec<QStringList> list = listOf(one, true);
    const auto read = [=](ProfileReading &reading, const JsonNode &node, Profile *to) {
        to->businessReferencesListed = node.isList();
        if (node.isText()) {
            one.read(reading, node, &to->businessReferences.emplaceBack());
        } else if (node.isList() && !node.items.isEmpty()) {
            list.read(reading, node, &to->businessReferences);
        } else {
            reading.fail(node, u"an SQL expression over t, or a list with at least one of them"_s);
        }
    };
    const auto write = [=](const Profile &from) {
        const bool single = from.businessReferences.size() == 1 && !from.businessReferencesListed;
        return single ? one.write(from.businessReferences.first()) : list.write(from.businessReferences);
    };
    return { read, write, R"({"anyOf":[)" + one.schema + ',' + list.schema + "]}" };
}

/// The number beside "above", "rising", "sum" or "share".
Codec<AlertSpec> alertLimit(AlertForm form)
{
    Codec<AlertSpec> codec = within(&AlertSpec::limit, number());
    codec.read = [=, read = codec.read](ProfileReading &reading, const JsonNode &node, AlertSpec *to) {
        if (to->form) {
            reading.fail(node, u"only one of above, rising, sum and share"_s);
        }
        to->form = form;
        read(reading, node, to);
    };
    codec.write
        = [=, write = codec.write](const AlertSpec &from) { return from.form == form ? write(from) : JsonNode(); };
    return codec;
}

Codec<AlertSpec> alert()
{
    constexpr qint64 kLongest = 7 * 86'400; // seconds
    const auto fits = [](const QString &span) {
        const auto seconds = durationSeconds(span);
        return seconds && *seconds >= 0 && *seconds <= kLongest;
    };
    return objectOf<AlertSpec>({
        field(u"id"_s, &AlertSpec::id, text(), Required),
        field(u"off"_s, &AlertSpec::off, flag()),
        field(u"title"_s, &AlertSpec::title, text()),
        field(u"metric"_s, &AlertSpec::metric, text()),
        field(u"over"_s, &AlertSpec::over, text()),
        { u"above"_s, alertLimit(AlertForm::Above) },
        { u"rising"_s, alertLimit(AlertForm::Rising) },
        { u"sum"_s, alertLimit(AlertForm::Sum) },
        { u"share"_s, alertLimit(AlertForm::Share) },
        field(u"least"_s, &AlertSpec::least, number()),
        field(u"for"_s, &AlertSpec::span,
            textThat(fits, u"a duration of at most a week, such as 5m"_s, duration().schema)),
    });
}

Codec<HistorySpec> history()
{
    return objectOf<HistorySpec>({ field(u"relation"_s, &HistorySpec::relation, text(), Required),
        field(u"columns"_s, &HistorySpec::columns, texts(true), Required) });
}

constexpr qsizetype kMostDrillText = 4'000;

Codec<DrillSpec> drill()
{
    const Codec<QString> statement = sqlText({ u"key"_s, u"hash"_s, u"payload"_s, u"fact"_s });
    const Codec<bool> again = choice<bool>({ { u"once"_s, false }, { u"again"_s, true } }, u"once or again"_s);
    Codec<DrillSpec> afterExpiry = within(&DrillSpec::runsAgain, again);
    afterExpiry.write = [again](const DrillSpec &from) { return from.runsAgain ? again.write(true) : JsonNode(); };
    const auto check = [](ProfileReading &reading, const JsonNode &node, DrillSpec *spec) {
        if (spec->claim.isEmpty() != spec->claimed.isEmpty()) {
            reading.fail(node, u"“claim” and “claimed” beside each other, or neither"_s);
        }
        QStringList taking = spec->cleanup;
        taking += spec->expire.isEmpty() ? QStringList() : QStringList { spec->expire };
        for (const QString &sql : std::as_const(taking)) {
            if (variablesIn(sql).isEmpty()) { // it would take what others made
                reading.fail(node, u"$key or $fact in each statement of “cleanup” and “expire”"_s);
            }
        }
        QStringList all = taking + spec->perform;
        all += { spec->claim, spec->effects };
        if (std::any_of(all.cbegin(), all.cend(), [](const QString &sql) { return sql.size() > kMostDrillText; })) {
            reading.fail(node, u"statements of at most 4,000 characters, so that they are read whole"_s);
        }
    };
    return objectOf<DrillSpec>(
        {
            field(u"claim"_s, &DrillSpec::claim, statement),
            field(u"claimed"_s, &DrillSpec::claimed, texts(true)),
            field(u"perform"_s, &DrillSpec::perform, listOf(statement, true), Required),
            field(u"effects"_s, &DrillSpec::effects, statement, Required),
            field(u"expire"_s, &DrillSpec::expire, statement),
            { u"after_expiry"_s, afterExpiry },
            field(u"cleanup"_s, &DrillSpec::cleanup, listOf(statement, true), Required),
        },
        check);
}

/// What an entry of the cache holds, and the state that it stands for; "*" ends the list.
Codec<CacheSpec> cacheValues()
{
    const Codec<KeyState> one = state(knownStates());
    const auto read = [one](ProfileReading &reading, const JsonNode &node, CacheSpec *to) {
        if (!node.isObject() || node.members.isEmpty()) {
            reading.fail(node, u"an object that gives values of the cache their state"_s);
        }
        for (const auto &[raw, value] : node.members) {
            KeyState found = KeyState::Unknown;
            one.read(reading, value, &found);
            if (to->otherValues) {
                reading.failAt(value.path, u"an entry after “*”"_s, u"“*” as the last entry"_s);
            } else if (raw == u"*") {
                to->otherValues = found;
            } else {
                to->values.append({ raw, found });
            }
        }
    };
    const auto write = [](const CacheSpec &from) {
        JsonNode node = JsonNode::ofObject();
        for (const auto &[raw, found] : from.values) {
            node.add(raw, JsonNode::ofText(stateName(found)));
        }
        return from.otherValues ? node.add(u"*"_s, JsonNode::ofText(stateName(*from.otherValues))) : node;
    };
    return { read, write, R"({"type":"object","minProperties":1,"additionalProperties":)" + one.schema + '}' };
}

Codec<CacheSpec> cache()
{
    constexpr double kMostJitter = 100; // percent
    Codec<CacheSpec> jitter = within(&CacheSpec::jitter, number());
    jitter.read = [read = jitter.read](ProfileReading &reading, const JsonNode &node, CacheSpec *to) {
        read(reading, node, to);
        if (to->jitter.toDouble() > kMostJitter) {
            reading.fail(node, u"a number of percent from 0 to 100"_s);
        }
    };
    const auto check = [](ProfileReading &reading, const JsonNode &node, CacheSpec *spec) {
        if (!spec->jitter.isEmpty() && spec->ttl.isEmpty()) {
            reading.failMember(node, u"ttl"_s, u"“ttl” beside “jitter”"_s);
        } else if (durationSeconds(spec->ttl) == 0) {
            reading.failMember(node, u"ttl"_s, u"a duration above zero"_s);
        }
    };
    return objectOf<CacheSpec>(
        {
            field(u"key"_s, &CacheSpec::key, text(), Required),
            field(u"ttl"_s, &CacheSpec::ttl, duration()),
            { u"jitter"_s, jitter },
            { u"values"_s, cacheValues() },
        },
        check);
}

/// Which host is asked is the profile's to say, never a row's.
Codec<QString> linkAddress(const QString &words)
{
    static const QRegularExpression form(u"^https?://[^/?#{}@\\\\\\s]+([/?#][^{}\\s]*(\\{[^{}\\s]+\\}[^{}\\s]*)*)?$"_s);
    return textThat([](const QString &text) { return form.match(text).hasMatch(); }, words,
        R"({"type":"string","pattern":"^https?://"})");
}

Codec<QList<LinkSpec>> links()
{
    const Codec<QString> url
        = linkAddress(u"an http or https address, with {key} or another name only behind its host"_s);
    return distinct(listOf(objectOf<LinkSpec>({
                        field(u"label"_s, &LinkSpec::label, text(), Required),
                        field(u"url"_s, &LinkSpec::url, url, Required),
                    })),
        u"each label once"_s, u"label"_s);
}

void readProviderStates(ProfileReading &reading, const JsonNode &node, ProviderSpec *to)
{
    const QString words = u"one of requested, sent, confirmed, failed"_s;
    bool ended = false;
    for (const auto &[raw, value] : node.members) {
        const auto found = value.isText() ? providerStateFromName(value.text) : std::nullopt;
        if (!found || *found == ProviderState::Unknown) {
            reading.fail(value, words);
        } else if (raw == u"*") {
            to->otherStates = found;
            ended = true;
        } else if (raw == u"null") {
            to->nullState = found;
        } else if (ended) {
            reading.failAt(value.path, u"an entry after “*”"_s, u"“*” as the last entry"_s);
        } else {
            to->states.append({ raw, *found });
        }
    }
}

Codec<ProviderSpec> providerStates()
{
    return rawValues<ProviderSpec, ProviderState>(u"an object that says how far a request with this raw status got"_s,
        R"({"enum":["requested","sent","confirmed","failed"]})", readProviderStates, providerStateName,
        &ProviderSpec::states, &ProviderSpec::nullState, &ProviderSpec::otherStates);
}

Codec<ProviderSpec> provider()
{
    return objectOf<ProviderSpec>({
        field(u"name"_s, &ProviderSpec::name, text()),
        field(u"reference"_s, &ProviderSpec::reference, sqlText(), Required),
        field(u"amount"_s, &ProviderSpec::amount, sqlText()),
        field(u"currency"_s, &ProviderSpec::currency, sqlText()),
        field(u"status"_s, &ProviderSpec::status, sqlText(), Required),
        { u"states"_s, providerStates(), Required },
        field(u"at"_s, &ProviderSpec::at, timeExpression()),
        field(u"link"_s, &ProviderSpec::link,
            linkAddress(u"an http or https address, with {reference} or another name only behind its host"_s)),
    });
}

QList<Field<Profile>> headFields()
{
    return {
        field(u"idemdesk_profile"_s, &Profile::version, version(), Required),
        field(u"name"_s, &Profile::name, profileName(), Required),
        field(u"title"_s, &Profile::title, text(), Always),
        field(u"kind"_s, &Profile::kind, targetKind(), Required),
        field(u"relation"_s, &Profile::relation, relation(), Required),
        field(u"identity"_s, &Profile::identity, texts(true), Required),
        field(u"identity_stable"_s, &Profile::identityStable, texts()),
        field(u"scope"_s, &Profile::scope, scope(), Always),
        field(u"key"_s, &Profile::key, expression(), Required),
        { u"roles"_s, roles(), Always },
        { u"states"_s, rawStates(), Required },
    };
}

QList<Field<Profile>> ruleFields()
{
    return {
        field(u"stale"_s, &Profile::stale, stale(), Always),
        field(u"guard"_s, &Profile::guard, texts(), Always),
        { u"actions"_s, actions(), Always },
        { u"purge"_s, purge(), Always },
        field(u"retry"_s, &Profile::retry,
            optionalOf(listOf(
                retryRule(), true, u"a list with at least one rule, or null where nothing is known of retries"_s))),
        field(u"orders"_s, &Profile::orders, orders(), Always),
        field(u"aliases"_s, &Profile::aliases, labelled(text(), u"a label that no other entry has"_s), Always),
        field(u"fields"_s, &Profile::fields, ownFields()),
        field(u"effects"_s, &Profile::effects, effects(), Always),
        field(u"policies"_s, &Profile::policies, listOf(policy()), Always),
        field(u"advisory_lock"_s, &Profile::advisoryLock, sqlText()),
        field(u"masking"_s, &Profile::masking, listOf(text()), Last),
        field(u"fingerprint_recipe"_s, &Profile::fingerprintRecipe, optionalOf(recipe()), Last),
        field(u"diff_ignore"_s, &Profile::diffIgnore, listOf(jsonPointer()), Last),
        { u"business_reference"_s, businessReference(), Last },
        field(u"alerts"_s, &Profile::alerts, listOf(alert()), Last),
        field(u"links"_s, &Profile::links, links(), Last),
        field(u"history"_s, &Profile::history, optionalOf(history()), Last),
        field(u"drill"_s, &Profile::drill, optionalOf(drill()), Last),
        field(u"cache"_s, &Profile::cache, optionalOf(cache()), Last),
        field(u"provider"_s, &Profile::provider, optionalOf(provider()), Last),
    };
}

/// Puts the x_ keys back where they stood.
void addKept(JsonNode *node, const QString &path, const QMap<QString, QByteArray> &kept)
{
    for (auto &[name, value] : node->members) {
        addKept(&value, jsonPath(path, name), kept);
    }
    for (qsizetype i = 0; i < node->items.size(); ++i) {
        addKept(&node->items[i], jsonPath(path, i), kept);
    }
    if (!node->isObject()) {
        return;
    }
    const QString prefix = path == u"$" ? QString() : path + u'\n';
    for (auto it = kept.cbegin(); it != kept.cend(); ++it) {
        const bool here = prefix.isEmpty() ? !it.key().contains(u'\n') : it.key().startsWith(prefix);
        const QString name = it.key().mid(prefix.size());
        if (here && node->member(name) == nullptr) {
            const auto value = parseJson(it.value(), {});
            node->add(name, value ? *value : JsonNode());
        }
    }
}

Codec<Profile> makeProfileCodec()
{
    const auto check = [](ProfileReading &reading, const JsonNode &root, Profile *profile) {
        if (profile->title.isEmpty()) {
            profile->title = profile->name;
        }
        checkReferences(reading, root, *profile);
    };
    const QList<Field<Profile>> fields = headFields() + ruleFields();
    const Codec<Profile> object = objectOf<Profile>(fields, check);
    Codec<Profile> codec = object;
    codec.read = [=](ProfileReading &reading, const JsonNode &root, Profile *to) {
        if (!root.isObject()) {
            reading.fail(root, u"an object that begins with “idemdesk_profile”: 1"_s);
            return;
        }
        readField(reading, root, fields.first(), to); // first of all: another version may have other keys
        if (!reading.fault()) {
            object.read(reading, root, to);
            to->extra = reading.kept();
        }
    };
    codec.write = [=](const Profile &from) {
        JsonNode root = object.write(from);
        addKept(&root, u"$"_s, from.extra);
        return root;
    };
    return codec;
}

} // namespace
} // namespace codec

const codec::Codec<Profile> &profileCodec()
{
    static const codec::Codec<Profile> whole = codec::makeProfileCodec();
    return whole;
}

} // namespace idemdesk::sql
