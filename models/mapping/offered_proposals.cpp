// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/mapping/offered_proposals.h"

#include "models/mapping/proposal_model.h"

namespace idemdesk::models {

OfferedProposals::OfferedProposals(ProposalModel *proposals, QObject *parent)
    : QSortFilterProxyModel(parent)
{
    setSourceModel(proposals);
}

void OfferedProposals::showAdded(bool shown)
{
    m_addedShown = shown;
    invalidateFilter();
}

int OfferedProposals::addedCount() const
{
    int added = 0;
    for (int row = 0; row < sourceModel()->rowCount(); ++row) {
        added += sourceModel()->index(row, 0).data(ItemRole::KnownRole).toBool() ? 1 : 0;
    }
    return added;
}

int OfferedProposals::proposalRow(const QModelIndex &index) const
{
    return mapToSource(index).row();
}

bool OfferedProposals::filterAcceptsRow(int row, const QModelIndex &parent) const
{
    return m_addedShown || !sourceModel()->index(row, 0, parent).data(ItemRole::KnownRole).toBool();
}

} // namespace idemdesk::models

#include "moc_offered_proposals.cpp"
