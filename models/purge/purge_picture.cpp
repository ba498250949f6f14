// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/purge/purge_picture.h"

#include "models/format/display_text.h"
#include "models/triage/frozen_set.h"
#include "sql/types/tr.h"

#include <QHash>
#include <QRegularExpression>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

void addBar(PurgeScopeBar *sum, const PurgeScopeBar &more)
{
    sum->goes += more.goes;
    sum->kept += more.kept;
    sum->unfinished += more.unfinished;
    sum->others += more.others;
}

} // namespace

QList<PurgeScopeBar> purgeBars(const sql::PurgePlan &plan, const std::optional<sql::PurgeStay> &stay, int most)
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
    for (const sql::StayingScope &staying : stay ? stay->scopes : QList<sql::StayingScope>()) {
        addBar(&barOf(staying.scope), { {}, 0, staying.kept, staying.unfinished, staying.others });
    }
    std::stable_sort(
        bars.begin(), bars.end(), [](const PurgeScopeBar &a, const PurgeScopeBar &b) { return a.rows() > b.rows(); });
    if (bars.size() > most) {
        PurgeScopeBar rest { Tr::tr("%n other scope(s)", nullptr, int(bars.size()) - most + 1) };
        while (bars.size() >= most) {
            addBar(&rest, bars.takeLast());
        }
        bars += rest;
    }
    return bars;
}

QList<PartitionPeriod> partitionPeriods(const QList<sql::PartitionFacts> &partitions)
{
    static const QRegularExpression range(
        u"^FOR VALUES FROM \\('(\\d{4}-\\d\\d-\\d\\d)[^']*'\\) TO \\('(\\d{4}-\\d\\d-\\d\\d)[^']*'\\)$"_s);
    QList<PartitionPeriod> periods;
    for (int row = 0; row < partitions.size(); ++row) {
        const auto match = range.match(partitions.at(row).bounds);
        const QDate from = QDate::fromString(match.captured(1), Qt::ISODate);
        const QDate to = QDate::fromString(match.captured(2), Qt::ISODate);
        if (from.isValid() && to.isValid()) {
            periods += { row, from, to, partitionVerdict(partitions.at(row)) };
        }
    }
    std::stable_sort(periods.begin(), periods.end(),
        [](const PartitionPeriod &a, const PartitionPeriod &b) { return a.from < b.from; });
    return periods;
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
        return Tr::tr("Some rows may go");
    case PartitionPeriod::Verdict::Needed:
        break;
    }
    return Tr::tr("Still needed");
}

} // namespace idemdesk::models
