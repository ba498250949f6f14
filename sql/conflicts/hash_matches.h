// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/conflicts/key_finder.h"
#include "sql/keys/render.h"

#include <optional>

namespace idemdesk::sql {

/// One hash that is looked for in a table.
struct WantedHash {
    QString text; ///< as the log writes it
    std::optional<HashText> hash; ///< as it reads
    QString scope; ///< rows of other scopes do not count; empty: any
};

/// A row's intent, or that several rows fit.
struct HashMatch {
    bool several = false;
    QStringList scope; ///< its parts, in the profile's order; NULL ones are empty
    QString key;
};

/// What the hashes stand for, by their places in the list; those that no row fits are left out.
using HashMatches = QMap<qsizetype, HashMatch>;

/// Rows by their stored fingerprints. Nothing without a statement where the profile names no fingerprint.
Result<HashMatches> matchFingerprints(Session &session, const Target &target, const QList<WantedHash> &wanted);

/// Rows by their keys as they are. A text that the key's type cannot be finds none.
Result<HashMatches> matchKeys(Session &session, const Target &target, const QList<WantedHash> &wanted);

/// Rows by SHA-256, SHA-512, MD5 and, where the extension pgcrypto is installed, SHA-1 of their keys, alone or after
/// their scopes; a hash may be cut to 8 bytes. The server hashes its keys, so that none of them travels.
Result<HashMatches> matchKeyHashes(Session &session, const Target &target, const QList<WantedHash> &wanted);

} // namespace idemdesk::sql
