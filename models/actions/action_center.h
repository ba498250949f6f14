// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/actions/action_runner.h"
#include "models/actions/actions_model.h"
#include "models/actions/decision.h"
#include "models/actions/partition_change.h"
#include "models/request/request.h"
#include "sql/types/action.h"

#include <QDeadlineTimer>
#include <QObject>
#include <QPointer>
#include <QTimer>
#include <memory>

namespace idemdesk::models {

/// The actions of one window: whether this login may act and why not, the one that runs here, those that others left
/// open, and the history. Lives on the GUI thread.
class ActionCenter final : public QObject
{
    Q_OBJECT

public:
    explicit ActionCenter(QString journalPath, QObject *parent = nullptr);
    ~ActionCenter() override;

    /// How long actions stay allowed on a production connection once a person said so, in minutes.
    static constexpr int kAllowedMinutes = 15;

    /// readOnly: the person marked the connection as such. guarded: a person must allow actions first, and for a time
    /// only.
    void setDatabase(sql::Database *database, bool readOnly, bool guarded);
    sql::Database *database() const; ///< on which actions run; null: none
    QString place() const; ///< "orders on db1:5432 as op": where they run; safe to show
    /// What is known of the primary where this server is a standby: sentences, or nothing.
    void setPrimaryNote(const QString &note);
    /// Reads the console's state, the open actions and the history again.
    void refresh();
    void readLists(); ///< only the open actions and the history

    bool mayAct() const { return whyNot().isEmpty(); }
    QString whyNot() const; ///< a sentence, empty where this login may act
    /// Everything but a person's word is there: allow() gives it.
    bool mayBeAllowed() const { return m_guarded && m_whyNot.isEmpty() && !standby() && secondsAllowed() == 0; }
    void allow();
    void disallow();
    int secondsAllowed() const; ///< left on a guarded connection; 0 where actions are not allowed
    bool guarded() const { return m_guarded; }
    /// Nothing can be written on this server: no installing, registering or granting helps, only its primary does.
    bool standby() const;
    bool consoleInstalled() const
    {
        return m_status.installedVersion != 0;
    } ///< also where this login may not look at it
    /// The schema is there, and a grant is all this login lacks; refresh() sees it once it is given.
    bool rightsMissing() const
    {
        return m_statusKnown && consoleInstalled() && (!m_status.readable || !m_status.isOperator);
    }
    /// What a person may do so that a table can be acted on. No allowance helps a table that is not registered.
    enum class Remedy { None, Install, Register, Allow, LookAgain };
    Remedy remedy(bool registered) const;
    QString remedyText(bool registered) const; ///< on a button; empty where there is none
    const sql::ConsoleStatus &status() const { return m_status; }
    bool statusKnown() const { return m_statusKnown; }

    ActionRunner *runner() const { return m_runner.get(); } ///< null: none was started here
    bool running() const { return m_runner != nullptr && m_runner->active(); }
    /// The change of a partition that is under way here, or null.
    const PartitionChange *partitionChange() const { return m_change.get(); }
    bool busy() const { return running() || m_change != nullptr; } ///< nothing else can begin now
    /// Open actions that nobody in this window runs: of a console that went away, or of another person.
    const QList<sql::ActionRecord> &openElsewhere() const { return m_open; }
    /// The open action on a partition of a target, or null.
    const sql::ActionRecord *openOnPartition(const QString &target, const QString &partition) const;
    /// This login asked for it.
    bool own(const sql::ActionRecord &action) const;
    /// Why this login cannot approve or decline it; empty where it can.
    QString whyNotDecide(const sql::ActionRecord &action) const;
    ActionsModel *history() const { return m_history; }
    void setTitles(const TargetTitles &titles);
    void setCached(const QStringList &targets); ///< names of the registered tables that have a cache before them
    /// What a person may have to do once this action has ended: a sentence or two; may be empty.
    QString hintAfter(const sql::ActionRecord &action) const;
    QString titleOf(const QString &target) const; ///< safe to show: of the table registered under this name
    /// Of the last decision (it stays until the next one), else of the last reading.
    const std::optional<sql::Error> &error() const { return m_decisionError ? m_decisionError : m_error; }
    /// What an earlier run of this console asked for and never saw the end of, as sentences.
    const QStringList &leftBehind() const { return m_leftBehind; }

    // One action runs at a time; each of these is ignored while busy().
    void start(sql::ActionRequest request, bool throttled = true); ///< the id is made here
    /// Looks how many rows are still to be put back; undoPlanned() follows, or changed() with an error.
    void planUndo(const sql::ActionRecord &of);
    void undo(const sql::ActionRecord &of, const QString &reason, const QString &ticket);
    /// Goes on with an open action; one on a partition, which another person approved, is carried out.
    void takeOver(const sql::ActionRecord &action);
    void dismiss(); ///< forgets a runner that ended
    /// Reads anew what is to be decided on; decisionPlanned() follows, or changed() with an error.
    void planDecision(const QString &id, bool approve);
    void decide(const QString &id, bool approve, const QString &note);
    void cancelElsewhere(const QString &id);
    /// Detaches, attaches or drops; the id is made here. partitionChanged() or changed() with an error follows.
    void changePartition(const sql::PartitionRequest &request);

    void setHistoryFilter(const sql::ActionFilter &filter);

signals:
    void changed(); ///< status, open actions, errors
    void listsRead(); ///< open actions and the history are as the server has them now; changed() follows
    void allowanceChanged(); ///< each second while actions are allowed for a time
    void runnerChanged(); ///< another runner, or its progress
    void actionEnded(const QString &target); ///< rows of this target changed
    void partitionChanged(const QString &target);
    void undoPlanned(const idemdesk::sql::ActionRecord &of, qint64 rows);
    void decisionPlanned(const idemdesk::models::Decision &decision, bool approve);

private:
    void readStatus();
    void acceptStatus(const sql::ConsoleStatus &status);
    bool asks() const; ///< another person for approval
    void acceptAnswer(const std::optional<sql::ActionRecord> &asked);
    void acceptLists(const QList<sql::ActionRecord> &history, const QList<sql::ActionRecord> &open);
    void settleJournal();
    void maintainOnce();
    void makeRunner();
    void endPartitionChange(const QString &target, const sql::Result<sql::ActionRecord> &result);

    QString m_journalPath;
    QPointer<sql::Database> m_database;
    Request m_readingStatus { QStringLiteral("console-status") };
    Request m_readingLists { QStringLiteral("actions") };
    Request m_planningUndo { QStringLiteral("undo-plan") };
    Request m_planningDecision { QStringLiteral("decision") };
    bool m_readOnly = false;
    bool m_guarded = false;
    QDeadlineTimer m_allowedUntil;
    QTimer m_allowance;
    QTimer m_askedAgain;
    sql::ConsoleStatus m_status;
    bool m_statusKnown = false;
    QString m_login; ///< of the session that read the status: that of another lane may still be on its way
    bool m_maintained = false;
    QString m_whyNot;
    QString m_primaryNote;
    std::unique_ptr<ActionRunner> m_runner;
    std::unique_ptr<PartitionChange> m_change;
    QList<sql::ActionRecord> m_open;
    QStringList m_cached; ///< names of the tables with a cache before them
    ActionsModel *m_history;
    sql::ActionFilter m_filter;
    std::optional<sql::Error> m_error;
    std::optional<sql::Error> m_decisionError;
    QStringList m_leftBehind;
    quint64 m_connection = 0; ///< so that no answer of another one is taken
};

} // namespace idemdesk::models
