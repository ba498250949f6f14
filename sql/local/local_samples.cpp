// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/local/local_samples.h"

#include "sql/local/private_database.h"
#include "sql/trends/minute_series.h"
#include "sql/trends/sampled_fold.h"
#include "sql/trends/trend_buckets.h"
#include "sql/trends/trend_metrics.h"
#include "sql/types/tr.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <algorithm>
#include <cmath>
#include <functional>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

constexpr qint64 kMinutesKept = 14 * 86'400;
constexpr qint64 kHoursKept = 400 * 86'400LL;

const QString kRunTable
    = u"CREATE TABLE IF NOT EXISTS run (server TEXT NOT NULL, target TEXT NOT NULL, at INTEGER NOT NULL, "
      "PRIMARY KEY (server, target, at)) WITHOUT ROWID"_s;
const QString kSampleTable
    = u"CREATE TABLE IF NOT EXISTS sample (server TEXT NOT NULL, target TEXT NOT NULL, span INTEGER NOT NULL, "
      "metric TEXT NOT NULL, at INTEGER NOT NULL, scope TEXT NOT NULL, value REAL NOT NULL, highest REAL NOT NULL, "
      "samples INTEGER NOT NULL, PRIMARY KEY (server, target, span, metric, at, scope)) WITHOUT ROWID"_s;
const QString kInsertSample
    = u"INSERT OR IGNORE INTO sample (server, target, span, metric, at, scope, value, highest, samples) "
      "VALUES (?, ?, 60, ?, ?, ?, ?, ?, 1)"_s;
/// Hours that are over, from their minutes: server, end of the last whole hour, server.
const QString kRollUp
    = u"INSERT OR IGNORE INTO sample (server, target, span, metric, at, scope, value, highest, samples) "
      "SELECT server, target, 3600, metric, at / 3600 * 3600, scope, avg(value), max(highest), count(*) FROM sample "
      "WHERE server = ? AND span = 60 AND at < ? AND at >= COALESCE((SELECT max(h.at) + 3600 FROM sample h "
      "WHERE h.server = ? AND h.span = 3600), 0) GROUP BY server, target, metric, at / 3600, scope"_s;
/// Minutes where they are still kept, hours before: server, target, metric, since, until, server, target, metric.
const QString kSamples
    = u"SELECT at, scope, value, highest, samples FROM sample WHERE server = ? AND target = ? AND metric = ? "
      "AND at >= ? AND at < ? AND (span = 60 OR span = 3600 AND at < COALESCE((SELECT min(m.at) FROM sample m "
      "WHERE m.server = ? AND m.target = ? AND m.span = 60 AND m.metric = ?), at + 1))"_s;
const QString kLastMinutes
    = u"SELECT at, metric, CASE WHEN metric LIKE 'oldest%' THEN max(value) ELSE sum(value) END FROM sample "
      "WHERE server = ? AND target = ? AND span = 60 AND at > ? GROUP BY at, metric"_s;

QString scopeText(const SnapshotValue &value)
{
    if (value.other) {
        return u"-"_s;
    }
    QJsonArray parts;
    for (const Cell &part : value.scope) {
        parts.append(part.null ? QJsonValue() : QJsonValue(part.text));
    }
    return QString::fromUtf8(QJsonDocument(parts).toJson(QJsonDocument::Compact));
}

/// A sample's own words for what a snapshot calls "state_succeeded".
QString metricName(const QString &metric)
{
    return metric.startsWith(u"state_") ? metric.mid(6) : metric;
}

Timestamp timeOf(qint64 seconds)
{
    return { Timestamp::Kind::Finite, seconds * kMicros };
}

} // namespace

QString LocalSamples::defaultPath()
{
    return PrivateDatabase::pathOf(u"samples.sqlite"_s);
}

LocalSamples::LocalSamples(QString server, std::unique_ptr<PrivateDatabase> database)
    : m_server(std::move(server))
    , m_database(std::move(database))
{
}

LocalSamples::~LocalSamples() = default;

Result<std::unique_ptr<LocalSamples>> LocalSamples::open(const LocalPlace &place)
{
    // Another console reads while this one writes; a sample lost to a power cut is no loss.
    TRY(auto database,
        PrivateDatabase::open(place.file, Tr::tr("The samples kept on this computer cannot be opened."),
            { u"PRAGMA journal_mode = WAL"_s, u"PRAGMA synchronous = NORMAL"_s, kRunTable, kSampleTable }));
    return std::unique_ptr<LocalSamples>(new LocalSamples(place.server, std::move(database)));
}

