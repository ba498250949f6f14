// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/regions/region_words.h"

#include "models/format/quantities.h"
#include "sql/types/tr.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

/// One sentence about one link, or none where it does its work.
QString linkText(const CompareLink &link, const std::array<QString, 2> &labels)
{
    const QString way = Tr::tr("Replication from %1 to %2").arg(labels.at(link.from), labels.at(link.to));
    const QString &name = link.subscription.name;
    if (!link.subscription.enabled) {
        return Tr::tr("%1 is off: the subscription %2 is disabled.").arg(way, name);
    }
    if (!link.slot) {
        return Tr::tr("%1 reads a slot %2 that %3 does not have. It reads elsewhere, or the slot was dropped.")
            .arg(labels.at(link.to), link.subscription.slot, labels.at(link.from));
    }
    if (!link.subscription.running || !link.slot->active) {
        return Tr::tr("%1 stands still: nothing reads the slot %2. See the server log in %3.")
            .arg(way, link.slot->name, labels.at(link.to));
    }
    if (link.subscription.applyErrors.value_or(0) > 0 && !link.passed) {
        return Tr::tr("%1 failed to apply %n change(s). See the server log in %2.", nullptr,
            int(std::min<qint64>(*link.subscription.applyErrors, 1'000'000)))
            .arg(way, labels.at(link.to));
    }
    if (link.subscription.copying) {
        return Tr::tr("%1 still makes its first copy of the table.").arg(way);
    }
    return {};
}

bool isBehind(const CompareLink &link)
{
    return link.working() && !link.passed;
}

} // namespace

QString phaseText(RegionCompare::Phase phase)
{
    switch (phase) {
    case RegionCompare::Phase::Opening:
        return Tr::tr("Opening both sides…");
    case RegionCompare::Phase::Summing:
        return Tr::tr("Each side sums up its keys…");
    case RegionCompare::Phase::Reading:
        return Tr::tr("Reading the keys of parts that differ…");
    case RegionCompare::Phase::Waiting:
        return Tr::tr("Waiting until replication has brought what is on its way…");
    case RegionCompare::Phase::Looking:
        return Tr::tr("Looking at each key that differs…");
    }
    return {};
}

QString compareSummary(const CompareOutcome &outcome, const std::array<QString, 2> &labels)
{
    QString text = Tr::tr("Compared: %1 with %2, %3 with %4.")
                       .arg(labels[0], rowsText(outcome.rows[0]), labels[1], rowsText(outcome.rows[1]));
    if (outcome.differences.isEmpty()) {
        text += u' ' + (outcome.notes.isEmpty() ? Tr::tr("No key differs.") : Tr::tr("No key that was seen differs."));
    } else if (outcome.all) {
        text += u' ' + Tr::tr("%n key(s) differ.", nullptr, int(outcome.differences.size()));
    } else {
        text += u' '
            + Tr::tr("About %1 keys differ; %2 of them were looked at.")
                  .arg(countText(outcome.estimated), countText(outcome.differences.size()));
    }
    if (outcome.settled > 0) {
        text += u' ' + Tr::tr("%n more had been on their way.", nullptr, outcome.settled);
    }
    return text;
}

QStringList compareAdvice(const CompareOutcome &outcome, const std::array<QString, 2> &labels)
{
    QStringList lines;
    for (const CompareLink &link : outcome.links) {
        lines += linkText(link, labels);
    }
    lines.removeAll(QString());
    const bool waited = std::any_of(
        outcome.differences.cbegin(), outcome.differences.cend(), [](const auto &found) { return found.onItsWay; });
    const bool behind = waited && std::any_of(outcome.links.cbegin(), outcome.links.cend(), isBehind);
    if (behind) {
        lines += Tr::tr("Replication did not catch up in time: what is listed may only be late.");
    }
    if (outcome.links.isEmpty() && !outcome.differences.isEmpty()) {
        lines
            += Tr::tr("No logical replication was seen between the two. Rows that come another way may only be late.");
    }
    if (!lines.isEmpty() && !outcome.differences.isEmpty()) {
        lines += Tr::tr("Until they agree, send the retries of a key to the region where it began.");
    }
    const auto twice = std::count_if(outcome.differences.cbegin(), outcome.differences.cend(),
        [](const RegionDifference &found) { return found.rule == RegionRule::Compensate; });
    if (twice > 0) {
        lines += Tr::tr("%n key(s) succeeded on both sides with different results: reverse one of the two effects.",
            nullptr, int(twice));
    }
    return lines;
}

} // namespace idemdesk::models
