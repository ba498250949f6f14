// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/logs/key_hashes.h"

#include "models/fingerprint/fingerprint_text.h"

#include <QCryptographicHash>
#include <QSet>

namespace idemdesk::models {

namespace {

constexpr qsizetype kStart = 8;

} // namespace

void KeyHashes::add(const QString &scope, const QString &key)
{
    m_keys.append({ scope, key });
    const qsizetype match = m_keys.size() - 1;
    const QByteArray bytes = key.toUtf8();
    QByteArrayList texts { bytes };
    if (!scope.isEmpty()) {
        for (const char *joint : { "", ":", "|", "/" }) {
            texts.append(scope.toUtf8() + joint + bytes);
        }
    }
    for (const QByteArray &text : texts) {
        for (const auto algorithm : { QCryptographicHash::Sha256, QCryptographicHash::Sha1, QCryptographicHash::Md5 }) {
            addDigest(QCryptographicHash::hash(text, algorithm), match);
        }
    }
}

void KeyHashes::addDigest(const QByteArray &digest, qsizetype match)
{
    m_byStart.insert(digest.first(kStart), { digest, match });
}

std::optional<KeyHashes::Match> KeyHashes::keyOf(const QString &hash) const
{
    const auto reading = readFingerprint(hash);
    if (!reading) {
        return std::nullopt;
    }
    QSet<qsizetype> matches;
    const auto range = m_byStart.equal_range(reading->bytes.first(kStart));
    for (auto it = range.first; it != range.second; ++it) {
        if (reproduces(*reading, it->first)) {
            matches.insert(it->second);
        }
    }
    return matches.size() == 1 ? std::make_optional(m_keys[*matches.cbegin()]) : std::nullopt;
}

} // namespace idemdesk::models