Result<qint64> LocalSamples::store(const QString &target, qint64 minute, const QList<SnapshotValue> &values)
{
    const QString what = Tr::tr("A sample could not be kept on this computer.");
    qint64 stored = 0;
    TRY(m_database->inTransaction(what, [&]() -> Result<void> {
        TRY(const qint64 begun,
            m_database->run(what, u"INSERT OR IGNORE INTO run (server, target, at) VALUES (?, ?, ?)"_s,
                { m_server, target, minute }));
        if (begun < 1) {
            return {}; // the minute was taken
        }
        QSqlQuery insert = m_database->prepared(kInsertSample);
        for (const SnapshotValue &value : values) {
            TRY(const qint64 rows,
                m_database->run(what, &insert,
                    { m_server, target, metricName(value.metric), minute, scopeText(value), value.value,
                        value.value }));
            stored += rows;
        }
        return rollUp(minute);
    }));
    return stored;
}

/// Hours that are over are put together from their minutes; what is past its time goes.
Result<void> LocalSamples::rollUp(qint64 minute)
{
    const QString what = Tr::tr("A sample could not be kept on this computer.");
    TRY(m_database->run(what, kRollUp, { m_server, minute / kHour * kHour, m_server }));
    const std::pair<int, qint64> kept[] = { { 60, kMinutesKept }, { 3600, kHoursKept } };
    for (const auto &[span, length] : kept) {
        TRY(m_database->run(what, u"DELETE FROM sample WHERE server = ? AND span = ? AND at < ?"_s,
            { m_server, span, minute - length }));
    }
    TRY(m_database->run(what, u"DELETE FROM run WHERE server = ? AND at < ?"_s, { m_server, minute - kHoursKept }));
    return {};
}

Result<TrendAnswer> LocalSamples::trend(
    Session &session, const QString &target, const TrendMetric &metric, const TrendRequest &request)
{
    TRY(const auto buckets, TrendBuckets::read(session, request));
    TrendAnswer answer = buckets.emptyAnswer(metric, TrendSource::Samples);
    if (answer.buckets.isEmpty()) {
        return answer;
    }
    const qint64 since = answer.buckets.constFirst().micros / kMicros;
    const qint64 until = answer.end.micros / kMicros;
    const QString what = Tr::tr("The samples kept on this computer cannot be read.");
    const auto bucketOf = [&](const QSqlQuery &row) { return buckets.indexOf(timeOf(row.value(0).toLongLong())); };
    const auto eachSample = [&](const QString &of, const std::function<bool(const QSqlQuery &)> &onRow) {
        return m_database->each(what, kSamples, { m_server, target, of, since, until, m_server, target, of }, onRow);
    };
    SampledFold fold(answer.buckets.size(), request.byScope, request.top);
    TRY(m_database->each(what, u"SELECT at FROM run WHERE server = ? AND target = ? AND at >= ? AND at < ?"_s,
        { m_server, target, since, until }, [&](const QSqlQuery &row) {
            fold.taken(bucketOf(row), 1);
            return true;
        }));
    // A sample to which row security hid rows tells nothing of them.
    double hidden = 0;
    if (isToldByRows(metric.id)) {
        TRY(eachSample(u"hidden"_s, [&](const QSqlQuery &row) {
            const double samples = row.value(4).toDouble();
            fold.taken(bucketOf(row), -samples);
            hidden += samples;
            return true;
        }));
    }
    TRY(eachSample(metric.id, [&](const QSqlQuery &row) {
        fold.add(bucketOf(row), row.value(1).toString(), row.value(2).toDouble() * row.value(4).toDouble(),
            row.value(3).toDouble());
        return true;
    }));
    answer.series = fold.series(metric, durationSeconds(request.bucket).value_or(kHour));
    if (hidden > 0) {
        answer.partly = true;
        answer.notes += hiddenMinutesNote(hidden);
    }
    answer.notes += Tr::tr("From samples that this computer takes while the console is open. Register the table to "
                           "have them kept in the database.");
    answer.notes += Tr::tr("Samples were taken in %L1 of %L2 minutes; where there was none, there is a gap.")
                        .arg(qint64(fold.samples()))
                        .arg(qint64(std::ceil(double(until - since) / 60)));
    return answer;
}

Result<MinuteSet> LocalSamples::minutes(
    const QString &target, const QStringList &metrics, qint64 seconds, const Timestamp &now)
{
    const QString what = Tr::tr("The samples kept on this computer cannot be read.");
    const QVariantList place { m_server, target, now.micros / kMicros - seconds };
    MinuteSet set;
    set.now = now;
    TRY(m_database->each(what, u"SELECT at FROM run WHERE server = ? AND target = ? AND at > ? ORDER BY at"_s, place,
        [&](const QSqlQuery &row) {
            set.sampled += row.value(0).toLongLong();
            return true;
        }));
    TRY(m_database->each(what, kLastMinutes, place, [&](const QSqlQuery &row) {
        addMinute(metrics, row.value(0).toLongLong(), row.value(1).toString(), row.value(2).toDouble(), &set);
        return true;
    }));
    return set;
}

} // namespace idemdesk::sql
