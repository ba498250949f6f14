// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/types/timestamp.h"

#include "sql/types/utc.h"

#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

constexpr qint64 kMicrosPerDay = 86'400'000'000;

/// Days from 1970-01-01 to a date of the proleptic Gregorian calendar (H. Hinnant, "chrono-Compatible
/// Low-Level Date Algorithms", days_from_civil). Year 0 is 1 BC. QDate skips year 0 and ends early.
qint64 daysFromCivil(qint64 year, int month, int day)
{
    year -= month <= 2 ? 1 : 0;
    const qint64 era = (year >= 0 ? year : year - 399) / 400;
    const qint64 yearOfEra = year - era * 400;
    const qint64 dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    const qint64 dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear;
    return era * 146'097 + dayOfEra - 719'468;
}

struct CivilDate {
    qint64 year;
    int month;
    int day;
};

CivilDate civilFromDays(qint64 days)
{
    days += 719'468;
    const qint64 era = (days >= 0 ? days : days - 146'096) / 146'097;
    const qint64 dayOfEra = days - era * 146'097;
    const qint64 yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36'524 - dayOfEra / 146'096) / 365;
    const qint64 dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100);
    const int shifted = static_cast<int>((5 * dayOfYear + 2) / 153);
    const int month = shifted + (shifted < 10 ? 3 : -9);
    return { yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month,
        static_cast<int>(dayOfYear - (153 * shifted + 2) / 5 + 1) };
}

} // namespace

std::optional<Timestamp> Timestamp::parse(const QString &text)
{
    if (text == u"infinity"_s) {
        return Timestamp { Kind::PlusInfinity, 0 };
    }
    if (text == u"-infinity"_s) {
        return Timestamp { Kind::MinusInfinity, 0 };
    }
    static const QRegularExpression form(
        u"^(\\d{4,6})-(\\d\\d)-(\\d\\d)[ T](\\d\\d):(\\d\\d):(\\d\\d)(?:\\.(\\d{1,6}))?"
        "(?:([+-])(\\d\\d)(?::?(\\d\\d))?(?::?(\\d\\d))?|Z)?( BC)?$"_s);
    const QRegularExpressionMatch match = form.match(text);
    if (!match.hasMatch()) {
        return std::nullopt;
    }
    qint64 year = match.captured(1).toLongLong();
    const int month = match.captured(2).toInt();
    const int day = match.captured(3).toInt();
    if (month < 1 || month > 12 || day < 1 || day > 31) {
        return std::nullopt;
    }
    if (!match.captured(12).isEmpty()) {
        year = 1 - year;
    }
    // PostgreSQL counts from 2000 and goes on to 294276; past here 64 bits of microseconds since 1970 are not enough.
    if (year > 294'000) {
        return std::nullopt;
    }
    const qint64 seconds
        = match.captured(4).toLongLong() * 3600 + match.captured(5).toLongLong() * 60 + match.captured(6).toLongLong();
    const qint64 fraction = match.captured(7).leftJustified(6, u'0').toLongLong();
    qint64 offset = match.captured(9).toLongLong() * 3600 + match.captured(10).toLongLong() * 60
        + match.captured(11).toLongLong();
    if (match.captured(8) == u"-"_s) {
        offset = -offset;
    }
    return Timestamp { Kind::Finite,
        daysFromCivil(year, month, day) * kMicrosPerDay + (seconds - offset) * 1'000'000 + fraction };
}

QString Timestamp::toRfc3339() const
{
    if (kind != Kind::Finite) {
        return kind == Kind::PlusInfinity ? u"infinity"_s : u"-infinity"_s;
    }
    qint64 days = micros / kMicrosPerDay;
    qint64 rest = micros % kMicrosPerDay;
    if (rest < 0) {
        rest += kMicrosPerDay;
        --days;
    }
    const CivilDate date = civilFromDays(days);
    const qint64 seconds = rest / 1'000'000;
    return QString::asprintf("%04lld-%02d-%02dT%02d:%02d:%02d.%06dZ", static_cast<long long>(date.year), date.month,
        date.day, static_cast<int>(seconds / 3600), static_cast<int>(seconds / 60 % 60), static_cast<int>(seconds % 60),
        static_cast<int>(rest % 1'000'000));
}

QDateTime Timestamp::toDateTime() const
{
    return finite() ? QDateTime::fromMSecsSinceEpoch(micros / 1000, kUtc) : QDateTime();
}

Timestamp Timestamp::fromDateTime(const QDateTime &time)
{
    return { Kind::Finite, time.toMSecsSinceEpoch() * 1000 };
}

std::strong_ordering operator<=>(const Timestamp &a, const Timestamp &b)
{
    const auto rank = [](Timestamp::Kind kind) {
        return kind == Timestamp::Kind::MinusInfinity ? 0 : kind == Timestamp::Kind::Finite ? 1 : 2;
    };
    if (a.kind != b.kind) {
        return rank(a.kind) <=> rank(b.kind);
    }
    return a.micros <=> b.micros;
}

} // namespace idemdesk::sql
