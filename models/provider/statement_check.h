// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/provider/finding_spool.h"

#include <QMap>

namespace idemdesk::models {

/// A statement and what it is compared as.
struct StatementQuestion {
    QString path;
    QString provider; ///< whose it is
    StatementMap map; ///< empty: the names of the columns decide
    std::optional<sql::Timestamp> since; ///< what it covers, where its lines do not tell
    std::optional<sql::Timestamp> until;
    qint64 marginSeconds = CompareStatementOptions().marginSeconds; ///< so long before its last line nothing is missed
};

/// What came of it.
struct StatementResult {
    QString provider;
    StatementFacts facts;
    StatementComparison answer;
    QMap<StatementFindingKind, QList<StatementFinding>> kept; ///< the first of each kind
    std::shared_ptr<FindingSpool> all; ///< every finding
};
inline constexpr qsizetype kKeptOfKind = 1'000;

/// Reads the file and compares it. Errors: those of readStatement() and compareStatement(); File where there is no
/// room.
sql::Result<StatementResult> checkStatement(sql::Session &session, const sql::Target &target,
    const StatementQuestion &question, StatementProgress *progress, const std::stop_token &stop);

/// Writes every finding to a file, as CSV or JSON Lines by the name's ending; gives its path.
sql::Result<QString> writeFindings(const FindingSpool &findings, const QString &path);

} // namespace idemdesk::models
