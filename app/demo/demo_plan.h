// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/demo/demo.h"

#include <mutex>

namespace idemdesk::app {

/// The steps of one start, told to whoever listens. Several threads work through it.
class DemoPlan
{
public:
    explicit DemoPlan(std::function<void(const QList<DemoStep> &)> listener)
        : m_listener(std::move(listener))
    {
    }

    /// Adds a step that waits; gives its number.
    int add(const QString &text)
    {
        const std::lock_guard lock(m_guard);
        m_steps.append({ text, DemoStep::State::Waiting });
        return static_cast<int>(m_steps.size()) - 1;
    }
    void begin(int step) { set(step, DemoStep::State::Running); }
    void end(int step) { set(step, DemoStep::State::Done); }

private:
    void set(int step, DemoStep::State state)
    {
        const std::lock_guard lock(m_guard); // held while it is told: one listener at a time
        m_steps[step].state = state;
        if (m_listener) {
            m_listener(m_steps);
        }
    }

    std::function<void(const QList<DemoStep> &)> m_listener;
    std::mutex m_guard;
    QList<DemoStep> m_steps;
};

} // namespace idemdesk::app
