// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/actions/partition_change.h"

#include "models/async.h"
#include "sql/lanes/database.h"

#include <QUuid>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

constexpr int kDeadlineMs = 300'000; // a whole partition is counted, twice
constexpr int kLookUpDeadlineMs = 10'000;
constexpr int kFirstWaitMs = 200; // doubled with each try
constexpr int kSlowestWaitMs = 5'000;
constexpr int kMostTries = 5; // about six seconds of waiting, in which nobody else is held up

int waitMs(int times)
{
    return std::min(kSlowestWaitMs, kFirstWaitMs << std::min(times, 5));
}

} // namespace

PartitionChange::PartitionChange(sql::Database *database, const QString &journalPath, QObject *parent)
    : QObject(parent)
    , m_database(database)
    , m_journal(journalPath)
{
    m_again.setSingleShot(true);
    connect(&m_again, &QTimer::timeout, this, &PartitionChange::send);
}

void PartitionChange::start(const sql::PartitionRequest &request)
{
    m_request = request;
    m_request.id = QUuid::createUuid().toString(QUuid::WithoutBraces);
    look();
}

void PartitionChange::look()
{
    if (m_database == nullptr) {
        return;
    }
    auto future = m_database->run(sql::LaneKind::Control, { QString(), kLookUpDeadlineMs, true },
        [asked = m_request](sql::Session &session) { return sql::approvedRequest(session, asked); });
    whenDone(future, this, [this](const sql::Result<sql::PartitionRequest> &approved) {
        if (approved) {
            m_request = *approved;
            send();
        } else if (sql::answerLost(approved.error())) {
            QTimer::singleShot(waitMs(m_lookUps++), this, &PartitionChange::look);
        } else {
            end(approved.error());
        }
    });
}

void PartitionChange::send()
{
    if (m_database == nullptr) {
        return;
    }
    const auto written = m_journal.add({ m_request.id, ActionJournal::serverOf(m_database->facts()), m_request.target,
        m_request.verb, 0, QDateTime::currentDateTimeUtc() });
    if (!written) {
        end(written.error());
        return;
    }
    ++m_tries;
    if (m_wait) {
        m_wait.reset();
        emit changed();
    }
    auto future = m_database->run(sql::LaneKind::Write, { QString(), kDeadlineMs, false },
        [request = m_request](sql::Session &session) { return sql::changePartition(session, request); });
    whenDone(future, this, [this](const sql::Result<sql::ActionRecord> &result) { onAnswer(result); });
}

void PartitionChange::onAnswer(const sql::Result<sql::ActionRecord> &result)
{
    if (result) {
        end(result);
    } else if (sql::answerLost(result.error())) {
        m_lost = result.error();
        findOut();
    } else if ((result.error().kind == sql::ErrorKind::LockTimeout || result.error().sqlState == u"40P01")
        && m_tries < kMostTries) {
        m_wait = result.error();
        m_again.start(waitMs(m_tries));
        emit changed();
    } else {
        end(result);
    }
}

/// Asks the server what became of it, until it answers. What it never heard of, or has not done, is sent again under
/// the same id: it is done once at most, even where the lost one should still arrive.
void PartitionChange::findOut()
{
    if (m_database == nullptr) {
        return;
    }
    auto future = m_database->run(sql::LaneKind::Control, { QString(), kLookUpDeadlineMs, true },
        [id = m_request.id](sql::Session &session) { return sql::readAction(session, id); });
    whenDone(future, this, [this](const sql::Result<std::optional<sql::ActionRecord>> &found) {
        if (!found && sql::answerLost(found.error())) {
            QTimer::singleShot(waitMs(m_lookUps++), this, &PartitionChange::findOut);
        } else if (!found) {
            end(found.error());
        } else if (found->has_value() && (*found)->state != sql::ActionState::Running) {
            end(**found);
        } else if (m_tries < kMostTries && m_lost.kind != sql::ErrorKind::Timeout) {
            send();
        } else { // what took too long would do so again; the journal keeps it for the next start
            emit ended(m_lost);
        }
    });
}

void PartitionChange::end(const sql::Result<sql::ActionRecord> &result)
{
    m_journal.remove(m_request.id).ok(); // an entry that stays is looked up again at the next start
    emit ended(result);
}

} // namespace idemdesk::models

#include "moc_partition_change.cpp"
