// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/request/request.h"
#include "sql/local/local_samples.h"
#include "sql/types/target.h"

#include <QHash>
#include <QObject>
#include <QStringList>
#include <QTimer>

namespace idemdesk::models {

/// Takes a sample of each registered target while the console is open: each minute, but of a table whose sample took
/// long more seldom, so that sampling never takes over a fiftieth of the time. One at a time, on the write lane, and
/// none while an action runs. Two consoles may do so at once: the server keeps one sample a minute. Tables that are not
/// registered are sampled on the background lane, and kept on this computer. Lives on the GUI thread.
class Sampler final : public QObject
{
    Q_OBJECT

public:
    static constexpr int kMinuteMs = 60'000;
    static constexpr int kShare = 50;

    explicit Sampler(QObject *parent = nullptr);

    void setDatabase(sql::Database *database);
    /// Registered targets to sample; empty where this login may not.
    void setTargets(const QStringList &registeredNames);
    /// Tables whose samples are kept in this place.
    void setLocalTargets(const QList<sql::Target> &targets, const sql::LocalPlace &place);
    void setHeld(bool held) { m_held = held; } ///< an action runs
    void setPeriod(int milliseconds); ///< between two rounds
    const QStringList &targets() const { return m_targets; }

signals:
    void sampled(const QString &target, qint64 numbers); ///< 0: somebody else took this minute
    void failed(const idemdesk::sql::Error &error); ///< a sample could not be kept on this computer

private:
    void begin();
    void next();
    void take(const QString &name);
    void takeLocal(const sql::Target &target);
    void took(const QString &name, const sql::Result<qint64> &stored, qint64 milliseconds);

    Request m_sampling { QStringLiteral("sample") };
    QStringList m_targets;
    QList<sql::Target> m_local;
    sql::LocalPlace m_place;
    QStringList m_queue; ///< of names; a local one has a leading slash, which no registered name is taken for
    QHash<QString, qint64> m_notBefore; ///< milliseconds since 1970, for tables that take long
    QTimer m_timer;
    bool m_held = false;
};

} // namespace idemdesk::models
