// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/demo_starter.h"

#include "models/preparation.h"

#include <utility>

namespace idemdesk::app {

using models::Preparation;

DemoStarter::DemoStarter(Preparation *preparation, QString folder, QObject *parent)
    : QObject(parent)
    , m_preparation(preparation)
    , m_folder(std::move(folder))
    , m_thread([this] { keep(); })
{
    connect(preparation, &Preparation::cancelRequested, this, [this] {
        const std::lock_guard lock(m_guard);
        m_stop.request_stop();
    });
    connect(preparation, &Preparation::retryRequested, this, &DemoStarter::start);
}

DemoStarter::~DemoStarter()
{
    static_cast<void>(end());
}

void DemoStarter::start()
{
    m_preparation->begin(tr("Making the demo"),
        tr("A private database with a month of made-up history, for you alone. The first time takes about ten "
           "seconds."));
    const std::lock_guard lock(m_guard);
    m_stop = {};
    m_wanted = true;
    m_wake.notify_one();
}

sql::Result<void> DemoStarter::end()
{
    if (!m_thread.joinable()) {
        return m_ended;
    }
    {
        const std::lock_guard lock(m_guard);
        m_ending = true;
        m_stop.request_stop();
        m_wake.notify_one();
    }
    m_thread.join();
    return m_ended;
}

void DemoStarter::keep()
{
    std::unique_lock lock(m_guard);
    for (;;) {
        m_wake.wait(lock, [this] { return m_wanted || m_ending; });
        if (m_ending) {
            break;
        }
        m_wanted = false;
        const std::stop_token stop = m_stop.get_token();
        lock.unlock();
        startDemo(stop);
        lock.lock();
    }
    lock.unlock();
    if (m_ours) {
        m_ended = Demo(m_folder).stop();
    }
}

void DemoStarter::startDemo(const std::stop_token &stop)
{
    Demo::Options options;
    options.life = Demo::Life::Tied;
    options.stop = stop;
    options.progress = [this](const QList<DemoStep> &steps) {
        QList<Preparation::Step> shown;
        for (const DemoStep &step : steps) {
            shown.append({ step.text, static_cast<Preparation::Step::State>(step.state) });
        }
        QMetaObject::invokeMethod(this, [this, shown] { m_preparation->setSteps(shown); });
    };
    const auto started = Demo(m_folder).start(options);
    m_ours = started.ok() && started->startedHere;
    QMetaObject::invokeMethod(this, [this, started] { onStarted(started); });
}

void DemoStarter::onStarted(const sql::Result<DemoStatus> &started)
{
    if (started.ok()) {
        emit ready(*started);
        m_preparation->finish();
    } else if (started.error().kind == sql::ErrorKind::Cancelled) {
        m_preparation->setCancelled();
    } else {
        m_preparation->fail(started.error());
        emit failed(started.error());
    }
}

} // namespace idemdesk::app

#include "moc_demo_starter.cpp"
