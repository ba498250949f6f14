// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/provider/statement_comparison.h"

#include <QByteArray>
#include <QJsonObject>

namespace idemdesk::models {

/// What is told beside the findings: how it was read, what could not be, and what that costs. Whole sentences.
QStringList statementNotes(const StatementFacts &facts, const StatementComparison &answer);
/// "6, 7", or a dash where it stands in no line.
QString lineNumbers(const StatementFinding &finding);
/// "In progress", or "Stuck" where the profile calls the row stale.
QString hereStateText(const sql::HereRow &here);
/// "10.50 EUR" for "10.5" and for "10.5000": with the currency's decimals, and never fewer digits than there are. Empty
/// where there is none; what is no number as it is.
QString moneyText(const QString &amount, const QString &currency);

/// One finding as programs read it.
QJsonObject findingJson(const StatementFinding &finding);
/// The same as a line of a CSV file, whose first line is findingHeader(); formulas are neutralised.
QByteArray findingLine(const StatementFinding &finding);
QByteArray findingHeader();

} // namespace idemdesk::models
