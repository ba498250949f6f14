// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/keys/story_model.h"
#include "models/verdict/verdict.h"
#include "sql/actions/action_gateway.h"
#include "sql/types/conflict.h"
#include "sql/types/story.h"
#include "sql/types/target.h"

#include <QDateTime>

namespace idemdesk::models {

/// What a case file holds about one row of an intent.
struct CaseRow {
    sql::KeyDetail detail;
    QList<StoryEvent> story;
    QList<sql::KeyTouch> touches; ///< actions of this console on it
};

/// Everything a case file says, before it is written: facts with their sources, the verdict with its rules, and how the trail stood.
struct CaseFile {
    QString complaint; ///< what was complained about; may be empty
    QString server; ///< "database on host:port as user"
    QString targetTitle;
    QString relation;
    QStringList scopeLabels;
    QString key;
    QList<CaseRow> rows; ///< more than one where the key may stand in several rows
    QList<sql::ConflictRecord> conflicts; ///< of this key
    bool conflictsKnown = false; ///< false: nothing records them
    Verdict verdict;
    std::optional<sql::AuditVerdict> trail; ///< nothing: there is no trail, or this login may not see it
    QStringList masked; ///< names of columns whose values are left out, as the profile's "masking" says
    QString madeBy; ///< the login
    QDateTime madeAt; ///< UTC, by the server's clock
};

/// Columns and roles that "masking" in the profile names: a list of names.
QStringList maskedColumns(const sql::Profile &profile);

/// The facts that the verdict stands on, as far as they are known here.
VerdictFacts verdictFacts(const sql::Target &target, const CaseFile &file);

/// The case file as JSON: everything the others say, for programs and for comparing. Masked values are left out.
QByteArray caseJson(const CaseFile &file);

} // namespace idemdesk::models
