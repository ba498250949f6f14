// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/profile/profile_extras.h"
#include "sql/profile/profile_json.h"

#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace idemdesk::sql;

namespace {

const QStringList kShipped { u"case-command"_s, u"case-transition"_s, u"command-inbox"_s, u"command-message"_s,
    u"command-outbox"_s, u"command-request"_s, u"import-row"_s, u"pending-key"_s, u"pending-key-heartbeat"_s,
    u"plpgsql-message"_s, u"plpgsql-outbox"_s, u"plpgsql-request"_s, u"started-key"_s, u"started-key-partitioned"_s,
    u"work-item"_s };

/// A small profile that is right; a row replaces one piece of it.
const char *const kSmall = R"({
  "idemdesk_profile": 1, "name": "small", "kind": "request", "relation": "app.idempotency_request",
  "identity": ["idempotency_scope", "idempotency_key"],
  "scope": [ { "label": "scope", "sql": "t.idempotency_scope" } ],
  "key": "t.idempotency_key",
  "roles": { "status": "t.status", "expires_at": "t.expires_at" },
  "states": { "processing": "in_progress", "succeeded": "succeeded" },
  "stale": [ { "states": ["in_progress"], "by": "t.locked_until", "after": "0s" } ],
  "guard": ["status"],
  "actions": { "recover": [ { "from": ["in_progress"], "to": "succeeded", "needs_effect": "order",
                              "set": { "status": "'succeeded'" } } ] },
  "purge": { "by": "t.expires_at", "after": "0s", "states": ["succeeded"] },
  "orders": [ { "label": "expiry", "sql": "t.expires_at" } ],
  "effects": [ { "type": "order", "proves": true, "sql": "SELECT 1 AS id" } ],
  "policies": [ { "match": { "scope": "create_order" }, "effect": "local" } ]
})";

QByteArray with(const QByteArray &old, const QByteArray &put)
{
    QByteArray json(kSmall);
    if (!old.isEmpty() && json.count(old) == 0) {
        qFatal("the small profile has no %s", old.constData());
    }
    return old.isEmpty() ? json : json.replace(json.indexOf(old), old.size(), put);
}

} // namespace

class TestProfileJson : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(u".*"_s)); }
    void shippedAreAllThere();
    void writingAndReadingBackIsTheSame_data();
    void writingAndReadingBackIsTheSame();
    void readsEveryForm();
    void defaultsOfOrders();
    void extrasAreReadAndKept();
    void reservedAndOwnKeysAreKept();
    void faultsNamePlaceAndExpectation_data();
    void faultsNamePlaceAndExpectation();
    void badTextIsRefused_data();
    void badTextIsRefused();
    void filesThatCannotBeRead();
    void schemaIsShippedAndListsEveryRole();
};

void TestProfileJson::shippedAreAllThere()
{
    QStringList names;
    for (const Profile &profile : shippedProfiles()) {
        names.append(profile.name);
        QVERIFY2(!profile.identity.isEmpty() && profile.key.present(), qPrintable(profile.name));
        QVERIFY2(!profile.title.isEmpty() && profile.title != profile.name, qPrintable(profile.name));
        QVERIFY2(!profile.policies.isEmpty(), qPrintable(profile.name));
    }
    QCOMPARE(names, kShipped);
    QVERIFY(!shippedProfile(u"no-such"_s));
    const auto request = shippedProfile(u"plpgsql-request"_s);
    QVERIFY(request);
    QCOMPARE(request->recover.size(), 3);
    QCOMPARE(request->recover.at(2).needsEffect, u"customer_order"_s);
    QCOMPARE(request->recover.at(2).set.at(3), std::pair(u"result_ref_id"_s, u"$effect_id::uuid"_s));
    QCOMPARE(request->policies.first().maxAttempts, u"5"_s);
    QCOMPARE(request->stateOf(u"processing"_s), KeyState::InProgress);
    QCOMPARE(request->stateOf(std::nullopt), KeyState::Unknown);
    QCOMPARE(shippedProfile(u"plpgsql-message"_s)->stateOf(std::nullopt), KeyState::Succeeded);
    QVERIFY(!shippedProfile(u"plpgsql-message"_s)->stale);
}

