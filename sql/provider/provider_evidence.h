// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/session/session.h"
#include "sql/types/provider.h"

#include <QList>

namespace idemdesk::sql {

/// What one reading of a statement is recorded under.
struct ProviderRecording {
    QString id; ///< a UUID: the same part is recorded once, however often it is asked for
    QString target; ///< the name that the table is registered under
    QString provider;
    QString file; ///< its name, without the folder
    QString fileSha; ///< SHA-256, hex
    QString reason;
};

/// Records a part of what was found (idemdesk.record_provider_words), at most kMostProviderWords of them; batch counts
/// from 1. Of each the identity, key, reference, word, line and texts are taken; who and when the server says. Gives
/// the number of its row in the trail. Needs a session that may write and a member of idemdesk_operator.
Result<qint64> recordProviderWords(
    Session &session, const ProviderRecording &recording, int batch, const QList<ProviderEvidence> &words);

/// What was recorded of these rows of a table (by its oid), in the order of the rows, at most kMostWordsOfRow of each.
/// What a file was recorded to say more than once is there once. *readable is false where there may be words that this
/// login may not see; where nothing keeps any it is true.
Result<QList<ProviderWords>> readProviderWords(
    Session &session, quint32 relation, const QList<Cells> &identities, bool *readable);

inline constexpr int kMostWordsOfRow = 50;

} // namespace idemdesk::sql
