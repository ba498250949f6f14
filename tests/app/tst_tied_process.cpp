// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cluster/server_account.h"
#include "app/cluster/tied_process.h"

#include <QCoreApplication>
#include <QFile>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <cstdio>
#include <stop_token>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

using namespace Qt::StringLiterals;
using idemdesk::app::cleanEnvironment;
using idemdesk::app::processRuns;
using idemdesk::app::runTied;
using idemdesk::app::TiedEnd;
using idemdesk::app::TiedProgram;

Q_DECLARE_METATYPE(idemdesk::app::TiedEnd)

namespace {

constexpr int kLongMs = 60'000; // nothing here takes as long unless it hangs

TiedProgram shell(const QString &command, const QString &output = u"/dev/null"_s)
{
    return { u"/bin/sh"_s, { u"-c"_s, command }, cleanEnvironment().toStringList(), output, [] {} };
}

/// Starts a program that stands still between fork and exec, and says the number of that child: what a test kills.
int standStill()
{
    TiedProgram program = shell(u"exec sleep 600"_s);
    program.inChild = [] {
        dprintf(STDOUT_FILENO, "%d\n", int(getpid()));
        raise(SIGSTOP);
    };
    return runTied(program, kLongMs, {}).ok() ? 0 : 1;
}

} // namespace

class TiedProcessTest : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { QTest::failOnWarning(QRegularExpression(u".?"_s)); }

    void itsEndIsTold_data()
    {
        QTest::addColumn<QString>("command");
        QTest::addColumn<int>("timeoutMs");
        QTest::addColumn<TiedEnd>("end");
        QTest::newRow("success") << u"exit 0"_s << kLongMs << TiedEnd::Succeeded;
        QTest::newRow("failure") << u"exit 3"_s << kLongMs << TiedEnd::Failed;
        QTest::newRow("ended by a signal") << u"kill -KILL $$"_s << kLongMs << TiedEnd::Failed;
        QTest::newRow("too long") << u"exec sleep 600"_s << 50 << TiedEnd::TookTooLong;
        QTest::newRow("too long, and deaf")
            << u"trap '' TERM; while :; do sleep 1; done"_s << 500 << TiedEnd::TookTooLong;
    }
    void itsEndIsTold()
    {
        QFETCH(QString, command);
        QFETCH(int, timeoutMs);
        QFETCH(TiedEnd, end);
        const QString pidFile = m_folder.filePath(u"pid"_s);
        const auto ended = runTied(shell(u"echo $$ > '%1'; "_s.arg(pidFile) + command), timeoutMs, {});
        QVERIFY2(ended.ok(), ended.ok() ? "" : qPrintable(ended.error().line()));
        QCOMPARE(*ended, end);
        QFile file(pidFile);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const qint64 pid = file.readAll().trimmed().toLongLong();
        QVERIFY2(pid > 0 && !processRuns(pid), qPrintable(QString::number(pid)));
        QVERIFY(!QFile::exists(u"/proc/%1"_s.arg(pid))); // and nothing waits to be taken note of
    }

    void itsEndIsKnownWhereItsStarterIgnoredSuchSignals()
    {
        std::signal(SIGCHLD, SIG_IGN); // as some launchers leave it to what they start
        const auto good = runTied(shell(u"exit 0"_s), kLongMs, {});
        QVERIFY(good.ok());
        QCOMPARE(*good, TiedEnd::Succeeded);
    }

    void itStopsOnRequest()
    {
        const QByteArray ready = QFile::encodeName(m_folder.filePath(u"ready"_s));
        QCOMPARE(mkfifo(ready.constData(), 0600), 0);
        std::stop_source stop;
        const std::jthread asks([&] {
            QFile file(QFile::decodeName(ready));
            QVERIFY(file.open(QIODevice::ReadOnly)); // as soon as the program opens it
            stop.request_stop();
        });
        const auto ended
            = runTied(shell(u": > '%1'; exec sleep 600"_s.arg(QFile::decodeName(ready))), kLongMs, stop.get_token());
        QVERIFY(ended.ok());
        QCOMPARE(*ended, TiedEnd::Stopped);
    }

    void whatItSaysIsAddedToItsFile()
    {
        const QString output = m_folder.filePath(u"out"_s);
        QVERIFY(runTied(shell(u"echo one; echo two >&2"_s, output), kLongMs, {}).ok());
        QVERIFY(runTied(shell(u"echo three; exit 1"_s, output), kLongMs, {}).ok());
        QFile file(output);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll(), "one\ntwo\nthree\n");
    }

    void whatCannotBeStartedIsNamed()
    {
        TiedProgram program = shell(u"exit 0"_s);
        program.program = u"/nowhere/initdb"_s;
        const auto missing = runTied(program, kLongMs, {});
        QVERIFY(!missing.ok());
        QVERIFY2(missing.error().line().contains(u"/nowhere/initdb"_s), qPrintable(missing.error().line()));
        QVERIFY(!runTied(shell(u"exit 0"_s, u"/nowhere/out"_s), kLongMs, {}).ok()); // not without its output
    }

    /// Whoever starts it is killed when it was forked and not yet tied: it must not wait, or run, without anybody.
    void itEndsWhereItsStarterIsKilledAtTheFork()
    {
        QProcess starter;
        starter.start(u"/proc/self/exe"_s, { u"--stand-still"_s });
        QVERIFY(starter.waitForReadyRead(kLongMs));
        const qint64 pid = starter.readLine().trimmed().toLongLong();
        QVERIFY(pid > 0);
        const auto state = [pid] {
            QFile file(u"/proc/%1/stat"_s.arg(pid));
            const QByteArray line = file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
            return line.mid(line.lastIndexOf(')') + 2, 1);
        };
        QTRY_COMPARE(state(), "T"); // stopped
        starter.kill();
        QVERIFY(starter.waitForFinished());
        QCOMPARE(kill(pid_t(pid), SIGCONT), 0);
        QTRY_VERIFY2(!processRuns(pid), state().constData());
    }

private:
    QTemporaryDir m_folder;
};

int main(int argc, char **argv)
{
    if (argc == 2 && QByteArrayView(argv[1]) == "--stand-still") {
        return standStill();
    }
    QCoreApplication app(argc, argv);
    TiedProcessTest test;
    return QTest::qExec(&test, argc, argv);
}

#include "tst_tied_process.moc"
