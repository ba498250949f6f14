// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/conflicts/conflict_import.h"

namespace idemdesk::models {

/// "Key reused, different request", "Unique violation", …
QString conflictKindLabel(const QString &kind);

/// The same as a mark of two words: "Reused key"; a kind that is not known stands for itself.
QString conflictKindMark(const QString &kind);

/// The code that the record holds, in its texts or by its kind: "P4002"; empty where it has none that is known.
QString conflictCode(const sql::ConflictRecord &record);

/// One sentence about what happened and how sure that is.
QString conflictSentence(const sql::ConflictRecord &record);
/// "Error P4002 – Final: The key belongs to another request. …"; empty where no code is known.
QString conflictMeaning(const sql::ConflictRecord &record);

/// "trace 4bf92f, region eu-west-1": what a service's log says beside; empty where it says nothing.
QString conflictAttributes(const sql::ConflictRecord &record);

/// What an import found beside its counts, a sentence each: retries, keys that were looked up, and what was left out.
QStringList importInWords(const ImportCounts &counts);

} // namespace idemdesk::models
