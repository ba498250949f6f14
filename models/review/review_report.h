// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/review/review_reader.h"
#include "sql/types/result.h"

#include <QJsonObject>

namespace idemdesk::models {

/// The review of one table for a person who has no access to the database: a page without anything to load.
QString reviewHtml(const ReviewReport &report);
/// The same for programs.
QJsonObject reviewJson(const ReviewReport &report);
/// "12 settled, 1 does not apply, 2 gaps, 19 open."
QString reviewSummary(const ReviewReport &report);
/// "Signed by ann at 2026-03-01 10:00:00 (UTC): note", and whether it still holds; empty where nobody signed.
QString reviewSignature(const ReviewItem &item);

/// Writes it as a new file, mode 0600: HTML, PDF or JSON by the name's ending. Gives the path.
sql::Result<QString> writeReview(const ReviewReport &report, const QString &path);

} // namespace idemdesk::models
