// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cache/expiry_picture.h"

#include "models/cache/cache_words.h"
#include "models/format/quantities.h"
#include "sql/types/tr.h"

#include <algorithm>
#include <numeric>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

constexpr int kCrowdsTold = 3; // of a sentence each
constexpr qint64 kFew = 100; // one of so many entries may lie behind the end of the picture
constexpr qint64 kMicrosOfMinute = 60 * sql::kMicros;

sql::Timestamp momentAfter(const sql::CacheReport &report, qint64 spans)
{
    sql::Timestamp at = report.now;
    at.micros += spans * report.spread.widthSeconds * sql::kMicros;
    return at;
}

bool holdsCrowd(const sql::CacheReport &report, const sql::Timestamp &from, const sql::Timestamp &to)
{
    return std::any_of(report.minutes.cbegin(), report.minutes.cend(), [&](const sql::CacheMinute &minute) {
        return minute.crowded && minute.from.micros < to.micros && minute.from.micros + kMicrosOfMinute > from.micros;
    });
}

/// How many spans are worth drawing: a long tail of a few entries would take the room of all others.
qsizetype drawnSpans(const sql::CacheReport &report)
{
    const QList<qint64> &entries = report.spread.entries;
    const qint64 all = std::accumulate(entries.cbegin(), entries.cend(), qint64(0));
    qsizetype drawn = entries.size();
    for (qint64 cut = 0; drawn > 1; --drawn) {
        cut += entries.at(drawn - 1);
        if (cut * kFew > all || holdsCrowd(report, momentAfter(report, drawn - 1), momentAfter(report, drawn))) {
            break;
        }
    }
    return drawn * 4 <= entries.size() * 3 ? drawn : entries.size(); // a short tail may stay
}

/// The next number that is round enough to be read at a glance; small ones are.
qint64 roundTop(qint64 most)
{
    constexpr int kExact = 10;
    if (most <= kExact) {
        return most;
    }
    qint64 tenth = 1; // of the power of ten that is not above
    while (tenth * kExact * kExact <= most) {
        tenth *= kExact;
    }
    for (const int part : { 10, 12, 15, 20, 25, 30, 40, 50, 60, 80 }) {
        if (tenth * part >= most) {
            return tenth * part;
        }
    }
    return tenth * kExact * kExact;
}

QList<ExpiryPicture::Crowd> crowdsOf(const sql::CacheReport &report, const TimeFormat &format)
{
    QList<ExpiryPicture::Crowd> crowds;
    for (const sql::CacheMinute &minute : report.minutes) {
        if (minute.crowded) {
            const double seconds = double(minute.from.micros + kMicrosOfMinute / 2 - report.now.micros) / sql::kMicros;
            crowds += { seconds / double(report.spread.widthSeconds), minute.entries,
                Tr::tr("%1 at %2", "entries, a time")
                    .arg(countText(minute.entries), format.text(minute.from).section(u':', 0, 1)) };
        }
    }
    return crowds;
}

QString pictureText(const sql::CacheReport &report, const TimeFormat &format)
{
    const QList<qint64> &entries = report.spread.entries;
    const qint64 all = std::accumulate(entries.cbegin(), entries.cend(), qint64(0));
    QStringList sentences { Tr::tr("%Ln entry(ies) expire within %1.", nullptr, int(all))
                                .arg(durationText(entries.size() * report.spread.widthSeconds)) };
    int crowds = 0;
    for (const sql::CacheMinute &minute : report.minutes) {
        if (minute.crowded && ++crowds <= kCrowdsTold) {
            sentences += crowdedMinuteText(minute, format);
        }
    }
    if (crowds > kCrowdsTold) {
        sentences += Tr::tr("%Ln more minute(s) are crowded.", nullptr, crowds - kCrowdsTold);
    }
    const QString note = expiryNote(report);
    return sentences.join(u' ') + (note.isEmpty() ? QString() : u' ' + note);
}

} // namespace

ExpiryPicture expiryPicture(const sql::CacheReport &report, const TimeFormat &format)
{
    ExpiryPicture picture;
    const QList<qint64> &entries = report.spread.entries;
    if (entries.isEmpty()) {
        return picture;
    }
    const qsizetype drawn = drawnSpans(report);
    for (qsizetype i = 0; i < drawn; ++i) {
        const sql::Timestamp from = momentAfter(report, i);
        const sql::Timestamp to = momentAfter(report, i + 1);
        ExpiryPicture::Bar bar;
        bar.entries = entries.at(i);
        bar.crowded = bar.entries > 0 && holdsCrowd(report, from, to);
        bar.text = Tr::tr("%Ln entry(ies) expire from %1 to %2", nullptr, int(bar.entries))
                       .arg(format.text(from), format.text(to));
        if (bar.crowded) {
            bar.text += u", "_s + Tr::tr("in a crowded minute");
        }
        picture.bars += bar;
        picture.top = std::max(picture.top, bar.entries);
        picture.ticks += i == 0 ? Tr::tr("now") : durationText(i * report.spread.widthSeconds);
    }
    const QString end = durationText(drawn * report.spread.widthSeconds);
    picture.ticks += end;
    if (drawn < entries.size()) {
        const qint64 cut = std::accumulate(entries.cbegin() + drawn, entries.cend(), qint64(0));
        picture.beyond = Tr::tr("after %1: %2", "a duration, entries").arg(end, countText(cut));
    }
    picture.top = roundTop(picture.top);
    picture.crowds = crowdsOf(report, format);
    picture.text = pictureText(report, format);
    return picture;
}

QString expiryNote(const sql::CacheReport &report)
{
    QStringList sentences;
    if (report.spread.later > 0) {
        sentences += Tr::tr("%Ln entry(ies) expire far later.", nullptr, int(report.spread.later));
    }
    if (report.spread.never > 0) {
        sentences += Tr::tr("%Ln entry(ies) never expire.", nullptr, int(report.spread.never));
    }
    return sentences.join(u' ');
}

} // namespace idemdesk::models
