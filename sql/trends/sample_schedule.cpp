// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/trends/sample_schedule.h"

#include "sql/types/tr.h"

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

const QString kSampleJob = QStringLiteral("idemdesk sample");
const QString kMaintainJob = QStringLiteral("idemdesk maintain");
/// Each for itself: one that may not be sampled costs the others nothing, and fails the job, which says why.
const QString kSampleSql = QStringLiteral(
    "DO $$ DECLARE v_name text; v_said text; BEGIN FOR v_name IN SELECT t.name FROM idemdesk.target t LOOP "
    "BEGIN PERFORM idemdesk.take_sample(v_name); "
    "EXCEPTION WHEN OTHERS THEN v_said := pg_catalog.concat_ws(' ', v_said, SQLERRM); END; COMMIT; END LOOP; "
    "IF v_said IS NOT NULL THEN RAISE EXCEPTION '%', v_said; END IF; END $$");
const QString kMaintainSql = QStringLiteral("SELECT idemdesk.maintain()");

/// Two lines of the server's settings, as comments: what follows is run as it stands. A name stays within its line.
QString settingsFor(QString database)
{
    database.replace(u'\\', u"\\\\"_s).replace(u'\'', u"''"_s).replace(u'\n', u"\\n"_s).replace(u'\r', u"\\r"_s);
    return u"-- shared_preload_libraries = 'pg_cron'\n-- cron.database_name = '%1'\n"_s.arg(database);
}

/// What is in the way where this database has no pg_cron. database: the one whose jobs it runs, where that is seen.
SampleSchedule withoutExtension(const QString &database, const QString &here, const QString &login, bool maySee)
{
    SampleSchedule schedule;
    const bool elsewhere = !database.isEmpty() && database != here;
    schedule.state = elsewhere ? SampleSchedule::State::Elsewhere : SampleSchedule::State::NoExtension;
    schedule.why = elsewhere
        ? Tr::tr("pg_cron keeps its jobs in the database “%1”. Have an administrator run this there:").arg(database)
        : !database.isEmpty()
        ? Tr::tr("pg_cron is loaded, but its extension was not created. Have an administrator run this:")
        : !maySee
        ? Tr::tr("pg_cron is not in this database, and this login may not see whether another one has it. Where "
                 "none has, have an administrator run this:")
        : Tr::tr("pg_cron is not loaded. Have an administrator install its package, put two lines into the server's "
                 "settings and run the rest:");
    schedule.script = elsewhere
        ? u"SELECT cron.schedule_in_database(%1, '* * * * *', %2, %5, %6);\nSELECT cron.schedule_in_database(%3, "
          "'7 * * * *', %4, %5, %6);"_s.arg(quoteLiteral(kSampleJob), quoteLiteral(kSampleSql),
              quoteLiteral(kMaintainJob), quoteLiteral(kMaintainSql), quoteLiteral(here), quoteLiteral(login))
        : u"CREATE EXTENSION pg_cron;\nGRANT USAGE ON SCHEMA cron TO %1;"_s.arg(quoteIdentifier(login));
    schedule.script.prepend(database.isEmpty() && maySee ? settingsFor(here) : QString());
    return schedule;
}

} // namespace

Result<SampleSchedule> readSampleSchedule(Session &session)
{
    // Without the extension the setting is not there either, unless its library is loaded.
    TRY(const auto facts,
        session.one(
            { u"SELECT (SELECT e.extnamespace FROM pg_catalog.pg_extension e WHERE e.extname = 'pg_cron') IS NOT NULL, "
              "COALESCE(CASE WHEN pg_catalog.pg_has_role('pg_read_all_settings', 'USAGE') THEN "
              "pg_catalog.current_setting('cron.database_name', true) END, ''), pg_catalog.current_database(), "
              "COALESCE(pg_catalog.has_schema_privilege(pg_catalog.to_regnamespace('cron'), 'USAGE'), false), "
              "pg_catalog.to_regnamespace('idemdesk') IS NOT NULL, session_user, "
              "pg_catalog.pg_has_role('pg_read_all_settings', 'USAGE')"_s,
                {} }));
    SampleSchedule schedule;
    const QString database = facts.at(1).text;
    const QString here = facts.at(2).text;
    if (facts.at(4).text != u"t") {
        schedule.state = SampleSchedule::State::NoConsole;
        schedule.why = Tr::tr(
            "The console schema is not installed in this database, so there is nothing that could keep samples.");
        return schedule;
    }
    if (facts.at(0).text != u"t") {
        return withoutExtension(database, here, facts.at(5).text, facts.at(6).text == u"t");
    }
    if (facts.at(3).text != u"t") {
        schedule.state = SampleSchedule::State::NotAllowed;
        schedule.why = Tr::tr("This login may not use pg_cron. Have an administrator run this:");
        schedule.script = u"GRANT USAGE ON SCHEMA cron TO %1;"_s.arg(quoteIdentifier(facts.at(5).text));
        return schedule;
    }
    Statement jobs { u"SELECT j.username, j.active FROM cron.job j WHERE j.jobname = $1::pg_catalog.text"_s, {} };
    jobs.bind(kSampleJob);
    const auto rows = session.all(jobs); // row security shows a login its own jobs alone
    if (!rows) {
        return rows.error();
    }
    schedule.state = rows->isEmpty() ? SampleSchedule::State::Off : SampleSchedule::State::On;
    schedule.why = rows->isEmpty()
        ? Tr::tr("pg_cron is here and may be used; no job of this login takes samples.")
        : Tr::tr("pg_cron takes a sample each minute, as %1.").arg(rows->constFirst().constFirst().text);
    return schedule;
}

Result<void> setSampleSchedule(Session &session, bool on)
{
    TRY(session.begin());
    const std::tuple<QString, QString, QString> jobs[]
        = { { kSampleJob, u"* * * * *"_s, kSampleSql }, { kMaintainJob, u"7 * * * *"_s, kMaintainSql } };
    for (const auto &[name, when, command] : jobs) {
        Statement statement;
        if (on) {
            statement.bind(name);
            statement.bind(when);
            statement.bind(command);
            statement.sql = u"SELECT cron.schedule($1::pg_catalog.text, $2::pg_catalog.text, $3::pg_catalog.text)"_s;
        } else {
            statement.bind(name);
            statement.sql = u"SELECT cron.unschedule(j.jobid) FROM cron.job j WHERE j.jobname = $1::pg_catalog.text"_s;
        }
        if (const auto done = session.all(statement); !done) {
            session.rollback();
            Error error = done.error();
            error.what = on ? Tr::tr("Sampling could not be set up.") : Tr::tr("Sampling could not be ended.");
            return error;
        }
    }
    Statement note;
    note.bind(on ? u"true"_s : u"false"_s);
    note.bind(kSampleJob);
    note.sql = u"SELECT idemdesk.note_schedule($1::pg_catalog.bool, $2::pg_catalog.text)"_s;
    if (const auto noted = session.one(note); !noted) {
        session.rollback();
        Error error = noted.error();
        error.what = Tr::tr("Nothing was changed: the audit log could not be written.");
        return error;
    }
    return session.commit();
}

} // namespace idemdesk::sql
