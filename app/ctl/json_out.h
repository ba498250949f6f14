// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/activity.h"
#include "sql/types/cell.h"
#include "sql/types/proposal.h"
#include "sql/types/target.h"

#include <QJsonArray>
#include <QJsonObject>

namespace idemdesk::app {

QJsonObject jsonOf(const sql::Proposal &proposal);
QJsonObject jsonOf(const sql::Finding &finding);
QJsonObject jsonOf(const sql::BackendActivity &backend);
/// The values that identify a row, null where there is none.
QJsonArray jsonOf(const sql::Cells &identity);
QString severityName(sql::Finding::Severity severity);

} // namespace idemdesk::app
