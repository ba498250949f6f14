// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/provider/statement_store.h"
#include "sql/types/result.h"

#include <QMap>
#include <QStringList>

namespace idemdesk::models {

/// How a statement writes its amounts.
enum class AmountForm {
    Point, ///< 1234.50
    Comma, ///< 1.234,50
    Minor ///< 123450: whole smallest units of the currency
};

/// Which column of a provider's statement means what. A column is named as the first line of a CSV file names it; of
/// JSON Lines it is a member's name, or a JSON pointer.
struct StatementMap {
    QString reference;
    QString amount; ///< empty: amounts are not compared
    AmountForm form = AmountForm::Point;
    QString currency;
    QString currencyCode; ///< of all lines, in the place of a column
    QString time; ///< empty: what the statement covers is not known
    bool timeUtc = false; ///< times without a zone are UTC
    QString state; ///< empty: each line says that it happened
    QStringList happened; ///< values of the state, in small letters
    QStringList failed;
    QString id; ///< the provider's number of the booking

    bool empty() const { return reference.isEmpty(); }
    /// The columns that it names.
    QStringList columns() const;
    /// "reference=Merchant reference", "amount_minor=Amount", as --map takes them.
    QStringList toTexts() const;
    /// "reference from “Merchant reference”, amount (smallest units) from “Amount”, …"
    QString inWords() const;
};

/// Reads such texts. Names are reference, amount, amount_comma, amount_minor, currency, currency_code, time, time_utc,
/// state, happened, failed and id. Error: Usage.
sql::Result<StatementMap> statementMapFrom(const QStringList &texts);

/// What the columns' names tell by themselves; empty where none looks like a reference.
StatementMap guessedStatementMap(const QStringList &columns);

/// A line as the map reads it, with reference still as it is written; or what is wrong with it, in a sentence.
struct MappedLine {
    sql::StatementLine line;
    QString fault;
};
MappedLine mappedLine(const StatementMap &map, const QMap<QString, QString> &values);

} // namespace idemdesk::models
