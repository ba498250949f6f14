// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/format/time_format.h"

#include "models/format/quantities.h"
#include "sql/types/tr.h"

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

QString infinityText(const sql::Timestamp &time)
{
    return time.kind == sql::Timestamp::Kind::PlusInfinity ? Tr::tr("never") : Tr::tr("since ever");
}

QTimeZone zoneFor(TimeDisplay display, const QString &serverZone)
{
    if (display == TimeDisplay::Local) {
        return QTimeZone::systemTimeZone();
    }
    if (display == TimeDisplay::Server) {
        const QTimeZone zone(serverZone.toUtf8());
        if (zone.isValid()) {
            return zone;
        }
    }
    return QTimeZone::utc();
}

/// The whole second a time lies in; rounded down, also before 1970.
QDateTime secondOf(const sql::Timestamp &time, const QTimeZone &zone)
{
    const qint64 seconds = time.micros / 1'000'000 - (time.micros % 1'000'000 < 0 ? 1 : 0);
    return QDateTime::fromMSecsSinceEpoch(seconds * 1'000, zone);
}

} // namespace

TimeFormat::TimeFormat(TimeDisplay display, const QString &serverZone)
    : m_display(display)
    , m_zone(zoneFor(display, serverZone))
{
}

QString TimeFormat::zoneText() const
{
    const QString name = QString::fromUtf8(m_zone.id());
    switch (m_display) {
    case TimeDisplay::Server:
        return name == u"UTC" ? name : Tr::tr("%1 (server)").arg(name);
    case TimeDisplay::Local:
        return Tr::tr("%1 (local)").arg(name);
    case TimeDisplay::Utc:
        break;
    }
    return u"UTC"_s;
}

TimeFormat TimeFormat::named()
{
    TimeFormat format;
    format.m_named = true;
    return format;
}

QString TimeFormat::text(const sql::Timestamp &time) const
{
    if (!time.finite()) {
        return infinityText(time);
    }
    const QString text = secondOf(time, m_zone).toString(u"yyyy-MM-dd HH:mm:ss");
    return m_named ? text + u" UTC"_s : text;
}

QString TimeFormat::exact(const sql::Timestamp &time) const
{
    if (!time.finite()) {
        return infinityText(time);
    }
    const QDateTime shown = secondOf(time, m_zone);
    const qint64 fraction = ((time.micros % 1'000'000) + 1'000'000) % 1'000'000;
    const int offset = shown.offsetFromUtc();
    const int size = qAbs(offset);
    QString text = shown.toString(u"yyyy-MM-dd HH:mm:ss") + u'.' + QString::number(fraction).rightJustified(6, u'0');
    text += offset < 0 ? u'-' : u'+';
    text += QString::number(size / 3'600).rightJustified(2, u'0') + u':'
        + QString::number(size % 3'600 / 60).rightJustified(2, u'0');
    if (size % 60 != 0) {
        text += u':' + QString::number(size % 60).rightJustified(2, u'0'); // local mean times of long ago
    }
    return text;
}

QString TimeFormat::age(const sql::Timestamp &time, const sql::Timestamp &now)
{
    if (!time.finite()) {
        return infinityText(time);
    }
    // Whole seconds first: two far ends of PostgreSQL's range differ by more than 63 bits of microseconds.
    const qint64 seconds = now.micros / 1'000'000 - time.micros / 1'000'000;
    return seconds < 0 ? Tr::tr("in %1").arg(durationText(-seconds)) : durationText(seconds);
}

QString TimeFormat::toolTip(const sql::Timestamp &time, const sql::Timestamp &now) const
{
    if (!time.finite()) {
        return infinityText(time);
    }
    const QString ageText = age(time, now);
    return time <= now ? Tr::tr("%1 (%2 ago)").arg(exact(time), ageText) : Tr::tr("%1 (%2)").arg(exact(time), ageText);
}

} // namespace idemdesk::models
