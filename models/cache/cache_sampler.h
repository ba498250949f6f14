// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/request/request.h"
#include "sql/types/result.h"

#include <QObject>
#include <QStringList>
#include <atomic>
#include <memory>

namespace idemdesk::models {

class CachePlace;
class ConnectionController;
class Sampler;

/// Takes a sample of the cache in front of a registered table right after the table's own, where a person switched that
/// on for the connection. Redis is asked on a thread of its own, so a slow one keeps nothing else waiting. Lives on the
/// GUI thread.
class CacheSampler final : public QObject
{
    Q_OBJECT

public:
    /// All of them outlive it.
    CacheSampler(
        const ConnectionController *connection, const Sampler *sampler, CachePlace *place, QObject *parent = nullptr);
    ~CacheSampler() override;

    void setDatabase(sql::Database *database);

signals:
    void sampled(const QString &target); ///< numbers were kept
    void failed(const idemdesk::sql::Error &error); ///< of the cache, or of keeping its numbers

private:
    void take(const QString &registeredName);
    void next();

    const ConnectionController *m_connection;
    CachePlace *m_place;
    Request m_storing { QStringLiteral("cache/sample") };
    QStringList m_queue; ///< registered names
    bool m_underWay = false;
    std::shared_ptr<std::atomic_bool> m_stop = std::make_shared<std::atomic_bool>(false);
};

} // namespace idemdesk::models
