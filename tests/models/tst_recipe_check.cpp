// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/compare/recipe_keeper.h"
#include "models/fingerprint/recipe_check.h"
#include "sql/profile/binder.h"
#include "sql/profile/profile_json.h"
#include "tests/support/test_cluster.h"

#include <QRegularExpression>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace idemdesk;
using namespace idemdesk::models;

namespace {

// Fingerprints as a service would make them: raw over the bytes as sent, stable over sorted keys.
const char *const kTable = R"sql(
    CREATE TABLE public.req (key text PRIMARY KEY, client text, sent text, raw text, stable text, created_at timestamptz NOT NULL DEFAULT now());
    INSERT INTO public.req
    SELECT 'key-' || lpad(n::text, 12, '0'), 'acme', '{"b":"x","a":' || n || '}', encode(sha256(convert_to('acme{"b":"x","a":' || n || '}', 'UTF8')), 'hex'),
           upper(encode(sha256(convert_to('acme{"a":' || n || ',"b":"x"}', 'UTF8')), 'hex')), now() - n * interval '1 minute'
      FROM generate_series(1, 8) n;
    INSERT INTO public.req VALUES
        ('key-of-another-body', 'acme', '{"b":"x","a":9}', repeat('ab', 32), repeat('AB', 32), now() - interval '1 hour'),
        ('no-payload', 'acme', NULL, repeat('ab', 32), repeat('AB', 32), now() - interval '1 hour'),
        ('no-hash', 'acme', '{}', 'order 77', 'order 77', now() - interval '1 hour'),
        ('no-client', NULL, '{}', repeat('ab', 32), repeat('AB', 32), now() - interval '1 hour'),
        ('large', 'acme', '{"a":"' || repeat('x', 1100000) || '"}', repeat('ab', 32), repeat('AB', 32), now() - interval '1 hour'),
        ('without-fingerprint', 'acme', '{}', NULL, NULL, now());
)sql";

const char *const kProfile = R"json({
    "idemdesk_profile": 1, "name": "req", "kind": "request", "relation": "public.req", "identity": ["key"], "scope": [], "key": "t.key",
    "roles": { "fingerprint": "t.FINGERPRINT", "created_at": "t.created_at", "request_payload": "PAYLOAD" },
    "states": { "*": "succeeded" }, "stale": null, "guard": [], "actions": {}, "orders": [], "effects": [], "policies": [ { "match": {}, "effect": "local" } ],
    "fingerprint_recipe": { "recipe": "sha256(client + body as FORM)", "parts": { "client": { "sql": "t.client" } } }
})json";

} // namespace

