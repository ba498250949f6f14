// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/diff/number_form.h"

#include <algorithm>

namespace idemdesk::models {

std::optional<DecimalNumber> decimalNumber(QByteArrayView text)
{
    constexpr qsizetype mostExponentChars = 15;
    DecimalNumber number;
    qsizetype at = 0;
    if (at < text.size() && text[at] == '-') {
        number.negative = true;
        ++at;
    }
    bool fraction = false;
    bool any = false;
    for (; at < text.size(); ++at) {
        const char c = text[at];
        if (c == '.' && !fraction) {
            fraction = true;
        } else if (c >= '0' && c <= '9') {
            any = true;
            if (c != '0' || !number.digits.isEmpty()) {
                number.digits += c;
            }
            number.exponent -= fraction ? 1 : 0;
        } else {
            break;
        }
    }
    if (!any) {
        return std::nullopt;
    }
    if (at < text.size()) {
        const QByteArrayView tail = text.sliced(at + 1);
        bool ok = false;
        if ((text[at] != 'e' && text[at] != 'E') || tail.size() > mostExponentChars) {
            return std::nullopt;
        }
        const qint64 power = tail.toByteArray().toLongLong(&ok);
        if (!ok) {
            return std::nullopt;
        }
        number.exponent += power;
    }
    qsizetype kept = number.digits.size();
    while (kept > 0 && number.digits[kept - 1] == '0') {
        --kept;
        ++number.exponent;
    }
    number.digits.truncate(kept);
    if (number.digits.isEmpty()) {
        return DecimalNumber {};
    }
    return number;
}

namespace {

/// A whole number without an exponent; "-0" is left to who reads it in full.
bool isPlain(QByteArrayView text)
{
    return text != "-0"
        && std::none_of(text.begin(), text.end(), [](char c) { return c == '.' || c == 'e' || c == 'E'; });
}

} // namespace

bool sameNumber(QByteArrayView a, QByteArrayView b)
{
    if (a == b) {
        return true;
    }
    if (isPlain(a) && isPlain(b)) {
        return false; // JSON writes each of these in one way only
    }
    const auto left = decimalNumber(a);
    const auto right = decimalNumber(b);
    return left && right && *left == *right;
}

} // namespace idemdesk::models
