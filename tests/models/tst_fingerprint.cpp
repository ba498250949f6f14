// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/fingerprint/canonical_form.h"
#include "models/fingerprint/fingerprint_text.h"
#include "models/fingerprint/recipe_orders.h"
#include "models/fingerprint/recipe_search.h"
#include "models/fingerprint/why_different.h"

#include <QCryptographicHash>
#include <QElapsedTimer>
#include <QRegularExpression>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace idemdesk::models;

namespace {

const QByteArray kBody = "{\"amount\":1050,\"currency\":\"EUR\",\"Note\":\"caf\xC3\xA9/"
                         "1\",\"items\":[{\"sku\":\"b\",\"qty\":2}],\"rate\":1.0}";

RecipeQuestion question(
    const QByteArray &payload, const QString &fingerprint, const QMap<QString, QByteArray> &parts = {})
{
    RecipeQuestion asked;
    asked.payload = payload;
    asked.fingerprint = fingerprint;
    asked.parts.values = parts;
    asked.budgetMs = 20'000;
    return asked;
}

QString hex(const QByteArray &bytes, QCryptographicHash::Algorithm algorithm = QCryptographicHash::Sha256)
{
    return QString::fromLatin1(QCryptographicHash::hash(bytes, algorithm).toHex());
}

QByteArray form(const QString &id, const QByteArray &payload)
{
    const auto json = JsonSource::read(payload);
    return canonicalBytes(*canonicalForm(id), payload, json ? &*json : nullptr);
}

} // namespace

