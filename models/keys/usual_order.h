// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/key_page.h"
#include "sql/types/target.h"

namespace idemdesk::models {

/// The order in which a list of keys opens: the whole table begins with its newest keys where an index finds them; a
/// filter has the order that suits it.
sql::OrderLabel usualOrder(const sql::Target &target, const sql::Filter &filter);

} // namespace idemdesk::models
