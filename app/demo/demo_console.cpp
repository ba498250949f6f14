// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/demo/demo_console.h"

#include "app/demo/demo_cache.h"
#include "models/connection/target_finder.h"
#include "models/triage/frozen_set.h"
#include "sql/actions/action_gateway.h"
#include "sql/actions/compile.h"
#include "sql/actions/registration.h"
#include "sql/actions/triage_reader.h"
#include "sql/console/console_schema.h"
#include "sql/profile/binder.h"
#include "sql/profile/profile_json.h"
#include "sql/trends/trend_samples.h"

#include <QCoreApplication>
#include <QFile>
#include <QUuid>

#include <algorithm>
#include <iterator>

using namespace Qt::StringLiterals;

namespace idemdesk::app {

using sql::Error;
using sql::Result;
using sql::Session;

namespace {

// Roles belong to the cluster and outlive a reload of the database.
const QStringList kRoles {
    u"DO $body$ DECLARE r text; BEGIN FOREACH r IN ARRAY ARRAY['demo_admin', 'demo_approver', 'demo_viewer'] LOOP "
    "IF to_regrole(r) IS NULL THEN EXECUTE format('CREATE ROLE %I LOGIN', r); END IF; END LOOP; END $body$"_s,
    u"GRANT pg_monitor TO demo_admin, demo_approver, demo_viewer"_s,
    u"GRANT idemdesk_operator TO demo_operator"_s,
    u"GRANT idemdesk_approver TO demo_approver"_s,
    u"GRANT idemdesk_admin TO demo_admin"_s,
    u"GRANT idemdesk_viewer TO demo_viewer"_s,
    u"GRANT idemdesk_reporter TO demo_service"_s,
    // A drill runs only where the owner says what the database is for.
    u"DO $body$ BEGIN EXECUTE format('COMMENT ON DATABASE %I IS ''idemdesk: development''', current_database()); "
    "END $body$"_s,
};

/// For the schemas %1; %2 is the role that runs what their tables make it run.
const QStringList kGrants {
    // What the evidence queries read.
    u"GRANT USAGE ON SCHEMA %1 TO %2"_s,
    u"GRANT SELECT ON ALL TABLES IN SCHEMA %1 TO %2"_s,
    // Who acts, approves or registers may read the tables, and nothing beyond: more than that, and the console would
    // refuse them.
    u"GRANT USAGE ON SCHEMA %1 TO demo_admin, demo_approver, demo_operator, demo_viewer"_s,
    u"GRANT SELECT ON ALL TABLES IN SCHEMA %1 TO demo_admin, demo_approver, demo_operator, demo_viewer"_s,
    u"GRANT USAGE ON SCHEMA %1 TO demo_service"_s,
    u"GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA %1 TO demo_service"_s,
};

/// Above so many rows an action on a demo target waits for demo_approver.
constexpr qint64 kApprovalAbove = 2'000;
/// Keys that the first recovery frees.
constexpr int kFirstRecovery = 12;

Result<std::unique_ptr<Session>> openSession(const QString &conninfo)
{
    sql::ConnectionSettings settings;
    // Whatever the environment says of other servers.
    settings.conninfo = conninfo + u" hostaddr='' channel_binding=disable target_session_attrs=any"_s;
    Session::Options options;
    options.lane = sql::LaneKind::Write;
    options.readOnly = false;
    options.statementTimeoutMs = 60'000;
    options.lockTimeoutMs = 5'000;
    options.applicationName = u"idemdesk demo"_s;
    return Session::open(settings, options);
}

Result<void> runAll(Session &session, const QStringList &statements)
{
    for (const QString &statement : statements) {
        TRY(session.run({ statement, {} }));
    }
    return {};
}

/// Registers one target, giving as its owner what registration says is missing.
Result<void> registerOne(Session &owner, Session &admin, sql::Target target, bool cached)
{
    if (target.profile.name == u"plpgsql-request") { // its service's log has traces; the viewer is one that people have
        target.profile.links.append({ QCoreApplication::translate("Demo", "Trace in Jaeger on this machine"),
            u"http://localhost:16686/trace/{trace}"_s });
    }
    if (target.profile.name == u"plpgsql-request" && cached) {
        target.profile.cache = sql::CacheSpec { DemoCache::key(), DemoCache::ttl(), {},
            { { u"processing"_s, sql::KeyState::InProgress }, { u"succeeded"_s, sql::KeyState::Succeeded },
                { u"failed_retryable"_s, sql::KeyState::FailedRetryable },
                { u"failed_final"_s, sql::KeyState::FailedFinal } },
            {} };
    }
    if (target.profile.name == u"started-key" && target.profile.provider) {
        target.profile.provider->link = u"https://dashboard.example/charges/{reference}"_s;
    }
    if (target.profile.name == u"plpgsql-message") { // what a purge takes goes into its archive
        target.profile.history = sql::HistorySpec { u"app.processed_message_history"_s,
            { u"consumer_name"_s, u"message_id"_s, u"message_hash"_s, u"processed_at"_s, u"result_ref_type"_s,
                u"result_ref_id"_s } };
    }
    sql::RegistrationSettings settings;
    if (target.profile.name != u"started-key") { // one table that a single person may purge
        settings.approvalAbove = kApprovalAbove;
    }
    const QByteArray json = sql::profileToJson(target.profile);
    auto registered = sql::registerTarget(admin, target, json, settings, true);
    if (registered && !registered->registered) {
        for (const sql::Registration::Item &item : std::as_const(registered->findings)) {
            if (item.severity == u"grant" && !item.sql.isEmpty()) {
                TRY(runAll(owner, { item.sql }));
            }
        }
        registered = sql::registerTarget(admin, target, json, settings, true);
    }
    if (registered && !registered->registered) {
        Error error = makeError(sql::ErrorKind::Refused,
            QCoreApplication::translate("Demo", "The demo's table %1 could not be registered.")
                .arg(target.profile.name));
        for (const sql::Registration::Item &item : registered->findings) {
            error.why += item.severity == u"problem" || item.severity == u"grant" ? item.text + u' ' : QString();
        }
        return error;
    }
    return registered ? Result<void>() : Result<void>(registered.error());
}

/// What somebody did before the demo's visitor came: a recovery of stale keys, so that the trail is not empty.
Result<void> firstRecovery(Session &person)
{
    TRY(const auto targets, sql::readRegisteredTargets(person));
    for (const sql::RegisteredTarget &registered : targets) {
        const auto profile = sql::profileFromJson(registered.profileJson, registered.name);
        const auto compiled = sql::compiledFromJson(registered.compiledJson);
        if (registered.name != u"plpgsql-request" || !profile || !compiled) {
            continue;
        }
        TRY(const auto target, sql::bindTarget(person, *profile));
        TRY(const auto page, sql::readTriage(person, target, {}, true, 200));
        sql::ActionRequest request;
        request.id = QUuid::createUuid().toString(QUuid::WithoutBraces);
        request.target = registered.name;
        request.verb = sql::ActionVerb::Recover;
        request.reason = QCoreApplication::translate(
            "Demo", "Workers were restarted during the deployment; their claims are stuck.");
        request.ticket = u"OPS-1042"_s;
        request.profileSha = registered.profileSha;
        // Keys whose effect exists are left to the visitor: they are a story of their own.
        const auto frozen = models::freeze(target, *compiled, page, sql::ActionVerb::Recover).rows;
        std::copy_if(frozen.cbegin(), frozen.cend(), std::back_inserter(request.rows),
            [](const sql::FrozenRow &row) { return row.effectType.isEmpty(); });
        request.rows = request.rows.mid(0, kFirstRecovery);
        if (request.rows.isEmpty()) {
            return {};
        }
        auto action = sql::openAction(person, request);
        while (action && action->state == sql::ActionState::Running) {
            TRY(const auto batch, sql::runBatch(person, *action, action->lastBatch + 1, 100));
            action->lastBatch = batch.batch;
            action->state = batch.state;
        }
        return action ? Result<void>() : Result<void>(action.error());
    }
    return {};
}

Result<QString> script(const QString &name)
{
    QFile file(u":/idemdesk/demo/"_s + name);
    if (!file.open(QIODevice::ReadOnly)) {
        return makeError(sql::ErrorKind::File, file.errorString());
    }
    return QString::fromUtf8(file.readAll());
}

/// The statements of a script in one transaction, which finds the schemas named in its setting demo.schemas.
Result<void> runScript(Session &owner, const QString &name, const QStringList &schemas = {})
{
    TRY(const auto statements, script(name));
    TRY(owner.begin());
    sql::Statement named { u"SELECT pg_catalog.set_config('demo.schemas', $1, true)"_s, {} };
    named.bind(schemas.join(u','));
    auto done = owner.all(named);
    for (const QString &statement : statements.split(u";\n"_s, Qt::SkipEmptyParts)) {
        if (done && !statement.trimmed().isEmpty()) {
            done = owner.all({ statement, {} });
        }
    }
    if (!done) {
        owner.rollback();
        return done.error();
    }
    return owner.commit();
}

} // namespace

DemoConsole::DemoConsole(DemoLogins logins)
    : m_logins(std::move(logins))
{
}

DemoConsole::~DemoConsole() = default;

Result<void> DemoConsole::install()
{
    TRY(m_owner, openSession(m_logins.superuser));
    TRY(sql::installConsole(*m_owner));
    TRY(runAll(*m_owner, kRoles));
    TRY(sql::makeRunner(*m_owner, m_owner->facts().user));
    return {};
}

Result<void> DemoConsole::makeSpans()
{
    return runScript(*m_owner, u"spans.sql"_s);
}

Result<void> DemoConsole::registerTables(const QStringList &schemas)
{
    TRY(m_owner, openSession(m_logins.superuser));
    TRY(m_admin, openSession(m_logins.admin));
    TRY(m_person, openSession(m_logins.person));
    TRY(const auto runner,
        m_owner->one({ u"SELECT pg_catalog.quote_ident(r.rolname) FROM idemdesk.runner n JOIN pg_catalog.pg_roles r ON "
                       "r.oid = n.runner"_s,
            {} }));
    QStringList grants = kGrants;
    for (QString &grant : grants) {
        grant.replace(u"%1"_s, schemas.join(u", "_s)).replace(u"%2"_s, runner.constFirst().text);
    }
    if (auto done = runAll(*m_owner, grants); !done) {
        return done;
    }
    TRY(const auto found, models::findTargets(*m_admin, {}));
    for (const models::TargetEntry &entry : found.targets) {
        if (entry.registration || !schemas.contains(entry.target.relation.schema)) {
            continue;
        }
        auto done = registerOne(*m_owner, *m_admin, entry.target, m_logins.cached);
        if (done) {
            const auto taken = sql::takeSample(*m_person, entry.target.profile.name);
            done = taken ? Result<void>() : Result<void>(taken.error());
        }
        if (!done) {
            Error error = done.error();
            error.where = entry.target.profile.name;
            return error;
        }
    }
    return {};
}

Result<void> DemoConsole::addSamples(const QStringList &schemas)
{
    return runScript(*m_owner, u"samples.sql"_s, schemas);
}

Result<void> DemoConsole::addPast()
{
    TRY(firstRecovery(*m_person));
    TRY(runScript(*m_owner, u"reports.sql"_s));
    TRY(const auto log, script(u"service_log.sql"_s));
    TRY(const auto told, m_person->one({ log, {} }));
    sql::Statement import { u"SELECT idemdesk.import_conflicts('checkout-service.log', $1::pg_catalog.jsonb)"_s, {} };
    import.bind(told.constFirst().text);
    const auto imported = m_person->run(import);
    return imported ? Result<void>() : Result<void>(imported.error());
}

} // namespace idemdesk::app
