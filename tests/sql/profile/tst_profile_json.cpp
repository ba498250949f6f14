// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/profile/history_profile.h"
#include "sql/profile/profile_codec.h"
#include "sql/profile/profile_json.h"
#include "sql/types/alert.h"

#include <QFile>
#include <QJsonArray>
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

/// References resolved, descriptions left out, one level of alternatives: what two schemas say, in one form.
QJsonValue plainSchema(const QJsonValue &value, const QJsonObject &defs)
{
    if (value.isArray()) {
        QJsonArray all;
        for (const QJsonValue &one : value.toArray()) {
            all.append(plainSchema(one, defs));
        }
        return all;
    }
    if (!value.isObject()) {
        return value;
    }
    const QJsonObject object = value.toObject();
    if (object.contains(u"$ref"_s)) {
        return plainSchema(defs.value(object.value(u"$ref"_s).toString().section(u'/', -1)), defs);
    }
    QJsonObject plain;
    for (auto it = object.begin(); it != object.end(); ++it) {
        if (it.key() != u"description" || !it.value().isString()) {
            plain.insert(it.key(), plainSchema(it.value(), defs));
        }
    }
    QJsonArray alternatives;
    for (const QJsonValue &one : plain.value(u"anyOf"_s).toArray()) {
        const QJsonArray inner = one.toObject().size() == 1 ? one.toObject().value(u"anyOf"_s).toArray() : QJsonArray();
        for (const QJsonValue &each : inner.isEmpty() ? QJsonArray { one } : inner) {
            if (!alternatives.contains(each)) {
                alternatives.append(each);
            }
        }
    }
    if (!alternatives.isEmpty()) {
        plain.insert(u"anyOf"_s, alternatives);
    }
    return plain;
}

/// A role that is null and one that is not named say the same (DESIGN 3): a shipped file need not name a newer role.
QJsonObject withoutAbsentRoles(QJsonObject profile)
{
    QJsonObject roles = profile.value(u"roles"_s).toObject();
    const QStringList names = roles.keys();
    for (const QString &name : names) {
        if (roles.value(name).isNull()) {
            roles.remove(name);
        }
    }
    profile.insert(u"roles"_s, roles);
    return profile;
}

/// Each leaf with its path, so that a difference names its key.
void leavesOf(const QJsonValue &value, const QString &path, QStringList *leaves)
{
    const QJsonObject object = value.toObject();
    for (auto it = object.begin(); it != object.end(); ++it) {
        leavesOf(it.value(), path + u'.' + it.key(), leaves);
    }
    const QJsonArray array = value.toArray();
    for (qsizetype i = 0; i < array.size(); ++i) {
        leavesOf(array.at(i), path + u'[' + QString::number(i) + u']', leaves);
    }
    if (object.isEmpty() && array.isEmpty()) {
        leaves->append(
            path + u": "_s + QString::fromUtf8(QJsonDocument(QJsonArray { value }).toJson(QJsonDocument::Compact)));
    }
}

} // namespace

class ProfileJsonTest : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(u".*"_s)); }
    void shippedAreAllThere();
    void writingAndReadingBackIsTheSame_data();
    void writingAndReadingBackIsTheSame();
    void readsEveryForm();
    void defaultsOfOrders();
    void keysOfSingleFeatures();
    void everyKeyIsWrittenAsItWasRead();
    void alertsAndHistoryAreRead();
    void theStateOfArchivedRows_data();
    void theStateOfArchivedRows();
    void ownKeysAreKept();
    void faultsNamePlaceAndExpectation_data();
    void faultsNamePlaceAndExpectation();
    void badTextIsRefused_data();
    void badTextIsRefused();
    void filesThatCannotBeRead();
    void schemaSaysWhatTheDescriptorsSay();
    void schemaKnowsEveryRole();
};

void ProfileJsonTest::shippedAreAllThere()
{
    QStringList names;
    for (const Profile &profile : shippedProfiles()) {
        names.append(profile.name);
        QVERIFY2(!profile.identity.isEmpty() && profile.key.present(), qPrintable(profile.name));
        QVERIFY2(!profile.title.isEmpty() && profile.title != profile.name, qPrintable(profile.name));
        QVERIFY2(!profile.policies.isEmpty(), qPrintable(profile.name));
    }
    QCOMPARE(names, kShipped);
    for (const Profile &profile : offeredProfiles()) { // one is looked for by its file
        const auto byName = shippedProfile(profile.name);
        QVERIFY2(byName && profileToJson(*byName) == profileToJson(profile), qPrintable(profile.name));
    }
    for (const QString &none : { u"no-such"_s, u""_s, u"profile.schema"_s, u"../profiles/plpgsql-request"_s }) {
        QVERIFY2(!shippedProfile(none), qPrintable(none));
    }
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

void ProfileJsonTest::writingAndReadingBackIsTheSame_data()
{
    QTest::addColumn<QString>("name");
    for (const QString &name : kShipped) {
        QTest::newRow(qPrintable(name)) << name;
    }
}

void ProfileJsonTest::writingAndReadingBackIsTheSame()
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
    const QJsonObject shipped = QJsonDocument::fromJson(file.readAll()).object();
    QCOMPARE(withoutAbsentRoles(QJsonDocument::fromJson(json).object()), withoutAbsentRoles(shipped));
}

void ProfileJsonTest::readsEveryForm()
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

void ProfileJsonTest::defaultsOfOrders()
{
    const auto read
        = profileFromJson(with(R"({ "label": "expiry", "sql": "t.expires_at" })",
                              R"({ "label": "a", "sql": "t.a" }, { "label": "b", "sql": "t.b", "desc": true },
                                             { "label": "c", "sql": "t.c", "desc": true, "nulls": "last" })"),
            u"orders.json"_s);
    QVERIFY(read.ok());
    QCOMPARE(read->orders.at(0).nullsLast, true);
    QCOMPARE(read->orders.at(1).nullsLast, false); // as PostgreSQL: NULLs come first in a descending order
    QCOMPARE(read->orders.at(2).nullsLast, true);
    QCOMPARE(read->orders.at(2).nullsWritten, true);
}

