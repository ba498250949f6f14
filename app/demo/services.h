// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/demo/demo_link.h"

#include <QString>
#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <random>
#include <thread>
#include <vector>

namespace idemdesk::app {

class Services;

/// One service of the demo: a thread with a connection that does small pieces of work, some of them badly.
class Service
{
public:
    Service(Services &home, QByteArray name);
    virtual ~Service();
    Service(const Service &) = delete;
    Service &operator=(const Service &) = delete;

    void run(); ///< the thread's body
    void interrupt() { m_link.cancel(); }

protected:
    /// As whom it works; as the demo's service unless it says otherwise.
    virtual QString conninfo() const;
    /// One piece of work; gives the pause after it, in milliseconds. What fails is simply not done, as in real life.
    virtual int work() = 0;

    using Values = QList<QByteArray>;
    /// The rows; none where it failed. lastState() tells.
    DemoLink::Rows rows(const QByteArray &sql, const Values &values = {});
    bool done(const QByteArray &sql, const Values &values = {});
    QByteArray lastState() const { return m_lastState; }
    /// What a killed worker leaves behind: whatever was committed, and no word more.
    void crash() { m_link.close(); }
    bool pause(int milliseconds) const; ///< false when the services stop

    bool chance(double share) { return std::uniform_real_distribution<>(0, 1)(m_random) < share; }
    int number(int from, int to) { return std::uniform_int_distribution<>(from, to)(m_random); }
    QByteArray uuid();
    const QByteArray &name() const { return m_name; }
    const Services &home() const { return m_home; }

private:
    Services &m_home;
    QByteArray m_name;
    DemoLink m_link;
    QByteArray m_lastState;
    std::mt19937_64 m_random;
};

/// All services of a demo, together.
class Services
{
public:
    /// console: of a login that may take samples.
    Services(QString conninfo, QString console);
    ~Services();
    Services(const Services &) = delete;
    Services &operator=(const Services &) = delete;

    void start();
    void stop(); ///< cancels what runs and waits for every thread

    // For the services themselves, from their threads:
    QString conninfo() const { return m_conninfo; }
    QString consoleConninfo() const { return m_console; }
    bool pause(int milliseconds);
    bool stopping() const { return m_stopping; }
    void contact(); ///< the server answered

    /// How long no service has reached the server.
    int secondsWithoutServer() const;

private:
    const QString m_conninfo;
    const QString m_console;
    std::vector<std::unique_ptr<Service>> m_services;
    std::vector<std::thread> m_threads;
    std::mutex m_guard;
    std::condition_variable m_wake;
    std::atomic_bool m_stopping = false;
    std::atomic<qint64> m_lastContact;
};

// The shop (orders.cpp): claims, conflicts, hot keys, crashes; the publisher of its outbox; and who kills backends.
std::unique_ptr<Service> makeOrderService(Services &home, const QByteArray &name);
std::unique_ptr<Service> makePublisher(Services &home);
std::unique_ptr<Service> makeReaper(Services &home);
std::unique_ptr<Service> makeAccountant(
    Services &home, const QByteArray &name); ///< two of them are in each other's way
// The case office and the charges (messages.cpp).
std::unique_ptr<Service> makeInboxService(Services &home);
std::unique_ptr<Service> makeClerk(Services &home);
std::unique_ptr<Service> makeChargeService(Services &home);

/// What cron is elsewhere (sampler.cpp): a sample of each registered table, each minute.
std::unique_ptr<Service> makeSampler(Services &home);

} // namespace idemdesk::app
