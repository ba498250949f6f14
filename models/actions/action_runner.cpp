// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/actions/action_runner.h"

#include "models/actions/action_words.h"
#include "models/async.h"
#include "sql/lanes/database.h"

#include <QCoreApplication>
#include <numeric>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

constexpr int kOpenDeadlineMs = 60'000; // a frozen set of 100,000 rows travels and is stored
constexpr int kCheckMs = 1'000; // how often the server's pressure is looked at
constexpr int kHoldMs = 2'000; // until it is looked at again while holding off
constexpr int kCutMs = 500; // a cancel waits this long for a batch before it gives it up
constexpr int kMostTimeouts = 3;
constexpr int kSetRows = 1'000; ///< of the first batch of what works on whole sets: a purge, and the undo of one
constexpr int kSingleRows = 200; ///< of what works row by row
constexpr int kFirstLookUpMs = 200;
constexpr int kSlowestLookUpMs = 5'000;
constexpr int kGiveUpMs = 3'000; // a server that only starts anew is met by some more look-ups

} // namespace

ActionRunner::ActionRunner(sql::Database *database, QString journalPath, QObject *parent)
    : QObject(parent)
    , m_database(database)
    , m_journal(std::move(journalPath))
{
    m_clock.start();
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &ActionRunner::step);
    m_lookTimer.setSingleShot(true);
    connect(&m_lookTimer, &QTimer::timeout, this, &ActionRunner::findOut);
    m_giveUpTimer.setSingleShot(true);
    m_giveUpTimer.setInterval(kGiveUpMs);
    connect(&m_giveUpTimer, &QTimer::timeout, this, &ActionRunner::giveUp);
    m_cutTimer.setSingleShot(true);
    m_cutTimer.setInterval(kCutMs);
    connect(&m_cutTimer, &QTimer::timeout, this, [this] {
        if (m_batchUnderWay && m_database != nullptr) {
            m_database->cancel(view());
        }
    });
}

ActionRunner::~ActionRunner() = default;

QString ActionRunner::view() const
{
    return u"action/"_s + ownerName(this);
}

void ActionRunner::start(const sql::ActionRequest &request)
{
    m_request = request;
    m_action.id = request.id;
    m_action.target = request.target;
    m_action.verb = request.verb;
    m_action.reason = request.reason;
    m_action.plannedRows = request.purge ? request.purge->rows : request.rows.size();
    m_pace = BatchPace(request.purge ? kSetRows : kSingleRows);
    open();
}

void ActionRunner::startUndo(
    const QString &id, const QString &of, const QString &reason, const QString &ticket, sql::ActionVerb verb)
{
    m_undo = sql::UndoRequest { id, of, reason, ticket };
    m_action.id = id;
    m_action.verb = sql::ActionVerb::Undo;
    m_action.undoOf = of;
    m_pace = BatchPace(verb == sql::ActionVerb::Purge ? kSetRows : kSingleRows);
    open();
}

void ActionRunner::takeOver(const sql::ActionRecord &action)
{
    m_action = action;
    m_pace = BatchPace(action.verb == sql::ActionVerb::Purge ? kSetRows : kSingleRows);
    m_error.reset();
    m_rate.start(m_clock.elapsed());
    if (action.state == sql::ActionState::Paused) {
        change(sql::ActionState::Running, {});
        return;
    }
    takeState(action.state);
}

void ActionRunner::learn(const sql::ActionRecord &action)
{
    if (m_stage == Stage::Asking && !action.open()) {
        m_action = action;
        takeState(action.state);
    }
}

void ActionRunner::open()
{
    if (m_database == nullptr) {
        return;
    }
    JournalEntry entry { m_action.id, ActionJournal::serverOf(m_database->facts()), m_action.target, m_action.verb,
        m_action.plannedRows, QDateTime::currentDateTimeUtc() };
    if (const auto written = m_journal.add(entry); !written) {
        stop(written.error());
        return;
    }
    setStage(Stage::Starting);
    auto future = m_database->run(sql::LaneKind::Write, { QString(), kOpenDeadlineMs, false },
        [request = m_request, undo = m_undo](sql::Session &session) {
            return undo ? sql::openUndo(session, *undo) : sql::openAction(session, *request);
        });
    whenDone(future, this, [this](const sql::Result<sql::ActionRecord> &result) { onOpened(result); });
}

