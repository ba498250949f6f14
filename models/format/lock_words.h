// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/activity.h"

#include <QStringList>

namespace idemdesk::models {

/// A lock in one line, unescaped: "RowExclusiveLock on app.request", "waits for ExclusiveLock on advisory lock 42".
QString lockLabel(const sql::SessionLock &lock);

/// Each of them, for a list.
QStringList lockLabels(const QList<sql::SessionLock> &locks);

} // namespace idemdesk::models
