// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/keys/render.h"
#include "sql/session/session.h"
#include "sql/types/key_page.h"
#include "sql/types/story.h"
#include "sql/types/target.h"

#include <QIODevice>

namespace idemdesk::sql {

/// One row with every role and column, values cut at maxBytes, and its effects.
Result<KeyDetail> readDetail(Session &session, const Target &target, const Cells &identity, qint64 maxBytes);

/// Rows whose key is exactly this in the scope given by label (labels left out match any).
Result<QList<KeyRecord>> rowsWithKey(
    Session &session, const Target &target, const QString &key, const QMap<QString, QString> &scope);

/// A whole column value as text, written to a device in bounded memory; gives its size in bytes.
Result<qint64> saveColumn(
    Session &session, const Target &target, const Cells &identity, const QString &column, QIODevice &out);

/// The condition for the rows with this identity; the texts are cast to the columns' own types.
QString identityCondition(Render &render, const Cells &identity);

/// A text that stands for a row that is not there (any more).
Error rowGone();

} // namespace idemdesk::sql
