// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/key_record.h"
#include "sql/types/target.h"

#include <QStringList>

namespace idemdesk::app {

/// A value as a table shows it: "–" for NULL, and what the server says of one that cannot be read.
QString valueText(const sql::Cell &cell);
/// The state, and whether the key is stuck or expired.
QString stateText(const sql::KeyRecord &record);
/// Scope, key, state, then the roles and fields that this target has, as the window orders them. members: for each row
/// where it is, as a first column; empty: no such column.
QString keyTable(const sql::Target &target, const QList<sql::KeyRecord> &rows, const QStringList &members = {});

} // namespace idemdesk::app
