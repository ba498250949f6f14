// SPDX-License-Identifier: GPL-3.0-or-later
// What everybody else does: the service at its work, the admin, the owners of tables, and those who try what
// they may not.
#include "tests/sql/attacks/machine/run.h"

using namespace Qt::StringLiterals;

namespace idemdesk::tests::machine {

/// The service writes its rows, and notes each for the model in the same statement.
void Run::worker()
{
    const TargetPlan &plan = m_chance.of(m_plans);
    const QString &t = plan.table();
    const QString noted = u" RETURNING shadow.wrote_%1(t)"_s.arg(plan.name);
    const QString one = u" WHERE t.ctid = (SELECT o.ctid FROM %1 o WHERE o.tableoid = t.tableoid ORDER BY "
                        u"md5(o.k::text || '%2') LIMIT 1)"
                        " AND t.k = (SELECT o.k FROM %1 o ORDER BY md5(o.k::text || '%2') LIMIT 1)"_s.arg(t)
                            .arg(m_chance.below(1000));
    const QString few
        = u" WHERE t.k IN (SELECT o.k FROM %1 o ORDER BY md5(o.k::text || '%2') LIMIT %3)"_s.arg(t)
              .arg(m_chance.below(1000))
              .arg(1 + m_chance.below(6));
    const QString st = u"'%1'"_s;
    QString sql;
    // Most of all the rows that somebody is about to change, or has changed.
    const auto meant = m_root->run(
        u"SELECT r.v -> 'i' ->> $3::integer FROM model.asked a, jsonb_array_elements(a.rows) AS r (v) WHERE "
        u"a.target = $1 "
        "AND jsonb_typeof(r.v -> 'i') = 'array' ORDER BY a.n DESC, md5(r.v::text || $2) LIMIT 1"_s,
        { plan.name, QString::number(m_chance.below(1000)), QString::number(plan.identity.indexOf(u"k"_s)) });
    const bool usual = meant.rows.isEmpty() || m_chance.percent(45);
    if (!usual) {
        const QString change = m_chance.of(
            QStringList { u"att = att + 1, lk = %1"_s.arg(plan.lease.arg(u"now() - interval '5 hours'"_s)),
                u"lk = %1"_s.arg(plan.lease.arg(u"now() - interval '9 hours'"_s)),
                u"lk = %1"_s.arg(plan.lease.arg(u"now() + interval '1 hour'"_s)),
                u"st = '%1', lk = NULL, res = 'in time'"_s.arg(plan.raw.value(u"succeeded"_s)),
                u"res = 'answered'"_s, u"note = 'seen'"_s });
        sql = u"UPDATE %1 t SET %2 WHERE t.k::text = '%3'"_s.arg(
                  t, change, QString(meant.value()).replace(u'\'', u"''"_s))
            + noted;
    }
    switch (usual ? m_chance.below(11) : -1) {
    case -1:
        break;
    case 0:
        sql = u"UPDATE %1 t SET st = %2, lk = %3, att = att + 1"_s.arg(
                  t, st.arg(plan.raw.value(u"in_progress"_s)), plan.lease.arg(u"now() + interval '1 hour'"_s))
            + one + noted;
        break;
    case 1:
        sql = u"UPDATE %1 t SET st = %2, lk = NULL, res = 'by the worker', up = now()"_s.arg(
                  t, st.arg(plan.raw.value(u"succeeded"_s)))
            + few + noted;
        break;
    case 2:
        sql = u"UPDATE %1 t SET st = %2, lk = NULL"_s.arg(
                  t, st.arg(plan.raw.value(m_chance.percent(50) ? u"failed_retryable"_s : u"failed_final"_s)))
            + few + noted;
        break;
    case 3:
        sql = u"UPDATE %1 t SET lk = %2"_s.arg(t,
                  plan.lease.arg(m_chance.percent(60) ? u"now() + interval '2 hours'"_s
                                                      : u"now() - interval '3 hours'"_s))
            + few + noted;
        break;
    case 4:
        sql = u"UPDATE %1 t SET st = %2, lk = %3"_s.arg(t, st.arg(plan.raw.value(u"in_progress"_s)),
                  plan.lease.arg(u"now() - interval '2 hours'"_s))
            + few + noted;
        break;
    case 5:
        sql = u"UPDATE %1 t SET %2"_s.arg(t, m_chance.of(plan.extras)) + few + noted;
        break;
    case 6:
        if (plan.children) {
            return;
        }
        sql = u"DELETE FROM %1 t"_s.arg(t) + one + u" RETURNING shadow.gone_%1(t)"_s.arg(plan.name);
        break;
    case 7:
        if (plan.identity.contains(u"ex"_s)) {
            return;
        }
        sql = u"UPDATE %1 t SET ex = %2, st = %3, lk = NULL"_s.arg(t,
                  plan.expiry.arg(u"now() - interval '%1 hours'"_s.arg(50 + m_chance.below(500))),
                  st.arg(plan.raw.value(u"succeeded"_s)))
            + few + noted;
        break;
    case 8:
        sql = u"INSERT INTO %1.eff (id, s, k) SELECT 'late-' || t.k::text, t.s::text, t.k::text FROM %2 t "
              u"ORDER "
              "BY md5(t.k::text || '%3') LIMIT 3 ON CONFLICT DO NOTHING"_s.arg(plan.schema, t)
                  .arg(m_chance.below(1000));
        break;
    default: {
        QStringList rows;
        for (int i = 0, n = 1 + m_chance.below(4); i < n; ++i) {
            const int number = plan.base + 500 + ++m_inserted;
            const QString key = plan.keyLiteral.arg(number, plan.keyLiteral.contains(u"0000-"_s) ? 12 : 6, 10,
                QLatin1Char(plan.keyLiteral.startsWith(u'%') ? '1' : '0'));
            const QString state = m_chance.of(QStringList {
                u"succeeded"_s, u"succeeded"_s, u"failed_final"_s, u"in_progress"_s, u"failed_retryable"_s });
            rows += u"(%1, %2, '%3', %4, %5)"_s.arg(plan.scopeLiteral.arg(m_chance.below(3)), key,
                plan.raw.value(state),
                state == u"in_progress" ? plan.lease.arg(
                    m_chance.percent(70) ? u"now() - interval '1 hour'"_s : u"now() + interval '1 hour'"_s)
                                        : u"NULL"_s,
                plan.expiry.arg(u"now() - interval '%1 hours'"_s.arg(m_chance.below(900) - 100)));
        }
        sql = u"INSERT INTO %1 AS t (s, k, st, lk, ex) VALUES %2"_s.arg(t, rows.join(u", "_s)) + noted;
    }
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
        const QString settings
            = m_chance.percent(30) ? u"{}"_s : u"{\"approval_above\": %1}"_s.arg(m_chance.below(12));
        if (m_raced == int(&plan - m_plans.constData())) {
            return;
        }
        if (m_chance.percent(85)) {
            registerAgain(plan, plan.name, settings, std::nullopt);
            return;
        }
        registerAgain(plan, u"other"_s, settings,
            m_chance.of(QStringList { u"true) OR (SELECT random() > 2"_s,
                u"true); DELETE FROM m_app.kept; SELECT (true"_s,
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
    const auto stored
        = m_root->run(u"SELECT profile, compiled FROM idemdesk.target WHERE name = $1"_s, { plan.name });
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
            note(u"registered again: "_s
                + (answer.value().contains(u"\"registered\": true"_s) ? u"yes"_s : u"no"_s));
        });
}

/// What its owner did to the table is taken back or looked at, so that people can act on it again.
void Run::repair(const TargetPlan &plan)
{
    quiesce();
    say(plan.owner,
        u"ALTER TABLE %1 DISABLE ROW LEVEL SECURITY; REVOKE CREATE ON SCHEMA %2 FROM mallory"_s.arg(
            plan.table(), plan.schema));
    for (int i = 1; i <= m_later; ++i) {
        say(plan.owner, u"DROP RULE IF EXISTS later_%2 ON %1"_s.arg(plan.table()).arg(i));
        const QString child = u"%1.race_%2_%3"_s.arg(plan.schema).arg(i).arg(plan.name);
        const auto lost = m_root->run(
            u"DELETE FROM model.bystander b WHERE b.name = $1 RETURNING b.digest <> model.digest_of(b.name)"_s,
            { child });
        if (lost.value() == u"t") {
            differ(u"rows of %1 went, or were changed"_s.arg(child));
        }
        say(plan.owner, u"DROP TABLE IF EXISTS "_s + child);
        say(plan.owner,
            u"DROP FUNCTION IF EXISTS %1.later_%2_%3 CASCADE"_s.arg(plan.schema).arg(i).arg(plan.name));
    }
    m_raced = -1;
    say(u"adm"_s, u"ROLLBACK; RESET ALL"_s);
    rootValue(
        u"UPDATE model.guarded g SET digest = p.digest FROM model.protected() p WHERE p.name = g.name AND "
        "g.name = 'schemas'"_s);
    registerAgain(plan, plan.name, u"{\"approval_above\": %1}"_s.arg(m_chance.below(9)), std::nullopt);
}

void Run::race()
{
    if (m_race >= 0 || m_raced >= 0 || m_changed >= 0) {
        return;
    }
    const int place = m_chance.below(int(m_plans.size()));
    TargetPlan &plan = m_plans[place];
    const int number = ++m_later;
    QString change;
    if (m_chance.percent(50)) {
        const QString name = u"later_%1_%2"_s.arg(number).arg(plan.name);
        say(plan.owner,
            u"CREATE FUNCTION %1.%2() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.res := 'raced'; "
            u"RETURN "
            "NEW; END $$"_s.arg(plan.schema, name));
        change = u"CREATE TRIGGER %2 BEFORE UPDATE ON %3 FOR EACH ROW EXECUTE FUNCTION %1.%2()"_s.arg(
            plan.schema, name, plan.table());
    } else {
        const QString child = u"%1.race_%2_%3"_s.arg(plan.schema).arg(number).arg(plan.name);
        QStringList own;
        QStringList copied;
        for (const QString &column : plan.identity) {
            own += u"p_"_s + column;
            copied += u"t.%1 AS p_%1"_s.arg(column);
        }
        say(plan.owner,
            u"CREATE TABLE %1 AS SELECT %2 FROM %3 t"_s.arg(child, copied.join(u", "_s), plan.table()));
        rootValue(
            u"INSERT INTO model.bystander SELECT $1, model.digest_of($1) WHERE to_regclass($1) IS NOT NULL"_s,
            { child });
        plan.children = true;
        change = u"ALTER TABLE %1 ADD FOREIGN KEY (%2) REFERENCES %3 ON DELETE CASCADE"_s.arg(
            child, own.join(u", "_s), plan.table());
    }
    m_raced = place;
    say(plan.owner, u"BEGIN"_s);
    say(plan.owner, change, {}, u"race"_s, [=, this](const Connection::Answer &answer) {
        if (answer.ok()) {
            m_race = place;
        } else {
            say(m_plans.at(place).owner, u"ROLLBACK"_s);
            m_changed = place; // what was made before the change is taken back with it
        }
    });
}

void Run::endRace()
{
    const int place = std::exchange(m_race, -1);
    m_changed = place;
    say(m_plans.at(place).owner, m_chance.percent(90) ? u"COMMIT"_s : u"ROLLBACK"_s);
}

/// Rows that are past their time already as they come.
void Run::oldRows(int place)
{
    const TargetPlan &plan = m_plans.at(place);
    QStringList rows;
    for (int i = 0, n = 4 + m_chance.below(12); i < n; ++i) {
        const int number = plan.base + 500 + ++m_inserted;
        const QString key = plan.keyLiteral.arg(number, plan.keyLiteral.contains(u"0000-"_s) ? 12 : 6, 10,
            QLatin1Char(plan.keyLiteral.startsWith(u'%') ? '1' : '0'));
        rows += u"(%1, %2, '%3', %4)"_s.arg(plan.scopeLiteral.arg(m_chance.below(3)), key,
            plan.raw.value(u"succeeded"_s),
            plan.expiry.arg(u"now() - interval '%1 hours'"_s.arg(900 + m_chance.below(90))));
    }
    say(u"service"_s,
        u"INSERT INTO %1 AS t (s, k, st, ex) VALUES %2 RETURNING shadow.wrote_%3(t)"_s.arg(
            plan.table(), rows.join(u", "_s), plan.name),
        {}, u"worker"_s);
}

/// The table's owner changes it while actions are under way.
void Run::owner()
{
    m_changed = m_chance.below(int(m_plans.size()));
    const TargetPlan &plan = m_plans.at(m_changed);
    const QString t = plan.table();
    const QString &s = plan.schema;
    quiesce();
    const auto judged = m_root->run(u"SELECT * FROM model.judge_events()"_s);
    for (const QStringList &row : judged.rows) {
        differ(row.value(0));
    }
    QStringList statements;
    switch (m_chance.below(9)) {
    case 0:
        statements += u"ALTER TABLE %1 ADD COLUMN later_%2 int DEFAULT 7"_s.arg(t).arg(++m_later);
        break;
    case 1:
        statements = laterTrigger(m_chance, plan, ++m_later);
        break;
    case 2:
        statements += u"ALTER TABLE %1 DISABLE TRIGGER USER"_s.arg(t);
        break;
    case 3:
        statements += u"ALTER TABLE %1 ENABLE TRIGGER USER"_s.arg(t);
        break;
    case 4:
        statements += u"CREATE RULE later_%2 AS ON DELETE TO %1 DO INSTEAD NOTHING"_s.arg(t).arg(++m_later);
        break;
    case 5:
        statements += u"ALTER TABLE %1 ENABLE ROW LEVEL SECURITY"_s.arg(t);
        break;
    case 6:
        statements += u"ALTER TABLE %1 DISABLE ROW LEVEL SECURITY"_s.arg(t);
        break;
    case 7:
        statements += u"GRANT CREATE ON SCHEMA %1 TO mallory"_s.arg(s);
        break;
    default:
        statements += u"ALTER TABLE %1 ALTER COLUMN note TYPE varchar(200)"_s.arg(t);
        break;
    }
    if (m_chance.percent(50)) {
        statements += u"REVOKE CREATE ON SCHEMA %1 FROM mallory"_s.arg(s);
    }
    for (const QString &statement : std::as_const(statements)) {
        say(plan.owner, statement, {}, u"owner"_s);
    }
    rootValue(u"SELECT model.watch('%1'); UPDATE model.guarded g SET digest = p.digest FROM "
              u"model.protected() p WHERE "
              "p.name = g.name AND g.name = 'schemas'"_s.arg(plan.name));
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
                u"row_security = off"_s, u"search_path = evil, public"_s,
                u"search_path = evil, pg_catalog, pg_temp"_s, u"extra_float_digits = -15"_s,
                u"bytea_output = 'escape'"_s, u"standard_conforming_strings = off"_s,
                u"intervalstyle = 'sql_standard'"_s, u"transform_null_equals = on"_s,
                u"xmloption = document"_s });
    }
    return out;
}

