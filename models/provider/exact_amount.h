// SPDX-License-Identifier: GPL-3.0-or-later
// Amounts as decimal texts: a double has no 0.10.
#pragma once

#include <QString>
#include <optional>

namespace idemdesk::models {

/// "0010.50" and "10.5" are "10.5". Nothing where it is no plain decimal number, as "1,234.00", "1e3" and "NaN" are
/// not.
std::optional<QString> exactAmount(const QString &text);
/// The same written with a decimal comma and perhaps points between thousands: "1.234,50".
std::optional<QString> exactAmountWithComma(const QString &text);
/// The same of whole smallest units of a currency: "1050" of EUR is "10.5".
std::optional<QString> exactAmountOfMinor(const QString &text, const QString &currency);

/// How many decimals the smallest unit of a currency has (ISO 4217); nothing where the code is none.
std::optional<int> currencyDecimals(const QString &currency);

} // namespace idemdesk::models
