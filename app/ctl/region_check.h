// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ctl/context.h"
#include "app/ctl/opened_target.h"
#include "models/triage/frozen_set.h"
#include "sql/types/connection_group.h"

#include <optional>

namespace idemdesk::app {

/// Of a plan over --group, where that is of regions: looks for each member's keys in all others before the plan is
/// shown. What is stuck here may have succeeded there.
class RegionCheck
{
public:
    /// context: of the whole command; outlives it.
    explicit RegionCheck(const Context &context);

    /// Takes out of one member's plan what another member has something against, and all of it where one could not be
    /// asked. Nothing without such a group. May run on any thread.
    void leaveOut(const Context &member, const OpenedTarget &opened, models::FrozenSet *set) const;

private:
    const Context &m_context;
    std::optional<sql::ConnectionGroup> m_regions;
};

} // namespace idemdesk::app
