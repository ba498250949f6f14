// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/connection/saved_connections.h"
#include "models/groups/group_file.h"
#include "models/groups/group_store.h"
#include "tests/support/console_fixture.h"
#include "tests/support/program_run.h"
#include "tests/support/two_regions.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QRegularExpression>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace idemdesk;
using namespace idemdesk::tests;

/// Groups of databases, two real clusters. `compare`: what differs is found, and nothing is invented; with logical
/// replication between them, which is held up, broken and mended. `keys --group`: one order over both.
class CtlCompareTest final : public QObject
{
    Q_OBJECT

    static constexpr int kDone = 0;
    static constexpr int kFailed = 1;
    static constexpr int kUsage = 2;
    static constexpr int kUnknown = 5;

    std::unique_ptr<TwoRegions> m_regions;
    std::unique_ptr<QTemporaryDir> m_folder;
    ProgramRun m_run;

    QString groupFile(const QString &us = {}) const
    {
        const QJsonArray members {
            QJsonObject { { u"label"_s, u"eu"_s },
                { u"conninfo"_s, m_regions->eu.conninfoAs(u"support"_s, m_regions->database()) } },
            QJsonObject { { u"label"_s, u"us"_s },
                { u"conninfo"_s, us.isEmpty() ? m_regions->us.conninfoAs(u"support"_s, m_regions->database()) : us } }
        };
        QFile file(m_folder->filePath(u"group.json"_s));
        insist(file.open(QIODevice::WriteOnly), file.errorString());
        file.write(QJsonDocument(QJsonObject { { u"idemdesk_group"_s, 1 }, { u"name"_s, u"payments"_s },
                                     { u"kind"_s, u"regions"_s }, { u"members"_s, members } })
                       .toJson());
        return file.fileName();
    }
    QStringList arguments(const QStringList &more = {}) const
    {
        return QStringList { u"compare"_s, u"--group"_s, groupFile(), u"--target"_s, u"plpgsql-request"_s } + more;
    }
    /// As its schema in the package says.
    void hasItsShape(const QString &schema = u"compare"_s) const
    {
        QFile document(m_folder->filePath(u"documents/%1.json"_s.arg(schema)));
        QVERIFY(QDir(m_folder->path()).mkpath(u"documents"_s) && document.open(QIODevice::WriteOnly));
        QVERIFY(document.write(m_run.out) == m_run.out.size());
        document.close();
        const ProgramRun check = runProgram(u"/usr/bin/python3"_s,
            { QStringLiteral(CHECK_SHAPES), QStringLiteral(SCHEMAS), QFileInfo(document).path() });
        QVERIFY2(check.status == 0, check.said().constData());
    }
    int compare(const QStringList &more = { u"--json"_s })
    {
        m_run = runProgram(QStringLiteral(IDEMDESKCTL), arguments(more), { privateEnvironment(m_folder->path()) });
        return m_run.status;
    }
    /// "KIND KEY KEEP" of each difference, in the order in which they came.
    QStringList found() const
    {
        QStringList lines;
        const QJsonArray items = m_run.items();
        for (const QJsonValue &item : items) {
            const QString keep = item[u"keep"].toString();
            lines += item[u"kind"].toString() + u' ' + item[u"key"].toString()
                + (keep.isEmpty() ? QString() : u' ' + keep) + (item[u"on_its_way"].toBool() ? u" …"_s : QString());
        }
        return lines;
    }
    /// Rows of eu come to us, in a database where both hold the same ones.
    void replicate()
    {
        m_regions->both(TwoRegions::keys(1, 500));
        m_regions->replicate();
    }

private slots:
    void initTestCase()
    {
        QTest::failOnWarning(QRegularExpression(u".*"_s));
        m_regions = std::make_unique<TwoRegions>();
    }
    void cleanupTestCase() { m_regions.reset(); }
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_regions->begin();
    }
    void cleanup() { m_regions->end(); }

    void theSameRowsDoNotDiffer()
    {
        m_regions->both(TwoRegions::keys(1, 2'000));
        QCOMPARE(compare(), kDone);
        QCOMPARE(found(), QStringList());
        QCOMPARE(m_run.json().value(u"sides"_s)[0][u"rows"].toInt(), 2'000);
        QCOMPARE(m_run.json().value(u"complete"_s), QJsonValue(true));
        QCOMPARE(compare({}), kDone);
        QVERIFY2(m_run.out.contains("No key differs."), m_run.said().constData());
        QCOMPARE(compare({ u"--columns"_s, u"key,nope"_s }), kUsage); // also where there is nothing to list
        QVERIFY2(m_run.err.contains(u"difference, eu, us, proposal"), m_run.said().constData());
    }

    void eachDifferenceIsFound()
    {
        m_regions->both(TwoRegions::keys(1, 3'000));
        m_regions->us.psql(m_regions->database(), uR"(
            DELETE FROM app.idempotency_request WHERE idempotency_key = 'k7';
            UPDATE app.idempotency_request SET request_hash = md5('other') WHERE idempotency_key = 'k8';
            UPDATE app.idempotency_request SET result_ref_type = 'invoice' WHERE idempotency_key IN ('k9', 'k10');
            UPDATE app.idempotency_request SET request_hash = md5('other') WHERE idempotency_key = 'k10';
            UPDATE app.idempotency_request SET status = 'failed_final' WHERE idempotency_key = 'k11')"_s);
        // A result that has neither type nor id is its answer.
        m_regions->both(u"UPDATE app.idempotency_request SET result_ref_type = NULL WHERE idempotency_key = 'k15'"_s);
        m_regions->us.psql(m_regions->database(),
            u"UPDATE app.idempotency_request SET response_body = '{\"n\":2}' WHERE idempotency_key = 'k15'"_s);
        m_regions->both(
            uR"(UPDATE app.idempotency_request SET status = 'failed_final' WHERE idempotency_key IN ('k12', 'k13'))"_s);
        m_regions->us.psql(m_regions->database(), uR"(
            SET session_replication_role = replica;
            UPDATE app.idempotency_request SET status = 'failed_retryable', updated_at = '2026-11-20'
             WHERE idempotency_key = 'k12';
            UPDATE app.idempotency_request SET status = 'failed_retryable' WHERE idempotency_key = 'k13')"_s);
        m_regions->eu.psql(
            m_regions->database(), u"DELETE FROM app.idempotency_request WHERE idempotency_key = 'k14'"_s);
        QCOMPARE(compare(), kDone);
        QCOMPARE(found(),
            QStringList({ u"results k10"_s, u"results k15"_s, u"results k9"_s, u"fingerprint k8"_s, u"missing k14 us"_s,
                u"missing k7 eu"_s, u"state k11 eu"_s, u"state k12 us"_s, u"state k13 eu"_s }));
        hasItsShape();
        const QJsonValue first = m_run.items().at(0);
        QCOMPARE(first[u"sides"][u"us"][0][u"result_type"].toString(), u"invoice"_s);
        QCOMPARE(first[u"scope"][u"scope"].toString(), u"order"_s);
        QCOMPARE(compare({ u"--kind"_s, u"results"_s, u"--json"_s }), kDone);
        QCOMPARE(found(), QStringList({ u"results k10"_s, u"results k15"_s, u"results k9"_s }));
        QCOMPARE(compare({}), kDone);
        for (const char *text : { "9 keys differ.", "No logical replication was seen", "3 keys succeeded on both" }) {
            QVERIFY2(m_run.out.contains(text), m_run.said().constData());
        }
        QProcessEnvironment narrow = privateEnvironment(m_folder->path());
        narrow.insert(u"COLUMNS"_s, u"80"_s);
        m_run = runProgram(QStringLiteral(IDEMDESKCTL), arguments({}), { narrow });
        for (const QByteArray &line : m_run.out.split('\n')) {
            QVERIFY2(QString::fromUtf8(line).size() <= 80, line.constData());
        }
        QVERIFY2(m_run.out.contains("9 keys differ."), m_run.said().constData());
    }

    void whatWasDoneTwiceIsACaseFile()
    {
        m_regions->both(TwoRegions::keys(1, 300));
        m_regions->us.psql(m_regions->database(), uR"(
            UPDATE app.idempotency_request SET result_ref_type = 'invoice' WHERE idempotency_key = 'k9';
            UPDATE app.idempotency_request SET result_ref_type = '<b>=1+1</b>', claimed_by = 'kim'
             WHERE idempotency_key = 'k10';
            UPDATE app.idempotency_request SET status = 'failed_final' WHERE idempotency_key = 'k11')"_s);
        const auto written = [this](const QString &name, const QStringList &more = {}) {
            const QString path = m_folder->filePath(name);
            insist(compare(QStringList { u"-o"_s, path } + more) == kDone, QString::fromUtf8(m_run.said()));
            QFile file(path);
            insist(file.open(QIODevice::ReadOnly), path);
            insist((file.permissions() & (QFile::ReadGroup | QFile::ReadOther)) == 0, path);
            return file.readAll();
        };
        const QByteArray html = written(u"twice.html"_s);
        for (const char *text : { "2 keys succeeded in both databases", "<code>k9</code>", "<code>invoice</code>",
                 "&lt;b&gt;=1+1&lt;/b&gt;", "Undone by", "neither row", "SHA-256" }) {
            QVERIFY2(html.contains(text), html.constData());
        }
        QVERIFY(!html.contains("k11") && !html.contains("<b>=1+1"));
        QVERIFY(written(u"twice.pdf"_s).startsWith("%PDF-"));
        const QByteArray csv = written(u"twice.csv"_s);
        QVERIFY2(csv.count('\n') == 3 && csv.contains("invoice") && !csv.contains("k11"), csv.constData());
        // Whatever is listed: the file has what must be undone.
        const QJsonObject json
            = QJsonDocument::fromJson(written(u"twice.json"_s, { u"--kind"_s, u"state"_s, u"--json"_s })).object();
        QCOMPARE(json.value(u"items"_s).toArray().size(), 2);
        m_run.out = QJsonDocument(json).toJson();
        hasItsShape(u"compensation"_s);
        QCOMPARE(compare({ u"-o"_s, m_folder->filePath(u"twice.json"_s) }), kUsage); // nothing is overwritten
        QCOMPARE(compare({ u"-o"_s, m_folder->filePath(u"twice.txt"_s) }), kUsage);
    }

    void aCaseFileOfTwoRegionsLeavesMaskedValuesOut()
    {
        m_regions->both(TwoRegions::keys(1, 30));
        m_regions->us.psql(m_regions->database(),
            u"UPDATE app.idempotency_request SET result_ref_type = 'secret' WHERE idempotency_key = 'k9'"_s);
        QFile shipped(QStringLiteral(SCHEMAS) + u"/../../sql/profiles/plpgsql-request.json"_s);
        QVERIFY(shipped.open(QIODevice::ReadOnly));
        QJsonObject profile = QJsonDocument::fromJson(shipped.readAll()).object();
        profile.insert(u"masking"_s, QJsonArray { u"result_ref_type"_s });
        QFile masked(m_folder->filePath(u"masked.json"_s));
        QVERIFY(masked.open(QIODevice::WriteOnly));
        masked.write(QJsonDocument(profile).toJson());
        masked.close();
        const QByteArray sha = QCryptographicHash::hash(QJsonDocument(profile).toJson(), QCryptographicHash::Sha256);
        for (const QString &name : { u"m.html"_s, u"m.csv"_s, u"m.json"_s }) {
            const QString path = m_folder->filePath(name);
            m_run = runProgram(QStringLiteral(IDEMDESKCTL),
                { u"compare"_s, u"--group"_s, groupFile(), u"--target"_s, masked.fileName(), u"--trust"_s,
                    QString::fromLatin1(sha.toHex()), u"-o"_s, path },
                { privateEnvironment(m_folder->path()) });
            QVERIFY2(m_run.status == kDone, m_run.said().constData());
            QFile file(path);
            QVERIFY(file.open(QIODevice::ReadOnly));
            const QByteArray text = file.readAll();
            QVERIFY2(text.contains("k9") && !text.contains("secret"), text.constData());
        }
    }

    /// The same values in other types, a status that came later, and many keys of few parts: none invented, none
    /// missed.
    void typesMayDiffer()
    {
        m_regions->both(TwoRegions::keys(1, 2'000));
        m_regions->both(
            u"UPDATE app.idempotency_request SET result_ref_id = md5(idempotency_key)::uuid, locked_until = "
            "NULL WHERE idempotency_key LIKE '%5'"_s);
        m_regions->us.psql(m_regions->database(), uR"(
            ALTER TYPE app.idempotency_status ADD VALUE 'parked' BEFORE 'succeeded';
            ALTER TABLE app.idempotency_request ALTER COLUMN result_ref_id TYPE text,
                ALTER COLUMN request_hash TYPE varchar(100))"_s);
        QCOMPARE(compare(), kDone);
        QCOMPARE(found(), QStringList());
        m_regions->us.psql(m_regions->database(),
            u"UPDATE app.idempotency_request SET result_ref_id = upper(result_ref_id) WHERE idempotency_key = 'k15'"_s);
        QCOMPARE(compare(), kDone);
        QCOMPARE(found(), QStringList { u"results k15"_s });
        m_regions->us.psql(
            m_regions->database(), u"UPDATE app.idempotency_request SET request_hash = 'x' || request_hash"_s);
        QCOMPARE(compare({ u"--json"_s, u"--limit"_s, u"5000"_s }), kDone);
        QCOMPARE(found().size(), 2'000);
        QCOMPARE(m_run.json().value(u"all"_s), QJsonValue(true));
    }

    void aFilterPicksOnEitherSide()
    {
        m_regions->both(TwoRegions::keys(1, 200));
        m_regions->us.psql(m_regions->database(),
            u"UPDATE app.idempotency_request SET status = 'failed_final' WHERE idempotency_key IN ('k5', 'k6')"_s);
        QCOMPARE(compare({ u"--json"_s, u"--filter"_s, u"state:failed_final"_s }), kDone);
        QCOMPARE(found(), QStringList({ u"state k5 eu"_s, u"state k6 eu"_s })); // and not "missing"
        QCOMPARE(compare({ u"--json"_s, u"--filter"_s, u"key:k5"_s }), kDone);
        QCOMPARE(found(), QStringList({ u"state k5 eu"_s }));
        QCOMPARE(compare({ u"--filter"_s, u"state:nonsense"_s }), kUsage);
    }

    void aListCutShortSaysSo()
    {
        m_regions->eu.psql(m_regions->database(), TwoRegions::keys(1, 4'000));
        QCOMPARE(compare({ u"--json"_s, u"--limit"_s, u"20"_s }), kDone);
        QCOMPARE(m_run.items().size(), 20);
        QCOMPARE(m_run.json().value(u"all"_s), QJsonValue(false));
        QCOMPARE(m_run.json().value(u"differences"_s).toInt(), 4'000);
        // The gravest are listed first, and a kind is looked for among all.
        m_regions->us.psql(m_regions->database(), TwoRegions::keys(1, 4'000));
        m_regions->us.psql(m_regions->database(),
            u"UPDATE app.idempotency_request SET status = 'failed_final' WHERE idempotency_key <> 'k3999';"
            "UPDATE app.idempotency_request SET result_ref_type = 'invoice' WHERE idempotency_key = 'k3999'"_s);
        QCOMPARE(compare({ u"--json"_s, u"--limit"_s, u"1"_s }), kDone);
        QCOMPARE(found(), QStringList { u"results k3999"_s });
        QCOMPARE(compare({ u"--json"_s, u"--limit"_s, u"1"_s, u"--kind"_s, u"results"_s }), kDone);
        QCOMPARE(m_run.json().value(u"all"_s), QJsonValue(true));
    }

    void whatIsOnItsWayIsNoDifference()
    {
        replicate();
        Connection lock(m_regions->us.conninfo(m_regions->database()));
        QVERIFY(lock.run(u"BEGIN; LOCK TABLE app.idempotency_request IN SHARE MODE"_s).ok()); // holds up what comes
        m_regions->eu.psql(m_regions->database(), TwoRegions::keys(501, 510));
        QCOMPARE(compare({ u"--json"_s, u"--settle"_s, u"1"_s }), kUnknown);
        QCOMPARE(found().size(), 10);
        QVERIFY2(found().constFirst().endsWith(u'…'), qPrintable(found().join(u'\n')));
        QCOMPARE(m_run.json().value(u"replication"_s)[0][u"passed"], QJsonValue(false));
        hasItsShape();

        // Let go while it waits.
        QProcess running;
        running.setProcessEnvironment(privateEnvironment(m_folder->path()));
        running.start(QStringLiteral(IDEMDESKCTL), arguments({ u"--json"_s, u"--settle"_s, u"60"_s }));
        QVERIFY(running.waitForStarted());
        // Its last question before it waits.
        QTRY_VERIFY_WITH_TIMEOUT(m_regions->eu.psql(m_regions->database(),
                                     u"SELECT count(*) FROM pg_stat_activity WHERE query LIKE "
                                     "'%confirmed_flush_lsn >= %' AND pid <> pg_backend_pid()"_s)
                != u"0",
            30'000);
        QVERIFY(lock.run(u"COMMIT"_s).ok());
        QVERIFY(running.waitForFinished(60'000));
        const QJsonObject told = QJsonDocument::fromJson(running.readAllStandardOutput()).object();
        QCOMPARE(told.value(u"items"_s).toArray().size(), 0);
        QCOMPARE(told.value(u"settled"_s).toInt(), 10);
        QCOMPARE(told.value(u"replication"_s)[0][u"passed"], QJsonValue(true));
    }

    void brokenReplicationIsToldAndMended()
    {
        replicate();
        m_regions->us.psql(m_regions->database(), u"ALTER SUBSCRIPTION %1 DISABLE"_s.arg(m_regions->database()));
        m_regions->eu.psql(m_regions->database(), TwoRegions::keys(501, 503));
        QCOMPARE(compare(), kDone);
        QCOMPARE(found(), QStringList({ u"missing k501 eu"_s, u"missing k502 eu"_s, u"missing k503 eu"_s }));
        QCOMPARE(compare({}), kDone);
        QVERIFY2(m_run.out.contains("is off: the subscription"), m_run.said().constData());
        m_regions->us.psql(m_regions->database(), u"ALTER SUBSCRIPTION %1 ENABLE"_s.arg(m_regions->database()));
        QCOMPARE(compare({ u"--json"_s, u"--settle"_s, u"60"_s }), kDone);
        QTRY_COMPARE_WITH_TIMEOUT((compare(), found()), QStringList(), 30'000);
    }

    void aSideThatCannotBeSeenIsNamed()
    {
        m_regions->both(TwoRegions::keys(1, 10));
        const QString nowhere = groupFile(u"host=/nowhere dbname=x"_s);
        m_run = runProgram(QStringLiteral(IDEMDESKCTL),
            { u"compare"_s, u"--group"_s, nowhere, u"--target"_s, u"plpgsql-request"_s, u"--json"_s },
            { privateEnvironment(m_folder->path()) });
        QCOMPARE(m_run.status, kFailed);
        QVERIFY2(m_run.json().value(u"error"_s)[u"what"].toString().startsWith(u"us: "), m_run.said().constData());
        // Hidden rows would pass for missing ones.
        m_regions->us.psql(m_regions->database(), uR"(ALTER TABLE app.idempotency_request ENABLE ROW LEVEL SECURITY;
            CREATE POLICY few ON app.idempotency_request USING (idempotency_key = 'k1'))"_s);
        QVERIFY(compare() != kDone);
        QVERIFY2(m_run.out.contains("us: "), m_run.said().constData());
        QCOMPARE(compare({ u"--json"_s, u"--between"_s, u"eu,asia"_s }), kUsage);
        QCOMPARE(compare({ u"--json"_s, u"--relation"_s, u"app.none"_s }), kFailed);
    }

    /// A conninfo that was copied: the same database twice would differ in nothing, for ever.
    void oneDatabaseIsNotComparedWithItself()
    {
        m_regions->both(TwoRegions::keys(1, 10));
        const QString twice = groupFile(m_regions->eu.conninfoAs(u"support"_s, m_regions->database()));
        m_run = runProgram(QStringLiteral(IDEMDESKCTL),
            { u"compare"_s, u"--group"_s, twice, u"--target"_s, u"plpgsql-request"_s, u"--json"_s },
            { privateEnvironment(m_folder->path()) });
        QVERIFY2(m_run.status != kDone && m_run.status != kUsage, m_run.said().constData());
        QCOMPARE(m_run.json().value(u"error"_s)[u"what"].toString(), u"Both sides are the same database."_s);
    }

    void keysOfAllMembersComeInOneOrder_data()
    {
        QTest::addColumn<QString>("order");
        QTest::addColumn<QString>("expected"); // SQL that sorts n
        QTest::newRow("by a time") << u"expiry"_s << u"n"_s;
        QTest::newRow("by a time, turned") << u"-expiry"_s << u"n DESC"_s;
        QTest::newRow("by the identity, which is text") << u"identity"_s << u"'k' || n"_s;
    }
    /// Page by page: each row once, whichever member has it.
    void keysOfAllMembersComeInOneOrder()
    {
        QFETCH(QString, order);
        QFETCH(QString, expected);
        m_regions->both(TwoRegions::keys(1, 60));
        m_regions->both(u"UPDATE app.idempotency_request SET expires_at = created_at + interval '1 day'"_s);
        m_regions->eu.psql(m_regions->database(),
            u"DELETE FROM app.idempotency_request WHERE right(idempotency_key, 1) IN ('1', '2')"_s);
        m_regions->us.psql(m_regions->database(),
            u"DELETE FROM app.idempotency_request WHERE right(idempotency_key, 1) NOT IN ('1', '2')"_s);
        QStringList found;
        QString next;
        do {
            QStringList words { u"keys"_s, u"--group"_s, groupFile(), u"--target"_s, u"plpgsql-request"_s, u"--order"_s,
                order, u"--limit"_s, u"7"_s, u"--json"_s };
            words += next.isEmpty() ? QStringList() : QStringList { u"--after"_s, next };
            m_run = runProgram(QStringLiteral(IDEMDESKCTL), words, { privateEnvironment(m_folder->path()) });
            QVERIFY2(m_run.status == kDone, m_run.said().constData());
            QVERIFY(m_run.items().size() <= 7);
            for (const QJsonValue &item : m_run.items()) {
                const QString key = item[u"key"].toString();
                QCOMPARE(item[u"member"].toString(), key.endsWith(u'1') || key.endsWith(u'2') ? u"us"_s : u"eu"_s);
                found += key;
            }
            next = m_run.json().value(u"next"_s).toString();
        } while (!next.isEmpty() && found.size() < 100);
        QCOMPARE(found.join(u','),
            m_regions->eu.psql(m_regions->database(),
                u"SELECT string_agg('k' || n, ',' ORDER BY %1) FROM generate_series(1, 60) n"_s.arg(expected)));
    }

    void aMemberThatDoesNotAnswerIsMissed()
    {
        m_regions->both(TwoRegions::keys(1, 3));
        const QStringList words { u"keys"_s, u"--group"_s, groupFile(u"host=/nowhere dbname=x"_s), u"--target"_s,
            u"plpgsql-request"_s };
        m_run = runProgram(QStringLiteral(IDEMDESKCTL), words, { privateEnvironment(m_folder->path()) });
        QCOMPARE(m_run.status, kUnknown);
        QVERIFY2(
            m_run.err.contains(u"1 of 2 members answered") && m_run.err.contains(u"us: "), m_run.said().constData());
        QVERIFY(m_run.out.contains("k3") && m_run.out.contains("MEMBER"));
        m_run = runProgram(QStringLiteral(IDEMDESKCTL), words + QStringList { u"--connect"_s, u"host=x"_s },
            { privateEnvironment(m_folder->path()) });
        QCOMPARE(m_run.status, kUsage);
        QVERIFY(m_run.err.contains(u"--group"));
    }

    void aSavedGroupIsTakenByItsName()
    {
        m_regions->both(TwoRegions::keys(1, 3));
        QVERIFY(QDir(m_folder->path()).mkpath(u"config/idemdesk"_s));
        {
            QSettings settings(m_folder->filePath(u"config/idemdesk/idemdesk.ini"_s), QSettings::IniFormat);
            models::SavedConnections connections(&settings);
            models::GroupStore groups(&settings, &connections);
            const auto eu = connections.save(
                { {}, u"Orders EU"_s, m_regions->eu.conninfoAs(u"support"_s, m_regions->database()) });
            QVERIFY(groups
                        .save({ u"payments"_s, sql::GroupKind::Regions,
                            { { u"eu"_s, eu->id, {} },
                                { u"us"_s, {}, m_regions->us.conninfoAs(u"support"_s, m_regions->database()) } },
                            {} })
                        .ok());
            QVERIFY(groups
                        .save({ u"halved"_s, sql::GroupKind::Regions,
                            { { u"eu"_s, u"gone"_s, {} }, { u"us"_s, eu->id, {} } }, {} })
                        .ok());
        }
        QProcessEnvironment environment = privateEnvironment(m_folder->path());
        environment.insert(u"XDG_CONFIG_HOME"_s, m_folder->filePath(u"config"_s));
        const auto ask = [this, &environment](const QString &group) {
            const QStringList words { u"keys"_s, u"--group"_s, group, u"--target"_s, u"plpgsql-request"_s };
            m_run = runProgram(QStringLiteral(IDEMDESKCTL), words, { environment });
            return m_run.status;
        };
        QCOMPARE(ask(u"payments"_s), kDone);
        QVERIFY2(m_run.out.contains("eu") && m_run.out.contains("us"), m_run.said().constData());
        QCOMPARE(ask(u"nobody"_s), kUsage);
        QVERIFY2(m_run.err.contains(u"no saved group called nobody"), m_run.said().constData());
        // A group without one of its members is another one.
        QCOMPARE(ask(u"halved"_s), kUsage);
        QVERIFY2(m_run.err.contains(u"eu leads nowhere"), m_run.said().constData());
    }

    void theSchemaOfAGroupIsInThePackage()
    {
        QFile file(QStringLiteral(SCHEMAS) + u"/group-file.json"_s);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QJsonObject schema = QJsonDocument::fromJson(file.readAll()).object();
        for (const QString &head : { u"$schema"_s, u"$id"_s, u"title"_s }) {
            schema.remove(head);
        }
        QCOMPARE(QJsonDocument(schema).toJson(),
            QJsonDocument(QJsonDocument::fromJson(models::groupSchema()).object()).toJson());
    }

    void aGroupFileIsReadWithCare_data()
    {
        QTest::addColumn<QByteArray>("json");
        QTest::addColumn<QString>("where"); ///< empty: it is good
        const QByteArray two = R"([{"label":"a","conninfo":"service=a"},{"label":"b","conninfo":"service=b"}])";
        const auto group = [](const QByteArray &members) {
            return R"({"idemdesk_group":1,"name":"g","kind":"regions","members":)" + members + '}';
        };
        QTest::newRow("good") << group(two) << QString();
        QTest::newRow("a note of the author")
            << R"({"idemdesk_group":1,"name":"g","kind":"shards","x_n":2,"members":)" + two + '}' << QString();
        QTest::newRow("one member") << group(R"([{"label":"a","conninfo":"service=a"}])") << u"$.members"_s;
        QTest::newRow("one label twice") << group(
            R"([{"label":"a","conninfo":"service=a"},{"label":"a","conninfo":"service=b"}])")
                                         << u"$.members[1].label"_s;
        QTest::newRow("a password") << group(
            R"([{"label":"a","conninfo":"host=x password=secret"},{"label":"b","conninfo":"service=b"}])")
                                    << u"$.members[0].conninfo"_s;
        QTest::newRow("no conninfo") << group(R"([{"label":"a","conninfo":"host"},{"label":"b","conninfo":"x=y"}])")
                                     << u"$.members[0].conninfo"_s;
        QTest::newRow("a comma in a label")
            << group(R"([{"label":"eu,x","conninfo":"host=a"},{"label":"us","conninfo":"host=b"}])")
            << u"$.members[0].label"_s;
        QTest::newRow("a blank behind a label")
            << group(R"([{"label":"eu ","conninfo":"host=a"},{"label":"us","conninfo":"host=b"}])")
            << u"$.members[0].label"_s;
        QTest::newRow("a label that nobody sees")
            << group("[{\"label\":\"e\u200Bu\",\"conninfo\":\"host=a\"},{\"label\":\"us\",\"conninfo\":\"host=b\"}]")
            << u"$.members[0].label"_s;
        QTest::newRow("a label that is too long") << group("[{\"label\":\"" + QByteArray(61, 'x')
            + "\",\"conninfo\":\"host=a\"},{\"label\":\"us\",\"conninfo\":\"host=b\"}]")
                                                  << u"$.members[0].label"_s;
        QTest::newRow("an unknown key") << R"({"idemdesk_group":1,"name":"g","kind":"regions","more":1,"members":)"
                + two + '}' << u"$.more"_s;
        QTest::newRow("a newer version") << R"({"idemdesk_group":2,"name":"g","kind":"regions","members":)" + two + '}'
                                         << u"$.idemdesk_group"_s;
        QTest::newRow("a profile") << QByteArray(R"({"idemdesk_profile":1})") << u"$.idemdesk_profile"_s;
        QTest::newRow("no JSON") << QByteArray("eu, us") << u"group.json"_s;
    }
    void aGroupFileIsReadWithCare()
    {
        QFETCH(QByteArray, json);
        QFETCH(QString, where);
        const auto group = models::groupFromJson(json, u"group.json"_s);
        QCOMPARE(group.ok(), where.isEmpty());
        if (!group) {
            QVERIFY2(group.error().where.contains(where), qPrintable(group.error().where));
            QVERIFY2(!group.error().line().contains(u"secret"), qPrintable(group.error().line()));
        }
    }

    void aSubscriptionThatIsOffIsInTheHealthReport()
    {
        m_regions->replicate();
        const auto report = [this](TestCluster &side) {
            const ProgramRun run = runProgram(QStringLiteral(IDEMDESKCTL),
                { u"check"_s, u"--target"_s, u"plpgsql-request"_s, u"--json"_s, u"--connect"_s,
                    side.conninfoAs(u"support"_s, m_regions->database()) },
                { privateEnvironment(m_folder->path()) });
            QStringList lines;
            for (const QJsonValue &item : run.items()) {
                if (item[u"id"_s].toString() == u"replication") {
                    lines += item[u"level"_s].toString() + u": "_s + item[u"title"_s].toString();
                }
            }
            return lines;
        };
        QTRY_COMPARE(report(m_regions->us), QStringList { u"good: Replication keeps up"_s });
        m_regions->us.psql(m_regions->database(), u"ALTER SUBSCRIPTION %1 DISABLE"_s.arg(m_regions->database()));
        QCOMPARE(report(m_regions->us), QStringList { u"problem: A subscription is switched off"_s });
        QTRY_VERIFY(report(m_regions->eu).contains(u"advice: Nobody reads from a replication slot"_s));
    }

    /// A part of the table lies on the other cluster: its keys are read, and a server that is down is named.
    void aForeignPartitionIsRead()
    {
        m_regions->us.psql(m_regions->database(), TwoRegions::keys(1, 3));
        m_regions->us.psql(m_regions->database(), u"UPDATE app.idempotency_request SET idempotency_scope = 'far'"_s);
        m_regions->eu.psql(m_regions->database(), TwoRegions::keys(11, 12));
        const QString us = m_regions->us.conninfo(m_regions->database()).section(u' ', 0, 0).section(u'=', 1);
        m_regions->eu.psql(m_regions->database(),
            u"CREATE EXTENSION postgres_fdw; CREATE SERVER branch FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host "
            u"'%1', "
            "dbname '%2'); CREATE USER MAPPING FOR support SERVER branch OPTIONS (user 'support', password_required "
            "'false'); ALTER TABLE app.idempotency_request RENAME TO near; CREATE TABLE app.idempotency_request (LIKE "
            "app.near) PARTITION BY LIST (idempotency_scope); ALTER TABLE app.idempotency_request ATTACH PARTITION "
            "app.near FOR VALUES IN ('order'); CREATE FOREIGN TABLE app.far PARTITION OF app.idempotency_request FOR "
            "VALUES IN ('far') SERVER branch OPTIONS (schema_name 'app', table_name 'idempotency_request')"_s.arg(
                us, m_regions->database()));
        const auto ctl = [this](const QStringList &arguments) {
            return runProgram(QStringLiteral(IDEMDESKCTL),
                arguments
                    + QStringList { u"--target"_s, u"plpgsql-request"_s, u"--json"_s, u"--connect"_s,
                        m_regions->eu.conninfoAs(u"support"_s, m_regions->database()) },
                { privateEnvironment(m_folder->path()) });
        };
        const QStringList all { u"keys"_s, u"--order"_s, u"identity"_s };
        const ProgramRun read = ctl(all);
        QVERIFY2(read.status == kDone && read.items().size() == 5, read.said().constData());
        const ProgramRun scopes = ctl({ u"scopes"_s });
        QVERIFY2(scopes.status == kDone && scopes.items().size() == 2, scopes.said().constData());
        m_regions->eu.psql(m_regions->database(), u"ALTER SERVER branch OPTIONS (SET host '/nowhere')"_s);
        const ProgramRun down = ctl(all);
        QVERIFY2(down.status != kDone && down.said().contains("branch"), down.said().constData());
        // What lies here is read all the same.
        const ProgramRun near = ctl(all + QStringList { u"--filter"_s, u"scope:order"_s });
        QVERIFY2(near.status == kDone && near.items().size() == 2, near.said().constData());
    }
};

QTEST_GUILESS_MAIN(CtlCompareTest)
#include "tst_ctl_compare.moc"
