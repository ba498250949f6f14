// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/local/private_database.h"

#include "sql/types/tr.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace idemdesk::sql {

QString makePrivateDatabase(const QString &path)
{
    QDir().mkpath(QFileInfo(path).absolutePath());
    constexpr mode_t kOwnerOnly = S_IRUSR | S_IWUSR;
    const int handle = ::open(
        QFile::encodeName(path).constData(), O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, kOwnerOnly);
    if (handle < 0) {
        return errno == ELOOP ? Tr::tr("A link stands there, and links are not followed.") : qt_error_string(errno);
    }
    struct stat info {};
    const bool good = ::fstat(handle, &info) == 0 && S_ISREG(info.st_mode) && ::fchmod(handle, kOwnerOnly) == 0;
    const QString why = good ? QString() : S_ISREG(info.st_mode) ? qt_error_string(errno) : Tr::tr("It is not a file.");
    ::close(handle);
    return why;
}

} // namespace idemdesk::sql
