// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/activity/activity_model.h"
#include "models/audit/audit_model.h"
#include "models/cache/cache_words.h"
#include "models/complaint/match_context.h"
#include "models/connection/connection_fields.h"
#include "models/connection/saved_connections.h"
#include "models/filter/filter_edit.h"
#include "models/format/display_text.h"
#include "models/format/labels.h"
#include "models/format/quantities.h"
#include "models/format/time_format.h"
#include "models/health/health_groups.h"
#include "models/health/health_model.h"
#include "models/json/json_tree_model.h"
#include "models/keys/cell_filter.h"
#include "models/keys/column_fit.h"
#include "models/keys/copy_format.h"
#include "models/keys/key_cells.h"
#include "models/keys/key_links.h"
#include "models/keys/lock_events.h"
#include "models/keys/private_file.h"
#include "models/keys/ready_views.h"
#include "models/keys/record_model.h"
#include "models/keys/story_model.h"
#include "models/keys/story_scale.h"
#include "models/mapping/mapping_model.h"
#include "models/mapping/states_model.h"
#include "models/overview/overview_model.h"
#include "models/overview/scopes_model.h"
#include "models/purge/partitions_model.h"
#include "models/purge/purge_figures.h"
#include "models/purge/purge_picture.h"
#include "models/settings.h"
#include "tests/models/fake_keys.h"

#include <QAbstractItemModelTester>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>
#include <functional>

using namespace Qt::StringLiterals;
using namespace idemdesk;
using namespace idemdesk::models;

using TesterMode = QAbstractItemModelTester::FailureReportingMode;

