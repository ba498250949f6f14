// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/program_run.h"
#include "tests/support/test_cluster.h"

#include <QCryptographicHash>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

using namespace idemdesk::tests;
using namespace Qt::StringLiterals;

namespace {

const char *const kProfile = R"json({
    "idemdesk_profile": 1, "name": "req", "kind": "request", "relation": "public.req", "identity": ["key"], "scope": [], "key": "t.key",
    "roles": { "fingerprint": "t.hash", "request_payload": "t.sent" },
    "states": { "*": "succeeded" }, "stale": null, "guard": [], "actions": {}, "orders": [], "effects": [], "policies": [ { "match": {}, "effect": "local" } ],
    "x_team": "payments"
})json";

} // namespace

/// idemdeskctl duplicates and recipe: what stored rows tell beyond their states.
class CtlEvidenceTest final : public QObject
{
    Q_OBJECT

    std::unique_ptr<TestCluster> m_cluster;
    QTemporaryDir m_folder;

    /// As a login that only reads; a profile file among the arguments is trusted as it is now.
    ProgramRun onDatabase(const QStringList &arguments)
    {
        QStringList all = arguments + QStringList { u"--connect"_s, m_cluster->conninfoAs(u"reader"_s, u"demo"_s) };
        QFile profile(arguments.value(arguments.indexOf(u"--target"_s) + 1));
        if (profile.open(QIODevice::ReadOnly)) {
            all += { u"--trust"_s,
                QString::fromLatin1(QCryptographicHash::hash(profile.readAll(), QCryptographicHash::Sha256).toHex()) };
        }
        return runProgram(QStringLiteral(IDEMDESKCTL), all);
    }

