// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/cell.h"
#include "sql/types/filter.h"
#include "sql/types/timestamp.h"

#include <QList>
#include <QString>
#include <QStringList>
#include <optional>

namespace idemdesk::sql {

/// Why keys look as if one intent had been carried out more than once, the strongest evidence first.
enum class DuplicateReason {
    SeveralEffects, ///< one key alone has several proving effects of one type
    SameResult, ///< several keys led to the same result
    SameBusinessReference, ///< they are about the same business matter: "business_reference" of the profile, or one
                           ///< proving effect that several keys reached
    SameFingerprint, ///< their requests have the same fingerprint
    TwoCharges, ///< they succeeded, and their stored answers hold different charges of one customer, amount and hour: a
                ///< suspicion, for a customer may well buy twice
    NearPayload ///< their payloads are the same but for the fields in "diff_ignore" of the profile, and their
                ///< fingerprints are not
};

/// "same_result", …: stable, as --json writes it.
QString duplicateReasonName(DuplicateReason reason);

/// Keys that may be one intent sent several times under different keys, or one key with several effects. One key tried
/// several times is none of these: it has one row.
struct DuplicateGroup {
    DuplicateReason reason = DuplicateReason::SameFingerprint;
    Cells scope; ///< by the profile's scope; empty where scopes were searched together
    QString shared; ///< the fingerprint, result or reference they share; of SeveralEffects the key; of NearPayload a
                    ///< hash of what is the same; of TwoCharges customer and amount
    qint64 keys = 0; ///< of SeveralEffects 1
    QStringList sample; ///< the first of them, at most ten
    QList<Cells> sampleScopes; ///< the scope of each key in `sample`, also where scopes were searched together
    qint64 succeeded = 0; ///< of them, with an effect of their own if the service did what it says
    std::optional<Timestamp> first; ///< when the first and the last began
    std::optional<Timestamp> last;
    qint64 effects = 0; ///< of SeveralEffects: how many
    QString
        effectType; ///< of SeveralEffects, and of SameBusinessReference where one effect is what they share; else empty
    QStringList ignored; ///< of NearPayload: JSON pointers of the fields that were left out
};

struct DuplicateRequest {
    qint64 spanSeconds = 7 * 86'400; ///< keys that began in it
    qint64 windowSeconds
        = 86'400; ///< groups that lie closer together rank first; near payloads count only so close to each other
    Filter filter; ///< only keys that match; empty: all
    bool acrossScopes = false;
    QList<DuplicateReason> reasons = {}; ///< only these; empty: all that the profile provides for
    int limit = 100; ///< groups; where there are more, each reason gets its share of them
};

struct DuplicateAnswer {
    QList<DuplicateGroup>
        groups; ///< ranked: by reason as listed above, then several successes, then within the window, then by number
    QStringList notes; ///< sentences: what could not be searched, what it costs, and what that means
    bool complete = true; ///< false: some of what was to be looked for could not be read
};

} // namespace idemdesk::sql
