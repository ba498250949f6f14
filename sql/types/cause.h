// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/profile.h"
#include "sql/types/timestamp.h"

#include <QList>
#include <QMap>
#include <QString>
#include <QStringList>
#include <optional>

namespace idemdesk::sql {

/// Failed rows with one cause.
struct CauseGroup {
    QString cause; ///< the error code; else the message with its digits as "#"; empty: the rows say nothing
    bool coded = false; ///< it is an error code
    qint64 retryable = 0;
    qint64 final = 0;
    std::optional<Timestamp> first; ///< nothing: the rows have no time
    std::optional<Timestamp> last;
    QString message; ///< of the latest of them, in part
    /// Rows by what the table's claim does now with the same request. For rows that are not here it cannot be known.
    QMap<RetryOutcome, qint64> retries;

    qint64 rows() const { return retryable + final; }
};

/// Failed rows by cause, the most frequent first.
struct CausePage {
    QList<CauseGroup> groups;
    bool moreGroups = false; ///< causes with fewer rows were left out
    qint64 lookedAt = 0; ///< failed rows
    bool bounded = false; ///< there are more failed rows than were looked at
    bool newest = false; ///< those looked at are the newest; else any
    Timestamp now;
    QString retryNote; ///< why `retries` says nothing, where the profile has rules; else empty
    QStringList notes; ///< what could not be read
    bool partly = false; ///< not every row could be looked at
};

} // namespace idemdesk::sql
