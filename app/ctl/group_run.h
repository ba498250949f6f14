// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ctl/context.h"
#include "app/ctl/out/capture.h"
#include "sql/types/connection_group.h"

#include <functional>

namespace idemdesk::app {

using CommandRun = std::function<Exit(const Context &)>;

/// What one member of a group said to a command.
struct MemberAnswer {
    QString label;
    Captured said;
    Exit exit = Exit::Failed;

    /// It looked; that nothing is there is an answer, too.
    bool answered() const { return !said.error || said.absent; }
};

/// The group that --group names, with what a command over it needs from the person asked already: --connect goes not
/// with it, and a profile's file is confirmed once.
sql::Result<sql::ConnectionGroup> groupToRun(const Context &context);

/// Refuses a group in which two labels lead to one database: its keys would come twice, and be acted on twice. A member
/// that does not answer is left to the command.
sql::Result<void> refuseTwice(const Context &context, const sql::ConnectionGroup &group);

/// Runs a command of one database in each member at once, each on a thread of its own, and gives what they said in the
/// order of the group. A member that is down keeps the others waiting no longer than its own deadline.
QList<MemberAnswer> askMembers(const Context &context, const sql::ConnectionGroup &group, const CommandRun &run);

/// The documents' items of all that answered, each with its member.
QList<QJsonObject> itemsOf(const QList<MemberAnswer> &answers);

/// How the answers are told together.
struct GroupView {
    /// What is known only of all members together: lines of text, or what stands in the document beside the rest.
    std::function<void(const QList<MemberAnswer> &, QStringList *lines, QJsonObject *document)> together = {};
    /// The one table that is shown; nothing: each member's own, put together where their columns are the same.
    std::function<std::optional<CapturedTable>(const QList<MemberAnswer> &)> merged = {};
    QString sortedBy = {}; ///< title of a column whose equal cells stand together in the one table; empty: by member
    bool acted = false; ///< they did something: whoever has an error failed in it
    QJsonObject document = {}; ///< stands beside the answers
};

/// Prints the answers, each with its member, and which members did not answer. Gives the exit status: Unknown where not
/// all answered, unless one found what is wrong; of what nobody has, Failed only where all were asked.
Exit tellAnswers(const Context &context, const QList<MemberAnswer> &answers, const GroupView &view = {});

/// Shows what each said, before anything is done; under --json only what it noted.
void showAnswers(const Context &context, const QList<MemberAnswer> &answers);

/// A command's run that takes --group: with it in each member, else as it is.
CommandRun overMembers(const CommandRun &run, const GroupView &view = {});

} // namespace idemdesk::app
