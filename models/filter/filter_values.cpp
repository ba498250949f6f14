// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/filter/filter_values.h"

#include "sql/types/timestamp.h"

#include <QDateTime>
#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

constexpr qint64 kMostSeconds = 10'000LL * 365 * 86'400;

qint64 unitSeconds(QChar unit)
{
    switch (unit.unicode()) {
    case u'm':
        return 60;
    case u'h':
        return 3600;
    case u'd':
        return 86'400;
    case u'w':
        return 7 * 86'400;
    case u'y':
        return 365 * 86'400;
    default:
        return 1;
    }
}

/// Microseconds of "1h30m"; nothing where it is no duration.
std::optional<qint64> durationMicros(const QString &text)
{
    static const QRegularExpression whole(
        u"^(?:\\d{1,12}(?:\\.\\d{1,6})?[smhdwy])+$"_s, QRegularExpression::CaseInsensitiveOption);
    static const QRegularExpression part(
        u"(\\d+)(?:\\.(\\d+))?([smhdwy])"_s, QRegularExpression::CaseInsensitiveOption);
    if (text.size() > 100 || !whole.match(text).hasMatch()) {
        return std::nullopt;
    }
    qint64 micros = 0;
    for (auto match = part.globalMatch(text); match.hasNext();) {
        const auto piece = match.next();
        const qint64 unit = unitSeconds(piece.captured(3).at(0).toLower());
        const qint64 amount = piece.captured(1).toLongLong();
        const qint64 fraction = piece.captured(2).leftJustified(6, u'0').toLongLong();
        if (amount > kMostSeconds / unit) {
            return std::nullopt;
        }
        micros += amount * unit * sql::kMicros + fraction * unit;
        if (micros > kMostSeconds * sql::kMicros) {
            return std::nullopt;
        }
    }
    return micros;
}

QString rfc3339(qint64 micros)
{
    return sql::Timestamp { sql::Timestamp::Kind::Finite, micros }.toRfc3339();
}

std::optional<qint64> microsOf(const QDate &date, const QTime &time, const QString &offset, const QTimeZone &zone)
{
    QDateTime moment;
    if (offset.isEmpty()) {
        moment = QDateTime(date, time, zone);
    } else if (offset.compare(u"z"_s, Qt::CaseInsensitive) == 0) {
        moment = QDateTime(date, time, QTimeZone::utc());
    } else {
        const QString digits = QString(offset).remove(u':').mid(1);
        const int hours = digits.left(2).toInt();
        const int minutes = digits.mid(2, 2).toInt();
        if (hours > 15 || minutes > 59) {
            return std::nullopt;
        }
        const int seconds = hours * 3600 + minutes * 60;
        moment = QDateTime(date, time, QTimeZone::utc()).addSecs(offset.startsWith(u'-') ? seconds : -seconds);
    }
    if (!moment.isValid()) {
        return std::nullopt;
    }
    return moment.toMSecsSinceEpoch() * 1000;
}

std::optional<TimeValue> relative(const QString &text, sql::FilterOperator op)
{
    static const QRegularExpression form(u"^(now)?(?:([+-])(.+))?$"_s, QRegularExpression::CaseInsensitiveOption);
    const auto match = form.match(text);
    if (!match.hasMatch() || text.isEmpty()) {
        return std::nullopt;
    }
    if (match.captured(3).isEmpty()) {
        return TimeValue { u"now"_s, op };
    }
    const auto micros = durationMicros(match.captured(3));
    if (!micros) {
        return std::nullopt;
    }
    return TimeValue { u"now"_s + match.captured(2) + QString::number(*micros / sql::kMicros), op };
}

} // namespace

std::optional<QString> durationValue(const QString &text)
{
    const auto micros = durationMicros(text);
    if (!micros) {
        return std::nullopt;
    }
    QString value = QString::number(*micros / sql::kMicros);
    if (const qint64 rest = *micros % sql::kMicros; rest != 0) {
        value += u'.' + QString::number(rest).rightJustified(6, u'0');
    }
    return value;
}

QString withDate(const QString &text, const QTimeZone &zone)
{
    static const QRegularExpression form(u"^(today|yesterday)(?=$|[ T])"_s, QRegularExpression::CaseInsensitiveOption);
    const auto match = form.match(text);
    if (!match.hasMatch()) {
        return text;
    }
    const bool before = match.captured(1).compare(u"yesterday"_s, Qt::CaseInsensitive) == 0;
    const QDate day = QDateTime::currentDateTimeUtc().toTimeZone(zone).date().addDays(before ? -1 : 0);
    return day.toString(Qt::ISODate) + text.mid(match.capturedLength());
}

std::optional<TimeValue> timeValue(const QString &given, sql::FilterOperator op, const QTimeZone &zone)
{
    using sql::FilterOperator;
    const QString text = withDate(given, zone);
    if (text == u"infinity" || text == u"-infinity") {
        return TimeValue { text, op };
    }
    if (auto value = relative(text, op)) {
        return value;
    }
    static const QRegularExpression form(
        u"^(\\d{4})-(\\d{2})-(\\d{2})(?:[Tt ](\\d{2}):(\\d{2})(?::(\\d{2})(?:[.,](\\d{1,6}))?)?)?"
        "(?: ?([Zz]|[+-]\\d{2}(?::?\\d{2})?))?$"_s);
    const auto match = form.match(text);
    if (!match.hasMatch()) {
        return std::nullopt;
    }
    const QDate date(match.captured(1).toInt(), match.captured(2).toInt(), match.captured(3).toInt());
    const bool dayOnly = match.captured(4).isEmpty();
    const bool seconds = !match.captured(6).isEmpty();
    const bool fraction = !match.captured(7).isEmpty();
    const QTime time(match.captured(4).toInt(), match.captured(5).toInt(), match.captured(6).toInt());
    if (!date.isValid() || !time.isValid()) {
        return std::nullopt;
    }
    const QString offset = match.captured(8);
    auto from = microsOf(date, time, offset, zone);
    if (!from) {
        return std::nullopt;
    }
    *from += match.captured(7).leftJustified(6, u'0').toLongLong() * (fraction ? 1 : 0);
    std::optional<qint64> to;
    if (dayOnly) {
        to = microsOf(date.addDays(1), time, offset, zone); // a day of 23 or 25 hours counts whole
    } else if (!fraction) {
        to = *from + (seconds ? sql::kMicros : 60 * sql::kMicros);
    }
    if (op == FilterOperator::Equal && to) {
        return TimeValue { rfc3339(*from) + u'/' + rfc3339(*to), op };
    }
    if (dayOnly && to && op == FilterOperator::LessOrEqual) {
        return TimeValue { rfc3339(*to), FilterOperator::Less };
    }
    if (dayOnly && to && op == FilterOperator::Greater) {
        return TimeValue { rfc3339(*to), FilterOperator::GreaterOrEqual };
    }
    return TimeValue { rfc3339(*from), op };
}

} // namespace idemdesk::models
