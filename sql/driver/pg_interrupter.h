// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/driver/pg_driver.h"

#include <libpq-fe.h>
#include <memory>
#include <mutex>

namespace idemdesk::sql {

/// The part of a connection that other threads may touch. Holds a duplicate of the socket's descriptor: libpq may close
/// its own at any time, and the number could belong to somebody else's file a moment later.
class PgSocketInterrupter final : public PgInterrupter
{
public:
    ~PgSocketInterrupter() override;
    void cut() override;
    bool requestCancel(QString *reason) override;

    /// Owner's thread: a connection is being opened; forgets an earlier cut.
    void expect();
    /// Owner's thread: this is the connection's socket now (it changes while several hosts are tried).
    void arm(PGconn *connection);
    /// Owner's thread: the connection can be cancelled from now on.
    void allowCancel(PGconn *connection);
    /// Owner's thread: the connection is gone; closes the duplicate.
    void disarm();
    bool wasCut() const;
    int descriptor() const; ///< the duplicate, -1 if there is none

private:
    mutable std::mutex m_mutex;
    int m_descriptor = -1;
    bool m_expecting = false;
    bool m_cut = false;
    std::shared_ptr<PGcancel> m_cancel;
};

} // namespace idemdesk::sql
