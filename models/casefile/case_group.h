// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/casefile/stored_charge.h"

#include <QList>
#include <QString>

namespace idemdesk::models {

/// A row of another member of a group that fits what was asked for.
struct ElsewhereMatch {
    QString table; ///< profile's name
    QString key;
    sql::Cells scope;
    sql::KeyState state = sql::KeyState::Unknown;
    StoredCharge charge;
};

/// What another member of a group was found to hold.
struct ElsewhereMember {
    QString label; ///< hostile
    bool searched = false; ///< all of it that may hold a match
    QString why; ///< it was not searched, or not all of it: sentences; may be empty
    QList<ElsewhereMatch> matches;
};

/// The group of which a case looks at one member. A verdict on that member's rows is none on the whole group.
struct CaseGroup {
    QString member; ///< label of the one the case is about; hostile; empty: there is no group
    QList<ElsewhereMember> others;
};

} // namespace idemdesk::models
