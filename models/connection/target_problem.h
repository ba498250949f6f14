// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/error.h"

#include <QList>
#include <QString>
#include <QStringList>

namespace idemdesk::models {

/// A table that could not be read, with the reason: whatever is said of all tables is not said of this one.
struct TargetProblem {
    QString profileName; ///< empty: no table could be looked at
    QString file; ///< of the person's own profile
    sql::Error error;
};

/// "“payments” could not be read: You have no SELECT right on it or on its schema. …"
QString problemText(const TargetProblem &problem);
QStringList problemTexts(const QList<TargetProblem> &problems);
/// "2 tables could not be read, so what is in them is not known."
QString problemSummary(const QList<TargetProblem> &problems);

} // namespace idemdesk::models
