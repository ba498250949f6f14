// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/registered_table.h"

#include "sql/actions/compile.h"
#include "sql/actions/registration.h"
#include "sql/profile/binder.h"
#include "sql/profile/profile_json.h"

#include <QJsonDocument>
#include <QJsonObject>

using namespace Qt::StringLiterals;

namespace idemdesk::tests {

namespace {

const QByteArray kProfile = R"json({
  "idemdesk_profile": 1, "name": "k2", "title": "Keys of the tests", "kind": "request", "relation": "app.k",
  "identity": ["tenant", "key"], "scope": [{"label": "tenant", "sql": "t.tenant"}], "key": "t.key",
  "roles": {"status": "t.status", "attempts": "t.attempts", "lease_until": "t.locked_until", "updated_at": "t.updated_at",
            "expires_at": "t.expires_at", "result_id": "t.result"},
  "states": {"processing": "in_progress", "succeeded": "succeeded", "failed": "failed_retryable", "dead": "failed_final"},
  "stale": [{"states": ["in_progress"], "by": "t.locked_until", "after": "0s"}],
  "guard": ["status", "locked_until", "attempts"],
  "actions": {
    "recover": [
      {"from": ["in_progress"], "to": "failed_retryable", "set": {"status": "'failed'", "locked_until": "NULL", "updated_at": "$now"}},
      {"from": ["in_progress"], "to": "failed_final", "set": {"status": "'dead'", "locked_until": "NULL"}},
      {"from": ["in_progress"], "to": "succeeded", "needs_effect": "eff", "set": {"status": "'succeeded'", "result": "$effect_id", "locked_until": "NULL"}}],
    "requeue": [{"from": ["failed_final"], "to": "failed_retryable", "set": {"status": "'failed'"}}],
    "reclassify": []},
  "purge": {"by": "t.expires_at", "after": "0s", "states": ["succeeded", "failed_final"]},
  "effects": [{"type": "eff", "proves": true, "sql": "SELECT f.id AS id, NULL::timestamptz AS at, NULL::text AS state FROM app.eff f WHERE f.tenant = t.tenant AND f.key = t.key"}],
  "policies": [{"match": {"tenant": "t2"}, "effect": "external"},
               {"match": {}, "effect": "local", "max_attempts": 5, "windows": {"client_retry": "24h", "audit": "1y"}}]
})json";

} // namespace

std::unique_ptr<sql::Session> openSession(const ConsoleFixture &fixture, const QString &login, sql::LaneKind lane)
{
    sql::ConnectionSettings settings;
    settings.conninfo = const_cast<ConsoleFixture &>(fixture).cluster().conninfoAs(login, fixture.database());
    sql::Session::Options options;
    options.lane = lane;
    options.readOnly = lane != sql::LaneKind::Write;
    options.applicationName = u"idemdesk test"_s;
    auto session = sql::Session::open(settings, options);
    if (!session) {
        qFatal("no session: %s", qPrintable(session.error().line()));
    }
    return std::move(*session);
}

QByteArray tableProfile(const QByteArray &changes)
{
    QJsonObject profile = QJsonDocument::fromJson(kProfile).object();
    const QJsonObject over = QJsonDocument::fromJson(changes).object();
    for (auto it = over.begin(); it != over.end(); ++it) {
        profile.insert(it.key(), it.value());
    }
    return QJsonDocument(profile).toJson();
}

RegisteredTable registerTable(const ConsoleFixture &fixture, const QByteArray &changes, const QString &name)
{
    QJsonObject named = QJsonDocument::fromJson(tableProfile(changes)).object();
    named.insert(u"name"_s, name);
    const auto profile = sql::profileFromJson(QJsonDocument(named).toJson(), u"test"_s);
    if (!profile) {
        qFatal("profile: %s %s", qPrintable(profile.error().line()), qPrintable(profile.error().where));
    }
    auto admin = openSession(fixture, u"adm"_s, sql::LaneKind::Write);
    const auto target = sql::bindTarget(*admin, *profile);
    if (!target) {
        qFatal("bind: %s", qPrintable(target.error().line()));
    }
    const auto registration = sql::registerTarget(*admin, *target, sql::profileToJson(*profile), {}, true);
    if (!registration || !registration->registered) {
        QString why = registration ? QString() : registration.error().line() + registration.error().detail;
        for (const auto &item : registration ? registration->findings : QList<sql::Registration::Item>()) {
            why += item.severity + u": "_s + item.text + u'\n';
        }
        qFatal("not registered: %s", qPrintable(why));
    }
    RegisteredTable table { *target, {}, {} };
    const auto all = sql::readRegisteredTargets(*admin);
    for (const sql::RegisteredTarget &registered : *all) {
        if (registered.name == name) {
            table.registered = registered;
            table.compiled = *sql::compiledFromJson(registered.compiledJson);
        }
    }
    table.target.registered = true;
    return table;
}

} // namespace idemdesk::tests
