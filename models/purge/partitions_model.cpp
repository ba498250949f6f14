// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/purge/partitions_model.h"

#include "models/format/quantities.h"
#include "models/purge/purge_picture.h"

namespace idemdesk::models {

namespace {

/// "2026-10-25 to 2026-10-26", with hours where a bound has some; as SQL where it is no range of time.
QString boundsText(const sql::PartitionFacts &facts, const TimeFormat &format)
{
    const QList<PartitionPeriod> periods = partitionPeriods({ facts }, format.zone());
    if (periods.isEmpty()) {
        return facts.bounds.startsWith(u"FOR VALUES ") ? facts.bounds.mid(11) : facts.bounds;
    }
    const PartitionPeriod &period = periods.constFirst();
    const bool days = period.from.time() == QTime(0, 0) && period.to.time() == QTime(0, 0);
    const QString form = days ? QStringLiteral("yyyy-MM-dd") : QStringLiteral("yyyy-MM-dd HH:mm");
    return PartitionsModel::tr("%1 to %2", "times").arg(period.from.toString(form), period.to.toString(form));
}

} // namespace

PartitionsModel::PartitionsModel(QObject *parent)
    : RowModel(parent)
{
}

std::span<const PartitionsModel::ColumnSpec> PartitionsModel::columns()
{
    using Model = PartitionsModel;
    using Facts = sql::PartitionFacts;
    static constexpr ColumnSpec specs[] = {
        { .title = [] { return tr("Partition"); },
            .text = [](const Model &, const Facts &facts) { return QString(facts.name).remove(u'"'); },
            .toolTip = [](const Model &, const Facts &facts) { return facts.name; } },
        { .title = [] { return tr("Holds"); },
            .text = [](const Model &model, const Facts &facts) { return boundsText(facts, model.timeFormat()); },
            .toolTip = [](const Model &, const Facts &facts) { return facts.bounds; } },
        { .title = [] { return tr("Rows"); },
            .text = [](const Model &, const Facts &facts) { return countText(facts.rows); },
            .alignment = kNumber },
        { .title = [] { return tr("Expired"); },
            .text = [](const Model &, const Facts &facts) { return countText(facts.purgeable); },
            .alignment = kNumber },
        { .title = [] { return tr("Size"); },
            .text = [](const Model &, const Facts &facts) { return bytesText(facts.bytes); },
            .alignment = kNumber },
        { .title = [] { return tr("Status"); },
            .text = [](const Model &, const Facts &facts) { return verdictText(partitionVerdict(facts)); } },
    };
    static_assert(std::size(specs) == ColumnCount);
    return specs;
}

} // namespace idemdesk::models

#include "moc_partitions_model.cpp"