void ProfileJsonTest::keysOfSingleFeatures()
{
    const auto plain = profileFromJson(with({}, {}), u"plain.json"_s);
    QVERIFY(plain->businessReferences.isEmpty() && plain->diffIgnore.isEmpty() && !plain->fingerprintRecipe);
    const auto one
        = profileFromJson(with(R"("guard")", R"("business_reference": "t.order_no", "guard")"), u"one.json"_s);
    QVERIFY2(one.ok(), one.ok() ? "" : qPrintable(one.error().line()));
    QCOMPARE(one->businessReferences, QStringList { u"t.order_no"_s });
    QCOMPARE(one->businessReferencePath(0), u"$.business_reference"_s);
    const auto many = profileFromJson(
        with(R"("guard")",
            R"json("business_reference": ["t.a", "t.doc ->> 'b'"], "diff_ignore": ["/sent_at", "/items/*/n~1a"],
                                             "fingerprint_recipe": { "recipe": "sha256(client + body as raw)",
                                               "parts": { "key": { "sql": "t.idempotency_key" }, "client": { "value": "" }, "x_who": 1 } }, "guard")json"),
        u"many.json"_s);
    QVERIFY2(many.ok(), many.ok() ? "" : qPrintable(many.error().where + many.error().line()));
    QCOMPARE(many->businessReferences, (QStringList { u"t.a"_s, u"t.doc ->> 'b'"_s }));
    QCOMPARE(many->businessReferencePath(1), u"$.business_reference[1]"_s);
    QCOMPARE(many->diffIgnore, (QStringList { u"/sent_at"_s, u"/items/*/n~1a"_s }));
    const auto &recipe = many->fingerprintRecipe;
    QVERIFY(recipe);
    QCOMPARE(recipe->recipe, u"sha256(client + body as raw)"_s);
    QCOMPARE(recipe->parts,
        (QMap<QString, RecipePart> {
            { u"key"_s, { true, u"t.idempotency_key"_s } }, { u"client"_s, { false, QString() } } }));
    // A recipe put into a profile is what is read from its file.
    Profile changed = *plain;
    changed.fingerprintRecipe = recipe;
    const auto again = profileFromJson(profileToJson(changed), u"again.json"_s);
    QVERIFY2(again.ok(), again.ok() ? "" : qPrintable(again.error().where + again.error().line()));
    QCOMPARE(again->fingerprintRecipe->recipe, recipe->recipe);
    QCOMPARE(again->fingerprintRecipe->parts, recipe->parts);
}

/// Of a profile that says something at each of its keys nothing is lost, and nothing is added.
void ProfileJsonTest::everyKeyIsWrittenAsItWasRead()
{
    QJsonObject roles;
    for (const Role role : kAllOf<Role>) {
        roles.insert(roleName(role), QJsonValue());
        if (isTimeRole(role)) {
            roles.insert(roleName(role),
                QJsonObject { { u"column"_s, u"Ms"_s }, { u"as"_s, u"epoch_ms"_s }, { u"plus"_s, u"-5m"_s },
                    { u"when"_s, u"t.on"_s }, { u"x_r"_s, 1 } });
        } else {
            roles.insert(roleName(role), u"t.c%1"_s.arg(int(role)));
        }
    }
    QByteArray json = R"json({
      "idemdesk_profile": 1, "name": "whole", "title": "Whole", "kind": "job", "relation": "app.k",
      "identity": ["a", "b"], "identity_stable": ["a"], "scope": [ { "label": "s", "sql": "t.s", "x_s": [] } ],
      "key": "t.k", "roles": ROLES, "states": { "on": "in_progress", "null": "pending", "*": "unknown" },
      "stale": [ { "states": ["pending"], "status": ["on"], "by": "t.l", "after": "t.len", "when": "t.w", "x_t": {} } ],
      "guard": ["g"],
      "actions": {
        "recover": [ { "from": ["in_progress"], "status": ["on"], "to": "succeeded", "needs_effect": "e",
                       "forbids_effect": "f", "second": { "relation": "q", "match": "s.id = t.q", "set": { "by": "NULL",
                       "note": "$reason" }, "x_s": 1 }, "set": { "a b": "$effect_id", "c": "$reason" }, "x_a": "1" } ],
        "requeue": [ { "from": ["pending"], "to": "absent", "live": true, "delete": true } ], "reclassify": [] },
      "purge": [ { "states": ["succeeded"], "by": { "sql": "t.y", "as": "zone:UTC" }, "after": "1d", "x_p": null } ],
      "retry": [ { "states": ["pending"], "status": ["on"], "is": ["stale", "lease_running", "expired",
                   "attempts_spent"], "when": "t.w", "payload": "other", "outcome": "conflict", "sqlstate": "P4002",
                   "http": 409, "reason": "Why.", "x_re": 1 },
                 { "payload": "same", "outcome": "wait", "until": "lease", "http": "t.code" },
                 { "outcome": "runs_again" } ],
      "orders": [ { "label": "o", "column": "o", "as": "epoch_s", "plus": "1h", "desc": true, "nulls": "first" } ],
      "aliases": [ { "label": "an alias", "sql": "t.al" } ],
      "fields": [ { "label": "due", "sql": "t.due", "type": "time", "x_f": 2 }, { "label": "queue", "sql": "t.q" } ],
      "effects": [ { "type": "e", "proves": true, "sql": "SELECT 1", "optional": ["o"] },
                   { "type": "f", "proves": false, "sql": "SELECT 2" } ],
      "policies": [ { "match": { "s": "" }, "effect": "external", "max_attempts": 5, "stale_after": "9m",
                      "safe_to_repeat": "it reads", "windows": { "audit": "1y", "client_retry": "1d", "x_w": 0 } },
                    { "match": {}, "max_attempts": "t.most" } ],
      "advisory_lock": "t.lock",
      "alerts": [ { "id": "growth", "off": true }, { "id": "own", "title": "Own", "metric": "rows", "over": "claims",
                    "share": 0.0001, "least": 7, "for": "1w", "x_al": 2 } ],
      "business_reference": ["t.br"], "diff_ignore": ["/d"],
      "cache": { "key": "{{k}}:{s}:{key}", "ttl": "300s", "jitter": 2.50, "values": { "a": "pending", "": "succeeded",
                 "*": "in_progress" }, "x_ca": 4 },
      "fingerprint_recipe": { "recipe": "r", "parts": { "key": { "sql": "t.k" }, "client": { "value": "", "x_c": 3 } } },
      "history": { "relation": "app.k_old", "columns": ["a", "b"] }, "links": [ { "label": "Trace", "url": "https://t.example/{key}?s={s}", "x_l": 1 } ],
      "provider": { "name": "acme", "reference": "t.ref", "amount": "t.cents / 100.0", "currency": "t.cur",
                    "status": "t.ps", "states": { "a": "sent", "b": "confirmed", "null": "requested", "*": "failed" },
                    "at": { "column": "Ms", "as": "epoch_ms" }, "link": "https://a.example/{reference}", "x_pr": 4 },
      "masking": ["g", "g"], "x_own": { "b": 1, "a": 2 }
    })json";
    json.replace("ROLES", QJsonDocument(roles).toJson());
    const auto read = profileFromJson(json, u"whole.json"_s);
    QVERIFY2(read.ok(), read.ok() ? "" : qPrintable(read.error().where + read.error().line()));
    QCOMPARE(QJsonDocument::fromJson(profileToJson(*read)).object(), QJsonDocument::fromJson(json).object());
    QCOMPARE(read->links.at(0).url, u"https://t.example/{key}?s={s}"_s);
    QVERIFY(!read->extra.contains(u"links"_s) && !read->extra.contains(u"masking"_s)
        && !read->extra.contains(u"history"_s));
}

