// SPDX-License-Identifier: GPL-3.0-or-later
// The window on a large table: memory with a first page and after a long scroll, the longest stall of the event loop,
// and the time to a visible window beside DB Browser for SQLite. Arguments as LargeServer takes them.
#include "models/connection/connection_controller.h"
#include "models/connection/saved_connections.h"
#include "models/connection/secret_store.h"
#include "models/keys/export_controller.h"
#include "models/keys/key_browser.h"
#include "models/keys/key_table_model.h"
#include "models/settings.h"
#include "tests/bench/bench.h"
#include "tests/bench/large_table.h"
#include "tests/support/stall_watch.h"
#include "ui/pages/keys/keys_page.h"
#include "ui/theme/theme.h"
#include "ui/window/main_window.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QProcess>
#include <QScrollBar>
#include <QSettings>
#include <QStandardPaths>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

using namespace Qt::StringLiterals;
using namespace idemdesk;

namespace {

constexpr qint64 kScrolledRows = 1'000'000;
constexpr int kPageRows = 200;

/// Keeps nothing: the bench connects without passwords.
class NoSecrets final : public models::SecretStore
{
public:
    bool available() const override { return false; }
    void get(const QString &, QObject *, std::function<void(sql::Result<std::optional<QString>>)> done) override
    {
        done(std::optional<QString>());
    }
    void set(const QString &, const QString &, QObject *, std::function<void(sql::Result<void>)> done) override
    {
        done({});
    }
    void remove(const QString &, QObject *, std::function<void(sql::Result<void>)> done) override { done({}); }
};

/// Until no page is under way, noticed at once: a page takes a few milliseconds.
void waitIdle(models::KeyTableModel *model)
{
    QEventLoop loop;
    QObject::connect(model, &models::KeyTableModel::busyChanged, &loop, [&] {
        if (!model->busy()) {
            loop.quit();
        }
    });
    QTimer::singleShot(20'000, &loop, &QEventLoop::quit);
    if (model->busy()) {
        loop.exec();
    }
}

/// QTest's own waiting sleeps ten milliseconds at a time, which would count as a stall.
void turnFor(int ms)
{
    QEventLoop loop;
    QTimer::singleShot(ms, &loop, &QEventLoop::quit);
    loop.exec();
}

bool waitFor(const std::function<bool()> &condition, int limitMs = 60'000)
{
    QElapsedTimer clock;
    clock.start();
    while (!condition() && clock.elapsed() < limitMs) {
        turnFor(1);
    }
    return condition();
}

void measureWindow(bench::Report &report, const QString &conninfo)
{
    QTemporaryDir folder;
    QSettings store(folder.filePath(u"idemdesk.ini"_s), QSettings::IniFormat);
    models::Settings settings(&store);
    models::SavedConnections saved(&store);
    NoSecrets secrets;
    models::ConnectionController connection(folder.filePath(u"profiles"_s));
    ui::Theme theme(qApp);
    theme.apply(models::Theme::Light);
    ui::MainWindow window({ &connection, &saved, &secrets, &settings, {} });
    window.resize(1280, 800);
    window.show();
    sql::ConnectionSettings where;
    where.conninfo = conninfo;
    connection.connectTo(where);
    window.showPage(u"keys"_s);
    models::KeyTableModel *model = window.browser()->model();
    tests::StallWatch watch;
    waitFor([&] { return connection.target(u"plpgsql-request"_s) != nullptr; });
    window.keysPage()->showTarget(u"plpgsql-request"_s, {});
    if (!waitFor([&] { return model->rowCount() > 0 && !model->busy(); })) {
        report.note(u"the first page did not come: %1 targets, %2 rows, %3"_s.arg(connection.targets().size())
                        .arg(model->rowCount())
                        .arg(connection.error()             ? connection.error()->line()
                                : window.browser()->error() ? window.browser()->error()->line()
                                                            : QString()));
        return;
    }
    waitFor([&] { return !model->countBusy(); }, 120'000);
    report.figure(u"longest stall: connect, first page, counts"_s, double(watch.longest()), u"ms"_s, 50);
    turnFor(2'000);
    const double idle = bench::residentMiB(QCoreApplication::applicationPid());
    report.figure(u"memory of this process with the first page of keys"_s, idle, u"MiB"_s, 90);

    const int last = static_cast<int>(std::min<qint64>(model->rowCount(), kScrolledRows)) - 1;
    {
        // Every row passes by: each page is waited for before the next one is asked for.
        tests::StallWatch stalls;
        QScrollBar *bar = window.keysPage()->table()->verticalScrollBar();
        QElapsedTimer clock;
        clock.start();
        for (int row = 0; row < last; row += kPageRows) {
            bar->setValue(row);
            QCoreApplication::processEvents();
            waitIdle(model);
        }
        bar->setValue(last);
        waitIdle(model);
        report.note(u"scrolling through %1 rows, page by page, took %2 s"_s.arg(last + 1).arg(
            double(clock.elapsed()) / 1000, 0, 'f', 1));
        report.figure(
            u"longest stall: scrolling through %1 rows"_s.arg(last + 1), double(stalls.longest()), u"ms"_s, 50);
        report.figure(u"memory after that scroll, over before"_s,
            bench::residentMiB(QCoreApplication::applicationPid()) - idle, u"MiB"_s, 40);
    }
    {
        tests::StallWatch stalls;
        for (const QString &filter :
            { u"state:failed_final"_s, u"scope:kyc.verify"_s, u"state:stale"_s, u"key~zzz"_s, QString() }) {
            window.keysPage()->setFilterText(filter);
            window.browser()->proceed();
            turnFor(300); // a slow one is left before it ends
        }
        waitFor([&] { return !model->busy(); });
        report.figure(u"longest stall: filter changes"_s, double(stalls.longest()), u"ms"_s, 50);
    }
    {
        tests::StallWatch stalls;
        models::ExportController exporter;
        exporter.setDatabase(connection.database());
        const bool began = exporter.start(connection.target(u"plpgsql-request"_s)->target, {}, {},
            models::ExportFileFormat::Csv, folder.filePath(u"all.csv"_s));
        QElapsedTimer clock;
        clock.start();
        QScrollBar *bar = window.keysPage()->table()->verticalScrollBar();
        for (int row = 0; clock.elapsed() < 10'000;
             row = (row + 70'001) % (last + 1)) { // far jumps, with the export beside them
            bar->setValue(row);
            turnFor(50);
        }
        report.note(u"%1 rows were exported meanwhile"_s.arg(exporter.rows()));
        exporter.cancel();
        waitFor([&] { return !exporter.running(); });
        if (began) {
            report.figure(u"longest stall: far jumps during an export"_s, double(stalls.longest()), u"ms"_s, 50);
        }
    }
}

/// Milliseconds from launch until a window of at least 500 by 300 is visible; -1 if none came.
double timeToWindow(const QString &display, const QString &program, const QStringList &arguments, double *resident)
{
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(u"DISPLAY"_s, display);
    environment.insert(u"QT_QPA_PLATFORM"_s, u"xcb"_s);
    QProcess process;
    process.setProcessEnvironment(environment);
    QElapsedTimer clock;
    clock.start();
    process.start(program, arguments);
    double found = -1;
    while (found < 0 && clock.elapsed() < 20'000) {
        QProcess search;
        search.setProcessEnvironment(environment);
        search.start(
            u"xdotool"_s, { u"search"_s, u"--onlyvisible"_s, u"--pid"_s, QString::number(process.processId()) });
        search.waitForFinished();
        for (const QByteArray &id : search.readAllStandardOutput().split('\n')) {
            if (id.isEmpty()) {
                continue;
            }
            QProcess geometry;
            geometry.setProcessEnvironment(environment);
            geometry.start(u"xdotool"_s, { u"getwindowgeometry"_s, u"--shell"_s, QString::fromLatin1(id) });
            geometry.waitForFinished();
            const QByteArray text = geometry.readAllStandardOutput();
            const auto number = [&text](const char *name) {
                const qsizetype at = text.indexOf(name);
                return at < 0 ? 0 : text.mid(at + qsizetype(strlen(name))).split('\n').first().toInt();
            };
            if (number("WIDTH=") >= 500 && number("HEIGHT=") >= 300) {
                found = double(clock.elapsed());
            }
        }
    }
    if (resident != nullptr) {
        QTest::qWait(4'000);
        *resident = bench::residentMiB(process.processId());
    }
    process.terminate();
    process.waitForFinished(5'000);
    process.kill();
    process.waitForFinished(5'000);
    return found;
}

void measureStart(bench::Report &report, const QString &conninfo)
{
    const QString peer = QStandardPaths::findExecutable(u"sqlitebrowser"_s);
    if (peer.isEmpty() || QStandardPaths::findExecutable(u"Xvfb"_s).isEmpty()
        || QStandardPaths::findExecutable(u"xdotool"_s).isEmpty()) {
        report.note(u"start-up not measured: sqlitebrowser, Xvfb or xdotool is missing"_s);
        return;
    }
    const QString display = u":97"_s;
    QProcess server;
    server.start(u"Xvfb"_s, { display, u"-screen"_s, u"0"_s, u"1600x1000x24"_s, u"-noreset"_s });
    QTest::qWait(1'000);
    QList<double> ours;
    QList<double> theirs;
    double resident = -1;
    for (int round = 0; round < 6; ++round) {
        const double our = timeToWindow(
            display, QStringLiteral(IDEMDESK), { u"--connect"_s, conninfo }, round == 5 ? &resident : nullptr);
        const double their = timeToWindow(display, peer, {}, nullptr);
        if (round > 0) { // the first round warms the caches
            ours += our;
            theirs += their;
        }
    }
    std::sort(ours.begin(), ours.end());
    std::sort(theirs.begin(), theirs.end());
    report.ratio(u"window visible after start, warm"_s, bench::median(ours), u"DB Browser for SQLite"_s,
        bench::median(theirs), 1.0);
    report.figure(u"memory with the window and a first page"_s, resident, u"MiB"_s, 90);
    server.terminate();
    server.waitForFinished(5'000);
}

void runWindow(bench::Report &report, const QStringList &arguments)
{
    const bench::LargeServer server(report, arguments);
    measureWindow(report, server.conninfo());
    measureStart(report, server.conninfo());
}

const bool registered
    = bench::add({ u"window"_s, u"memory, stalls and start-up of the window on a large table"_s, runWindow });

} // namespace
