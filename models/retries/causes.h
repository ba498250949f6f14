// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/retries/error_codes.h"
#include "sql/types/action.h"
#include "sql/types/cause.h"
#include "sql/types/profile.h"

namespace idemdesk::models {

/// What may be done about failures that pass by themselves and were stored as final all the same.
struct CauseOffer {
    std::optional<sql::ActionVerb> verb; ///< nothing: none is offered
    std::optional<sql::KeyState> to; ///< the state that the rule brings the keys to
    QString why; ///< where keys are meant, but the profile permits nothing: what is missing; else empty
};

/// The cause as a person reads it: "not said" where the rows say nothing.
QString causeText(const sql::CauseGroup &group);
/// What the cause means; nothing where it is no code or a service's own.
std::optional<ErrorCode> causeMeaning(const sql::CauseGroup &group);
/// The filter that finds its keys; finalOnly: those alone that failed for good. Empty where no filter tells them from
/// the keys of other causes.
QString causeFilter(const sql::CauseGroup &group, bool finalOnly);
CauseOffer causeOffer(const sql::CauseGroup &group, const sql::Profile &profile, bool registered);
/// What the service's claim does now with the same request, in a word or two, and for how many of the group's keys; the
/// most frequent first. The rules of the profile decide, not how the failure is stored.
struct CauseRetry {
    QString word; ///< "refused", "runs again", …, or "not known"
    qint64 rows = 0;
};
QList<CauseRetry> causeRetries(const sql::CauseGroup &group);
/// "refused", or "runs again 3, refused 2".
QString causeRetryText(const sql::CauseGroup &group);
/// "20,000 of the newest failed keys were looked at; there are more.": what the counts are of.
QString causesBound(const sql::CausePage &page);

} // namespace idemdesk::models
