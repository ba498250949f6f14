// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/casefile/case_group.h"
#include "models/diff/json_diff.h"
#include "models/fingerprint/recipe_search.h"
#include "models/keys/story_model.h"
#include "models/verdict/verdict.h"
#include "sql/actions/action_gateway.h"
#include "sql/keys/payload_sample.h"
#include "sql/types/conflict.h"
#include "sql/types/provider.h"
#include "sql/types/story.h"
#include "sql/types/target.h"

#include <QDateTime>

namespace idemdesk::models {

/// One intent that a case is about.
struct CaseSubject {
    sql::Target target;
    QString registeredName; ///< empty: not registered
    QString key;
    QMap<QString, QString> scope; ///< by label; labels left out match any
    sql::Cells identity = {}; ///< of the one row that is meant; empty: every row of the key and scope
};

/// The intent of one row: a part of its scope that is NULL is no part left out.
CaseSubject caseSubject(const sql::Target &target, const QString &registeredName, const sql::KeyRecord &record);

/// What a case file holds about one row of an intent.
struct CaseRow {
    sql::Target target;
    QString key;
    QStringList names; ///< of the table, as who records a conflict may call it
    QStringList masked; ///< names of columns, roles and parts of the scope whose values are left out, as the profile's
                        ///< "masking" says
    sql::KeyDetail detail;
    QList<StoryEvent> story;
    QList<sql::KeyTouch> touches; ///< actions of this console on it, and releases of its claim in the cache
    bool releasesTold = true; ///< the latter are among them; else nobody can tell whether there were any
    QList<sql::ProviderEvidence> provider; ///< what people recorded of the provider's statements, the newest first
    bool providerMore = false; ///< there are others, which were not read
    bool providerUnread = false; ///< whether there are any may not be read
    std::optional<sql::ProviderRow> providerNow; ///< what those are compared with; nothing: it was not read
    std::optional<sql::PayloadRow> request; ///< as it was stored, with the parts that the profile's recipe names;
                                            ///< nothing: none is, or it is masked

    bool masks(sql::Role role) const { return masked.contains(sql::roleName(role)); }
};

inline constexpr int kMostTrailRows = 200; ///< of one action

/// A request of a case that can be compared.
struct CaseRequest {
    QString name; ///< "k-7" or "the refused request of k-7"
    QByteArray payload;
    QString fingerprint; ///< stored beside it; empty where there is none or it is masked
    RequestParts parts; ///< the key, and what the profile's recipe names
    PayloadOrigin origin = PayloadOrigin::Unknown;
    QStringList ignore; ///< JSON pointers of fields that may differ
    std::optional<Recipe> recipe; ///< the profile's, where it makes this fingerprint
    qsizetype row = -1; ///< of the case, that stored it or refused it; -1: none, or ambiguous
    bool refused = false;
    bool ambiguous = false; ///< its record fits several rows
    bool tooLarge = false; ///< to be read with the case; the payload is empty then
};

/// What differs between two requests of a case.
struct RequestDifference {
    QString first; ///< names
    QString second;
    QString sentence;
    QList<JsonChange> changes; ///< the first 200; none where one is no JSON
    qsizetype more = 0; ///< beyond these, but for those that a rule leaves out
};

/// Everything a case file says, before it is written: facts with their sources, the verdict with its rules, and how the
/// trail stood.
struct CaseFile {
    QString complaint; ///< what was complained about; may be empty
    QString server; ///< "database on host:port as user"
    QList<CaseRow> rows; ///< more than one where several intents were picked, or a key stands in several rows
    QList<sql::ConflictRecord> conflicts; ///< of these intents
    qint64 conflictsElsewhere = 0; ///< refused reuses of the same keys, but in another scope or table
    QStringList otherCharges; ///< further keys that hold a charge of the same customer and amount, within an hour
    bool conflictsKnown = false; ///< false: nothing records them
    QList<CaseRequest> requests; ///< that can be compared
    QList<RequestDifference> differences;
    QStringList notCompared; ///< whole sentences: requests that are not among the differences, and why
    QStringList notRead; ///< whole sentences: tables that could not be searched for these keys, and why
    CaseGroup group; ///< beside the rows: what the other members of a group hold
    Verdict verdict;
    std::optional<sql::AuditVerdict> trail; ///< nothing: there is no trail, or this login may not see it
    QList<sql::AuditRow>
        trailRows; ///< of the actions that touched the intents, oldest first; of each action the newest kMostTrailRows
    QString madeBy; ///< the login
    QDateTime madeAt; ///< UTC, by the server's clock
};

/// What who records a conflict may call the table.
QStringList namesOf(const sql::Target &target, const QString &registeredName);

/// True where the record is of this intent: of its key, and of its table and scope as far as the record names them.
/// names: of the table.
bool isOf(const sql::ConflictRecord &conflict, const QString &key, const QStringList &names, const sql::Cells &scope);

/// True for all rows but those of outboxes beside others: such a message is what an intent did, not one more intent.
bool isIntent(const CaseFile &file, const CaseRow &row);

/// True where the row is of an intent and stores its request.
bool storesRequest(const CaseFile &file, const CaseRow &row);

/// The facts that the verdict stands on, as far as they are known here.
VerdictFacts verdictFacts(const CaseFile &file);

/// What the other members of the group say to it: by file.group.
QList<MemberFact> memberFacts(const CaseFile &file);

/// True where any of the intents masks it.
bool masksAny(const CaseFile &file, sql::Role role);

/// "tenant: t1, operation: pay", without what is masked.
QString scopeOf(const CaseRow &row);

/// What the intents led to, by which further ones can be found: an order's or payment's number; empty where none is
/// known or it is masked.
QString businessReference(const CaseFile &file);
/// What a sentence calls a row: its key; with its table and scope where another row of the case has that key, too.
QString intentName(const CaseFile &file, const CaseRow &row);

/// The keys of the case, each once.
QStringList caseKeys(const CaseFile &file);

/// Everything that happened to the intents of a case on one line of time, each with its source: their stories, refused
/// reuses, and what was done from the console.
QList<StoryEvent> timelineOf(const CaseFile &file);

/// The stored requests of the intents and then those that were refused; none that the profile masks, and none of which
/// only the beginning was recorded. Makes fingerprints again: not for the GUI thread.
QList<CaseRequest> requestsOf(const CaseFile &file);

/// True where one of them was too large to be read with the case.
bool hasLargeRequest(const QList<CaseRequest> &requests);

/// Compares each refused request with the one that its row stored, and each other stored one with the first, at most
/// ten pairs; fills differences, and notCompared with what could not be. Not for the GUI thread.
void compareRequests(CaseFile *file);
/// "Between k-7 and the refused request of k-7: 1 value changed. …"
QString differenceInWords(const RequestDifference &difference);

/// The case file as JSON: everything the others say, for programs and for comparing. Masked values are left out.
QByteArray caseJson(const CaseFile &file);

} // namespace idemdesk::models