void ActionRunner::onOpened(const sql::Result<sql::ActionRecord> &result)
{
    if (!result) {
        if (sql::answerLost(result.error())) {
            m_openingLost = true;
            findOut();
            return;
        }
        m_openingLost = false;
        // The server said no: nothing was opened.
        m_journal.remove(m_action.id).ok();
        stop(result.error());
        return;
    }
    m_request.reset();
    m_undo.reset();
    m_action = *result;
    m_rate.start(m_clock.elapsed());
    takeState(m_action.state);
}

std::optional<bool> ActionRunner::begun() const
{
    if (!m_request && !m_undo) {
        return true;
    }
    return m_openingLost ? std::optional<bool>() : std::optional(false);
}

/// Goes where the server's word leads.
void ActionRunner::takeState(sql::ActionState state)
{
    m_action.state = state;
    switch (state) {
    case sql::ActionState::Requested:
        m_journal.remove(m_action.id).ok();
        setStage(Stage::Asking);
        break;
    case sql::ActionState::Paused:
        setStage(Stage::Paused);
        break;
    case sql::ActionState::Finished:
    case sql::ActionState::Cancelled:
    case sql::ActionState::Declined:
        m_journal.remove(m_action.id).ok();
        setStage(Stage::Ended);
        emit ended();
        break;
    case sql::ActionState::Running:
    case sql::ActionState::Finding:
        setStage(Stage::Running);
        m_timer.start(0);
        break;
    }
}

void ActionRunner::step()
{
    if (m_database == nullptr || m_batchUnderWay) {
        return;
    }
    if (m_cancelWanted) {
        change(sql::ActionState::Cancelled, tr("Cancelled by the operator."));
    } else if (m_pauseWanted) {
        change(sql::ActionState::Paused, tr("Paused by the operator."));
    } else if (m_throttled && (!m_sinceCheck.isValid() || m_sinceCheck.elapsed() >= kCheckMs)) {
        checkPressure();
    } else {
        runNext();
    }
}

