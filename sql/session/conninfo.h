// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/result.h"

#include <QList>
#include <QString>
#include <utility>

namespace idemdesk::sql {

/// Keywords and values of a conninfo text (key=value, or a URI) by libpq's own parser; only those that stand in it. A
/// text that holds a password is refused: it would show in process lists and settings files.
Result<QList<std::pair<QString, QString>>> parseConninfo(const QString &conninfo);

/// key=value text that libpq reads back as just these; empty values are left out.
QString composeConninfo(const QList<std::pair<QString, QString>> &settings);

/// The text with every secret in it replaced by stars, also where libpq would refuse it; for messages and logs.
QString maskConninfo(const QString &conninfo);

} // namespace idemdesk::sql