void TestProfileJson::writingAndReadingBackIsTheSame_data()
{
    QTest::addColumn<QString>("name");
    for (const QString &name : kShipped) {
        QTest::newRow(qPrintable(name)) << name;
    }
}

void TestProfileJson::writingAndReadingBackIsTheSame()
{
    QFETCH(QString, name);
    const Profile first = *shippedProfile(name);
    const QByteArray json = profileToJson(first);
    const auto second = profileFromJson(json, u"again.json"_s);
    QVERIFY2(second.ok(), second.ok() ? "" : qPrintable(second.error().where + second.error().line()));
    QCOMPARE(profileToJson(*second), json);
    // What is written holds what the shipped file holds, whatever the layout.
    QFile file(u":/idemdesk/profiles/"_s + name + u".json"_s);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(QJsonDocument::fromJson(json).object(), QJsonDocument::fromJson(file.readAll()).object());
}

void TestProfileJson::readsEveryForm()
{
    const QByteArray json = R"json({
      "idemdesk_profile": 1, "name": "forms", "kind": "lease", "relation": "sales.\"Inbox State\"",
      "identity": ["Id", "status"], "identity_stable": ["Id"], "key": "t.\"Key\"", "aliases": [ { "label": "order", "sql": "t.order_id" } ],
      "roles": {
        "status": "CASE WHEN t.done THEN 'done' ELSE 'open' END",
        "created_at": { "column": "createdMs", "as": "epoch_ms" },
        "updated_at": { "sql": "t.upd", "as": "epoch_s" },
        "claimed_at": { "column": "claimed", "as": "zone:Europe/Berlin", "plus": "-5m" },
        "expires_at": { "column": "x", "as": "utc", "plus": "24h", "when": "t.kind = 'a;b'" },
        "completed_at": { "sql": "t.doc ->> 'at'", "as": "iso" },
        "heartbeat_at": null, "error_code": null },
      "states": { "open": "in_progress", "null": "pending", "*": "unknown" },
      "stale": [ { "states": ["in_progress", "pending"], "status": ["open"], "by": "t.lease", "after": "t.lease_length" },
                 { "states": ["pending"], "when": "$now > t.due" } ],
      "guard": [], "actions": { "requeue": [ { "from": ["failed_final"], "to": "absent", "delete": true, "forbids_effect": "paid" } ] },
      "purge": [ { "states": ["succeeded"], "by": "t.x", "after": "90d" }, { "states": ["failed_final"], "when": "t.gone" } ],
      "effects": [ { "type": "paid", "sql": "SELECT p.id AS id FROM p WHERE p.k = t.\"Key\"" } ],
      "policies": [ { "match": {}, "max_attempts": "t.most", "stale_after": "t.lease_length", "windows": { "audit": "10y", "redelivery": null } } ],
      "advisory_lock": "hashtextextended(t.\"Key\", 0)"
    })json";
    const auto read = profileFromJson(json, u"forms.json"_s);
    QVERIFY2(read.ok(), read.ok() ? "" : qPrintable(read.error().where + read.error().line()));
    const Profile &p = *read;
    QCOMPARE(p.kind, TargetKind::Lease);
    QCOMPARE(p.title, u"forms"_s);
    QCOMPARE(p.relation, u"sales.\"Inbox State\""_s);
    QCOMPARE(p.key.column, u"Key"_s);
    QCOMPARE(p.role(Role::CreatedAt).sql, u"t.\"createdMs\""_s);
    QCOMPARE(p.role(Role::CreatedAt).form, TimeForm::EpochMs);
    QCOMPARE(p.role(Role::UpdatedAt).column, u"upd"_s);
    QCOMPARE(p.role(Role::ClaimedAt).zone, u"Europe/Berlin"_s);
    QCOMPARE(p.role(Role::ClaimedAt).plus, u"-5m"_s);
    QCOMPARE(p.role(Role::ExpiresAt).when, u"t.kind = 'a;b'"_s);
    QCOMPARE(p.role(Role::CompletedAt).column, QString());
    QVERIFY(!p.has(Role::HeartbeatAt));
    QCOMPARE(p.stateOf(std::nullopt), KeyState::Pending);
    QCOMPARE(p.stateOf(u"whatever"_s), KeyState::Unknown);
    QCOMPARE(p.stale->at(0).after, u"t.lease_length"_s);
    QVERIFY(!p.stale->at(1).by.present());
    QCOMPARE(p.purge.size(), 2);
    QVERIFY(!p.requeue.first().to);
    QVERIFY(p.requeue.first().deletes);
    QCOMPARE(p.policies.first().windows.size(), 1);
    const QByteArray written = profileToJson(p);
    const auto again = profileFromJson(written, u"again.json"_s);
    QVERIFY2(again.ok(), again.ok() ? "" : qPrintable(again.error().where + again.error().line()));
    QCOMPARE(profileToJson(*again), written);
    QCOMPARE(again->role(Role::ExpiresAt), p.role(Role::ExpiresAt));
    QCOMPARE(again->role(Role::CompletedAt), p.role(Role::CompletedAt));
}

