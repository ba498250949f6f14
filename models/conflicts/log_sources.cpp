// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/conflicts/log_sources.h"

#include "sql/conflicts/server_log.h"
#include "sql/types/tr.h"

#include <QDir>
#include <QFileInfo>
#include <memory>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

sql::Result<LogInput> serverLog(sql::Session &session, const QString &name)
{
    TRY(const auto opened, sql::ServerLog::open(session, name));
    const auto log = std::make_shared<sql::ServerLog>(opened);
    LogInput input { log->name(), log->size(), [log] { return log->next(); } };
    input.database = session.facts().database;
    return input;
}

LogInput textLog(const QString &name, const QByteArray &text)
{
    const auto left = std::make_shared<QByteArray>(text);
    return { name, text.size(), [left]() -> sql::Result<QByteArray> { return std::exchange(*left, QByteArray()); },
        {} };
}

sql::Result<QStringList> logFilesOf(const QString &path)
{
    if (!QFileInfo(path).isDir()) {
        return QStringList { path };
    }
    const QDir folder(path);
    QStringList files;
    for (const QString &name :
        folder.entryList({ u"*.csv"_s, u"*.json"_s, u"*.jsonl"_s, u"*.log"_s }, QDir::Files, QDir::Name)) {
        files += folder.filePath(name);
    }
    if (files.isEmpty()) {
        return sql::makeError(sql::ErrorKind::File, Tr::tr("The folder “%1” holds no log.").arg(path),
            Tr::tr("Logs are its files named *.csv, *.json, *.jsonl and *.log, or it may not be read."),
            Tr::tr("Name the files themselves where they are called otherwise."));
    }
    return files;
}

} // namespace idemdesk::models
