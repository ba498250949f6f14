// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/keys/story_scale.h"

#include "models/format/quantities.h"
#include "sql/types/tr.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

using Kind = StoryEvent::Kind;

constexpr double kJump = 10; // between two lengths: more would press the shorter ones to nothing
constexpr double kCutWidth = 0.16; // of the axis
constexpr int kMostCuts = 3;

/// The times of a story and their places.
class StoryAxis
{
public:
    explicit StoryAxis(QList<qint64> times)
        : m_times(std::move(times))
    {
        std::sort(m_times.begin(), m_times.end());
        m_times.erase(std::unique(m_times.begin(), m_times.end()), m_times.end());
        m_cut = QList<bool>(std::max<qsizetype>(0, m_times.size() - 1), false);
        cutLong();
        lay();
    }

    double at(qint64 time) const
    {
        const auto place = std::lower_bound(m_times.cbegin(), m_times.cend(), time);
        return m_places.value(place - m_times.cbegin());
    }
    const QList<qint64> &times() const { return m_times; }
    bool cut(qsizetype stretch) const { return m_cut.at(stretch); }
    qint64 length(qsizetype stretch) const { return m_times.at(stretch + 1) - m_times.at(stretch); }
    double place(qsizetype time) const { return m_places.at(time); }

private:
    /// Where the lengths jump, what lies above the widest jump is cut: minutes beside weeks, but not one hour beside
    /// three.
    void cutLong()
    {
        QList<qint64> lengths;
        for (qsizetype i = 0; i < m_cut.size(); ++i) {
            lengths += length(i);
        }
        std::sort(lengths.begin(), lengths.end());
        qsizetype from = lengths.size();
        double widest = kJump;
        for (qsizetype i = std::max<qsizetype>(1, lengths.size() - kMostCuts); i < lengths.size(); ++i) {
            const double jump = double(lengths.at(i)) / double(lengths.at(i - 1));
            if (jump > widest) {
                widest = jump;
                from = i;
            }
        }
        for (qsizetype i = 0; from < lengths.size() && i < m_cut.size(); ++i) {
            m_cut[i] = length(i) >= lengths.at(from);
        }
    }

    void lay()
    {
        qint64 sum = 0;
        for (qsizetype i = 0; i < m_cut.size(); ++i) {
            sum += m_cut.at(i) ? 0 : length(i);
        }
        const double cuts = kCutWidth * double(m_cut.count(true));
        double at = 0;
        m_places += at;
        for (qsizetype i = 0; i < m_cut.size(); ++i) {
            at += m_cut.at(i) ? kCutWidth : sum > 0 ? (1 - cuts) * double(length(i)) / double(sum) : 0;
            m_places += std::min(1.0, at);
        }
    }

    QList<qint64> m_times;
    QList<bool> m_cut; ///< by stretch between two times
    QList<double> m_places; ///< by time
};

std::optional<qint64> storyTimeOf(const QList<StoryEvent> &events, Kind kind)
{
    const auto found = std::find_if(events.cbegin(), events.cend(),
        [kind](const StoryEvent &event) { return event.kind == kind && event.at && event.at->finite(); });
    return found == events.cend() ? std::nullopt : std::optional(found->at->micros);
}

QString lastsText(qint64 from, qint64 to)
{
    return durationText((to - from) / sql::kMicros);
}

/// What comes at a time, and how long that is from now.
QString comesText(const QList<StoryEvent> &events, qint64 now, qint64 at)
{
    const QString lasts = lastsText(now, at);
    return storyTimeOf(events, Kind::CacheEnds) == at ? Tr::tr("cache expires in %1").arg(lasts)
        : storyTimeOf(events, Kind::Expires) == at    ? Tr::tr("row expires in %1").arg(lasts)
        : storyTimeOf(events, Kind::LeaseEnds) == at  ? Tr::tr("lease ends in %1").arg(lasts)
                                                      : Tr::tr("in %1").arg(lasts);
}

