// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/keys/private_file.h"

#include "models/format/display_text.h"
#include "sql/types/tr.h"

#include <QFile>
#include <QFileInfo>
#include <QRandomGenerator>

#include <cerrno>
#include <cstdio> // renameat2
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

constexpr int kNames = 16; // tried for the unfinished file, should somebody have taken one
constexpr mode_t kOwnerOnly = S_IRUSR | S_IWUSR;

/// An unfinished file beside the one that it is to become. Gone again unless it was put in place. The folder is held
/// open: what happens to its name meanwhile does not matter.
class UnfinishedFile
{
public:
    explicit UnfinishedFile(const QString &path)
        : m_name(QFile::encodeName(QFileInfo(path).fileName()))
    {
        m_folder
            = ::open(QFile::encodeName(QFileInfo(path).absolutePath()).constData(), O_PATH | O_DIRECTORY | O_CLOEXEC);
        for (int i = 0; m_folder >= 0 && m_handle < 0 && i < kNames; ++i) {
            m_temporary
                = '.' + m_name.left(kLongest) + '.' + QByteArray::number(QRandomGenerator::system()->generate64(), 36);
            m_handle = ::openat(
                m_folder, m_temporary.constData(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, kOwnerOnly);
            if (m_handle < 0 && errno != EEXIST) {
                break;
            }
        }
        m_error = m_handle < 0 ? errno : 0;
    }

    ~UnfinishedFile()
    {
        const int error = errno;
        if (m_handle >= 0) {
            if (!m_placed && isStillOurs()) {
                ::unlinkat(m_folder, m_temporary.constData(), 0);
            }
            ::close(m_handle);
        }
        if (m_folder >= 0) {
            ::close(m_folder);
        }
        errno = error;
    }

    UnfinishedFile(const UnfinishedFile &) = delete;
    UnfinishedFile &operator=(const UnfinishedFile &) = delete;

    int handle() const { return m_handle; }
    int error() const { return m_error; } ///< of the last call that failed

    /// What stands under the name and must not be replaced, in words; nothing where it may.
    QString obstacle(FileThere there) const
    {
        struct stat info {
        };
        if (m_folder < 0 || ::fstatat(m_folder, m_name.constData(), &info, AT_SYMLINK_NOFOLLOW) != 0) {
            return {};
        }
        if (S_ISLNK(info.st_mode)) {
            return Tr::tr("A link stands there, and links are not followed.");
        }
        if (!S_ISREG(info.st_mode)) {
            return Tr::tr("It is not a file.");
        }
        return there == FileThere::Refuse ? Tr::tr("It is there already, and nothing is overwritten.") : QString();
    }

    /// Puts it under its name, whole and on the disk.
    bool place(FileThere there)
    {
        if (::fsync(m_handle) != 0) {
            m_error = errno;
            return false;
        }
        if (!isStillOurs()) {
            m_error = ESTALE;
            return false;
        }
        const unsigned flags = there == FileThere::Refuse ? RENAME_NOREPLACE : 0;
        int renamed = ::renameat2(m_folder, m_temporary.constData(), m_folder, m_name.constData(), flags);
        if (renamed != 0 && errno == EINVAL && obstacle(there).isEmpty()) { // a file system without that flag
            renamed = ::renameat(m_folder, m_temporary.constData(), m_folder, m_name.constData());
        }
        m_error = renamed == 0 ? 0 : errno;
        m_placed = renamed == 0;
        if (m_placed) {
            // The new name has to survive a power cut, too. Where the folder can't be read it can't be asked for.
            const int readable = ::openat(m_folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
            if (readable >= 0) {
                ::fsync(readable);
                ::close(readable);
            }
        }
        return m_placed;
    }

private:
    /// The name is still that of the file that was written, not of something put in its place.
    bool isStillOurs() const
    {
        struct stat named {
        };
        struct stat open {
        };
        return ::fstatat(m_folder, m_temporary.constData(), &named, AT_SYMLINK_NOFOLLOW) == 0
            && ::fstat(m_handle, &open) == 0 && named.st_dev == open.st_dev && named.st_ino == open.st_ino;
    }

    static constexpr qsizetype kLongest = 200; // bytes of the name, which has to leave room for what makes it its own
    const QByteArray m_name;
    QByteArray m_temporary;
    int m_folder = -1;
    int m_handle = -1;
    int m_error = 0;
    bool m_placed = false;
};

bool isFull(int number)
{
    return number == ENOSPC || number == EDQUOT || number == EFBIG;
}

/// Qt keeps the system's words of a failed write, not its number.
bool saysFull(const QString &words)
{
    return words == qt_error_string(ENOSPC) || words == qt_error_string(EDQUOT) || words == qt_error_string(EFBIG);
}

/// Whether the unfinished file, which is given up, takes one byte more.
bool hasRoom(int handle)
{
    return ::write(handle, "", 1) == 1 || !isFull(errno);
}

sql::Error systemError(const QString &path, int number)
{
    return fileError(path,
        number == ESTALE ? Tr::tr("Something else was put in its place while it was written.")
                         : qt_error_string(number),
        isFull(number));
}

/// A file of ours held open; closed with it.
class OwnFile
{
public:
    explicit OwnFile(const QString &path)
    {
        // Nobody waits here for the other end of a pipe that was put in the file's place.
        m_handle = ::open(QFile::encodeName(path).constData(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
        m_error = m_handle < 0 ? errno : 0;
    }
    ~OwnFile()
    {
        if (m_handle >= 0) {
            ::close(m_handle);
        }
    }
    OwnFile(const OwnFile &) = delete;
    OwnFile &operator=(const OwnFile &) = delete;

    int handle() const { return m_handle; }
    bool missing() const { return m_error == ENOENT; }
    /// Why it is not to be trusted, in words; empty: it is a file of ours.
    QString obstacle() const
    {
        struct stat info {
        };
        if (m_error == ELOOP) {
            return Tr::tr("A link stands there, and links are not followed.");
        }
        if (m_error != 0 || ::fstat(m_handle, &info) != 0) {
            return qt_error_string(m_error != 0 ? m_error : errno);
        }
        if (!S_ISREG(info.st_mode)) {
            return Tr::tr("It is not a file.");
        }
        if (info.st_uid != ::geteuid()) {
            return Tr::tr("It belongs to another user.");
        }
        return info.st_nlink > 1 ? Tr::tr("It has a second name, under which others may reach it.") : QString();
    }

private:
    int m_handle = -1;
    int m_error = 0;
};

/// A file of ours is not what it should be.
sql::Error strangeFile(const QString &path, const QString &what, const QString &why)
{
    sql::Error error;
    error.kind = sql::ErrorKind::File;
    error.what = what;
    error.why = why;
    error.todo
        = Tr::tr("Put a file of your own in the place of %1, or move away what stands there.").arg(displayText(path));
    return error;
}

} // namespace

sql::Result<std::optional<QByteArray>> readPrivateFile(const QString &path)
{
    const OwnFile own(path);
    if (own.missing()) {
        return std::optional<QByteArray>();
    }
    const QString what = Tr::tr("The file %1 was not read.").arg(displayText(path));
    if (const QString why = own.obstacle(); !why.isEmpty()) {
        return strangeFile(path, what, why);
    }
    QFile file;
    if (!file.open(own.handle(), QIODevice::ReadOnly, QFileDevice::DontCloseHandle)) {
        return strangeFile(path, what, displayText(file.errorString()));
    }
    const QByteArray bytes = file.readAll();
    return file.error() == QFileDevice::NoError
        ? sql::Result<std::optional<QByteArray>>(std::optional(bytes))
        : sql::Result<std::optional<QByteArray>>(strangeFile(path, what, displayText(file.errorString())));
}

sql::Result<void> claimPrivateFile(const QString &path)
{
    if (OwnFile(path).missing()) {
        TRY(writePrivateFile(path, QByteArray(), FileThere::Refuse));
    }
    const OwnFile own(path);
    if (const QString why = own.obstacle(); !why.isEmpty()) {
        return strangeFile(path, Tr::tr("The file %1 is not used.").arg(displayText(path)), why);
    }
    if (::fchmod(own.handle(), kOwnerOnly) != 0) {
        return systemError(path, errno);
    }
    return {};
}

sql::Error fileError(const QString &path, const QString &reason, bool diskFull)
{
    sql::Error error;
    error.kind = diskFull ? sql::ErrorKind::DiskFull : sql::ErrorKind::File;
    error.what = Tr::tr("The file %1 could not be written.").arg(displayText(path));
    error.why = diskFull ? Tr::tr("The disk is full.") : displayText(reason);
    if (!error.why.isEmpty() && !error.why.endsWith(u'.')) {
        error.why += u'.'; // what the system says is no whole sentence
    }
    error.todo = diskFull ? Tr::tr("Free some space or choose another disk, then start again.")
                          : Tr::tr("Choose a folder that you may write to.");
    error.detail = reason;
    return error;
}

sql::Result<qint64> writePrivateFile(
    const QString &path, const std::function<sql::Result<qint64>(QIODevice &)> &write, FileThere there)
{
    UnfinishedFile unfinished(path);
    if (const QString obstacle = unfinished.obstacle(there); !obstacle.isEmpty()) {
        sql::Error error = fileError(path, obstacle, false);
        error.todo = Tr::tr("Choose another name.");
        return error;
    }
    if (unfinished.handle() < 0) {
        return systemError(path, unfinished.error());
    }
    ::fchmod(unfinished.handle(), kOwnerOnly); // whatever the umask says
    QFile file;
    if (!file.open(unfinished.handle(), QIODevice::WriteOnly, QFileDevice::DontCloseHandle)) {
        return fileError(path, file.errorString(), false);
    }
    const auto written = write(file);
    if (!written.ok() || !file.flush() || file.error() != QFileDevice::NoError) {
        // The writer saw a short write only as "could not be written", and of a part that found no room Qt says
        // nothing.
        const bool full = saysFull(file.errorString()) || !hasRoom(unfinished.handle());
        if (full || file.error() != QFileDevice::NoError) {
            return fileError(path, file.errorString(), full);
        }
        return written.ok() ? fileError(path, file.errorString(), false) : written.error();
    }
    if (!unfinished.place(there)) {
        if (unfinished.error() == EEXIST) {
            return fileError(path, unfinished.obstacle(there), false);
        }
        return systemError(path, unfinished.error());
    }
    return written;
}

sql::Result<qint64> writePrivateFile(const QString &path, const QByteArray &bytes, FileThere there)
{
    return writePrivateFile(
        path,
        [&](QIODevice &out) -> sql::Result<qint64> {
            return out.write(bytes) == bytes.size() ? sql::Result<qint64>(qint64(bytes.size()))
                                                    : sql::Result<qint64>(fileError(path, out.errorString(), false));
        },
        there);
}

} // namespace idemdesk::models
