// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/session/session.h"
#include "sql/trends/trend_snapshot.h"
#include "sql/types/alert.h"
#include "sql/types/local_place.h"
#include "sql/types/result.h"
#include "sql/types/trend.h"

#include <QString>
#include <memory>

namespace idemdesk::sql {

class PrivateDatabase;

/// Samples of tables that are not registered, kept in a file of this user (SQLite through Qt SQL) while a console is
/// open: minutes for two weeks, hours for a year and a bit. Open it on the thread that uses it; several consoles may
/// have it open at once.
class LocalSamples
{
public:
    /// The file of this user, in the application's data folder.
    static QString defaultPath();

    static Result<std::unique_ptr<LocalSamples>> open(const LocalPlace &place);
    ~LocalSamples();
    LocalSamples(const LocalSamples &) = delete;
    LocalSamples &operator=(const LocalSamples &) = delete;

    /// Stores what was seen in this minute (seconds since 1970, rounded down); gives the numbers stored, 0 where the
    /// minute was taken.
    Result<qint64> store(const QString &target, qint64 minute, const QList<SnapshotValue> &values);
    /// A series, as readSampledTrend() gives one; the session says where the buckets of a zone begin.
    Result<TrendAnswer> trend(
        Session &session, const QString &target, const TrendMetric &metric, const TrendRequest &request);
    /// As readMinutes() gives them.
    Result<MinuteSet> minutes(const QString &target, const QStringList &metrics, qint64 seconds, const Timestamp &now);

private:
    LocalSamples(QString server, std::unique_ptr<PrivateDatabase> database);
    Result<void> rollUp(qint64 minute);

    QString m_server;
    std::unique_ptr<PrivateDatabase> m_database;
};

} // namespace idemdesk::sql