    QString profileFile(const QString &name)
    {
        QFile file(m_folder.filePath(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(kProfile) < 0) {
            qFatal("cannot write a profile");
        }
        return file.fileName();
    }

private slots:
    void initTestCase()
    {
        QTest::failOnWarning(QRegularExpression(u".*"_s));
        m_cluster = std::make_unique<TestCluster>();
        m_cluster->createDatabase(u"demo"_s);
        m_cluster->psql(u"demo"_s, u"CREATE ROLE reader LOGIN; GRANT pg_read_all_data TO reader"_s);
        for (const QString &seed : { u"000"_s, u"001"_s }) {
            m_cluster->psqlFile(u"demo"_s, u"sql/demo/schema_"_s + seed + u".sql"_s);
        }
        m_cluster->psql(u"demo"_s,
            u"CREATE TABLE public.req (key text PRIMARY KEY, hash text, sent text);"
            "INSERT INTO public.req SELECT 'secret-key-' || n, encode(sha256(convert_to('POST:{\"n\":' || n || '}', 'UTF8')), 'hex'), '{\"n\":' || n || '}' FROM generate_series(1, 20) n"_s);
    }
    void cleanupTestCase() { m_cluster.reset(); }

    void duplicatesAreIntentsUnderSeveralKeys()
    {
        const auto put = [this](const char *scope, const char *key, const char *hash, const char *result,
                             const char *age, int attempts = 1) {
            m_cluster->psql(u"demo"_s,
                u"INSERT INTO app.idempotency_request (idempotency_scope, idempotency_key, request_hash, status, "
                u"result_ref_type, result_ref_id, attempt_count, created_at, claimed_at, expires_at) "
                "VALUES ('%1', '%2', '%3', 'succeeded', 'order', %4, %6, now() - interval '%5', now(), now() + interval '1 day')"_s
                    .arg(QString::fromLatin1(scope), QString::fromLatin1(key), QString::fromLatin1(hash),
                        QString::fromLatin1(result), QString::fromLatin1(age))
                    .arg(attempts));
        };
        put("dup", "a-1", "same-hash", "NULL", "1 hour");
        put("dup", "a-2", "same-hash", "NULL", "2 hours");
        put("dup", "b-1", "hash-b1", "'00000000-0000-4000-8000-000000000001'", "1 hour");
        put("dup", "b-2", "hash-b2", "'00000000-0000-4000-8000-000000000001'", "3 hours");
        put("dup", "c-1", "hash-c", "NULL", "1 hour", 9); // tried nine times: one intent
        put("dup", "old-1", "hash-old", "NULL", "20 days");
        put("dup", "old-2", "hash-old", "NULL", "20 days");
        put("dup-other", "d-1", "same-hash", "NULL", "1 hour");
        const auto groups = [this](const QStringList &more) {
            const ProgramRun run
                = onDatabase(QStringList { u"duplicates"_s, u"--target"_s, u"plpgsql-request"_s, u"--json"_s } + more);
            QStringList lines;
            for (const QJsonValue &value : run.items()) {
                const QJsonObject one = value.toObject();
                QStringList keys;
                for (const QJsonValue &key : one.value(u"sample"_s).toArray()) {
                    keys += key.toString();
                }
                if (one.value(u"shared"_s).toString().contains(u"hash-old"_s)
                    || one.value(u"shared"_s).toString() == u"same-hash"
                    || one.value(u"shared"_s).toString().endsWith(u"000001"_s)) {
                    lines += one.value(u"reason"_s).toString() + u' ' + keys.join(u',');
                }
            }
            lines.sort();
            return lines.join(u"; "_s);
        };
        QCOMPARE(groups({}), u"same_fingerprint a-1,a-2; same_result b-1,b-2"_s);
        QCOMPARE(groups({ u"--across-scopes"_s }), u"same_fingerprint a-1,a-2,d-1; same_result b-1,b-2"_s);
        QCOMPARE(groups({ u"--since"_s, u"30d"_s }),
            u"same_fingerprint a-1,a-2; same_fingerprint old-1,old-2; same_result b-1,b-2"_s);
        QCOMPARE(groups({ u"--filter"_s, u"scope:dup-other"_s }), QString());
        QCOMPARE(
            onDatabase({ u"duplicates"_s, u"--target"_s, u"plpgsql-request"_s, u"--since"_s, u"soon"_s }).status, 2);
        const ProgramRun refused
            = onDatabase({ u"duplicates"_s, u"--target"_s, u"plpgsql-request"_s, u"--filter"_s, u"nonsense>5"_s });
        QVERIFY2(refused.status == 2 && refused.err.contains(u"nonsense>5\n"_s), qPrintable(refused.err));
        const QJsonObject first = onDatabase(
            { u"duplicates"_s, u"--target"_s, u"plpgsql-request"_s, u"--filter"_s, u"scope:dup"_s, u"--json"_s })
                                      .items()
                                      .first()
                                      .toObject();
        QCOMPARE(first.value(u"why"_s).toString(),
            u"2 keys led to the same result, order/00000000-0000-4000-8000-000000000001. It exists once. Either one request was sent again under another key, or several requests change the same thing."_s);
        const ProgramRun shown
            = onDatabase({ u"duplicates"_s, u"--target"_s, u"plpgsql-request"_s, u"--filter"_s, u"scope:dup"_s });
        QVERIFY2(shown.out.contains(
                     "2: 2 keys came with the same request: their fingerprints are equal. 2 of them succeeded"),
            shown.out.constData());
        m_cluster->psql(u"demo"_s, u"DELETE FROM app.idempotency_request WHERE idempotency_scope LIKE 'dup%'"_s);
        const ProgramRun none = onDatabase({ u"duplicates"_s, u"--target"_s, u"pending-key"_s });
        QCOMPARE(none.status, 5); // nothing could be looked for
        QVERIFY2(none.err.contains(u"names no fingerprint"_s), qPrintable(none.err));
    }

    void aRecipeIsCheckedOnStoredRows()
    {
        const QString profile = profileFile(u"checked.json"_s);
        const ProgramRun none = onDatabase({ u"recipe"_s, u"check"_s, u"--target"_s, profile });
        QVERIFY2(none.status == 2 && none.err.contains(u"keeps none"_s), qPrintable(none.err));
        const QString recipe = u"sha256(method \":\" body as raw)"_s;
        const ProgramRun partless
            = onDatabase({ u"recipe"_s, u"check"_s, u"--target"_s, profile, u"--recipe"_s, recipe });
        QVERIFY2(partless.status == 2 && partless.err.contains(u"--part method=TEXT"_s), qPrintable(partless.err));
        const QStringList check { u"recipe"_s, u"check"_s, u"--target"_s, profile, u"--recipe"_s, recipe, u"--part"_s,
            u"method=POST"_s };
        const ProgramRun right = onDatabase(check + QStringList { u"--json"_s });
        QVERIFY2(right.status == 0, qPrintable(right.err));
        QCOMPARE(right.json().value(u"matching"_s).toInt(), 20);
        QCOMPARE(right.json().value(u"recipe"_s).toString(), recipe);
        QCOMPARE(
            onDatabase(check + QStringList { u"--json"_s, u"--sample"_s, u"7"_s }).json().value(u"matching"_s).toInt(),
            7);
        QCOMPARE(onDatabase(check + QStringList { u"--sample"_s, u"0"_s }).status, 2);
        m_cluster->psql(u"demo"_s, u"UPDATE public.req SET sent = '{\"n\":0}' WHERE key = 'secret-key-5'"_s);
        const ProgramRun wrong = onDatabase(check);
        m_cluster->psql(u"demo"_s, u"UPDATE public.req SET sent = '{\"n\":5}' WHERE key = 'secret-key-5'"_s);
        QCOMPARE(wrong.status, 1);
        QVERIFY2(wrong.out.contains("sec…y-5") && !wrong.out.contains("secret-key-5")
                && wrong.out.contains("19 have the fingerprint"),
            wrong.out.constData());
        QCOMPARE(onDatabase({ u"recipe"_s, u"check"_s, u"--target"_s, u"plpgsql-request"_s, u"--recipe"_s,
                                u"sha256(body as raw)"_s })
                     .status,
            4); // it stores no payload
        const ProgramRun broken = onDatabase({ u"recipe"_s, u"check"_s, u"--target"_s, profile, u"--recipe"_s, recipe,
            u"--part-sql"_s, u"method=t.nothing"_s });
        QVERIFY2(broken.status == 2 && broken.err.contains(u"“method”"_s), qPrintable(broken.err));
        QCOMPARE(onDatabase({ u"recipe"_s, u"check"_s, u"--target"_s, profile, u"--recipe"_s, u"sha256(everything)"_s })
                     .status,
            2);
        QCOMPARE(onDatabase({ u"recipe"_s, u"forget"_s, u"--target"_s, profile }).status, 2);
    }

    void aRecipeIsSavedInTheProfile()
    {
        const QString profile = profileFile(u"saved.json"_s);
        const QStringList given { u"--recipe"_s, u"sha256(method \":\" body as raw)"_s, u"--part"_s, u"method=POST"_s };
        const ProgramRun wrong
            = onDatabase({ u"recipe"_s, u"save"_s, u"--target"_s, profile, u"--recipe"_s, u"md5(body as raw)"_s });
        QVERIFY2(wrong.status == 1 && wrong.err.contains(u"was not saved"_s), qPrintable(wrong.err));
        QCOMPARE(onDatabase({ u"recipe"_s, u"check"_s, u"--target"_s, profile }).status, 2); // still without one
        const ProgramRun saved = onDatabase(QStringList { u"recipe"_s, u"save"_s, u"--target"_s, profile } + given);
        QVERIFY2(saved.status == 0, qPrintable(saved.err));
        QCOMPARE(onDatabase({ u"recipe"_s, u"check"_s, u"--target"_s, profile, u"--json"_s })
                     .json()
                     .value(u"matching"_s)
                     .toInt(),
            20);
        QFile file(profile);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(QJsonDocument::fromJson(file.readAll()).object().value(u"x_team"_s).toString(),
            u"payments"_s); // the rest stays
        // Another file is never written over, and what is no file needs a new one.
        const QString other = profileFile(u"other.json"_s);
        QCOMPARE(
            onDatabase(QStringList { u"recipe"_s, u"save"_s, u"--target"_s, profile, u"-o"_s, other } + given).status,
            2);
        const QString fresh = m_folder.filePath(u"fresh.json"_s);
        QCOMPARE(
            onDatabase(QStringList { u"recipe"_s, u"save"_s, u"--target"_s, profile, u"-o"_s, fresh } + given).status,
            0);
        QVERIFY(QFile::exists(fresh));
        QCOMPARE(onDatabase({ u"recipe"_s, u"save"_s, u"--target"_s, u"plpgsql-request"_s, u"--recipe"_s,
                                u"sha256(body as raw)"_s })
                     .status,
            2);
    }
};

QTEST_GUILESS_MAIN(CtlEvidenceTest)
#include "tst_ctl_evidence.moc"
