// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/session/session.h"
#include "sql/types/action.h"
#include "sql/types/triage.h"

namespace idemdesk::sql {

// Actions on registered targets, through the functions of the console schema alone. Each call is one transaction.
// ErrorKind::Refused carries the console's own rules (SQLSTATE ID001…), with the server's sentence and hint.

struct ActionRequest {
    QString id; ///< a fresh UUID, made by the console; the same request again observes
    QString target;
    ActionVerb verb = ActionVerb::Recover;
    QString reason;
    QString ticket;
    QString profileSha; ///< of the registered target at the preview
    QList<FrozenRow> rows; ///< empty for a purge
    std::optional<PurgePlan> purge;
    std::optional<ActionGroup> group = {}; ///< the trail keeps it; nothing: it is about this database alone
    QString winner = {}; ///< of an align: the label of the member whose rows stand
};

Result<ActionRecord> openAction(Session &session, const ActionRequest &request);
/// What is asked for to put an action's rows back.
struct UndoRequest {
    QString id; ///< of the undo, made by the caller
    QString of; ///< the action that is undone
    QString reason;
    QString ticket;
};
Result<ActionRecord> openUndo(Session &session, const UndoRequest &request);
/// Paused, Running or Cancelled.
Result<ActionRecord> setAction(Session &session, const QString &id, ActionState state, const QString &note);
/// Asks that the tables of a restored database be taken for those that the console knew; needs idemdesk_admin. Another
/// person approves it.
Result<ActionRecord> askAdoption(Session &session, const QString &id, const QString &reason, const QString &ticket);
Result<ActionRecord> approveAction(Session &session, const QString &id, bool approve, const QString &note);

/// The next batch of an open action, by its verb. `batch` is lastBatch + 1, or one whose answer was lost. Says that the
/// connection was lost while this batch ran, so that a row that ends each connection is found and passed by. The answer
/// is that of the batch where the server did so; else its batch is 0, and the batch is to be tried again.
Result<BatchResult> noteLost(Session &session, const QString &id, int batch, int limit);
Result<BatchResult> runBatch(Session &session, const ActionRecord &action, int batch, int limit);

/// One action, or nothing where it never was.
Result<std::optional<ActionRecord>> readAction(Session &session, const QString &id);

struct ActionFilter {
    QString person;
    QString target;
    std::optional<ActionVerb> verb;
    std::optional<ActionState> state;
    std::optional<Timestamp> since;
    std::optional<Timestamp> until;
    QString group = {}; ///< id of an action over a group
    QString reasonOrTicket; ///< contains
    bool openOnly = false; ///< asked for, running or paused
    int limit = 200;
};
/// How many of an action's rows were put back by undos of it so far.
Result<qint64> readPutBack(Session &session, const QString &id);

/// Newest first.
Result<QList<ActionRecord>> readActions(Session &session, const ActionFilter &filter);
/// The rows that an action was asked for, in its order; none of a purge, whose rows its plan says.
Result<QList<AskedRow>> readAskedRows(Session &session, const QString &id, int limit);
Result<QList<ActionItem>> readItems(Session &session, const QString &id, int afterBatch, int afterOrdinal, int limit);

/// Who touched a key.
struct KeyTouch {
    QString action; ///< or the id of a release
    bool release = false; ///< of its claim in the cache: then it has no verb, and its outcome is that of a release
    ActionVerb verb = ActionVerb::Recover;
    QString who;
    QString approvedBy;
    Timestamp at;
    QString reason;
    QString ticket;
    QString outcome;
    QString detail;
    QString undoneBy;
};
Result<QList<KeyTouch>> readTouches(Session &session, const QString &target, const Cells &identity);

/// A partition that holds nothing but finished rows past their retention is detached whole, by the server's own look
/// under its lock; attached again to undo it; dropped once its hold is over. Each is one finished action. Only where
/// the runner is a member of the table's owner: else ErrorKind::Refused, and the owner runs PartitionFacts::script.
struct PartitionRequest {
    ActionVerb verb = ActionVerb::Detach; ///< Detach, Attach or Drop
    QString id; ///< a fresh UUID; the same request again observes
    QString target;
    QString partition; ///< quoted, qualified
    Timestamp cutoff; ///< of a detach
    QString reason;
    QString ticket;
};
/// Where more rows are meant than one person may take, the answer is Requested. Once another person approved it, the
/// same call under that action's id carries it out: approvedRequest() finds it. A table in use is a LockTimeout, and
/// its detail names who uses it.
Result<ActionRecord> changePartition(Session &session, const PartitionRequest &request);

/// The same request of this login that another person approved meanwhile; where there is none, the request itself.
Result<PartitionRequest> approvedRequest(Session &session, PartitionRequest request);

/// Partitions that were detached and not dropped yet.
struct DetachedPartition {
    QString name;
    QString bounds;
    qint64 rows = 0;
    Timestamp detachedAt;
    Timestamp dropAfter;
};
Result<QList<DetachedPartition>> readDetached(Session &session, const QString &target);

/// Ends undo windows; gives the partitions that were dropped.
Result<QStringList> maintain(Session &session);

/// What speaks against another batch right now (reliability 2.3). Unreadable is not healthy.
struct Pressure {
    bool hold = false;
    bool unreadable = false; ///< some sign could not be read: go on at the slowest pace
    QStringList reasons; ///< whole sentences
    int lockWaits = 0; ///< sessions that wait for a lock on the table
    bool vacuum = false; ///< it, or an index build, works on the table
    std::optional<double> lagSeconds = {}; ///< of the standby that is furthest behind; nothing: there is none
    bool lagHolds = false; ///< it is too far behind
};
/// For the table of this action; asked between its batches.
Result<Pressure> readPressure(Session &session, const QString &action);

} // namespace idemdesk::sql
