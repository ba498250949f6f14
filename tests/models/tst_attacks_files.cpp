// SPDX-License-Identifier: GPL-3.0-or-later
// Files that the programs write are their owner's alone, whatever somebody prepared in the folder.
#include "models/audit/anchor_store.h"
#include "models/connection/saved_connections.h"
#include "models/keys/private_file.h"
#include "sql/local/local_conflicts.h"
#include "sql/local/local_samples.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace Qt::StringLiterals;
using namespace idemdesk;
using namespace idemdesk::models;

namespace {

constexpr uid_t kSomebody = 65'534;

int modeOf(const QString &path)
{
    struct stat info {
    };
    return ::lstat(QFile::encodeName(path).constData(), &info) == 0 ? int(info.st_mode & 07777) : -1;
}

QByteArray contentOf(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("cannot be read");
}

void put(const QString &path, const QByteArray &content, mode_t mode = 0644)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(content) == content.size());
    file.close();
    QVERIFY(::chmod(QFile::encodeName(path).constData(), mode) == 0);
}

QStringList namesIn(const QString &folder)
{
    return QDir(folder).entryList(QDir::AllEntries | QDir::Hidden | QDir::System | QDir::NoDotAndDotDot, QDir::Name);
}

sql::Result<qint64> secret(QIODevice &out)
{
    return out.write("secret");
}

/// Writes as an account that may do less than root, and gives the status: 0 written, 1 refused.
template <typename Work> int asSomebody(Work work)
{
    const pid_t child = ::fork();
    if (child == 0) {
        if (::geteuid() == 0 && (::setgid(kSomebody) != 0 || ::setuid(kSomebody) != 0)) {
            ::_exit(9);
        }
        ::_exit(work() ? 0 : 1);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 8;
}

} // namespace

class AttacksFilesTest final : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_umask = ::umask(022);
    }
    void cleanup() { ::umask(m_umask); }
    void nobodyElseReadsItAtAnyMoment();
    void aWiderFileBecomesPrivate();
    void linksAreNotFollowed_data();
    void linksAreNotFollowed();
    void whatIsNoFileStays_data();
    void whatIsNoFileStays();
    void aLinkInPlaceOfTheUnfinishedFile();
    void aNameThatIsTaken();
    void aFullDiskLeavesTheOldFile();
    void foldersOfOthers();
    void longNames();
    void whatALibraryWritesByName_data();
    void whatALibraryWritesByName();
    void settingsStayOurs();
    void notesOfOthersAreNotBelieved_data();
    void notesOfOthersAreNotBelieved();
    void databasesOnThisComputer_data();
    void databasesOnThisComputer();

private:
    QString at(const QString &name) const { return m_folder->filePath(name); }
    std::unique_ptr<QTemporaryDir> m_folder;
    mode_t m_umask = 0;
};

void AttacksFilesTest::nobodyElseReadsItAtAnyMoment()
{
    QList<int> modes;
    const auto written = writePrivateFile(at(u"out"_s), [&](QIODevice &out) -> sql::Result<qint64> {
        for (const QString &name : namesIn(m_folder->path())) {
            modes += modeOf(at(name));
        }
        return secret(out);
    });
    QVERIFY(written.ok());
    QCOMPARE(modes, QList<int>({ 0600 }));
    QCOMPARE(modeOf(at(u"out"_s)), 0600);
    QCOMPARE(contentOf(at(u"out"_s)), QByteArray("secret"));
    QCOMPARE(namesIn(m_folder->path()), QStringList { u"out"_s });
}

void AttacksFilesTest::aWiderFileBecomesPrivate()
{
    put(at(u"out"_s), "old", 0666);
    const int reader
        = ::open(QFile::encodeName(at(u"out"_s)).constData(), O_RDONLY | O_CLOEXEC); // who had it open sees nothing new
    QVERIFY(writePrivateFile(at(u"out"_s), secret).ok());
    QCOMPARE(modeOf(at(u"out"_s)), 0600);
    QCOMPARE(contentOf(at(u"out"_s)), QByteArray("secret"));
    char byte[8] {};
    QCOMPARE(::read(reader, byte, sizeof byte), ssize_t(3));
    ::close(reader);
}

