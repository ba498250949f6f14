// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/keys/private_file.h"

#include "models/format/display_text.h"
#include "sql/types/tr.h"

#include <QFileInfo>
#include <QSaveFile>
#include <QStorageInfo>

namespace idemdesk::models {

namespace {

bool full(const QString &path)
{
    const QStorageInfo storage(QFileInfo(path).absolutePath());
    return storage.isValid() && storage.bytesAvailable() >= 0 && storage.bytesAvailable() < 65'536;
}

} // namespace

sql::Error fileError(const QString &path, const QString &reason, bool diskFull)
{
    sql::Error error;
    error.kind = diskFull ? sql::ErrorKind::DiskFull : sql::ErrorKind::File;
    error.what = Tr::tr("The file %1 could not be written.").arg(displayText(path));
    error.why = diskFull ? Tr::tr("The disk is full.") : displayText(reason);
    error.todo = diskFull ? Tr::tr("Free some space or choose another disk, then start again.")
                          : Tr::tr("Choose a folder that you may write to.");
    error.detail = reason;
    return error;
}

sql::Result<qint64> writePrivateFile(const QString &path, const std::function<sql::Result<qint64>(QIODevice &)> &write)
{
    // The new file takes the old one's name: a device or a folder must not be replaced by it.
    if (const QFileInfo there(path); there.exists() && !there.isFile()) {
        return fileError(path, Tr::tr("It is not a file."), false);
    }
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly)) {
        return fileError(path, file.errorString(), full(path));
    }
    file.setPermissions(QFile::ReadOwner | QFile::WriteOwner); // before the first byte is in it
    const auto written = write(file);
    if (!written.ok()) {
        file.cancelWriting();
        // The writer saw a short write only as "could not be written"; the disk knows why.
        if (file.error() != QFileDevice::NoError) {
            return fileError(path, file.errorString(), file.error() == QFileDevice::ResourceError || full(path));
        }
        return written.error();
    }
    if (!file.commit()) {
        return fileError(path, file.errorString(), file.error() == QFileDevice::ResourceError || full(path));
    }
    return written;
}

} // namespace idemdesk::models
