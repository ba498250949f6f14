// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/sql/attacks/machine/target_plan.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

using namespace Qt::StringLiterals;

namespace idemdesk::tests::machine {

namespace {

struct PlannedType {
    QString type;
    QString literal; ///< with %1 for the number
};

const QList<PlannedType> kKeyTypes { { u"text"_s, u"'k-%1'"_s }, { u"varchar(40)"_s, u"'K %1 ''q'''"_s },
    { u"uuid"_s, u"'00000000-0000-4000-8000-%1'"_s }, { u"bigint"_s, u"%1"_s }, { u"int"_s, u"%1"_s },
    { u"char(14)"_s, u"'k%1'"_s }, { u"bytea"_s, u"'\\x%1'"_s }, { u"numeric(20,3)"_s, u"%1.500"_s },
    { u"@S.d_key"_s, u"'d%1'"_s } };

const QList<PlannedType> kScopeTypes { { u"text"_s, u"'t%1'"_s }, { u"varchar(20)"_s, u"'t \"%1\"'"_s },
    { u"@S.scope_kind"_s, u"'t%1'"_s }, { u"int"_s, u"%1"_s }, { u"@S.d_key"_s, u"'t%1'"_s },
    { u"uuid"_s, u"'10000000-0000-4000-8000-00000000000%1'"_s } };

struct PlannedExtra {
    QString type;
    QStringList literals;
};

const QList<PlannedExtra> kExtras {
    { u"text"_s, { u"NULL"_s, u"''"_s, u"'NULL'"_s, u"'{a,\"b\"}'"_s, u"E'line\\nfeed\\t\\\\'"_s } },
    { u"json"_s, { u"NULL"_s, u"'{\"a\": 1.00,\"a\":2}'"_s, u"'null'"_s } },
    { u"jsonb"_s, { u"NULL"_s, u"'{\"a\": [1, null]}'"_s, u"'null'"_s } },
    { u"bytea"_s, { u"NULL"_s, u"'\\x00ff'"_s, u"''"_s } },
    { u"numeric"_s, { u"NULL"_s, u"1.50"_s, u"'NaN'"_s, u"-0.000"_s, u"1e40"_s } },
    { u"numeric(10,2)"_s, { u"NULL"_s, u"99999999.99"_s } },
    { u"double precision"_s, { u"NULL"_s, u"0.1"_s, u"'-Infinity'"_s, u"'-0'"_s, u"1.0/3"_s } },
    { u"real"_s, { u"NULL"_s, u"0.1"_s, u"3.4e38"_s } },
    { u"text[]"_s,
        { u"NULL"_s, u"'{}'"_s, u"'{NULL,\"NULL\",\"\",\"a b\"}'"_s, u"'{{a,b},{c,NULL}}'"_s, u"'[2:3]={x,y}'"_s } },
    { u"int[]"_s, { u"NULL"_s, u"'{1,NULL,3}'"_s } },
    { u"interval"_s, { u"NULL"_s, u"'1 mon -2 days 03:00:00.5'"_s, u"'-1 year'"_s } },
    { u"date"_s, { u"NULL"_s, u"'2025-01-02'"_s, u"'infinity'"_s, u"'0044-03-15 BC'"_s } },
    { u"time"_s, { u"NULL"_s, u"'23:59:59.999999'"_s } },
    { u"timetz"_s, { u"NULL"_s, u"'12:00:00+05:45'"_s } },
    { u"timestamptz"_s, { u"NULL"_s, u"'2025-03-30 02:30:00.123456+01'"_s, u"'-infinity'"_s } },
    { u"timestamp"_s, { u"NULL"_s, u"'2025-01-02 03:04:05.678901'"_s, u"'infinity'"_s } },
    { u"money"_s, { u"NULL"_s, u"'12.34'"_s } },
    { u"xml"_s, { u"NULL"_s, u"'<a>1</a>'"_s } },
    { u"inet"_s, { u"NULL"_s, u"'10.0.0.1/8'"_s } },
    { u"bit(5)"_s, { u"NULL"_s, u"B'10101'"_s } },
    { u"tsvector"_s, { u"NULL"_s, u"'a:1 fat:2'"_s } },
    { u"int4range"_s, { u"NULL"_s, u"'[1,5)'"_s, u"'empty'"_s } },
    { u"char(5)"_s, { u"NULL"_s, u"'ab'"_s, u"''"_s } },
    { u"\"char\""_s, { u"NULL"_s, u"'c'"_s } },
    { u"@S.pair"_s, { u"NULL"_s, u"ROW(1, 'a,\"b\"')"_s, u"ROW(NULL, NULL)"_s, u"ROW(NULL, '')"_s } },
    { u"@S.pair[]"_s, { u"NULL"_s, u"ARRAY[ROW(1, NULL)::@S.pair, NULL]"_s } },
    { u"@S.scope_kind[]"_s, { u"NULL"_s, u"'{t0,t2}'"_s } },
    { u"@S.d_amount"_s, { u"NULL"_s, u"7"_s } },
    { u"point"_s, { u"NULL"_s, u"'(0.1,2)'"_s } },
    { u"boolean"_s, { u"NULL"_s, u"true"_s, u"false"_s } },
};

const QStringList kStates { u"in_progress"_s, u"succeeded"_s, u"failed_retryable"_s, u"failed_final"_s, u"pending"_s,
    u"unknown"_s };

/// The status column: its type, and what each state looks like in it.
QString planStatus(Chance &chance, TargetPlan *plan)
{
    const QStringList words { u"processing"_s, u"succeeded"_s, u"failed"_s, u"dead"_s, u"waiting"_s, u"odd"_s };
    const int kind = chance.below(6);
    for (int i = 0; i < kStates.size(); ++i) {
        plan->raw.insert(kStates.at(i),
            kind == 3       ? QString::number(i + 1)
                : kind == 4 ? QString(words.at(i).at(0))
                            : words.at(i));
    }
    return QStringList { u"text"_s, u"varchar(20)"_s, u"@S.state_kind"_s, u"int"_s, u"char(1)"_s, u"@S.d_key"_s }.at(
        kind);
}

/// How a time is kept: {its type, SQL that stores the timestamptz %1, SQL that reads the column %1, the
/// profile's "as"}.
QStringList timeForm(Chance &chance, bool native)
{
    const QList<QStringList> forms {
        { u"timestamptz"_s, u"(%1)"_s, u"t.%1"_s, QString() },
        { u"timestamp"_s, u"((%1) AT TIME ZONE 'UTC')"_s, u"(t.%1 AT TIME ZONE 'UTC')"_s, u"utc"_s },
        { u"bigint"_s, u"(floor(extract(epoch FROM (%1)) * 1000)::bigint)"_s, u"to_timestamp(t.%1 / 1000.0)"_s,
            u"epoch_ms"_s },
    };
    return native || chance.percent(60) ? forms.first() : forms.at(1 + chance.below(2));
}

QJsonValue timeRole(const QString &column, const QString &form)
{
    return form.isEmpty() ? QJsonValue(u"t."_s + column)
                          : QJsonValue(QJsonObject { { u"column"_s, column }, { u"as"_s, form } });
}

QString rawLiteral(const TargetPlan &plan, const QString &state)
{
    return u'\'' + plan.raw.value(state) + u'\'';
}

void planRules(Chance &chance, TargetPlan *plan)
{
    const auto add = [plan](const QString &verb, const QString &from, const QString &to, const QStringList &columns,
                         bool needs = false, bool live = false) {
        plan->rules.append({ verb, { from }, to, columns, needs, live });
    };
    add(u"recover"_s, u"in_progress"_s, u"failed_retryable"_s, { u"st"_s, u"lk"_s, u"up"_s });
    if (chance.percent(60)) {
        add(u"recover"_s, u"in_progress"_s, u"failed_final"_s, { u"st"_s, u"lk"_s, u"note"_s });
    }
    if (chance.percent(60)) {
        add(u"recover"_s, u"in_progress"_s, u"succeeded"_s, { u"st"_s, u"lk"_s, u"res"_s }, true);
    }
    if (chance.percent(50)) {
        add(u"requeue"_s, u"failed_final"_s, u"failed_retryable"_s, { u"st"_s, u"att"_s }, false, chance.percent(20));
    }
    if (chance.percent(35)) {
        add(u"requeue"_s, u"failed_retryable"_s, u"absent"_s, {}, false, chance.percent(20));
    }
    if (chance.percent(60)) {
        add(u"reclassify"_s, u"failed_retryable"_s, u"failed_final"_s, { u"st"_s }, false, false);
    }
}

QJsonObject ruleObject(const TargetPlan &plan, const PlannedRule &rule)
{
    QJsonObject object { { u"from"_s, QJsonArray::fromStringList(rule.from) }, { u"to"_s, rule.to } };
    if (rule.to == u"absent") {
        object.insert(u"delete"_s, true);
    } else {
        QJsonObject set;
        for (const QString &column : rule.columns) {
            set.insert(column,
                column == u"st"        ? rawLiteral(plan, rule.to)
                    : column == u"lk"  ? u"NULL"_s
                    : column == u"up"  ? u"$now"_s
                    : column == u"att" ? u"t.att + 1"_s
                    : column == u"res" ? u"$effect_id"_s
                                       : u"$reason"_s);
        }
        object.insert(u"set"_s, set);
    }
    if (rule.needsEffect) {
        object.insert(u"needs_effect"_s, u"eff"_s);
    }
    if (rule.live) {
        object.insert(u"live"_s, true);
    }
    return object;
}

QByteArray planProfile(const TargetPlan &plan, const QString &leaseForm, const QString &expiryForm)
{
    QJsonObject states;
    for (const QString &state : kStates) {
        if (state != u"unknown") {
            states.insert(plan.raw.value(state), state);
        }
    }
    QJsonObject actions { { u"recover"_s, QJsonArray() }, { u"requeue"_s, QJsonArray() },
        { u"reclassify"_s, QJsonArray() } };
    for (const PlannedRule &rule : plan.rules) {
        QJsonArray list = actions.value(rule.verb).toArray();
        list.append(ruleObject(plan, rule));
        actions.insert(rule.verb, list);
    }
    QJsonObject profile { { u"idemdesk_profile"_s, 1 }, { u"name"_s, plan.name },
        { u"title"_s, u"A table under attack"_s }, { u"kind"_s, u"request"_s }, { u"relation"_s, plan.table() },
        { u"identity"_s, QJsonArray::fromStringList(plan.identity) },
        { u"scope"_s, QJsonArray { QJsonObject { { u"label"_s, u"tenant"_s }, { u"sql"_s, u"t.s"_s } } } },
        { u"key"_s, u"t.k"_s },
        { u"roles"_s,
            QJsonObject { { u"status"_s, u"t.st"_s }, { u"attempts"_s, u"t.att"_s },
                { u"lease_until"_s, timeRole(u"lk"_s, leaseForm) }, { u"updated_at"_s, u"t.up"_s },
                { u"expires_at"_s, timeRole(u"ex"_s, expiryForm) }, { u"result_id"_s, u"t.res"_s } } },
        { u"states"_s, states },
        { u"stale"_s,
            QJsonArray { QJsonObject { { u"states"_s, QJsonArray { u"in_progress"_s } },
                { u"by"_s, timeRole(u"lk"_s, leaseForm) }, { u"after"_s, u"0s"_s } } } },
        { u"guard"_s, QJsonArray::fromStringList(plan.guard) }, { u"actions"_s, actions },
        { u"effects"_s,
            QJsonArray { QJsonObject { { u"type"_s, u"eff"_s }, { u"proves"_s, true },
                { u"sql"_s,
                    u"SELECT f.id AS id, f.at AS at, NULL::text AS state FROM %1.eff f WHERE f.s = t.s::text "
                    "AND f.k = t.k::text"_s.arg(plan.schema) } } } } };
    if (plan.purges) {
        profile.insert(u"purge"_s,
            QJsonObject { { u"by"_s, timeRole(u"ex"_s, expiryForm) }, { u"after"_s, plan.after },
                { u"states"_s, QJsonArray { u"succeeded"_s, u"failed_final"_s } } });
    }
    return QJsonDocument(profile).toJson(QJsonDocument::Compact);
}

QString timeText(Chance &chance, bool past)
{
    return past ? u"now() - interval '%1 hours'"_s.arg(1 + chance.below(960))
                : u"now() + interval '%1 hours'"_s.arg(2 + chance.below(200));
}

QString rowValues(Chance &chance, const TargetPlan &plan, int number, const QList<PlannedExtra> &extras)
{
    const int dice = chance.below(100);
    const bool past = chance.percent(60);
    const int hours = past ? -1 - chance.below(960) : 2 + chance.below(200);
    // Old partitions hold finished rows, as they would; else none could ever be detached.
    const bool old = !plan.partitions.isEmpty() && plan.identity.contains(u"ex"_s) && hours < -450;
    const QString state = kStates.at(old ? (dice % 2 ? 1 : 3)
            : dice < 38                  ? 0
            : dice < 64                  ? 1
            : dice < 76                  ? 2
            : dice < 88                  ? 3
            : dice < 94                  ? 4
                                         : 5);
    QStringList values { plan.scopeLiteral.arg(chance.below(3)), plan.keyOf(plan.base + number),
        rawLiteral(plan, state),
        state == u"in_progress"  ? plan.lease.arg(timeText(chance, chance.percent(65)))
            : chance.percent(20) ? plan.lease.arg(timeText(chance, false))
                                 : u"NULL"_s,
        plan.partitions.isEmpty() && chance.percent(8) ? u"NULL"_s
                                                       : plan.expiry.arg(u"now() + interval '%1 hours'"_s.arg(hours)),
        QString::number(chance.below(4)), state == u"succeeded" ? u"'result %1'"_s.arg(number) : u"NULL"_s, u"now()"_s,
        chance.percent(50) ? u"'n'"_s : u"NULL"_s,
        chance.percent(50) ? QString::number(1 + chance.below(3)) : u"NULL"_s };
    for (const PlannedExtra &extra : extras) {
        values += chance.of(extra.literals);
    }
    return u'(' + values.join(u", "_s) + u')';
}

QString quoted(const QString &text)
{
    return u'\'' + QString(text).replace(u'\'', u"''"_s) + u'\'';
}

QString arrayLiteral(const QStringList &list)
{
    return u"ARRAY["_s + (list.isEmpty() ? QString() : u"'"_s + list.join(u"','"_s) + u"'"_s) + u"]::text[]"_s;
}

} // namespace

QString TargetPlan::keyOf(int number) const
{
    // A key that is a number must not begin with zeros.
    return keyLiteral.arg(
        number, keyLiteral.contains(u"0000-"_s) ? 12 : 6, 10, QLatin1Char(keyLiteral.startsWith(u'%') ? '1' : '0'));
}

QString TargetPlan::modelRow() const
{
    QString state = u"CASE"_s;
    for (auto it = raw.cbegin(); it != raw.cend(); ++it) {
        state += u" WHEN t.st::text = '%1' THEN '%2'"_s.arg(it.value(), it.key());
    }
    state += u" ELSE 'unknown' END"_s;
    QJsonArray list;
    for (const PlannedRule &rule : rules) {
        list.append(QJsonObject { { u"verb"_s, rule.verb }, { u"from"_s, QJsonArray::fromStringList(rule.from) },
            { u"to"_s, rule.to }, { u"cols"_s, QJsonArray::fromStringList(rule.columns) },
            { u"needs"_s, rule.needsEffect }, { u"live"_s, rule.live } });
    }
    return u"INSERT INTO model.target (name, rel, touched, identity, guard, state_sql, stale_sql, "
           u"leased_sql, due_sql, scope_sql, rules) "
           "VALUES (%1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11)"_s
               .arg(quoted(name), quoted(table()), arrayLiteral(touched), arrayLiteral(identity), arrayLiteral(guard),
                   quoted(state), quoted(leaseRead + u" < $1"_s), quoted(leaseRead + u" > $1"_s))
               .arg(quoted(u"%1 + interval '%2' < $1"_s.arg(
                        expiryRead, QString(after).replace(u"d"_s, u" days"_s).replace(u"h"_s, u" hours"_s))),
                   quoted(u"jsonb_build_array(t.s::text)"_s),
                   quoted(QString::fromUtf8(QJsonDocument(list).toJson(QJsonDocument::Compact))));
}

namespace {

/// The columns of CREATE TABLE; what it adds to those that every table has comes back.
QString planColumns(Chance &chance, TargetPlan *plan, const QString &fixed, QList<PlannedExtra> *extras)
{
    QString columns = fixed;
    for (int i = 0, n = chance.below(4); i <= n; ++i) {
        extras->append(chance.of(kExtras));
        columns += u", x%1 %2"_s.arg(i).arg(extras->last().type);
        plan->extras += u"x%1 = %2"_s.arg(i).arg(chance.of(extras->last().literals));
    }
    if (chance.percent(25) && plan->partitions.isEmpty()) {
        columns += u", made text GENERATED ALWAYS AS (coalesce(note, '') || '/' || att::text) STORED"_s;
        plan->features += u"generated column"_s;
    }
    if (chance.percent(20) && plan->partitions.isEmpty()) {
        columns += u", num bigint GENERATED %1 AS IDENTITY"_s.arg(chance.percent(50) ? u"ALWAYS"_s : u"BY DEFAULT"_s);
        plan->features += u"identity column"_s;
    }
    columns += u", PRIMARY KEY (%1)"_s.arg(plan->identity.join(u", "_s));
    if (chance.percent(20)) {
        const QStringList acts { u"NO ACTION"_s, u"RESTRICT"_s, u"CASCADE"_s, u"SET NULL"_s, u"SET DEFAULT"_s };
        columns += u", FOREIGN KEY (r) REFERENCES @S.ref (id) ON DELETE %1 ON UPDATE %2%3"_s.arg(
            chance.of(acts), chance.of(acts), chance.percent(40) ? u" DEFERRABLE INITIALLY DEFERRED"_s : QString());
        plan->features += u"foreign key out"_s;
    }
    return columns;
}

void planPartitions(TargetPlan *plan)
{
    const QString part = u"CREATE TABLE %1 PARTITION OF @T FOR VALUES "_s;
    if (plan->partitions.size() == 2) {
        for (int i = 0; i < 2; ++i) {
            plan->statements += part.arg(plan->partitions.at(i)) + u"WITH (MODULUS 2, REMAINDER %1)"_s.arg(i);
        }
        plan->features += u"partitions by hash"_s;
    } else if (plan->partitions.size() == 3) {
        const QStringList spans { u"MINVALUE"_s, u"now() - interval '20 days'"_s, u"now()"_s, u"MAXVALUE"_s };
        for (int i = 0; i < 3; ++i) {
            const auto bound = [](const QString &at) {
                return at.endsWith(u"VALUE") ? QString(u'\'' + at + u'\'') : u"quote_literal(%1)"_s.arg(at);
            };
            plan->statements += u"DO $$ BEGIN EXECUTE format('%1FROM (%s) TO (%s)', %2, %3); END $$"_s.arg(
                part.arg(plan->partitions.at(i)), bound(spans.at(i)), bound(spans.at(i + 1)));
        }
        plan->features += u"partitions by range"_s;
    }
}

/// CREATE TABLE with what belongs to it, and its rows.
void planTable(Chance &chance, TargetPlan *plan, const QString &fixed)
{
    QList<PlannedExtra> extras;
    const QString columns = planColumns(chance, plan, fixed, &extras);
    const QStringList by { QString(), QString(), u" PARTITION BY HASH (k)"_s, u" PARTITION BY RANGE (ex)"_s };
    plan->statements += u"CREATE TABLE @T (%1)%2"_s.arg(columns, by.at(plan->partitions.size()));
    planPartitions(plan);
    QString names = u"s, k, st, lk, ex, att, res, up, note, r"_s;
    for (int i = 0; i < extras.size(); ++i) {
        names += u", x%1"_s.arg(i);
    }
    QStringList rows;
    for (int i = 1; i <= plan->rows; ++i) {
        rows += rowValues(chance, *plan, i, extras);
    }
    plan->statements += u"INSERT INTO @T (%1) VALUES %2"_s.arg(names, rows.join(u", "_s));
    plan->statements += u"INSERT INTO @S.eff (id, s, k) SELECT 'e-' || t.k::text, t.s::text, t.k::text FROM @T t "
                        "WHERE abs(hashtext(t.k::text)) % 3 = 0 ON CONFLICT DO NOTHING"_s;
}

} // namespace

TargetPlan planTarget(
    Chance &chance, const QString &name, const QString &schema, const QString &owner, int base, bool plain)
{
    TargetPlan plan;
    plan.name = name;
    plan.schema = schema;
    plan.owner = owner;
    plan.base = base;
    plan.rows = 16 + chance.below(40);
    const PlannedType key = chance.of(kKeyTypes);
    const PlannedType scope = chance.of(kScopeTypes);
    plan.keyLiteral = key.literal;
    plan.scopeLiteral = scope.literal;
    const QString status = planStatus(chance, &plan);
    const int partitioned = chance.percent(schema == u"m_part" ? 75 : 12) ? 1 : chance.percent(6) ? 2 : 0;
    for (const char *part : { "old", "mid", "new" }) {
        if (partitioned == 1 || (partitioned == 2 && plan.partitions.size() < 2)) {
            plan.partitions += u"%1_%2"_s.arg(plan.table(), QLatin1String(part));
        }
    }
    const QStringList leaseForm = timeForm(chance, false);
    const QStringList expiryForm = timeForm(chance, partitioned == 1);
    plan.lease = leaseForm.at(1);
    plan.leaseRead = leaseForm.at(2).arg(u"lk"_s);
    plan.expiry = expiryForm.at(1);
    plan.expiryRead = expiryForm.at(2).arg(u"ex"_s);
    plan.after = chance.of(QStringList { u"0h"_s, u"0h"_s, u"5h"_s, u"2d"_s });
    plan.identity = chance.percent(60) ? QStringList { u"s"_s, u"k"_s } : QStringList { u"k"_s };
    if (partitioned == 1) {
        plan.identity += u"ex"_s;
    }
    plan.guard = QStringList { u"st"_s, u"lk"_s };
    if (chance.percent(60)) {
        plan.guard += u"att"_s;
    }
    plan.purges = chance.percent(85);
    planRules(chance, &plan);
    planTable(chance, &plan,
        u"s %1 NOT NULL, k %2 NOT NULL, st %3 NOT NULL, lk %4, ex %5%6, att int NOT NULL DEFAULT 0, res "
        u"text, "
        "up timestamptz, note text, r int"_s.arg(scope.type, key.type, status, leaseForm.at(0), expiryForm.at(0),
            partitioned == 1 ? u" NOT NULL"_s : QString()));
    addHostileCode(chance, &plan, plain);
    plan.profile = planProfile(plan, leaseForm.at(3), expiryForm.at(3));
    for (QString &statement : plan.statements) {
        statement.replace(u"@S"_s, plan.schema).replace(u"@T"_s, plan.table()).replace(u"@N"_s, plan.name);
    }
    for (QString &extra : plan.extras) {
        extra.replace(u"@S"_s, plan.schema);
    }
    return plan;
}

} // namespace idemdesk::tests::machine