void AttacksFilesTest::linksAreNotFollowed_data()
{
    QTest::addColumn<bool>("dangling");
    QTest::newRow("to a file") << false;
    QTest::newRow("to nothing") << true;
}

void AttacksFilesTest::linksAreNotFollowed()
{
    QFETCH(bool, dangling);
    if (!dangling) {
        put(at(u"victim"_s), "untouched");
    }
    QVERIFY(QFile::link(at(u"victim"_s), at(u"out"_s)));
    const auto written = writePrivateFile(at(u"out"_s), secret);
    QVERIFY(!written.ok());
    QVERIFY2(written.error().why.contains(u"link"_s), qPrintable(written.error().line()));
    QCOMPARE(QFile::exists(at(u"victim"_s)), !dangling);
    if (!dangling) {
        QCOMPARE(contentOf(at(u"victim"_s)), QByteArray("untouched"));
    }
    QCOMPARE(namesIn(m_folder->path()).size(), dangling ? 1 : 2);
}

void AttacksFilesTest::whatIsNoFileStays_data()
{
    QTest::addColumn<QString>("path");
    QTest::newRow("a device") << u"/dev/null"_s;
    QTest::newRow("a folder") << QString();
}

void AttacksFilesTest::whatIsNoFileStays()
{
    QFETCH(QString, path);
    if (path.isEmpty()) {
        path = at(u"folder"_s);
        QVERIFY(QDir().mkdir(path));
    }
    QVERIFY(!writePrivateFile(path, secret).ok());
    QVERIFY(!QFileInfo(path).isFile() && QFileInfo::exists(path));
}

/// Where others may write the folder, they can exchange the unfinished file for a link while it is written.
void AttacksFilesTest::aLinkInPlaceOfTheUnfinishedFile()
{
    put(at(u"victim"_s), "untouched");
    QString exchanged;
    const auto written = writePrivateFile(at(u"out"_s), [&](QIODevice &out) -> sql::Result<qint64> {
        for (const QString &name : namesIn(m_folder->path())) {
            if (name != u"victim") {
                exchanged = at(name);
            }
        }
        if (!QFile::remove(exchanged) || !QFile::link(at(u"victim"_s), exchanged)) {
            exchanged.clear();
        }
        return secret(out);
    });
    QVERIFY(!exchanged.isEmpty());
    QVERIFY(!written.ok());
    QCOMPARE(contentOf(at(u"victim"_s)), QByteArray("untouched"));
    QVERIFY(!QFileInfo(at(u"out"_s)).isSymLink() && !QFileInfo::exists(at(u"out"_s)));
}

void AttacksFilesTest::aNameThatIsTaken()
{
    put(at(u"out"_s), "old");
    QVERIFY(!writePrivateFile(at(u"out"_s), secret, FileThere::Refuse).ok());
    QCOMPARE(contentOf(at(u"out"_s)), QByteArray("old"));
    // Also where it is taken only while the new one is written.
    const auto written = writePrivateFile(
        at(u"late"_s),
        [&](QIODevice &out) {
            put(at(u"late"_s), "first");
            return secret(out);
        },
        FileThere::Refuse);
    QVERIFY(!written.ok());
    QCOMPARE(contentOf(at(u"late"_s)), QByteArray("first"));
    QCOMPARE(namesIn(m_folder->path()), QStringList({ u"late"_s, u"out"_s }));
}

