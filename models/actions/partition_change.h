// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/actions/action_journal.h"
#include "sql/actions/action_gateway.h"

#include <QObject>
#include <QPointer>
#include <QTimer>
#include <optional>

namespace idemdesk::sql {
class Database;
}

namespace idemdesk::models {

/// One detach, attach or drop, done once at most however it goes: where the table is in use it is tried again, and an
/// answer that is lost is found out by the action's id. Lives on the GUI thread, and for one change.
class PartitionChange final : public QObject
{
    Q_OBJECT

public:
    PartitionChange(sql::Database *database, const QString &journalPath, QObject *parent = nullptr);

    /// The same request that another person approved goes on, or a new one begins; its id is made here. ended()
    /// follows.
    void start(const sql::PartitionRequest &request);
    const sql::PartitionRequest &request() const { return m_request; }
    /// Why it waits to be tried again: who holds the table. Empty while it is being tried.
    const std::optional<sql::Error> &wait() const { return m_wait; }

signals:
    void changed(); ///< wait() is another one
    void ended(const idemdesk::sql::Result<idemdesk::sql::ActionRecord> &result); ///< last of all

private:
    void look(); ///< whether another person approved the same
    void send();
    void onAnswer(const sql::Result<sql::ActionRecord> &result);
    void findOut();
    void end(const sql::Result<sql::ActionRecord> &result);

    QPointer<sql::Database> m_database;
    ActionJournal m_journal;
    sql::PartitionRequest m_request;
    std::optional<sql::Error> m_wait;
    sql::Error m_lost; ///< why the newest answer never came
    QTimer m_again;
    int m_tries = 0;
    int m_lookUps = 0;
};

} // namespace idemdesk::models
