// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/preparation.h"

#include <algorithm>

namespace idemdesk::models {

Preparation::Preparation(QObject *parent)
    : QObject(parent)
{
}

void Preparation::begin(const QString &title, const QString &explanation)
{
    m_title = title;
    m_explanation = explanation;
    m_steps.clear();
    m_error.reset();
    m_clock.start();
    m_state = State::Working;
    emit changed();
}

void Preparation::setSteps(const QList<Step> &steps)
{
    m_steps = steps;
    emit changed();
}

void Preparation::setCancelled()
{
    end(State::Cancelled);
}

void Preparation::fail(const sql::Error &error)
{
    m_error = error;
    end(State::Failed);
}

void Preparation::finish()
{
    end(State::Ready);
}

void Preparation::end(State state)
{
    m_took = m_clock.isValid() ? m_clock.elapsed() : 0;
    m_state = state;
    emit changed();
}

void Preparation::cancel()
{
    if (m_state == State::Working) {
        m_state = State::Cancelling;
        emit changed();
        emit cancelRequested();
    }
}

void Preparation::retry()
{
    if (m_state == State::Cancelled || m_state == State::Failed) {
        emit retryRequested();
    }
}

int Preparation::stepsDone() const
{
    return static_cast<int>(std::count_if(
        m_steps.cbegin(), m_steps.cend(), [](const Step &step) { return step.state == Step::State::Done; }));
}

int Preparation::seconds() const
{
    const bool runs = m_state == State::Working || m_state == State::Cancelling;
    return static_cast<int>((runs ? m_clock.elapsed() : m_took) / 1'000);
}

} // namespace idemdesk::models

#include "moc_preparation.cpp"
