// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/program_run.h"
#include "tests/support/registered_table.h"

#include <QCryptographicHash>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace idemdesk;
using namespace idemdesk::tests;

/// Case files from the terminal: what they say, that all three forms say the same, and that nothing hostile or masked
/// gets into them.
class CtlCaseTest final : public QObject
{
    Q_OBJECT

    std::unique_ptr<ConsoleFixture> m_fixture;
    std::unique_ptr<QTemporaryDir> m_folder;

    int run(
        const QString &program, const QStringList &arguments, QByteArray *out = nullptr, QString *err = nullptr) const
    {
        const ProgramRun run = runProgram(program, arguments, { privateEnvironment(m_folder->path()) });
        if (out != nullptr) {
            *out = run.out;
        }
        if (err != nullptr) {
            *err = run.err;
        }
        return run.status;
    }
    int makeCase(const QString &key, const QString &file, const QStringList &more = {}, const QString &login = u"op"_s,
        QString *err = nullptr) const
    {
        return run(QStringLiteral(IDEMDESKCTL),
            QStringList { u"case"_s, key, u"--target"_s, u"k2"_s, u"-o"_s, m_folder->filePath(file), u"--connect"_s,
                m_fixture->cluster().conninfoAs(login, m_fixture->database()) }
                + more,
            nullptr, err);
    }
    QByteArray content(const QString &file) const
    {
        QFile read(m_folder->filePath(file));
        return read.open(QIODevice::ReadOnly) ? read.readAll() : QByteArray();
    }
    QJsonObject json(const QString &file) const { return QJsonDocument::fromJson(content(file)).object(); }

private slots:
    void initTestCase()
    {
        QTest::failOnWarning(QRegularExpression(u".*"_s));
        m_fixture = std::make_unique<ConsoleFixture>();
    }
    void cleanupTestCase() { m_fixture.reset(); }
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_fixture->fresh([this] {
            m_fixture->forgetBare();
            QVERIFY(
                m_fixture->root()
                    .run(u"GRANT USAGE ON SCHEMA app TO op, adm; GRANT SELECT ON ALL TABLES IN SCHEMA app TO op, adm"_s)
                    .ok());
            registerTable(*m_fixture);
        });
    }

    void verdictFollowsTheFacts_data()
    {
        QTest::addColumn<QString>("sql");
        QTest::addColumn<QString>("kind");
        QTest::newRow("one effect")
            << "UPDATE app.k SET status = 'succeeded' WHERE key = 'k001'; DELETE FROM app.eff; INSERT INTO app.eff "
               "(tenant, key, id) SELECT tenant, key, 'e1' FROM app.k WHERE key = 'k001'"
            << "one_effect";
        QTest::newRow("two effects")
            << "UPDATE app.k SET status = 'succeeded' WHERE key = 'k001'; DELETE FROM app.eff; INSERT INTO app.eff "
               "(tenant, key, id) SELECT tenant, key, e FROM app.k, unnest(ARRAY['e1', 'e2']) e WHERE key = 'k001'"
            << "several_effects";
        QTest::newRow("still in progress") << "UPDATE app.k SET status = 'processing', locked_until = now() + interval "
                                              "'1 hour' WHERE key = 'k001'; DELETE FROM app.eff"
                                           << "unfinished";
        QTest::newRow("stuck") << "UPDATE app.k SET status = 'processing', locked_until = now() - interval '27 days' "
                                  "WHERE key = 'k001'; DELETE FROM app.eff"
                               << "stuck";
        // That another key's effect is found is what makes finding none say something.
        QTest::newRow("failed, and nothing done")
            << "UPDATE app.k SET status = 'dead' WHERE key = 'k001'; DELETE FROM app.eff; INSERT INTO app.eff (tenant, "
               "key, id) SELECT tenant, key, 'e1' FROM app.k WHERE key = 'd0001'"
            << "nothing_done";
        QTest::newRow("failed, and no effect is ever found")
            << "UPDATE app.k SET status = 'dead' WHERE key = 'k001'; DELETE FROM app.eff"
            << "evidence_missing";
        QTest::newRow("refused reuse")
            << "UPDATE app.k SET status = 'succeeded' WHERE key = 'k001'; DELETE FROM app.eff; INSERT INTO app.eff "
               "(tenant, key, id) SELECT tenant, key, 'e1' FROM app.k WHERE key = 'k001'; "
               "SET ROLE idemdesk_owner; SELECT idemdesk.record_conflict('t1', 'k001', 'a', 'b'); RESET ROLE"
            << "conflict_refused";
    }
    void verdictFollowsTheFacts()
    {
        QFETCH(QString, sql);
        QFETCH(QString, kind);
        const auto done = m_fixture->root().run(sql);
        QVERIFY2(done.ok(), qPrintable(done.value()));
        QString err;
        QVERIFY2(makeCase(u"k001"_s, u"c.json"_s, {}, u"op"_s, &err) == 0, qPrintable(err));
        const QJsonObject verdict = json(u"c.json"_s).value(u"verdict"_s).toObject();
        QCOMPARE(verdict.value(u"kind"_s).toString(), kind);
        // Two effects of one key are proven by themselves; the rest is not, as long as nobody searched every scope.
        QCOMPARE(verdict.value(u"certainty"_s).toString() == u"proven", kind == u"several_effects");
        QVERIFY(!verdict.value(u"rules"_s).toArray().isEmpty());
    }

    void allFormsAreOfOneCase()
    {
        QCOMPARE(makeCase(u"k001"_s, u"c.json"_s, { u"--complaint"_s, u"charged <b>twice</b>"_s }), 0);
        QCOMPARE(makeCase(u"k001"_s, u"c.html"_s, { u"--complaint"_s, u"charged <b>twice</b>"_s }), 0);
        QString err;
        QVERIFY2(makeCase(u"k001"_s, u"c.pdf"_s, { u"--complaint"_s, u"charged <b>twice</b>"_s }, u"op"_s, &err) == 0,
            qPrintable(err));
        const QString html = QString::fromUtf8(content(u"c.html"_s));
        QVERIFY(html.contains(u"charged &lt;b&gt;twice"_s) && !html.contains(u"<b>twice"_s));
        QVERIFY(!html.contains(u"src="_s) && !html.contains(u"href="_s)); // nothing to load
        QVERIFY(content(u"c.pdf"_s).startsWith("%PDF"));
        QByteArray text;
        QCOMPARE(run(u"pdftotext"_s, { u"-layout"_s, m_folder->filePath(u"c.pdf"_s), u"-"_s }, &text), 0);
        QVERIFY2(text.contains("k001") && text.contains("Verdict") && text.contains("Page 1 of"), text.constData());
        static const QRegularExpression sha(u"\\b[0-9a-f]{64}\\b"_s);
        QVERIFY(sha.globalMatch(QString::fromUtf8(text)).hasNext());
        // Made in different moments their JSON differs; of one moment the hash is that of the JSON: the document says
        // which.
        const QJsonObject trail = json(u"c.json"_s).value(u"trail"_s).toObject();
        QVERIFY(trail.value(u"intact"_s).toBool() && html.contains(trail.value(u"head_hash"_s).toString()));
        QCOMPARE(QFile::permissions(m_folder->filePath(u"c.pdf"_s)) & (QFile::ReadGroup | QFile::ReadOther),
            QFile::Permissions());
    }

    /// What was done from the console stands in the file with the numbers and hashes of its rows in the trail.
    void actionsCarryTheirPlaceInTheTrail()
    {
        // A query that never finds anything proves nothing: a key that succeeded has its effect.
        QVERIFY(m_fixture->root()
                    .run(u"DELETE FROM app.eff; "
                         "INSERT INTO app.eff SELECT 'e-' || key, tenant, key FROM app.k WHERE key = 'd0001'"_s)
                    .ok());
        QString err;
        run(QStringLiteral(IDEMDESKCTL),
            { u"recover"_s, u"--target"_s, u"k2"_s, u"--reason"_s, u"stuck"_s, u"--connect"_s,
                m_fixture->cluster().conninfoAs(u"op"_s, m_fixture->database()) },
            nullptr, &err);
        QCOMPARE(makeCase(u"k001"_s, u"c.json"_s), 0);
        QCOMPARE(makeCase(u"k001"_s, u"c.html"_s), 0);
        const QJsonArray rows = json(u"c.json"_s).value(u"trail"_s).toObject().value(u"rows"_s).toArray();
        QVERIFY2(rows.size() >= 2, qPrintable(err)); // begun, and at least one batch
        const QString html = QString::fromUtf8(content(u"c.html"_s));
        for (const QJsonValue &value : rows) {
            const QJsonObject row = value.toObject();
            QCOMPARE(m_fixture->root().value(u"SELECT encode(hash, 'hex') FROM idemdesk.audit WHERE seq = %1"_s.arg(
                         row.value(u"seq"_s).toInteger())),
                row.value(u"hash"_s).toString());
            QVERIFY(html.contains(row.value(u"hash"_s).toString()));
        }
    }

    void hostileTextsStayTexts()
    {
        QVERIFY(
            m_fixture->root()
                .run(
                    u"UPDATE app.k SET result = '<script>alert(1)</script><img src=file:///etc/passwd>' || chr(8238) WHERE key = 'k001'"_s)
                .ok());
        QCOMPARE(makeCase(u"k001"_s, u"c.html"_s), 0);
        const QString html = QString::fromUtf8(content(u"c.html"_s));
        QVERIFY(!html.contains(u"<script"_s) && !html.contains(u"<img"_s) && !html.contains(QChar(0x202e)));
        QVERIFY(html.contains(u"&lt;script&gt;"_s));
    }

    void maskedColumnsAreLeftOut()
    {
        registerTable(*m_fixture, R"({"masking": ["result_id", "attempts"]})");
        QVERIFY(m_fixture->root().run(u"UPDATE app.k SET result = 'secret-4711' WHERE key = 'k001'"_s).ok());
        QCOMPARE(makeCase(u"k001"_s, u"c.json"_s), 0);
        QCOMPARE(makeCase(u"k001"_s, u"c.html"_s), 0);
        QVERIFY(!content(u"c.json"_s).contains("secret-4711") && !content(u"c.html"_s).contains("secret-4711"));
        QVERIFY(content(u"c.html"_s).contains("(masked)"));
        QVERIFY(json(u"c.json"_s)
                    .value(u"rows"_s)
                    .toArray()
                    .at(0)
                    .toObject()
                    .value(u"masked"_s)
                    .toArray()
                    .contains(u"result"_s));
    }

    /// Whether "masking" names the role or its column, nothing that reads it tells the value: not the scope, the story
    /// or the comparison.
    void maskingCoversWhatReadsTheColumn_data()
    {
        QTest::addColumn<QByteArray>("masking");
        QTest::newRow("columns") << QByteArray(R"(["body", "note", "tenant"])");
        QTest::newRow("roles and labels") << QByteArray(R"(["request_payload", "error_message", "tenant"])");
        QTest::newRow("what an effect and a whole row read") << QByteArray(R"(["body", "note", "tenant", "result"])");
    }
    void maskingCoversWhatReadsTheColumn()
    {
        QFETCH(QByteArray, masking);
        QVERIFY(
            m_fixture->root()
                .run(
                    u"ALTER TABLE app.k ADD COLUMN IF NOT EXISTS body text, ADD COLUMN IF NOT EXISTS note text; GRANT "
                    u"SELECT ON app.k TO op, adm; "
                    "UPDATE app.k SET body = '{\"pin\":\"secret-' || key || '\"}', note = 'secret-' || key, status = 'dead', tenant = 'secret-tenant' WHERE key IN ('k001', 'k002')"_s)
                .ok());
        registerTable(*m_fixture,
            R"json({"roles": {"status": "t.status", "attempts": "t.attempts", "lease_until": "t.locked_until", "updated_at": "t.updated_at", "expires_at": "t.expires_at",
            "result_id": "t.result", "request_payload": "t.body", "error_message": "upper(t.note)", "error_code": "to_jsonb(t)::text"}, "effects": [{"type": "eff", "proves": true,
            "sql": "SELECT 'e1'::text AS id, now() AS at, to_jsonb(k)::text AS state FROM app.k k WHERE k.key = t.key"}], "masking": )json"
                + masking + '}');
        for (const QString &file : { u"c.json"_s, u"c.html"_s }) {
            QString err;
            QVERIFY2(makeCase(u"k001"_s, file, { u"k002"_s }, u"op"_s, &err) == 0, qPrintable(err));
            QVERIFY2(!content(file).toLower().contains("secret-"), content(file).constData());
            QVERIFY(content(file).contains("masked"));
        }
        QVERIFY(content(u"c.html"_s).contains("The profile masks requests")
            && json(u"c.json"_s).value(u"differences"_s).toArray().isEmpty());
    }

    /// The same key in another scope or table is another intent: its refused reuses neither count nor show.
    void conflictsOfOtherIntentsDoNotCount()
    {
        QVERIFY(
            m_fixture->root()
                .run(
                    u"UPDATE app.k SET status = 'succeeded' WHERE key = 'k001'; DELETE FROM app.eff; INSERT INTO "
                    u"app.eff (tenant, key, id) SELECT tenant, key, 'e1' FROM app.k WHERE key = 'k001'; "
                    "SET ROLE idemdesk_owner; SELECT idemdesk.record_conflict('other-tenant', 'k001', 'a', 'b', NULL, "
                    "'their-service', NULL), "
                    "idemdesk.record_conflict('', 'k001', 'a', 'b', NULL, 'their-service', 'another_table'); RESET ROLE"_s)
                .ok());
        QCOMPARE(makeCase(u"k001"_s, u"c.json"_s), 0);
        QCOMPARE(json(u"c.json"_s).value(u"verdict"_s).toObject().value(u"kind"_s).toString(), u"one_effect"_s);
        QVERIFY(content(u"c.json"_s).contains("conflict-elsewhere") && !content(u"c.json"_s).contains("their-service"));
        QVERIFY(
            m_fixture->root()
                .run(
                    u"SET ROLE idemdesk_owner; SELECT idemdesk.record_conflict(tenant, 'k001', 'a', 'b', NULL, 'our-service', 'k2') FROM (SELECT 't1' AS tenant) x; RESET ROLE"_s)
                .ok());
        QCOMPARE(makeCase(u"k001"_s, u"d.json"_s), 0);
        QCOMPARE(json(u"d.json"_s).value(u"verdict"_s).toObject().value(u"kind"_s).toString(), u"conflict_refused"_s);
        QVERIFY(content(u"d.json"_s).contains("our-service") && !content(u"d.json"_s).contains("their-service"));
    }

    /// A log that names neither table nor scope fits every row of the key, and what it tells happened once all the
    /// same.
    void whatFitsSeveralRowsCountsOnce()
    {
        const auto done = m_fixture->root().run(
            u"UPDATE app.k SET status = 'succeeded' WHERE key = 'k001'; DELETE FROM app.eff; INSERT INTO app.eff "
            u"(tenant, key, id) SELECT tenant, key, 'e1' FROM app.k WHERE key = 'k001'; "
            "INSERT INTO app.k (tenant, key, status) VALUES ('t9', 'k001', 'dead'); "
            "SET ROLE idemdesk_owner; SELECT idemdesk.record_conflict('', 'k001', 'a', 'b'); RESET ROLE"_s);
        QVERIFY2(done.ok(), qPrintable(done.value()));
        QCOMPARE(makeCase(u"k001"_s, u"c.json"_s), 0);
        QCOMPARE(json(u"c.json"_s).value(u"rows"_s).toArray().size(), 2);
        QVERIFY2(content(u"c.json"_s).contains("which was refused (once)"), content(u"c.json"_s).constData());
    }

    void requestsAreComparedByTheProfilesRules_data()
    {
        QTest::addColumn<QString>("incoming");
        QTest::addColumn<QByteArray>("says");
        QTest::newRow("what may differ") << u"'{\"amount\": 10, \"at\": 2}'"_s
                                         << QByteArray("1 difference is ignored by rule");
        QTest::newRow("what may not") << u"'{\"amount\": 99, \"at\": 2}'"_s
                                      << QByteArray("/amount changed from 10 to 99");
        QTest::newRow("only its beginning was kept")
            << u"'{\"amount\": \"' || repeat('9', 70000) || '\"}'"_s << QByteArray();
    }
    void requestsAreComparedByTheProfilesRules()
    {
        QFETCH(QString, incoming);
        QFETCH(QByteArray, says);
        registerTable(*m_fixture,
            R"({"diff_ignore": ["/at"], "roles": {"status": "t.status", "attempts": "t.attempts", "lease_until": "t.locked_until", "request_payload": "t.doc"}})");
        const auto done = m_fixture->root().run(
            u"UPDATE app.k SET doc = '{\"amount\": 10, \"at\": 1}' WHERE key = 'k001'; SET ROLE idemdesk_owner; SELECT idemdesk.record_conflict('t1', 'k001', 'a', 'b', %1); RESET ROLE"_s
                .arg(incoming));
        QVERIFY2(done.ok(), qPrintable(done.value()));
        QString err;
        QVERIFY2(makeCase(u"k001"_s, u"c.json"_s, {}, u"op"_s, &err) == 0, qPrintable(err));
        const QJsonArray differences = json(u"c.json"_s).value(u"differences"_s).toArray();
        const QString difference
            = differences.isEmpty() ? QString() : differences.at(0).toObject().value(u"sentence"_s).toString();
        QVERIFY2(says.isEmpty() ? difference.isEmpty() : difference.contains(QString::fromUtf8(says)),
            qPrintable(difference));
    }

    void keysAreFilteredByTheirOwnConflicts_data()
    {
        QTest::addColumn<QString>("call");
        QTest::addColumn<int>("found");
        QTest::newRow("of this scope") << "'t1', 'k001', 'a', 'b'" << 1;
        QTest::newRow("of no scope") << "NULL, 'k001', 'a', 'b'" << 1;
        QTest::newRow("of this table") << "'t1', 'k001', 'a', 'b', NULL, NULL, 'k2'" << 1;
        QTest::newRow("of this table by its name") << "'t1', 'k001', 'a', 'b', NULL, NULL, 'app.k'" << 1;
        QTest::newRow("of another scope") << "'t2', 'k001', 'a', 'b'" << 0;
        QTest::newRow("of another table") << "'t1', 'k001', 'a', 'b', NULL, NULL, 'k3'" << 0;
    }
    void keysAreFilteredByTheirOwnConflicts()
    {
        QFETCH(QString, call);
        QFETCH(int, found);
        QVERIFY(
            m_fixture->root()
                .run(
                    u"SET ROLE idemdesk_owner; SELECT idemdesk.record_conflict(%1); "
                    "INSERT INTO idemdesk.conflict (id, kind, source, scope, key, first_at, last_at, n) VALUES ('x', 'unique_violation', 'log', 't2', 'k002', now(), now(), 1); RESET ROLE"_s
                        .arg(call))
                .ok());
        QByteArray out;
        QCOMPARE(run(QStringLiteral(IDEMDESKCTL),
                     { u"keys"_s, u"--json"_s, u"--target"_s, u"k2"_s, u"--filter"_s, u"state:conflict"_s,
                         u"--connect"_s, m_fixture->cluster().conninfoAs(u"op"_s, m_fixture->database()) },
                     &out),
            0);
        QCOMPARE(QJsonDocument::fromJson(out).object().value(u"items"_s).toArray().size(), found);
    }

    /// Without --target in every table that is here; a scope that no row of the key has finds none.
    void keysAreLookedForInEveryTable()
    {
        const auto done
            = m_fixture->root().run(u"DROP TABLE IF EXISTS app.k_second; CREATE TABLE app.k_second (LIKE app.k "
                                    u"INCLUDING ALL); ALTER TABLE app.k_second OWNER TO app_owner; "
                                    "GRANT SELECT ON app.k_second TO op, adm; GRANT SELECT, INSERT, UPDATE, DELETE ON "
                                    "app.k_second TO idemdesk_runner_app_owner; "
                                    "INSERT INTO app.k_second (tenant, key, status, updated_at) SELECT 's' || i, "
                                    "'everywhere', 'dead', now() - i * interval '1 day' FROM generate_series(1, 60) i; "
                                    "INSERT INTO app.k (tenant, key, status) VALUES ('s60', 'everywhere', 'dead')"_s);
        QVERIFY2(done.ok(), qPrintable(done.value()));
        registerTable(*m_fixture, R"({"relation": "app.k_second"})", u"second"_s);
        const auto caseOf = [this](const QStringList &arguments, const QString &file, QString *err) {
            return run(QStringLiteral(IDEMDESKCTL),
                QStringList { u"case"_s } + arguments
                    + QStringList { u"-o"_s, m_folder->filePath(file), u"--connect"_s,
                        m_fixture->cluster().conninfoAs(u"op"_s, m_fixture->database()) },
                nullptr, err);
        };
        QString err;
        QVERIFY2(caseOf({ u"k001"_s }, u"a.json"_s, &err) == 0, qPrintable(err));
        QCOMPARE(json(u"a.json"_s).value(u"rows"_s).toArray().size(), 1);
        QVERIFY2(caseOf({ u"k001"_s, u"k002"_s }, u"b.json"_s, &err) == 0, qPrintable(err));
        QCOMPARE(json(u"b.json"_s).value(u"rows"_s).toArray().size(), 2);
        QVERIFY2(caseOf({ u"k001"_s, u"--scope"_s, u"tenant=t1"_s }, u"c.json"_s, &err) == 0, qPrintable(err));
        QVERIFY2(caseOf({ u"everywhere"_s, u"--scope"_s, u"tenant=s60"_s }, u"e.json"_s, &err) == 0, qPrintable(err));
        QSet<QString> tables;
        for (const QJsonValue &row : json(u"e.json"_s).value(u"rows"_s).toArray()) {
            tables.insert(row.toObject().value(u"target"_s).toObject().value(u"relation"_s).toString());
        }
        QCOMPARE(tables, (QSet<QString> { u"app.k"_s, u"app.k_second"_s }));
        QCOMPARE(caseOf({ u"k001"_s, u"--scope"_s, u"tenant=t2"_s }, u"d.json"_s, &err), 1);
        QVERIFY2(err.contains(u"no key “k001”"_s), qPrintable(err));
        QCOMPARE(caseOf({ u"k001"_s, u"--scope"_s, u"shop=t1"_s }, u"d.json"_s, &err), 1);
        QVERIFY(!QFile::exists(m_folder->filePath(u"d.json"_s)));
    }

    void wrongCallsSaySo()
    {
        QCOMPARE(makeCase(u"k001"_s, u"c.txt"_s), 2);
        QCOMPARE(makeCase(u"no-such-key"_s, u"c.json"_s), 1);
        QVERIFY(!QFile::exists(m_folder->filePath(u"c.json"_s)));
        QCOMPARE(makeCase(u"k001"_s, u"c.json"_s, { u"--scope"_s, u"nonsense"_s }), 2);
        QCOMPARE(makeCase(u"k001"_s, u"c.json"_s), 0);
        QCOMPARE(makeCase(u"k001"_s, u"c.json"_s), 2); // nothing is overwritten
        QCOMPARE(makeCase(u"k001"_s, u"nowhere/c.json"_s), 1);
    }
};

QTEST_GUILESS_MAIN(CtlCaseTest)
#include "tst_ctl_case.moc"
