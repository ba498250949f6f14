// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/connection_group.h"
#include "sql/types/result.h"

#include <QByteArray>

namespace idemdesk::models {

/// Can a member be called so? It stands before lines of text, in lists divided by commas, and in the audit logs of all
/// members: 1 to 60 characters that are seen, no comma, no blank at an end.
bool isMemberLabel(const QString &label);

/// A group of connections as a JSON file says it:
///
///     { "idemdesk_group": 1, "name": "payments", "kind": "regions",
///       "members": [ { "label": "eu", "conninfo": "service=payments-eu" },
///                    { "label": "us", "conninfo": "service=payments-us" } ] }
///
/// A key that is not known is an error unless it begins with x_. An error names the place; a conninfo with a password
/// is refused, as it is everywhere.
sql::Result<sql::ConnectionGroup> groupFromJson(const QByteArray &json, const QString &fileName);
sql::Result<sql::ConnectionGroup> groupFromFile(const QString &path);

/// The text of such a file.
QByteArray groupToJson(const sql::ConnectionGroup &group);

/// What JSON Schema says of such a file.
QByteArray groupSchema();

} // namespace idemdesk::models
