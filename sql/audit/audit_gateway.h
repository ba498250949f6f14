// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/session/session.h"
#include "sql/types/action.h"

namespace idemdesk::sql {

struct AuditFilter {
    QString person;
    QString target;
    QString action;
    QString release = {}; ///< id of a release of a claim in a cache
    QString group = {}; ///< id of an action over a group of databases: all rows of its part here
    QString what;
    QString text; ///< contained in the reason, ticket or note of the row or of its action
    qint64 withinSeconds = 0; ///< newer than this by the server's clock; 0: any time
    std::optional<Timestamp> since;
    std::optional<Timestamp> until;
    qint64 before = 0; ///< rows with a smaller seq only; 0: from the newest
    int limit = 200;
};
/// Newest first.
Result<QList<AuditRow>> readAudit(Session &session, const AuditFilter &filter);
Result<AuditVerdict> verifyAudit(Session &session, qint64 from = 1);

/// The newest row of one database's chain, as kept outside of it.
struct AuditAnchor {
    QString systemId;
    quint32 databaseOid = 0;
    QString database;
    qint64 seq = 0;
    QString hash; ///< hex
    Timestamp at;
};
Result<AuditAnchor> readAnchor(Session &session);
/// Empty where row `seq` is gone.
Result<QString> readHashAt(Session &session, qint64 seq);
/// The number of the last row that is there, whatever the head says; 0: none.
Result<qint64> readLastSeq(Session &session);

} // namespace idemdesk::sql
