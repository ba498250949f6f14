// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/format/time_format.h"
#include "sql/types/key_record.h"
#include "sql/types/target.h"

#include <QList>
#include <QString>

namespace idemdesk::models {

enum class CopyFormat { Text, Tsv, Json, Sql };

/// Selected rows for the clipboard. Text: one line of scope and key each, as stored. Tsv: a heading and a line each;
/// cells a spreadsheet would take for a formula get a leading quote mark. Json: the objects of DESIGN 5. Sql: a SELECT
/// by identity.
QString copyRecords(
    CopyFormat format, const QList<sql::KeyRecord> &records, const sql::Target &target, const TimeFormat &times);

} // namespace idemdesk::models
