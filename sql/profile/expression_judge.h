// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/session/session.h"

#include <QString>

namespace idemdesk::sql {

/// What a text of a profile has to be.
enum class SqlForm { Expression, Query };

/// Whether the text is one expression, or one query, as the server's own parser reads it, and stays one within
/// parentheses. The parser alone works: the text is part of a statement that is parsed and never run, and no name in it
/// is looked up, so that nothing needs a right and nothing happens. Empty, or why not; the Error is about the
/// connection only.
/// `$now` and its like must be replaced already.
Result<QString> judgeSql(Session &session, const QString &sql, SqlForm form = SqlForm::Expression);

} // namespace idemdesk::sql
