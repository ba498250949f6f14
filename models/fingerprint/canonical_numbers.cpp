// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/fingerprint/canonical_numbers.h"

#include <QLocale>
#include <cmath>

namespace idemdesk::models {

namespace {

/// The shortest digits that read back as the same double, and where the point stands: 0.d1d2d3… times 10^point.
struct Shortest {
    bool negative = false;
    QByteArray digits;
    int point = 0;
};

Shortest shortest(double value)
{
    Shortest out;
    out.negative = std::signbit(value);
    QByteArray text = QByteArray::number(std::fabs(value), 'e', QLocale::FloatingPointShortest);
    const qsizetype e = text.indexOf('e');
    out.point = text.sliced(e + 1).toInt() + 1;
    out.digits = text.first(e).replace(".", "");
    while (out.digits.size() > 1 && out.digits.endsWith('0')) {
        out.digits.chop(1);
    }
    return out;
}

/// Without an exponent; a whole number has no point.
QByteArray plain(const QByteArray &digits, int point)
{
    if (point <= 0) {
        return "0." + QByteArray(-point, '0') + digits;
    }
    if (point >= digits.size()) {
        return digits + QByteArray(point - digits.size(), '0');
    }
    return digits.first(point) + '.' + digits.sliced(point);
}

QByteArray withExponent(const Shortest &number, const QByteArray &wholeFraction, int leastExponentDigits)
{
    const int exponent = number.point - 1;
    QByteArray power = QByteArray::number(std::abs(exponent));
    power.prepend(QByteArray(std::max<qsizetype>(0, leastExponentDigits - power.size()), '0'));
    return number.digits.first(1) + (number.digits.size() > 1 ? '.' + number.digits.sliced(1) : wholeFraction) + 'e'
        + (exponent < 0 ? '-' : '+') + power;
}

bool isInteger(QByteArrayView text)
{
    return !text.contains('.') && !text.contains('e') && !text.contains('E');
}

QByteArray ecmaScript(double value)
{
    if (!std::isfinite(value)) {
        return "null";
    }
    if (value == 0) {
        return "0";
    }
    const Shortest number = shortest(value);
    return (number.negative ? "-" : "")
        + (number.point > -6 && number.point <= 21 ? plain(number.digits, number.point) : withExponent(number, {}, 1));
}

QByteArray python(QByteArrayView text, double value)
{
    if (isInteger(text)) {
        return text == QByteArrayView("-0") ? QByteArray("0") : text.toByteArray();
    }
    if (!std::isfinite(value)) {
        return value < 0 ? "-Infinity" : "Infinity";
    }
    const Shortest number = shortest(value);
    QByteArray out
        = number.point > -4 && number.point <= 16 ? plain(number.digits, number.point) : withExponent(number, {}, 2);
    if (value == 0) {
        out = "0";
    }
    if (isInteger(out)) {
        out += ".0";
    }
    return (number.negative ? "-" : "") + out;
}

QByteArray php(QByteArrayView text, double value)
{
    bool fits = false;
    const QByteArray whole = text.toByteArray();
    (void)whole.toLongLong(&fits);
    if (isInteger(text) && fits && whole != "-0") {
        return whole;
    }
    if (value == 0) {
        return std::signbit(value) ? "-0.0" : "0";
    }
    if (!std::isfinite(value)) {
        return "0";
    }
    const Shortest number = shortest(value);
    return (number.negative ? "-" : "")
        + (number.point > -4 && number.point <= 17 ? plain(number.digits, number.point)
                                                   : withExponent(number, ".0", 1));
}

QByteArray numeric(QByteArrayView text)
{
    constexpr int mostShift = 2'000; // a numeric of more digits is not worth making to compare hashes
    const bool negative = text.startsWith('-');
    QByteArrayView rest = negative ? text.sliced(1) : text;
    int power = 0;
    if (const qsizetype e = std::max(rest.indexOf('e'), rest.indexOf('E')); e >= 0) {
        bool ok = false;
        power = rest.sliced(e + 1).toByteArray().toInt(&ok);
        rest = rest.first(e);
        if (!ok || std::abs(power) > mostShift) {
            return text.toByteArray();
        }
    }
    const qsizetype dot = rest.indexOf('.');
    QByteArray digits = rest.toByteArray();
    qsizetype fraction = 0;
    if (dot >= 0) {
        digits.remove(dot, 1);
        fraction = digits.size() - dot;
    }
    fraction -= power;
    if (fraction < 0) {
        digits += QByteArray(-fraction, '0');
        fraction = 0;
    }
    if (digits.size() <= fraction) {
        digits.prepend(QByteArray(fraction - digits.size() + 1, '0'));
    }
    QByteArray whole = digits.first(digits.size() - fraction);
    while (whole.size() > 1 && whole.startsWith('0')) {
        whole.remove(0, 1);
    }
    const bool zero = digits.count('0') == digits.size();
    return (negative && !zero ? "-" : "") + whole + (fraction > 0 ? '.' + digits.last(fraction) : QByteArray());
}

} // namespace

QByteArray writtenNumber(QByteArrayView text, NumberStyle style)
{
    switch (style) {
    case NumberStyle::AsWritten:
        return text.toByteArray();
    case NumberStyle::Numeric:
        return numeric(text);
    case NumberStyle::EcmaScript:
    case NumberStyle::Python:
    case NumberStyle::Php:
        break;
    }
    const double value = text.toByteArray().toDouble(); // beyond its range: an infinity, as those libraries have it
    return style == NumberStyle::EcmaScript ? ecmaScript(value)
        : style == NumberStyle::Python      ? python(text, value)
                                            : php(text, value);
}

} // namespace idemdesk::models
