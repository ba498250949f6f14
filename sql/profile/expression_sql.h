// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/profile.h"

#include <QMap>
#include <QString>

namespace idemdesk::sql {

/// The value of a time expression as a timestamptz over t, with `plus` added; NULL where its `when` does not hold.
/// For showing a time and where nothing better is at hand; compareTime() keeps a comparison on the column.
QString timestamptzSql(const Expression &expression);

/// `expression op moment` as a condition, rewritten onto the column's own form so that an index on it serves; its
/// `when` is joined by AND. op is one of < <= > >=; momentSql is SQL of a timestamptz.
QString compareTime(const Expression &expression, const QString &op, const QString &momentSql);

/// "90m" as `'5400 seconds'::pg_catalog.interval`; another text is an interval expression over t and comes back in
/// parentheses; the empty text is a zero interval.
QString intervalSql(const QString &after);

/// Puts (nowSql) in place of each `$now`, now(), clock_timestamp(), statement_timestamp(), transaction_timestamp() and
/// CURRENT_TIMESTAMP (exact reading 6) that stands outside quotes and comments.
QString renderNow(const QString &sql, const QString &nowSql);

/// The same for named variables: {"reason": "$3"} replaces `$reason` by ($3). Others stay as they are.
QString renderVariables(const QString &sql, const QMap<QString, QString> &values);

/// Names of the `$name` variables that occur outside quotes and comments, each once.
QStringList variablesIn(const QString &sql);

/// Nothing where the text can stand in parentheses without reaching beyond them: quotes and comments closed, brackets
/// paired, no semicolon, no line comment left open at its end. Else a sentence that says what is wrong.
QString expressionFault(const QString &sql);

/// The column name where sql is plainly `t.name` or `t."Name"` (unquoted names fold to lower case), else empty.
QString plainColumn(const QString &sql);

} // namespace idemdesk::sql
