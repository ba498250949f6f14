// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>
#include <optional>
#include <span>

namespace idemdesk::models {

/// The hashes that fingerprints are made with, the likelier first where lengths are the same.
enum class Digest {
    Sha256,
    Md5,
    Sha1,
    Xxh64,
    Xxh3,
    Blake2s256,
    Sha512,
    Blake2b256,
    Sha3_256,
    Keccak256,
    Sha384,
    Sha224,
    Blake2s128,
    Blake2s160,
    Blake2s224,
    Blake2b512,
    Blake2b384,
    Blake2b160,
    Sha3_224,
    Sha3_384,
    Sha3_512,
    Md4,
    Xxh128
};

std::span<const Digest> allDigests();
qsizetype digestBytes(Digest digest);
/// Of xxHash the canonical form, which is big-endian, as its programs print it.
QByteArray digestOf(QByteArrayView bytes, Digest digest);
/// "SHA-256".
QString digestName(Digest digest);
/// "sha256", as a recipe is written.
QString digestId(Digest digest);
/// The reverse of both; nothing for a name that is not known.
std::optional<Digest> digestFromName(const QString &name);

} // namespace idemdesk::models
