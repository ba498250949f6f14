// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ctl/context.h"
#include "models/casefile/case_file.h"
#include "models/connection/target_problem.h"
#include "models/triage/triage_rules.h"
#include "sql/types/local_place.h"

#include <memory>

namespace idemdesk::app {

/// A table that rows of the keys may stand in.
struct IntentTable {
    sql::Target target;
    QString registeredName; ///< empty: not registered
    sql::CompiledTarget compiled; ///< of the registration, else empty
};

/// Rows that a call is about, a session to read them with, and what could not be read.
struct Intents {
    std::unique_ptr<sql::Session> session;
    QList<models::CaseSubject> subjects; ///< empty: whether there are any is not known, which was said
    QList<IntentTable> tables; ///< that subjects stand in, and others
    std::optional<sql::Error> absent = {}; ///< of one of the keys it is known that it is not here
    QList<models::TargetProblem> notRead; ///< tables that may tell more of them
    QStringList notes;
};

/// The keys in every table that is here, or in the one of --target: requests, and the messages that came and went for
/// them. Of --scope, where the command has it.
sql::Result<Intents> intentsOf(const Context &context, const QStringList &keys);

/// What the triage makes of a row that is stale: among its reasons what cannot be known of an effect.
struct RowDoubt {
    qsizetype row = 0; ///< of the case
    models::TriageJudgement judgement;
};
/// Of each stale row of the case.
sql::Result<QList<RowDoubt>> doubtsOf(Intents &intents, const models::CaseFile &file);
QJsonObject jsonOf(const RowDoubt &doubt);

/// The table of the case's row.
const IntentTable *tableOf(const Intents &intents, const models::CaseRow &row);
/// What an operator would run next for the row, ready to be pasted into a shell.
QString nextCommand(const IntentTable &table, const models::CaseRow &row, const models::TriageJudgement *judgement);

/// No case could be made of the subjects. Says why; that there is none such is an answer.
Exit failCase(const sql::Error &error);

/// What was not looked at, on stderr; gives the exit status that follows.
Exit noteUnseen(const Intents &intents);

/// The verdict with its rules and what would settle it.
void printVerdict(const models::CaseFile &file);
void printDoubts(const models::CaseFile &file, const QList<RowDoubt> &doubts);

/// Where conflicts of this database are kept on this computer.
sql::LocalPlace localConflicts(const sql::Session &session);

} // namespace idemdesk::app
