// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/session/session.h"
#include "sql/types/target.h"

#include <QSet>

namespace idemdesk::sql {

/// Who writes to the tables that an effect's query reads, and has not ended. Any of them may hold the effect of a key, of a
/// worker past its lease, too: when its transaction began says nothing about that. Work that ends within a moment is waited
/// for, so that the traffic of other keys is in nobody's way.
class EvidenceWriters
{
public:
    EvidenceWriters(Session &session, const Target &target)
        : m_session(session)
        , m_target(target)
    {
    }

    /// From now on the tables that this query over t reads: the server's own word, through views and partitions.
    Result<void> watch(const QString &effectSql);
    /// Empty, or a sentence with the transaction that writes to one of them and outlasted the wait. What was committed
    /// before it returns is seen by the next statement.
    Result<QString> stillWriting();
    /// The tables watched, by oid.
    const QStringList &tables() const { return m_tables; }

private:
    Session &m_session;
    const Target &m_target;
    QStringList m_tables;
    QSet<QString> m_lasting; ///< transactions that were waited for once
};

} // namespace idemdesk::sql