void AttacksFilesTest::aFullDiskLeavesTheOldFile()
{
    put(at(u"out"_s), "old", 0600);
    rlimit before {};
    QVERIFY(::getrlimit(RLIMIT_FSIZE, &before) == 0);
    rlimit small = before;
    small.rlim_cur = 4096;
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    QVERIFY(::setrlimit(RLIMIT_FSIZE, &small) == 0);
    const auto written = writePrivateFile(at(u"out"_s), QByteArray(100'000, 'x'));
    ::setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, handler);
    QVERIFY(!written.ok());
    QCOMPARE(written.error().kind, sql::ErrorKind::DiskFull);
    QCOMPARE(contentOf(at(u"out"_s)), QByteArray("old"));
    QCOMPARE(namesIn(m_folder->path()), QStringList { u"out"_s });
}

void AttacksFilesTest::whatALibraryWritesByName_data()
{
    QTest::addColumn<QString>("kind");
    QTest::addColumn<QString>("says"); ///< empty: it is taken
    QTest::newRow("nothing there") << u"nothing"_s << QString();
    QTest::newRow("a wider file") << u"wide"_s << QString();
    QTest::newRow("a link") << u"link"_s << u"link"_s;
    QTest::newRow("a link to nothing") << u"dangling"_s << u"link"_s;
    QTest::newRow("a second name") << u"hard"_s << u"second name"_s;
    QTest::newRow("a folder") << u"folder"_s << u"not a file"_s;
    QTest::newRow("a pipe") << u"pipe"_s << u"not a file"_s;
}

void AttacksFilesTest::whatALibraryWritesByName()
{
    QFETCH(QString, kind);
    QFETCH(QString, says);
    const QString path = at(u"own.ini"_s);
    put(at(u"victim"_s), "untouched");
    const QByteArray name = QFile::encodeName(path);
    const QByteArray victim = QFile::encodeName(at(u"victim"_s));
    if (kind == u"wide") {
        put(path, "old", 0666);
    } else if (kind == u"link" || kind == u"dangling") {
        QVERIFY(QFile::link(at(kind == u"link" ? u"victim"_s : u"gone"_s), path));
    } else if (kind == u"hard") {
        QVERIFY(::link(victim.constData(), name.constData()) == 0);
    } else if (kind == u"folder") {
        QVERIFY(QDir().mkdir(path));
    } else if (kind == u"pipe") {
        QVERIFY(::mkfifo(name.constData(), 0600) == 0);
    }
    const auto claimed = claimPrivateFile(path);
    QCOMPARE(claimed.ok(), says.isEmpty());
    QCOMPARE(modeOf(at(u"victim"_s)), 0644);
    QCOMPARE(contentOf(at(u"victim"_s)), QByteArray("untouched"));
    QVERIFY(!QFileInfo::exists(at(u"gone"_s)));
    if (claimed.ok()) {
        QCOMPARE(modeOf(path), 0600);
        QCOMPARE(contentOf(path), kind == u"wide" ? QByteArray("old") : QByteArray());
        QVERIFY(readPrivateFile(path).ok());
    } else {
        QVERIFY2(
            claimed.error().why.contains(says) && !claimed.error().todo.isEmpty(), qPrintable(claimed.error().line()));
        QVERIFY(!readPrivateFile(path).ok());
    }
    QVERIFY(readPrivateFile(at(u"nowhere"_s)).ok() && !*readPrivateFile(at(u"nowhere"_s)));
}

/// Qt's settings would write through a link, and with whatever mode the file has.
void AttacksFilesTest::settingsStayOurs()
{
    const QString path = at(u"deep/own.ini"_s);
    SavedConnection connection;
    connection.name = u"prod"_s;
    connection.conninfo = u"host=db.example"_s;
    {
        QSettings store(path, QSettings::IniFormat);
        SavedConnections saved(&store);
        QVERIFY(saved.save(connection).ok());
        QCOMPARE(modeOf(path), 0600);
        QVERIFY(contentOf(path).contains("db.example"));
    }
    put(at(u"victim"_s), "untouched");
    QVERIFY(QFile::remove(path) && QFile::link(at(u"victim"_s), path));
    QSettings store(path, QSettings::IniFormat);
    SavedConnections saved(&store);
    const auto refused = saved.save(connection);
    QVERIFY(!refused.ok());
    QVERIFY2(refused.error().why.contains(u"link"_s), qPrintable(refused.error().line()));
    QCOMPARE(contentOf(at(u"victim"_s)), QByteArray("untouched"));
    QCOMPARE(modeOf(at(u"victim"_s)), 0644);
}

void AttacksFilesTest::notesOfOthersAreNotBelieved_data()
{
    QTest::addColumn<bool>("link");
    QTest::newRow("in place") << false;
    QTest::newRow("behind a link") << true;
}

/// A note of a trail's head is evidence: one that somebody put behind a link is none, and says so.
void AttacksFilesTest::notesOfOthersAreNotBelieved()
{
    QFETCH(bool, link);
    sql::AuditAnchor anchor;
    anchor.systemId = u"1"_s;
    anchor.databaseOid = 2;
    anchor.seq = 3;
    anchor.hash = u"ab"_s;
    const QString real = at(u"elsewhere.json"_s);
    QVERIFY(AnchorStore(real).keep(anchor).ok());
    QCOMPARE(modeOf(real), 0600);
    const QString path = at(u"anchors.json"_s);
    QVERIFY(link ? QFile::link(real, path) : QFile::copy(real, path));
    AnchorStore store(path);
    QCOMPARE(store.readable(), !link);
    QCOMPARE(store.anchorOf(u"1"_s, 2).has_value(), !link);
    anchor.seq = 4;
    QCOMPARE(store.keep(anchor).ok(), !link);
    QCOMPARE(AnchorStore(real).anchorOf(u"1"_s, 2)->seq, qint64(3));
}

/// A folder such as /tmp: everybody may write there, and nobody may take what another made. Run by root, the writer is
/// another.
void AttacksFilesTest::foldersOfOthers()
{
    const QByteArray folder = QFile::encodeName(m_folder->path());
    QVERIFY(::chmod(folder.constData(), 01777) == 0);
    put(at(u"theirs"_s), "planted", 0666);
    QVERIFY(QFile::link(at(u"theirs"_s), at(u"link"_s)));
    QVERIFY(asSomebody([&] { return writePrivateFile(at(u"mine"_s), secret).ok(); }) == 0);
    QCOMPARE(modeOf(at(u"mine"_s)), 0600);
    QCOMPARE(asSomebody([&] { return writePrivateFile(at(u"link"_s), secret).ok(); }), 1);
    // Somebody else's file is neither filled nor taken away; one's own is replaced.
    const bool another = ::geteuid() == 0;
    QCOMPARE(asSomebody([&] { return writePrivateFile(at(u"theirs"_s), secret).ok(); }), another ? 1 : 0);
    QCOMPARE(contentOf(at(u"theirs"_s)), QByteArray(another ? "planted" : "secret"));
    QCOMPARE(namesIn(m_folder->path()), QStringList({ u"link"_s, u"mine"_s, u"theirs"_s }));
}

void AttacksFilesTest::longNames()
{
    const QString name(255, u'n');
    QVERIFY(writePrivateFile(at(name), secret).ok());
    QCOMPARE(contentOf(at(name)), QByteArray("secret"));
}

void AttacksFilesTest::databasesOnThisComputer_data()
{
    QTest::addColumn<bool>("samples");
    QTest::newRow("samples") << true;
    QTest::newRow("conflicts") << false;
}

void AttacksFilesTest::databasesOnThisComputer()
{
    QFETCH(bool, samples);
    const auto opens = [&](const QString &path) {
        const sql::LocalPlace place { path, u"here"_s };
        return samples ? sql::LocalSamples::open(place).ok() : sql::LocalConflicts::open(place).ok();
    };
    put(at(u"victim"_s), "");
    QVERIFY(QFile::link(at(u"victim"_s), at(u"link"_s)));
    QVERIFY(!opens(at(u"link"_s)));
    QCOMPARE(contentOf(at(u"victim"_s)), QByteArray());
    QVERIFY(opens(at(u"kept"_s)));
    QVERIFY(opens(at(u"kept"_s)));
    for (const QString &name : namesIn(m_folder->path())) {
        if (name.startsWith(u"kept"_s)) {
            QCOMPARE(modeOf(at(name)), 0600);
        }
    }
}

QTEST_GUILESS_MAIN(AttacksFilesTest)
#include "tst_attacks_files.moc"
