// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/actions/action_journal.h"
#include "models/actions/batch_pace.h"
#include "models/actions/progress_rate.h"
#include "sql/actions/action_gateway.h"

#include <QElapsedTimer>
#include <QObject>
#include <QPointer>
#include <QTimer>
#include <optional>

namespace idemdesk::sql {
class Database;
}

namespace idemdesk::models {

/// Runs one action: opens it, asks for its batches one after another on the write lane, holds off while the server is
/// under pressure, and settles by the action's id whatever a lost connection left open. Each batch is one transaction
/// of the server, and one that was done is only observed when it is asked for again, so nothing is ever done twice.
/// Lives on the GUI thread; the database must outlive it or be set to null.
class ActionRunner final : public QObject
{
    Q_OBJECT

public:
    /// Starting: open_action is under way. Asking: waits for approval. Finding: an answer was lost; the action is
    /// looked up. Holding: the server is under pressure. Stopped: an error ended the run; the action itself is paused
    /// or open.
    enum class Stage { Idle, Starting, Asking, Running, Holding, Finding, Pausing, Paused, Cancelling, Stopped, Ended };

    explicit ActionRunner(sql::Database *database, QString journalPath, QObject *parent = nullptr);
    ~ActionRunner() override;

    /// Pauses between batches and the look at the server's pressure; on unless a person chose otherwise.
    void setThrottled(bool throttled) { m_throttled = throttled; }
    void setBatchDeadline(int milliseconds) { m_batchDeadlineMs = milliseconds; } ///< tests do not wait half a minute

    void start(const sql::ActionRequest &request);
    /// verb: of what is undone; it says how large the first batch may be.
    void startUndo(
        const QString &id, const QString &of, const QString &reason, const QString &ticket, sql::ActionVerb verb);
    /// What became of what another person was asked to approve, where it has ended.
    void learn(const sql::ActionRecord &action);
    /// Takes over an open action: one that waited for approval, was paused, or whose console went away.
    void takeOver(const sql::ActionRecord &action);
    void pause();
    void resume();
    void cancel(); ///< takes effect within a second: a batch that is under way is given up and rolled back
    /// The same; and where the action must be looked up, that ends soon, too, with Stopped and lost(). What the server
    /// has of it stays there.
    void cancelOrGiveUp();

    /// Whether the server has the action: nothing where an answer was lost and it could not be looked up.
    std::optional<bool> begun() const;
    bool lost() const { return m_lost; } ///< looking it up was given up: how far it came is not known
    bool givingUp() const { return m_giveUpTimer.isActive(); } ///< a last try is made
    /// Why looking it up got no answer, the newest try; nothing before it failed once.
    const std::optional<sql::Error> &lookUpError() const { return m_lookUpError; }
    qint64 lookingSeconds() const; ///< since the answer was lost; 0 where nothing is looked up

    Stage stage() const { return m_stage; }
    const sql::ActionRecord &action() const { return m_action; } ///< as the server last said
    const std::optional<sql::Error> &error() const { return m_error; }
    bool throttled() const { return m_throttled; }
    /// What the newest look at the server's pressure showed; nothing where none was taken, or it could not be read.
    const std::optional<sql::Pressure> &pressure() const { return m_pressure; }
    const QStringList &holdReasons() const { return m_holdReasons; }
    const QList<sql::RowOutcome> &outcomes() const { return m_outcomes; } ///< of this run, but not of a purge
    double rowsPerSecond() const
    {
        return m_rate.perSecond(m_clock.elapsed());
    } ///< of late, pauses between batches included
    qint64 secondsLeft() const; ///< -1: cannot say, or not yet
    bool sweeping() const { return m_sweeping; } ///< a purge looks for rows that were locked before
    bool active() const; ///< something more will happen by itself

signals:
    void changed();
    void ended(); ///< finished, cancelled or declined

private:
    void open();
    void step(); ///< what comes next
    void checkPressure();
    void runNext();
    void onBatch(const sql::Result<sql::BatchResult> &result);
    void onOpened(const sql::Result<sql::ActionRecord> &result);
    void takeState(sql::ActionState state);
    void change(sql::ActionState wanted, const QString &note);
    void findOut();
    void lookUpLater(const sql::Error &error);
    void foundOut();
    void onAbsent();
    void takeFound(const sql::ActionRecord &action);
    void giveUp();
    void stop(const sql::Error &error);
    void setStage(Stage stage);
    QString view() const;

    QPointer<sql::Database> m_database;
    ActionJournal m_journal;
    bool m_throttled = true;
    Stage m_stage = Stage::Idle;
    std::optional<sql::ActionRequest> m_request; ///< until it is known to be open
    std::optional<sql::UndoRequest> m_undo; ///< until it is known to be open
    sql::ActionRecord m_action;
    std::optional<sql::Error> m_error;
    QStringList m_holdReasons;
    std::optional<sql::Pressure> m_pressure;
    QList<sql::RowOutcome> m_outcomes;
    BatchPace m_pace;
    bool m_sweeping = false;
    bool m_pauseWanted = false;
    bool m_cancelWanted = false;
    bool m_batchUnderWay = false;
    bool m_openingLost = false; ///< the answer to opening it never came
    int m_timeouts = 0; ///< in a row
    int m_lostBatch = 0; ///< the batch in which the connection was lost last
    int m_lostTimes = 0; ///< in that batch, in a row
    int m_lookUps = 0; ///< in a row, without an answer
    int m_lookUp = 0; ///< another one for each look-up: an answer that nobody waits for is not heard
    bool m_lost = false;
    bool m_mayGiveUp = false; ///< a server that does not answer is not waited for
    std::optional<sql::Error> m_lookUpError;
    QElapsedTimer m_looking; ///< since the answer was lost; invalid where nothing is looked up
    ProgressRate m_rate;
    QElapsedTimer m_clock;
    QElapsedTimer m_sinceCheck;
    int m_batchDeadlineMs = 30'000; ///< for an answer; then the batch is cut off and looked up
    QTimer m_timer; ///< the next step
    QTimer m_lookTimer; ///< the next look-up
    QTimer m_giveUpTimer; ///< ends the looking-up; not active where it goes on until there is an answer
    QTimer m_cutTimer; ///< gives up a batch that keeps a cancel waiting
};

} // namespace idemdesk::models