/// Formatters, and the models that need no server.
class ModelsTest final : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
        QTest::failOnWarning(QRegularExpression(u".*"_s));
    }

    /// What stands in sentences is grouped as what stands in cells.
    void numbersInSentencesAreGrouped()
    {
        sql::CacheReport report;
        report.entries = 4'070;
        report.inProgress = 1'440;
        report.recent = 1'000;
        report.settled = 2'500;
        const QString text = (cacheLookedAt(report) + QStringList { cacheVerdict(report) }).join(u' ');
        for (const QString &number : { u"4,070"_s, u"1,440"_s, u"1,000"_s, u"2,500"_s }) {
            QVERIFY2(text.contains(number), qPrintable(text));
        }
        sql::AuditRow row;
        row.what = u"maintain"_s;
        row.factsJson = R"({"releases": 1440})";
        QVERIFY2(auditFactsText(row).contains(u"1,440"_s), qPrintable(auditFactsText(row)));
    }

    void displayTextEscapes_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("shown");
        QTest::newRow("plain") << u"order-1 ä 漢 😀"_s << u"order-1 ä 漢 😀"_s;
        QTest::newRow("markup stays text") << u"<img src=/etc/x>"_s << u"<img src=/etc/x>"_s;
        QTest::newRow("line breaks and tabs") << u"a\n\r\tb"_s << u"a\\n\\r\\tb"_s;
        QTest::newRow("bidi override") << u"abc\u202Ecba"_s << u"abc\\u202Ecba"_s;
        QTest::newRow("zero width and BOM") << u"a\u200Bb\uFEFF"_s << u"a\\u200Bb\\uFEFF"_s;
        QTest::newRow("no-break and ideographic space") << u"a\u00A0b\u3000"_s << u"a\\u00A0b\\u3000"_s;
        QTest::newRow("NUL") << QString(QChar(0)) << u"\\u0000"_s;
        QTest::newRow("escape character") << QString(QChar(0x1B)) << u"\\u001B"_s;
        QTest::newRow("tag beyond the BMP") << QString::fromUcs4(U"\U000E0041") << u"\\U000E0041"_s;
        QTest::newRow("lone surrogate") << QString(QChar(0xD800)) << u"\\uD800"_s;
        QTest::newRow("blank Hangul filler") << u"\u3164"_s << u"\\u3164"_s;
        QTest::newRow("line separator") << u"a\u2028b"_s << u"a\\u2028b"_s;
    }
    void displayTextEscapes()
    {
        QFETCH(QString, text);
        QFETCH(QString, shown);
        QCOMPARE(displayText(text), shown);
        QCOMPARE(hasHiddenCharacters(text), text != shown);
    }

    void longTextsAreCut()
    {
        const QString text = displayText(QString(10'000, u'x'), 50);
        QCOMPARE(text.size(), 51);
        QVERIFY(text.endsWith(u'…'));
        QCOMPARE(middleElided(u"0123456789"_s, 5), u"01…89"_s);
        QCOMPARE(middleElided(u"ab😀cd"_s, 6), u"ab😀cd"_s);
        QVERIFY(!middleElided(u"a😀b😀c😀d"_s, 4).contains(QChar(0xFFFD)));
    }

    void nullIsNotTheEmptyText()
    {
        QVERIFY(cellToolTip({}) != cellToolTip(sql::Cell::of({})));
        sql::Cell cell;
        cell.error = u"division by zero\n"_s;
        QCOMPARE(cellText(cell), u"division by zero\\n"_s);
    }

    void durations_data()
    {
        QTest::addColumn<qint64>("seconds");
        QTest::addColumn<QString>("text");
        QTest::newRow("seconds") << qint64(45) << u"45 s"_s;
        QTest::newRow("minutes") << qint64(12 * 60 + 59) << u"12 min"_s;
        QTest::newRow("hours") << qint64(3 * 3600 + 20 * 60) << u"3 h 20 min"_s;
        QTest::newRow("days") << qint64(3 * 86400 + 4 * 3600) << u"3 d 4 h"_s;
        QTest::newRow("years") << qint64(2 * 365 * 86400LL) << u"2 y"_s;
        QTest::newRow("negative") << qint64(-60) << u"−1 min"_s;
        QTest::newRow("the least number")
            << std::numeric_limits<qint64>::min() << durationText(std::numeric_limits<qint64>::min());
    }
    void durations()
    {
        QFETCH(qint64, seconds);
        QTEST(durationText(seconds), "text");
    }

    void counts()
    {
        using Kind = sql::RowCount::Kind;
        QCOMPARE(countText(sql::RowCount { Kind::AtLeast, 10'000 }), u"10,000+"_s);
        QCOMPARE(countText(sql::RowCount { Kind::AtLeast, 0 }), QString()); // "0+" tells nothing
        QCOMPARE(countText(sql::RowCount { Kind::Estimated, 9'812'345 }), u"about 9.81 M"_s);
        QCOMPARE(countText(sql::RowCount { Kind::Exact, 0 }), u"0"_s);
        QCOMPARE(countText(sql::RowCount {}), QString());
        QCOMPARE(bytesText(-1), QString());
    }

    void times()
    {
        const sql::Timestamp time { sql::Timestamp::Kind::Finite, 1'795'176'896'123'456 };
        const TimeFormat berlin(TimeDisplay::Server, u"Europe/Berlin"_s);
        QCOMPARE(berlin.exact(time), u"2026-11-20 13:14:56.123456+01:00"_s);
        QCOMPARE(TimeFormat().text(time), u"2026-11-20 12:14:56"_s);
        QCOMPARE(TimeFormat(TimeDisplay::Server, u"Nowhere/Land"_s).exact(time), TimeFormat().exact(time));
        QCOMPARE(TimeFormat().text({ sql::Timestamp::Kind::PlusInfinity, 0 }), u"never"_s);
        QCOMPARE(TimeFormat::age({ sql::Timestamp::Kind::Finite, time.micros + 180'000'000 }, time), u"in 3 min"_s);
        QCOMPARE(TimeFormat().exact({ sql::Timestamp::Kind::Finite, -1 }), u"1969-12-31 23:59:59.999999+00:00"_s);
    }

    void jsonKeepsNumbersDuplicatesAndDepth()
    {
        const auto parsed = JsonDocument::parse(
            u"{\"a\":1.00,\"b\":12345678901234567890.10,\"a\":[true,null,\"x\\u0041\"],\"~/\":1e400}"_s);
        QVERIFY(parsed.ok());
        JsonTreeModel model;
        QAbstractItemModelTester tester(&model, TesterMode::QtTest);
        model.setDocument(*parsed);
        const QModelIndex root = model.index(0, 0);
        QCOMPARE(model.rowCount(root), 4);
        QCOMPARE(model.index(0, 1, root).data().toString(), u"1.00"_s);
        QCOMPARE(model.index(1, 1, root).data().toString(), u"12345678901234567890.10"_s);
        QCOMPARE(model.index(3, 1, root).data().toString(), u"1e400"_s);
        QVERIFY(model.index(0, 0, root).data(JsonTreeModel::DuplicateRole).toBool());
        QVERIFY(!model.index(1, 0, root).data(JsonTreeModel::DuplicateRole).toBool());
        QCOMPARE(model.index(3, 0, root).data(JsonTreeModel::PointerRole).toString(), u"/~0~1"_s);
        QCOMPARE(model.index(2, 0, model.index(2, 0, root)).data(JsonTreeModel::RawRole).toString(), u"xA"_s);

        const int depth = 100'000;
        const auto deep = JsonDocument::parse(QString(depth, u'[') + QString(depth, u']'));
        QVERIFY(deep.ok());
        QCOMPARE(deep->nodeCount(), depth);
        QVERIFY(prettyJson(QString(depth, u'[') + QString(depth, u']')).size() < 300 * depth);
    }

    void invalidJsonNamesItsPlace_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<int>("position");
        QTest::newRow("cut") << u"{\"a\": "_s << 6;
        QTest::newRow("second line") << u"{\n\"ä\": x}"_s << 7;
        QTest::newRow("empty") << QString() << 0;
        QTest::newRow("NUL") << u"[1"_s + QChar(0) + u"]"_s << 2;
        QTest::newRow("two values") << u"1 2"_s << 2;
    }
    void invalidJsonNamesItsPlace()
    {
        QFETCH(QString, text);
        const auto parsed = JsonDocument::parse(text);
        QVERIFY(!parsed.ok());
        QTEST(parsed.error().position, "position");
    }

    void prettyJsonKeepsEachToken()
    {
        QCOMPARE(prettyJson(u"{\"a\":[1.00,{}],\"b\":\"x, \\\" {\"}"_s),
            u"{\n  \"a\": [\n    1.00,\n    {}\n  ],\n  \"b\": \"x, \\\" {\"\n}"_s);
    }

    void copiedRowsAreNeutral()
    {
        auto record = tests::FakeKeys::record(u"1"_s);
        record.key = sql::Cell::of(u"=HYPERLINK(\"http://x\")\tb\nc"_s);
        record.identity = { sql::Cell::of(u"it's \\ me"_s) };
        auto target = tests::FakeKeys::target();
        target.relation.sql = u"app.\"T\""_s;
        const QString tsv = copyRecords(CopyFormat::Tsv, { record }, target, TimeFormat());
        QCOMPARE(tsv.count(u'\n'), 2);
        QVERIFY(tsv.contains(u"\t'=HYPERLINK(\"http://x\") b c\t"_s));
        QVERIFY(
            copyRecords(CopyFormat::Sql, { record }, target, TimeFormat()).contains(u"t.\"id\" = E'it''s \\\\ me'"_s));
    }

    void matchesAreShownInTheirContext()
    {
        sql::KeyRecord record;
        record.roles.insert(sql::Role::RequestPayload,
            sql::Cell::of(
                u"{\"customer\": \"c-1\", \"amount\": 185.0400000, \"currency\": \"EUR\", \"card\": \"Visa 4242\"}"_s));
        const MatchContext found = matchContext(record, u"visa"_s, {});
        QCOMPARE(found.amount, u"185.04 EUR"_s);
        QCOMPARE(found.match, u"\"card\": \"Visa 4242\""_s); // its member alone: what stands beside it says nothing
        QCOMPARE(found.hit + u' ' + found.where, u"visa in the request"_s);
        QVERIFY(matchContext(record, u"amex"_s, {}).where.isEmpty());
        const MatchContext masked = matchContext(record, u"visa"_s, { u"request_payload"_s });
        QVERIFY(masked.amount.isEmpty() && masked.match.isEmpty());
        record.roles.insert(sql::Role::RequestPayload, sql::Cell::of(u"<no json, total: 7>"_s));
        QCOMPARE(matchContext(record, u"TOTAL"_s, {}).match, u"<no json, total: 7>"_s);
        QVERIFY(matchContext(record, u"total"_s, {}).amount.isEmpty());
        record.roles.insert(sql::Role::ResponseBody, sql::Cell::of(u"{\"total\": \"10.50\"}"_s));
        QCOMPARE(matchContext(record, {}, {}).amount, u"10.50"_s);
        // An amount is a number of its own, not a part of another one or of a date.
        record.roles.remove(sql::Role::ResponseBody);
        const auto told = [&record](const QString &text) {
            record.roles.insert(sql::Role::RequestPayload, sql::Cell::of(text));
            return matchContext(record, u"10"_s, {}).match;
        };
        QCOMPARE(told(u"on 2026-10-11, 4100 of 10.50"_s), QString());
        QCOMPARE(told(u"4100, paid 10."_s), u"4100, paid 10."_s);
        QCOMPARE(told(u"{\"note\": \"a text that is long, and of which 10 are cut at both of its far ends\"}"_s),
            u"and of which 10 are cut at both of its far…"_s);
    }

    void locksAreToldByWhoHoldsAndWhoWaits()
    {
        const auto lock = [](int pid, bool granted, sql::KeyLock::What what = sql::KeyLock::What::Row) {
            sql::KeyLock one;
            one.what = what;
            one.granted = granted;
            one.pid = pid;
            one.application = u"worker\u202e"_s + QString::number(pid);
            one.advisory = u"42"_s;
            return one;
        };
        QVERIFY(models::lockEvents({}).isEmpty()); // nothing seen is nothing said
        sql::KeyLocks locks { { lock(11, true), lock(12, false), lock(13, false), lock(0, true),
                                  lock(14, true, sql::KeyLock::What::Advisory),
                                  lock(15, false, sql::KeyLock::What::Advisory) },
            { u"Who locks the row could not be read."_s } };
        locks.locks[1].since = sql::Timestamp::parse(u"2026-11-20 10:00:02+00"_s);
        locks.locks[2].since = sql::Timestamp::parse(u"2026-11-20 10:00:01+00"_s);
        QStringList titles;
        const auto events = models::lockEvents(locks);
        for (const models::StoryEvent &event : events) {
            QVERIFY(!event.title.contains(QChar(0x202e)) && !event.detail.contains(QChar(0x202e)));
            QCOMPARE(event.kind, models::StoryEvent::Kind::Lock);
            titles += event.title;
        }
        QCOMPARE(titles.size(), 6);
        QVERIFY(titles.at(0).startsWith(u"Session 11 (worker") && titles.at(0).endsWith(u"holds the row"));
        QCOMPARE(titles.at(1), u"A prepared transaction holds the row"_s);
        QCOMPARE(titles.at(2), u"2 sessions wait for the row"_s);
        QVERIFY(events.at(2).at == locks.locks.at(2).since); // since the first of them
        QVERIFY(events.at(2).detail.contains(u"Session 12") && events.at(2).detail.contains(u"Session 13"));
        QVERIFY(titles.at(3).endsWith(u"holds the advisory lock 42"));
        QVERIFY(titles.at(4).startsWith(u"Session 15") && titles.at(4).endsWith(u"waits for the advisory lock 42"));
        QCOMPARE(titles.at(5), u"Locks are not known"_s);
    }

    void aRetryMayRepeatWhatIsNotDisproved_data()
    {
        QTest::addColumn<int>("outcome");
        QTest::addColumn<QString>("evidence");
        QTest::addColumn<bool>("repeats");
        const auto row = [](const char *name, sql::RetryOutcome outcome, const QString &evidence, bool repeats) {
            QTest::newRow(name) << int(outcome) << evidence << repeats;
        };
        using sql::RetryOutcome;
        row("no effect is declared", RetryOutcome::TakesOver, u"none"_s, true);
        row("its absence proves nothing", RetryOutcome::TakesOver, u"unproven"_s, true);
        row("it could not be read", RetryOutcome::RunsAgain, u"error"_s, true);
        row("it is there", RetryOutcome::TakesOver, u"found"_s, true);
        row("it is shown not to be there", RetryOutcome::TakesOver, u"absent"_s, false);
        row("nothing runs", RetryOutcome::Replay, u"unproven"_s, false);
        row("a retry waits", RetryOutcome::Wait, u"none"_s, false);
    }
    void aRetryMayRepeatWhatIsNotDisproved()
    {
        QFETCH(int, outcome);
        QFETCH(QString, evidence);
        sql::KeyDetail detail;
        detail.retry.same.outcome = static_cast<sql::RetryOutcome>(outcome);
        sql::EffectResult effect;
        effect.type = u"order"_s;
        effect.proves = true;
        effect.unproven = evidence == u"unproven"_s;
        effect.error = evidence == u"error"_s ? u"permission denied"_s : QString();
        effect.rows = evidence == u"found"_s ? QList<sql::EffectRow>(1) : QList<sql::EffectRow>();
        if (evidence != u"none"_s) {
            detail.effects.append(effect);
        }
        QTEST(retryMayRepeat(detail), "repeats");
    }

    /// A row keeps its newest attempt alone: that there were others is said.
    void earlierAttemptsAreNotRecorded()
    {
        auto target = tests::FakeKeys::target();
        sql::KeyDetail detail;
        detail.record.roles.insert(sql::Role::ClaimedAt, sql::Cell::of(u"2026-11-20 10:00:00+00"_s));
        detail.record.roles.insert(sql::Role::Attempts, sql::Cell::of(u"3"_s));
        detail.now = *sql::Timestamp::parse(u"2026-11-20 12:00:00+00"_s);
        QCOMPARE(storyOf(target, detail).at(0).detail, u"attempt 3, 2 earlier attempt(s) not recorded"_s);
        detail.record.roles.insert(sql::Role::Attempts, sql::Cell::of(u"1"_s));
        QCOMPARE(storyOf(target, detail).at(0).detail, u"attempt 1"_s);
    }

    void storyIsInOrderOfTime()
    {
        auto target = tests::FakeKeys::target();
        sql::KeyDetail detail;
        detail.record.roles.insert(sql::Role::ExpiresAt, sql::Cell::of(u"infinity"_s));
        detail.record.roles.insert(sql::Role::LeaseUntil, sql::Cell::of(u"2026-11-20 11:00:00+00"_s));
        detail.record.roles.insert(sql::Role::CreatedAt, sql::Cell::of(u"2026-11-20 10:00:00+00"_s));
        detail.now = *sql::Timestamp::parse(u"2026-11-20 12:00:00+00"_s);
        sql::EffectResult unreadable;
        unreadable.type = u"order"_s;
        unreadable.error = u"permission denied"_s;
        detail.effects.append(unreadable);
        const auto events = storyOf(target, detail);
        QCOMPARE(events.size(), 5);
        QCOMPARE(events.at(0).kind, StoryEvent::Kind::Created);
        QCOMPARE(events.at(1).kind, StoryEvent::Kind::LeaseEnds);
        QCOMPARE(events.at(2).kind, StoryEvent::Kind::EffectUnreadable); // what has no time is no part of the future
        QCOMPARE(events.at(3).kind, StoryEvent::Kind::Now);
        QCOMPARE(events.at(4).kind, StoryEvent::Kind::Expires);
        QVERIFY(events.at(4).future);
        StoryModel model;
        QAbstractItemModelTester tester(&model, TesterMode::QtTest);
        model.setStory(events, detail.now);
        QCOMPARE(model.index(0).data(StoryModel::AgeTextRole).toString(), u"2 h ago"_s);
        // Nothing happened between its beginning and the lease's end, and nothing since.
        QCOMPARE(model.rowCount(), 7);
        QCOMPARE(model.index(1).data(StoryModel::TitleRole).toString(), u"1 h of silence"_s);
        QCOMPARE(model.index(4).data(StoryModel::TitleRole).toString(), u"1 h of silence"_s);
        QVERIFY(model.index(4).data(StoryModel::TimeTextRole).toString().isEmpty());
        detail.record.roles.insert(sql::Role::CompletedAt, sql::Cell::of(u"2026-11-20 11:00:00+00"_s));
        model.setStory(storyOf(target, detail), detail.now);
        QCOMPARE(model.index(4).data(StoryModel::KindRole).toInt(), int(StoryEvent::Kind::EffectUnreadable));
        QCOMPARE(model.index(5).data(StoryModel::KindRole).toInt(), int(StoryEvent::Kind::Now)); // it is finished
        RecordModel record;
        QAbstractItemModelTester recordTester(&record, TesterMode::QtTest);
        record.setDetail(target, detail);
        QVERIFY(record.rowCount() > 0);
    }

    /// A uuid is cut in its middle where the story shows it; what is copied and pointed at is whole.
    void uuidsInTitlesOfAStoryAreShort()
    {
        StoryEvent event;
        event.title = u"Effect order 1c14b464-9057-4af1-9b0f-ad519308ee6e"_s;
        event.source = u"order"_s;
        StoryModel model;
        model.setStory({ event }, {});
        QCOMPARE(model.index(0).data(StoryModel::TitleRole).toString(), u"Effect order 1c14b464…08ee6e"_s);
        QCOMPARE(model.index(0).data().toString(), event.title);
        QCOMPARE(model.index(0).data(Qt::ToolTipRole).toString(), event.title + u"\norder"_s);
    }

    /// Times are written as in the story; the tooltip has them exactly.
    void timesOfARecordAreReadable()
    {
        sql::Target target;
        target.profile.scope = { { u"scope"_s, {} }, { u"tenant"_s, {} } };
        target.profile.roles.insert(sql::Role::LeaseUntil, sql::Expression { u"t.lease"_s });
        sql::KeyDetail detail;
        detail.record.roles.insert(sql::Role::LeaseUntil, sql::Cell::of(u"2026-11-20 11:00:00.050371+00"_s));
        RecordModel record;
        record.setDetail(target, detail);
        QCOMPARE(record.index(0, RecordModel::Name).data().toString(), u"Scope"_s);
        QCOMPARE(record.index(1, RecordModel::Name).data().toString(), u"Scope: tenant"_s);
        const QModelIndex lease = record.index(4, RecordModel::Value); // after the scope, the key and the state
        QVERIFY(!lease.data().toString().contains(u".050371"_s) && lease.data().toString().contains(u"11:00:00"_s));
        QVERIFY(lease.data(Qt::ToolTipRole).toString().contains(u".050371"_s));
    }

    void connectionsAreSavedWithoutPasswords()
    {
        QTemporaryDir folder;
        const QString file = folder.filePath(u"s.ini"_s);
        QSettings settings(file, QSettings::IniFormat);
        SavedConnections connections(&settings);
        SavedConnection connection;
        connection.conninfo = u"host=db dbname=x password=hush"_s;
        QVERIFY(!connections.save(connection).ok());
        connection.conninfo = u"postgresql://u:hush@db/x"_s;
        const auto refused = connections.save(connection);
        QVERIFY(!refused.ok());
        QVERIFY(!refused.error().line().contains(u"hush"_s));
        connection.conninfo = u"host=db dbname='my db' user=u"_s;
        connection.environment = sql::Environment::Production;
        const auto saved = connections.save(connection);
        QVERIFY(saved.ok());
        QCOMPARE(
            QFile::permissions(file) & (QFile::ReadGroup | QFile::ReadOther | QFile::WriteGroup | QFile::WriteOther),
            QFile::Permissions());
        SavedConnections again(&settings);
        QCOMPARE(again.all().size(), 1);
        QCOMPARE(again.all().constFirst().environment, sql::Environment::Production);
        again.remove(saved->id);
        QCOMPARE(SavedConnections(&settings).all().size(), 0);
    }

    void conninfoRoundTrip()
    {
        const auto fields = fieldsFromConninfo(u"host=/tmp/a\\ b port=5433 dbname='it\\'s' application_name=x"_s);
        QVERIFY(fields.ok());
        QCOMPARE(fields->host, u"/tmp/a b"_s);
        QCOMPARE(fields->database, u"it's"_s);
        const auto again = fieldsFromConninfo(conninfoFromFields(*fields));
        QVERIFY(again.ok());
        QCOMPARE(again->database, fields->database);
        QCOMPARE(again->others, fields->others);
        QVERIFY(!fieldsFromConninfo(u"hots=x"_s).ok());
        QCOMPARE(maskedConninfo(u"host=a password='x y' user=b"_s), u"host=a password=*** user=b"_s);
        QCOMPARE(maskedConninfo(u"postgresql://u:p%40@h/d?password=z"_s), u"postgresql://u:***@h/d?password=***"_s);
    }

    void settingsSurviveAndIgnoreNewerVersions()
    {
        QTemporaryDir folder;
        QSettings store(folder.filePath(u"s.ini"_s), QSettings::IniFormat);
        Settings settings(&store);
        settings.setTheme(Theme::Dark);
        settings.setAutoRefresh(7);
        QCOMPARE(settings.autoRefresh(), 0);
        settings.setAutoRefresh(15);
        settings.addToFilterHistory(u"a/b"_s, u"state:stale"_s);
        settings.addToFilterHistory(u"a/b"_s, u"x"_s);
        settings.addToFilterHistory(u"a/b"_s, u"state:stale"_s);
        settings.saveView({ u"Mine"_s, u"a/b"_s, u"state:stale"_s, u"-expiry"_s });
        Settings again(&store);
        QCOMPARE(again.theme(), Theme::Dark);
        QCOMPARE(again.autoRefresh(), 15);
        QCOMPARE(again.filterHistory(u"a/b"_s), QStringList({ u"state:stale"_s, u"x"_s }));
        QCOMPARE(again.savedViews(u"a/b"_s).size(), 1);
        QCOMPARE(again.savedViews(u"a/b"_s).constFirst().order, u"-expiry"_s);
        store.setValue(u"version"_s, Settings::kVersion + 1);
        QCOMPARE(again.theme(), Theme::System);
        again.setTheme(Theme::Light);
        store.setValue(u"version"_s, Settings::kVersion);
        QCOMPARE(again.theme(), Theme::Dark);
    }

    void unfinishedFilesDoNotAppear()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath(u"out.csv"_s);
        const auto failed = writePrivateFile(path, [](QIODevice &out) -> sql::Result<qint64> {
            out.write("half");
            sql::Error error;
            error.kind = sql::ErrorKind::ConnectionLost;
            return error;
        });
        QVERIFY(!failed.ok());
        QVERIFY(!QFile::exists(path));
        QVERIFY(writePrivateFile(path, [](QIODevice &out) { return sql::Result<qint64>(out.write("all")); }).ok());
        QCOMPARE(QFile::permissions(path) & (QFile::ReadGroup | QFile::ReadOther), QFile::Permissions());
        QVERIFY(!writePrivateFile(folder.filePath(u"no/such/x"_s), [](QIODevice &) {
            return sql::Result<qint64>(0);
        }).ok());
    }

    void overviewAndScopes()
    {
        OverviewModel overview;
        QAbstractItemModelTester tester(&overview, TesterMode::QtTest);
        overview.setTargets({ tests::FakeKeys::target() });
        sql::TargetSummary summary;
        summary.stale = { sql::RowCount::Kind::AtLeast, 10'000 };
        overview.setResult(0, summary);
        QCOMPARE(overview.index(0, OverviewModel::Stale).data().toString(), u"10,000+"_s);
        QCOMPARE(
            overview.index(0, OverviewModel::Stale).data(OverviewModel::FilterTextRole).toString(), u"state:stuck"_s);
        sql::Error error;
        error.what = u"It failed."_s;
        overview.setResult(0, error);
        QCOMPARE(overview.index(0, OverviewModel::Title).data(DetailRole).toString(), u"It failed."_s);
        QCOMPARE(overview.index(0, OverviewModel::Stale).data().toString(), u"10,000+"_s); // what was known stays

        // What fires or is stuck for an hour stands first, and of these what is stuck for longest; both say so.
        OverviewModel worst;
        QList<sql::Target> targets;
        for (const QString &name : { u"new"_s, u"old"_s, u"fires"_s }) {
            targets += tests::FakeKeys::target();
            targets.last().profile.name = name;
        }
        worst.setTargets(targets);
        for (int row = 0; row < 3; ++row) {
            sql::TargetSummary stuck;
            stuck.stale = { sql::RowCount::Kind::Exact, row == 0 ? 90 : 2 };
            stuck.now = { sql::Timestamp::Kind::Finite, 9'000 * sql::kMicros };
            stuck.oldestStale = sql::Timestamp { sql::Timestamp::Kind::Finite, (row == 1 ? 0 : 8'000) * sql::kMicros };
            worst.setResult(row, stuck);
        }
        worst.setFiring({ { u"fires"_s, 2 } });
        worst.sortWorstFirst();
        const auto cell = [&worst](int row, int column, int role) { return worst.index(row, column).data(role); };
        QStringList order;
        for (int row = 0; row < 3; ++row) {
            order += cell(row, OverviewModel::Title, TargetNameRole).toString();
        }
        QCOMPARE(order, (QStringList { u"old"_s, u"fires"_s, u"new"_s }));
        QVERIFY(cell(1, OverviewModel::Title, AlertsRole).toString().contains(u'2'));
        QCOMPARE(cell(0, OverviewModel::Title, AlertsRole).toString(), QString());
        // As the tile says it: red from an hour on, amber before.
        QCOMPARE(cell(0, OverviewModel::OldestStale, StateRole).toInt(), int(sql::KeyState::FailedFinal));
        QVERIFY(!cell(2, OverviewModel::OldestStale, StateRole).isValid());
        worst.setFiring({});
        worst.sortWorstFirst();
        QCOMPARE(cell(1, OverviewModel::Title, TargetNameRole).toString(), u"new"_s); // of one age, with more keys

        // A key is one part of the bar: what is stuck is taken from the states that its rule is about.
        OverviewEntry outbox;
        sql::TimeRule late;
        late.states = { sql::KeyState::Pending };
        outbox.target.profile.stale = QList<sql::TimeRule> { late };
        outbox.summary = sql::TargetSummary();
        outbox.summary->stale = { sql::RowCount::Kind::Exact, 120 };
        outbox.summary->states = { { sql::KeyState::Pending, { sql::RowCount::Kind::Exact, 150 } },
            { sql::KeyState::InProgress, { sql::RowCount::Kind::Exact, 7 } } };
        QMap<QString, qint64> parts;
        for (const StateShare &share : OverviewModel::shares(outbox)) {
            parts.insert(share.filter, share.count.rows);
        }
        QCOMPARE(parts.value(u"state:stuck"_s), 120);
        QCOMPARE(parts.value(u"state:pending"_s), 30);
        QCOMPARE(parts.value(u"state:in_progress"_s), 7);

        ScopesModel scopes;
        QAbstractItemModelTester scopesTester(&scopes, TesterMode::QtTest);
        scopes.reset(tests::FakeKeys::target());
        sql::ScopePage page;
        sql::ScopeCounts line;
        line.scope = { sql::Cell::of(u"a b:c"_s) };
        page.scopes = { line, {} };
        page.scopes[1].scope = { sql::Cell() };
        page.more = true;
        scopes.append(page);
        QVERIFY(scopes.more());
        QCOMPARE(scopes.index(1, 0).data(ScopesModel::FilterTextRole).toString(), u"tenant:null"_s);
        QVERIFY(scopes.index(0, 3).data(ScopesModel::FilterTextRole).toString().endsWith(u" state:stuck"_s));
    }

    void mappingLinesFollowEdits()
    {
        sql::Profile profile;
        profile.key = { u"t.\"k\""_s };
        profile.states = { { u"done"_s, sql::KeyState::Succeeded } };
        sql::RelationFacts relation;
        relation.columns.resize(2);
        relation.columns[0].name = u"k"_s;
        relation.columns[1].name = u"Odd \" name"_s;
        MappingModel mapping;
        QAbstractItemModelTester tester(&mapping, TesterMode::QtTest);
        mapping.setProfile(profile, relation);
        QVERIFY(mapping.setData(mapping.index(1, MappingModel::Sql), u"Odd \" name"_s, Qt::EditRole));
        const sql::Profile applied = mapping.applied(profile);
        QCOMPARE(applied.role(sql::Role::Fingerprint).sql, u"t.\"Odd \"\" name\""_s);
        QCOMPARE(applied.role(sql::Role::Fingerprint).column, u"Odd \" name"_s);
        QCOMPARE(applied.key.sql, profile.key.sql);
        mapping.addScopePart(u"tenant"_s);
        QCOMPARE(mapping.index(1, 0).data(MappingModel::LineRole).toString(), u"scope/tenant"_s);

        StatesModel states;
        QAbstractItemModelTester statesTester(&states, TesterMode::QtTest);
        states.setProfile(profile);
        states.setOccurring({ { sql::Cell::of(u"odd"_s), 3 }, { sql::Cell(), 1 } });
        QCOMPARE(states.unmappedCount(), 2);
        QVERIFY(
            states.setData(states.index(2, StatesModel::State), int(sql::KeyState::Pending), StatesModel::StateRole));
        QCOMPARE(states.unmappedCount(), 1);
        QCOMPARE(states.applied(profile).nullState, std::optional(sql::KeyState::Pending));
    }

    void activityIsATreeOfWhoWaitsForWhom()
    {
        ActivityModel model;
        QAbstractItemModelTester tester(&model, TesterMode::QtTest);
        const auto report = [](const QList<std::pair<int, QList<int>>> &sessions) {
            sql::ActivityReport made;
            for (const auto &[pid, blockers] : sessions) {
                sql::BackendActivity backend;
                backend.pid = pid;
                backend.blockedBy = blockers;
                made.backends.append(backend);
            }
            return made;
        };
        model.setReport(report({ { 30, {} }, { 10, { 30 } }, { 20, { 99, 10 } }, { 40, { 77 } } }));
        QCOMPARE(model.rowCount(), 2); // 30, and 40, whose blocker nobody sees
        const QModelIndex thirty = model.indexOfPid(30);
        QCOMPARE(model.rowCount(thirty), 1);
        const QModelIndex ten = model.index(0, 0, thirty);
        QCOMPARE(ten.data().toString(), u"10"_s);
        QCOMPARE(model.index(0, 0, ten).data().toString(), u"20"_s);
        QCOMPARE(model.index(0, ActivityModel::State, ten).data().toString(), u"hidden from this user"_s);
        const QPersistentModelIndex kept = model.indexOfPid(20);
        model.setReport(report({ { 40, { 77 } }, { 30, {} }, { 10, { 30 } }, { 20, { 10 } } }));
        QVERIFY(kept.isValid()); // the same tree: nothing moved
        // A deadlock that nobody has ended yet, and one that waits for both.
        model.setReport(report({ { 1, { 2 } }, { 2, { 1 } }, { 3, { 2, 1 } } }));
        QCOMPARE(model.rowCount(), 1);
        int shown = 0;
        const std::function<void(const QModelIndex &)> count = [&](const QModelIndex &parent) {
            for (int row = 0; row < model.rowCount(parent); ++row) {
                ++shown;
                count(model.index(row, 0, parent));
            }
        };
        count({});
        QCOMPARE(shown, 3);
        model.setReport({});
        QCOMPARE(model.rowCount(), 0);
    }

    void whoHoldsUpMostStandsFirst()
    {
        const auto at = [](qint64 seconds) {
            return sql::Timestamp { sql::Timestamp::Kind::Finite, (1'772'445'600 + seconds) * sql::kMicros };
        };
        const auto session = [&](int pid, const QList<int> &blockers, qint64 began) {
            sql::BackendActivity made;
            made.pid = pid;
            made.blockedBy = blockers;
            made.transactionStart = at(began);
            made.queryStart = at(began + 1);
            return made;
        };
        sql::ActivityReport report;
        report.now = at(0);
        report.backends = { session(10, {}, -5), session(15, {}, -9), session(20, {}, -7'200), session(25, {}, -3'600),
            session(30, {}, -20), session(40, { 30 }, -15), session(50, { 30, 40 }, -12) };
        ActivityModel model;
        QAbstractItemModelTester tester(&model, TesterMode::QtTest);
        model.setReport(report);
        QStringList top;
        for (int row = 0; row < model.rowCount(); ++row) {
            top += model.index(row, 0).data().toString();
        }
        // Then the long transactions; the short ones keep their places, though they begin again and again.
        QCOMPARE(top.join(u' '), u"30 20 25 10 15"_s);
        const auto standing
            = [&model](int pid) { return model.indexOfPid(pid).siblingAtColumn(ActivityModel::Standing); };
        QCOMPARE(standing(30).data().toString(), u"Blocks 2 session(s)"_s);
        QCOMPARE(standing(30).data(LevelRole).toInt(), int(sql::HealthLevel::Problem));
        QCOMPARE(standing(40).data().toString(), u"Blocked by 30, blocks 1"_s);
        QCOMPARE(standing(40).data(LevelRole).toInt(), int(sql::HealthLevel::Advice));
        QCOMPARE(standing(50).data().toString(), u"Blocked by 30, 40"_s);
        QVERIFY(standing(10).data().toString().isEmpty() && !standing(10).data(LevelRole).isValid());
        QCOMPARE(model.waiting(), 2);
        QCOMPARE(model.oldestWait()->micros, at(-14).micros);
        QCOMPARE(model.indexOfPid(50).parent(), model.indexOfPid(30)); // the first of them that is shown
        const QPersistentModelIndex kept = model.indexOfPid(15);
        report.backends[0].transactionStart = at(-1);
        report.backends[1].transactionStart = at(-2);
        model.setReport(report);
        QVERIFY(kept.isValid());
    }

    void readyViewsFitTheTable()
    {
        sql::Target target;
        target.profile.name = u"x"_s;
        QVERIFY(readyViews(target).isEmpty());
        target.profile.kind = sql::TargetKind::Outbox;
        target.profile.states = { { u"pending"_s, sql::KeyState::Pending }, { u"dead"_s, sql::KeyState::FailedFinal } };
        target.profile.roles.insert(sql::Role::Attempts, { u"t.n"_s, {}, {}, {}, {}, u"n"_s });
        QStringList filters;
        for (const SavedView &view : readyViews(target)) {
            filters += view.filter;
        }
        QCOMPARE(filters, (QStringList { u"attempts>=5"_s, u"state:pending"_s, u"state:failed_final"_s }));
    }

    /// What several tables have in common is one heading with its tables beneath; of one table, levels are enough.
    void healthStandsByCheckWhereThereAreSeveralTables()
    {
        const auto finding = [](const QString &target, const QString &id, sql::HealthLevel level) {
            return HealthEntry { target, target, { id, level, u"<b>"_s + id, u"seen"_s, {}, {} } };
        };
        HealthModel model;
        HealthGroups groups(&model);
        QAbstractItemModelTester tester(&groups, TesterMode::QtTest);
        model.setReports({ finding(u"a"_s, u"hash"_s, sql::HealthLevel::Problem),
            finding(u"a"_s, u"index"_s, sql::HealthLevel::Problem),
            finding(u"b"_s, u"hash"_s, sql::HealthLevel::Problem), finding(u"a"_s, u"vacuum"_s, sql::HealthLevel::Good),
            finding(u"b"_s, u"vacuum"_s, sql::HealthLevel::Good) });
        const auto texts = [&groups] {
            QStringList all;
            for (int row = 0; row < groups.rowCount(); ++row) {
                all += groups.isHeading(row) ? groups.index(row, groups.headingColumn()).data().toString()
                                             : groups.index(row, HealthModel::Table).data().toString();
            }
            return all;
        };
        QVERIFY(groups.byCheck());
        QCOMPARE(texts(),
            (QStringList {
                u"3 to fix"_s, u"<b>hash: 2 table(s)"_s, u"a"_s, u"b"_s, u"<b>index"_s, u"a"_s, u"2 passed"_s }));
        QCOMPARE(
            groups.index(0, groups.headingColumn()).data(Qt::AccessibleTextRole).toString(), u"Problem: 3 to fix"_s);
        // Several checks of a level stand beneath its heading, which has the badge for all of them.
        QVERIFY(!HealthGroups::isBeneath(groups.groupAt(0)) && HealthGroups::isBeneath(groups.groupAt(1)));
        QCOMPARE(HealthGroups::levelOf(groups.groupAt(0)), sql::HealthLevel::Problem);
        QCOMPARE(HealthGroups::levelOf(groups.groupAt(1)), sql::HealthLevel::Problem);
        groups.setFolded(groups.groupAt(1), true);
        QCOMPARE(groups.rowCount(), 5);
        groups.setFolded(groups.groupAt(4), false); // what is good, by check as well; one alone has the badge itself
        QCOMPARE(texts().sliced(4), (QStringList { u"<b>vacuum: 2 table(s)"_s, u"a"_s, u"b"_s }));
        QVERIFY(!HealthGroups::isBeneath(groups.groupAt(4)));
        QCOMPARE(HealthGroups::levelOf(groups.groupAt(4)), sql::HealthLevel::Good);
        groups.setFolded(groups.groupAt(0), true); // the level with its checks
        QCOMPARE(texts().mid(0, 2), (QStringList { u"3 to fix"_s, u"<b>vacuum: 2 table(s)"_s }));
        groups.setFolded(groups.groupAt(0), false);
        model.setTarget(u"a"_s);
        QVERIFY(!groups.byCheck());
        QCOMPARE(groups.headingColumn(), int(HealthModel::Question));
        QVERIFY(groups.index(0, HealthModel::Question).data().toString().startsWith(u"2 to fix"_s));
    }

    void healthShowsTheWorstFirstAndOneTableAlone()
    {
        HealthModel model;
        QAbstractItemModelTester tester(&model, TesterMode::QtTest);
        model.setReports({ { u"a"_s, u"Table a"_s, { u"x"_s, sql::HealthLevel::Good, u"Fine"_s, u"seen"_s, {}, {} } },
            { u"b"_s, u"Table b"_s,
                { u"y"_s, sql::HealthLevel::Problem, u"Broken"_s, u"<img src=x>\u202e"_s, u"why"_s, u"ALTER"_s } },
            { u"a"_s, u"Table a"_s, { u"z"_s, sql::HealthLevel::Advice, u"Better"_s, u"seen"_s, u"why"_s, {} } } });
        QCOMPARE(model.rowCount(), 2); // what is good is hidden, and counted
        QCOMPARE(model.count(sql::HealthLevel::Good), 1);
        model.showLevel(sql::HealthLevel::Good, true);
        QCOMPARE(model.rowCount(), 3);
        QCOMPARE(model.index(0, HealthModel::Question).data().toString(), u"Broken"_s);
        QCOMPARE(model.index(0, HealthModel::Level).data().toString(), u"Problem"_s);
        QVERIFY(!model.index(0, HealthModel::Seen).data().toString().contains(QChar(0x202e)));
        QCOMPARE(model.problems(), 1);
        model.setTarget(u"a"_s);
        QCOMPARE(model.rowCount(), 2);
        QCOMPARE(model.row(0)->finding.id, u"z"_s);
        QCOMPARE(model.problems(), 1);
        QVERIFY(model.row(2) == nullptr);
        model.setReports({});
        QCOMPARE(model.rowCount(), 0);
    }

    /// A target with all roles and a row in which each says its name: no column may stay empty, and none may crash.
    void everyColumnOfTheKeysShowsSomething()
    {
        sql::Target target = tests::FakeKeys::target();
        sql::KeyRecord record = tests::FakeKeys::record(u"1"_s);
        record.scope = { sql::Cell::of(u"acme"_s) };
        for (const sql::Role role : sql::kAllOf<sql::Role>) {
            target.profile.roles.insert(role, {});
            record.roles.insert(role,
                sql::Cell::of(sql::isTimeRole(role) ? u"2026-11-20 12:00:00+00"_s : u"its "_s + sql::roleName(role)));
        }
        target.profile.fields = { { u"due"_s, { .sql = u"t.due"_s }, sql::FieldType::Time },
            { u"queue"_s, { .sql = u"t.queue"_s }, sql::FieldType::Text },
            { u"latency"_s, { .sql = u"t.ms / 1000.0"_s }, sql::FieldType::Number } };
        record.fields
            = { sql::Cell::of(u"2026-11-20 12:30:00+00"_s), sql::Cell::of(u"mail, fast"_s), sql::Cell::of(u"0.125"_s) };
        const auto columns = keyColumns(target);
        // The scope has one part, and there are three fields.
        QCOMPARE(columns.size(), qsizetype(sql::kEnumCount<KeyColumn>) + 2);
        QCOMPARE(columns.last().id, u"field:latency"_s);
        QVERIFY(columns.last().number && !columns.last().time);
        const sql::Timestamp now = *sql::Timestamp::parse(u"2026-11-20 13:00:00+00"_s);
        for (const KeyColumnSpec &column : columns) {
            QVERIFY2(!column.title.isEmpty() && !column.help.isEmpty(), qPrintable(column.id));
            QVERIFY2(!keyCellText(record, column, {}, now).isEmpty(), qPrintable(column.id));
            if (const auto role = shownRole(column.column)) {
                QCOMPARE(keyCellRaw(record, column).toString(), record.role(*role).text);
            }
        }
        // Whatever it shows can be asked for, and is understood.
        const FilterVocabulary words = vocabularyOf(target.profile);
        for (const KeyColumnSpec &column : columns) {
            const auto asked = cellFilter(record, column, target.profile, QTimeZone::utc());
            QVERIFY2(asked.has_value(), qPrintable(column.id));
            const auto filter = parseFilter(asked->term, words);
            QVERIFY2(filter.ok() || column.column == KeyColumn::Attempts, qPrintable(asked->term));
            QCOMPARE(filterWithoutField(u"x "_s + asked->term, asked->field), u"x"_s);
        }
        record.roles[sql::Role::Owner].fullBytes = 9'000; // only its beginning was read
        for (const KeyColumnSpec &column : columns) {
            QCOMPARE(cellFilter(record, column, target.profile, QTimeZone::utc()).has_value(),
                column.column != KeyColumn::Owner);
        }
    }

    /// A value never gets out of its place in an address, and one that is missing makes none.
    void linksAreFilledInFromTheRow()
    {
        sql::Target target = tests::FakeKeys::target();
        target.profile.fields = { { u"trace"_s, { .sql = u"t.trace"_s }, sql::FieldType::Text } };
        target.profile.links = { { u"Trace"_s, u"https://t.example/trace/{trace}#top"_s },
            { u"Order"_s, u"https://shop.example/?id={result_id}&key={key}"_s },
            { u"Help"_s, u"https://h.example"_s } };
        sql::KeyRecord record = tests::FakeKeys::record(u"1"_s);
        record.key = sql::Cell::of(u"a/../b?c=d&e#f é\u202e{trace}@evil.example"_s);
        record.fields = { sql::Cell::of(u"4bf92f"_s) };
        record.roles.insert(sql::Role::ResultId, sql::Cell::of(u"o-1"_s));
        const auto links = keyLinks(target.profile, record);
        QCOMPARE(links.size(), 3);
        QCOMPARE(links.at(0).url.toString(QUrl::FullyEncoded), u"https://t.example/trace/4bf92f#top"_s);
        QCOMPARE(links.at(1).url.host(), u"shop.example"_s);
        QCOMPARE(links.at(1).url.toString(QUrl::FullyEncoded),
            u"https://shop.example/?id=o-1&key=a%2F..%2Fb%3Fc%3Dd%26e%23f%20%C3%A9%E2%80%AE%7Btrace%7D%40evil.example"_s);
        record.fields = { sql::Cell() };
        record.roles[sql::Role::ResultId].fullBytes = 9'000; // only its beginning is known
        QCOMPARE(keyLinks(target.profile, record).size(), 1);
        sql::ConflictRecord conflict;
        conflict.attributes = { { u"trace"_s, u"00f"_s } };
        const auto told = conflictLinks(target.profile, conflict);
        QCOMPARE(told.size(), 2);
        QCOMPARE(told.at(0).url.toString(), u"https://t.example/trace/00f#top"_s);
    }

    /// Stretches keep their proportions; a silence of weeks is cut, says so, and leaves the minutes room.
    void aStoryIsDrawnToScale()
    {
        const auto target = tests::FakeKeys::target();
        sql::KeyDetail detail;
        const auto at
            = [&detail](sql::Role role, const QString &time) { detail.record.roles.insert(role, sql::Cell::of(time)); };
        at(sql::Role::CreatedAt, u"2026-10-20 10:00:00+00"_s);
        at(sql::Role::ClaimedAt, u"2026-10-20 10:01:00+00"_s);
        at(sql::Role::HeartbeatAt, u"2026-10-20 10:03:00+00"_s);
        at(sql::Role::LeaseUntil, u"2026-10-20 10:05:00+00"_s);
        at(sql::Role::ExpiresAt, u"2026-12-20 10:00:00+00"_s);
        detail.now = *sql::Timestamp::parse(u"2026-11-16 10:05:00+00"_s);
        const StoryScale scale = scaleOf(storyOf(target, detail));
        QCOMPARE(scale.gaps.size(), 2);
        QCOMPARE(scale.gaps.at(0).text, u"27 d of silence"_s);
        QVERIFY(!scale.gaps.at(0).future && scale.gaps.at(1).future);
        QCOMPARE(scale.gaps.at(1).text, u"row expires in 33 d 23 h"_s); // what is to come is no silence
        // A cache's end in between: both say whose end it is, and are told from now on.
        QList<StoryEvent> events = storyOf(target, detail);
        StoryEvent ends;
        ends.kind = StoryEvent::Kind::CacheEnds;
        ends.at = detail.now;
        ends.at->micros += 22 * 3'600 * sql::kMicros;
        ends.future = true;
        events += ends;
        QStringList told;
        for (const StoryScale::Gap &gap : scaleOf(events).gaps) {
            told += gap.text;
        }
        QCOMPARE(told.last(), u"row expires in 33 d 23 h"_s);
        QVERIFY2(told.contains(u"cache expires in 22 h"_s), qPrintable(told.join(u'|')));
        const auto mark = [&scale](StoryEvent::Kind kind) {
            return std::find_if(scale.marks.cbegin(), scale.marks.cend(), [kind](const StoryScale::Mark &one) {
                return one.kind == kind;
            })->at;
        };
        const double minute = mark(StoryEvent::Kind::Claimed) - mark(StoryEvent::Kind::Created);
        QVERIFY(minute > 0.05);
        QVERIFY(qAbs(mark(StoryEvent::Kind::Heartbeat) - mark(StoryEvent::Kind::Claimed) - 2 * minute) < 1e-9);
        QCOMPARE(scale.spans.size(), 3); // seen at work, no end known, and the lease
        QCOMPARE(scale.spans.at(0).text, u"seen at work for 2 min"_s);
        QCOMPARE(scale.spans.at(1).kind, StoryScale::Span::Kind::Unfinished);
        QCOMPARE(scale.spans.at(2).text, u"lease of 4 min"_s);
        QVERIFY(scale.now < 1 && mark(StoryEvent::Kind::Expires) == 1.0);
        // One that ended is a bar to its end, and its rest is no silence.
        at(sql::Role::CompletedAt, u"2026-10-20 10:04:00+00"_s);
        const StoryScale done = scaleOf(storyOf(target, detail));
        QCOMPARE(done.spans.at(0).text, u"took 3 min"_s);
        QVERIFY(!done.text().contains(u"silence"_s));
        QVERIFY(scaleOf({}).empty());
    }

    /// Many tables keep no time of completion, and leave claim and lease in the row.
    void anEndedKeyIsNotDrawnAsRunning()
    {
        const auto target = tests::FakeKeys::target();
        sql::KeyDetail detail;
        const auto at
            = [&detail](sql::Role role, const QString &time) { detail.record.roles.insert(role, sql::Cell::of(time)); };
        at(sql::Role::CreatedAt, u"2026-10-20 10:00:00+00"_s);
        at(sql::Role::ClaimedAt, u"2026-10-20 10:01:00+00"_s);
        at(sql::Role::UpdatedAt, u"2026-10-20 10:03:00+00"_s);
        detail.now = *sql::Timestamp::parse(u"2026-11-16 10:05:00+00"_s);
        const auto unfinished = [](const StoryScale &scale) {
            return std::any_of(scale.spans.cbegin(), scale.spans.cend(),
                [](const auto &span) { return span.kind == StoryScale::Span::Kind::Unfinished; });
        };
        for (const sql::KeyState state :
            { sql::KeyState::Succeeded, sql::KeyState::FailedFinal, sql::KeyState::FailedRetryable }) {
            detail.record.state = state;
            const auto events = storyOf(target, detail);
            const StoryScale ended = scaleOf(events);
            QVERIFY2(!unfinished(ended) && !ended.text().contains(u"silence"_s), qPrintable(ended.text()));
            QCOMPARE(withSilence(events).size(), events.size());
        }
        for (const sql::KeyState state : { sql::KeyState::InProgress, sql::KeyState::Pending }) {
            detail.record.state = state;
            const StoryScale open = scaleOf(storyOf(target, detail));
            QVERIFY2(unfinished(open) && open.text().contains(u"27 d of silence"_s), qPrintable(open.text()));
            QVERIFY2(!open.text().contains(u"lease"_s), qPrintable(open.text())); // there is none
        }
    }

    /// Final failures are freed by the verb whose rules do so, and only those that a retry would have survived.
    void healthNamesTheVerbThatPutsItRight()
    {
        sql::HealthFinding finding;
        finding.id = u"retryable_final"_s;
        sql::Profile profile = tests::FakeKeys::target().profile;
        QVERIFY(healthRecovery(finding, profile).filter.isEmpty());
        finding.recoverable = true;
        profile.roles.insert(sql::Role::ErrorCode, {});
        sql::ActionRule rule;
        rule.from = { sql::KeyState::FailedFinal };
        rule.to = sql::KeyState::FailedRetryable;
        profile.requeue = {};
        profile.reclassify = { rule };
        QCOMPARE(healthRecovery(finding, profile).verb, sql::ActionVerb::Reclassify);
        profile.requeue = { rule };
        const HealthRecovery remedy = healthRecovery(finding, profile);
        QCOMPARE(remedy.verb, sql::ActionVerb::Requeue);
        QVERIFY(remedy.filter.startsWith(u"state:failed_final error:40001,"_s));
        QVERIFY(parseFilter(remedy.filter, {}).ok());
        profile.roles.remove(sql::Role::ErrorCode);
        QVERIFY(parseFilter(healthRecovery(finding, profile).filter, {}).ok());
        finding.id = u"atomic"_s;
        QCOMPARE(healthRecovery(finding, profile).verb, sql::ActionVerb::Recover);
    }

    void aPurgeShowsWhatGoesAndWhatStays()
    {
        const auto scope = [](const QString &name) { return sql::Cells { sql::Cell::of(name) }; };
        sql::PurgePlan plan;
        for (int i = 0; i < 9; ++i) {
            plan.groups.append(sql::PurgeGroup { scope(u"s%1"_s.arg(i)), sql::KeyState::Succeeded, 10 - i });
        }
        sql::PurgeStay stay;
        stay.scopes = { { scope(u"s0"_s), 5, 2, 0 }, { scope(u"only stays"_s), 100, 0, 7 } };
        const auto bars = purgeBars(plan, stay, 4);
        QCOMPARE(bars.size(), 4);
        QCOMPARE(bars.at(0).name, u"only stays"_s);
        QCOMPARE(bars.at(1).rows(), 17.0);
        QCOMPARE(bars.at(1).unfinished, 2.0);
        QCOMPARE(bars.at(3).goes, double(8 + 7 + 6 + 5 + 4 + 3 + 2)); // the rest, as one
        QCOMPARE(purgeBars(plan, std::nullopt, 20).size(), 9);
        // What is gone while it runs: each scope's rows stay as many as they were, and the order with them.
        const auto running = purgeBars(plan, stay, 4, { { scope(u"s0"_s), 7 }, { scope(u"s8"_s), 2 } });
        QCOMPARE(running.at(1).gone, 7.0);
        QCOMPARE(running.at(1).goes, 3.0);
        QCOMPARE(running.at(1).rows(), 17.0);
        QCOMPARE(running.at(3).gone, 2.0);
        QCOMPARE(running.at(3).goes, bars.at(3).goes - 2);
        // What no batch names by its scope is gone all the same: the bars add up to what was purged.
        const auto whole = purgeBars(plan, stay, 4, { { scope(u"s0"_s), 7 } }, 12);
        QCOMPARE(whole.at(1).gone, 7.0);
        QCOMPARE(whole.at(3).gone, 5.0);
        QCOMPARE(whole.at(3).goes, bars.at(3).goes - 5);
        // Where they are more than the smallest ones had, the next one has its share: what was planned stays the sum.
        const auto ahead = purgeBars(plan, stay, 4, {}, 40);
        double gone = 0;
        double goes = 0;
        for (const PurgeScopeBar &bar : ahead) {
            gone += bar.gone;
            goes += bar.goes;
        }
        QCOMPARE(gone, 40.0);
        QCOMPARE(goes, double(10 + 9 + 8 + 7 + 6 + 5 + 4 + 3 + 2) - 40);
        // Of scopes that were not told apart the rows stand with the others.
        stay.rest = { {}, 40, 1, 2 };
        const auto cut = purgeBars(plan, stay, 20);
        QCOMPARE(cut.constLast().name, u"Other scopes"_s);
        QCOMPARE(cut.constLast().rows(), 43.0);
        QCOMPARE(purgeBars(plan, stay, 4).constLast().rows(), 43.0 + bars.at(3).rows());

        // Scopes that read the same are two.
        for (const sql::Cells &empty : { sql::Cells { sql::Cell() }, scope(u"–"_s),
                 sql::Cells { sql::Cell::of(u"a / b"_s), sql::Cell::of(u"c"_s) },
                 sql::Cells { sql::Cell::of(u"a"_s), sql::Cell::of(u"b / c"_s) } }) {
            sql::PurgeGroup group { empty, sql::KeyState::Succeeded, 1 };
            group.wholeScope = true;
            plan.groups += { group, group }; // one scope in two states is one
        }
        QCOMPARE(emptiedScopes(plan), 4);
    }

    void aPurgeThatEndedSaysWhatIsGone()
    {
        sql::ActionRecord action;
        action.verb = sql::ActionVerb::Purge;
        action.state = sql::ActionState::Cancelled;
        action.plannedRows = 40'000;
        action.counts = { { u"purged"_s, 12'000 } };
        action.keepUntil = u"2026-12-23"_s;
        const QDate today(2026, 12, 16);
        QCOMPARE(
            purgeEndDetail(action, today), u"The rest is untouched. Undo possible for 7 day(s), until 2026-12-23."_s);
        QCOMPARE(
            purgeEndDetail(action, QDate(2026, 12, 23)), u"The rest is untouched. Undo possible until 2026-12-23."_s);
        action.planJson = R"({"images": false})";
        QCOMPARE(purgeEndDetail(action), u"The rest is untouched. What is gone was not kept and cannot be undone."_s);
        action.counts.clear();
        QCOMPARE(purgeEndDetail(action), u"The rest is untouched."_s);
        action.state = sql::ActionState::Finished;
        QCOMPARE(purgeEndDetail(action), QString());
    }

    /// Columns shrink first; then the least important one goes. What a person chose stays, room or not.
    void columnsFitTheRoom()
    {
        QList<FittingColumn> columns { { 240, 150, 0, false }, { 130, 130, 0, false }, { 120, 80, 6, false },
            { 110, 70, 8, false } };
        QCOMPARE(fitColumns(columns, 1'000), (QList<int> { 240, 130, 120, 110 }));
        QCOMPARE(fitColumns(columns, 430), (QList<int> { 150, 130, 80, 70 }));
        QCOMPARE(fitColumns(columns, 420).at(3), 0); // the highest rank
        QCOMPARE(fitColumns(columns, 300), (QList<int> { 170, 130, 0, 0 }));
        QCOMPARE(fitColumns(columns, 100), (QList<int> { 150, 130, 0, 0 })); // these say what a row is
        columns[3].chosen = true;
        QCOMPARE(fitColumns(columns, 300), (QList<int> { 150, 130, 0, 110 }));
    }

    void labelsOfProfilesAreHeadings_data()
    {
        QTest::addColumn<QString>("label");
        QTest::addColumn<QString>("title");
        QTest::newRow("a word") << u"expiry"_s << u"Expiry"_s;
        QTest::newRow("words") << u"event_type"_s << u"Event type"_s;
        QTest::newRow("as it should be") << u"SKU group"_s << u"SKU group"_s;
        QTest::newRow("hostile") << u"a\nb"_s << u"A\\nb"_s;
        QTest::newRow("nothing") << QString() << QString();
    }
    void labelsOfProfilesAreHeadings()
    {
        QFETCH(QString, label);
        QTEST(labelTitle(label), "title");
    }

    void partitionsStandByTheirTime()
    {
        const auto partition = [](const QString &bounds, qint64 rows, qint64 purgeable) {
            sql::PartitionFacts facts;
            facts.bounds = bounds;
            facts.rows = rows;
            facts.purgeable = purgeable;
            facts.onlyPurgeable = rows > 0 && rows == purgeable;
            return facts;
        };
        const auto periods = partitionPeriods({
            partition(u"FOR VALUES FROM ('2026-11-02 00:00:00+00') TO ('2026-11-03 00:00:00+00')"_s, 5, 2),
            partition(u"DEFAULT"_s, 5, 5),
            partition(u"FOR VALUES FROM ('2026-11-01') TO ('2026-11-02')"_s, 5, 5),
            partition(u"FOR VALUES FROM ('2026-11-03') TO (MAXVALUE)"_s, 0, 0),
        });
        QCOMPARE(periods.size(), 2); // those with two ends in time
        PartitionsModel shown;
        shown.setPartitions({ partition(u"FOR VALUES FROM ('2026-11-01') TO ('2026-11-02')"_s, 5, 5),
            partition(u"FOR VALUES FROM ('2026-11-01 06:00:00+00') TO ('2026-11-02 00:00:00+00')"_s, 5, 5),
            partition(u"FOR VALUES FROM ('2026-11-03') TO (MAXVALUE)"_s, 0, 0) });
        QStringList holds;
        for (int row = 0; row < shown.rowCount(); ++row) {
            holds += shown.index(row, PartitionsModel::Bounds).data().toString();
        }
        QCOMPARE(holds,
            (QStringList { u"2026-11-01 to 2026-11-02"_s, u"2026-11-01 06:00 to 2026-11-02 00:00"_s,
                u"FROM ('2026-11-03') TO (MAXVALUE)"_s })); // as the server says it where it is no range of time
        QCOMPARE(periods.at(0).row, 2);
        QCOMPARE(periods.at(0).verdict, PartitionPeriod::Verdict::Whole);
        QCOMPARE(periods.at(1).verdict, PartitionPeriod::Verdict::Partly);
        QCOMPARE(periods.at(1).to, QDateTime(QDate(2026, 11, 3), QTime(0, 0), QTimeZone::utc()));
        QVERIFY(standForDays(periods));
        QVERIFY(!standForDays({}));
        // In the zone that is looked at, also over a change of its clocks; a date is the same day everywhere.
        const QTimeZone zone("Europe/Berlin");
        const auto autumn = partitionPeriods(
            {
                partition(u"FOR VALUES FROM ('2026-10-24 22:00:00+00') TO ('2026-10-25 23:00:00+00')"_s, 5, 5),
                partition(u"FOR VALUES FROM ('2026-10-25 23:00:00+00') TO ('2026-10-26 23:00:00+00')"_s, 5, 5),
                partition(u"FOR VALUES FROM ('2026-10-27') TO ('2026-10-28')"_s, 5, 5),
            },
            zone);
        QCOMPARE(autumn.at(0).from, QDateTime(QDate(2026, 10, 25), QTime(0, 0), zone));
        QCOMPARE(autumn.at(0).from.timeZone(), zone);
        QCOMPARE(autumn.at(1).from.date(), QDate(2026, 10, 26));
        QCOMPARE(autumn.at(2).from, QDateTime(QDate(2026, 10, 27), QTime(0, 0), zone));
        QVERIFY(standForDays(autumn));
        // Parts of a day are no days; none hides another.
        const auto berlin = partitionPeriods({
            partition(u"FOR VALUES FROM ('2026-10-31 23:00:00+00') TO ('2026-11-01 23:00:00+00')"_s, 5, 5),
            partition(u"FOR VALUES FROM ('2026-11-01 23:00:00+00') TO ('2026-11-02 23:00:00+00')"_s, 5, 5),
        });
        QCOMPARE(berlin.size(), 2);
        QCOMPARE(berlin.at(0).from.time(), QTime(23, 0));
        QVERIFY(standForDays(berlin)); // the calendar says from when on
        const auto halves = partitionPeriods({
            partition(u"FOR VALUES FROM ('2026-11-01 12:00:00') TO ('2026-11-02 00:00:00')"_s, 5, 5),
            partition(u"FOR VALUES FROM ('2026-11-01 00:00:00') TO ('2026-11-01 12:00:00')"_s, 5, 5),
        });
        QCOMPARE(halves.at(0).row, 1);
        QVERIFY(!standForDays(halves));
        QVERIFY(!standForDays({ periods.at(0), periods.at(0) }));
    }
};

QTEST_MAIN(ModelsTest)
#include "tst_models.moc"