/// The newest attempt, and the lease that it holds or held.
QList<StoryScale::Span> storySpansOf(const QList<StoryEvent> &events, const StoryAxis &axis)
{
    using Span = StoryScale::Span;
    const auto claimed = storyTimeOf(events, Kind::Claimed);
    const auto completed = storyTimeOf(events, Kind::Completed);
    const auto lease = storyTimeOf(events, Kind::LeaseEnds);
    const auto now = storyTimeOf(events, Kind::Now);
    const auto began = claimed ? claimed : storyTimeOf(events, Kind::Created);
    QList<Span> spans;
    if (!began) {
        return spans;
    }
    if (completed && *completed >= *began) {
        spans += { Span::Kind::Attempt, axis.at(*began), axis.at(*completed),
            Tr::tr("took %1").arg(lastsText(*began, *completed)) };
    } else if (claimed || lease) {
        const bool open = isOpenStory(events);
        // Its last sign of life; behind it nobody knows whether it still runs.
        qint64 seen = *began;
        for (const Kind sign : { Kind::Heartbeat, Kind::Updated }) {
            const auto at = storyTimeOf(events, sign);
            seen = at && now && *at <= *now ? std::max(seen, *at) : seen;
        }
        const qint64 until = lease && now ? std::min(std::max(*lease, seen), *now) : now.value_or(seen);
        if (seen > *began) {
            spans += { Span::Kind::Attempt, axis.at(*began), axis.at(seen),
                (open ? Tr::tr("seen at work for %1") : Tr::tr("last change after %1")).arg(lastsText(*began, seen)) };
        }
        if (open && until > seen) {
            spans += { Span::Kind::Unfinished, axis.at(seen), axis.at(until),
                (lease ? Tr::tr("no end is known, %1 under its lease") : Tr::tr("no end is known for %1"))
                    .arg(lastsText(seen, until)) };
        }
    }
    if (lease && *lease > *began) {
        spans += { Span::Kind::Lease, axis.at(*began), axis.at(*lease),
            Tr::tr("lease of %1").arg(lastsText(*began, *lease)) };
    }
    return spans;
}

} // namespace

QString StoryScale::text() const
{
    QStringList texts;
    for (const Mark &mark : marks) {
        texts += mark.text;
    }
    for (const Span &span : spans) {
        texts += span.text;
    }
    for (const Gap &gap : gaps) {
        texts += gap.text;
    }
    return texts.join(u"; "_s);
}

StoryScale scaleOf(const QList<StoryEvent> &events)
{
    QList<qint64> times;
    for (const StoryEvent &event : events) {
        if (event.at && event.at->finite()) {
            times += event.at->micros;
        }
    }
    const StoryAxis axis(times);
    const auto now = storyTimeOf(events, Kind::Now);
    StoryScale scale;
    for (const StoryEvent &event : events) {
        if (event.at && event.at->finite()) {
            scale.marks += { event.kind, axis.at(event.at->micros), event.future, event.title };
        }
    }
    std::stable_sort(scale.marks.begin(), scale.marks.end(),
        [](const StoryScale::Mark &a, const StoryScale::Mark &b) { return a.at < b.at; });
    scale.now = now ? axis.at(*now) : 1;
    scale.spans = storySpansOf(events, axis);
    const bool finished = !isOpenStory(events);
    for (qsizetype i = 0; i + 1 < axis.times().size(); ++i) {
        if (axis.cut(i)) {
            const bool future = now && axis.times().at(i) >= *now;
            const QString lasts = durationText(axis.length(i) / sql::kMicros);
            // A finished key need not speak, and what is to come is no silence.
            scale.gaps += { axis.place(i), axis.place(i + 1), future,
                future         ? comesText(events, *now, axis.times().at(i + 1))
                    : finished ? lasts
                               : Tr::tr("%1 of silence").arg(lasts) };
        }
    }
    return scale;
}

} // namespace idemdesk::models
