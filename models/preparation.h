// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/error.h"

#include <QElapsedTimer>
#include <QList>
#include <QObject>
#include <QString>
#include <optional>

namespace idemdesk::models {

/// Something that must be made before there is anything to connect to, with its steps: for the page that stands in for
/// all others meanwhile. It knows nothing of what is made; whoever makes it fills it in, on the GUI thread.
class Preparation final : public QObject
{
    Q_OBJECT

public:
    enum class State { Idle, Working, Cancelling, Cancelled, Failed, Ready };

    struct Step {
        enum class State { Waiting, Running, Done };
        QString text; ///< a finished sentence
        State state = State::Waiting;
    };

    explicit Preparation(QObject *parent = nullptr);

    /// title: what is made; explanation: a sentence or two under it.
    void begin(const QString &title, const QString &explanation);
    void setSteps(const QList<Step> &steps);
    void setCancelled();
    void fail(const sql::Error &error);
    void finish();

    /// What the page's buttons do.
    void cancel();
    void retry();

    State state() const { return m_state; }
    /// Whether its page stands in front of the others: from the beginning until it is ready.
    bool shown() const { return m_state != State::Idle && m_state != State::Ready; }
    const QString &title() const { return m_title; }
    const QString &explanation() const { return m_explanation; }
    const QList<Step> &steps() const { return m_steps; }
    int stepsDone() const;
    const std::optional<sql::Error> &error() const { return m_error; }
    int seconds() const; ///< since it began; stands still when it ended

signals:
    void changed();
    void cancelRequested();
    void retryRequested();

private:
    void end(State state);

    State m_state = State::Idle;
    QString m_title;
    QString m_explanation;
    QList<Step> m_steps;
    std::optional<sql::Error> m_error;
    QElapsedTimer m_clock;
    qint64 m_took = 0;
};

} // namespace idemdesk::models
