// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/local/local_samples.h"

#include "sql/trends/sampled_fold.h"
#include "sql/trends/trend_metrics.h"
#include "sql/trends/trend_buckets.h"
#include "sql/local/private_database.h"
#include "sql/types/tr.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QSet>
#include <QSqlDatabase>
#include <QSqlError>
#include <QSqlQuery>
#include <QStandardPaths>
#include <algorithm>
#include <atomic>
#include <cmath>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

constexpr qint64 kMinutesKept = 14 * 86'400;
constexpr qint64 kHoursKept = 400 * 86'400LL;

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
QString metricName(const QString &metric) { return metric.startsWith(u"state_") ? metric.mid(6) : metric; }

Timestamp timeOf(qint64 seconds) { return { Timestamp::Kind::Finite, seconds * kMicros }; }

} // namespace

QString LocalSamples::defaultPath() { return QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) + u"/samples.sqlite"_s; }

LocalSamples::LocalSamples(QString server, QString connection)
    : m_server(std::move(server))
    , m_connection(std::move(connection))
{
}

LocalSamples::~LocalSamples()
{
    QSqlDatabase::database(m_connection, false).close();
    QSqlDatabase::removeDatabase(m_connection);
}

Error LocalSamples::failure(const QString &what, const QSqlError &cause) const
{
    const QSqlDatabase database = QSqlDatabase::database(m_connection, false);
    Error error;
    error.kind = ErrorKind::File;
    error.what = what;
    error.why = QDir::toNativeSeparators(database.databaseName());
    error.detail = cause.isValid() ? cause.text() : database.lastError().text();
    error.todo = Tr::tr("See whether the file may be written and the disk has room. If it is damaged, move it away; a new one is made.");
    return error;
}

Result<std::unique_ptr<LocalSamples>> LocalSamples::open(const LocalPlace &place)
{
    static std::atomic<quint64> number { 0 };
    const QString name = u"idemdesk-samples-%1"_s.arg(++number);
    std::unique_ptr<LocalSamples> samples(new LocalSamples(place.server, name));
    if (const QString why = makePrivateDatabase(place.file); !why.isEmpty()) {
        return makeError(ErrorKind::File, Tr::tr("The samples kept on this computer cannot be opened."),
            Tr::tr("%1: %2").arg(QDir::toNativeSeparators(place.file), why),
            Tr::tr("See whether the file may be written and the disk has room. If it is damaged, move it away; a new "
                   "one is made."));
    }
    {
        QSqlDatabase database = QSqlDatabase::addDatabase(u"QSQLITE"_s, name);
        database.setDatabaseName(place.file);
        database.setConnectOptions(u"QSQLITE_BUSY_TIMEOUT=2000"_s);
        if (!database.open()) {
            return samples->failure(Tr::tr("The samples kept on this computer cannot be opened."));
        }
    }
    if (const auto prepared = samples->prepare(); !prepared) {
        return prepared.error();
    }
    return samples;
}

Result<void> LocalSamples::prepare()
{
    QSqlQuery query(QSqlDatabase::database(m_connection, false));
    // Another console reads while this one writes; a sample lost to a power cut is no loss.
    for (const char16_t *statement : { u"PRAGMA journal_mode = WAL", u"PRAGMA synchronous = NORMAL",
             u"CREATE TABLE IF NOT EXISTS run (server TEXT NOT NULL, target TEXT NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (server, target, at)) WITHOUT ROWID",
             u"CREATE TABLE IF NOT EXISTS sample (server TEXT NOT NULL, target TEXT NOT NULL, span INTEGER NOT NULL, metric TEXT NOT NULL, at INTEGER NOT NULL, "
             u"scope TEXT NOT NULL, value REAL NOT NULL, highest REAL NOT NULL, samples INTEGER NOT NULL, PRIMARY KEY (server, target, span, metric, at, scope)) WITHOUT ROWID" }) {
        if (!query.exec(QString::fromUtf16(statement))) {
            return failure(Tr::tr("The samples kept on this computer cannot be read."), query.lastError());
        }
    }
    return {};
}

