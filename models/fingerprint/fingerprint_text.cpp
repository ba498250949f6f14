// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/fingerprint/fingerprint_text.h"

#include "sql/types/tr.h"

#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

using Encoding = FingerprintReading::Encoding;

constexpr qsizetype kLeastBytes = 8;
constexpr qsizetype kMostFingerprintChars = 512;

} // namespace

std::optional<FingerprintReading> readFingerprint(const QString &stored)
{
    static const QRegularExpression prefix(
        u"^(md5|sha-?1|sha-?224|sha-?256|sha-?384|sha-?512|blake2[bs]|xxh64|xxh3|xxh128)[:=$-]"_s,
        QRegularExpression::CaseInsensitiveOption);
    static const QRegularExpression hex(u"^(?:[0-9a-f]{2})+$"_s, QRegularExpression::CaseInsensitiveOption);
    static const QRegularExpression uuid(
        u"^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$"_s, QRegularExpression::CaseInsensitiveOption);
    FingerprintReading reading;
    reading.text = stored.trimmed();
    if (reading.text.size() > kMostFingerprintChars) {
        return std::nullopt;
    }
    if (const auto match = prefix.match(reading.text); match.hasMatch()) {
        reading.named = match.captured(1).toLower().remove(u'-');
        reading.text = reading.text.sliced(match.capturedLength());
    }
    if (reading.text.startsWith(u"\\x") && hex.match(reading.text.sliced(2)).hasMatch()) {
        reading.encoding = Encoding::Bytea;
        reading.bytes = QByteArray::fromHex(reading.text.sliced(2).toLatin1());
    } else if (uuid.match(reading.text).hasMatch()) {
        reading.encoding = Encoding::Uuid;
        reading.bytes = QByteArray::fromHex(reading.text.toLatin1().replace("-", ""));
    } else if (hex.match(reading.text).hasMatch()) {
        reading.bytes = QByteArray::fromHex(reading.text.toLatin1());
    } else {
        const bool url = reading.text.contains(u'-') || reading.text.contains(u'_');
        const auto decoded = QByteArray::fromBase64Encoding(reading.text.toLatin1(),
            (url ? QByteArray::Base64UrlEncoding : QByteArray::Base64Encoding)
                | QByteArray::AbortOnBase64DecodingErrors);
        if (!decoded) {
            return std::nullopt;
        }
        reading.encoding = url ? Encoding::Base64Url : Encoding::Base64;
        reading.bytes = *decoded;
    }
    if (reading.bytes.size() < kLeastBytes) {
        return std::nullopt;
    }
    return reading;
}

QList<Digest> algorithmsFor(const FingerprintReading &reading, bool cutOnes)
{
    QList<Digest> algorithms;
    const qsizetype size = reading.bytes.size();
    for (const Digest digest : allDigests()) {
        const bool fits = cutOnes ? digestBytes(digest) > size : digestBytes(digest) == size;
        if (fits && (reading.named.isEmpty() || digestId(digest).startsWith(reading.named))) {
            algorithms.append(digest);
        }
    }
    return algorithms;
}

namespace {

/// The digest as it would be stored beside a fingerprint of this form.
QByteArray cutLike(const FingerprintReading &reading, const QByteArray &digest)
{
    QByteArray made = digest.first(std::min(digest.size(), reading.bytes.size()));
    if (reading.encoding == Encoding::Uuid && made.size() > 8) {
        // A uuid keeps its version and variant in six bits of the hash's.
        made[6] = char((made[6] & 0x0F) | (reading.bytes[6] & 0xF0));
        made[8] = char((made[8] & 0x3F) | (reading.bytes[8] & 0xC0));
    }
    return made;
}

} // namespace

bool reproduces(const FingerprintReading &reading, const QByteArray &digest)
{
    return cutLike(reading, digest) == reading.bytes;
}

