// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ctl/context.h"
#include "sql/types/target.h"

namespace idemdesk::app {

// A place in a listing as “next” gives it and --after takes it: "MARK.PLACE". The mark tells of which order, filter and
// table it is; a place means nothing under others.

/// The place with its mark.
QString markedPlace(const Context &context, const sql::Target &target, const QString &place);
/// The place that --after names, without its mark. One of another listing is a usage error.
sql::Result<QString> placeAfter(const Context &context, const sql::Target &target);
/// --after holds no such place.
sql::Error noPlace();

} // namespace idemdesk::app