void ProfileJsonTest::alertsAndHistoryAreRead()
{
    const auto read = profileFromJson(with(R"("guard")",
                                          R"("history": { "relation": "app.\"Old\"", "columns": ["a", "b"] },
        "alerts": [ { "id": "growth", "off": true }, { "id": "own", "rising": 1.50, "for": "5m" } ], "guard")"),
        u"a.json"_s);
    QVERIFY2(read.ok(), read.ok() ? "" : qPrintable(read.error().where + read.error().line()));
    QCOMPARE(read->history->relation, u"app.\"Old\""_s);
    QCOMPARE(read->history->columns, (QStringList { u"a"_s, u"b"_s }));
    QCOMPARE(read->alerts.size(), 2);
    QVERIFY(read->alerts.at(0).off && !read->alerts.at(0).form);
    QCOMPARE(read->alerts.at(1).form, AlertForm::Rising);
    QCOMPARE(read->alerts.at(1).limit, u"1.50"_s); // as it was written
    QCOMPARE(read->alerts.at(1).span, u"5m"_s);
    QVERIFY(profileToJson(*read).contains("\"rising\": 1.50"));
}

void ProfileJsonTest::theStateOfArchivedRows_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QStringList>("columns");
    QTest::addColumn<KeyState>("others");
    QTest::addColumn<bool>("named");
    QTest::newRow("a table whose every row means one thing")
        << u"plpgsql-message"_s << QStringList { u"consumer_name"_s, u"message_id"_s } << KeyState::Succeeded << false;
    QTest::newRow("the status was not moved")
        << u"started-key"_s << QStringList { u"idempotency_key"_s } << KeyState::Unknown << false;
    QTest::newRow("the status was moved")
        << u"started-key"_s << QStringList { u"idempotency_key"_s, u"status"_s } << KeyState::Unknown << true;
}

void ProfileJsonTest::theStateOfArchivedRows()
{
    QFETCH(QString, name);
    QFETCH(QStringList, columns);
    QFETCH(KeyState, others);
    QFETCH(bool, named);
    Profile profile = *shippedProfile(name);
    profile.history = HistorySpec { u"app.old"_s, columns };
    const auto archive = historyProfile(profile);
    QVERIFY(archive);
    QCOMPARE(archive->otherStates.value_or(KeyState::Unknown), others);
    QCOMPARE(!archive->states.isEmpty(), named);
}

