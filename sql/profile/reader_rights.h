// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/session/session.h"
#include "sql/types/profile.h"
#include "sql/types/relation_facts.h"

namespace idemdesk::sql {

/// A right that this login lacks.
struct LackingRight {
    QString text; ///< a sentence
    QString sql; ///< what its owner runs, without a semicolon
    bool onSchema = false;
};

/// Rights that this login lacks on what a profile names: schemas (of types, too), tables and functions by their
/// qualified names. For a profile in which something could not be planned: what could be needs none.
Result<QList<LackingRight>> lackingReaderRights(Session &session, const Profile &profile);

/// Tables beside its own, quoted, that a profile names and of which row security hides rows from this login: what its
/// expressions find there is not all there is, and says so nowhere.
Result<QStringList> tablesHiddenBeside(Session &session, const Profile &profile);

/// The policy that shows every row of a table to this login, as its owner runs it; empty for a view, whose tables below
/// may have policies of their own.
QString readersPolicy(const RelationFacts &relation, const QString &login);
QString readersPolicy(const QString &table, const QString &login);

} // namespace idemdesk::sql
