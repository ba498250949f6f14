// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ctl/context.h"
#include "sql/types/action.h"
#include "sql/types/filter.h"
#include "sql/types/key_record.h"
#include "sql/types/target.h"

#include <memory>
#include <optional>

namespace idemdesk::app {

/// A session and the target that --target names, bound to its table.
struct OpenedTarget {
    std::unique_ptr<sql::Session> session; ///< nothing where it is the caller's
    sql::Target target;
    std::optional<sql::RegisteredTarget> registered; ///< nothing: a shipped profile or a file, good for reading only
    sql::CompiledTarget compiled; ///< as it is registered, else as it would be
};

/// A registered target first, then a shipped profile, then a file. With `mustBeRegistered` nothing else will do.
sql::Result<OpenedTarget> openTarget(const Context &context, bool mustBeRegistered = false);

/// The same in a session that is there already, which stays the caller's. Says nothing; may run on any thread once
/// Context::profile() was asked on the main one.
sql::Result<OpenedTarget> targetIn(const Context &context, sql::Session &session, bool mustBeRegistered = false);

/// Says on stderr what of a profile was left out. It changes what an answer means: a row without its status is unknown,
/// and no rule finds it.
void warnOfProblems(const QList<sql::Finding> &findings);

/// The one that is meant by its name, its title or its table, with or without the schema; nothing where none is.
/// Several of one title or table are a usage error that names them.
sql::Result<std::optional<sql::RegisteredTarget>> registeredNamed(
    const QList<sql::RegisteredTarget> &targets, const QString &name);

/// --target where it chooses among what was done: a name that the trail has (of a target that was taken out, too), else
/// a registered target as registeredNamed() finds it, or by the beginning of its name that no other has. Empty without
/// the option.
sql::Result<QString> targetOfTrail(const Context &context, sql::Session &session);

/// --filter as the target's vocabulary reads it.
sql::Result<sql::Filter> filterOf(const Context &context, const sql::Target &target);

/// Which of the rows with one key is meant. A part that is NULL is nothing in its optional.
struct RowChoice {
    QMap<QString, std::optional<QString>> scope; ///< by label; labels left out match any
    QMap<QString, std::optional<QString>> identity; ///< by column
};

/// --scope by itself: for commands that look into several tables.
Option scopeOption();
/// What --scope says, before it is known which labels a table has.
using WantedScope = QMap<QString, std::optional<QString>>;
sql::Result<WantedScope> wantedScope(const Context &context);
/// --scope and --identity.
QList<Option> rowOptions();
/// The two as the target knows them; a label or column that it does not have is a usage error.
sql::Result<RowChoice> rowChoice(const Context &context, const sql::Target &target);
/// The rows with this key that are meant.
sql::Result<QList<sql::KeyRecord>> rowsOf(
    sql::Session &session, const sql::Target &target, const QString &key, const RowChoice &choice);

/// No row of the table has the key, or none in the scope that was asked for; with what the trail says became of it.
sql::Error noKeyIn(const OpenedTarget &opened, const QString &key, const RowChoice &choice);

/// An error of the filter with its place marked below the text.
Exit failFilter(const Context &context, const sql::Error &error);

} // namespace idemdesk::app
