// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/audit/anchor_store.h"

namespace idemdesk::models {

/// How the trail compares with what this computer saw of it before.
enum class AnchorState { None, Unreadable, Matches, CutOff, Rewritten };

/// What a check of the trail found.
struct TrailCheck {
    bool walked = false; ///< the chain was walked; else it was only held against what was seen before
    sql::AuditVerdict chain; ///< by itself: each row's hash, and the links between them
    AnchorState anchorState = AnchorState::None;
    sql::AuditAnchor head; ///< the newest row now, as the trail itself says
    qint64 lastRow = 0; ///< the newest row that is there; read only where the end is gone
    std::optional<sql::AuditAnchor> seen; ///< what was noted before
    bool continues() const { return anchorState != AnchorState::CutOff && anchorState != AnchorState::Rewritten; }
    bool whole() const { return (!walked || chain.intact) && continues(); }
    /// All that is wrong, each in its own words, the worst first; empty where it is whole.
    QStringList findings() const;
    /// What was found: all of it, a line each.
    QString sentence() const;
    /// What it means for whoever relies on the trail, and what to do; empty where it is whole.
    QString meaning() const;
    /// The same among the findings about the guard: red where the trail is not whole, amber where the note cannot be
    /// read.
    QList<sql::GuardFinding> guardFindings() const;
};

// Both run on a lane's thread; the store must be used by nobody else meanwhile. Where all is well they note the head.

/// Walks the chain and compares it with the store.
sql::Result<TrailCheck> checkTrail(sql::Session &session, AnchorStore *store);
/// Only compares with the store, which takes two look-ups: for each connect and after each action.
sql::Result<TrailCheck> glanceAtTrail(sql::Session &session, AnchorStore *store);

} // namespace idemdesk::models
