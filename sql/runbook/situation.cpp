// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/runbook/situation.h"

#include "sql/keys/render.h"
#include "sql/keys/state_predicate.h"
#include "sql/keys/unreadable.h"
#include "sql/profile/expression_sql.h"
#include "sql/types/tr.h"

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

// The console takes such locks for its own bookkeeping.
const QString kAdvisorySql = uR"(
SELECT pg_catalog.count(*) FILTER (WHERE l.granted), pg_catalog.count(DISTINCT l.pid) FILTER (WHERE NOT l.granted)
  FROM pg_catalog.pg_locks l LEFT JOIN pg_catalog.pg_stat_activity a ON a.pid = l.pid
 WHERE l.locktype = 'advisory' AND l.pid IS DISTINCT FROM pg_catalog.pg_backend_pid()
   AND COALESCE(a.application_name, '') NOT LIKE 'idemdesk%'
   AND l.database = (SELECT d.oid FROM pg_catalog.pg_database d WHERE d.datname = pg_catalog.current_database()))"_s;

const QString kCrashSql = uR"(
SELECT d.sessions_abandoned, d.sessions_fatal, d.sessions_killed, d.stats_reset::pg_catalog.text,
       pg_catalog.pg_postmaster_start_time()::pg_catalog.text
  FROM pg_catalog.pg_stat_database d WHERE d.datname = pg_catalog.current_database())"_s;

// Functions of recovery are errors on a primary, and the other way round: CASE asks each only where it may.
const QString kStandbySql = uR"(
SELECT r.recovery, CASE WHEN r.recovery THEN pg_catalog.pg_is_wal_replay_paused() ELSE false END,
       (SELECT pg_catalog.count(*) FROM pg_catalog.pg_replication_slots),
       (SELECT pg_catalog.string_agg(s.slot_name::pg_catalog.text, ' ' ORDER BY s.slot_name)
          FROM pg_catalog.pg_replication_slots s WHERE NOT s.active AND s.restart_lsn IS NOT NULL),
       (SELECT pg_catalog.max(pg_catalog.pg_wal_lsn_diff(CASE WHEN r.recovery THEN pg_catalog.pg_last_wal_replay_lsn()
                   ELSE pg_catalog.pg_current_wal_lsn() END, s.restart_lsn))
          FROM pg_catalog.pg_replication_slots s WHERE NOT s.active AND s.restart_lsn IS NOT NULL),
       pg_catalog.current_setting('synchronous_standby_names') <> ''
           AND pg_catalog.current_setting('synchronous_commit') NOT IN ('off', 'local') AND NOT r.recovery,
       (SELECT pg_catalog.count(*) FROM pg_catalog.pg_stat_replication p
         WHERE p.sync_state IN ('sync', 'quorum') AND p.state = 'streaming'),
       (SELECT pg_catalog.count(*) FROM pg_catalog.pg_stat_replication p WHERE p.state IS NULL),
       (SELECT pg_catalog.max(pg_catalog.pg_wal_lsn_diff(p.sent_lsn, p.replay_lsn))
          FROM pg_catalog.pg_stat_replication p WHERE p.state IS DISTINCT FROM 'backup')
  FROM (SELECT pg_catalog.pg_is_in_recovery() AS recovery) AS r)"_s;

std::optional<Timestamp> momentOf(const Cell &cell)
{
    return cell.null ? std::nullopt : Timestamp::parse(cell.text);
}

Result<QueueState> readQueueOnce(Session &session, const Target &target)
{
    const Profile &profile = target.profile;
    if (!profile.has(Role::CreatedAt)) {
        return makeError(ErrorKind::NotSaid, Tr::tr("How long messages of this table wait is unknown."),
            Tr::tr("Its profile maps no creation time."));
    }
    const Role done = profile.has(Role::CompletedAt) ? Role::CompletedAt : Role::UpdatedAt;
    QueueState state;
    state.doneKnown = profile.has(done);
    Render render(target);
    const auto within = [&render](const QString &aggregate, const Expression &time, const QList<KeyState> &states) {
        return u"(SELECT pg_catalog."_s + aggregate + u'(' + timestamptzSql(time) + u')' + render.from() + u" WHERE "_s
            + holds(stateIn(render, states)) + u")::pg_catalog.text"_s;
    };
    const QString sql = u"SELECT "_s
        + within(u"min"_s, profile.role(Role::CreatedAt), { KeyState::Pending, KeyState::FailedRetryable }) + u", "_s
        + (state.doneKnown ? within(u"max"_s, profile.role(done), { KeyState::Succeeded }) : u"NULL"_s)
        + u", pg_catalog.clock_timestamp()::pg_catalog.text"_s;
    TRY_OR(render.located, const auto row, session.one(render.finish(sql, {})));
    state.oldestWaiting = momentOf(row.at(0));
    state.newestDone = momentOf(row.at(1));
    state.now = momentOf(row.at(2)).value_or(Timestamp());
    return state;
}

} // namespace

Result<AdvisoryLocks> readAdvisoryLocks(Session &session)
{
    TRY(const auto row, session.one({ kAdvisorySql, {} }));
    return AdvisoryLocks { row.at(0).text.toInt(), row.at(1).text.toInt() };
}

Result<CrashSigns> readCrashSigns(Session &session)
{
    TRY(const auto row, session.one({ kCrashSql, {} }));
    return CrashSigns { row.at(0).text.toLongLong(), row.at(1).text.toLongLong(), row.at(2).text.toLongLong(),
        momentOf(row.at(3)), momentOf(row.at(4)).value_or(Timestamp()) };
}

Result<QueueState> readQueueState(Session &session, const Target &target)
{
    QString note;
    auto state = readAround(
        session, target, false, &note, [&session](const Target &readable) { return readQueueOnce(session, readable); });
    if (state) {
        state->note = note;
    }
    return state;
}

Result<StandbySetup> readStandbySetup(Session &session)
{
    TRY(const auto row, session.one({ kStandbySql, {} }));
    StandbySetup setup;
    setup.standby = row.at(0).text == u"t";
    setup.replayPaused = row.at(1).text == u"t";
    setup.slotCount = row.at(2).text.toInt();
    setup.idleSlots = row.at(3).text.split(u' ', Qt::SkipEmptyParts);
    setup.keptBytes = qint64(row.at(4).text.toDouble());
    setup.waitsForSync = row.at(5).text == u"t";
    setup.syncThere = row.at(6).text.toInt();
    setup.hidden = row.at(7).text.toInt() > 0;
    setup.behindBytes = qint64(row.at(8).text.toDouble());
    return setup;
}

} // namespace idemdesk::sql
