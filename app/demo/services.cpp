// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/demo/services.h"

#include <chrono>

namespace idemdesk::app {

namespace {

qint64 monotonicSeconds()
{
    return std::chrono::duration_cast<std::chrono::seconds>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

} // namespace

Service::Service(Services &home, QByteArray name)
    : m_home(home)
    , m_name(std::move(name))
    , m_random(std::random_device {}())
{
}

Service::~Service() = default;

void Service::run()
{
    while (!m_home.stopping()) {
        if (!m_link.alive()) {
            const auto opened = m_link.open(conninfo(), m_name);
            if (!opened) {
                m_home.pause(1'000);
                continue;
            }
        }
        m_home.contact();
        const int rest = work();
        if (m_link.inTransaction()) {
            done("ROLLBACK");
        }
        m_home.pause(rest);
    }
    m_link.close();
}

DemoLink::Rows Service::rows(const QByteArray &sql, const Values &values)
{
    if (!m_link.alive() || m_home.stopping()) {
        m_lastState = "08003";
        return {};
    }
    auto answer = m_link.run(sql, values);
    m_lastState = answer ? QByteArray() : answer.error().sqlState.toLatin1();
    if (!answer) {
        if (m_lastState.isEmpty()) {
            m_lastState = "08006";
        }
        return {};
    }
    return std::move(*answer);
}

bool Service::done(const QByteArray &sql, const Values &values)
{
    rows(sql, values);
    return m_lastState.isEmpty();
}

bool Service::pause(int milliseconds) const
{
    return m_home.pause(milliseconds);
}

QByteArray Service::uuid()
{
    const quint64 high = m_random();
    const quint64 low = m_random();
    const QByteArray digits
        = QByteArray::number(high, 16).rightJustified(16, '0') + QByteArray::number(low, 16).rightJustified(16, '0');
    return digits.left(8) + '-' + digits.mid(8, 4) + "-4" + digits.mid(13, 3) + "-9" + digits.mid(17, 3) + '-'
        + digits.right(12);
}

QString Service::conninfo() const
{
    return m_home.conninfo();
}

Services::Services(QString conninfo, QString console)
    : m_conninfo(std::move(conninfo))
    , m_console(std::move(console))
    , m_lastContact(monotonicSeconds())
{
}

Services::~Services()
{
    stop();
}

void Services::start()
{
    m_services.push_back(makeOrderService(*this, "orders-1"));
    m_services.push_back(makeOrderService(*this, "orders-2"));
    m_services.push_back(makePublisher(*this));
    m_services.push_back(makeAccountant(*this, "accounts-1"));
    m_services.push_back(makeAccountant(*this, "accounts-2"));
    m_services.push_back(makeReaper(*this));
    m_services.push_back(makeInboxService(*this));
    m_services.push_back(makeClerk(*this));
    m_services.push_back(makeChargeService(*this));
    m_services.push_back(makeSampler(*this));
    for (const auto &service : m_services) {
        m_threads.emplace_back([&service] { service->run(); });
    }
}

void Services::stop()
{
    {
        const std::lock_guard lock(m_guard);
        m_stopping = true;
    }
    m_wake.notify_all();
    for (const auto &service : m_services) {
        service->interrupt();
    }
    for (std::thread &thread : m_threads) {
        thread.join();
    }
    m_threads.clear();
    m_services.clear();
}

bool Services::pause(int milliseconds)
{
    std::unique_lock lock(m_guard);
    m_wake.wait_for(lock, std::chrono::milliseconds(milliseconds), [this] { return m_stopping.load(); });
    return !m_stopping;
}

void Services::contact()
{
    m_lastContact = monotonicSeconds();
}

int Services::secondsWithoutServer() const
{
    return static_cast<int>(monotonicSeconds() - m_lastContact);
}

} // namespace idemdesk::app
