// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/session/session.h"
#include "sql/types/key_page.h"
#include "sql/types/target.h"

#include <QIODevice>
#include <functional>

namespace idemdesk::sql {

enum class ExportFormat { Csv, JsonLines };
struct ExportProgress {
    qint64 rows = 0;
    qint64 bytes = 0;
    QString note; ///< what could not be read, and what that means; empty where nothing
};
/// All rows that match, in page order, streamed with constant memory. CSV cells that a spreadsheet would take for a
/// formula get a leading quote mark. onProgress is called a few times a second; false cancels.
Result<ExportProgress> exportRows(Session &session, const Target &target, const Filter &filter, const OrderLabel &order,
    ExportFormat format, QIODevice &out, const std::function<bool(const ExportProgress &)> &onProgress);

} // namespace idemdesk::sql
