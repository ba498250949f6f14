// SPDX-License-Identifier: GPL-3.0-or-later
// What everybody else does: the service at its work, the admin, and those who try what they may not.
#include "tests/sql/attacks/machine/run.h"

using namespace Qt::StringLiterals;

namespace idemdesk::tests::machine {

/// Rows that come now: their number, and their expiry hours ago between these.
QString Run::newRows(const TargetPlan &plan, int count, bool finished, int from, int to)
{
    QStringList rows;
    for (int i = 0; i < count; ++i) {
        const QString state = finished ? u"succeeded"_s
                                       : m_chance.of(QStringList { u"succeeded"_s, u"succeeded"_s, u"failed_final"_s,
                                           u"in_progress"_s, u"failed_retryable"_s });
        const QString lease = m_chance.percent(70) ? u"now() - interval '1 hour'"_s : u"now() + interval '1 hour'"_s;
        rows += u"(%1, %2, '%3', %4, %5)"_s.arg(plan.scopeLiteral.arg(m_chance.below(3)),
            plan.keyOf(plan.base + 500 + ++m_inserted), plan.raw.value(state),
            state == u"in_progress" ? plan.lease.arg(lease) : u"NULL"_s,
            plan.expiry.arg(u"now() - interval '%1 hours'"_s.arg(from + m_chance.below(to - from))));
    }
    return u"INSERT INTO %1 AS t (s, k, st, lk, ex) VALUES %2 RETURNING shadow.wrote_%3(t)"_s.arg(
        plan.table(), rows.join(u", "_s), plan.name);
}

/// Rows that are past their time already as they come.
void Run::oldRows(int place)
{
    say(u"service"_s, newRows(m_plans.at(place), 4 + m_chance.below(12), true, 900, 990), {}, u"worker"_s);
}

/// A change of a row that somebody is about to change, or has changed: by this action, else by the newest. Empty where
/// there is none.
QString Run::writeToMeantRow(const TargetPlan &plan, const QString &action)
{
    const auto meant = m_root->run(
        u"SELECT r.v -> 'i' ->> $3::integer FROM model.asked a, jsonb_array_elements(a.rows) AS r (v) "
        "WHERE a.target = $1 AND jsonb_typeof(r.v -> 'i') = 'array' AND $4 IN ('', a.action::text) "
        "ORDER BY a.n DESC, md5(r.v::text || $2) LIMIT 1"_s,
        { plan.name, QString::number(m_chance.below(1000)), QString::number(plan.identity.indexOf(u"k"_s)), action });
    if (meant.rows.isEmpty()) {
        return {};
    }
    const QString change
        = m_chance.of(QStringList { u"att = att + 1, lk = "_s + plan.lease.arg(u"now() - interval '5 hours'"_s),
            u"lk = "_s + plan.lease.arg(u"now() - interval '9 hours'"_s),
            u"lk = "_s + plan.lease.arg(u"now() + interval '1 hour'"_s),
            u"st = '%1', lk = NULL, res = 'in time'"_s.arg(plan.raw.value(u"succeeded"_s)), u"res = 'answered'"_s,
            u"note = 'seen'"_s });
    return u"UPDATE %1 t SET %2 WHERE t.k::text = '%3' RETURNING shadow.wrote_%4(t)"_s.arg(
        plan.table(), change, QString(meant.value()).replace(u'\'', u"''"_s), plan.name);
}

/// What the service sets in some of its rows.
QString Run::usualChange(const TargetPlan &plan)
{
    const auto st = [&plan](const QString &state) { return u"st = '%1'"_s.arg(plan.raw.value(state)); };
    const auto lk = [&plan](const QString &when) { return u", lk = "_s + plan.lease.arg(u"now() "_s + when); };
    switch (m_chance.below(plan.identity.contains(u"ex"_s) ? 6 : 7)) {
    case 0:
        return st(u"in_progress"_s) + lk(u"+ interval '1 hour'"_s) + u", att = att + 1"_s;
    case 1:
        return st(u"succeeded"_s) + u", lk = NULL, res = 'by the worker', up = now()"_s;
    case 2:
        return st(m_chance.percent(50) ? u"failed_retryable"_s : u"failed_final"_s) + u", lk = NULL"_s;
    case 3:
        return u"up = now()"_s + lk(m_chance.percent(60) ? u"+ interval '2 hours'"_s : u"- interval '3 hours'"_s);
    case 4:
        return st(u"in_progress"_s) + lk(u"- interval '2 hours'"_s);
    case 5:
        return m_chance.of(plan.extras);
    default:
        return st(u"succeeded"_s) + u", lk = NULL, ex = "_s
            + plan.expiry.arg(u"now() - interval '%1 hours'"_s.arg(50 + m_chance.below(500)));
    }
}

/// The service writes its rows, and notes each for the model in the same statement.
void Run::worker()
{
    const TargetPlan &plan = m_chance.of(m_plans);
    const QString salt = QString::number(m_chance.below(1000));
    QString sql = m_chance.percent(55) ? writeToMeantRow(plan, {}) : QString();
    const int dice = m_chance.below(11);
    if (!sql.isEmpty()) {
        // Most of all the rows that somebody is about to change.
    } else if (dice < 2) {
        sql = newRows(plan, 1 + m_chance.below(4), false, -100, 800);
    } else if (dice < 3) {
        sql = u"INSERT INTO %1.eff (id, s, k) SELECT 'late-' || t.k::text, t.s::text, t.k::text FROM %2 t "
              "ORDER BY md5(t.k::text || '%3') LIMIT 3 ON CONFLICT DO NOTHING"_s.arg(plan.schema, plan.table(), salt);
    } else if (dice < 4 && !plan.children) {
        sql = u"DELETE FROM %1 t WHERE t.k = (SELECT o.k FROM %1 o ORDER BY md5(o.k::text || '%2') LIMIT 1) "
              "RETURNING shadow.gone_%3(t)"_s.arg(plan.table(), salt, plan.name);
    } else {
        sql = u"UPDATE %1 t SET %2 WHERE t.k IN (SELECT o.k FROM %1 o ORDER BY md5(o.k::text || '%3') LIMIT "
              u"%4) "
              "RETURNING shadow.wrote_%5(t)"_s.arg(
                  plan.table(), usualChange(plan), salt, QString::number(1 + m_chance.below(6)), plan.name);
    }
    if (m_chance.percent(12)) {
        say(u"service"_s, actor(u"service"_s).wire->inTransaction() ? u"COMMIT"_s : u"BEGIN"_s);
    }
    say(u"service"_s, sql, {}, u"worker"_s);
    if (m_chance.percent(40) && actor(u"service"_s).wire->inTransaction()) {
        say(u"service"_s, m_chance.percent(75) ? u"COMMIT"_s : u"ROLLBACK"_s);
    }
}

void Run::admin()
{
    const TargetPlan &plan = m_chance.of(m_plans);
    const int dice = m_chance.below(10);
    if (dice < 6) {
        // Again, with other limits; or beside it with SQL that must never run.
        const QString settings = m_chance.percent(30) ? u"{}"_s : u"{\"approval_above\": %1}"_s.arg(m_chance.below(12));
        if (m_raced == int(&plan - m_plans.constData())) {
            return;
        }
        if (m_chance.percent(85)) {
            registerAgain(plan, plan.name, settings, std::nullopt);
            return;
        }
        registerAgain(plan, u"other"_s, settings,
            m_chance.of(
                QStringList { u"true) OR (SELECT random() > 2"_s, u"true); DELETE FROM m_app.kept; SELECT (true"_s,
                    u"true) OR pg_catalog.set_config('x.y', 'z', false) IS NULL OR (false"_s,
                    u"true)) DELETE FROM m_app.own; --"_s, u"(SELECT count(*) FROM m_app.kept) > 0"_s }));
        call(u"adm"_s, u"unregister_target"_s, { u"other"_s }, u"text"_s);
    } else if (dice < 7) {
        call(u"adm"_s, u"unregister_target"_s, { plan.name }, u"text"_s);
    } else if (dice < 8) {
        call(u"adm"_s, u"set_kept"_s,
            { m_chance.of(QStringList { u"items"_s, u"days"_s, u"nothing"_s }),
                m_chance.of(QStringList { u"-1 days"_s, u"500 days"_s, u"1 day"_s, u"10 years"_s }) },
            u"text text"_s);
    } else if (dice < 9) {
        call(u"adm"_s, u"set_shared_login"_s,
            { m_chance.of(QStringList { u"op"_s, u"appr"_s, u"nobody"_s }),
                m_chance.percent(40) ? u"true"_s : u"false"_s },
            u"text boolean"_s);
    } else {
        call(m_chance.percent(50) ? u"adm"_s : u"op"_s, u"maintain"_s, {}, {});
    }
}

/// The registration once more, as it is stored. stale: this SQL instead of the profile's.
void Run::registerAgain(
    const TargetPlan &plan, const QString &name, const QString &settings, const std::optional<QString> &stale)
{
    const auto stored = m_root->run(u"SELECT profile, compiled FROM idemdesk.target WHERE name = $1"_s, { plan.name });
    if (!stored.rows.isEmpty()) {
        m_stored.insert(plan.name, stored.rows.first());
    }
    const QStringList last = m_stored.value(plan.name);
    if (last.isEmpty()) {
        return;
    }
    const QString compiled = stale
        ? rootValue(u"SELECT jsonb_set($1::jsonb, '{stale}', to_jsonb($2::text))"_s, { last.at(1), *stale })
        : last.at(1);
    ++m_actions;
    call(u"adm"_s, u"register_target"_s,
        { name, last.at(0), compiled, u"{%1}"_s.arg(plan.schema), settings,
            m_chance.percent(85) ? u"true"_s : u"false"_s },
        u"text text jsonb text[] jsonb boolean"_s, {}, {}, [=, this](const Connection::Answer &answer) {
            note(u"registered again: "_s + (answer.value().contains(u"\"registered\": true"_s) ? u"yes"_s : u"no"_s));
        });
}

QString Run::oddSettings(const QString &who)
{
    if (who == u"service" || who.endsWith(u"_owner") || m_chance.percent(30)) {
        return {};
    }
    QString out;
    for (int i = 0; i < 2; ++i) {
        out += u"; SET "_s
            + m_chance.of(QStringList { u"datestyle = 'SQL, DMY'"_s, u"datestyle = 'German, DMY'"_s,
                u"timezone = 'Asia/Kathmandu'"_s, u"array_nulls = off"_s, u"quote_all_identifiers = on"_s,
                u"row_security = off"_s, u"search_path = evil, public"_s, u"search_path = evil, pg_catalog, pg_temp"_s,
                u"extra_float_digits = -15"_s, u"bytea_output = 'escape'"_s, u"standard_conforming_strings = off"_s,
                u"intervalstyle = 'sql_standard'"_s, u"transform_null_equals = on"_s, u"xmloption = document"_s });
    }
    return out;
}

/// Settings that change what texts, numbers and names mean.
void Run::session(const QString &who)
{
    const QStringList settings { u"SET datestyle = 'SQL, DMY'"_s, u"SET datestyle = 'German'"_s,
        u"SET timezone = 'Asia/Kathmandu'"_s, u"SET timezone = 'America/New_York'"_s, u"SET array_nulls = off"_s,
        u"SET array_nulls = off"_s, u"SET quote_all_identifiers = on"_s, u"SET row_security = off"_s,
        u"SET session_replication_role = replica"_s, u"SET search_path = evil, public"_s,
        u"SET search_path = evil, pg_catalog, pg_temp"_s, u"SET role idemdesk_owner"_s, u"SET role idemdesk_operator"_s,
        u"SET SESSION AUTHORIZATION appr"_s, u"RESET ALL"_s, u"SET default_transaction_isolation = 'repeatable read'"_s,
        u"RESET default_transaction_isolation"_s, u"SET default_transaction_read_only = on"_s,
        u"RESET default_transaction_read_only"_s, u"SET lc_monetary = 'C.UTF-8'"_s, u"SET extra_float_digits = -15"_s,
        u"SET bytea_output = 'escape'"_s, u"SET standard_conforming_strings = off"_s,
        u"SET intervalstyle = 'sql_standard'"_s, u"SET transform_null_equals = on"_s, u"SET xmloption = document"_s,
        u"SET xmlbinary = hex"_s, u"SET timezone_abbreviations = 'India'"_s, u"RESET timezone_abbreviations"_s,
        u"SET client_encoding = 'LATIN1'"_s, u"SET client_encoding = 'UTF8'"_s, u"SET work_mem = '64kB'"_s,
        u"SET statement_timeout = '19s'"_s, u"SET idle_in_transaction_session_timeout = 0"_s,
        u"SET plan_cache_mode = force_generic_plan"_s, u"SET enable_seqscan = off"_s,
        u"SET check_function_bodies = off"_s, u"SET application_name = 'op: an honest console'"_s,
        u"SET escape_string_warning = off"_s, u"RESET role"_s };
    say(who, m_chance.of(settings), {}, u"setting"_s);
}

void Run::transaction(const QString &who)
{
    if (actor(who).wire->waiting()) {
        return;
    }
    if (!actor(who).wire->inTransaction()) {
        say(who,
            m_chance.of(QStringList { u"BEGIN"_s, u"BEGIN"_s, u"BEGIN ISOLATION LEVEL READ COMMITTED"_s,
                u"BEGIN ISOLATION LEVEL SERIALIZABLE"_s, u"BEGIN READ ONLY"_s,
                u"BEGIN; SET CONSTRAINTS ALL DEFERRED; SAVEPOINT a"_s }));
        return;
    }
    say(who,
        m_chance.of(QStringList { u"COMMIT"_s, u"COMMIT"_s, u"ROLLBACK"_s, u"SAVEPOINT a"_s, u"ROLLBACK TO a"_s,
            u"PREPARE TRANSACTION 'held'"_s, u"COMMIT AND CHAIN"_s }));
}

/// What nobody may.
void Run::forge(const QString &who)
{
    const TargetPlan &plan = m_chance.of(m_plans);
    const Known *action = pick({ u"running"_s, u"requested"_s, u"paused"_s, u"finished"_s });
    const QString id = action ? action->id : m_chance.uuid();
    QStringList attempts { u"DELETE FROM idemdesk.audit"_s,
        u"UPDATE idemdesk.action SET state = 'running' WHERE id = '@'"_s,
        u"UPDATE idemdesk.target SET approval_above = NULL"_s, u"INSERT INTO idemdesk.shared_login VALUES ('x')"_s,
        u"TRUNCATE idemdesk.action_item, idemdesk.quarantine"_s, u"DELETE FROM m_other.kept"_s,
        u"SELECT idemdesk._append('@', 1, '{}', '{}', NULL, '{}', '{}', false, '{}')"_s,
        u"SELECT idemdesk._begin_batch('@', 1, 10)"_s, u"SELECT idemdesk._chain('lie', NULL, NULL, NULL, '{}', NULL)"_s,
        u"SELECT idemdesk._require('idemdesk_operator')"_s,
        u"SELECT * FROM idemdesk._run_app_owner(true, 'DELETE FROM m_app.own RETURNING 1', 'pg_catalog', "
        u"NULL, "
        "NULL, NULL, NULL, NULL, NULL, NULL, NULL) AS r (a int)"_s,
        u"SET ROLE idemdesk_runner_app_owner"_s, u"GRANT idemdesk_owner TO SESSION_USER"_s,
        u"ALTER ROLE SESSION_USER SUPERUSER"_s, u"CREATE ROLE sneaked"_s, u"LOCK TABLE idemdesk.audit_head"_s,
        u"LOCK TABLE idemdesk.action IN SHARE MODE"_s, u"SELECT * FROM idemdesk.audit_head FOR UPDATE"_s,
        u"CREATE FUNCTION idemdesk.x() RETURNS int LANGUAGE sql AS 'SELECT 1'"_s,
        u"CREATE TEMP TABLE action (id uuid)"_s,
        u"CREATE FUNCTION pg_temp.lower(text) RETURNS text LANGUAGE sql AS 'SELECT NULL::text'"_s,
        u"SELECT pg_try_advisory_lock(hashtext('idemdesk'))"_s, u"COPY idemdesk.audit FROM STDIN"_s,
        u"SELECT idemdesk.make_runner('mallory')"_s, u"SELECT lo_create(0)"_s,
        u"ALTER TABLE @T ADD COLUMN sneaked int"_s, u"DROP FUNCTION idemdesk.maintain()"_s,
        u"CREATE TRIGGER sneaked BEFORE INSERT ON idemdesk.audit FOR EACH ROW EXECUTE FUNCTION "
        "suppress_redundant_updates_trigger()"_s };
    if (who != u"service" && who != u"appr") { // these may write rows
        attempts += QStringList { u"DELETE FROM @T"_s, u"UPDATE @T SET st = st, note = 'forged'"_s,
            u"INSERT INTO @T SELECT * FROM @T LIMIT 1"_s, u"TRUNCATE @T"_s };
    }
    QString sql = m_chance.of(attempts);
    say(who, sql.replace(u"@T"_s, plan.table()).replace(u'@', id), {}, u"forged"_s);
}

/// Images are for those who may read the rows.
void Run::look(const QString &who)
{
    const Known *action = pick({ u"running"_s, u"finished"_s, u"cancelled"_s });
    if (!action) {
        return;
    }
    const TargetPlan &plan = m_plans.at(action->plan);
    const QString id = action->id;
    if (m_chance.percent(12)) { // reads the table through its trampoline
        say(who, u"SELECT idemdesk.take_sample('%1')"_s.arg(plan.name), {}, u"sample"_s);
        return;
    }
    const QString may = rootValue(
        u"SELECT coalesce(has_table_privilege($1, $2, 'SELECT') AND (NOT (SELECT relrowsecurity FROM pg_class "
        "WHERE oid = $2::regclass) OR (SELECT bool_and(pg_get_expr(polqual, polrelid) = 'true') FROM pg_policy "
        "WHERE polrelid = $2::regclass)), false)"_s,
        { who, plan.table() });
    say(who,
        u"SELECT count(*) FROM idemdesk.items('%1', 0, 0, 10000) i WHERE i.identity IS NOT NULL OR i.detail "
        u"IS "
        "NOT NULL OR array_to_string(i.before, '') <> '' OR array_to_string(i.after, '') <> ''"_s.arg(id),
        {}, u"look"_s, [=, this](const Connection::Answer &answer) {
            if (answer.ok() && may == u"f" && answer.value() != u"0") {
                differ(u"%1 read %2 images of %3 (%4), and may not read that table"_s.arg(
                    who, answer.value(), id, plan.table()));
            }
        });
}

/// The approver has rights on the table, too; what its triggers do then has his name.
void Run::touch(const QString &who)
{
    const TargetPlan &plan = m_chance.of(m_plans);
    say(who,
        u"UPDATE %1 t SET note = 'touched' WHERE t.k = (SELECT o.k FROM %1 o ORDER BY md5(o.k::text || '%2') "
        "LIMIT 1) RETURNING shadow.wrote_%3(t)"_s.arg(plan.table())
            .arg(m_chance.below(1000))
            .arg(plan.name),
        {}, u"touch"_s);
}

} // namespace idemdesk::tests::machine
