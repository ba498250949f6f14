// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/fingerprint/digest.h"

#include <QByteArray>
#include <QList>
#include <QString>
#include <optional>

namespace idemdesk::models {

/// How a stored fingerprint is written, and so what it may be.
struct FingerprintReading {
    enum class Encoding { Hex, Base64, Base64Url, Uuid, Bytea };
    Encoding encoding = Encoding::Hex;
    QByteArray bytes; ///< decoded
    QString text; ///< without a prefix such as "sha256:"
    QString named; ///< the algorithm that a prefix names, or empty
};

/// Nothing where the text is no hash in hex, base64 (also of URLs, also without its padding), as a bytea or a uuid.
std::optional<FingerprintReading> readFingerprint(const QString &stored);

/// Hashes that give so many bytes; in full first, then those that may have been cut to it.
QList<Digest> algorithmsFor(const FingerprintReading &reading, bool cutOnes);
/// True if the digest is what is stored: the whole, its beginning, or a uuid made from it.
bool reproduces(const FingerprintReading &reading, const QByteArray &digest);
/// A digest written as the stored fingerprint is, cut to its length: what the table would hold had this digest been
/// stored.
QString writtenLike(const QString &stored, const QByteArray &digest);

/// "64 hex digits: SHA-256, BLAKE2s-256 or SHA3-256".
QString describeFingerprint(const QString &stored);

/// Two fingerprints side by side.
struct FingerprintComparison {
    QString first; ///< as they are stored
    QString second;
    QString firstKind; ///< describeFingerprint()
    QString secondKind;
    qsizetype firstDifference = -1; ///< character, or -1 where the texts are the same
    bool sameBytes = false; ///< the same hash, perhaps written otherwise
    QString sentence;
};
FingerprintComparison compareFingerprints(const QString &first, const QString &second);

} // namespace idemdesk::models
