// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/demo/demo.h"

#include <QObject>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace idemdesk::models {
class Preparation;
}

namespace idemdesk::app {

/// Starts the demo for a window that is up already, and ends it with the window. A thread of its own does the work and
/// lives as long as this object: the demo's server and services are tied to it.
class DemoStarter final : public QObject
{
    Q_OBJECT

public:
    /// preparation: is told the steps; its buttons cancel and start again.
    DemoStarter(models::Preparation *preparation, QString folder, QObject *parent = nullptr);
    /// As end(), without a word.
    ~DemoStarter() override;

    void start();
    /// Gives up a start that is under way, and stops the demo if it was started here. Blocks until nothing of it is
    /// left: for the time after the window is gone.
    sql::Result<void> end();

signals:
    void ready(const idemdesk::app::DemoStatus &started);
    void failed(const idemdesk::sql::Error &error);

private:
    void keep(); ///< the thread's body
    void startDemo(const std::stop_token &stop);
    void onStarted(const sql::Result<DemoStatus> &started);

    models::Preparation *m_preparation;
    QString m_folder;
    std::mutex m_guard; ///< of what follows
    std::condition_variable m_wake;
    std::stop_source m_stop; ///< of the start wanted or under way
    bool m_wanted = false;
    bool m_ending = false;
    bool m_ours = false; ///< the thread's own: the demo was started by it
    sql::Result<void> m_ended;
    std::thread m_thread; ///< last: it uses all the others
};

} // namespace idemdesk::app
