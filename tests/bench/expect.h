// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/result.h"
#include "tests/bench/large_table.h"

namespace idemdesk::bench {

/// The value, or the end of the program: a bench cannot go on without it.
template <typename T> T expect(sql::Result<T> result)
{
    demand(result.ok(), result.ok() ? QString() : result.error().line() + u'\n' + result.error().detail);
    return std::move(*result);
}

} // namespace idemdesk::bench
