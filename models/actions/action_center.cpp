// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/actions/action_center.h"

#include "models/actions/action_rights.h"
#include "models/actions/action_words.h"
#include "models/async.h"
#include "models/connection/primary_link.h"
#include "models/format/display_text.h"
#include "sql/actions/action_gateway.h"
#include "sql/actions/registration.h"
#include "sql/console/console_schema.h"
#include "sql/lanes/database.h"

#include <QUuid>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

struct ActionLists {
    QList<sql::ActionRecord> history;
    QList<sql::ActionRecord> open;
    std::optional<sql::ActionRecord> asked; ///< what this console asks another person to approve
};

constexpr int kActionListDeadlineMs = 15'000;
constexpr int kAskedAgainMs = 10'000; // between two looks at what became of it
constexpr int kTitleChars = 60;

} // namespace

ActionCenter::ActionCenter(QString journalPath, QObject *parent)
    : QObject(parent)
    , m_journalPath(std::move(journalPath))
    , m_whyNot(tr("Not connected."))
    , m_history(new ActionsModel(this))
{
    m_askedAgain.setSingleShot(true);
    connect(&m_askedAgain, &QTimer::timeout, this, [this] {
        if (m_database != nullptr && asks()) {
            readLists();
        }
    });
    // What runs when the time ends goes on; nothing new begins.
    connect(&m_allowance, &QTimer::timeout, this, [this] {
        if (m_allowedUntil.hasExpired()) {
            disallow();
        } else {
            emit allowanceChanged();
        }
    });
}

ActionCenter::~ActionCenter() = default;

QString ActionCenter::whyNot() const
{
    if (m_statusKnown && standby()) {
        return tr("This server is a standby, on which nothing can be written.") + u' '
            + (m_primaryNote.isEmpty() ? tr("Connect to the primary to act.") : m_primaryNote);
    }
    if (!m_whyNot.isEmpty() || !m_guarded || secondsAllowed() > 0) {
        return m_whyNot;
    }
    return tr("This is production: actions must be allowed first, for %1 minutes.").arg(kAllowedMinutes);
}

sql::Database *ActionCenter::database() const
{
    return m_database;
}

QString ActionCenter::place() const
{
    return m_database != nullptr ? placeText(m_database->facts()) : QString();
}

void ActionCenter::setPrimaryNote(const QString &note)
{
    if (m_primaryNote != note) {
        m_primaryNote = note;
        emit changed();
    }
}

bool ActionCenter::standby() const
{
    return m_database != nullptr && m_database->facts().standby;
}

ActionCenter::Remedy ActionCenter::remedy(bool registered) const
{
    if (standby()) {
        return Remedy::None;
    }
    if (!consoleInstalled()) {
        return Remedy::Install;
    }
    if (!registered && m_status.isAdmin) {
        return Remedy::Register;
    }
    return registered && mayBeAllowed() ? Remedy::Allow : rightsMissing() ? Remedy::LookAgain : Remedy::None;
}

QString ActionCenter::remedyText(bool registered) const
{
    switch (remedy(registered)) {
    case Remedy::Install:
        return tr("Install…");
    case Remedy::Register:
        return tr("Register…");
    case Remedy::Allow:
        return tr("Allow for %1 minutes").arg(kAllowedMinutes);
    case Remedy::LookAgain:
        return tr("Check again");
    case Remedy::None:
        break;
    }
    return {};
}

