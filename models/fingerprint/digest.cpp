// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/fingerprint/digest.h"

#include <QCryptographicHash>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <iterator>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

using Hash = QCryptographicHash;

struct KnownDigest {
    Digest digest;
    qsizetype bytes;
    const char *name;
    std::optional<Hash::Algorithm> algorithm; ///< nothing: xxHash's
};

constexpr KnownDigest kDigests[] = {
    { Digest::Sha256, 32, "SHA-256", Hash::Sha256 },
    { Digest::Md5, 16, "MD5", Hash::Md5 },
    { Digest::Sha1, 20, "SHA-1", Hash::Sha1 },
    { Digest::Xxh64, 8, "XXH64", std::nullopt },
    { Digest::Xxh3, 8, "XXH3", std::nullopt },
    { Digest::Blake2s256, 32, "BLAKE2s-256", Hash::Blake2s_256 },
    { Digest::Sha512, 64, "SHA-512", Hash::Sha512 },
    { Digest::Blake2b256, 32, "BLAKE2b-256", Hash::Blake2b_256 },
    { Digest::Sha3_256, 32, "SHA3-256", Hash::Sha3_256 },
    { Digest::Keccak256, 32, "Keccak-256", Hash::Keccak_256 },
    { Digest::Sha384, 48, "SHA-384", Hash::Sha384 },
    { Digest::Sha224, 28, "SHA-224", Hash::Sha224 },
    { Digest::Blake2s128, 16, "BLAKE2s-128", Hash::Blake2s_128 },
    { Digest::Blake2s160, 20, "BLAKE2s-160", Hash::Blake2s_160 },
    { Digest::Blake2s224, 28, "BLAKE2s-224", Hash::Blake2s_224 },
    { Digest::Blake2b512, 64, "BLAKE2b-512", Hash::Blake2b_512 },
    { Digest::Blake2b384, 48, "BLAKE2b-384", Hash::Blake2b_384 },
    { Digest::Blake2b160, 20, "BLAKE2b-160", Hash::Blake2b_160 },
    { Digest::Sha3_224, 28, "SHA3-224", Hash::Sha3_224 },
    { Digest::Sha3_384, 48, "SHA3-384", Hash::Sha3_384 },
    { Digest::Sha3_512, 64, "SHA3-512", Hash::Sha3_512 },
    { Digest::Md4, 16, "MD4", Hash::Md4 },
    { Digest::Xxh128, 16, "XXH128", std::nullopt },
};

const KnownDigest &knownDigest(Digest digest)
{
    return kDigests[static_cast<std::size_t>(digest)];
}

constexpr bool inTheirOrder()
{
    for (std::size_t i = 0; i < std::size(kDigests); ++i) {
        if (static_cast<std::size_t>(kDigests[i].digest) != i) {
            return false;
        }
    }
    return static_cast<std::size_t>(Digest::Xxh128) + 1 == std::size(kDigests);
}
static_assert(inTheirOrder());

QByteArray canonicalXxh(XXH64_hash_t hash)
{
    XXH64_canonical_t canonical;
    XXH64_canonicalFromHash(&canonical, hash);
    return QByteArray(reinterpret_cast<const char *>(canonical.digest), sizeof canonical.digest);
}

} // namespace

std::span<const Digest> allDigests()
{
    static const auto all = [] {
        std::array<Digest, std::size(kDigests)> digests {};
        std::transform(std::begin(kDigests), std::end(kDigests), digests.begin(),
            [](const KnownDigest &known) { return known.digest; });
        return digests;
    }();
    return all;
}

qsizetype digestBytes(Digest digest)
{
    return knownDigest(digest).bytes;
}

QByteArray digestOf(QByteArrayView bytes, Digest digest)
{
    const auto size = static_cast<std::size_t>(bytes.size());
    if (digest == Digest::Xxh64) {
        return canonicalXxh(XXH64(bytes.data(), size, 0));
    }
    if (digest == Digest::Xxh3) {
        return canonicalXxh(XXH3_64bits(bytes.data(), size));
    }
    if (digest == Digest::Xxh128) {
        XXH128_canonical_t canonical;
        XXH128_canonicalFromHash(&canonical, XXH3_128bits(bytes.data(), size));
        return QByteArray(reinterpret_cast<const char *>(canonical.digest), sizeof canonical.digest);
    }
    const Hash::Algorithm algorithm = knownDigest(digest).algorithm.value_or(Hash::Sha256);
    return Hash::hash(QByteArray::fromRawData(bytes.data(), bytes.size()), algorithm);
}

QString digestName(Digest digest)
{
    return QString::fromLatin1(knownDigest(digest).name);
}

QString digestId(Digest digest)
{
    return digestName(digest).toLower().remove(u'-');
}

std::optional<Digest> digestFromName(const QString &name)
{
    const QString plain = QString(name).toLower().remove(u'-');
    const auto found = std::find_if(std::begin(kDigests), std::end(kDigests),
        [&plain](const KnownDigest &known) { return digestId(known.digest) == plain; });
    return found == std::end(kDigests) ? std::nullopt : std::optional(found->digest);
}

} // namespace idemdesk::models
