// SPDX-License-Identifier: GPL-3.0-or-later
// A unique violation in a log is filed under the table it can be of, else under none: tables of two schemas
// share names.
#include "models/alerts/alert_board.h"
#include "models/conflicts/conflict_import.h"

#include <QRegularExpression>
#include <QTest>
#include <algorithm>

using namespace Qt::StringLiterals;
using namespace idemdesk;
using namespace idemdesk::models;

namespace {

sql::Target table(const QString &profile, const QString &schema, const QStringList &columns)
{
    sql::Target target;
    target.profile.name = profile;
    target.profile.key.column = u"idempotency_key"_s;
    target.relation.schema = schema;
    target.relation.name = u"idempotency_request"_s;
    sql::IndexFacts index;
    index.name = u"idempotency_request_pkey"_s;
    index.unique = true;
    index.columns = columns;
    index.keyColumns = int(columns.size());
    for (int i = 0; i < index.keyColumns; ++i) {
        index.columnNumbers += i + 1;
    }
    target.relation.indexes = { index };
    return target;
}

const QStringList kOfCommands { u"tenant_id"_s, u"operation_name"_s, u"idempotency_key"_s };
const QStringList kOfScopes { u"idempotency_scope"_s, u"idempotency_key"_s };

} // namespace

class AttributionTest final : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { QTest::failOnWarning(QRegularExpression(u".*"_s)); }
    void violationsAreFiled_data();
    void violationsAreFiled();
    void anotherConstraintNamesNoKey();
    void reportsAreJudgedOnce();
};

void AttributionTest::violationsAreFiled_data()
{
    QTest::addColumn<QList<sql::Target>>("targets");
    QTest::addColumn<QStringList>("columns");
    QTest::addColumn<QString>("statement");
    QTest::addColumn<QString>("filed"); // "-": of some other table; empty: not known
    const sql::Target commands = table(u"command-request"_s, u"seed003"_s, kOfCommands);
    const sql::Target scopes = table(u"plpgsql-request"_s, u"app"_s, kOfScopes);
    const sql::Target twin = table(u"twin"_s, u"other"_s, kOfScopes);
    const auto row
        = [](const char *name, const QList<sql::Target> &targets, const QStringList &columns, const QString &statement,
              const QString &filed) { QTest::newRow(name) << targets << columns << statement << filed; };
    row("the columns tell", { commands, scopes }, kOfScopes, {}, u"plpgsql-request"_s);
    row("the columns tell, in any order", { scopes, commands },
        { kOfCommands.at(2), kOfCommands.at(0), kOfCommands.at(1) }, {}, u"command-request"_s);
    row("only the other table is a target", { commands }, kOfScopes, {}, u"-"_s);
    row("two tables may be meant", { scopes, twin }, kOfScopes, {}, {});
    row("the statement tells", { scopes, twin }, kOfScopes,
        u"INSERT INTO other.idempotency_request (idempotency_scope) VALUES ($1)"_s, u"twin"_s);
    row("the statement names another schema", { scopes }, kOfScopes,
        u"insert into  \"archive\" . idempotency_request VALUES (1)"_s, u"-"_s);
    row("the statement has no schema", { scopes, commands }, {}, u"UPDATE idempotency_request SET x = 1"_s, {});
    row("nothing but the constraint's name", { scopes }, {}, {}, {});
    row("its name and its table", { scopes }, {}, u"INSERT INTO app.idempotency_request VALUES (1)"_s,
        u"plpgsql-request"_s);
}

void AttributionTest::violationsAreFiled()
{
    QFETCH(QList<sql::Target>, targets);
    QFETCH(QStringList, columns);
    QFETCH(QString, statement);
    QFETCH(QString, filed);
    LogEvent event;
    event.kind = LogEventKind::UniqueViolation;
    event.sqlState = u"23505"_s;
    event.constraint = u"idempotency_request_pkey"_s;
    event.statement = statement;
    for (const QString &column : columns) {
        event.columns.insert(column, u"v-"_s + column);
    }
    const auto record = conflictOf(event, targets);
    QCOMPARE(record.has_value(), filed != u"-");
    if (record) {
        QCOMPARE(record->target, filed);
        QCOMPARE(
            record->key.value_or(QString()), filed.isEmpty() || columns.isEmpty() ? QString() : u"v-idempotency_key"_s);
    }
}

/// One running timer a case: what stands in that index is no timer's key.
void AttributionTest::anotherConstraintNamesNoKey()
{
    sql::Target target = table(u"case-timer"_s, u"seed003"_s, { u"tenant_id"_s, u"sla_type"_s });
    target.relation.indexes.first().name = u"uq_active_case_sla_timer"_s;
    LogEvent event;
    event.kind = LogEventKind::UniqueViolation;
    event.constraint = u"uq_active_case_sla_timer"_s;
    event.columns = { { u"tenant_id"_s, u"t"_s }, { u"sla_type"_s, u"first_answer"_s } };
    event.key = u"first_answer"_s; // the last of them, as long as no table is known
    event.keySource = KeySource::Detail;
    const auto record = conflictOf(event, { target });
    QVERIFY(record.has_value());
    QCOMPARE(record->target, u"case-timer"_s);
    QVERIFY(!record->key);
}

/// What services report is of the whole database: one rule, one alert, however many tables ask.
void AttributionTest::reportsAreJudgedOnce()
{
    AlertSource source;
    sql::AlertRule conflicts { u"conflicts"_s, u"Conflicts"_s, u"conflicts"_s, sql::AlertForm::Sum, 10, 3'600 };
    sql::AlertRule violations { u"violations"_s, u"Violations"_s, u"violations"_s, sql::AlertForm::Share, 0.5, 3'600, 1,
        u"claims"_s };
    sql::AlertRule stale { u"stale_old"_s, u"Stale"_s, u"oldest_stale"_s, sql::AlertForm::Above, 3'600, 300 };
    source.rules = { conflicts, violations, stale };
    const qint64 now = 1'800'000'000;
    source.minutes.now = { sql::Timestamp::Kind::Finite, now * 1'000'000 };
    source.minutes.values[u"conflicts"_s].insert(now - 60, 42);
    source.minutes.values[u"violations"_s].insert(now - 60, 42);
    source.minutes.values[u"claims"_s].insert(now - 60, 60);
    source.minutes.reportedSince = { { u"conflicts"_s, now - 600 }, { u"violations"_s, now - 600 } };
    source.minutes.sampled = { now - 60 };
    AlertSource strict = source;
    strict.rules[0].limit = 5; // asks something else
    const QList<JudgedAlert> alerts = judgedTogether({ source, source, strict });
    QStringList told;
    for (const JudgedAlert &alert : alerts) {
        told += QString::number(alert.source) + u' ' + alert.status.rule.id
            + (alert.everyTable ? u" every"_s : QString());
    }
    QCOMPARE(told,
        (QStringList { u"0 conflicts every"_s, u"0 violations every"_s, u"0 stale_old"_s, u"1 stale_old"_s,
            u"2 conflicts every"_s, u"2 stale_old"_s }));
    QCOMPARE(alerts.at(0).status.state, sql::AlertState::Firing);
    // 42 violations over the claims of all three tables, not of one.
    QCOMPARE(alerts.at(1).status.state, sql::AlertState::Quiet);
    QCOMPARE(qRound(*alerts.at(1).status.value * 1'000), 233);
}

QTEST_APPLESS_MAIN(AttributionTest)
#include "tst_attribution.moc"
