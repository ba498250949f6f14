// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/session/session.h"

#include <QMap>
#include <QStringList>

namespace idemdesk::sql {

/// Which of these metrics the samples of a registered target do not show to this login. What the console itself counts
/// is for everybody who may look; the rest is for whoever may read the whole table. Reads only.
Result<QStringList> withheldMetrics(Session &session, const QString &registeredName, const QStringList &metrics);
/// The same of several targets in one statement, by their names.
Result<QMap<QString, QStringList>> withheldMetrics(
    Session &session, const QStringList &registeredNames, const QStringList &metrics);

} // namespace idemdesk::sql