Result<qint64> LocalSamples::store(const QString &target, qint64 minute, const QList<SnapshotValue> &values)
{
    QSqlDatabase database = QSqlDatabase::database(m_connection, false);
    const QString what = Tr::tr("A sample could not be kept on this computer.");
    if (!database.transaction()) {
        return failure(what);
    }
    QSqlQuery run(database);
    run.prepare(u"INSERT OR IGNORE INTO run (server, target, at) VALUES (?, ?, ?)"_s);
    run.addBindValue(m_server);
    run.addBindValue(target);
    run.addBindValue(minute);
    if (!run.exec()) {
        database.rollback();
        return failure(what, run.lastError());
    }
    if (run.numRowsAffected() < 1) {
        database.rollback();
        return qint64(0);
    }
    QSqlQuery insert(database);
    insert.prepare(u"INSERT OR IGNORE INTO sample (server, target, span, metric, at, scope, value, highest, samples) VALUES (?, ?, 60, ?, ?, ?, ?, ?, 1)"_s);
    qint64 stored = 0;
    for (const SnapshotValue &value : values) {
        insert.addBindValue(m_server);
        insert.addBindValue(target);
        insert.addBindValue(metricName(value.metric));
        insert.addBindValue(minute);
        insert.addBindValue(scopeText(value));
        insert.addBindValue(value.value);
        insert.addBindValue(value.value);
        if (!insert.exec()) {
            database.rollback();
            return failure(what, insert.lastError());
        }
        stored += insert.numRowsAffected();
    }
    if (const auto rolled = rollUp(minute); !rolled) {
        database.rollback();
        return rolled.error();
    }
    if (!database.commit()) {
        return failure(what);
    }
    return stored;
}

/// Hours that are over are put together from their minutes; what is past its time goes.
Result<void> LocalSamples::rollUp(qint64 minute)
{
    QSqlQuery query(QSqlDatabase::database(m_connection, false));
    const qint64 hour = minute / kHour * kHour;
    query.prepare(u"INSERT OR IGNORE INTO sample (server, target, span, metric, at, scope, value, highest, samples) "
                  "SELECT server, target, 3600, metric, at / 3600 * 3600, scope, avg(value), max(highest), count(*) FROM sample "
                  "WHERE server = ? AND span = 60 AND at < ? AND at >= COALESCE((SELECT max(h.at) + 3600 FROM sample h WHERE h.server = ? AND h.span = 3600), 0) "
                  "GROUP BY server, target, metric, at / 3600, scope"_s);
    query.addBindValue(m_server);
    query.addBindValue(hour);
    query.addBindValue(m_server);
    bool done = query.exec();
    const std::pair<int, qint64> kept[] = { { 60, kMinutesKept }, { 3600, kHoursKept } };
    for (const auto &[span, length] : kept) {
        query.prepare(u"DELETE FROM sample WHERE server = ? AND span = ? AND at < ?"_s);
        query.addBindValue(m_server);
        query.addBindValue(span);
        query.addBindValue(minute - length);
        done = done && query.exec();
    }
    query.prepare(u"DELETE FROM run WHERE server = ? AND at < ?"_s);
    query.addBindValue(m_server);
    query.addBindValue(minute - kHoursKept);
    return done && query.exec() ? Result<void>() : Result<void>(failure(Tr::tr("A sample could not be kept on this computer."), query.lastError()));
}

