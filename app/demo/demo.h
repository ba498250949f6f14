// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/result.h"

#include <QString>
#include <functional>
#include <optional>

namespace idemdesk::app {

/// What a demo is doing now.
struct DemoStatus {
    bool running = false; ///< its server takes connections
    bool loaded = false; ///< its tables and their history are there
    bool workload = false; ///< its services are at work
    QString folder; ///< where its data, socket and log are
    QString conninfo; ///< for the console: an ordinary role that may read everything; not empty while it runs
    qint64 serverPid = 0;
    qint64 workloadPid = 0;
};

/// The demo: a private cluster with the shipped profiles' tables, 30 days of history, and services at work.
/// Every function is synchronous and may take seconds: not for a window's thread once its window is up.
class Demo
{
public:
    /// Whether the demo ends with this process.
    enum class Life {
        Own, ///< it stays until stop(), as `idemdeskctl demo start` leaves it
        Tied ///< it dies with the thread that called start(), however that ends: call it on the main thread
    };

    struct Options {
        Life life = Life::Own;
        bool workload = true;
        /// Gets a finished sentence before each longer step.
        std::function<void(const QString &)> progress = {};
    };

    /// folder: of the cluster; the default is this user's.
    explicit Demo(QString folder = defaultFolder());
    static QString defaultFolder();

    /// Makes what is missing and starts what does not run. A demo that runs already is a success and stays as it is,
    /// tied or not; history older than half a day is made anew when nothing runs.
    sql::Result<DemoStatus> start(const Options &options);
    /// Stops the services, then the server. The data stay for the next start. Not running is a success.
    sql::Result<void> stop();
    /// Stops it and removes its folder.
    sql::Result<void> destroy();
    DemoStatus status() const;

private:
    sql::Result<void> startWorkload(Life life) const;
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
