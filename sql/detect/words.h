// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/profile.h"

#include <QString>
#include <QStringList>
#include <optional>
#include <utility>

namespace idemdesk::sql {

/// The words of a name, in lower case: "idempotencyKey" and "idempotency_key" are both [idempotency, key].
QStringList wordsOf(const QString &name);

/// Is one of these words among them?
bool hasAny(const QStringList &words, const QStringList &wanted);

/// What a raw status means by the vocabulary services use ("COMPLETE", "Succeeded", "failed_terminal"), else nothing.
/// Of a word made of several ("awaiting_retry", "RETRIES_EXCEEDED") the one that decides counts; a sentence says
/// nothing.
std::optional<KeyState> stateOfWord(const QString &raw);

/// The same of words that other tables use as well ("open", "ok", "expired"): for the rest of a column whose other
/// words are those of a life cycle.
std::optional<KeyState> stateOfCommonWord(const QString &raw);

/// Does it say that work is done again: "retry", "awaiting_retry", "retryable"?
bool saysRetry(const QString &raw);

/// Numbers that a comment explains ("0 = pending, 1: done" or "pending = 0"), in its order.
QList<std::pair<QString, QString>> codesOfComment(const QString &comment);

/// The time zone that a column's default writes its times in (`now() AT TIME ZONE 'utc'`); empty: none is named.
QString zoneOfDefault(const QString &defaultSql);

/// The values a CHECK allows for a column (IN, = ANY, or joined by OR), in the order written; empty where the check is
/// of another form or speaks of other columns too.
QStringList valuesOfCheck(const QString &definition, const QString &column);

/// A constant that a column's default writes: `'pending'::text` gives pending.
QString constantOfDefault(const QString &defaultSql);

} // namespace idemdesk::sql
