// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/casefile/stored_charge.h"
#include "models/complaint/match_context.h"
#include "models/connection/target_problem.h"
#include "sql/session/session.h"
#include "sql/types/filter.h"
#include "sql/types/key_record.h"
#include "sql/types/target.h"

#include <QTimeZone>

namespace idemdesk::models {

/// What a person knows who has a complaint in hand. What is empty is not known; what is given must all hold.
struct ComplaintQuestion {
    QString key; ///< whole
    QString customer; ///< a whole part of a scope: tenant, customer, user
    QString resource; ///< what it led to: an order's or payment's number
    std::optional<sql::Timestamp> at; ///< about when
    qint64 windowSeconds = 3'600; ///< to either side of it
    QString amount; ///< "10.50", without a currency
    QString text; ///< anything that stood in the request or the response

    bool keyAlone() const
    {
        return !key.isEmpty() && customer.isEmpty() && resource.isEmpty() && !at && amount.isEmpty() && text.isEmpty();
    }
    bool empty() const
    {
        return key.isEmpty() && customer.isEmpty() && resource.isEmpty() && !at && amount.isEmpty() && text.isEmpty();
    }
};

/// Sets the time of the question from what a person typed: without an offset it is in `zone`, a date alone means its
/// whole day. False, and nothing set, where the text is no time.
bool setComplaintTime(ComplaintQuestion *question, const QString &text, const QTimeZone &zone);

/// One intent that may be meant.
struct Candidate {
    qsizetype target = 0; ///< place in the list of targets that was searched
    sql::KeyRecord record;
    MatchContext context = {};
    StoredCharge charge = {}; ///< what its bodies tell, where they were read
    int member = -1; ///< of the window's group, that has it; -1: there is no group
};

struct ComplaintAnswer {
    QList<Candidate> candidates; ///< nearest to the time given first, else newest first
    QStringList notes; ///< sentences: which tables cannot tell it and why, and where there is more
    QStringList brief; ///< of the notes, what nobody may miss: suspicions, and what became of a key
    QList<TargetProblem> notRead; ///< tables that could not be searched: what is meant may be there
    int tables = 0; ///< that were to be searched
    int searched = 0; ///< of these; the others are named in notSearched or notRead
    int unsearched = 0; ///< tables that keep nothing of what is asked for: what is meant may be there
    bool lastDaysOnly = false; ///< of some table only the last days were searched
    bool cut = false; ///< some table has more matches than are listed
    bool gone = false; ///< none has the key, but the trail tells of a row that had it
    QStringList notSearched; ///< as the notes say it, with the tables by their titles alone

    /// Finding nothing says that there is nothing.
    bool whole() const { return notRead.isEmpty() && unsearched == 0 && searched > 0 && !lastDaysOnly && !gone; }
};

/// The question as a filter over one table. Where neither key, customer, resource nor time is given, the last thirty
/// days are searched.
sql::Filter complaintFilter(const ComplaintQuestion &question, const sql::Target &target);

/// Nearest to the time of the question first, else newest first.
void sortNearest(QList<Candidate> *candidates, const ComplaintQuestion &question);

/// Looks for candidates in each table. One that keeps nothing of what is asked for is named in the notes, one that
/// could not be read or not in time in notRead; a lost connection and a cancel end in an error. Runs on a lane's thread
/// and reads only.
sql::Result<ComplaintAnswer> searchComplaint(
    sql::Session &session, const QList<sql::Target> &targets, const ComplaintQuestion &question);

} // namespace idemdesk::models
