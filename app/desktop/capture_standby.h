// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cluster/private_cluster.h"

#include <atomic>
#include <semaphore>
#include <thread>

namespace idemdesk::app {

/// A small server with a standby that follows it, for pictures of a connection that can change nothing. The demo's own
/// server writes too little to be followed. Made on a thread of its own; both are gone with this object.
class CaptureStandby final
{
public:
    CaptureStandby();
    ~CaptureStandby();
    CaptureStandby(const CaptureStandby &) = delete;
    CaptureStandby &operator=(const CaptureStandby &) = delete;

    void start(); ///< once
    bool ready() const { return m_ready; }
    QString conninfo() const { return m_standby.conninfo(QStringLiteral("postgres")); }

private:
    sql::Result<void> make();

    PrivateCluster m_primary;
    PrivateCluster m_standby;
    std::atomic_bool m_ready = false;
    std::binary_semaphore m_end { 0 };
    /// Lives as long as its servers, which end with the thread that started them. Last: it uses the others.
    std::thread m_thread;
};

} // namespace idemdesk::app
