// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/provider/exact_amount.h"

#include <QRegularExpression>
#include <QStringList>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

constexpr qsizetype kMostDigits = 60; // more is no amount of money

QString canonical(bool negative, QString whole, QString fraction)
{
    while (fraction.endsWith(u'0')) {
        fraction.chop(1);
    }
    qsizetype zeros = 0;
    while (zeros < whole.size() - 1 && whole.at(zeros) == u'0') {
        ++zeros;
    }
    whole.remove(0, zeros);
    whole = whole.isEmpty() ? u"0"_s : whole;
    const QString text = fraction.isEmpty() ? whole : whole + u'.' + fraction;
    return negative && text != u"0" ? u'-' + text : text;
}

} // namespace

std::optional<QString> exactAmount(const QString &text)
{
    static const QRegularExpression form(u"^([+-]?)([0-9]*)(?:\\.([0-9]*))?$"_s);
    const auto match = form.match(text.trimmed());
    const QString whole = match.captured(2);
    const QString fraction = match.captured(3);
    if (!match.hasMatch() || (whole.isEmpty() && fraction.isEmpty()) || whole.size() + fraction.size() > kMostDigits) {
        return std::nullopt;
    }
    return canonical(match.captured(1) == u"-", whole, fraction);
}

std::optional<QString> exactAmountWithComma(const QString &text)
{
    static const QRegularExpression form(u"^([+-]?)([0-9]{1,3}(?:\\.[0-9]{3})+|[0-9]+)(?:,([0-9]+))?$"_s);
    const auto match = form.match(text.trimmed());
    const QString whole = match.captured(2).remove(u'.');
    if (!match.hasMatch() || whole.size() + match.captured(3).size() > kMostDigits) {
        return std::nullopt;
    }
    return canonical(match.captured(1) == u"-", whole, match.captured(3));
}

std::optional<QString> exactAmountOfMinor(const QString &text, const QString &currency)
{
    static const QRegularExpression form(u"^([+-]?)([0-9]+)$"_s);
    const auto match = form.match(text.trimmed());
    const auto decimals = currencyDecimals(currency);
    if (!match.hasMatch() || !decimals || match.captured(2).size() > kMostDigits) {
        return std::nullopt;
    }
    const QString digits = match.captured(2).rightJustified(*decimals + 1, u'0');
    return canonical(match.captured(1) == u"-", digits.left(digits.size() - *decimals), digits.right(*decimals));
}

std::optional<int> currencyDecimals(const QString &currency)
{
    static const QRegularExpression code(u"^[A-Z]{3}$"_s);
    static const QStringList none { u"BIF"_s, u"CLP"_s, u"DJF"_s, u"GNF"_s, u"ISK"_s, u"JPY"_s, u"KMF"_s, u"KRW"_s,
        u"PYG"_s, u"RWF"_s, u"UGX"_s, u"UYI"_s, u"VND"_s, u"VUV"_s, u"XAF"_s, u"XOF"_s, u"XPF"_s };
    static const QStringList three { u"BHD"_s, u"IQD"_s, u"JOD"_s, u"KWD"_s, u"LYD"_s, u"OMR"_s, u"TND"_s };
    static const QStringList four { u"CLF"_s, u"UYW"_s };
    if (!code.match(currency).hasMatch()) {
        return std::nullopt;
    }
    return none.contains(currency) ? 0 : three.contains(currency) ? 3 : four.contains(currency) ? 4 : 2;
}

} // namespace idemdesk::models