/// Settings that change what texts, numbers and names mean.
void Run::session(const QString &who)
{
    const QStringList settings { u"SET datestyle = 'SQL, DMY'"_s, u"SET datestyle = 'German'"_s,
        u"SET timezone = 'Asia/Kathmandu'"_s, u"SET timezone = 'America/New_York'"_s,
        u"SET array_nulls = off"_s, u"SET array_nulls = off"_s, u"SET quote_all_identifiers = on"_s,
        u"SET row_security = off"_s, u"SET session_replication_role = replica"_s,
        u"SET search_path = evil, public"_s, u"SET search_path = evil, pg_catalog, pg_temp"_s,
        u"SET role idemdesk_owner"_s, u"SET role idemdesk_operator"_s, u"SET SESSION AUTHORIZATION appr"_s,
        u"RESET ALL"_s, u"SET default_transaction_isolation = 'repeatable read'"_s,
        u"RESET default_transaction_isolation"_s, u"SET default_transaction_read_only = on"_s,
        u"RESET default_transaction_read_only"_s, u"SET lc_monetary = 'C.UTF-8'"_s,
        u"SET extra_float_digits = -15"_s, u"SET bytea_output = 'escape'"_s,
        u"SET standard_conforming_strings = off"_s, u"SET intervalstyle = 'sql_standard'"_s,
        u"SET transform_null_equals = on"_s, u"SET xmloption = document"_s, u"SET xmlbinary = hex"_s,
        u"SET timezone_abbreviations = 'India'"_s, u"RESET timezone_abbreviations"_s,
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
        m_chance.of(QStringList { u"COMMIT"_s, u"COMMIT"_s, u"ROLLBACK"_s, u"SAVEPOINT a"_s,
            u"ROLLBACK TO a"_s, u"PREPARE TRANSACTION 'held'"_s, u"COMMIT AND CHAIN"_s }));
}

