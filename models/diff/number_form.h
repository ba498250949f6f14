// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <optional>

namespace idemdesk::models {

/// A JSON number as its significant digits times a power of ten, exact at any size.
struct DecimalNumber {
    bool negative = false;
    QByteArray digits; ///< without zeros at either end; empty for zero
    qint64 exponent = 0; ///< of the last digit

    friend bool operator==(const DecimalNumber &a, const DecimalNumber &b) = default;
};

/// Nothing where the text is no JSON number, or its exponent has more than 15 digits.
std::optional<DecimalNumber> decimalNumber(QByteArrayView text);

/// True if two number texts name the same value: 1, 1.0, 1.00 and 10e-1. -0 and 0 are the same.
bool sameNumber(QByteArrayView a, QByteArrayView b);

} // namespace idemdesk::models
