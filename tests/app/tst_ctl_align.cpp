// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/program_run.h"
#include "tests/support/registered_table.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace idemdesk;
using namespace idemdesk::tests;

/// `align` between two real clusters with a console each: what stands in one region is taken over in the other one.
class CtlAlignTest final : public QObject
{
    Q_OBJECT

    static constexpr int kDone = 0;
    static constexpr int kUsage = 2;
    static constexpr int kRefused = 3;
    static constexpr int kSkipped = 4;

    std::unique_ptr<ConsoleFixture> m_eu;
    std::unique_ptr<ConsoleFixture> m_us;
    std::unique_ptr<QTemporaryDir> m_folder;
    ProgramRun m_run;

    QString groupFile(const QString &usLogin = u"op"_s, const QString &kind = u"regions"_s)
    {
        const QJsonArray members { QJsonObject { { u"label"_s, u"eu"_s },
                                       { u"conninfo"_s, m_eu->cluster().conninfoAs(u"op"_s, m_eu->database()) } },
            QJsonObject {
                { u"label"_s, u"us"_s }, { u"conninfo"_s, m_us->cluster().conninfoAs(usLogin, m_us->database()) } } };
        QFile file(m_folder->filePath(u"group.json"_s));
        insist(file.open(QIODevice::WriteOnly), file.errorString());
        file.write(QJsonDocument(QJsonObject { { u"idemdesk_group"_s, 1 }, { u"name"_s, u"payments"_s },
                                     { u"kind"_s, kind }, { u"members"_s, members } })
                       .toJson());
        return file.fileName();
    }
    int align(const QStringList &more, const QString &usLogin = u"op"_s, const QString &kind = u"regions"_s)
    {
        m_run = runProgram(QStringLiteral(IDEMDESKCTL),
            QStringList { u"align"_s, u"--group"_s, groupFile(usLogin, kind), u"--target"_s, u"k2"_s } + more,
            { privateEnvironment(m_folder->path()) });
        return m_run.status;
    }
    int carriedOut(const QStringList &more = { u"--json"_s }, const QString &usLogin = u"op"_s)
    {
        return align(
            QStringList { u"--reason"_s, u"replication was off"_s, u"--ticket"_s, u"OPS-9"_s, u"--yes"_s } + more,
            usLogin);
    }
    /// As its schema in the package says.
    void hasItsShape() const
    {
        QFile document(m_folder->filePath(u"documents/align.json"_s));
        QVERIFY(QDir(m_folder->path()).mkpath(u"documents"_s) && document.open(QIODevice::WriteOnly));
        QVERIFY(document.write(m_run.out) == m_run.out.size());
        document.close();
        const ProgramRun check = runProgram(u"/usr/bin/python3"_s,
            { QStringLiteral(CHECK_SHAPES), QStringLiteral(SCHEMAS), QFileInfo(document).path() });
        QVERIFY2(check.status == 0, check.said().constData());
    }
    /// "MEMBER KEY FROM TO OUTCOME" of each key that was to be aligned.
    QStringList items() const
    {
        QStringList lines;
        const QJsonArray all = m_run.items();
        for (const QJsonValue &item : all) {
            lines += QStringList { item[u"member"].toString(), item[u"key"].toString(), item[u"from"].toString(),
                item[u"to"].toString(), item[u"outcome"].toString() }
                         .join(u' ');
        }
        lines.sort();
        return lines;
    }
    QStringList left() const
    {
        QStringList lines;
        const QJsonArray all = m_run.json().value(u"left"_s).toArray();
        for (const QJsonValue &key : all) {
            lines += key[u"kind"].toString() + u' ' + key[u"key"].toString();
        }
        lines.sort();
        return lines;
    }
    static QString row(ConsoleFixture &side, const QString &key)
    {
        return side.root().value(u"SELECT status || ' ' || coalesce(result, '-') FROM app.k WHERE key = $1"_s, { key });
    }
    void change(ConsoleFixture &side, const QString &sql)
    {
        const auto answer = side.root().run(sql);
        QVERIFY2(answer.ok(), qPrintable(answer.value()));
    }
    static QByteArray alignProfile()
    {
        return R"json({"roles": {"status": "t.status", "attempts": "t.attempts", "lease_until": "t.locked_until",
            "updated_at": "t.updated_at", "expires_at": "t.expires_at", "result_id": "t.result", "fingerprint": "t.price"},
          "actions": {"recover": [], "requeue": [], "reclassify": [], "align": [
            {"from": ["in_progress", "failed_retryable", "failed_final"], "to": "succeeded",
             "copy": ["status", "result", "locked_until"], "set": {"updated_at": "$now"}},
            {"from": ["failed_retryable"], "to": "failed_final", "copy": ["status", "result"]}]}})json";
    }
    /// A difference of every kind, in a database where all else is alike.
    void differ()
    {
        for (ConsoleFixture *side : { m_eu.get(), m_us.get() }) {
            change(*side, u"UPDATE app.k SET updated_at = '2026-11-01'"_s);
        }
        change(*m_eu, uR"(UPDATE app.k SET status = 'failed' WHERE key IN ('k001', 'k005');
            UPDATE app.k SET status = 'succeeded', result = 'ch_2', locked_until = NULL WHERE key = 'k002';
            UPDATE app.k SET status = 'failed', updated_at = '2026-11-09' WHERE key = 'k004';
            UPDATE app.k SET locked_until = now() + interval '1 hour' WHERE key = 'k006')"_s);
        change(
            *m_us, uR"(UPDATE app.k SET status = 'succeeded', result = 'ch_1', locked_until = NULL WHERE key = 'k001';
            UPDATE app.k SET result = 'twice' WHERE key = 'd0001';
            DELETE FROM app.k WHERE key = 'd0002';
            UPDATE app.k SET price = 9 WHERE key = 'k003';
            UPDATE app.k SET status = 'dead', updated_at = '2026-11-08' WHERE key = 'k005';
            UPDATE app.k SET status = 'succeeded', result = 'ch_6', locked_until = NULL WHERE key = 'k006')"_s);
    }

