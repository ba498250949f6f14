// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/result.h"

#include <QByteArray>
#include <QStringList>

namespace idemdesk::app {

/// What the provider of the demo's charges would send about the last day, as the keys are now: CSV that agrees with
/// most of them, and differs in every way that a statement can. conninfo: of the demo's database.
sql::Result<QByteArray> demoStatement(const QString &conninfo);
/// What its columns mean, as --map takes it.
QStringList demoStatementMap();
inline const QString kDemoProvider = QStringLiteral("charges"); ///< as the profile calls it

} // namespace idemdesk::app
