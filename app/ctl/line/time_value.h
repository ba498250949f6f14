// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/timestamp.h"

#include <optional>

namespace idemdesk::app {

/// A moment as ISO 8601 writes it, with its offset; nothing without one, as nobody could tell which moment it is.
std::optional<sql::Timestamp> timeWithOffset(const QString &text);

} // namespace idemdesk::app
