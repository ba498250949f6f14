// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ctl/context.h"
#include "sql/types/action.h"
#include "sql/types/filter.h"
#include "sql/types/target.h"

#include <memory>
#include <optional>

namespace idemdesk::app {

/// A session and the target that --target names, bound to its table.
struct OpenedTarget {
    std::unique_ptr<sql::Session> session;
    sql::Target target;
    std::optional<sql::RegisteredTarget> registered; ///< nothing: a shipped profile or a file, good for reading only
    sql::CompiledTarget compiled; ///< as it is registered, else as it would be
};

/// A registered target first, then a shipped profile, then a file. With `mustBeRegistered` nothing else will do.
sql::Result<OpenedTarget> openTarget(const Context &context, bool mustBeRegistered = false);

/// --filter as the target's vocabulary reads it.
sql::Result<sql::Filter> filterOf(const Context &context, const sql::Target &target);

/// An error of the filter with its place marked below the text.
Exit failFilter(const Context &context, const sql::Error &error);

} // namespace idemdesk::app
