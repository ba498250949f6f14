// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/logs/log_file.h"

#include "sql/types/tr.h"

#include <QFile>
#include <QFileInfo>
#include <memory>

namespace idemdesk::models {

namespace {

constexpr qint64 kPiece = 256 * 1024;

sql::Error fileError(const QString &path, const QString &why)
{
    return sql::makeError(sql::ErrorKind::File, Tr::tr("The log “%1” cannot be read.").arg(path), why);
}

} // namespace

sql::Error readingCancelled(const QString &name)
{
    return sql::makeError(sql::ErrorKind::Cancelled, Tr::tr("Reading the log “%1” was cancelled.").arg(name), {},
        Tr::tr("Read it again when you like; what was read already is not added twice."));
}

sql::Result<LogInput> logFile(const QString &path)
{
    const auto file = std::make_shared<QFile>(path);
    if (!file->open(QIODevice::ReadOnly)) {
        return fileError(path, file->errorString());
    }
    return LogInput { QFileInfo(path).fileName(), file->size(), [path, file]() -> sql::Result<QByteArray> {
                         const QByteArray piece = file->read(kPiece);
                         return file->error() == QFileDevice::NoError
                             ? sql::Result<QByteArray>(piece)
                             : sql::Result<QByteArray>(fileError(path, file->errorString()));
                     } };
}

sql::Result<LogCounts> readLog(const LogInput &input, const LogReader::Handler &handler, const LogFileOptions &options)
{
    std::optional<LogReader> reader;
    for (;;) {
        if (options.cancelled && options.cancelled()) {
            return readingCancelled(input.name);
        }
        TRY(const auto piece, input.next());
        if (!reader) {
            reader.emplace(options.format.value_or(LogReader::detect(piece)), handler, options.mapping);
        }
        if (piece.isEmpty()) {
            break;
        }
        reader->feed(piece);
        if (options.progress) {
            options.progress(reader->counts().bytes, std::max(input.size, reader->counts().bytes));
        }
    }
    reader->finish();
    return reader->counts();
}

sql::Result<LogCounts> readLogFile(
    const QString &path, const LogReader::Handler &handler, const LogFileOptions &options)
{
    TRY(const auto input, logFile(path));
    return readLog(input, handler, options);
}

} // namespace idemdesk::models
