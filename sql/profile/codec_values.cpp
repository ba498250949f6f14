// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/profile/codec_values.h"

#include "sql/profile/expression_sql.h"
#include "sql/types/statement.h"

using namespace Qt::StringLiterals;

namespace idemdesk::sql::codec {

Codec<QString> text()
{
    return { [](ProfileReading &reading, const JsonNode &node, QString *to) { *to = reading.text(node); },
        [](const QString &from) { return JsonNode::ofText(from); }, R"({"type":"string","minLength":1})",
        u"a text that is not empty"_s };
}

Codec<QString> textThat(
    const std::function<bool(const QString &)> &fits, const QString &words, const QByteArray &schema)
{
    Codec<QString> codec = text();
    codec.read = [=](ProfileReading &reading, const JsonNode &node, QString *to) {
        *to = reading.text(node);
        if (!to->isEmpty() && !fits(*to)) {
            reading.fail(node, words);
        }
    };
    codec.schema = schema;
    return codec;
}

Codec<QStringList> texts(bool filled)
{
    return distinct(listOf(text(), filled), u"each entry once"_s);
}

Codec<bool> flag()
{
    return { [](ProfileReading &reading, const JsonNode &node, bool *to) {
                *to = node.text == u"true";
                if (node.kind != JsonNode::Kind::Boolean) {
                    reading.fail(node, u"true or false"_s);
                }
            },
        [](bool from) { return JsonNode::ofBoolean(from); }, R"({"type":"boolean"})", {}, false };
}

Codec<QString> number()
{
    return { [](ProfileReading &reading, const JsonNode &node, QString *to) {
                if (node.kind != JsonNode::Kind::Number || node.text.startsWith(u'-')) {
                    reading.fail(node, u"a number of 0 or more"_s);
                }
                *to = node.text;
            },
        [](const QString &from) { return from.isEmpty() ? JsonNode() : JsonNode::ofNumber(from); },
        R"({"type":"number","minimum":0})" };
}

Codec<QString> duration(bool negatable)
{
    Codec<QString> codec = text();
    codec.read = [=](ProfileReading &reading, const JsonNode &node, QString *to) {
        if (node.isText() && durationSeconds(node.text) && (negatable || !node.text.startsWith(u'-'))) {
            *to = node.text;
            return;
        }
        reading.fail(node,
            u"a duration such as 90s, 5m, 24h, 7d, 2w or 1y"_s
                + (negatable ? u", with a minus if it shall be taken off"_s : u""_s));
    };
    codec.schema = QByteArray(R"({"type":"string","pattern":"^)") + (negatable ? "-?" : "") + R"([0-9]+[smhdwy]$"})";
    return codec;
}

Codec<QString> span()
{
    Codec<QString> codec = sqlText();
    codec.read = [length = duration(), sql = codec.read](ProfileReading &reading, const JsonNode &node, QString *to) {
        (node.isText() && isDuration(node.text) ? length.read : sql)(reading, node, to);
    };
    return codec;
}

Codec<QMap<QString, QString>> textMap(const QString &words)
{
    using Map = QMap<QString, QString>;
    return { [=](ProfileReading &reading, const JsonNode &node, Map *to) {
                if (!node.isObject()) {
                    reading.fail(node, words);
                }
                for (const auto &[name, value] : node.members) {
                    if (!value.isText()) {
                        reading.fail(value, u"a text"_s);
                    }
                    to->insert(name, value.text);
                }
            },
        [](const Map &from) {
            JsonNode node = JsonNode::ofObject();
            for (auto it = from.cbegin(); it != from.cend(); ++it) {
                node.add(it.key(), JsonNode::ofText(it.value()));
            }
            return node;
        },
        R"({"type":"object","additionalProperties":{"type":"string"}})", words };
}

Codec<KeyState> state(const QList<KeyState> &allowed)
{
    QList<std::pair<QString, KeyState>> values;
    QStringList names;
    for (const KeyState state : allowed) {
        values.append({ stateName(state), state });
        names += stateName(state);
    }
    return choice(values, u"one of "_s + names.join(u", "_s));
}

Codec<QList<KeyState>> states(const QList<KeyState> &allowed)
{
    return distinct(listOf(state(allowed), true), u"each state once"_s);
}

const QList<KeyState> &knownStates()
{
    static const QList<KeyState> known { KeyState::Pending, KeyState::InProgress, KeyState::Succeeded,
        KeyState::FailedRetryable, KeyState::FailedFinal };
    return known;
}

Codec<QString> sqlText(const QStringList &variables)
{
    Codec<QString> codec = text();
    codec.read
        = [=](ProfileReading &reading, const JsonNode &node, QString *to) { *to = reading.sql(node, variables); };
    codec.expected = u"an SQL expression over t"_s;
    return codec;
}

Codec<Expression> expression()
{
    Codec<Expression> codec = within(&Expression::sql, sqlText());
    codec.read = [sql = codec.read](ProfileReading &reading, const JsonNode &node, Expression *to) {
        sql(reading, node, to);
        to->column = plainColumn(to->sql);
    };
    return codec;
}

namespace {

const QStringView kZone = u"zone:";

Codec<Expression> timeForm()
{
    const auto read = [](ProfileReading &reading, const JsonNode &node, Expression *to) {
        const QString name = reading.text(node);
        const auto form = timeFormFromName(name);
        if (name.startsWith(kZone) && name.size() > kZone.size()) {
            to->form = TimeForm::Zone;
            to->zone = name.mid(kZone.size());
        } else if (form && *form != TimeForm::Native && *form != TimeForm::Zone) {
            to->form = *form;
        } else {
            reading.fail(node, u"epoch_ms, epoch_s, utc, iso, or zone: and a time zone's name"_s);
        }
    };
    const auto write = [](const Expression &from) {
        return from.form == TimeForm::Native ? JsonNode()
            : from.form == TimeForm::Zone    ? JsonNode::ofText(kZone.toString() + from.zone)
                                             : JsonNode::ofText(timeFormName(from.form));
    };
    return { read, write, R"({"type":"string","pattern":"^(epoch_ms|epoch_s|utc|iso|zone:.+)$"})" };
}

/// Whether {"column": …} says all of the SQL.
bool isColumn(const Expression &expression)
{
    return !expression.column.isEmpty() && expression.sql == u"t."_s + quoteIdentifier(expression.column);
}

Codec<Expression> column()
{
    return { [](ProfileReading &reading, const JsonNode &node, Expression *to) {
                to->column = reading.text(node);
                to->sql = u"t."_s + quoteIdentifier(to->column);
            },
        [](const Expression &from) { return isColumn(from) ? JsonNode::ofText(from.column) : JsonNode(); },
        text().schema };
}

Codec<Expression> otherThanColumn()
{
    Codec<Expression> codec = expression();
    codec.write = [](const Expression &from) { return isColumn(from) ? JsonNode() : JsonNode::ofText(from.sql); };
    return codec;
}

} // namespace

void checkEither(ProfileReading &reading, const JsonNode &node, const QString &one, const QString &other)
{
    const auto there = [&node](const QString &name) {
        const JsonNode *member = node.member(name);
        return member != nullptr && !member->isNull();
    };
    if (there(one) == there(other)) {
        reading.fail(node, u"either “%1” or “%2” in it"_s.arg(one, other));
    }
}

QByteArray eitherSchema(const QByteArray &one, const QByteArray &other)
{
    return R"(,"oneOf":[{"required":[")" + one + R"("]},{"required":[")" + other + R"("]}])";
}

QList<Field<Expression>> timeFields()
{
    return { { u"column"_s, column() }, { u"sql"_s, otherThanColumn() }, { u"as"_s, timeForm() },
        field(u"plus"_s, &Expression::plus, duration(true)) };
}

Codec<Expression> timeExpression()
{
    const Codec<Expression> plain = expression();
    const Codec<Expression> object = objectOf<Expression>(
        timeFields() << field(u"when"_s, &Expression::when, sqlText()),
        [](ProfileReading &reading, const JsonNode &node, Expression *) {
            checkEither(reading, node, u"column"_s, u"sql"_s);
        },
        eitherSchema("column", "sql"));
    const auto read = [=](ProfileReading &reading, const JsonNode &node, Expression *to) {
        if (!node.isText() && !node.isObject()) {
            reading.fail(
                node, u"an SQL expression of a timestamptz over t, or an object with “column” or “sql”, and “as”"_s);
            return;
        }
        (node.isObject() ? object : plain).read(reading, node, to);
    };
    const auto write = [=](const Expression &from) {
        const bool all = from.form == TimeForm::Native && from.plus.isEmpty() && from.when.isEmpty();
        return !from.present() ? JsonNode() : (all ? plain : object).write(from);
    };
    return { read, write, R"({"anyOf":[)" + plain.schema + ',' + object.schema + "]}" };
}

} // namespace idemdesk::sql::codec
