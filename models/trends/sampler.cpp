// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/trends/sampler.h"

#include "sql/lanes/database.h"
#include "sql/session/server_clock.h"
#include "sql/trends/trend_samples.h"

#include <QDateTime>
#include <QElapsedTimer>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

constexpr int kSampleDeadlineMs = 20'000;
const QString kLocal = QStringLiteral("/");

/// The minute that this moment lies in: seconds since 1970, where it begins.
qint64 minuteOf(const sql::Timestamp &moment)
{
    constexpr qint64 kMicros = 60'000'000;
    return moment.micros / kMicros * 60;
}

} // namespace

Sampler::Sampler(QObject *parent)
    : QObject(parent)
{
    connect(&m_timer, &QTimer::timeout, this, &Sampler::begin);
    m_timer.start(kMinuteMs);
}

void Sampler::setDatabase(sql::Database *database)
{
    if (!m_sampling.setDatabase(database)) {
        return;
    }
    m_queue.clear();
    m_targets.clear();
    m_local.clear();
    m_notBefore.clear();
}

void Sampler::setTargets(const QStringList &registeredNames)
{
    const bool first = m_targets.isEmpty() && !registeredNames.isEmpty();
    m_targets = registeredNames;
    if (first) {
        begin();
    }
}

void Sampler::setLocalTargets(const QList<sql::Target> &targets, const sql::LocalPlace &place)
{
    const bool first = m_local.isEmpty() && !targets.isEmpty() && place.kept();
    m_local = place.kept() ? targets : QList<sql::Target>();
    m_place = place;
    if (first) {
        begin();
    }
}

void Sampler::setPeriod(int milliseconds)
{
    m_timer.start(milliseconds);
}

void Sampler::begin()
{
    if (!m_sampling.busy()) {
        m_queue = m_targets;
        for (const sql::Target &target : std::as_const(m_local)) {
            m_queue += kLocal + target.profile.name;
        }
        next();
    }
}

void Sampler::next()
{
    const qint64 now = QDateTime::currentMSecsSinceEpoch();
    while (!m_queue.isEmpty() && m_notBefore.value(m_queue.constFirst()) > now) {
        m_queue.removeFirst();
    }
    if (m_queue.isEmpty() || m_held || m_sampling.database() == nullptr) {
        return;
    }
    const QString name = m_queue.takeFirst();
    if (!name.startsWith(kLocal)) {
        take(name);
        return;
    }
    for (const sql::Target &target : std::as_const(m_local)) {
        if (target.profile.name == QStringView(name).mid(1)) {
            takeLocal(target);
            return;
        }
    }
    next();
}

void Sampler::take(const QString &name)
{
    QElapsedTimer timer;
    timer.start();
    m_sampling.ask(
        { sql::LaneKind::Write, kSampleDeadlineMs, false },
        [name](sql::Session &session) { return sql::takeSample(session, name); },
        [this, name, timer](const sql::Result<qint64> &stored) { took(name, stored, timer.elapsed()); });
}

void Sampler::takeLocal(const sql::Target &target)
{
    QElapsedTimer timer;
    timer.start();
    m_sampling.ask(
        { sql::LaneKind::Background, kSampleDeadlineMs },
        [target, place = m_place](sql::Session &session) -> sql::Result<qint64> {
            TRY(const auto now, sql::serverNow(session));
            TRY(const auto values, sql::readSnapshot(session, target));
            TRY(const auto samples, sql::LocalSamples::open(place));
            return samples->store(target.profile.name, minuteOf(now), values);
        },
        [this, name = kLocal + target.profile.name, timer](
            const sql::Result<qint64> &stored) { took(name, stored, timer.elapsed()); });
}

void Sampler::took(const QString &name, const sql::Result<qint64> &stored, qint64 milliseconds)
{
    // What failed (a lock, a right, a table that is too large for the deadline) is tried again later, not each minute.
    m_notBefore.insert(name, QDateTime::currentMSecsSinceEpoch() + (stored ? milliseconds * kShare : 30LL * kMinuteMs));
    if (stored) {
        emit sampled(name.startsWith(kLocal) ? name.mid(1) : name, *stored);
    } else if (stored.error().kind == sql::ErrorKind::File) {
        emit failed(stored.error());
    }
    next();
}

} // namespace idemdesk::models

#include "moc_sampler.cpp"
