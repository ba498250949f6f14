// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/result.h"

#include <QByteArray>
#include <QList>
#include <memory>
#include <mutex>

struct pg_conn;
struct pg_result;
struct pg_cancel;

namespace idemdesk::app {

/// The demo's SQL file of this name, from the program's own resources.
QByteArray demoScript(const QString &name);

/// A plain blocking connection for the demo's own errands; the console itself speaks through its lanes.
/// One thread uses it; cancel() may be called from any.
class DemoLink
{
public:
    using Rows = QList<QList<QByteArray>>; ///< texts; NULL is a null QByteArray

    DemoLink();
    ~DemoLink();
    DemoLink(const DemoLink &) = delete;
    DemoLink &operator=(const DemoLink &) = delete;

    sql::Result<void> open(const QString &conninfo, const QByteArray &applicationName);
    /// Drops the connection without a word to the server's transaction, as a crash does.
    void close();
    bool alive() const;
    bool inTransaction() const;
    /// One statement with its values; a null value is NULL.
    sql::Result<Rows> run(const QByteArray &sql, const QList<QByteArray> &values = {});
    /// Several statements in one implicit transaction; their rows are dropped.
    sql::Result<void> script(const QByteArray &sql);
    /// Asks the server to end what runs here.
    void cancel();

private:
    std::unique_ptr<pg_conn, void (*)(pg_conn *)> m_connection;
    std::mutex m_guard; ///< of m_cancel
    std::unique_ptr<pg_cancel, void (*)(pg_cancel *)> m_cancel;
};

} // namespace idemdesk::app
