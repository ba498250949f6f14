// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/console_fixture.h"

struct pg_conn;

namespace idemdesk::tests::machine {

/// A libpq connection that one thread can step beside others: what is sent may wait for a lock while others
/// go on.
class Wire
{
public:
    using Arguments = QList<std::optional<QString>>;
    explicit Wire(const QString &conninfo);
    ~Wire();
    Wire(const Wire &) = delete;
    Wire &operator=(const Wire &) = delete;

    void send(const QString &sql, const Arguments &arguments = {});
    /// Is the answer there? Waits for it at most so long.
    bool ready(int milliseconds);
    /// The answer; the last one where several statements were sent.
    Connection::Answer take();
    Connection::Answer run(const QString &sql, const Arguments &arguments = {});
    bool waiting() const { return m_waiting; } ///< for its answer
    bool inTransaction() const;
    bool failedTransaction() const;
    bool lost() const;
    int pid() const;

private:
    pg_conn *m_connection;
    bool m_waiting = false;
};

} // namespace idemdesk::tests::machine