/// What nobody may.
void Run::forge(const QString &who)
{
    const TargetPlan &plan = m_chance.of(m_plans);
    const Known *action = pick({ u"running"_s, u"requested"_s, u"paused"_s, u"finished"_s });
    const QString id = action ? action->id : m_chance.uuid();
    QStringList attempts { u"DELETE FROM idemdesk.audit"_s,
        u"UPDATE idemdesk.action SET state = 'running' WHERE id = '@'"_s,
        u"UPDATE idemdesk.target SET approval_above = NULL"_s,
        u"INSERT INTO idemdesk.shared_login VALUES ('x')"_s,
        u"TRUNCATE idemdesk.action_item, idemdesk.quarantine"_s, u"DELETE FROM m_other.kept"_s,
        u"SELECT idemdesk._append('@', 1, '{}', '{}', NULL, NULL, '{}', '{}', false, '{}')"_s,
        u"SELECT idemdesk._begin_batch('@', 1, 10)"_s,
        u"SELECT idemdesk._chain('lie', NULL, NULL, NULL, '{}', NULL)"_s,
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
        u"SELECT pg_advisory_lock(hashtext('idemdesk'))"_s, u"COPY idemdesk.audit FROM STDIN"_s,
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
        u"SELECT coalesce(has_table_privilege($1, $2, 'SELECT') AND NOT (SELECT relrowsecurity FROM pg_class "
        "WHERE oid = $2::regclass), false)"_s,
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
