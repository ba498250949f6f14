// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/keys/page_cache.h"

namespace idemdesk::models {

/// Whether one row more is read in front of the page. It is, wherever the place is not next to a loaded page: that row
/// is the place this page is read anew from.
bool readsLead(const PagePlan &plan);

/// What is asked to read a page by its plan; filter, order and $now are the list's.
sql::PageRequest requestOf(const PagePlan &plan);

/// What came, as a page of the list.
struct PageAnswer {
    Page page;
    std::optional<sql::Cursor> before; ///< the place in front of the page, where one row more was read
    bool more = false; ///< rows follow in the direction read
};

/// The answer to requestOf(plan) as the page of this number.
PageAnswer answerOf(qint64 number, const PagePlan &plan, const sql::KeyPage &result);

} // namespace idemdesk::models
