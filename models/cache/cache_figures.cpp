// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cache/cache_figures.h"

#include "models/format/display_text.h"
#include "models/format/quantities.h"
#include "sql/types/tr.h"

#include <QLocale>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

CacheFigure entriesFigure(const sql::CacheReport &report)
{
    return { Tr::tr("Entries"), countText(report.entries),
        report.wholeCache       ? Tr::tr("all of this table", "entries of the cache")
            : report.facts.keys ? Tr::tr("there are more; the cache holds %1 keys").arg(countText(*report.facts.keys))
                                : Tr::tr("there are more", "entries"),
        report.wholeCache ? sql::HealthLevel::Nothing : sql::HealthLevel::Advice };
}

CacheFigure rowsFigure(const sql::CacheReport &report)
{
    const QString working = countText(report.inProgress);
    QStringList parts { report.allInProgress ? Tr::tr("all %1 in progress").arg(working)
                                             : Tr::tr("%1 in progress, there are more").arg(working) };
    if (report.recent > 0) {
        parts += Tr::tr("%1 by %2", "1,000 rows, by expiry")
                     .arg(countText(report.recent), displayText(report.recentOrder));
    }
    if (report.settled > 0) {
        parts += Tr::tr("%Ln changed meanwhile", nullptr, int(std::min<qint64>(report.settled, INT_MAX)));
    }
    return { Tr::tr("Rows compared"), countText(report.inProgress + report.recent), parts.join(u", "_s),
        report.allInProgress ? sql::HealthLevel::Nothing : sql::HealthLevel::Advice };
}

CacheFigure lifeFigure(const sql::CacheReport &report)
{
    return report.baselineSeconds
        ? CacheFigure { Tr::tr("Time to live"), durationText(*report.baselineSeconds),
              Tr::tr("from the profile; %1 entries checked").arg(countText(report.ttlChecked)) }
        : CacheFigure { Tr::tr("Time to live"), u"?"_s, Tr::tr("not checked: the profile says no “ttl”") };
}

/// Redis counts all alike: each comparison adds look-ups that no service made, which mostly find what they name.
CacheFigure hitsFigure(const sql::CacheFacts &facts)
{
    CacheFigure figure { Tr::tr("Hit ratio"), u"?"_s, Tr::tr("not known") };
    if (const auto ratio = facts.hitRatio()) {
        figure.value = QLocale().toString(*ratio * 100, 'f', 1) + u" %"_s;
        figure.note = Tr::tr("of %1 look-ups, this page's own among them").arg(countText(*facts.hits + *facts.misses));
        figure.quiet = true;
    }
    return figure;
}

CacheFigure memoryFigure(const sql::CacheFacts &facts)
{
    CacheFigure figure { Tr::tr("Memory"), u"?"_s, Tr::tr("not known") };
    if (!facts.usedMemory) {
        return figure;
    }
    const bool limited = facts.mostMemory.value_or(0) > 0;
    figure.value = bytesText(*facts.usedMemory);
    const QString policy = displayText(facts.policy);
    figure.note = !limited ? Tr::tr("without a limit")
        : facts.policy == "noeviction"_L1
        ? Tr::tr("of %1; when full, writes fail (noeviction)").arg(bytesText(*facts.mostMemory))
        : Tr::tr("of %1; when full, entries are thrown out (%2)").arg(bytesText(*facts.mostMemory), policy);
    if (facts.evicted.value_or(0) > 0) {
        figure.level = sql::HealthLevel::Advice;
        figure.note += u"; "_s + Tr::tr("%1 thrown out so far").arg(countText(*facts.evicted));
    }
    return figure;
}

} // namespace

QList<CacheFigure> cacheFigures(const sql::CacheReport &report)
{
    return { entriesFigure(report), rowsFigure(report), lifeFigure(report), memoryFigure(report.facts),
        hitsFigure(report.facts) };
}

} // namespace idemdesk::models