void ProfileJsonTest::ownKeysAreKept()
{
    const auto read = profileFromJson(
        with(R"("guard": ["status"],)",
            R"("guard": ["status"], "x_own": { "key": 1.10, "big": 12345678901234567890 }, "x_team": "pay\"ments", )"),
        u"own.json"_s);
    QVERIFY(read.ok());
    QCOMPARE(read->extra.value(u"x_own"_s), QByteArray(R"({"key":1.10,"big":12345678901234567890})"));
    QCOMPARE(read->extra.value(u"x_team"_s), QByteArray(R"("pay\"ments")"));
    const auto nested = profileFromJson(
        with(R"("states": ["succeeded"] })", R"("states": ["succeeded"], "x_why": [1] })"), u"n.json"_s);
    QVERIFY(nested.ok());
    QVERIFY(profileToJson(*nested).contains("x_why"));
    const auto inRole
        = profileFromJson(with(R"("by": "t.locked_until")", R"("x_a b": null, "by": "t.locked_until")"), u"n.json"_s);
    QVERIFY(inRole.ok());
    const auto twice = profileFromJson(profileToJson(*inRole), u"n.json"_s);
    QVERIFY(twice.ok());
    QCOMPARE(twice->extra, inRole->extra);
}

void ProfileJsonTest::faultsNamePlaceAndExpectation_data()
{
    QTest::addColumn<QByteArray>("old");
    QTest::addColumn<QByteArray>("put");
    QTest::addColumn<QString>("path");
    QTest::addColumn<QString>("found");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char *name, const char *old, const char *put, const char *path, const char *found,
                         const char *expected) {
        QTest::newRow(name) << QByteArray(old) << QByteArray(put) << QString::fromLatin1(path)
                            << QString::fromUtf8(found) << QString::fromUtf8(expected);
    };
    const auto provider = [](const char *name, const QByteArray &body, const char *path, const char *found,
                              const char *expected) {
        QTest::newRow(name) << QByteArray("\"guard\"") << QByteArray("\"provider\": {" + body + "}, \"guard\"")
                            << QString::fromLatin1(path) << QString::fromUtf8(found) << QString::fromUtf8(expected);
    };
    const QByteArray told = R"("reference": "t.r", "status": "t.s", "at": "t.a")";
    provider("a provider without a reference", R"("status": "t.s", "states": {"a": "sent"}, "at": "t.a")",
        "$.provider.reference", "nothing", "expression");
    provider("a provider without states", told, "$.provider.states", "nothing", "how far a request");
    provider("a state that no request has", told + R"(, "states": {"a": "sent", "b": "paid"})", "$.provider.states.b",
        "text “paid”", "requested, sent, confirmed, failed");
    provider("an unmapped state cannot be written", told + R"(, "states": {"a": "unknown"})", "$.provider.states.a",
        "text “unknown”", "requested");
    provider("a status after the star", told + R"(, "states": {"*": "sent", "a": "failed"})", "$.provider.states.a",
        "after “*”", "last");
    provider("a provider's link to a host of the row's",
        told + R"(, "states": {"a": "sent"}, "link": "https://{reference}/x")", "$.provider.link", "{reference}",
        "behind its host");
    provider("a name that no link has", told + R"(, "states": {"a": "sent"}, "link": "https://x.example/{psp}")",
        "$.provider.link", "{psp}", "{reference}");
    provider("no time of a request", R"("reference": "t.r", "status": "t.s", "states": {"a": "sent"})", "$.provider",
        "created_at", "“at”");
    provider("an unknown key of a provider", told + R"(, "states": {"a": "sent"}, "fee": "t.f")", "$.provider.fee",
        "unknown key “fee”", "reference");
    provider("a reference that closes a bracket", R"("reference": "t.r) --", "status": "t.s", "states": {"a": "sent"})",
        "$.provider.reference", "t.r) --", "");
    row("version missing", "\"idemdesk_profile\": 1, ", "", "$.idemdesk_profile", "nothing", "version, 1");
    row("version of a newer console", "profile\": 1,", "profile\": 2,", "$.idemdesk_profile", "number 2",
        "newer console");
    row("version as text", "profile\": 1,", "profile\": \"1\",", "$.idemdesk_profile", "text “1”", "version, 1");
    row("unknown key at the top", "\"guard\"", "\"gaurd\"", "$.gaurd", "unknown key “gaurd”", "x_");
    row("unknown role", "\"expires_at\": \"t.expires_at\" }", "\"due\": \"t.due\" }", "$.roles.due",
        "unknown key “due”", "expires_at");
    row("a key twice", "\"kind\": \"request\",", "\"kind\": \"request\", \"kind\": \"job\",", "$.kind", "twice",
        "once");
    row("a kind that does not exist", "\"request\"", "\"cache\"", "$.kind", "text “cache”", "request, inbox");
    row("a name with a space", "\"small\"", "\"sm all\"", "$.name", "text “sm all”", "letters");
    row("relation that is no name", "app.idempotency_request", "app.x; DROP TABLE y", "$.relation", "DROP", "schema");
    row("relation of three parts", "app.idempotency_request", "db.app.x", "$.relation", "db.app.x", "schema");
    row("no identity", "[\"idempotency_scope\", \"idempotency_key\"]", "[]", "$.identity", "empty list",
        "at least one");
    row("identity twice", "[\"idempotency_scope\", \"idempotency_key\"]", "[\"a\", \"a\"]", "$.identity[1]", "“a”",
        "once");
    row("identity of numbers", "[\"idempotency_scope\", \"idempotency_key\"]", "[1]", "$.identity[0]", "number 1",
        "text");
    row("key missing", "\"key\": \"t.idempotency_key\",", "", "$.key", "nothing", "expression");
    row("key empty", "\"t.idempotency_key\",\n  \"roles\"", "\" \",\n  \"roles\"", "$.key", "text “ ”", "not empty");
    row("role of a number", "\"status\": \"t.status\"", "\"status\": 5", "$.roles.status", "number 5", "text");
    row("role closing a bracket", "\"t.status\"", "\"t.status) FROM pg_user --\"", "$.roles.status", "pg_user",
        "closes what was not opened");
    row("role with a semicolon", "\"t.status\"", "\"t.status; DROP TABLE x\"", "$.roles.status", "DROP", "semicolon");
    row("role with an open comment", "\"t.status\"", "\"t.status /* \"", "$.roles.status", "/*",
        "comment is not closed");
    row("role with a parameter", "\"t.status\"", "\"$1\"", "$.roles.status", "$1", "numbered parameter");
    row("role with an action's variable", "\"t.status\"", "\"$reason\"", "$.roles.status", "$reason", "not $reason");
    row("time role of a wrong form", "\"t.expires_at\" }", "{ \"column\": \"e\", \"as\": \"epoch\" } }",
        "$.roles.expires_at.as", "“epoch”", "epoch_ms");
    row("time role with column and sql", "\"t.expires_at\" }", "{ \"column\": \"e\", \"sql\": \"t.e\" } }",
        "$.roles.expires_at", "object", "either");
    row("time role of a list", "\"t.expires_at\" }", "[] }", "$.roles.expires_at", "empty list", "timestamptz");
    row("plus that is no duration", "\"t.expires_at\" }", "{ \"column\": \"e\", \"plus\": \"1 day\" } }",
        "$.roles.expires_at.plus", "“1 day”", "duration");
    row("state that does not exist", "\"processing\": \"in_progress\"", "\"processing\": \"running\"",
        "$.states.processing", "“running”", "in_progress");
    row("raw status needing quotes", "\"processing\": \"in_progress\"", "\"a b\": 1", "$.states[\"a b\"]", "number 1",
        "in_progress");
    row("star before others", "\"processing\": \"in_progress\"", "\"*\": \"in_progress\"", "$.states.succeeded",
        "after", "last");
    row("states without status", "\"status\": \"t.status\", ", "", "$.states.processing", "raw status",
        "no status role");
    row("stale of no rule", "[ { \"states\": [\"in_progress\"], \"by\": \"t.locked_until\", \"after\": \"0s\" } ]",
        "[]", "$.stale", "empty list", "or null");
    row("stale as an object", "[ { \"states\": [\"in_progress\"], \"by\": \"t.locked_until\", \"after\": \"0s\" } ]",
        "{}", "$.stale", "object", "list");
    row("stale of a finished state", "[\"in_progress\"], \"by\"", "[\"succeeded\"], \"by\"", "$.stale[0].states[0]",
        "“succeeded”", "pending, in_progress");
    row("stale by nothing", "\"by\": \"t.locked_until\", \"after\": \"0s\"", "\"status\": [\"x\"]", "$.stale[0]",
        "object", "when");
    row("after without by", "\"by\": \"t.locked_until\", \"after\": \"0s\"", "\"when\": \"true\", \"after\": \"1h\"",
        "$.stale[0].after", "“1h”", "by");
    row("a duration without end", "\"after\": \"0s\" } ],", "\"after\": \"99999999999999999999y\" } ],",
        "$.stale[0].after", "9999", "duration");
    row("guard of objects", "\"guard\": [\"status\"]", "\"guard\": [{}]", "$.guard[0]", "object", "text");
    row("action from unknown", "\"from\": [\"in_progress\"]", "\"from\": [\"unknown\"]", "$.actions.recover[0].from[0]",
        "“unknown”", "in_progress");
    row("action to nowhere", "\"to\": \"succeeded\"", "\"to\": \"gone\"", "$.actions.recover[0].to", "“gone”",
        "absent");
    row("absent without delete", "\"to\": \"succeeded\"", "\"to\": \"absent\"", "$.actions.recover[0].to", "“absent”",
        "delete");
    row("delete beside set", "\"to\": \"succeeded\"", "\"to\": \"absent\", \"delete\": true", "$.actions.recover[0]",
        "object", "no “set”");
    row("set of nothing", "{ \"status\": \"'succeeded'\" }", "{}", "$.actions.recover[0].set", "object", "columns");
    const auto second
        = [&row](const char *name, const QByteArray &value, const char *path, const char *found, const char *expected) {
              const QByteArray at = QByteArray("$.actions.recover[0].second") + path;
              row(name, "\"needs_effect\": \"order\"",
                  ("\"needs_effect\": \"order\", \"second\": " + value).constData(), at.constData(), found, expected);
          };
    second("second table without a match", R"({"relation": "q", "set": {"a": "NULL"}})", ".match", "", "");
    second("second table without a name", R"({"match": "true", "set": {"a": "NULL"}})", ".relation", "", "");
    second("second table that nothing becomes of", R"({"relation": "q", "match": "true", "set": {}})", ".set", "object",
        "columns");
    second("second table with the effect's id", R"({"relation": "q", "match": "true", "set": {"a": "$effect_id"}})",
        ".set.a", "$effect_id", "$reason");
    second("second table as a text", R"("q")", "", "“q”", "");
    const char *whole
        = "\"to\": \"succeeded\", \"needs_effect\": \"order\",\n                              \"set\": { \"status\": "
          "\"'succeeded'\" } }";
    row("second table of a row that goes", whole,
        R"("to": "absent", "delete": true, "second": {"relation": "q", "match": "true", "set": {"a": "NULL"}} })",
        "$.actions.recover[0].second", "", "not one that deletes");
    row("two second tables", whole,
        R"("to": "succeeded", "set": {"a": "1"}, "second": {"relation": "q", "match": "true", "set": {"a": "NULL"}} },
           {"from": ["pending"], "to": "succeeded", "set": {"a": "1"},
            "second": {"relation": "r", "match": "true", "set": {"a": "NULL"}} })",
        "$.actions.recover[1].second.relation", "“r”", "the same second table");
    row("set with a strange variable", "\"'succeeded'\" }", "\"$who\" }", "$.actions.recover[0].set.status", "$who",
        "$reason");
    row("effect's id without the effect", "\"needs_effect\": \"order\",", "", "", "", "");
    row("an effect that is not there", "\"needs_effect\": \"order\"", "\"needs_effect\": \"charge\"",
        "$.actions.recover[0].needs_effect", "“charge”", "effects");
    row("actions of an unknown kind", "\"recover\"", "\"retry\"", "$.actions.retry", "“retry”", "requeue");
    row("purge as a text", "{ \"by\": \"t.expires_at\", \"after\": \"0s\", \"states\": [\"succeeded\"] }", "\"never\"",
        "$.purge", "“never”", "rule");
    row("purge of unknown", "\"states\": [\"succeeded\"] }", "\"states\": [\"unknown\"] }", "$.purge.states[0]",
        "“unknown”", "succeeded");
    const auto retry
        = [&row](const char *name, const QByteArray &rule, const char *path, const char *found, const char *expected) {
              row(name, "\"guard\"", ("\"retry\": [" + rule + "], \"guard\"").constData(), path, found, expected);
          };
    retry("retry of no rule", "", "$.retry", "empty list", "or null");
    retry("retry without an outcome", R"({"states": ["succeeded"]})", "$.retry[0].outcome", "nothing", "takes_over");
    retry("retry with another outcome", R"({"outcome": "maybe"})", "$.retry[0].outcome", "“maybe”", "runs_again");
    retry("retry of an unknown state", R"({"states": ["unknown"], "outcome": "replay"})", "$.retry[0].states[0]",
        "“unknown”", "in_progress");
    retry("retry with another word", R"({"is": ["old"], "outcome": "replay"})", "$.retry[0].is[0]", "“old”",
        "lease_running");
    retry("retry with a word twice", R"({"is": ["stale", "stale"], "outcome": "replay"})", "$.retry[0].is[1]",
        "“stale”", "once");
    retry("retry of a lease that is no role", R"({"is": ["lease_running"], "outcome": "wait"})", "$.retry[0].is[0]",
        "“lease_running”", "role lease_until");
    retry("retry of attempts that are no role", R"({"is": ["attempts_spent"], "outcome": "refused"})",
        "$.retry[0].is[0]", "“attempts_spent”", "role attempts");
    retry("retry until a lease that is no role", R"({"outcome": "wait", "until": "lease"})", "$.retry[0].until",
        "“lease”", "role lease_until");
    retry("retry until beside a replay", R"({"outcome": "replay", "until": "t.expires_at"})", "$.retry[0].until",
        "“t.expires_at”", "wait only");
    retry("retry as a conflict of the same request", R"({"payload": "same", "outcome": "conflict"})",
        "$.retry[0].payload", "“same”", "“other”");
    retry("retry as a conflict of both", R"({"outcome": "conflict"})", "$.retry[0].payload", "nothing", "“other”");
    retry("retry with no SQLSTATE", R"({"outcome": "refused", "sqlstate": "p4002"})", "$.retry[0].sqlstate", "“p4002”",
        "five digits");
    retry("retry with no HTTP status", R"({"outcome": "refused", "http": 42})", "$.retry[0].http", "number 42",
        "100 to 599");
    retry("retry with an HTTP status closing a bracket", R"({"outcome": "refused", "http": "1) OR (true"})",
        "$.retry[0].http", "OR", "closes what was not opened");
    retry("retry when with an action's variable", R"({"when": "$reason", "outcome": "refused"})", "$.retry[0].when",
        "$reason", "not $reason");
    retry("retry with a member there is not", R"({"outcome": "replay", "unitl": "lease"})", "$.retry[0].unitl",
        "“unitl”", "until");
    row("order without a label", "{ \"label\": \"expiry\", \"sql\"", "{ \"sql\"", "$.orders[0].label", "nothing",
        "text");
    const auto fields
        = [&row](const char *name, const QByteArray &list, const char *path, const char *found, const char *expected) {
              row(name, "\"guard\"", ("\"fields\": [" + list + "], \"guard\"").constData(), path, found, expected);
          };
    fields("a field called as one of the filter", R"({"label": "Owner", "sql": "t.a"})", "$.fields[0].label", "“Owner”",
        "no field of the filter");
    fields("a field called as a role", R"({"label": "claimed_at", "sql": "t.a"})", "$.fields[0].label", "“claimed_at”",
        "no role");
    fields("a field called as a part of the scope", R"({"label": "scope", "sql": "t.a"})", "$.fields[0].label",
        "“scope”", "no part of the scope");
    fields(
        "a field that filters cannot name", R"({"label": "a b", "sql": "t.a"})", "$.fields[0].label", "“a b”", "word");
    fields("two fields of one label", R"({"label": "a", "sql": "t.a"}, {"label": "A", "sql": "t.b"})",
        "$.fields[1].label", "“A”", "word");
    fields("a field of no known type", R"({"label": "a", "sql": "t.a", "type": "date"})", "$.fields[0].type", "“date”",
        "text, number, time");
    fields("a field that closes a bracket", R"({"label": "a", "sql": "t.a) OR (true"})", "$.fields[0].sql", "OR",
        "closes what was not opened");
    const auto links
        = [&row](const char *name, const QByteArray &link, const char *path, const char *found, const char *expected) {
              row(name, "\"guard\"", ("\"links\": [" + link + "], \"guard\"").constData(), path, found, expected);
          };
    links("a link that runs a script", R"({"label": "x", "url": "javascript:alert"})", "$.links[0].url", "javascript",
        "http");
    links("a link to a file", R"({"label": "x", "url": "file:///etc/passwd"})", "$.links[0].url", "file", "http");
    links("a link whose host a row says", R"({"label": "x", "url": "https://{key}/x"})", "$.links[0].url", "https",
        "behind its host");
    links("a link whose host a row ends", R"({"label": "x", "url": "https://a.example{key}"})", "$.links[0].url",
        "https", "behind its host");
    links("a link whose host stands behind another",
        R"({"label": "x", "url": "https://bank.example@evil.example/{key}"})", "$.links[0].url", "bank",
        "behind its host");
    links("a link whose host a backslash ends", R"({"label": "x", "url": "https://a.example\\@evil.example/{key}"})",
        "$.links[0].url", "a.example", "behind its host");
    links("a link with a name that is none", R"({"label": "x", "url": "https://a.example/{nope}"})", "$.links[0].url",
        "{nope}", "a role");
    links("two links of one label",
        R"({"label": "x", "url": "https://a.example/"}, {"label": "x", "url": "https://b.example/"})",
        "$.links[1].label", "“x”", "once");
    row("order called identity", "\"expiry\"", "\"identity\"", "$.orders[0].label", "“identity”", "own");
    row("nulls of another word", "\"sql\": \"t.expires_at\" } ]", "\"sql\": \"t.expires_at\", \"nulls\": \"none\" } ]",
        "$.orders[0].nulls", "“none”", "first or last");
    row("proves as a text", "\"proves\": true", "\"proves\": \"yes\"", "$.effects[0].proves", "“yes”", "true or false");
    row("policy on no label", "{ \"scope\": \"create_order\" }", "{ \"tenant\": \"x\" }", "$.policies[0].match.tenant",
        "“tenant”", "label of the scope");
    row("policy effect", "\"local\"", "\"remote\"", "$.policies[0].effect", "“remote”", "local or external");
    row("max_attempts zero", "\"effect\": \"local\"", "\"max_attempts\": 0", "$.policies[0].max_attempts", "number 0",
        "whole number");
    row("window as a number", "\"effect\": \"local\"", "\"windows\": { \"audit\": 7 }", "$.policies[0].windows.audit",
        "number 7", "duration");
    row("scope part twice", "\"sql\": \"t.idempotency_scope\" } ]",
        "\"sql\": \"t.a\" }, { \"label\": \"scope\", \"sql\": \"t.b\" } ]", "$.scope[1].label", "“scope”",
        "no other part");
    row("scope label of two words", "\"label\": \"scope\"", "\"label\": \"my scope\"", "$.scope[0].label", "“my scope”",
        "word");
    row("business reference of a number", "\"guard\"", "\"business_reference\": 5, \"guard\"", "$.business_reference",
        "number 5", "SQL expression");
    row("business references of none", "\"guard\"", "\"business_reference\": [], \"guard\"", "$.business_reference",
        "empty list", "at least one");
    row("business reference closing a bracket", "\"guard\"",
        "\"business_reference\": [\"t.a\", \"t.b) OR (true\"], \"guard\"", "$.business_reference[1]", "OR",
        "closes what was not opened");
    row("ignored field that is no pointer", "\"guard\"", "\"diff_ignore\": [\"/a\", \"b\"], \"guard\"",
        "$.diff_ignore[1]", "text “b”", "begins with a slash");
    row("masked name as a text", "\"guard\"", "\"masking\": \"email\", \"guard\"", "$.masking", "text “email”", "list");
    row("masked names as an object", "\"guard\"", "\"masking\": {\"email\": true}, \"guard\"", "$.masking", "object",
        "list");
    row("masked name that is none", "\"guard\"", "\"masking\": [\"a\", 1], \"guard\"", "$.masking[1]", "number 1",
        "text");
    row("ignored fields as a text", "\"guard\"", "\"diff_ignore\": \"/a\", \"guard\"", "$.diff_ignore", "text “/a”",
        "list");
    row("alerts that are no list", "\"guard\"", "\"alerts\": {\"id\": \"x\"}, \"guard\"", "$.alerts", "object", "list");
    row("alert without an id", "\"guard\"", "\"alerts\": [{\"above\": 60}], \"guard\"", "$.alerts[0].id", "nothing",
        "text");
    row("alert for a duration that is none", "\"guard\"", "\"alerts\": [{\"id\": \"a\", \"for\": \"soon\"}], \"guard\"",
        "$.alerts[0].for", "“soon”", "at most a week");
    row("alert for more than a week", "\"guard\"", "\"alerts\": [{\"id\": \"a\", \"for\": \"8d\"}], \"guard\"",
        "$.alerts[0].for", "“8d”", "at most a week");
    row("alert with a limit as a text", "\"guard\"", "\"alerts\": [{\"id\": \"a\", \"above\": \"60\"}], \"guard\"",
        "$.alerts[0].above", "“60”", "number");
    row("alert with a limit below nothing", "\"guard\"", "\"alerts\": [{\"id\": \"a\", \"above\": -1}], \"guard\"",
        "$.alerts[0].above", "number -1", "0 or more");
    row("alert with two forms", "\"guard\"", "\"alerts\": [{\"id\": \"a\", \"sum\": 1, \"above\": 2}], \"guard\"",
        "$.alerts[0].sum", "number 1", "only one");
    row("alert with a member there is not", "\"guard\"", "\"alerts\": [{\"id\": \"a\", \"abvoe\": 60}], \"guard\"",
        "$.alerts[0].abvoe", "“abvoe”", "above");
    const char *drill
        = R"("drill": {"perform": ["SELECT 1"], "effects": "SELECT 1", "cleanup": ["DELETE FROM x"]}, "guard")";
    row("a cleanup that takes everything", "\"guard\"", drill, "$.drill", "an object", "each statement");
    row("a claim without its answers", "\"guard\"",
        R"("drill": {"claim": "SELECT 1", "perform": ["SELECT 1"], "effects": "SELECT 1", "cleanup": ["SELECT $key"]}, "guard")",
        "$.drill", "an object", "“claimed”");
    const auto cache
        = [&row](const char *name, const QByteArray &spec, const char *path, const char *found, const char *expected) {
              row(name, "\"guard\"", ("\"cache\": {" + spec + "}, \"guard\"").constData(), path, found, expected);
          };
    cache("a cache without its names", R"("ttl": "5m")", "$.cache.key", "nothing", "text");
    cache("an entry without its key", R"("key": "k:{scope}")", "$.cache.key", "k:{scope}", "{key}");
    cache("an entry without a part of the scope", R"("key": "k:{key}")", "$.cache.key", "k:{key}", "one row");
    cache("an entry with a name that is none", R"("key": "{scope}:{kye}")", "$.cache.key", "{kye}", "{key}, {scope}");
    cache(
        "an entry whose values touch", R"("key": "{scope}{key}")", "$.cache.key", "{scope}{key}", "between two values");
    cache("an entry with its key twice", R"("key": "{key}:{scope}:{key}")", "$.cache.key", "{key}:", "once");
    cache("an entry with an open brace", R"("key": "{scope}:{key}:{")", "$.cache.key", ":{", "“{{”");
    cache("an entry that lives no time", R"("key": "{scope}:{key}", "ttl": "0s")", "$.cache.ttl", "0s", "above zero");
    cache("an entry that lives for a word", R"("key": "{scope}:{key}", "ttl": "long")", "$.cache.ttl", "“long”",
        "duration");
    cache("jitter of nothing", R"("key": "{scope}:{key}", "jitter": 5)", "$.cache.ttl", "nothing", "“ttl”");
    cache("jitter beyond all", R"("key": "{scope}:{key}", "ttl": "5m", "jitter": 101)", "$.cache.jitter", "101",
        "from 0 to 100");
    cache("no values", R"("key": "{scope}:{key}", "values": {})", "$.cache.values", "object", "values of the cache");
    cache("a value of no state", R"("key": "{scope}:{key}", "values": {"a": "done"})", "$.cache.values.a", "“done”",
        "pending");
    cache("a value behind the star", R"("key": "{scope}:{key}", "values": {"*": "pending", "a": "pending"})",
        "$.cache.values.a", "“*”", "last");
    cache("a password in a profile", R"("key": "{scope}:{key}", "url": "redis://h")", "$.cache.url", "“url”", "jitter");
    row("history without its table", "\"guard\"", "\"history\": {\"columns\": [\"a\"]}, \"guard\"",
        "$.history.relation", "nothing", "text");
    row("history without its columns", "\"guard\"",
        "\"history\": {\"relation\": \"app.old\", \"columns\": []}, \"guard\"", "$.history.columns", "empty list",
        "at least one");
    row("two orders without a label", "{ \"label\": \"expiry\", \"sql\": \"t.expires_at\" }",
        "{ \"sql\": \"t.a\" }, { \"sql\": \"t.b\" }", "$.orders[0].label", "nothing", "text");
    row("two effects without a type", "{ \"type\": \"order\", \"proves\": true, \"sql\": \"SELECT 1 AS id\" }",
        "{ \"sql\": \"SELECT 1\" }, { \"sql\": \"SELECT 2\" }", "$.effects[0].type", "nothing", "text");
    row("recipe without its text", "\"guard\"", "\"fingerprint_recipe\": {}, \"guard\"", "$.fingerprint_recipe.recipe",
        "nothing", "text");
    row("recipe of an unknown part", "\"guard\"",
        "\"fingerprint_recipe\": {\"recipe\": \"x\", \"parts\": {\"verb\": {\"value\": \"\"}}}, \"guard\"",
        "$.fingerprint_recipe.parts.verb", "“verb”", "method");
    row("part of two sources", "\"guard\"",
        "\"fingerprint_recipe\": {\"recipe\": \"x\", \"parts\": {\"key\": {\"value\": \"\", \"sql\": \"t.k\"}}}, "
        "\"guard\"",
        "$.fingerprint_recipe.parts.key", "object", "either");
    row("part of a strange variable", "\"guard\"",
        "\"fingerprint_recipe\": {\"recipe\": \"x\", \"parts\": {\"key\": {\"sql\": \"$reason\"}}}, \"guard\"",
        "$.fingerprint_recipe.parts.key.sql", "$reason", "not $reason");
}

void ProfileJsonTest::faultsNamePlaceAndExpectation()
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

void ProfileJsonTest::badTextIsRefused_data()
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
    QTest::newRow("a binary file") << QByteArray("\x7f"
                                                 "ELF\0\0",
        6) << u"line 1"_s;
}

void ProfileJsonTest::badTextIsRefused()
{
    QFETCH(QByteArray, json);
    QFETCH(QString, where);
    const auto read = profileFromJson(json, u"f.json"_s);
    QVERIFY(!read.ok());
    QVERIFY2(read.error().where.startsWith(u"f.json: "_s + where), qPrintable(read.error().where));
}

void ProfileJsonTest::filesThatCannotBeRead()
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

void ProfileJsonTest::schemaSaysWhatTheDescriptorsSay()
{
    QFile file(u":/idemdesk/profiles/profile.schema.json"_s);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QJsonObject written = QJsonDocument::fromJson(file.readAll()).object();
    const QJsonObject defs = written.take(u"$defs"_s).toObject();
    for (const QString &heading : { u"$schema"_s, u"title"_s, u"description"_s }) {
        QVERIFY2(written.take(heading).isString(), qPrintable(heading));
    }
    QJsonParseError fault;
    const QJsonDocument described = QJsonDocument::fromJson(profileCodec().schema, &fault);
    QVERIFY2(described.isObject(), qPrintable(fault.errorString()));
    QStringList schema;
    QStringList descriptors;
    leavesOf(plainSchema(written, defs), u"$"_s, &schema);
    leavesOf(plainSchema(described.object(), {}), u"$"_s, &descriptors);
    QVERIFY(schema.size() > 300);
    const QSet<QString> inSchema(schema.cbegin(), schema.cend());
    const QSet<QString> inDescriptors(descriptors.cbegin(), descriptors.cend());
    QStringList onlySchema = (inSchema - inDescriptors).values();
    QStringList onlyDescriptors = (inDescriptors - inSchema).values();
    onlySchema.sort();
    onlyDescriptors.sort();
    QVERIFY2(onlySchema.isEmpty() && onlyDescriptors.isEmpty(),
        qPrintable(u"Only in profile.schema.json:\n%1\nOnly in the descriptors:\n%2"_s.arg(
            onlySchema.join(u'\n'), onlyDescriptors.join(u'\n'))));
}

void ProfileJsonTest::schemaKnowsEveryRole()
{
    QFile file(u":/idemdesk/profiles/profile.schema.json"_s);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QJsonObject schema = QJsonDocument::fromJson(file.readAll()).object();
    const QByteArray text = QJsonDocument(schema).toJson();
    for (const Role role : kAllOf<Role>) {
        QVERIFY(text.contains('"' + roleName(role).toLatin1() + '"'));
    }
}

QTEST_GUILESS_MAIN(ProfileJsonTest)
#include "tst_profile_json.moc"