Result<TrendAnswer> LocalSamples::trend(Session &session, const QString &target, const TrendMetric &metric, const TrendRequest &request)
{
    const auto buckets = TrendBuckets::read(session, request);
    if (!buckets) {
        return buckets.error();
    }
    TrendAnswer answer;
    answer.metric = metric;
    answer.source = TrendSource::Samples;
    answer.buckets = buckets->starts();
    answer.end = buckets->end();
    answer.now = buckets->now();
    answer.lastOpen = buckets->lastOpen();
    if (answer.buckets.isEmpty()) {
        return answer;
    }
    const qint64 since = answer.buckets.constFirst().micros / kMicros;
    const qint64 until = answer.end.micros / kMicros;
    const qint64 bucketSeconds = durationSeconds(request.bucket).value_or(kHour);
    const QString what = Tr::tr("The samples kept on this computer cannot be read.");
    QSqlQuery query(QSqlDatabase::database(m_connection, false));
    query.setForwardOnly(true);
    SampledFold fold(answer.buckets.size(), request.byScope, request.top);
    query.prepare(u"SELECT at FROM run WHERE server = ? AND target = ? AND at >= ? AND at < ?"_s);
    for (const QVariant &value : { QVariant(m_server), QVariant(target), QVariant(since), QVariant(until) }) {
        query.addBindValue(value);
    }
    if (!query.exec()) {
        return failure(what, query.lastError());
    }
    while (query.next()) {
        fold.taken(buckets->indexOf(timeOf(query.value(0).toLongLong())), 1);
    }
    // A sample to which row security hid rows tells nothing of them.
    double hidden = 0;
    if (isToldByRows(metric.id)) {
        query.prepare(u"SELECT at, samples FROM sample WHERE server = ? AND target = ? AND metric = 'hidden' AND at >= ? AND at < ? AND "
                      "(span = 60 OR span = 3600 AND at < COALESCE((SELECT min(m.at) FROM sample m WHERE m.server = ? "
                      "AND m.target = ? AND m.span = 60 AND m.metric = 'hidden'), at + 1))"_s);
        for (const QVariant &value : { QVariant(m_server), QVariant(target), QVariant(since), QVariant(until),
                 QVariant(m_server), QVariant(target) }) {
            query.addBindValue(value);
        }
        if (!query.exec()) {
            return failure(what, query.lastError());
        }
        while (query.next()) {
            const double samples = query.value(1).toDouble();
            fold.taken(buckets->indexOf(timeOf(query.value(0).toLongLong())), -samples);
            hidden += samples;
        }
    }
    // Minutes where they are still kept, hours before.
    query.prepare(u"SELECT at, scope, value, highest, samples FROM sample WHERE server = ? AND target = ? AND metric = ? AND at >= ? AND at < ? AND "
                  "(span = 60 OR span = 3600 AND at < COALESCE((SELECT min(m.at) FROM sample m WHERE m.server = ? AND m.target = ? AND m.span = 60 AND m.metric = ?), at + 1))"_s);
    for (const QVariant &value : { QVariant(m_server), QVariant(target), QVariant(metric.id), QVariant(since), QVariant(until), QVariant(m_server), QVariant(target), QVariant(metric.id) }) {
        query.addBindValue(value);
    }
    if (!query.exec()) {
        return failure(what, query.lastError());
    }
    while (query.next()) {
        fold.add(buckets->indexOf(timeOf(query.value(0).toLongLong())), query.value(1).toString(), query.value(2).toDouble() * query.value(4).toDouble(), query.value(3).toDouble());
    }
    answer.series = fold.series(metric, bucketSeconds);
    if (hidden > 0) {
        answer.partly = true;
        answer.notes += hiddenMinutesNote(hidden);
    }
    answer.notes += Tr::tr("From samples kept on this computer, which are taken while this console is open; register the table to have them kept in the database.");
    answer.notes += Tr::tr("Samples were taken in %L1 of %L2 minutes; where there was none, there is a gap.").arg(qint64(fold.samples())).arg(qint64(std::ceil(double(until - since) / 60)));
    return answer;
}

Result<MinuteSet> LocalSamples::minutes(const QString &target, const QStringList &metrics, qint64 seconds, const Timestamp &now)
{
    MinuteSet set;
    set.now = now;
    const qint64 since = now.micros / kMicros - seconds;
    QSqlQuery query(QSqlDatabase::database(m_connection, false));
    query.setForwardOnly(true);
    query.prepare(u"SELECT at FROM run WHERE server = ? AND target = ? AND at > ? ORDER BY at"_s);
    for (const QVariant &value : { QVariant(m_server), QVariant(target), QVariant(since) }) {
        query.addBindValue(value);
    }
    bool done = query.exec();
    while (done && query.next()) {
        set.sampled += query.value(0).toLongLong();
    }
    static const QSet<QString> states { u"pending"_s, u"in_progress"_s, u"succeeded"_s, u"failed_retryable"_s, u"failed_final"_s, u"unknown"_s };
    query.prepare(u"SELECT at, metric, CASE WHEN metric LIKE 'oldest%' THEN max(value) ELSE sum(value) END FROM sample WHERE server = ? AND target = ? AND span = 60 AND at > ? GROUP BY at, metric"_s);
    for (const QVariant &value : { QVariant(m_server), QVariant(target), QVariant(since) }) {
        query.addBindValue(value);
    }
    done = done && query.exec();
    while (done && query.next()) {
        const QString metric = query.value(1).toString();
        if (metric == u"hidden") {
            set.hidden += query.value(0).toLongLong();
        } else if (metric == u"unreadable") {
            set.unreadable.insert(query.value(0).toLongLong(), query.value(2).toDouble());
        }
        if (states.contains(metric) && metrics.contains(u"rows"_s)) {
            set.values[u"rows"_s][query.value(0).toLongLong()] += query.value(2).toDouble();
        }
        if (metrics.contains(metric)) {
            set.values[metric].insert(query.value(0).toLongLong(), query.value(2).toDouble());
        }
    }
    return done ? Result<MinuteSet>(set) : Result<MinuteSet>(failure(Tr::tr("The samples kept on this computer cannot be read."), query.lastError()));
}

} // namespace idemdesk::sql