void ActionRunner::checkPressure()
{
    auto future = m_database->run(sql::LaneKind::Write, { view() + u"/pressure"_s, 5'000, false },
        [id = m_action.id](sql::Session &session) { return sql::readPressure(session, id); });
    whenDone(future, this, [this](const sql::Result<sql::Pressure> &result) {
        m_sinceCheck.start();
        m_pressure = result ? std::optional(*result) : std::nullopt;
        if (!result) {
            // A sign that cannot be read is no sign of health.
            m_pace.keepSmall();
            m_holdReasons = QStringList { result.error().line() };
            if (sql::answerLost(result.error())) {
                findOut();
            } else {
                runNext();
            }
            return;
        }
        m_holdReasons = result->reasons;
        if (result->unreadable) {
            m_pace.keepSmall();
        }
        if (result->hold) {
            setStage(Stage::Holding);
            m_sinceCheck.invalidate();
            m_timer.start(kHoldMs);
            return;
        }
        if (m_cancelWanted || m_pauseWanted) {
            step();
            return;
        }
        runNext();
    });
}

void ActionRunner::runNext()
{
    setStage(Stage::Running);
    m_batchUnderWay = true;
    const int batch = m_action.lastBatch + 1;
    const bool again = m_lostBatch == batch && m_lostTimes > 1; // not by chance: perhaps a row's code does it
    auto future = m_database->run(sql::LaneKind::Write, { view(), m_batchDeadlineMs, false },
        [action = m_action, rows = m_pace.rows(), batch, again](sql::Session &session) {
            if (again) {
                const auto noted = sql::noteLost(session, action.id, batch, rows);
                if (!noted || noted->batch == batch) {
                    return noted;
                }
            }
            return sql::runBatch(session, action, batch, rows);
        });
    whenDone(future, this, [this](const sql::Result<sql::BatchResult> &result) {
        m_batchUnderWay = false;
        m_cutTimer.stop();
        onBatch(result);
    });
}

void ActionRunner::onBatch(const sql::Result<sql::BatchResult> &result)
{
    if (result) {
        m_timeouts = 0;
        m_lookUps = 0;
        m_error.reset();
        m_action.lastBatch = result->batch;
        m_action.counts = result->totals;
        m_action.note = result->note;
        m_sweeping = result->sweep;
        m_outcomes += result->outcomes;
        m_rate.add(std::accumulate(result->counts.cbegin(), result->counts.cend(), qint64(0)), m_clock.elapsed());
        if (!result->repeated) {
            m_pace.took(result->tookMicros);
        }
        if (result->state == sql::ActionState::Running) {
            m_action.state = result->state;
            setStage(Stage::Running);
            m_timer.start(m_throttled && !m_cancelWanted && !m_pauseWanted ? m_pace.pauseMs() : 0);
            return;
        }
        takeState(result->state);
        return;
    }
    const sql::Error &error = result.error();
    if (sql::answerLost(error)) {
        // Twice in the same batch is perhaps a row's doing, whether it ends the connection or never ends itself.
        if (error.kind == sql::ErrorKind::ConnectionLost || error.kind == sql::ErrorKind::Timeout) {
            m_lostTimes = m_lostBatch == m_action.lastBatch + 1 ? m_lostTimes + 1 : 1;
            m_lostBatch = m_action.lastBatch + 1;
        }
        if (error.kind == sql::ErrorKind::Timeout) {
            m_pace.timedOut(); // a connection that broke says nothing of the batch's size
        }
        findOut();
        return;
    }
    const bool busy
        = error.kind == sql::ErrorKind::LockTimeout || error.sqlState == u"57014" || error.sqlState == u"40P01";
    if (busy && ++m_timeouts <= kMostTimeouts) {
        m_pace.timedOut();
        m_timer.start(kFirstLookUpMs << m_timeouts);
        return;
    }
    // Perhaps another operator paused or cancelled it, or the server did: its own word counts, with the error beside
    // it.
    m_error = error;
    findOut();
}

/// Asks the server where the action stands, until it answers.
void ActionRunner::findOut()
{
    if (m_database == nullptr) {
        return;
    }
    m_rate.stand(m_clock.elapsed());
    if (!m_looking.isValid()) {
        m_looking.start();
    }
    if (m_mayGiveUp && !m_giveUpTimer.isActive()) {
        m_giveUpTimer.start();
    }
    setStage(Stage::Finding);
    auto future = m_database->run(sql::LaneKind::Control, { QString(), 10'000, true },
        [id = m_action.id](sql::Session &session) { return sql::readAction(session, id); });
    const int number = ++m_lookUp;
    whenDone(future, this, [this, number](const sql::Result<std::optional<sql::ActionRecord>> &result) {
        if (number != m_lookUp) {
            return; // it was given up
        }
        if (!result) {
            lookUpLater(result.error());
            return;
        }
        foundOut();
        if (result->has_value()) {
            takeFound(**result);
        } else {
            onAbsent();
        }
    });
}

/// It never was, so the same request may go out again under the same id: the server does it once at most, even if the
/// lost one should still arrive.
void ActionRunner::onAbsent()
{
    if (!m_request && !m_undo) {
        stop(sql::makeError(sql::ErrorKind::MissingObject, tr("The action is not in this database."), {},
            tr("Look at the connection: it may lead to another server than before.")));
    } else if (m_cancelWanted) {
        m_openingLost = false;
        m_journal.remove(m_action.id).ok();
        m_action.state = sql::ActionState::Cancelled;
        setStage(Stage::Ended);
        emit ended();
    } else {
        open();
    }
}

void ActionRunner::takeFound(const sql::ActionRecord &action)
{
    const bool stopped = m_error.has_value();
    m_request.reset();
    m_undo.reset();
    m_action = action;
    m_rate.go(m_clock.elapsed());
    if (stopped && m_action.state == sql::ActionState::Running && !m_cancelWanted && !m_pauseWanted) {
        // The batch failed for a reason that will not go away by itself. It is paused, so that nothing waits for this
        // console. Whoever may look at actions reads its note: the console's own reasons stand there, but what the
        // server said of a row may hold its values, and is for whoever acted alone.
        const QString &state = m_error->sqlState;
        const bool own = state.isEmpty() || (state.startsWith(u"ID"_s) && state != u"ID006"_s);
        change(sql::ActionState::Paused,
            !own                         ? tr("The server ended a batch, with the code %1.").arg(state)
                : m_error->why.isEmpty() ? m_error->what
                                         : m_error->why);
        return;
    }
    takeState(m_action.state);
}

void ActionRunner::lookUpLater(const sql::Error &error)
{
    if (!sql::answerLost(error)) {
        foundOut();
        stop(error);
        return;
    }
    m_lookUpError = error;
    const int shift = qMin(m_lookUps++, 5);
    m_lookTimer.start(qMin(kSlowestLookUpMs, kFirstLookUpMs << shift));
    emit changed();
}

/// There is an answer: nothing is looked up any more.
void ActionRunner::foundOut()
{
    m_lookUps = 0;
    m_lookUpError.reset();
    m_looking.invalidate();
    m_giveUpTimer.stop();
}

/// The journal keeps the id: whoever connects there next learns what became of it.
void ActionRunner::giveUp()
{
    if (m_stage != Stage::Finding) {
        return;
    }
    ++m_lookUp;
    m_lookTimer.stop();
    m_lost = true;
    m_cancelWanted = false;
    const sql::Error error
        = m_lookUpError.value_or(sql::makeError(sql::ErrorKind::Timeout, tr("The server did not answer in time.")));
    foundOut(); // looked up again later, its time begins anew
    stop(error);
}

qint64 ActionRunner::lookingSeconds() const
{
    return m_looking.isValid() ? m_looking.elapsed() / 1'000 : 0;
}

void ActionRunner::cancelOrGiveUp()
{
    m_mayGiveUp = true;
    cancel();
    if (m_stage == Stage::Finding && !m_giveUpTimer.isActive()) {
        m_giveUpTimer.start();
        if (m_lookTimer.isActive()) {
            m_lookTimer.start(0);
        }
        emit changed();
    }
}

void ActionRunner::pause()
{
    if (!active()) {
        return;
    }
    m_pauseWanted = true;
    setStage(Stage::Pausing);
    if (!m_batchUnderWay && m_timer.isActive()) {
        m_timer.start(0);
    }
}

void ActionRunner::resume()
{
    m_pauseWanted = false;
    m_error.reset();
    m_lost = false;
    m_mayGiveUp = false;
    m_timeouts = 0;
    if (m_stage == Stage::Paused) {
        m_rate.start(m_clock.elapsed());
        change(sql::ActionState::Running, {});
    } else if (m_stage == Stage::Stopped) {
        findOut();
    }
}

void ActionRunner::cancel()
{
    if (m_stage == Stage::Idle || m_stage == Stage::Ended) {
        return;
    }
    m_cancelWanted = true;
    m_error.reset();
    if (m_stage == Stage::Paused || m_stage == Stage::Asking || m_stage == Stage::Stopped) {
        change(sql::ActionState::Cancelled, tr("Cancelled by the operator."));
        return;
    }
    if (m_stage != Stage::Finding) {
        setStage(Stage::Cancelling);
    }
    if (m_batchUnderWay) {
        m_cutTimer.start();
    } else if (m_timer.isActive()) {
        m_timer.start(0);
    }
}

void ActionRunner::change(sql::ActionState wanted, const QString &note)
{
    if (m_database == nullptr) {
        return;
    }
    auto future = m_database->run(sql::LaneKind::Write, { QString(), m_batchDeadlineMs, false },
        [id = m_action.id, wanted, note](sql::Session &session) { return sql::setAction(session, id, wanted, note); });
    whenDone(future, this, [this](const sql::Result<sql::ActionRecord> &result) {
        m_pauseWanted = false;
        if (result) {
            m_action = *result;
            takeState(m_action.state);
        } else if (sql::answerLost(result.error())) {
            findOut();
        } else {
            // It may have ended just before.
            const sql::Error &refused = result.error();
            m_cancelWanted = false;
            m_error = refused;
            auto look = m_database->run(sql::LaneKind::Control, { QString(), 10'000, true },
                [id = m_action.id](sql::Session &session) { return sql::readAction(session, id); });
            whenDone(look, this, [this, refused](const sql::Result<std::optional<sql::ActionRecord>> &found) {
                if (found && found->has_value() && !(*found)->open()) {
                    m_error.reset();
                    m_action = **found;
                    takeState(m_action.state);
                } else {
                    stop(refused);
                }
            });
        }
    });
}

void ActionRunner::stop(const sql::Error &error)
{
    m_error = error;
    setStage(Stage::Stopped);
}

void ActionRunner::setStage(Stage stage)
{
    m_stage = stage;
    emit changed();
}

qint64 ActionRunner::secondsLeft() const
{
    const double rate = rowsPerSecond();
    const qint64 left = m_action.plannedRows - rowsDone(m_action.counts) - rowsSkipped(m_action.counts);
    return rate > 0 && left >= 0 && m_rate.settled(m_clock.elapsed()) ? qint64(double(left) / rate) : -1;
}

bool ActionRunner::active() const
{
    switch (m_stage) {
    case Stage::Starting:
    case Stage::Running:
    case Stage::Holding:
    case Stage::Finding:
    case Stage::Pausing:
    case Stage::Cancelling:
        return true;
    case Stage::Idle:
    case Stage::Asking:
    case Stage::Paused:
    case Stage::Stopped:
    case Stage::Ended:
        break;
    }
    return false;
}

} // namespace idemdesk::models

#include "moc_action_runner.cpp"