void ActionCenter::allow()
{
    if (mayBeAllowed()) {
        m_allowedUntil.setRemainingTime(qint64(kAllowedMinutes) * 60'000);
        m_allowance.start(1'000);
        emit changed();
        emit allowanceChanged();
    }
}

void ActionCenter::disallow()
{
    m_allowedUntil = QDeadlineTimer();
    m_allowance.stop();
    emit changed();
    emit allowanceChanged();
}

int ActionCenter::secondsAllowed() const
{
    return m_allowance.isActive() ? int((m_allowedUntil.remainingTime() + 999) / 1'000) : 0;
}

void ActionCenter::setDatabase(sql::Database *database, bool readOnly, bool guarded)
{
    m_readOnly = readOnly;
    if (m_database != database || m_guarded != guarded) {
        m_guarded = guarded;
        m_allowedUntil = QDeadlineTimer();
        m_allowance.stop();
    }
    if (m_database == database) {
        return;
    }
    if (m_database != nullptr) {
        disconnect(m_database, &sql::Database::factsChanged, this, nullptr);
    }
    m_database = database;
    if (database != nullptr) {
        connect(database, &sql::Database::factsChanged, this, &ActionCenter::changed); // a standby may be promoted
    }
    ++m_connection;
    for (Request *request : { &m_readingStatus, &m_readingLists, &m_planningUndo, &m_planningDecision }) {
        request->setDatabase(database);
    }
    m_change.reset();
    m_runner.reset(); // the server keeps an action that ran; the next connection finds it open
    m_open.clear();
    m_history->setActions({});
    m_status = {};
    m_statusKnown = false;
    m_maintained = false;
    m_error.reset();
    m_decisionError.reset();
    m_leftBehind.clear();
    m_whyNot = database == nullptr ? tr("Not connected.") : tr("The console schema is being looked at.");
    if (database != nullptr) {
        refresh();
    }
    emit changed();
    emit runnerChanged();
}

void ActionCenter::refresh()
{
    if (m_database == nullptr) {
        return;
    }
    readStatus();
}

void ActionCenter::readStatus()
{
    m_readingStatus.ask(
        { sql::LaneKind::Background, kActionListDeadlineMs },
        [](sql::Session &session) -> sql::Result<std::pair<sql::ConsoleStatus, QString>> {
            TRY(const auto status, sql::readConsoleStatus(session));
            return std::pair(status, session.facts().user);
        },
        [this](const sql::Result<std::pair<sql::ConsoleStatus, QString>> &result) {
            if (result) {
                m_login = result->second;
                acceptStatus(result->first);
                return;
            }
            m_error = result.error();
            m_whyNot = result.error().line();
            emit changed();
        });
}

void ActionCenter::acceptStatus(const sql::ConsoleStatus &status)
{
    m_status = status;
    m_statusKnown = true;
    m_error.reset();
    m_whyNot = whyNotAct(m_status, m_readOnly, m_login);
    emit changed();
    if (m_status.readable) {
        readLists();
        settleJournal();
        maintainOnce();
    }
}

void ActionCenter::readLists()
{
    m_readingLists.ask(
        { sql::LaneKind::Background, kActionListDeadlineMs },
        [filter = m_filter, id = asks() ? m_runner->action().id : QString()](
            sql::Session &session) -> sql::Result<ActionLists> {
            TRY(const auto history, sql::readActions(session, filter));
            sql::ActionFilter openOnly; // whatever the history is narrowed to
            openOnly.openOnly = true;
            TRY(const auto open, sql::readActions(session, openOnly));
            ActionLists lists { history, open, {} };
            if (!id.isEmpty()) {
                TRY(lists.asked, sql::readAction(session, id));
            }
            return lists;
        },
        [this](const sql::Result<ActionLists> &result) {
            if (result) {
                acceptAnswer(result->asked);
                acceptLists(result->history, result->open);
                emit listsRead();
            } else {
                m_error = result.error();
            }
            emit changed();
        });
}

void ActionCenter::setTitles(const TargetTitles &titles)
{
    m_history->setTitles(titles);
    emit changed();
}

void ActionCenter::setCached(const QStringList &targets)
{
    m_cached = targets;
    emit changed();
}

QString ActionCenter::hintAfter(const sql::ActionRecord &action) const
{
    const bool freed = action.verb == sql::ActionVerb::Recover && !action.open() && rowsDone(action.counts) > 0;
    return freed && m_cached.contains(action.target)
        ? tr("The cache may still hold off their retries. Release such claims on the page Cache.")
        : QString();
}

QString ActionCenter::titleOf(const QString &target) const
{
    return displayText(m_history->titles().title(target), kTitleChars);
}

bool ActionCenter::asks() const
{
    return m_runner != nullptr && m_runner->stage() == ActionRunner::Stage::Asking;
}

/// Approved it stands among what is open, to be begun by a person; declined or cancelled it has ended.
void ActionCenter::acceptAnswer(const std::optional<sql::ActionRecord> &asked)
{
    if (!asks() || !asked || asked->id != m_runner->action().id) {
        return;
    }
    if (asked->open() && asked->state != sql::ActionState::Requested) {
        m_runner.reset();
        emit runnerChanged();
    } else if (!asked->open()) {
        m_runner->learn(*asked);
    } else {
        m_askedAgain.start(kAskedAgainMs);
    }
}

void ActionCenter::acceptLists(const QList<sql::ActionRecord> &history, const QList<sql::ActionRecord> &open)
{
    if (m_error) { // what an outage kept from being read
        m_error.reset();
        readStatus();
    }
    m_history->setActions(history);
    m_open.clear();
    for (const sql::ActionRecord &action : open) {
        if (action.open() && (m_runner == nullptr || m_runner->action().id != action.id)) {
            m_open.append(action);
        }
    }
}

/// What the last run of this console asked of this server is settled by its id: done, open, or never begun.
void ActionCenter::settleJournal()
{
    const ActionJournal journal(m_journalPath);
    const QString server = ActionJournal::serverOf(m_database->facts());
    for (const JournalEntry &entry : journal.entries()) {
        if (entry.server != server || (m_runner != nullptr && m_runner->action().id == entry.id)) {
            continue;
        }
        auto future = m_database->run(sql::LaneKind::Control, { QString(), kActionListDeadlineMs, true },
            [id = entry.id](sql::Session &session) { return sql::readAction(session, id); });
        whenDone(future, this,
            [this, entry, connection = m_connection](const sql::Result<std::optional<sql::ActionRecord>> &result) {
                if (connection != m_connection || !result) {
                    return; // asked again at the next connection
                }
                if (!result->has_value()) {
                    m_leftBehind
                        += tr("“%1” of %2, asked for when the console last ran, never began: nothing was changed.")
                               .arg(verbPhrase(entry.verb, entry.rows), titleOf(entry.target));
                } else if (!(*result)->open()) {
                    m_leftBehind += tr("“%1” of %2, asked for when the console last ran: %3 (%4).")
                                        .arg(verbPhrase(entry.verb, entry.rows), titleOf(entry.target),
                                            actionStateLabel((*result)->state), outcomeText(**result));
                }
                if (!result->has_value() || !(*result)->open()) {
                    ActionJournal(m_journalPath).remove(entry.id).ok();
                }
                emit changed();
            });
    }
}

/// Ends undo windows that are over, once a connection. What cannot be done now is done by the next console.
void ActionCenter::maintainOnce()
{
    if (m_maintained || !m_whyNot.isEmpty() || m_database == nullptr || standby()) {
        return;
    }
    m_maintained = true;
    whenDone(m_database->run(sql::LaneKind::Write, { QString(), kActionListDeadlineMs, false },
                 [](sql::Session &session) { return sql::maintain(session); }),
        this, [](const sql::Result<QStringList> &) {});
}

void ActionCenter::makeRunner()
{
    m_runner = std::make_unique<ActionRunner>(m_database, m_journalPath);
    connect(m_runner.get(), &ActionRunner::changed, this, [this] {
        if (m_runner->stage() == ActionRunner::Stage::Asking) {
            readLists();
        }
        emit runnerChanged();
    });
    connect(m_runner.get(), &ActionRunner::ended, this, [this] {
        emit runnerChanged();
        emit actionEnded(m_runner->action().target);
        readLists();
    });
}

void ActionCenter::start(sql::ActionRequest request, bool throttled)
{
    if (m_database == nullptr || busy()) {
        return;
    }
    request.id = QUuid::createUuid().toString(QUuid::WithoutBraces);
    makeRunner();
    m_runner->setThrottled(throttled);
    m_runner->start(request);
}

void ActionCenter::planUndo(const sql::ActionRecord &of)
{
    m_planningUndo.ask(
        { sql::LaneKind::Read, kActionListDeadlineMs },
        [id = of.id](sql::Session &session) { return sql::readPutBack(session, id); },
        [this, of](const sql::Result<qint64> &putBack) {
            if (!putBack) {
                m_decisionError = putBack.error();
                emit changed();
                return;
            }
            emit undoPlanned(of, std::max<qint64>(0, rowsDone(of.counts) - *putBack));
        });
}

void ActionCenter::undo(const sql::ActionRecord &of, const QString &reason, const QString &ticket)
{
    if (m_database == nullptr || busy()) {
        return;
    }
    makeRunner();
    m_runner->startUndo(QUuid::createUuid().toString(QUuid::WithoutBraces), of.id, reason, ticket, of.verb);
}

void ActionCenter::takeOver(const sql::ActionRecord &action)
{
    if (m_database == nullptr || busy()) {
        return;
    }
    if (isAboutPartition(action.verb)) {
        sql::PartitionRequest request;
        request.verb = action.verb;
        request.target = action.target;
        request.partition = partitionOf(action);
        request.reason = action.reason;
        request.ticket = action.ticket;
        changePartition(request); // it finds what was approved
        return;
    }
    makeRunner();
    m_runner->takeOver(action);
    m_open.removeIf([&action](const sql::ActionRecord &other) { return other.id == action.id; });
    emit changed();
}

const sql::ActionRecord *ActionCenter::openOnPartition(const QString &target, const QString &partition) const
{
    const auto found = std::find_if(m_open.cbegin(), m_open.cend(), [&](const sql::ActionRecord &action) {
        return isAboutPartition(action.verb) && action.target == target && partitionOf(action) == partition;
    });
    return found == m_open.cend() ? nullptr : &*found;
}

bool ActionCenter::own(const sql::ActionRecord &action) const
{
    return m_database != nullptr && action.requestedBy == m_database->facts().user;
}

QString ActionCenter::whyNotDecide(const sql::ActionRecord &action) const
{
    if (standby()) {
        return whyNot();
    }
    if (own(action)) {
        return tr("You requested this; another person must approve.");
    }
    if (!m_status.isApprover) {
        return tr("Only members of idemdesk_approver decide.");
    }
    return m_readOnly ? tr("This connection is marked as read-only.") : QString();
}

void ActionCenter::dismiss()
{
    if (m_runner != nullptr && !m_runner->active()) {
        m_runner.reset();
        readLists();
        emit runnerChanged();
    }
}

void ActionCenter::planDecision(const QString &id, bool approve)
{
    m_planningDecision.ask(
        { sql::LaneKind::Read, kActionListDeadlineMs },
        [id](sql::Session &session) -> sql::Result<Decision> {
            TRY(const auto decision, readDecision(session, id));
            if (!decision) {
                return sql::makeError(
                    sql::ErrorKind::Refused, tr("This request is not there any more."), {}, tr("Read the list again."));
            }
            return *decision;
        },
        [this, approve](const sql::Result<Decision> &decision) {
            if (!decision) {
                m_decisionError = decision.error();
                emit changed();
                return;
            }
            m_decisionError.reset();
            emit changed();
            emit decisionPlanned(*decision, approve);
        });
}

void ActionCenter::decide(const QString &id, bool approve, const QString &note)
{
    if (m_database == nullptr) {
        return;
    }
    auto future = m_database->run(sql::LaneKind::Write, { QString(), kActionListDeadlineMs, false },
        [id, approve, note](sql::Session &session) { return sql::approveAction(session, id, approve, note); });
    whenDone(future, this, [this](const sql::Result<sql::ActionRecord> &result) {
        m_decisionError = result ? std::nullopt : std::optional(result.error());
        readLists();
        emit changed();
    });
}

void ActionCenter::cancelElsewhere(const QString &id)
{
    if (m_database == nullptr) {
        return;
    }
    auto future = m_database->run(sql::LaneKind::Write, { QString(), kActionListDeadlineMs, false },
        [id, note = tr("Cancelled from another console.")](
            sql::Session &session) { return sql::setAction(session, id, sql::ActionState::Cancelled, note); });
    whenDone(future, this, [this](const sql::Result<sql::ActionRecord> &result) {
        m_decisionError = result ? std::nullopt : std::optional(result.error());
        readLists();
        emit changed();
    });
}

void ActionCenter::changePartition(const sql::PartitionRequest &request)
{
    if (m_database == nullptr || busy()) {
        return;
    }
    m_change = std::make_unique<PartitionChange>(m_database, m_journalPath);
    connect(m_change.get(), &PartitionChange::changed, this, &ActionCenter::changed);
    connect(m_change.get(), &PartitionChange::ended, this,
        [this, target = request.target](
            const sql::Result<sql::ActionRecord> &result) { endPartitionChange(target, result); });
    m_change->start(request);
    emit changed();
}

void ActionCenter::endPartitionChange(const QString &target, const sql::Result<sql::ActionRecord> &result)
{
    m_change.release()->deleteLater(); // it is the one that speaks
    m_decisionError = result ? std::nullopt : std::optional(result.error());
    readLists();
    emit changed();
    if (result) {
        emit partitionChanged(target);
    }
}

void ActionCenter::setHistoryFilter(const sql::ActionFilter &filter)
{
    m_filter = filter;
    if (m_database != nullptr && m_status.readable) {
        readLists();
    }
}

} // namespace idemdesk::models

#include "moc_action_center.cpp"
