// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/purge/partitions_model.h"

#include "models/format/quantities.h"
#include "models/purge/purge_picture.h"

namespace idemdesk::models {

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
            .text =
                [](const Model &, const Facts &facts) {
                    return facts.bounds.startsWith(u"FOR VALUES ") ? facts.bounds.mid(11) : facts.bounds;
                } },
        { .title = [] { return tr("Rows"); },
            .text = [](const Model &, const Facts &facts) { return countText(facts.rows); },
            .alignment = kNumber },
        { .title = [] { return tr("May go"); },
            .text = [](const Model &, const Facts &facts) { return countText(facts.purgeable); },
            .alignment = kNumber },
        { .title = [] { return tr("Size"); },
            .text = [](const Model &, const Facts &facts) { return bytesText(facts.bytes); },
            .alignment = kNumber },
        { .title = [] { return tr("Verdict"); },
            .text = [](const Model &, const Facts &facts) { return verdictText(partitionVerdict(facts)); } },
    };
    static_assert(std::size(specs) == ColumnCount);
    return specs;
}

} // namespace idemdesk::models

#include "moc_partitions_model.cpp"