QString writtenLike(const QString &stored, const QByteArray &digest)
{
    const auto reading = readFingerprint(stored);
    if (!reading) {
        return QString::fromLatin1(digest.toHex());
    }
    const QByteArray made = cutLike(*reading, digest);
    const QString trimmed = stored.trimmed();
    const QString prefix = trimmed.chopped(reading->text.size());
    QString text = QString::fromLatin1(made.toHex());
    switch (reading->encoding) {
    case Encoding::Hex:
        text = reading->text == reading->text.toLower() ? text : text.toUpper();
        break;
    case Encoding::Bytea:
        text.prepend(u"\\x"_s);
        break;
    case Encoding::Base64:
    case Encoding::Base64Url:
        text = QString::fromLatin1(made.toBase64(
            (reading->encoding == Encoding::Base64Url ? QByteArray::Base64UrlEncoding : QByteArray::Base64Encoding)
            | (reading->text.endsWith(u'=') ? QByteArray::KeepTrailingEquals : QByteArray::OmitTrailingEquals)));
        break;
    case Encoding::Uuid:
        for (const qsizetype place : { 8, 13, 18, 23 }) {
            if (place < text.size()) {
                text.insert(place, u'-');
            }
        }
        break;
    }
    return prefix + text;
}

QString describeFingerprint(const QString &stored)
{
    const auto reading = readFingerprint(stored);
    if (!reading) {
        return Tr::tr("%n characters that are no known form of a hash", nullptr, int(stored.size()));
    }
    QString form;
    const int count = int(reading->text.size());
    switch (reading->encoding) {
    case Encoding::Hex:
        form = Tr::tr("%n hex digits", nullptr, count);
        break;
    case Encoding::Base64:
        form = Tr::tr("%n characters of base64", nullptr, count);
        break;
    case Encoding::Base64Url:
        form = Tr::tr("%n characters of base64url", nullptr, count);
        break;
    case Encoding::Uuid:
        form = Tr::tr("a uuid");
        break;
    case Encoding::Bytea:
        form = Tr::tr("%n raw bytes", nullptr, int(reading->bytes.size()));
        break;
    }
    QStringList names;
    const auto whole = algorithmsFor(*reading, false);
    for (const Digest algorithm : whole.first(std::min<qsizetype>(whole.size(), 3))) {
        names += digestName(algorithm);
    }
    constexpr qsizetype xxh = 8;
    if (names.isEmpty() || (reading->bytes.size() == xxh && reading->named.isEmpty())) {
        return names.isEmpty() ? Tr::tr("%1: perhaps a longer hash cut").arg(form)
                               : Tr::tr("%1: %2, or a longer hash cut").arg(form, names.join(u", "_s));
    }
    const QString last = names.takeLast();
    return names.isEmpty() ? Tr::tr("%1: %2").arg(form, last)
                           : Tr::tr("%1: %2 or %3").arg(form, names.join(u", "_s), last);
}

FingerprintComparison compareFingerprints(const QString &first, const QString &second)
{
    FingerprintComparison comparison { first, second, describeFingerprint(first), describeFingerprint(second) };
    const auto a = readFingerprint(first);
    const auto b = readFingerprint(second);
    comparison.sameBytes = first == second || (a && b && a->bytes == b->bytes);
    if (first == second) {
        comparison.sentence = Tr::tr("Both fingerprints are the same.");
        return comparison;
    }
    qsizetype at = 0;
    while (at < first.size() && at < second.size() && first[at] == second[at]) {
        ++at;
    }
    comparison.firstDifference = at;
    if (comparison.sameBytes) {
        comparison.sentence = Tr::tr("Both are the same hash, written in two ways. A caller that compares texts sees a "
                                     "conflict where there is none.");
    } else if (a && b && a->bytes.size() != b->bytes.size()) {
        comparison.sentence = Tr::tr(
            "The fingerprints have different lengths: two recipes made them. The requests may still be the same.");
    } else if (a && b) {
        comparison.sentence = Tr::tr("The fingerprints differ from character %1 on.").arg(at + 1);
    } else {
        comparison.sentence
            = Tr::tr("The fingerprints differ from character %1 on; not both are a known form of a hash.").arg(at + 1);
    }
    return comparison;
}

} // namespace idemdesk::models
