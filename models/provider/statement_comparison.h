// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/provider/statement_file.h"
#include "sql/session/session.h"

#include <array>
#include <numeric>
#include <stop_token>

namespace idemdesk::models {

/// What is told of one reference. All but the last are what ProviderWord says.
enum class StatementFindingKind {
    Twice, ///< a double charge
    Happened, ///< with the provider; the key has not succeeded here: a retry may charge again
    OnlyProvider,
    AmountDiffers,
    CurrencyDiffers,
    DidNotHappen, ///< with the provider; the key here does not say so
    NotInStatement,
    Contradictory, ///< it happened and was taken back, or may have been; it failed and goes on
    SeveralHere ///< several rows have the reference
};
QString findingKindName(StatementFindingKind kind); ///< as --json writes it
QString findingKindText(StatementFindingKind kind); ///< for people
/// What the database records it as; nothing of several rows, for none of them is meant.
std::optional<sql::ProviderWord> wordOf(StatementFindingKind kind);

struct StatementFinding {
    StatementFindingKind kind = StatementFindingKind::Happened;
    QString reference;
    QList<qint64> lines; ///< their numbers, the first of them; none for NotInStatement
    QString text; ///< the first line, hostile
    QString allLines; ///< of Twice and Contradictory: each line behind its number, hostile; else empty
    QString statementAmount; ///< empty: the line has none
    QString statementCurrency;
    std::optional<sql::Timestamp> lineAt; ///< the latest moment that the line may mean; of DidNotHappen the first
    std::optional<sql::HereRow> here; ///< the row, or the first of several
    std::optional<sql::Timestamp> askedAt; ///< of NotInStatement
    std::optional<sql::Timestamp> coveredFrom; ///< what the statement covers, which holds that time
    std::optional<sql::Timestamp> coveredTo;
    QString detail; ///< a sentence
};

/// The time about which a statement can say that something is not in it.
struct StatementSpan {
    std::optional<sql::Timestamp> from; ///< nothing: it says nothing of the kind
    std::optional<sql::Timestamp> to;
    QString whyNot; ///< a sentence, where there is none

    bool known() const { return from.has_value() && to.has_value(); }
};

struct CompareStatementOptions {
    std::optional<sql::Timestamp> since; ///< what the statement covers, where its lines do not tell
    std::optional<sql::Timestamp> until;
    qint64 marginSeconds = 600; ///< so long before the last line's time nothing is missed: a provider books later
    std::stop_token stop {};
    StatementProgress *progress = nullptr; ///< told how far it is; may be null
};

struct StatementCounts {
    std::array<qint64, sql::kEnumCount<StatementFindingKind>> found {};
    qint64 matched = 0; ///< references that agree with their row
    qint64 notCompared = 0; ///< references whose amount or currency one side does not say, matched or not
    qint64 takenBack = 0; ///< of the matched, or of other amount: a later line takes it back, or may
    qint64 withoutReference = 0; ///< rows of that time that have no reference, and no provider's failure
    qint64 leftAside = 0; ///< rows of that time that only lines name which were left aside
    qint64 nearly = 0; ///< rows of that time whose reference a line has but for capitals, blanks and signs
    qint64 unreadable = 0; ///< rows whose values for this cannot be read

    qint64 of(StatementFindingKind kind) const { return found.at(static_cast<std::size_t>(kind)); }
    qint64 all() const { return std::accumulate(found.cbegin(), found.cend(), qint64(0)); }
};

struct StatementComparison {
    StatementCounts counts;
    StatementSpan span;
    QStringList notes; ///< whole sentences: what could not be looked at, and what it costs
    bool complete = true; ///< all was looked at that could tell something else
};

/// Compares the store's lines with the rows of the table. Each finding is handed on as it is found; an error from there
/// ends it. References are asked for by index, some hundred at once, or, where there is none, the table is read once.
/// Errors: those of the session; Cancelled.
sql::Result<StatementComparison> compareStatement(sql::Session &session, const sql::ProviderTarget &target,
    const StatementFacts &facts, sql::StatementStore *store, const CompareStatementOptions &options,
    const std::function<sql::Result<void>(const StatementFinding &)> &onFinding);

} // namespace idemdesk::models
