// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/format/quantities.h"

#include "sql/types/tr.h"

#include <QLocale>
#include <array>
#include <cmath>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

/// At most three significant digits, without trailing zeros: 9.8, 12.3, 640.
QString shortNumber(double value)
{
    const int digits = value < 10 ? 2 : value < 100 ? 1 : 0;
    const QLocale locale;
    QString text = locale.toString(value, 'f', digits);
    if (digits > 0) {
        while (text.endsWith(locale.zeroDigit())) {
            text.chop(1);
        }
        if (text.endsWith(locale.decimalPoint())) {
            text.chop(1);
        }
    }
    return text;
}

} // namespace

QString durationText(qint64 seconds)
{
    const bool negative = seconds < 0;
    const quint64 whole = negative ? quint64(-(seconds + 1)) + 1 : quint64(seconds);
    constexpr quint64 minute = 60;
    constexpr quint64 hour = 3'600;
    constexpr quint64 day = 86'400;
    constexpr quint64 year = 365 * day;
    const auto two = [](quint64 first, const QString &firstUnit, quint64 second, const QString &secondUnit) {
        QString text = QLocale().toString(first) + u' ' + firstUnit;
        if (second > 0) {
            text += u' ' + QLocale().toString(second) + u' ' + secondUnit;
        }
        return text;
    };
    QString text;
    if (whole < minute) {
        text = two(whole, Tr::tr("s"), 0, {});
    } else if (whole < hour) {
        text = two(whole / minute, Tr::tr("min"), 0, {});
    } else if (whole < day) {
        text = two(whole / hour, Tr::tr("h"), whole % hour / minute, Tr::tr("min"));
    } else if (whole < year) {
        text = two(whole / day, Tr::tr("d"), whole % day / hour, Tr::tr("h"));
    } else {
        text = two(whole / year, Tr::tr("y"), whole % year / day, Tr::tr("d"));
    }
    return negative ? u'−' + text : text;
}

QString tookText(qint64 micros)
{
    const double ms = double(micros) / 1'000.0;
    if (ms < 1'000) {
        return Tr::tr("%1 ms").arg(shortNumber(ms));
    }
    if (ms < 60'000) {
        return Tr::tr("%1 s").arg(shortNumber(ms / 1'000.0));
    }
    const qint64 seconds = micros / 1'000'000;
    return Tr::tr("%1 min %2 s").arg(QLocale().toString(seconds / 60), QString::number(seconds % 60));
}

QString countText(qint64 rows)
{
    return QLocale().toString(rows);
}

QString rowsText(qint64 rows)
{
    return Tr::tr("%1 row(s)", nullptr, int(std::min<qint64>(rows, INT_MAX))).arg(countText(rows));
}

QString countText(const sql::RowCount &count)
{
    switch (count.kind) {
    case sql::RowCount::Kind::Unknown:
        return {};
    case sql::RowCount::Kind::Exact:
        return countText(count.rows);
    case sql::RowCount::Kind::AtLeast:
        return count.rows > 0 ? countText(count.rows) + u'+' : QString(); // "at least none" says nothing
    case sql::RowCount::Kind::Estimated:
        return Tr::tr("about %1").arg(shortCountText(double(count.rows)));
    }
    return {};
}

QString shortCountText(double rows)
{
    struct Scale {
        double from;
        const char *unit;
    };
    static constexpr std::array<Scale, 3> scales { { { 1e9, QT_TRANSLATE_NOOP("idemdesk::models::Quantities", "%1 G") },
        { 1e6, QT_TRANSLATE_NOOP("idemdesk::models::Quantities", "%1 M") },
        { 1e4, QT_TRANSLATE_NOOP("idemdesk::models::Quantities", "%1 k") } } };
    for (const Scale &scale : scales) {
        if (rows >= scale.from) {
            return Tr::tr(scale.unit).arg(shortNumber(rows / (scale.from == 1e4 ? 1e3 : scale.from)));
        }
    }
    return QLocale().toString(qint64(std::llround(rows)));
}

QString bytesText(qint64 bytes)
{
    return bytes < 0 ? QString() : QLocale().formattedDataSize(bytes, bytes < 10'240 ? 0 : 1);
}

QString rateText(double rowsPerSecond)
{
    return Tr::tr("%1 rows/s").arg(QLocale().toString(qint64(rowsPerSecond)));
}

} // namespace idemdesk::models
