// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/alert.h"
#include "sql/types/result.h"
#include "sql/types/target.h"

namespace idemdesk::models {

/// The rules that watch a target: those of the alert lists of the seeds (000, 003 §29) that its columns can serve, as
/// the profile's "alerts" change them, and the profile's own. "alerts" is a list of objects {id, off} or {id, metric,
/// above | rising | sum | share, for, least, over, title}; of a rule that is there, what is not written stays. The
/// profile's reader has checked their form; a metric that is not there is an error that names its place.
sql::Result<QList<sql::AlertRule>> alertRules(const sql::Target &target);

/// The rules of a target whose profile says nothing about alerts and whose columns serve them all.
QList<sql::AlertRule> defaultAlertRules();

/// Metrics that the rules look at, each once.
QStringList alertMetrics(const QList<sql::AlertRule> &rules);

/// The longest span that judging them needs, in seconds.
qint64 alertSpan(const QList<sql::AlertRule> &rules);

} // namespace idemdesk::models
