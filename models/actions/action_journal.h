// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/action.h"
#include "sql/types/connection.h"
#include "sql/types/result.h"

#include <QDateTime>
#include <QList>
#include <QString>

namespace idemdesk::models {

/// What this console asked of a server and has not seen the end of.
struct JournalEntry {
    QString id; ///< of the action
    QString server; ///< serverOf()
    QString target;
    sql::ActionVerb verb = sql::ActionVerb::Recover;
    qint64 rows = 0;
    QDateTime asked; ///< UTC, this computer's clock
};

/// A file on this computer that is written before an action is sent, so that a console that was killed can say at its
/// next start what it had asked for and look up what became of it (reliability 3). One JSON document, only this user
/// may read it. Several windows share it: each change begins with what is there. Not shared between threads.
class ActionJournal
{
public:
    explicit ActionJournal(QString path);

    /// The file of this user, in the application's data folder.
    static QString defaultPath();
    /// "database on host:port as user": the same for every program of this user, whatever a connection is called there.
    static QString serverOf(const sql::ServerFacts &facts);

    const QList<JournalEntry> &entries() const { return m_entries; }
    /// Stored on disk when it returns; an action whose entry cannot be stored must not be sent.
    sql::Result<void> add(const JournalEntry &entry);
    sql::Result<void> remove(const QString &id);

private:
    void load();
    sql::Result<void> store() const;
    QString m_path;
    QList<JournalEntry> m_entries;
};

} // namespace idemdesk::models
