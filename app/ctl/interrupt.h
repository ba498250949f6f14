// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <functional>
#include <stop_token>
#include <thread>

class QSocketNotifier;

namespace idemdesk::app {

/// Calls a function on the main thread's event loop at Ctrl-C (SIGINT) or SIGTERM, while it lives. A second signal ends
/// the program as it would without this. One at a time.
class Interrupt final : public QObject
{
public:
    explicit Interrupt(std::function<void()> handler, QObject *parent = nullptr);
    ~Interrupt() override;

private:
    std::function<void()> m_handler;
    QSocketNotifier *m_notifier;
};

/// Asks work that blocks the main thread to stop at Ctrl-C (SIGINT) or SIGTERM, while it lives. A second signal ends
/// the program at once. One at a time.
class StopAtSignal final
{
public:
    explicit StopAtSignal(const QString &told = {}); ///< told: on standard error, once it was asked to stop
    ~StopAtSignal();
    StopAtSignal(const StopAtSignal &) = delete;
    StopAtSignal &operator=(const StopAtSignal &) = delete;

    std::stop_token token() const { return m_stop.get_token(); }

private:
    std::stop_source m_stop;
    std::thread m_thread; ///< waits for the signal's word
};

} // namespace idemdesk::app
