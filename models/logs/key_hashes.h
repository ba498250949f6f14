// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QHash>
#include <QString>
#include <optional>

namespace idemdesk::models {

/// Finds the key behind a hash that a log carries in its place, by hashing keys that are known. Keys may be given with
/// their scope, as some services hash both.
class KeyHashes
{
public:
    void add(const QString &scope, const QString &key);

    struct Match {
        QString scope;
        QString key;
    };
    /// The hash in hex or base64, whole or cut to 8 bytes at least. Nothing where no known key makes it, or where two
    /// do.
    std::optional<Match> keyOf(const QString &hash) const;

private:
    void addDigest(const QByteArray &digest, qsizetype match);
    QList<Match> m_keys;
    QMultiHash<QByteArray, std::pair<QByteArray, qsizetype>> m_byStart; ///< first 8 bytes: whole digest, key
};

} // namespace idemdesk::models
