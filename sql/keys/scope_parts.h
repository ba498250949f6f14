// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/keys/render.h"

namespace idemdesk::sql {

/// One part of the scope as SQL.
struct ScopePart {
    QString sql;
    ExpressionType type;
    const ColumnFacts *facts = nullptr;
};

QList<ScopePart> partsOf(const Target &target);

/// True where a text that a service or a log gave as the scope names this one: the whole scope, or one part of it.
/// Without a text, and for a table without scopes, nothing speaks against it.
bool namesScope(const QString &text, const Cells &scope);
/// The same as a condition over a row of the target: text is SQL.
QString namesScopeSql(const QString &text, const Target &target);

/// The scope's parts in the order of an index that begins with just them, all NOT NULL; empty where there is none.
QList<qsizetype> indexOrder(const Target &target, const QList<ScopePart> &parts);

} // namespace idemdesk::sql
