// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/trends/sampler.h"

#include "models/async.h"
#include "sql/lanes/database.h"
#include "sql/trends/trend_samples.h"

#include <QDateTime>
#include <QElapsedTimer>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

constexpr int kDeadlineMs = 20'000;

} // namespace

Sampler::Sampler(QObject *parent)
    : QObject(parent)
{
    connect(&m_timer, &QTimer::timeout, this, &Sampler::begin);
    m_timer.start(kMinuteMs);
}

void Sampler::setDatabase(sql::Database *database)
{
    if (m_database == database) {
        return;
    }
    m_database = database;
    ++m_generation;
    m_busy = false;
    m_queue.clear();
    m_targets.clear();
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

void Sampler::setPeriod(int milliseconds) { m_timer.start(milliseconds); }

void Sampler::begin()
{
    if (!m_busy) {
        m_queue = m_targets;
        next();
    }
}

void Sampler::next()
{
    const qint64 now = QDateTime::currentMSecsSinceEpoch();
    while (!m_queue.isEmpty() && m_notBefore.value(m_queue.constFirst()) > now) {
        m_queue.removeFirst();
    }
    if (m_queue.isEmpty() || m_held || m_database == nullptr) {
        return;
    }
    m_busy = true;
    const QString target = m_queue.takeFirst();
    QElapsedTimer took;
    took.start();
    auto future = m_database->run(sql::LaneKind::Write, { u"sample"_s, kDeadlineMs, false }, [target](sql::Session &session) { return sql::takeSample(session, target); });
    whenDone(future, this, [this, target, took, generation = m_generation](const sql::Result<qint64> &stored) {
        if (generation != m_generation) {
            return;
        }
        m_busy = false;
        // What failed (a lock, a right, a table that is too large for the deadline) is tried again later, not each minute.
        const qint64 pause = stored ? took.elapsed() * kShare : 30LL * kMinuteMs;
        m_notBefore.insert(target, QDateTime::currentMSecsSinceEpoch() + pause);
        if (stored) {
            emit sampled(target, *stored);
        }
        next();
    });
}

} // namespace idemdesk::models

#include "moc_sampler.cpp"
