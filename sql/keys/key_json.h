// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/key_record.h"
#include "sql/types/target.h"

#include <QByteArray>

namespace idemdesk::sql {

/// A key as one JSON object (DESIGN 5): scope by label, key, state, status, stale, expired, and the roles by their
/// names. Times are RFC 3339 in UTC; numbers keep the server's text; a JSON payload stands in it as it is, unless it is
/// cut. A cell that failed is {"error": message}.
QByteArray keyToJson(const Target &target, const KeyRecord &record);

/// What a role's column holds, for writing it.
enum class JsonForm { Text, Time, Number, Boolean, Json };
JsonForm jsonFormOf(const Target &target, Role role);

/// One cell in that form, appended as a JSON value.
void appendJson(QByteArray &out, const Cell &cell, JsonForm form);

} // namespace idemdesk::sql
