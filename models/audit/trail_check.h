// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/audit/anchor_store.h"

namespace idemdesk::models {

/// How the trail compares with what this computer saw of it before.
enum class AnchorState { None, Unreadable, Matches, CutOff, Rewritten };

/// What a check of the trail found.
struct TrailCheck {
    sql::AuditVerdict chain; ///< by itself: each row's hash, and the links between them
    AnchorState anchorState = AnchorState::None;
    sql::AuditAnchor head; ///< the newest row now
    std::optional<sql::AuditAnchor> seen; ///< what was noted before
    bool whole() const { return chain.intact && anchorState != AnchorState::CutOff && anchorState != AnchorState::Rewritten; }
    /// One or two sentences: what it means.
    QString sentence() const;
};

/// Walks the chain and compares it with the store; notes the head where all is well. Runs on a lane's thread; the store must be
/// used by nobody else meanwhile.
sql::Result<TrailCheck> checkTrail(sql::Session &session, AnchorStore *store);

} // namespace idemdesk::models
