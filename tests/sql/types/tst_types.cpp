// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/types/profile.h"
#include "sql/types/statement.h"
#include "sql/types/timestamp.h"

#include <QTest>

using namespace idemdesk::sql;
using namespace Qt::StringLiterals;

class TypesTest final : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { QTest::failOnWarning(QRegularExpression(u".*"_s)); }

    void timestampRoundTrip_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("expected"); // empty: refused
        QTest::newRow("microseconds") << u"2026-11-20 12:34:56.123456+00"_s << u"2026-11-20T12:34:56.123456Z"_s;
        QTest::newRow("short fraction") << u"2026-11-20 12:34:56.5+00"_s << u"2026-11-20T12:34:56.500000Z"_s;
        QTest::newRow("offset with minutes") << u"2026-11-20 12:00:00+05:30"_s << u"2026-11-20T06:30:00.000000Z"_s;
        QTest::newRow("negative offset") << u"2026-11-20 23:00:00-03"_s << u"2026-11-21T02:00:00.000000Z"_s;
        QTest::newRow("offset with seconds") << u"1800-01-01 00:00:00-00:53:28"_s << u"1800-01-01T00:53:28.000000Z"_s;
        QTest::newRow("before 1970") << u"1969-12-31 23:59:59.999999+00"_s << u"1969-12-31T23:59:59.999999Z"_s;
        QTest::newRow("far year") << u"200000-12-31 23:59:59.999999+00"_s << u"200000-12-31T23:59:59.999999Z"_s;
        QTest::newRow("beyond 64 bits of microseconds") << u"294276-12-31 23:59:59.999999+00"_s << QString();
        QTest::newRow("leap day") << u"2024-02-29 00:00:00+00"_s << u"2024-02-29T00:00:00.000000Z"_s;
        QTest::newRow("infinity") << u"infinity"_s << u"infinity"_s;
        QTest::newRow("minus infinity") << u"-infinity"_s << u"-infinity"_s;
        QTest::newRow("not a time") << u"yesterday"_s << QString();
        QTest::newRow("month 13") << u"2026-13-01 00:00:00+00"_s << QString();
        QTest::newRow("trailing text") << u"2026-11-20 12:34:56+00; DROP"_s << QString();
        QTest::newRow("empty") << QString() << QString();
    }
    void timestampRoundTrip()
    {
        QFETCH(QString, text);
        QFETCH(QString, expected);
        const auto time = Timestamp::parse(text);
        QCOMPARE(time.has_value(), !expected.isEmpty());
        if (time) {
            QCOMPARE(time->toRfc3339(), expected);
        }
    }

    void timestampOrder()
    {
        const auto early = *Timestamp::parse(u"-infinity"_s);
        const auto middle = *Timestamp::parse(u"2026-01-01 00:00:00+00"_s);
        const auto late = *Timestamp::parse(u"infinity"_s);
        QVERIFY(early < middle);
        QVERIFY(middle < late);
        QVERIFY(!(late < late));
    }

    void quoting()
    {
        QCOMPARE(quoteIdentifier(u"a.b"_s), u"\"a.b\""_s);
        QCOMPARE(quoteIdentifier(u"\"x\"; DROP TABLE t; --"_s), u"\"\"\"x\"\"; DROP TABLE t; --\""_s);
        QCOMPARE(quoteLiteral(u"it's"_s), u"'it''s'"_s);
        QCOMPARE(quoteLiteral(u"a\\'b"_s), u" E'a\\\\''b'"_s);
    }

    void durations_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<qint64>("seconds"); // -1: refused
        QTest::newRow("seconds") << u"0s"_s << qint64(0);
        QTest::newRow("day") << u"1d"_s << qint64(86'400);
        QTest::newRow("year") << u"1y"_s << qint64(31'536'000);
        QTest::newRow("no unit") << u"90"_s << qint64(-1);
        QTest::newRow("expression") << u"t.timeout"_s << qint64(-1);
        QTest::newRow("absurd") << u"99999999999999999999s"_s << qint64(-1);
    }
    void durations()
    {
        QFETCH(QString, text);
        QFETCH(qint64, seconds);
        QCOMPARE(durationSeconds(text).value_or(-1), seconds);
    }

    void starNeverCoversNull()
    {
        Profile profile;
        profile.roles.insert(Role::Status, Expression { .sql = u"t.s"_s });
        profile.states = { { u"done"_s, KeyState::Succeeded } };
        profile.otherStates = KeyState::InProgress;
        QCOMPARE(profile.stateOf(u"done"_s), KeyState::Succeeded);
        QCOMPARE(profile.stateOf(u"phase_7"_s), KeyState::InProgress);
        QCOMPARE(profile.stateOf(std::nullopt), KeyState::Unknown);
    }
};

QTEST_GUILESS_MAIN(TypesTest)
#include "tst_types.moc"
