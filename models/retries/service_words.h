// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/retries/error_codes.h"

namespace idemdesk::models {

/// What a service's own word for a failure usually means ("card_declined", "GATEWAY_TIMEOUT", "InvalidAmount", "503"),
/// by the kinds of failure in seed 003 23; byName is set, since only the service knows what it meant. Nothing for other
/// words.
std::optional<ErrorCode> serviceWordOf(const QString &code);

} // namespace idemdesk::models
