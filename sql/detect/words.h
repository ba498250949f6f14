// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/profile.h"

#include <QString>
#include <QStringList>
#include <optional>

namespace idemdesk::sql {

/// The words of a name, in lower case: "idempotencyKey" and "idempotency_key" are both [idempotency, key].
QStringList wordsOf(const QString &name);

/// Is one of these words among them?
bool hasAny(const QStringList &words, const QStringList &wanted);

/// What a raw status means by the vocabulary services use ("COMPLETE", "Succeeded", "failed_terminal"), else nothing.
std::optional<KeyState> stateOfWord(const QString &raw);

/// The values a CHECK allows for a column (IN, = ANY, or joined by OR), in the order written; empty where the check is
/// of another form or speaks of other columns too.
QStringList valuesOfCheck(const QString &definition, const QString &column);

/// A constant that a column's default writes: `'pending'::text` gives pending.
QString constantOfDefault(const QString &defaultSql);

} // namespace idemdesk::sql
