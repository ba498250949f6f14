// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/cell.h"
#include "sql/types/timestamp.h"

#include <QList>
#include <QString>
#include <QStringList>
#include <optional>

namespace idemdesk::sql {

/// Why several keys look like one intent.
enum class DuplicateReason {
    SameResult, ///< they led to the same result
    SameFingerprint ///< their requests have the same fingerprint
};
inline QString duplicateReasonName(DuplicateReason reason) { return reason == DuplicateReason::SameResult ? QStringLiteral("same_result") : QStringLiteral("same_fingerprint"); }

/// Keys that may be one intent sent several times under different keys. One key tried several times is none: it has one row.
struct DuplicateGroup {
    DuplicateReason reason = DuplicateReason::SameFingerprint;
    Cells scope; ///< by the profile's scope; empty where scopes were searched together
    QString shared; ///< the fingerprint or result they share
    qint64 keys = 0;
    QStringList sample; ///< the first of them, at most ten
    qint64 succeeded = 0; ///< of them, with an effect of their own if the service did what it says
    std::optional<Timestamp> first; ///< when the first and the last began
    std::optional<Timestamp> last;
};

struct DuplicateRequest {
    qint64 spanSeconds = 7 * 86'400; ///< keys that began in it
    qint64 windowSeconds = 86'400; ///< groups that lie closer together rank first
    bool acrossScopes = false;
    int limit = 100;
};

struct DuplicateAnswer {
    QList<DuplicateGroup> groups; ///< ranked: several successes first, then within the window, then by number of keys
    QStringList notes; ///< sentences: what could not be searched, and what that means
};

} // namespace idemdesk::sql
