// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/action.h"

#include <QByteArray>

namespace idemdesk::models {

enum class AuditFormat { Csv, Json };

/// Rows of the trail as a file: CSV with a header, formulas neutralised, or a JSON array in which facts are objects and times
/// RFC 3339.
QByteArray auditText(const QList<sql::AuditRow> &rows, AuditFormat format);

} // namespace idemdesk::models