class RecipeCheckTest final : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        QTest::failOnWarning(QRegularExpression(u".*"_s));
        m_cluster = std::make_unique<tests::TestCluster>();
        m_cluster->psql(u"postgres"_s, QString::fromLatin1(kTable));
        sql::ConnectionSettings settings;
        settings.conninfo = m_cluster->conninfo();
        auto session = sql::Session::open(settings, {});
        QVERIFY2(session.ok(), session.ok() ? "" : qPrintable(session.error().line()));
        m_session = std::move(*session);
    }
    void cleanupTestCase() { m_session.reset(); }

    void rowsAreJudged_data()
    {
        QTest::addColumn<QByteArray>("fingerprint");
        QTest::addColumn<QByteArray>("payload");
        QTest::addColumn<QByteArray>("form");
        QTest::addColumn<QString>(
            "counts"); // matching, differing; without payload, too large, no hash, no JSON, part missing, form lost
        QTest::addColumn<QString>("says");
        const auto row = [](const char *name, const char *fingerprint, const char *payload, const char *form,
                             const char *counts, const char *says) {
            QTest::newRow(name) << QByteArray(fingerprint) << QByteArray(payload) << QByteArray(form)
                                << QString::fromLatin1(counts) << QString::fromUtf8(says);
        };
        row("bytes as sent", "raw", "t.sent", "raw", "8 1; 1 1 1 0 1 0",
            "Of 9 that can be judged, 8 have the fingerprint");
        row("bytes in a bytea", "raw", "convert_to(t.sent, 'UTF8')", "raw", "8 1; 1 1 1 0 1 0", "too large to be read");
        row("bytes in a json", "raw", "t.sent::json", "raw", "8 1; 1 1 1 0 1 0", "no payload is stored");
        row("bytes lost in jsonb", "raw", "t.sent::jsonb", "raw", "0 0; 1 1 1 0 1 9", "None of them can be judged.");
        row("order of keys lost in jsonb", "raw", "t.sent::jsonb", "javascript", "0 0; 1 1 1 0 1 9",
            "has lost the form");
        row("sorted keys out of jsonb", "stable", "t.sent::jsonb", "stable-json", "8 1; 1 1 1 0 1 0",
            "and 1 have another");
        row("sorted keys as sent", "stable", "t.sent", "stable-json", "8 1; 1 1 1 0 1 0",
            "a part that the recipe names is NULL");
        row("another recipe", "raw", "t.sent", "stable-json", "0 9; 1 1 1 0 1 0", "0 have the fingerprint");
        row("no JSON", "stable", "'x' || t.sent", "stable-json", "0 0; 1 1 1 10 0 0", "the payload is not JSON");
    }
    void rowsAreJudged()
    {
        QFETCH(QByteArray, fingerprint);
        QFETCH(QByteArray, payload);
        QFETCH(QByteArray, form);
        QFETCH(QString, counts);
        QFETCH(QString, says);
        const auto check = checkStoredRecipe(*m_session, bind(fingerprint, payload, form), 100);
        QVERIFY2(check.ok(), check.ok() ? "" : qPrintable(check.error().line() + check.error().detail));
        QCOMPARE(u"%1 %2; %3 %4 %5 %6 %7 %8"_s.arg(check->matching)
                     .arg(check->differing)
                     .arg(check->withoutPayload)
                     .arg(check->tooLarge)
                     .arg(check->noHash)
                     .arg(check->noJson)
                     .arg(check->partMissing)
                     .arg(check->formLost),
            counts);
        QCOMPARE(check->rows, 13);
        QCOMPARE(check->matching + check->differing + check->unjudged(), check->rows);
        const QString words = recipeCheckInWords(*check).join(u'\n');
        QVERIFY2(words.contains(says) && words.contains(u"newest 13 key(s)"_s), qPrintable(words));
    }

    void whatDiffersIsShownMasked()
    {
        const auto check = checkStoredRecipe(*m_session, bind("stable", "t.sent", "stable-json"), 100);
        QVERIFY(check.ok());
        QCOMPARE(check->examples.size(), 1);
        const RecipeCheck::Example &example = check->examples.first();
        QCOMPARE(example.maskedKey, u"key…ody"_s);
        QCOMPARE(example.stored, u"AB"_s.repeated(32));
        // What the service would have stored, in its own upper case.
        QCOMPARE(example.made,
            m_cluster->psql(u"postgres"_s, u"SELECT upper(encode(sha256('acme{\"a\":9,\"b\":\"x\"}'), 'hex'))"_s));
        const auto all = checkStoredRecipe(*m_session, bind("raw", "t.sent", "stable-json"), 100);
        QCOMPARE(all->examples.size(), 5);
    }

    void theNewestAreRead()
    {
        const auto check = checkStoredRecipe(*m_session, bind("raw", "t.sent", "raw"), 8);
        QVERIFY(check.ok() && check->newestFirst);
        QCOMPARE(check->rows, 8);
        QCOMPARE(check->matching, 8);
    }

    void whatCannotBeCheckedIsAnError()
    {
        sql::Target target = bind("raw", "t.sent", "raw");
        target.profile.fingerprintRecipe.reset();
        const auto none = checkStoredRecipe(*m_session, target, 10);
        QVERIFY(!none.ok() && none.error().why.contains(u"keeps none"_s));
        sql::Profile broken = bind("raw", "t.sent", "raw").profile;
        broken.fingerprintRecipe
            = sql::StoredRecipe { u"sha256(client + body as raw)"_s, { { u"client"_s, { true, u"t.nothing"_s } } } };
        const auto bound = sql::bindTarget(*m_session, broken);
        QVERIFY(bound.ok());
        const auto refused = checkStoredRecipe(*m_session, *bound, 10);
        QVERIFY(!refused.ok());
        QVERIFY2(refused.error().what.contains(u"“client”"_s) && refused.error().why.contains(u"nothing"_s),
            qPrintable(refused.error().line()));
        target = bind("raw", "t.sent", "raw");
        target.profile.roles.remove(sql::Role::Fingerprint);
        QVERIFY(checkStoredRecipe(*m_session, target, 10).error().why.contains(u"where the fingerprint is"_s));
    }

    void partsOfARequestSurviveTheirText_data()
    {
        QTest::addColumn<QByteArray>("value");
        QTest::addColumn<bool>("held");
        QTest::newRow("a word") << QByteArray("k-7") << true;
        QTest::newRow("blanks") << QByteArray("k 7\t8") << true;
        QTest::newRow("a quotation mark inside") << QByteArray("k\"7") << true;
        QTest::newRow("a quotation mark first") << QByteArray("\"k7") << false;
        QTest::newRow("blank and quotation mark") << QByteArray("k \"7") << false;
        QTest::newRow("equals sign") << QByteArray("path=/v1") << true;
        QTest::newRow("letters of any kind") << QByteArray("schlüssel-é") << true;
    }
    void partsOfARequestSurviveTheirText()
    {
        QFETCH(QByteArray, value);
        QFETCH(bool, held);
        const RequestParts parts { { { u"method"_s, "POST" }, { u"key"_s, value } } };
        const auto read = requestParts(partsText(parts));
        QVERIFY2(read.ok(), read.ok() ? "" : qPrintable(read.error().line()));
        QCOMPARE(read->values.value(u"method"_s), QByteArray("POST"));
        QCOMPARE(read->values.contains(u"key"_s), held);
        QVERIFY(!held || read->values == parts.values);
    }

    void aRecipeIsPutIntoAProfile()
    {
        const sql::Profile profile = bind("raw", "t.sent", "raw").profile;
        const Recipe recipe = *recipeFromId(u"md5(key + method + body as stable-json)"_s);
        const auto missing = profileWithRecipe(profile, recipe, { { u"key"_s, { true, u"t.key"_s } } });
        QVERIFY(!missing.ok());
        QVERIFY2(missing.error().why.contains(u"“method”"_s), qPrintable(missing.error().line()));
        const QMap<QString, sql::RecipePart> parts { { u"key"_s, { true, u"t.key"_s } },
            { u"method"_s, { false, u"POST"_s } }, { u"client"_s, { false, u"not named"_s } } };
        const auto changed = profileWithRecipe(profile, recipe, parts);
        QVERIFY2(changed.ok(), changed.ok() ? "" : qPrintable(changed.error().line()));
        QCOMPARE(changed->fingerprintRecipe->recipe, recipe.id());
        QCOMPARE(changed->fingerprintRecipe->parts.keys(), (QStringList { u"key"_s, u"method"_s }));
        QVERIFY(!profileWithRecipe(
            profile, recipe, { { u"key"_s, { true, u"t.key) OR (true"_s } }, { u"method"_s, { false, {} } } })
                     .ok());
    }

private:
    sql::Target bind(const QByteArray &fingerprint, const QByteArray &payload, const QByteArray &form)
    {
        const QByteArray json = QByteArray(kProfile)
                                    .replace("FINGERPRINT", fingerprint)
                                    .replace("PAYLOAD", payload)
                                    .replace("FORM", form);
        const auto profile = sql::profileFromJson(json, u"req.json"_s);
        if (!profile) {
            qFatal("%s", qPrintable(profile.error().line() + profile.error().where));
        }
        const auto target = sql::bindTarget(*m_session, *profile);
        if (!target) {
            qFatal("%s", qPrintable(target.error().line() + target.error().detail));
        }
        return *target;
    }

    std::unique_ptr<tests::TestCluster> m_cluster;
    std::unique_ptr<sql::Session> m_session;
};

QTEST_GUILESS_MAIN(RecipeCheckTest)
#include "tst_recipe_check.moc"
