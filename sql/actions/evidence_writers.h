// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/session/session.h"
#include "sql/types/target.h"

#include <QSet>
#include <optional>

namespace idemdesk::sql {

/// Who writes to the tables that an effect's query reads, and has not ended. Any of them may hold the effect of a key,
/// of a worker past its lease, too: when its transaction began says nothing about that. Work that ends within a moment
/// is waited for, so that the traffic of other keys is in nobody's way.
class EvidenceWriters
{
public:
    EvidenceWriters(Session &session, const Target &target)
        : m_session(session)
        , m_target(target)
    {
    }

    /// From now on the tables that this query over t reads: the server's own word, through views and partitions, and
    /// those that the functions behind it name in their bodies, as the server looks when an action runs.
    Result<void> watch(const QString &effectSql);
    /// Looks what the query over t reads, for the two below; watch() does so as well.
    Result<void> lookAtSources(const QString &effectSql);
    /// Why no answer of the query watched settles anything: it reads the keys' own table again, which changes while it
    /// is asked. Empty where it does not.
    const QString &rereads() const { return m_rereads; }
    /// Why finding nothing says nothing, whoever writes: what is read is not the state of this moment (a materialized
    /// view), or is changed out of sight (a foreign table, a sequence, the server's own views). Empty otherwise.
    const QString &unsteady() const { return m_unsteady; }
    /// Empty, or a sentence with the transaction that writes to one of them and outlasted the wait. What was committed
    /// before it returns is seen by the next statement.
    Result<QString> stillWriting();
    /// The tables watched, by oid.
    const QStringList &tables() const { return m_tables; }

private:
    /// What functions behind the query read; inside the transaction that holds the locks of that query.
    Result<void> lookBehind(const QString &effectSql);

    Session &m_session;
    const Target &m_target;
    QStringList m_tables;
    std::optional<QStringList> m_behind; ///< tables that functions behind the query read, by oid; unset: not looked at
    QString m_rereads;
    QString m_unsteady;
    QSet<QString> m_lasting; ///< transactions that were waited for once
};

} // namespace idemdesk::sql
