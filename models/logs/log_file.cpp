// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/logs/log_file.h"

#include <QCoreApplication>
#include <QFile>

namespace idemdesk::models {

namespace {

struct Tr {
    Q_DECLARE_TR_FUNCTIONS(idemdesk::models::LogFile)
};

constexpr qint64 kPiece = 256 * 1024;

sql::Error fileError(const QString &path, const QString &why)
{
    sql::Error error;
    error.kind = sql::ErrorKind::File;
    error.what = Tr::tr("The log “%1” cannot be read.").arg(path);
    error.why = why;
    return error;
}

} // namespace

sql::Result<LogCounts> readLogFile(const QString &path, const LogReader::Handler &handler, const LogFileOptions &options)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) {
        return fileError(path, file.errorString());
    }
    QByteArray piece = file.read(kPiece);
    LogReader reader(options.format.value_or(LogReader::detect(piece)), handler, options.mapping);
    for (; !piece.isEmpty(); piece = file.read(kPiece)) {
        if (options.cancelled && options.cancelled()) {
            sql::Error error;
            error.kind = sql::ErrorKind::Cancelled;
            error.what = Tr::tr("Reading the log “%1” was cancelled.").arg(path);
            error.todo = Tr::tr("Read it again when you like; what was read already is not added twice.");
            return error;
        }
        reader.feed(piece);
        if (options.progress) {
            options.progress(file.pos(), file.size());
        }
    }
    if (file.error() != QFileDevice::NoError) {
        return fileError(path, file.errorString());
    }
    reader.finish();
    return reader.counts();
}

} // namespace idemdesk::models
