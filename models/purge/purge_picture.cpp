// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/purge/purge_picture.h"

#include "models/format/display_text.h"
#include "models/triage/frozen_set.h"
#include "sql/actions/action_json.h"
#include "sql/types/tr.h"

#include <QHash>
#include <QRegularExpression>
#include <QSet>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

void addBar(PurgeScopeBar *sum, const PurgeScopeBar &more)
{
    sum->goes += more.goes;
    sum->gone += more.gone;
    sum->kept += more.kept;
    sum->unfinished += more.unfinished;
    sum->others += more.others;
}

/// A bound as the server prints it to a session in UTC: a date, or a time with or without its offset.
QDateTime boundTime(QString text, const QTimeZone &zone)
{
    static const QRegularExpression date(u"^\\d{4,}-\\d\\d-\\d\\d$"_s);
    static const QRegularExpression offset(u"[+-]\\d\\d(:\\d\\d)*$"_s);
    if (date.match(text).hasMatch()) {
        const auto day = sql::Timestamp::parse(text + u" 00:00:00+00"_s);
        return day ? day->toDateTime().date().startOfDay(zone) : QDateTime();
    }
    if (!offset.match(text).hasMatch()) {
        text += u"+00"_s;
    }
    const auto time = sql::Timestamp::parse(text);
    return time ? time->toDateTime().toTimeZone(zone) : QDateTime();
}

} // namespace

QList<PurgeScopeBar> purgeBars(const sql::PurgePlan &plan, const std::optional<sql::PurgeStay> &stay, int most,
    const QList<sql::PurgedScope> &purged, qint64 done)
{
    QList<PurgeScopeBar> bars;
    QHash<QString, qsizetype> places; // scopes come by the ten thousand
    const auto barOf = [&](const sql::Cells &scope) -> PurgeScopeBar & {
        QString name;
        for (const sql::Cell &part : scope) {
            name += (part.null ? u"-"_s : u'+' + part.text) + QChar(0);
        }
        const qsizetype place = places.value(name, bars.size());
        if (place == bars.size()) {
            places.insert(name, place);
            bars += PurgeScopeBar { scope.isEmpty() ? Tr::tr("All keys") : displayText(scopeText(scope), 120) };
        }
        return bars[place];
    };
    for (const sql::PurgeGroup &group : plan.groups) {
        barOf(group.scope).goes += double(group.rows);
    }
    for (const sql::PurgedScope &taken : purged) {
        PurgeScopeBar &bar = barOf(taken.scope);
        bar.gone += double(taken.rows);
        bar.goes = std::max(0.0, bar.goes - double(taken.rows));
        done -= taken.rows;
    }
    for (const sql::StayingScope &staying : stay ? stay->scopes : QList<sql::StayingScope>()) {
        addBar(&barOf(staying.scope), { {}, 0, 0, staying.kept, staying.unfinished, staying.others });
    }
    std::stable_sort(
        bars.begin(), bars.end(), [](const PurgeScopeBar &a, const PurgeScopeBar &b) { return a.rows() > b.rows(); });
    const bool cut = stay && stay->cut(); // then it is not known how many others there are
    if (bars.size() > most || cut) {
        PurgeScopeBar rest { cut ? Tr::tr("Other scopes")
                                 : Tr::tr("%n other scope(s)", nullptr, int(bars.size()) - most + 1) };
        if (cut) {
            addBar(&rest, { {}, 0, 0, stay->rest.kept, stay->rest.unfinished, stay->rest.others });
        }
        while (bars.size() >= most) {
            addBar(&rest, bars.takeLast());
        }
        bars += rest;
    }
    // Of scopes that no batch names yet: they stand with the smallest ones, each for no more than it has to give. So
    // all bars together are what was planned.
    double unnamed = double(std::max<qint64>(0, done));
    for (auto bar = bars.rbegin(); bar != bars.rend() && unnamed > 0; ++bar) {
        const double taken = std::min(unnamed, bar->goes);
        bar->gone += taken;
        bar->goes -= taken;
        unnamed -= taken;
    }
    return bars;
}

QString unfinishedWarning(const sql::PurgePlan &plan)
{
    return plan.unfinished > 0
        ? Tr::tr("%n key(s) are past their expiry but not finished. A purge leaves them; recover them first.", nullptr,
            plan.unfinished)
        : QString();
}

int emptiedScopes(const sql::PurgePlan &plan)
{
    QSet<QString> emptied; // as the plan tells them apart: two scopes may read the same
    for (const sql::PurgeGroup &group : plan.groups) {
        if (group.wholeScope) {
            emptied += sql::cellsToJson(group.scope);
        }
    }
    return int(emptied.size());
}

QList<PartitionPeriod> partitionPeriods(const QList<sql::PartitionFacts> &partitions, const QTimeZone &zone)
{
    static const QRegularExpression range(u"^FOR VALUES FROM \\('([^']+)'\\) TO \\('([^']+)'\\)$"_s);
    QList<PartitionPeriod> periods;
    for (int row = 0; row < partitions.size(); ++row) {
        const auto match = range.match(partitions.at(row).bounds);
        const QDateTime from = boundTime(match.captured(1), zone);
        const QDateTime to = boundTime(match.captured(2), zone);
        if (from.isValid() && to.isValid()) {
            periods += { row, from, to, partitionVerdict(partitions.at(row)) };
        }
    }
    std::stable_sort(periods.begin(), periods.end(),
        [](const PartitionPeriod &a, const PartitionPeriod &b) { return a.from < b.from; });
    return periods;
}

bool standForDays(const QList<PartitionPeriod> &periods)
{
    constexpr qint64 kShortestDay = 23 * sql::kHour; // where the clocks go forward
    constexpr qint64 kLongest = 2 * sql::kDay + sql::kHour;
    const auto days = [](const PartitionPeriod &period) {
        const qint64 seconds = period.from.secsTo(period.to);
        return seconds >= kShortestDay && seconds <= kLongest;
    };
    const auto sameDay
        = [](const PartitionPeriod &a, const PartitionPeriod &b) { return a.from.date() == b.from.date(); };
    return !periods.isEmpty() && std::all_of(periods.cbegin(), periods.cend(), days)
        && std::adjacent_find(periods.cbegin(), periods.cend(), sameDay) == periods.cend();
}

PartitionPeriod::Verdict partitionVerdict(const sql::PartitionFacts &facts)
{
    using Verdict = PartitionPeriod::Verdict;
    return facts.rows == 0    ? Verdict::Empty
        : facts.onlyPurgeable ? Verdict::Whole
        : facts.purgeable > 0 ? Verdict::Partly
                              : Verdict::Needed;
}

QString verdictText(PartitionPeriod::Verdict verdict)
{
    switch (verdict) {
    case PartitionPeriod::Verdict::Empty:
        return Tr::tr("Empty");
    case PartitionPeriod::Verdict::Whole:
        return Tr::tr("May go whole");
    case PartitionPeriod::Verdict::Partly:
        return Tr::tr("Partly expired");
    case PartitionPeriod::Verdict::Needed:
        break;
    }
    return Tr::tr("Still needed");
}

} // namespace idemdesk::models
