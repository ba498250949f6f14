// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/session/session.h"

namespace idemdesk::sql {

/// One of the files that the server itself logs to, read through SQL: no access to the server's disk is needed. The
/// role needs pg_monitor, and EXECUTE on pg_read_binary_file, which without pg_read_server_files is good for the
/// server's own folders only.
class ServerLog
{
public:
    /// The file of this name in the server's log folder; empty: the one that it writes now, csvlog before jsonlog
    /// before stderr. Errors say which right or setting is missing and how to give it.
    static Result<ServerLog> open(Session &session, const QString &name);

    const QString &name() const { return m_name; }
    qint64 size() const { return m_size; } ///< when it was opened

    /// The next piece, of 2 MiB at most; empty at the end. What the server adds to its log meanwhile is not waited for.
    Result<QByteArray> next();

private:
    ServerLog(Session &session, QString name, QString path, qint64 size);

    Session *m_session;
    QString m_name;
    QString m_path;
    qint64 m_size;
    qint64 m_read = 0;
};

} // namespace idemdesk::sql