private slots:
    void initTestCase()
    {
        m_eu = std::make_unique<ConsoleFixture>();
        m_us = std::make_unique<ConsoleFixture>();
    }
    void cleanupTestCase()
    {
        m_us.reset();
        m_eu.reset();
    }
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        for (ConsoleFixture *side : { m_eu.get(), m_us.get() }) {
            side->fresh([side] {
                side->forgetBare();
                side->root().run(u"GRANT USAGE ON SCHEMA app TO adm, op; GRANT SELECT ON app.k, app.eff TO adm, op"_s);
                registerTable(*side, alignProfile());
            });
        }
        differ();
    }

    void aPlanChangesNothing()
    {
        QCOMPARE(align({ u"--dry-run"_s, u"--json"_s }), kSkipped);
        QCOMPARE(items(),
            QStringList({ u"eu k001 failed_retryable succeeded "_s, u"eu k005 failed_retryable failed_final "_s,
                u"us k002 in_progress succeeded "_s }));
        // Two results, another request, nothing there, no rule for it, and what a worker holds.
        QCOMPARE(left(),
            QStringList(
                { u"fingerprint k003"_s, u"missing d0002"_s, u"results d0001"_s, u"state k004"_s, u"state k006"_s }));
        hasItsShape();
        QStringList written;
        const QJsonArray items = m_run.items();
        for (const QJsonValue &item : items) {
            const QJsonArray changes = item[u"changes"].toArray();
            for (const QJsonValue &change : changes) {
                written += item[u"key"].toString() + u' ' + change[u"column"].toString() + u": "_s
                    + change[u"before"].toString() + u" > "_s + change[u"after"].toString() + change[u"sql"].toString();
            }
        }
        written.sort();
        QCOMPARE(written.filter(u"status"_s),
            QStringList({ u"k001 status: failed > succeeded"_s, u"k002 status: processing > succeeded"_s,
                u"k005 status: failed > dead"_s }));
        QVERIFY2(written.contains(u"k001 result:  > ch_1"_s), qPrintable(written.join(u'\n')));
        QCOMPARE(written.filter(u"$now"_s).size(), 2);
        QVERIFY(written.filter(u"$now"_s).constFirst().startsWith(u"k001 updated_at: 2026-11-01"));
        QCOMPARE(m_run.json().value(u"group"_s)[u"id"], QJsonValue());
        QCOMPARE(row(*m_eu, u"k001"_s), u"failed -"_s);
        for (ConsoleFixture *side : { m_eu.get(), m_us.get() }) {
            QCOMPARE(side->root().value(u"SELECT count(*) FROM idemdesk.action"_s), u"0"_s);
        }
    }

    /// On a narrow terminal no line of the plan is wider than that, and a wrong column stops it before it acts.
    void aPlanFitsAndNamesItsColumns()
    {
        for (ConsoleFixture *side : { m_eu.get(), m_us.get() }) {
            change(*side, u"UPDATE app.k SET key = 'a-key-of-some-length-' || key WHERE key <> 'k001'"_s);
        }
        const ProgramRun wide = runProgram(u"/usr/bin/script"_s,
            { u"-qec"_s,
                u"stty cols 80 rows 200; %1 align --group %2 --target k2 --dry-run"_s.arg(
                    QStringLiteral(IDEMDESKCTL), groupFile()),
                u"/dev/null"_s },
            { privateEnvironment(m_folder->path()) });
        static const QRegularExpression escapes(u"\x1b\\[[0-9;]*[A-Za-z]|\r"_s);
        const QString text = QString::fromUtf8(wide.out).remove(escapes);
        QVERIFY2(text.contains(u"To align:") && text.contains(u"What would be written:"), qPrintable(text));
        const QStringList lines = text.section(u"To align:"_s, 1).split(u'\n');
        for (const QString &line : lines) {
            QVERIFY2(line.size() <= 80, qPrintable(line));
        }
        QCOMPARE(carriedOut({ u"--columns"_s, u"key,nope"_s }), kUsage);
        QVERIFY2(m_run.err.contains(u"nope") && m_run.err.contains(u"difference"), m_run.said().constData());
        QCOMPARE(row(*m_eu, u"k001"_s), u"failed -"_s);
        QCOMPARE(align({ u"--dry-run"_s, u"--columns"_s, u"key,then"_s }), kSkipped);
    }

    void eachSideTakesOverWhatStands()
    {
        QCOMPARE(carriedOut(), kSkipped);
        QCOMPARE(items(),
            QStringList({ u"eu k001 failed_retryable succeeded done"_s, u"eu k005 failed_retryable failed_final done"_s,
                u"us k002 in_progress succeeded done"_s }));
        hasItsShape();
        QCOMPARE(row(*m_eu, u"k001"_s), u"succeeded ch_1"_s);
        QCOMPARE(row(*m_us, u"k002"_s), u"succeeded ch_2"_s);
        QCOMPARE(row(*m_eu, u"k005"_s), u"dead -"_s);
        // What succeeded twice, or is somebody's, stays.
        QCOMPARE(row(*m_eu, u"d0001"_s), u"succeeded x"_s);
        QCOMPARE(row(*m_us, u"d0001"_s), u"succeeded twice"_s);
        QCOMPARE(row(*m_eu, u"k006"_s), u"processing -"_s);
        // One id, reason and ticket in both trails.
        const QString asked = u"SELECT concat_ws(' ', plan #>> '{group,id}', plan #>> '{group,name}', plan #>> "
                              "'{group,member}', plan ->> 'winner', reason, ticket) FROM idemdesk.action"_s;
        const QString id = m_run.json().value(u"group"_s)[u"id"].toString();
        QCOMPARE(m_eu->root().value(asked), id + u" payments eu us replication was off OPS-9"_s);
        QCOMPARE(m_us->root().value(asked), id + u" payments us eu replication was off OPS-9"_s);
        for (ConsoleFixture *side : { m_eu.get(), m_us.get() }) {
            QCOMPARE(ConsoleFixture::verified(side->root()), u"t"_s);
        }
        // Again: they agree now.
        QCOMPARE(align({ u"--dry-run"_s, u"--json"_s }), kSkipped);
        QCOMPARE(items(), QStringList());
    }

    void itIsTakenBack()
    {
        QCOMPARE(carriedOut(), kSkipped);
        const QString id = m_eu->root().value(u"SELECT id FROM idemdesk.action"_s);
        m_run = runProgram(QStringLiteral(IDEMDESKCTL),
            { u"actions"_s, u"undo"_s, id, u"--reason"_s, u"oops"_s, u"--connect"_s,
                m_eu->cluster().conninfoAs(u"op"_s, m_eu->database()) },
            { privateEnvironment(m_folder->path()) });
        QVERIFY2(m_run.status == kDone, m_run.said().constData());
        QCOMPARE(row(*m_eu, u"k001"_s), u"failed -"_s);
        QCOMPARE(row(*m_us, u"k002"_s), u"succeeded ch_2"_s); // the other region's stays
    }

    void aRowThatIsHeldIsLeftAndNamed()
    {
        const auto holder = m_eu->as(u"service"_s);
        QVERIFY(holder->run(u"BEGIN; SELECT 1 FROM app.k WHERE key = 'k001' FOR UPDATE"_s).ok());
        QCOMPARE(carriedOut({}), kSkipped);
        QVERIFY2(m_run.err.contains(u"k001"_s), m_run.said().constData());
        QCOMPARE(row(*m_eu, u"k001"_s), u"failed -"_s);
        QCOMPARE(row(*m_us, u"k002"_s), u"succeeded ch_2"_s);
    }

    void aRegionThatRefusesLeavesTheOther()
    {
        change(*m_us, u"GRANT SELECT ON app.k TO viewer; GRANT USAGE ON SCHEMA app TO viewer"_s);
        QCOMPARE(carriedOut({ u"--json"_s }, u"viewer"_s), kRefused);
        QCOMPARE(row(*m_eu, u"k001"_s), u"succeeded ch_1"_s);
        QCOMPARE(row(*m_us, u"k002"_s), u"processing -"_s);
        const QJsonArray actions = m_run.json().value(u"actions"_s).toArray();
        QCOMPARE(actions.size(), 2);
        QCOMPARE(actions.at(1)[u"member"].toString(), u"us"_s);
        QVERIFY2(actions.at(1)[u"error"].isObject(), m_run.said().constData());
        hasItsShape();
    }

    /// The other region's values are the word of who asks: whoever approves must see them.
    void whoApprovesSeesWhatWouldBeWritten()
    {
        change(*m_us, u"UPDATE idemdesk.target_limit SET approval_above = 0 WHERE relation = 'app.k'::regclass"_s);
        QCOMPARE(carriedOut(), kRefused);
        QCOMPARE(row(*m_us, u"k002"_s), u"processing -"_s);
        const auto asked = [this](const QStringList &more) {
            return runProgram(QStringLiteral(IDEMDESKCTL),
                QStringList { u"requests"_s, u"--connect"_s, m_us->cluster().conninfoAs(u"op"_s, m_us->database()) }
                    + more,
                { privateEnvironment(m_folder->path()) });
        };
        const ProgramRun told = asked({});
        QVERIFY2(told.out.contains("result = \u201Cch_2\u201D"), told.said().constData());
        QVERIFY2(told.out.contains("the rows of \u201Ceu\u201D stand"), told.said().constData());
        const ProgramRun json = asked({ u"--json"_s });
        QCOMPARE(json.items().at(0)[u"rows_asked"][0][u"other"][u"values"][1].toString(), u"ch_2"_s);
    }

    void itNeedsAReasonAndRegions()
    {
        QCOMPARE(align({}), kUsage);
        QVERIFY(m_run.err.contains(u"--reason"_s));
        QCOMPARE(align({ u"--dry-run"_s }, u"op"_s, u"replicas"_s), kUsage);
        QCOMPARE(row(*m_eu, u"k001"_s), u"failed -"_s);
    }
};

QTEST_GUILESS_MAIN(CtlAlignTest)
#include "tst_ctl_align.moc"
