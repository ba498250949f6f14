// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/conflicts/server_log.h"

#include "sql/types/tr.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

constexpr qint64 kLogPiece = 2 * 1024 * 1024;

Error logUnreadable(const QString &why, const QString &todo, ErrorKind kind = ErrorKind::Refused)
{
    return makeError(kind, Tr::tr("The server's log cannot be read."), why, todo);
}

/// An error of the server; where a right is missing, with the statement that gives it.
Error explained(Session &session, Error error, const QString &grant)
{
    error.what = logUnreadable({}, {}).what;
    if (error.sqlState == u"42501") {
        error.kind = ErrorKind::Privilege;
        error.why = Tr::tr("The role “%1” may not read it.").arg(session.facts().user);
        error.todo = Tr::tr("Have a superuser run: %1").arg(grant.arg(quoteIdentifier(session.facts().user)));
    }
    return error;
}

struct Folder {
    QString path;
    QString formats; ///< log_destination
};

Result<Folder> folderOf(Session &session, const QString &monitor)
{
    const auto collector = session.one(
        { u"SELECT pg_catalog.current_setting('logging_collector'), pg_catalog.current_setting('log_destination')"_s,
            {} });
    if (!collector) {
        return explained(session, collector.error(), monitor);
    }
    if (collector->at(0).text != u"on") {
        return logUnreadable(
            Tr::tr("The server leaves its log to whatever started it: its setting logging_collector is off."),
            Tr::tr("Import the file that the log goes to, or set logging_collector to on and restart the server."));
    }
    const auto path = session.one({ u"SELECT pg_catalog.current_setting('log_directory')"_s, {} });
    return path ? Result<Folder>(Folder { path->constFirst().text, collector->at(1).text })
                : Result<Folder>(explained(session, path.error(), monitor));
}

struct File {
    QString name;
    qint64 size = 0;
};

/// Nothing where the folder has no such file.
Result<std::optional<File>> fileOf(
    Session &session, const QString &name, const QString &formats, const QString &monitor)
{
    Statement statement;
    QString which;
    if (!name.isEmpty()) {
        which = u"f.name = "_s + statement.bind(name) + u"::pg_catalog.text"_s;
    } else if (formats.contains(u"csvlog")) {
        which = u"f.name LIKE '%.csv'"_s;
    } else if (formats.contains(u"jsonlog")) {
        which = u"f.name LIKE '%.json'"_s;
    } else {
        which = u"f.name NOT LIKE '%.csv' AND f.name NOT LIKE '%.json'"_s;
    }
    statement.sql = u"SELECT f.name, f.size FROM pg_catalog.pg_ls_logdir() f WHERE "_s + which
        + u" ORDER BY f.modification DESC, f.name DESC LIMIT 1"_s;
    const auto rows = session.all(statement);
    if (!rows) {
        return explained(session, rows.error(), monitor);
    }
    return rows->isEmpty() ? std::optional<File>()
                           : std::optional(File { rows->first().at(0).text, rows->first().at(1).text.toLongLong() });
}

} // namespace

ServerLog::ServerLog(Session &session, QString name, QString path, qint64 size)
    : m_session(&session)
    , m_name(std::move(name))
    , m_path(std::move(path))
    , m_size(size)
{
}

Result<ServerLog> ServerLog::open(Session &session, const QString &name)
{
    // pg_current_logfile() is a superuser's in PostgreSQL 15; the file that was written last is the same one, and
    // pg_monitor sees it.
    const QString monitor = u"GRANT pg_monitor TO %1"_s;
    TRY(const auto folder, folderOf(session, monitor));
    TRY(const auto file, fileOf(session, name, folder.formats, monitor));
    if (!file) {
        return name.isEmpty()
            ? logUnreadable(Tr::tr("The server's log folder holds no log."),
                Tr::tr("Look at the server's settings log_destination and log_directory."))
            : logUnreadable(Tr::tr("The server's log folder holds no file “%1”.").arg(name),
                Tr::tr("Give the name as pg_ls_logdir() lists it, without a folder."), ErrorKind::Usage);
    }
    return ServerLog(session, file->name, folder.path + u'/' + file->name, file->size);
}

Result<QByteArray> ServerLog::next()
{
    // Up to the size at the beginning: reading may itself be logged, and would never come to an end.
    const qint64 length = std::min(kLogPiece, m_size - m_read);
    if (length <= 0) {
        return QByteArray();
    }
    Statement statement;
    const QString path = statement.bind(m_path);
    const QString from = statement.bind(QString::number(m_read));
    const QString most = statement.bind(QString::number(length));
    statement.sql
        = u"SELECT pg_catalog.pg_read_binary_file(%1::pg_catalog.text, %2::pg_catalog.int8, %3::pg_catalog.int8, "
          "true)"_s.arg(path, from, most);
    const auto row = m_session->one(statement);
    if (!row) {
        return explained(*m_session, row.error(),
            u"GRANT EXECUTE ON FUNCTION pg_catalog.pg_read_binary_file(text, bigint, bigint, boolean) TO %1"_s);
    }
    const QByteArray piece
        = QByteArray::fromHex(row->constFirst().text.mid(2).toLatin1()); // NULL where the server removed the file
    m_read += piece.size();
    if (piece.isEmpty()) {
        m_size = m_read;
    }
    return piece;
}

} // namespace idemdesk::sql
