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
    QString state;
    bool allHappened = false; ///< in the place of a state, and said by a person: each line is something that happened
    QStringList happened; ///< values of the state, in small letters
    QStringList failed;
    QString id; ///< the provider's number of the booking

    bool empty() const { return reference.isEmpty(); }
    /// Whether it says what became of each line: nothing is taken to have happened because nobody said what it is.
    bool tellsOutcome() const { return allHappened || !state.isEmpty(); }
    /// The columns that it names.
    QStringList columns() const;
    /// "reference=Merchant reference", "amount_minor=Amount", as --map takes them.
    QStringList toTexts() const;
    /// "reference from “Merchant reference”, amount (smallest units) from “Amount”, …"
    QString inWords() const;
};

/// Reads such texts. Names are reference, amount, amount_comma, amount_minor, currency, currency_code, time, time_utc,
/// state, happened, failed, id and outcome. outcome=happened by itself leaves the columns to their names. Error: Usage.
sql::Result<StatementMap> statementMapFrom(const QStringList &texts);

/// The column whose name looks like a state's, or empty.
QString stateAmong(const QStringList &columns);

/// What the columns' names tell by themselves; empty where none looks like a reference.
StatementMap guessedStatementMap(const QStringList &columns);

/// A line as the map reads it, with reference still as it is written; or what is wrong with it, in a sentence.
struct MappedLine {
    sql::StatementLine line;
    QString state; ///< the word that the outcome is told by, in small letters
    QString fault;
};
MappedLine mappedLine(const StatementMap &map, const QMap<QString, QString> &values);

} // namespace idemdesk::models
