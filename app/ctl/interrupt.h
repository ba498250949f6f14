// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <functional>

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

} // namespace idemdesk::app
