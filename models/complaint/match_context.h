// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/key_record.h"

namespace idemdesk::models {

/// What a person recognises a request by, from what the row holds of its request and its response.
struct MatchContext {
    QString amount; ///< "10.50 EUR"; empty where no member is named like one
    QString match; ///< what was asked for in its JSON member, or with what stands around it; empty where it is not in
                   ///< these texts
    QString hit; ///< the part of match that was asked for
    QString where; ///< "in the request"; empty where there is no match
};

/// wanted: a piece of the request or the response; empty: none was asked for. masked: names of roles whose values stay
/// unsaid.
MatchContext matchContext(const sql::KeyRecord &record, const QString &wanted, const QStringList &masked);

} // namespace idemdesk::models
