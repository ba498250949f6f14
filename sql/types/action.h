// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/key_record.h"
#include "sql/types/target.h"

#include <QMap>
#include <QStringList>
#include <optional>

namespace idemdesk::sql {

/// Detach, Attach and Drop are about a whole partition and are over in one step; Limit and Adopt are over once
/// approved.
enum class ActionVerb { Recover, Requeue, Reclassify, Align, Purge, Undo, Detach, Attach, Drop, Limit, Adopt };
inline constexpr auto kAllVerbs = kAllOf<ActionVerb>;
QString verbName(ActionVerb verb); ///< "recover", …
std::optional<ActionVerb> verbFromName(const QString &name);

/// Where an action stands; Finding is the console's own word for a lost answer that is being looked up.
enum class ActionState { Requested, Running, Paused, Finished, Cancelled, Declined, Finding };
QString actionStateName(ActionState state);
std::optional<ActionState> actionStateFromName(const QString &name); ///< not Finding, which no server says

/// What can become of a row of an action; a partition counts as one row, under its verb.
enum class RowEnd {
    Done,
    Purged,
    Detached,
    Attached,
    Dropped,
    Changed,
    Locked,
    Gone,
    UniqueConflict,
    Check,
    Privilege,
    Refused,
    Evidence,
    WrongState,
    EmptyReplay,
    SchemaChanged,
    Error,
    Broke
};
/// By the server's word, such as "unique_conflict"; nothing for one that only a newer server says.
std::optional<RowEnd> rowEndFromName(const QString &name);

/// What became of one row of an action.
struct RowOutcome {
    int ordinal = 0;
    QString outcome; ///< the name of a RowEnd, or a newer server's word
    QString detail; ///< the server's words; hostile
};

/// A row of another region as it was seen, which an align puts in place of the one here. It is kept as evidence.
struct OtherRow {
    KeyState state = KeyState::Unknown;
    Cell fingerprint;
    std::optional<Timestamp> writtenAt; ///< as far as its profile tells it
    Cells values; ///< of the rule's columns, in their order
};

/// Databases that belong together, as an action in one of them was asked for in all.
struct ActionGroup {
    QString id; ///< one for all that one command does
    QString name; ///< of the group
    QString member; ///< the label of this one
};

/// One row of a frozen set: who it is and what the operator saw. Both are compared before anything is changed.
struct FrozenRow {
    Cells identity; ///< by profile.identity, as PostgreSQL printed them
    Cells guard; ///< by profile.guard
    int rule = -1; ///< index into CompiledTarget::rules
    Cell effectId; ///< what needs_effect bound, else NULL
    QString effectType;
    std::optional<OtherRow> other; ///< of an align
};

/// One rule as the server runs it.
struct CompiledRule {
    ActionVerb verb = ActionVerb::Recover;
    QList<KeyState> from;
    QStringList status;
    std::optional<KeyState> to; ///< nothing: the row is deleted
    QString needsEffect;
    QString forbidsEffect;
    bool live = false; ///< takes rows whose lease still runs as well
    QStringList copy; ///< columns that take the other region's value
};

/// A profile turned into the SQL that idemdesk.register_target() stores (sql/console/schema/11_registration.sql).
struct CompiledTarget {
    QByteArray json; ///< the whole of it
    QList<CompiledRule> rules; ///< as in the JSON: recover, requeue, reclassify, align
    QStringList purgeBy; ///< SQL each purge rule walks by; empty where it has none
};

/// A row of idemdesk.target.
struct RegisteredTarget {
    QString name;
    QString relation; ///< the table that actions change, as a profile writes it
    QByteArray profileJson;
    QString profileSha; ///< hex
    QByteArray compiledJson;
    std::optional<qint64> approvalAbove; ///< rows; the strictest limit of the table, its parts and what it is part of
    QString undoWindow; ///< as PostgreSQL prints an interval
    qint64 imageLimit = 0;
    QString registeredBy;
    Timestamp registeredAt;
    QList<Finding> findings;
};

/// A row of idemdesk.action.
struct ActionRecord {
    QString id;
    QString target;
    ActionVerb verb = ActionVerb::Recover;
    ActionState state = ActionState::Running;
    QString undoOf;
    QString requestedBy;
    Timestamp requestedAt;
    QString approvedBy;
    std::optional<Timestamp> approvedAt;
    std::optional<Timestamp> finishedAt;
    QString keepUntil; ///< date: till then it can be undone
    QString note; ///< why the server paused it
    QString reason;
    QString ticket;
    QByteArray planJson;
    qint64 plannedRows = 0;
    int lastBatch = 0;
    QMap<QString, qint64> counts; ///< outcome -> rows; "purged" for a purge
    bool open() const
    {
        return state == ActionState::Requested || state == ActionState::Running || state == ActionState::Paused;
    }
};

/// The answer of one batch.
struct BatchResult {
    int batch = 0;
    bool repeated = false; ///< it had been done before; nothing was changed now
    QMap<QString, qint64> counts; ///< of this batch
    QMap<QString, qint64> totals; ///< of the action so far
    QList<RowOutcome> outcomes; ///< of this batch; a purge has none
    ActionState state = ActionState::Running; ///< of the action after it
    QString note;
    qint64 planned = 0;
    bool sweep = false; ///< a purge is looking for rows that were locked before
    qint64 tookMicros = 0;
};

/// One item of an action with its images; values the reader may not read are NULL.
struct ActionItem {
    int batch = 0;
    int ordinal = 0;
    Cells identity;
    QString outcome;
    QString detail;
    QStringList columns;
    Cells before; ///< empty: none
    Cells after;
    QString restoredBy;
};

/// A row that an action was asked for.
struct AskedRow {
    Cells identity; ///< empty where this login may not read it
    int rule = 0; ///< by which of the compiled profile's rules; -1: it goes back to what it was
    QString effectId; ///< the effect that it is to be settled with; empty: none was chosen
    QByteArray otherJson; ///< of an align: the other region's row as it was seen; empty: none, or not for this login
};

/// A row of idemdesk.audit.
struct AuditRow {
    qint64 seq = 0;
    Timestamp at;
    QString who;
    QString role;
    int pid = 0;
    QString address;
    QString application;
    QString action;
    int batch = 0; ///< 0: none
    QString what; ///< open, request, approve, decline, batch, pause, resume, cancel, register, unregister, maintain, …
    QString target;
    QByteArray factsJson; ///< as PostgreSQL printed it: the hash is over this text
    QString itemsSha; ///< hex; empty: none
    QString hash; ///< hex
    QString previousHash;
};

/// One thing that verify_audit() found wrong, in the server's words.
struct AuditProblem {
    bool inChain = false; ///< in the trail's own rows; else a table disagrees with them
    qint64 seq = 0; ///< the row that is wrong, or that says otherwise than the table; 0: no row says anything
    QString text;
};

/// What verify_audit() found.
struct AuditVerdict {
    bool intact = false; ///< nothing at all was found
    qint64 checked = 0;
    QList<AuditProblem> problems; ///< the chain's first
    qint64 headSeq = 0;
    QString headHash;
    /// Its own rows are whole, whatever the tables say.
    bool chainIntact() const { return problems.isEmpty() || !problems.constFirst().inChain; }
    /// All that was found in one line, in the server's words; empty: nothing.
    QString problem() const
    {
        QStringList texts;
        for (const AuditProblem &found : problems) {
            texts += found.text;
        }
        return texts.join(QStringLiteral("; "));
    }
};

/// One thing wrong with the guard itself. Red forbids every action.
struct GuardFinding {
    bool red = false;
    QString code;
    QString finding;
    QString remedy;
};

/// The console schema as it is in this database, for this login.
struct ConsoleStatus {
    static constexpr int kUnreadable = -1; ///< it is there, and this login may not look
    static constexpr int kPreRelease = -2; ///< made before the first release, with other versions and tables
    int installedVersion = 0; ///< 0: not installed; or one of the two above
    int knownVersion = 0; ///< the one this program brings
    bool readable = false; ///< this login is a viewer at least
    bool isOperator = false;
    bool isApprover = false;
    bool isAdmin = false;
    bool superuser = false;
    /// Why this login may look but not act, whatever it is granted: a sentence; empty where it has no such power.
    QString tooMuch;
    QList<GuardFinding> findings;
    bool newerThanKnown() const { return installedVersion > knownVersion; }
    bool red() const
    {
        for (const GuardFinding &finding : findings) {
            if (finding.red) {
                return true;
            }
        }
        return false;
    }
};

} // namespace idemdesk::sql
