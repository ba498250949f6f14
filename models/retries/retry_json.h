// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/retry.h"

#include <QJsonObject>

namespace idemdesk::models {

/// {"same": …, "other": …, "reasons": […]}: what happens if the client retries at `now`, with sentences in UTC.
QJsonObject retryJson(const sql::RetryAnswers &answers, sql::TargetKind kind, const sql::Timestamp &now);

/// {"code": …, "class": "passing", "meaning": …, "advice": …}; null for a code that the console does not know.
QJsonValue errorCodeJson(const QString &code);

} // namespace idemdesk::models
