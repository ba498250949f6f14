// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/format/time_format.h"
#include "models/keys/key_columns.h"
#include "sql/types/key_record.h"
#include "sql/types/story.h"

#include <QVariant>

namespace idemdesk::models {

/// What one column shows of a row: short, safe, and by the server's clock.
QString keyCellText(
    const sql::KeyRecord &record, const KeyColumnSpec &spec, const TimeFormat &times, const sql::Timestamp &now);
/// The same in full, as plain text; never empty where there is something to say.
QString keyCellToolTip(
    const sql::KeyRecord &record, const KeyColumnSpec &spec, const TimeFormat &times, const sql::Timestamp &now);
/// The stored value; invalid for NULL.
QVariant keyCellRaw(const sql::KeyRecord &record, const KeyColumnSpec &spec);
/// What the heading of the column gives for a role of an item model: title, help and alignment.
QVariant keyColumnHeading(const KeyColumnSpec &spec, int role);
/// The server's message where this column's expression failed on the row, else empty.
QString keyCellError(const sql::KeyRecord &record, const KeyColumnSpec &spec);
QString relativeText(const sql::Timestamp &time, const sql::Timestamp &now); ///< "5 min ago", "in 3 h"
/// A state's text, and that the row is stuck in it: "Stuck" of what is in progress, else "Pending, stuck".
QString stuckText(const QString &text, sql::KeyState state);
/// "Stuck", "Succeeded, expired".
QString recordStateText(const sql::KeyRecord &record);
/// "29 d old · 3 attempts · owner worker-7", as far as it is known; "stuck for 27 d" first where it is.
QString keyFactsText(const sql::KeyDetail &detail);
/// The same request sent again runs its work, and nothing shows that the effect is not there: then it happens twice. An
/// effect that nobody declared, or whose absence proves nothing, may be there.
bool retryMayRepeat(const sql::KeyDetail &detail);
/// "order/123", "123", or "" where there is no result.
QString recordResultText(const sql::KeyRecord &record);

} // namespace idemdesk::models
