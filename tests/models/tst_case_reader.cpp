// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/casefile/case_reader.h"
#include "models/complaint/complaint.h"
#include "sql/profile/binder.h"
#include "sql/profile/profile_json.h"
#include "tests/support/registered_table.h"

#include <QRegularExpression>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace idemdesk;
using namespace idemdesk::models;
using namespace idemdesk::tests;

namespace {

const QByteArray kProfile = R"json({"idemdesk_profile": 1, "name": "loose", "kind": "request", "relation": "app.loose", "identity": ["id"],
  "scope": [{"label": "tenant", "sql": "t.tenant"}], "key": "t.key", "roles": {"status": "t.status", "created_at": "t.created_at", "fingerprint": "t.hash"},
  "states": {"done": "succeeded"}, "stale": null, "guard": ["status"], "orders": [],
  "effects": [{"type": "paid", "proves": true, "sql": "SELECT t.id AS id, NULL::timestamptz AS at, NULL::text AS state"}]})json";

} // namespace

/// Which rows a case is about.
class CaseReaderTest final : public QObject
{
    Q_OBJECT

    std::unique_ptr<ConsoleFixture> m_fixture;
    std::unique_ptr<sql::Session> m_session;
    sql::Target m_target;

private slots:
    void initTestCase()
    {
        QTest::failOnWarning(QRegularExpression(u".*"_s));
        m_fixture = std::make_unique<ConsoleFixture>();
        m_fixture->fresh();
        QVERIFY(m_fixture->root().run(u"CREATE TABLE app.loose (id int PRIMARY KEY, tenant text, key text, status text, hash text, created_at timestamptz DEFAULT now()); GRANT SELECT ON app.loose TO op; "
                                      "INSERT INTO app.loose VALUES (1, NULL, 'k', 'done', 'h'), (2, 't1', 'k', 'done', 'h'), (3, 't1', 'again', 'done', 'h'), (4, 't2', 'other', 'done', 'h')"_s).ok());
        m_session = openSession(*m_fixture, u"op"_s, sql::LaneKind::Read);
        const auto profile = sql::profileFromJson(kProfile, u"test"_s);
        QVERIFY2(profile.ok(), profile.ok() ? "" : qPrintable(profile.error().line()));
        const auto target = sql::bindTarget(*m_session, *profile);
        QVERIFY2(target.ok(), target.ok() ? "" : qPrintable(target.error().line()));
        m_target = *target;
    }
    void cleanupTestCase()
    {
        m_session.reset();
        m_fixture.reset();
    }

    void aCandidateIsItsOwnRowAlone()
    {
        ComplaintQuestion question;
        question.key = u"k"_s;
        const auto answer = searchComplaint(*m_session, { m_target }, question);
        QVERIFY(answer.ok());
        QCOMPARE(answer->candidates.size(), 2);
        for (const Candidate &candidate : answer->candidates) {
            const auto file = readCase(*m_session, { caseSubject(m_target, {}, candidate.record) }, {});
            QVERIFY2(file.ok(), file.ok() ? "" : qPrintable(file.error().line()));
            QCOMPARE(file->rows.size(), 1);
            QVERIFY(file->rows.first().detail.record.sameRow(candidate.record));
        }
        QCOMPARE(readCase(*m_session, { { m_target, {}, u"k"_s, {} } }, {})->rows.size(), 2);
    }

    void anIntentThatIsNamedTwiceIsOne()
    {
        const CaseSubject again { m_target, {}, u"again"_s, {} };
        const auto file = readCase(*m_session, { again, again }, {});
        QCOMPARE(file->rows.size(), 1);
        QCOMPARE(kindWord(file->verdict.kind), u"one_effect"_s);
    }

    void aRowThatIsGoneIsAnError()
    {
        sql::KeyRecord gone;
        gone.identity = { sql::Cell::of(u"99"_s) };
        QVERIFY(!readCase(*m_session, { caseSubject(m_target, {}, gone) }, {}).ok());
    }

    /// The same request counts as one command under two keys only within a scope.
    void sameFingerprintOfAnotherScopeIsAnotherCommand()
    {
        const auto alike = [this](const QStringList &keys) {
            QList<CaseSubject> subjects;
            for (const QString &key : keys) {
                subjects.append({ m_target, {}, key, key == u"k" ? QMap<QString, QString> { { u"tenant"_s, u"t1"_s } } : QMap<QString, QString>() });
            }
            const auto file = readCase(*m_session, subjects, {});
            return file.ok() && file->verdict.kind == VerdictKind::SeveralIntents && verdictFacts({ m_target, m_target }, *file).alike;
        };
        QVERIFY(alike({ u"k"_s, u"again"_s }));
        QVERIFY(!alike({ u"k"_s, u"other"_s }));
    }
};

QTEST_GUILESS_MAIN(CaseReaderTest)
#include "tst_case_reader.moc"