void TestProfileJson::defaultsOfOrders()
{
    const auto read = profileFromJson(with(R"({ "label": "expiry", "sql": "t.expires_at" })",
                                          R"({ "label": "a", "sql": "t.a" }, { "label": "b", "sql": "t.b", "desc": true },
                                             { "label": "c", "sql": "t.c", "desc": true, "nulls": "last" })"),
        u"orders.json"_s);
    QVERIFY(read.ok());
    QCOMPARE(read->orders.at(0).nullsLast, true);
    QCOMPARE(read->orders.at(1).nullsLast, false); // as PostgreSQL: NULLs come first in a descending order
    QCOMPARE(read->orders.at(2).nullsLast, true);
    QCOMPARE(read->orders.at(2).nullsWritten, true);
}

void TestProfileJson::extrasAreReadAndKept()
{
    const auto plain = profileFromJson(with({}, {}), u"plain.json"_s);
    QVERIFY(businessReferences(*plain).isEmpty() && diffIgnore(*plain).isEmpty() && !storedRecipe(*plain));
    const auto one = profileFromJson(with(R"("guard")", R"("business_reference": "t.order_no", "guard")"), u"one.json"_s);
    QVERIFY2(one.ok(), one.ok() ? "" : qPrintable(one.error().line()));
    QCOMPARE(businessReferences(*one), QStringList { u"t.order_no"_s });
    QCOMPARE(businessReferencePath(*one, 0), u"$.business_reference"_s);
    const auto many = profileFromJson(with(R"("guard")",
                                          R"json("business_reference": ["t.a", "t.doc ->> 'b'"], "diff_ignore": ["/sent_at", "/items/*/n~1a"],
                                             "fingerprint_recipe": { "recipe": "sha256(client + body as raw)",
                                               "parts": { "key": { "sql": "t.idempotency_key" }, "client": { "value": "" }, "x_who": 1 } }, "guard")json"),
        u"many.json"_s);
    QVERIFY2(many.ok(), many.ok() ? "" : qPrintable(many.error().where + many.error().line()));
    QCOMPARE(businessReferences(*many), (QStringList { u"t.a"_s, u"t.doc ->> 'b'"_s }));
    QCOMPARE(businessReferencePath(*many, 1), u"$.business_reference[1]"_s);
    QCOMPARE(diffIgnore(*many), (QStringList { u"/sent_at"_s, u"/items/*/n~1a"_s }));
    const auto recipe = storedRecipe(*many);
    QVERIFY(recipe);
    QCOMPARE(recipe->recipe, u"sha256(client + body as raw)"_s);
    QCOMPARE(recipe->parts, (QMap<QString, RecipePart> { { u"key"_s, { true, u"t.idempotency_key"_s } }, { u"client"_s, { false, QString() } } }));
    // A recipe put into a profile is what is read from its file.
    Profile changed = *plain;
    storeRecipe(&changed, *recipe);
    const auto again = profileFromJson(profileToJson(changed), u"again.json"_s);
    QVERIFY2(again.ok(), again.ok() ? "" : qPrintable(again.error().where + again.error().line()));
    QCOMPARE(storedRecipe(*again)->recipe, recipe->recipe);
    QCOMPARE(storedRecipe(*again)->parts, recipe->parts);
}

void TestProfileJson::reservedAndOwnKeysAreKept()
{
    const auto read = profileFromJson(
        with(R"("guard": ["status"],)",
            R"("guard": ["status"], "links": { "key": 1.10, "big": 12345678901234567890 }, "x_team": "pay\"ments", )"),
        u"own.json"_s);
    QVERIFY(read.ok());
    QCOMPARE(read->extra.value(u"links"_s), QByteArray(R"({"key":1.10,"big":12345678901234567890})"));
    QCOMPARE(read->extra.value(u"x_team"_s), QByteArray(R"("pay\"ments")"));
    const auto nested = profileFromJson(with(R"("states": ["succeeded"] })", R"("states": ["succeeded"], "x_why": [1] })"), u"n.json"_s);
    QVERIFY(nested.ok());
    QVERIFY(profileToJson(*nested).contains("x_why"));
    const auto inRole = profileFromJson(with(R"("by": "t.locked_until")", R"("x_a b": null, "by": "t.locked_until")"), u"n.json"_s);
    QVERIFY(inRole.ok());
    const auto twice = profileFromJson(profileToJson(*inRole), u"n.json"_s);
    QVERIFY(twice.ok());
    QCOMPARE(twice->extra, inRole->extra);
}

void TestProfileJson::faultsNamePlaceAndExpectation_data()
{
    QTest::addColumn<QByteArray>("old");
    QTest::addColumn<QByteArray>("put");
    QTest::addColumn<QString>("path");
    QTest::addColumn<QString>("found");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char *name, const char *old, const char *put, const char *path, const char *found, const char *expected) {
        QTest::newRow(name) << QByteArray(old) << QByteArray(put) << QString::fromLatin1(path) << QString::fromUtf8(found)
                            << QString::fromUtf8(expected);
    };
    row("version missing", "\"idemdesk_profile\": 1, ", "", "$.idemdesk_profile", "nothing", "version, 1");
    row("version of a newer console", "profile\": 1,", "profile\": 2,", "$.idemdesk_profile", "number 2", "newer console");
    row("version as text", "profile\": 1,", "profile\": \"1\",", "$.idemdesk_profile", "text “1”", "version, 1");
    row("unknown key at the top", "\"guard\"", "\"gaurd\"", "$.gaurd", "unknown key “gaurd”", "x_");
    row("unknown role", "\"expires_at\": \"t.expires_at\" }", "\"due\": \"t.due\" }", "$.roles.due", "unknown key “due”", "expires_at");
    row("a key twice", "\"kind\": \"request\",", "\"kind\": \"request\", \"kind\": \"job\",", "$.kind", "twice", "once");
    row("a kind that does not exist", "\"request\"", "\"cache\"", "$.kind", "text “cache”", "request, inbox");
    row("a name with a space", "\"small\"", "\"sm all\"", "$.name", "text “sm all”", "letters");
    row("relation that is no name", "app.idempotency_request", "app.x; DROP TABLE y", "$.relation", "DROP", "schema");
    row("relation of three parts", "app.idempotency_request", "db.app.x", "$.relation", "db.app.x", "schema");
    row("no identity", "[\"idempotency_scope\", \"idempotency_key\"]", "[]", "$.identity", "empty list", "at least one");
    row("identity twice", "[\"idempotency_scope\", \"idempotency_key\"]", "[\"a\", \"a\"]", "$.identity[1]", "“a”", "once");
    row("identity of numbers", "[\"idempotency_scope\", \"idempotency_key\"]", "[1]", "$.identity[0]", "number 1", "text");
    row("key missing", "\"key\": \"t.idempotency_key\",", "", "$.key", "nothing", "expression");
    row("key empty", "\"t.idempotency_key\",\n  \"roles\"", "\" \",\n  \"roles\"", "$.key", "text “ ”", "not empty");
    row("role of a number", "\"status\": \"t.status\"", "\"status\": 5", "$.roles.status", "number 5", "text");
    row("role closing a bracket", "\"t.status\"", "\"t.status) FROM pg_user --\"", "$.roles.status", "pg_user", "closes what was not opened");
    row("role with a semicolon", "\"t.status\"", "\"t.status; DROP TABLE x\"", "$.roles.status", "DROP", "semicolon");
    row("role with an open comment", "\"t.status\"", "\"t.status /* \"", "$.roles.status", "/*", "comment is not closed");
    row("role with a parameter", "\"t.status\"", "\"$1\"", "$.roles.status", "$1", "numbered parameter");
    row("role with an action's variable", "\"t.status\"", "\"$reason\"", "$.roles.status", "$reason", "not $reason");
    row("time role of a wrong form", "\"t.expires_at\" }", "{ \"column\": \"e\", \"as\": \"epoch\" } }", "$.roles.expires_at.as", "“epoch”", "epoch_ms");
    row("time role with column and sql", "\"t.expires_at\" }", "{ \"column\": \"e\", \"sql\": \"t.e\" } }", "$.roles.expires_at", "object", "either");
    row("time role of a list", "\"t.expires_at\" }", "[] }", "$.roles.expires_at", "empty list", "timestamptz");
    row("plus that is no duration", "\"t.expires_at\" }", "{ \"column\": \"e\", \"plus\": \"1 day\" } }", "$.roles.expires_at.plus", "“1 day”", "duration");
    row("state that does not exist", "\"processing\": \"in_progress\"", "\"processing\": \"running\"", "$.states.processing", "“running”", "in_progress");
    row("raw status needing quotes", "\"processing\": \"in_progress\"", "\"a b\": 1", "$.states[\"a b\"]", "number 1", "in_progress");
    row("star before others", "\"processing\": \"in_progress\"", "\"*\": \"in_progress\"", "$.states.succeeded", "after", "last");
    row("states without status", "\"status\": \"t.status\", ", "", "$.states.processing", "raw status", "no status role");
    row("stale of no rule", "[ { \"states\": [\"in_progress\"], \"by\": \"t.locked_until\", \"after\": \"0s\" } ]", "[]", "$.stale", "empty list", "or null");
    row("stale as an object", "[ { \"states\": [\"in_progress\"], \"by\": \"t.locked_until\", \"after\": \"0s\" } ]", "{}", "$.stale", "object", "list");
    row("stale of a finished state", "[\"in_progress\"], \"by\"", "[\"succeeded\"], \"by\"", "$.stale[0].states[0]", "“succeeded”", "pending, in_progress");
    row("stale by nothing", "\"by\": \"t.locked_until\", \"after\": \"0s\"", "\"status\": [\"x\"]", "$.stale[0]", "object", "when");
    row("after without by", "\"by\": \"t.locked_until\", \"after\": \"0s\"", "\"when\": \"true\", \"after\": \"1h\"", "$.stale[0].after", "“1h”", "by");
    row("a duration without end", "\"after\": \"0s\" } ],", "\"after\": \"99999999999999999999y\" } ],", "$.stale[0].after", "9999", "duration");
    row("guard of objects", "\"guard\": [\"status\"]", "\"guard\": [{}]", "$.guard[0]", "object", "text");
    row("action from unknown", "\"from\": [\"in_progress\"]", "\"from\": [\"unknown\"]", "$.actions.recover[0].from[0]", "“unknown”", "in_progress");
    row("action to nowhere", "\"to\": \"succeeded\"", "\"to\": \"gone\"", "$.actions.recover[0].to", "“gone”", "absent");
    row("absent without delete", "\"to\": \"succeeded\"", "\"to\": \"absent\"", "$.actions.recover[0].to", "“absent”", "delete");
    row("delete beside set", "\"to\": \"succeeded\"", "\"to\": \"absent\", \"delete\": true", "$.actions.recover[0]", "object", "no “set”");
    row("set of nothing", "{ \"status\": \"'succeeded'\" }", "{}", "$.actions.recover[0].set", "object", "columns");
    row("set with a strange variable", "\"'succeeded'\" }", "\"$who\" }", "$.actions.recover[0].set.status", "$who", "$reason");
    row("effect's id without the effect", "\"needs_effect\": \"order\",", "", "", "", "");
    row("an effect that is not there", "\"needs_effect\": \"order\"", "\"needs_effect\": \"charge\"", "$.actions.recover[0].needs_effect", "“charge”", "effects");
    row("actions of an unknown kind", "\"recover\"", "\"retry\"", "$.actions.retry", "“retry”", "requeue");
    row("purge as a text", "{ \"by\": \"t.expires_at\", \"after\": \"0s\", \"states\": [\"succeeded\"] }", "\"never\"", "$.purge", "“never”", "rule");
    row("purge of unknown", "\"states\": [\"succeeded\"] }", "\"states\": [\"unknown\"] }", "$.purge.states[0]", "“unknown”", "succeeded");
    row("order without a label", "{ \"label\": \"expiry\", \"sql\"", "{ \"sql\"", "$.orders[0].label", "nothing", "text");
    row("order called identity", "\"expiry\"", "\"identity\"", "$.orders[0].label", "“identity”", "own");
    row("nulls of another word", "\"sql\": \"t.expires_at\" } ]", "\"sql\": \"t.expires_at\", \"nulls\": \"none\" } ]", "$.orders[0].nulls", "“none”", "first or last");
    row("proves as a text", "\"proves\": true", "\"proves\": \"yes\"", "$.effects[0].proves", "“yes”", "true or false");
    row("policy on no label", "{ \"scope\": \"create_order\" }", "{ \"tenant\": \"x\" }", "$.policies[0].match.tenant", "“tenant”", "label of the scope");
    row("policy effect", "\"local\"", "\"remote\"", "$.policies[0].effect", "“remote”", "local or external");
    row("max_attempts zero", "\"effect\": \"local\"", "\"max_attempts\": 0", "$.policies[0].max_attempts", "number 0", "whole number");
    row("window as a number", "\"effect\": \"local\"", "\"windows\": { \"audit\": 7 }", "$.policies[0].windows.audit", "number 7", "duration");
    row("scope part twice", "\"sql\": \"t.idempotency_scope\" } ]", "\"sql\": \"t.a\" }, { \"label\": \"scope\", \"sql\": \"t.b\" } ]", "$.scope[1].label", "“scope”", "no other part");
    row("scope label of two words", "\"label\": \"scope\"", "\"label\": \"my scope\"", "$.scope[0].label", "“my scope”", "word");
    row("business reference of a number", "\"guard\"", "\"business_reference\": 5, \"guard\"", "$.business_reference", "number 5", "SQL expression");
    row("business references of none", "\"guard\"", "\"business_reference\": [], \"guard\"", "$.business_reference", "empty list", "at least one");
    row("business reference closing a bracket", "\"guard\"", "\"business_reference\": [\"t.a\", \"t.b) OR (true\"], \"guard\"", "$.business_reference[1]", "OR", "closes what was not opened");
    row("ignored field that is no pointer", "\"guard\"", "\"diff_ignore\": [\"/a\", \"b\"], \"guard\"", "$.diff_ignore[1]", "text “b”", "begins with a slash");
    row("masked name as a text", "\"guard\"", "\"masking\": \"email\", \"guard\"", "$.masking", "text “email”", "list");
    row("masked names as an object", "\"guard\"", "\"masking\": {\"email\": true}, \"guard\"", "$.masking", "object", "list");
    row("masked name that is none", "\"guard\"", "\"masking\": [\"a\", 1], \"guard\"", "$.masking[1]", "number 1", "text");
    row("ignored fields as a text", "\"guard\"", "\"diff_ignore\": \"/a\", \"guard\"", "$.diff_ignore", "text “/a”", "list");
    row("recipe without its text", "\"guard\"", "\"fingerprint_recipe\": {}, \"guard\"", "$.fingerprint_recipe.recipe", "nothing", "text");
    row("recipe of an unknown part", "\"guard\"", "\"fingerprint_recipe\": {\"recipe\": \"x\", \"parts\": {\"verb\": {\"value\": \"\"}}}, \"guard\"", "$.fingerprint_recipe.parts.verb", "“verb”", "method");
    row("part of two sources", "\"guard\"", "\"fingerprint_recipe\": {\"recipe\": \"x\", \"parts\": {\"key\": {\"value\": \"\", \"sql\": \"t.k\"}}}, \"guard\"", "$.fingerprint_recipe.parts.key", "object", "either");
    row("part of a strange variable", "\"guard\"", "\"fingerprint_recipe\": {\"recipe\": \"x\", \"parts\": {\"key\": {\"sql\": \"$reason\"}}}, \"guard\"", "$.fingerprint_recipe.parts.key.sql", "$reason", "not $reason");
}

void TestProfileJson::faultsNamePlaceAndExpectation()
{
    QFETCH(QByteArray, old);
    QFETCH(QByteArray, put);
    QFETCH(QString, path);
    QFETCH(QString, found);
    QFETCH(QString, expected);
    if (path.isEmpty()) { // the rule without its effect is fine as long as no variable of it is used
        QVERIFY(profileFromJson(with(old, put), u"bad.json"_s).ok());
        const QByteArray used = with(old, put).replace("\"'succeeded'\"", "\"$effect_id\"");
        const auto refused = profileFromJson(used, u"bad.json"_s);
        QVERIFY(!refused.ok());
        QVERIFY(refused.error().why.contains(u"needs_effect"));
        return;
    }
    const auto read = profileFromJson(with(old, put), u"bad.json"_s);
    QVERIFY(!read.ok());
    QCOMPARE(read.error().kind, ErrorKind::Usage);
    QCOMPARE(read.error().where, u"bad.json: "_s + path);
    QVERIFY2(read.error().why.contains(found), qPrintable(read.error().why));
    QVERIFY2(read.error().why.contains(expected), qPrintable(read.error().why));
    QVERIFY(!read.error().what.isEmpty() && !read.error().todo.isEmpty());
}

void TestProfileJson::badTextIsRefused_data()
{
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QString>("where");
    QTest::newRow("empty") << QByteArray() << u"line 1, column 1"_s;
    QTest::newRow("cut off") << QByteArray("{\n  \"a\": ") << u"line 2, column 8"_s;
    QTest::newRow("a comma too many") << QByteArray("{\"a\": 1,}") << u"line 1, column 9"_s;
    QTest::newRow("a comment") << QByteArray("// x\n{}") << u"line 1, column 1"_s;
    QTest::newRow("two documents") << QByteArray("{} {}") << u"line 1"_s;
    QTest::newRow("broken UTF-8") << QByteArray("{\"a\": \"\xff\"}") << u"line 1"_s;
    QTest::newRow("a list") << QByteArray("[]") << u"$"_s;
    QTest::newRow("half a million brackets") << QByteArray(500'000, '[') << u"line 1"_s;
    QTest::newRow("a binary file") << QByteArray("\x7f" "ELF\0\0", 6) << u"line 1"_s;
}

void TestProfileJson::badTextIsRefused()
{
    QFETCH(QByteArray, json);
    QFETCH(QString, where);
    const auto read = profileFromJson(json, u"f.json"_s);
    QVERIFY(!read.ok());
    QVERIFY2(read.error().where.startsWith(u"f.json: "_s + where), qPrintable(read.error().where));
}

void TestProfileJson::filesThatCannotBeRead()
{
    QTemporaryDir folder;
    const auto missing = profileFromFile(folder.filePath(u"none.json"_s));
    QVERIFY(!missing.ok());
    QCOMPARE(missing.error().kind, ErrorKind::File);
    const auto directory = profileFromFile(folder.path());
    QVERIFY(!directory.ok());
    QFile big(folder.filePath(u"big.json"_s));
    QVERIFY(big.open(QIODevice::WriteOnly));
    QVERIFY(big.resize(5 * 1024 * 1024));
    big.close();
    const auto large = profileFromFile(big.fileName());
    QVERIFY(!large.ok());
    QVERIFY(large.error().why.contains(u"4 MiB"));
    QFile good(folder.filePath(u"good.json"_s));
    QVERIFY(good.open(QIODevice::WriteOnly));
    good.write("\xef\xbb\xbf");
    good.write(kSmall);
    good.close();
    QVERIFY(profileFromFile(good.fileName()).ok());
}

void TestProfileJson::schemaIsShippedAndListsEveryRole()
{
    QFile file(u":/idemdesk/profiles/profile.schema.json"_s);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QJsonObject schema = QJsonDocument::fromJson(file.readAll()).object();
    const QByteArray text = QJsonDocument(schema).toJson();
    for (int i = 0; i < kRoleCount; ++i) {
        QVERIFY(text.contains('"' + roleName(static_cast<Role>(i)).toLatin1() + '"'));
    }
}

QTEST_GUILESS_MAIN(TestProfileJson)
#include "tst_profile_json.moc"
