// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/result.h"

#include <QList>
#include <QString>
#include <functional>
#include <optional>
#include <stop_token>

namespace idemdesk::app {

class DemoPlan;

/// What a demo is doing now.
struct DemoStatus {
    bool running = false; ///< its server takes connections
    bool loaded = false; ///< its tables and their history are there
    bool workload = false; ///< its services are at work
    QString folder; ///< where its data, socket and log are
    QString conninfo; ///< for the console: an ordinary role that may read everything; not empty while it runs
    qint64 serverPid = 0;
    qint64 workloadPid = 0;
    QString cache; ///< address of its Redis, as --cache takes it; empty: it has none
    QString statement; ///< file of its provider; empty: it was not written
    bool startedHere = false; ///< of start(): by this call, so whoever made it ends the demo; else it ran before
};

/// One step of a start.
struct DemoStep {
    enum class State { Waiting, Running, Done };
    QString text; ///< a finished sentence
    State state = State::Waiting;
};

/// The demo: a private cluster with the shipped profiles' tables, 30 days of history, and services at work; where
/// redis-server is installed, a Redis in front of it; and the statement of a provider behind it.
/// Every function is synchronous and may take seconds: not for a window's thread.
class Demo
{
public:
    /// Whether the demo ends with this process.
    enum class Life {
        Own, ///< it stays until stop(), as `idemdeskctl demo start` leaves it
        Tied ///< it dies with the thread that called start(), however that ends: call it on one that lives on
    };

    struct Options {
        Life life = Life::Own;
        bool workload = true;
        /// Gets all steps known so far whenever one begins or ends; two may run at once. Called from several threads,
        /// one at a time.
        std::function<void(const QList<DemoStep> &)> progress = {};
        /// Asked to stop, a start ends soon with ErrorKind::Cancelled.
        std::stop_token stop = {};
    };

    /// folder: of the cluster; the default is this user's.
    explicit Demo(QString folder = defaultFolder());
    static QString defaultFolder();

    /// Makes what is missing and starts what does not run. A demo that runs already is a success and stays as it is,
    /// tied or not; history older than half a day is made anew when nothing runs. A start that fails or is stopped
    /// leaves nothing running that it started, and no database that a later start would take for whole.
    sql::Result<DemoStatus> start(const Options &options);
    /// Stops the services, then the server. The data stay for the next start. Not running is a success.
    sql::Result<void> stop();
    /// Stops it and removes its folder.
    sql::Result<void> destroy();
    DemoStatus status() const;

private:
    sql::Result<DemoStatus> startHere(const Options &options, DemoPlan &plan) const;
    QString statementFile() const { return m_folder + QStringLiteral("/charges.csv"); }
    static int addBeside(DemoPlan &plan);
    sql::Result<void> makeBeside(const Options &options, const QString &conninfo, DemoPlan &plan, int step) const;
    sql::Result<void> startWorkload(Life life, const std::stop_token &stop) const;
    sql::Result<void> stopWorkload() const;

    QString m_folder;
};

/// The status of this user's demo in its default folder.
DemoStatus demoStatus();

/// The services run as a process of their own: Demo::start() runs this same program again. So every program that starts
/// a demo begins its main() with: if (const auto status = app::runDemoWorkload(argc, argv)) { return *status; }
/// Gives nothing where the arguments are not those of a workload.
std::optional<int> runDemoWorkload(int argc, char **argv);

} // namespace idemdesk::app
