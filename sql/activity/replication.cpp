// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/activity/replication.h"

#include "sql/types/tr.h"

#include <QLocale>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

// A standby that has replayed all it received is not behind while somebody sends, however long ago the last transaction
// was. What a stranger may not see has no state (traps 9); a standby that is idle has no lag, and one that catches up
// does not tell it. A base backup is no standby.
const QString kLag = uR"(
SELECT pg_catalog.pg_is_in_recovery(),
       (SELECT pg_catalog.count(*) FROM pg_catalog.pg_stat_replication r WHERE r.state IS DISTINCT FROM 'backup'),
       (SELECT pg_catalog.count(*) FROM pg_catalog.pg_stat_replication r WHERE r.state IS NULL),
       (SELECT CASE WHEN pg_catalog.bool_and(r.state = 'streaming')
                    THEN COALESCE(pg_catalog.max(pg_catalog.date_part('epoch', r.replay_lag)), 0) END
          FROM pg_catalog.pg_stat_replication r WHERE r.state IS DISTINCT FROM 'backup'),
       CASE WHEN pg_catalog.pg_last_wal_receive_lsn() = pg_catalog.pg_last_wal_replay_lsn()
                 AND EXISTS (SELECT FROM pg_catalog.pg_stat_wal_receiver) THEN 0
            ELSE pg_catalog.date_part('epoch',
                pg_catalog.clock_timestamp() - pg_catalog.pg_last_xact_replay_timestamp()) END,
       pg_catalog.pg_wal_lsn_diff(pg_catalog.pg_last_wal_receive_lsn(), pg_catalog.pg_last_wal_replay_lsn()),
       CASE WHEN pg_catalog.pg_is_in_recovery() THEN pg_catalog.pg_is_wal_replay_paused() ELSE false END)"_s;

} // namespace

Result<ReplicationLag> readReplicationLag(Session &session)
{
    TRY(const auto row, session.one({ kLag, {} }));
    ReplicationLag lag;
    lag.standby = row.at(0).text == u"t";
    lag.standbys = row.at(1).text.toInt();
    lag.hidden = row.at(2).text.toInt() > 0;
    const Cell &told = row.at(lag.standby ? 4 : 3);
    if (!told.null && (lag.standby || (!lag.hidden && lag.standbys > 0))) {
        lag.seconds = told.text.toDouble();
    }
    if (lag.standby && !row.at(5).null) {
        lag.bytes = row.at(5).text.toLongLong();
    }
    lag.paused = row.at(6).text == u"t";
    return lag;
}

QString standbyNote(Session &session)
{
    if (!session.facts().standby) {
        return {};
    }
    const auto lag = readReplicationLag(session);
    if (!lag) {
        return Tr::tr("This is a standby. How far it is behind could not be read: %1").arg(lag.error().line());
    }
    const bool waits = lag->bytes.value_or(0) > 0;
    const QString bytes = QLocale(QLocale::English).toString(lag->bytes.value_or(0));
    QString behind;
    if (lag->seconds) {
        const QString seconds = QString::number(*lag->seconds, 'f', 1);
        behind = waits ? Tr::tr("This is a standby, %1 s and %2 bytes behind.").arg(seconds, bytes)
                       : Tr::tr("This is a standby, %1 s behind.").arg(seconds);
    } else {
        behind = waits ? Tr::tr("This is a standby, %1 bytes behind. For how long is not known.").arg(bytes)
                       : Tr::tr("This is a standby. How far it is behind is not known.");
    }
    return lag->paused ? behind + u' ' + Tr::tr("Its replay is paused.") : behind;
}

QString primaryOf(Session &session)
{
    const auto row
        = session.one({ u"SELECT (SELECT pg_catalog.concat_ws(':', w.sender_host, w.sender_port::pg_catalog.text) "
                        "FROM pg_catalog.pg_stat_wal_receiver w WHERE w.sender_host IS NOT NULL)"_s,
            {} });
    return row ? row->constFirst().text : QString();
}

} // namespace idemdesk::sql
