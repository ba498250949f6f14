// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/keys/render.h"

namespace idemdesk::sql {

/// The condition for the rows with this identity; the texts are cast to the columns' own types.
QString identityCondition(Render &render, const Cells &identity);

/// A text that stands for a row that is not there (any more).
Error rowGone();

} // namespace idemdesk::sql