class FingerprintTest final : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { QTest::failOnWarning(QRegularExpression(u".*"_s)); }

    void recipesInUseAreFound_data()
    {
        QTest::addColumn<QString>("fingerprint");
        QTest::addColumn<QString>("id");
        QTest::newRow("raw sha256") << u"5840829e0f67b9d827df3986a82cca68cb1188a36210069ce7a4820787dcb4a2"_s
                                    << u"sha256(body as raw)"_s;
        QTest::newRow("method, path, body") << u"7511e10eb29617a0aa087f41a53796ab166682e361f39e602953d10ce150b65a"_s
                                            << u"sha256(method \":\" path \":\" body as raw)"_s;
        QTest::newRow("stable JSON and RFC 8785")
            << u"86113d7d7ef5ba9857f06bf8bc9c7d4a5d0fccd776f2e95ee11477bf89995f5a"_s
            << u"sha256(body as stable-json)"_s;
        QTest::newRow("Powertools Python") << u"99158b1e5289afe4c5b137005fe48985"_s << u"md5(body as python-sorted)"_s;
        QTest::newRow("Powertools TypeScript") << u"7oCIIROV7SeX4zGU+BvnuQ=="_s << u"md5(body as case-insensitive)"_s;
        QTest::newRow("PHP") << u"48af872a69781f86fecc47f4f8e48986"_s << u"md5(body as php)"_s;
    }
    void recipesInUseAreFound()
    {
        QFETCH(QString, fingerprint);
        QFETCH(QString, id);
        const auto answer
            = findRecipe(question(kBody, fingerprint, { { u"method"_s, "POST" }, { u"path"_s, "/v1/charges" } }));
        QVERIFY(answer.ok());
        QVERIFY2(answer->recipe.has_value(), qPrintable(answer->reasons.join(u' ')));
        QCOMPARE(answer->recipe->id(), id);
        QVERIFY(!answer->recipe->inWords().isEmpty() && answer->complete);
    }

    /// Values made with node, Python and xxhsum.
    void shapedRecipesAreFound_data()
    {
        QTest::addColumn<QString>("fingerprint");
        QTest::addColumn<QString>("id");
        const auto row = [](const char *name, const char *fingerprint, const char *id) {
            QTest::newRow(name) << QString::fromLatin1(fingerprint) << QString::fromLatin1(id);
        };
        row("list of the text and the path", "96b901b50fd4c521b56ade2122b9a47973e43ea9dca912628bf9c32274076a30",
            "sha256([body as raw, path])");
        row("list with the value", "00768fff0b482f0af4e9e8f5a6dcaadbc574b35c6405fe672d354840bfbf040a",
            "sha256([method, path, body as javascript])");
        row("object", "69d01390b60873d66e952f78588a29e0d8bd29aaedd28b027d295c39d41073c7",
            "sha256({method=method, path=path, body=body as javascript})");
        row("sorted object of Python", "0d9ae011568b36ee171ee88fb312056bc4f06bc56931118e8c7fa34856220423",
            "sha256({body=body as python-sorted, method=method, path=path})");
        row("name=value", "7d33a04be4025860cf3c55b5a3d47e97b5d043286478dcefd2ef4553632bb0b0",
            "sha256(method=method \"&\" path=path \"&\" body=body as raw)");
        row("hash of the body's hash and parts", "4ba7d36d5ca2e13f6559239d9a7c2f966e0156415dd6bdefd44058e64e754977",
            "sha256(method \"\\n\" path \"\\n\" sha256(body as raw))");
        row("hash of a hash", "78bf3da2713cfaa47de7f0f9cb13435a264a49461b20cd3a4e2476df26d92e79",
            "sha256(sha256(body as raw))");
        row("hash of a hash's bytes", "37bc3ca89c788b3e888b8fa82b28a5078f09bea60dc7f9918da9770594ae2894",
            "sha256(sha256-bytes(body as raw))");
        row("hash of every part's hash", "b669016ea0d13f84e8d36585d0bfe3cf9549c3fa8dc3107f1b7ce343284309de",
            "sha256(sha256(method) + sha256(path) + sha256(body as raw))");
        row("only the outermost keys sorted", "bda3fe2a57141ad3913bf858d45e82c876c047b06eaa232abf1535dced8ce8b2",
            "sha256(body as top-sorted)");
        row("the same in Python", "99b242f49fe115c199499fee4ba257848627099afa7714b6b23739d567a62a77",
            "sha256(body as python-top-sorted)");
        row("keys as a replacer", "a7cd0721e2471007673ea7997d3f7bc8a906900dd4f9d80decae511c8263e709",
            "sha256(body as replacer)");
        row("a header among the parts", "e33a20d3b5975e964ead1b086ea8bf7f5c4e43638e2d8b464c2cafc631ae8881",
            "sha256(method \":\" path \":\" content_type \":\" body as raw)");
        row("XXH64", "94a0c979ec84ce1a", "xxh64(body as raw)");
        row("XXH3", "707209a177c9e850", "xxh3(body as raw)");
        row("XXH128", "45f1744dd551e162bca866286175adda", "xxh128(body as raw)");
        row("XXH64 of method, path, body", "0611de513f36d8b3", "xxh64(method \":\" path \":\" body as raw)");
        row("XXH3 of them, bytea", "\\x8ba7263a4595950d", "xxh3(method \":\" path \":\" body as raw)");
        row("XXH128 of them, named", "xxh128:3094ee4c992d62e131b16376c4402efb",
            "xxh128(method \":\" path \":\" body as raw)");
        row("MD5, base64", "VoG4eEicjkiZlt+Nn2lxDA==", "md5(body as raw)");
        row("MD5, base64 without padding", "VoG4eEicjkiZlt+Nn2lxDA", "md5(body as raw)");
    }
    void shapedRecipesAreFound()
    {
        QFETCH(QString, fingerprint);
        QFETCH(QString, id);
        const auto answer = findRecipe(question(kBody, fingerprint,
            { { u"method"_s, "POST" }, { u"path"_s, "/v1/charges" }, { u"content_type"_s, "application/json" } }));
        QVERIFY(answer.ok());
        QVERIFY2(answer->recipe.has_value(), qPrintable(answer->reasons.join(u' ')));
        QCOMPARE(answer->recipe->id(), id);
        const auto again = recipeFromId(id);
        QVERIFY2(again.ok(), again.ok() ? "" : qPrintable(again.error().line() + again.error().why));
        QCOMPARE(*again, *answer->recipe);
        QVERIFY(!again->inWords().isEmpty());
    }

    void fieldsAsInAnAddressAreFound_data()
    {
        QTest::addColumn<QString>("fingerprint");
        QTest::addColumn<QString>("id");
        QTest::newRow("as sent") << u"949c64ce7591c71bbba7d3e62e908cd0198f5683c9f29cb0c151a780b020db6a"_s
                                 << u"sha256(body as query)"_s;
        QTest::newRow("sorted") << u"a26d7576e5c9a70956db8269af823f63b8b9ff598db68a1d874e9e1bb73f9ae4"_s
                                << u"sha256(body as query-sorted)"_s;
        QTest::newRow("not escaped, sorted") << u"8b8e9c6808b88e4e2a06171cfde25417"_s << u"md5(body as pairs-sorted)"_s;
    }
    void fieldsAsInAnAddressAreFound()
    {
        QFETCH(QString, fingerprint);
        QFETCH(QString, id);
        const auto answer = findRecipe(question(R"({"amount":"10.50","note":"a b&c","currency":"EUR"})", fingerprint));
        QVERIFY(answer.ok());
        QVERIFY2(answer->recipe.has_value(), qPrintable(answer->reasons.join(u' ')));
        QCOMPARE(answer->recipe->id(), id);
    }

    void otherRecipesAreFound_data()
    {
        QTest::addColumn<QString>("fingerprint");
        QTest::addColumn<QString>("id");
        const QByteArray stable = form(u"stable-json"_s, kBody);
        const auto base64 = [](const QByteArray &bytes, QByteArray::Base64Options options) {
            return QString::fromLatin1(QCryptographicHash::hash(bytes, QCryptographicHash::Sha256).toBase64(options));
        };
        QTest::newRow("every part, nothing between") << hex("k-1/v1/chargesPOST" + kBody + "Bearer x")
                                                     << u"sha256(key + path + method + body as raw + authorization)"_s;
        QTest::newRow("client and canonical payload")
            << hex("acme" + stable) << u"sha256(client + body as stable-json)"_s;
        QTest::newRow("payload, operation, version")
            << hex(stable + "create_order2") << u"sha256(body as stable-json + operation + version)"_s;
        QTest::newRow("body first, bar") << hex(kBody + "|POST") << u"sha256(body as raw \"|\" method)"_s;
        QTest::newRow("lines") << hex("k-1\n" + stable) << u"sha256(key \"\\n\" body as stable-json)"_s;
        QTest::newRow("line feed at the end") << hex(kBody + '\n') << u"sha256(body as raw + \"\\n\")"_s;
        QTest::newRow("blake2s") << hex(kBody, QCryptographicHash::Blake2s_256) << u"blake2s256(body as raw)"_s;
        QTest::newRow("sha1") << hex(kBody, QCryptographicHash::Sha1) << u"sha1(body as raw)"_s;
        QTest::newRow("upper case") << hex(kBody).toUpper() << u"sha256(body as raw)"_s;
        QTest::newRow("base64 without padding")
            << base64(kBody, QByteArray::OmitTrailingEquals) << u"sha256(body as raw)"_s;
        QTest::newRow("base64url") << base64(kBody, QByteArray::Base64UrlEncoding) << u"sha256(body as raw)"_s;
        QTest::newRow("bytea") << u"\\x"_s + hex(kBody) << u"sha256(body as raw)"_s;
        QTest::newRow("named") << u"sha256:"_s + hex(kBody) << u"sha256(body as raw)"_s;
        QTest::newRow("cut") << hex(kBody).left(16) << u"sha256(body as raw)"_s;
        QByteArray md5 = QCryptographicHash::hash(kBody, QCryptographicHash::Md5).toHex();
        md5[12] = '3'; // a name-based uuid: version 3, variant 8 to b
        md5[16] = "89ab"[QByteArray(1, md5[16]).toInt(nullptr, 16) & 3];
        const QString digits = QString::fromLatin1(md5);
        QTest::newRow("uuid") << QStringList { digits.mid(0, 8), digits.mid(8, 4), digits.mid(12, 4), digits.mid(16, 4),
            digits.mid(20) }
                                     .join(u'-')
                              << u"md5(body as raw)"_s;
    }
    void otherRecipesAreFound()
    {
        QFETCH(QString, fingerprint);
        QFETCH(QString, id);
        const auto answer = findRecipe(question(kBody, fingerprint,
            { { u"method"_s, "POST" }, { u"path"_s, "/v1/charges" }, { u"key"_s, "k-1" },
                { u"authorization"_s, "Bearer x" }, { u"client"_s, "acme" }, { u"operation"_s, "create_order" },
                { u"version"_s, "2" } }));
        QVERIFY(answer.ok());
        QVERIFY2(answer->recipe.has_value(), qPrintable(answer->reasons.join(u' ')));
        QCOMPARE(answer->recipe->id(), id);
    }

    void canonicalFormsFollowTheirLibraries_data()
    {
        QTest::addColumn<QString>("id");
        QTest::addColumn<QByteArray>("payload");
        QTest::addColumn<QByteArray>("bytes");
        const auto row = [](const char *name, const QString &id, const QByteArray &payload, const QByteArray &bytes) {
            QTest::newRow(name) << id << payload << bytes;
        };
        row("RFC 8785 numbers", u"stable-json"_s,
            "[1.0,1e21,1e20,1e-6,1e-7,-0,333333333.33333329,4.50,2e-3,10000000000000000000000]",
            "[1,1e+21,100000000000000000000,0.000001,1e-7,0,333333333.3333333,4.5,0.002,1e+22]");
        row("RFC 8785 escapes", u"stable-json"_s, "[\"\\u20ac$\\u000F\\u000aA'\\u0042\\u0022\\u005c\\\\\\\"\\/\"]",
            "[\"\xE2\x82\xAC$\\u000f\\nA'B\\\"\\\\\\\\\\\"/\"]");
        row("RFC 8785 keys by UTF-16 unit", u"stable-json"_s, "{\"\xEF\xAC\xB3\":1,\"\xF0\x9F\x98\x80\":2}",
            "{\"\xF0\x9F\x98\x80\":2,\"\xEF\xAC\xB3\":1}");
        row("Python by code point, ASCII", u"python-sorted-compact"_s, "{\"\xF0\x9F\x98\x80\":2,\"\xEF\xAC\xB3\":1}",
            "{\"\\ufb33\":1,\"\\ud83d\\ude00\":2}");
        row("Python numbers", u"python-compact"_s, "[1.0,1e2,1E16,0.0001,0.00001,-0,-0.0,12345678901234567890]",
            "[1.0,100.0,1e+16,0.0001,1e-05,0,-0.0,12345678901234567890]");
        row("last of a name at the first's place", u"javascript"_s, R"({"a":1,"b":2,"a":3})", R"({"a":3,"b":2})");
        row("JavaScript's integer keys first", u"javascript"_s, R"({"b":1,"10":2,"9":3,"01":4})",
            R"({"9":3,"10":2,"b":1,"01":4})");
        row("PHP", u"php"_s, "{\"u\":\"caf\xC3\xA9/\",\"n\":1.0,\"e\":{}}",
            "{\"u\":\"caf\\u00e9\\/\",\"n\":1,\"e\":[]}");
        row("jsonb", u"jsonb"_s, R"({"bb":1e2,"a":1.0,"c":-0,"bb":0.1e-2})", R"({"a": 1.0, "c": 0, "bb": 0.001})");
        row("tokens as they are", u"compact"_s, "{ \"a\" : [ 1.0 , \"\\u0041 \" ] }\n", "{\"a\":[1.0,\"\\u0041 \"]}");
        row("values", u"values-bar"_s, R"({"case":"c-1","command":"close","n":1.0})", "c-1|close|1.0");
    }
    void canonicalFormsFollowTheirLibraries()
    {
        QFETCH(QString, id);
        QFETCH(QByteArray, payload);
        QFETCH(QByteArray, bytes);
        QCOMPARE(form(id, payload), bytes);
    }

    void noMatchSaysWhyItMayBe_data()
    {
        QTest::addColumn<QByteArray>("payload");
        QTest::addColumn<int>("origin");
        QTest::addColumn<QString>("word");
        QTest::newRow("stored as jsonb") << QByteArray("{\"a\": 1}") << int(PayloadOrigin::Jsonb)
                                         << u"stored as jsonb"_s;
        QTest::newRow("looks like jsonb")
            << QByteArray("{\"a\": 1, \"bb\": 2.0}") << int(PayloadOrigin::Unknown) << u"looks like"_s;
        QTest::newRow("bytes") << QByteArray("{\"a\": 1, \"bb\": 2.0}") << int(PayloadOrigin::Bytes)
                               << u"not given are: method, path"_s;
        QTest::newRow("no JSON") << QByteArray("a=1&b=2") << int(PayloadOrigin::Unknown) << u"not readable JSON"_s;
        QTest::newRow("not UTF-8") << QByteArray("\xFF\xFE") << int(PayloadOrigin::Unknown) << u"not readable JSON"_s;
    }
    void noMatchSaysWhyItMayBe()
    {
        QFETCH(QByteArray, payload);
        QFETCH(int, origin);
        QFETCH(QString, word);
        RecipeQuestion asked = question(payload, hex("something else"));
        asked.origin = PayloadOrigin(origin);
        const auto answer = findRecipe(asked);
        QVERIFY(answer.ok() && !answer->recipe);
        QVERIFY(answer->complete && answer->tried > 0);
        QVERIFY2(answer->reasons.join(u' ').contains(word), qPrintable(answer->reasons.join(u' ')));
    }

    void everyRecipeOfTheSearchCanBeReadBack()
    {
        const QList<PartOrder> orders = partOrders({ u"method"_s, u"path"_s, u"key"_s, u"client"_s });
        const FingerprintReading reading = *readFingerprint(QString(64, u'a'));
        int read = 0;
        for (const PartOrder &order : orders) {
            for (const CanonicalForm &known : canonicalForms()) {
                for (const Digest algorithm : algorithmsFor(reading, true)) {
                    const Recipe recipe { order.parts, order.separator, read % 2 == 1, known.id, algorithm };
                    const auto again = recipeFromId(recipe.id());
                    QVERIFY2(again.ok(), again.ok() ? "" : qPrintable(recipe.id() + u": "_s + again.error().line()));
                    QCOMPARE(*again, recipe);
                    ++read;
                }
            }
        }
        QVERIFY(read > 1'000);
        for (Recipe recipe : shapedRecipes({ u"method"_s, u"path"_s, u"key"_s, u"header"_s })) {
            recipe.form = u"python-sorted"_s;
            recipe.algorithm = Digest::Xxh64;
            recipe.innerAlgorithm = recipe.inner == Recipe::Inner::Nothing ? Digest::Sha256 : Digest::Sha3_256;
            const auto again = recipeFromId(recipe.id());
            QVERIFY2(again.ok(), again.ok() ? "" : qPrintable(recipe.id() + u": "_s + again.error().why));
            QCOMPARE(*again, recipe);
        }
    }

    void otherTextsAreNoRecipes_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("why");
        QTest::newRow("empty") << QString() << u"in parentheses"_s;
        QTest::newRow("hash") << u"sha3(body as raw)"_s << u"No hash called “sha3”"_s;
        QTest::newRow("form") << u"sha256(body as yaml)"_s << u"No form of a payload called “yaml”"_s;
        QTest::newRow("part") << u"sha256(verb + body as raw)"_s << u"“verb” is not part"_s;
        QTest::newRow("twice") << u"sha256(key + body as raw + key)"_s << u"“key” stands in it twice"_s;
        QTest::newRow("no body") << u"sha256(method + path)"_s << u"in which form the body"_s;
        QTest::newRow("two separators") << u"sha256(method \":\" path \"|\" body as raw)"_s << u"is not part"_s;
        QTest::newRow("another spelling") << u"sha256(method  + body as raw)"_s << u"is not part"_s;
        QTest::newRow("upper case") << u"SHA256(body as raw)"_s << u"in parentheses"_s;
        QTest::newRow("a name lacks") << u"sha256({method=method, body as raw})"_s << u"has no name"_s;
        QTest::newRow("some parts hashed") << u"sha256(sha256(method) + path + body as raw)"_s << u"is written"_s;
        QTest::newRow("inner hash") << u"sha256(crc32(body as raw))"_s << u"No hash called “crc32”"_s;
        QTest::newRow("list left open") << u"sha256([body as raw, path)"_s << u"is not part"_s;
        QTest::newRow("empty list") << u"sha256([])"_s << u"is not part"_s;
        QTest::newRow("endless") << u"sha256("_s + QString(100'000, u'a') + u')' << u"in parentheses"_s;
    }
    void otherTextsAreNoRecipes()
    {
        QFETCH(QString, text);
        QFETCH(QString, why);
        const auto recipe = recipeFromId(text);
        QVERIFY(!recipe.ok());
        QVERIFY2(recipe.error().why.contains(why), qPrintable(recipe.error().why));
        QVERIFY(!recipe.error().what.isEmpty() && recipe.error().todo.contains(u"idemdeskctl diff"_s));
        QVERIFY(recipe.error().what.size() < 300);
    }

    void digestsAreWrittenAsTheTableWritesThem_data()
    {
        QTest::addColumn<QString>("stored");
        const QByteArray digest = QCryptographicHash::hash(kBody, QCryptographicHash::Sha256);
        QTest::newRow("hex") << hex(kBody);
        QTest::newRow("upper case") << hex(kBody).toUpper();
        QTest::newRow("cut") << hex(kBody).left(16);
        QTest::newRow("named") << u"sha256:"_s + hex(kBody);
        QTest::newRow("bytea") << u"\\x"_s + hex(kBody);
        QTest::newRow("base64") << QString::fromLatin1(digest.toBase64());
        QTest::newRow("base64url without padding")
            << QString::fromLatin1(digest.toBase64(QByteArray::Base64UrlEncoding | QByteArray::OmitTrailingEquals));
    }
    void digestsAreWrittenAsTheTableWritesThem()
    {
        QFETCH(QString, stored);
        const QByteArray other = QCryptographicHash::hash("another request", QCryptographicHash::Sha256);
        QCOMPARE(writtenLike(stored, QCryptographicHash::hash(kBody, QCryptographicHash::Sha256)), stored);
        const QString changed = writtenLike(stored, other);
        QVERIFY(changed != stored);
        QCOMPARE(changed.size(), stored.size());
        QVERIFY(reproduces(*readFingerprint(changed), other));
    }

    void aUuidKeepsItsVersion()
    {
        const QByteArray digest = QCryptographicHash::hash(kBody, QCryptographicHash::Md5);
        const QString made = writtenLike(u"0f8fad5b-d9cb-469f-a165-70867728950e"_s, digest);
        QCOMPARE(made.size(), 36);
        QCOMPARE(made.at(14), u'4');
        QVERIFY2(reproduces(*readFingerprint(made), digest), qPrintable(made));
    }

    void rawBytesOfNoJsonAreFound()
    {
        const auto answer = findRecipe(question("\xFF\xFEraw", hex("\xFF\xFEraw")));
        QVERIFY(answer.ok() && answer->recipe);
    }

    void whatIsNoHashIsRefused_data()
    {
        QTest::addColumn<QString>("text");
        QTest::newRow("empty") << QString();
        QTest::newRow("words") << u"not a hash at all"_s;
        QTest::newRow("short") << u"abcd"_s;
        QTest::newRow("endless") << QString(100'000, u'a');
        QTest::newRow("other script") << u"абвгд1234567890"_s;
        QTest::newRow("NUL") << u"ab\0cd"_s;
    }
    void whatIsNoHashIsRefused()
    {
        QFETCH(QString, text);
        const auto answer = findRecipe(question(kBody, text));
        QVERIFY(!answer.ok());
        QVERIFY(!answer.error().what.isEmpty() && !answer.error().why.isEmpty() && !answer.error().todo.isEmpty());
    }

    void theSearchKeepsItsLimit()
    {
        RecipeQuestion asked = question("{\"a\":\"" + QByteArray(100'000, 'x') + "\"}", hex("no"));
        for (const QString &name : RequestParts::names()) {
            asked.parts.values.insert(name, "value of " + name.toUtf8());
        }
        asked.budgetMs = 1'000;
        QElapsedTimer timer;
        timer.start();
        const auto answer = findRecipe(asked);
        QVERIFY2(timer.elapsed() < 2'500, qPrintable(QString::number(timer.elapsed())));
        qInfo(
            "100 kB, ten parts: %lld of %lld combinations in %lld ms", answer->tried, answer->planned, timer.elapsed());
        QVERIFY(!answer->complete);
        QVERIFY(answer->reasons.join(u' ').contains(u"limit of time"));
        asked.cancelled = [] { return true; };
        QCOMPARE(findRecipe(asked)->tried, 0);
    }

    void fingerprintsAreDescribed_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("words");
        QTest::newRow("sha256") << QString(64, u'a') << u"64 hex digits: SHA-256, BLAKE2s-256 or BLAKE2b-256"_s;
        QTest::newRow("md5") << QString(32, u'0') << u"32 hex digits: MD5, BLAKE2s-128 or MD4"_s;
        QTest::newRow("xxh64") << QString(16, u'0') << u"16 hex digits: XXH64, XXH3, or a longer hash cut"_s;
        QTest::newRow("uuid") << u"0f8fad5b-d9cb-469f-a165-70867728950e"_s << u"a uuid: MD5, BLAKE2s-128 or MD4"_s;
        QTest::newRow("base64") << u"7oCIIROV7SeX4zGU+BvnuQ=="_s
                                << u"24 characters of base64: MD5, BLAKE2s-128 or MD4"_s;
        QTest::newRow("named") << u"sha256:"_s + QString(64, u'a') << u"64 hex digits: SHA-256"_s;
        QTest::newRow("other") << u"order 77"_s << u"8 characters that are no known form of a hash"_s;
    }
    void fingerprintsAreDescribed()
    {
        QFETCH(QString, text);
        QFETCH(QString, words);
        QCOMPARE(describeFingerprint(text), words);
    }

    void fingerprintsStandSideBySide()
    {
        const FingerprintComparison other
            = compareFingerprints(u"aa00"_s + QString(60, u'0'), u"aa11"_s + QString(60, u'0'));
        QCOMPARE(other.firstDifference, 2);
        QVERIFY(!other.sameBytes && other.sentence.contains(u"character 3"));
        const FingerprintComparison form = compareFingerprints(hex(kBody), hex(kBody).toUpper());
        QVERIFY(form.sameBytes && form.firstDifference >= 0 && form.sentence.contains(u"same hash"));
        QVERIFY(compareFingerprints(hex(kBody), u"48af872a69781f86fecc47f4f8e48986"_s)
                    .sentence.contains(u"different lengths"));
        QCOMPARE(compareFingerprints(u"x"_s, u"x"_s).firstDifference, -1);
    }

    void whyTheHashesDiffer_data()
    {
        QTest::addColumn<QByteArray>("a");
        QTest::addColumn<QByteArray>("b");
        QTest::addColumn<QString>("form");
        QTest::addColumn<QString>("sentence");
        const auto row = [](const char *name, const QByteArray &a, const QByteArray &b, const QString &form,
                             const QString &sentence) { QTest::newRow(name) << a << b << form << sentence; };
        row("another command", R"({"amount":10})", R"({"amount":99})", u"raw"_s,
            u"/amount changed from 10 to 99: different request."_s);
        row("key order, raw bytes", R"({"a":1,"b":2})", R"({"b":2,"a":1})", u"raw"_s,
            u"The retry sent the same data with the keys in another order; the service hashes raw bytes."_s);
        row("key order, sorted", R"({"a":1,"b":2})", R"({"b":2,"a":1})", u"stable-json"_s,
            u"The service hashes JSON with sorted keys (stable JSON, RFC 8785), and that is the same for both "
            u"payloads. If the hashes differ, "
            "something outside of the payload differs."_s);
        row("number form kept", R"({"a":1.0})", R"({"a":1})", u"python-sorted"_s,
            u"Both requests hold the same data; only in form differ: how numbers are written. The service hashes JSON "
            u"as Python writes it with "
            "sorted keys (Powertools for Python), which keeps that difference."_s);
        row("same bytes", "{}", "{}", u"raw"_s,
            u"Both payloads are the same, byte for byte. If the hashes differ, something outside of the payload differs, such as method, path or headers."_s);
        row("unknown recipe", R"({"a": 1})", R"({"a":1})", QString(),
            u"Both requests hold the same data; only in form differ: blanks between values. A service that hashes raw "
            u"bytes takes them for two "
            "commands; which recipe it uses is not known."_s);
    }
    void whyTheHashesDiffer()
    {
        QFETCH(QByteArray, a);
        QFETCH(QByteArray, b);
        QFETCH(QString, form);
        QFETCH(QString, sentence);
        std::optional<Recipe> recipe;
        if (!form.isEmpty()) {
            recipe = Recipe { { u"body"_s }, {}, false, form, Digest::Sha256 };
        }
        const JsonSource first = *JsonSource::read(a);
        const JsonSource second = *JsonSource::read(b);
        QCOMPARE(whyHashesDiffer(first, second, diffJson(first, second), recipe), sentence);
    }
};

QTEST_GUILESS_MAIN(FingerprintTest)
#include "tst_fingerprint.moc"
