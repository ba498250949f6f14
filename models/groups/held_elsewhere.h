// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/triage/frozen_set.h"
#include "sql/session/session.h"
#include "sql/types/target.h"

#include <QHash>
#include <optional>

namespace idemdesk::models {

/// What another region says against changing keys here: each region writes its own copy of them, so that a key which is
/// stuck here may have done its work there.
struct RegionWord {
    QString label; ///< of that member; hostile
    QHash<QString, QString> against; ///< by intentText() of scope and key: a sentence. A key that is not in it may go
    std::optional<sql::Error> notAsked; ///< nothing is known of any key there
};

/// Asks one other region, on a lane's thread of it: what its rows with scope and key of these say against changing them
/// here. By index, some hundred keys at once; reads only, and fails where row security hides rows. here, there: the
/// table as each of the two knows it.
sql::Result<QHash<QString, QString>> againstChanging(sql::Session &session, const sql::Profile &here,
    const sql::Target &there, const QList<FrozenKey> &keys, const QString &label);

/// Takes out of the set what the other regions have something against, and all of it where one could not be asked.
/// compiled: of the rules that the set names.
void leaveToRegions(FrozenSet *set, const sql::CompiledTarget &compiled, const QList<RegionWord> &words);

} // namespace idemdesk::models
