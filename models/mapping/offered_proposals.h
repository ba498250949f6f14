// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSortFilterProxyModel>

namespace idemdesk::models {

class ProposalModel;

/// The proposals that a person may still add, in their order; on demand also those whose table has a mapping already.
class OfferedProposals final : public QSortFilterProxyModel
{
    Q_OBJECT

public:
    /// proposals: outlives this model.
    explicit OfferedProposals(ProposalModel *proposals, QObject *parent = nullptr);

    void showAdded(bool shown);
    bool addedShown() const { return m_addedShown; }
    int addedCount() const; ///< tables with a mapping, shown or not
    int proposalRow(const QModelIndex &index) const; ///< of the ProposalModel

protected:
    bool filterAcceptsRow(int row, const QModelIndex &parent) const override;

private:
    bool m_addedShown = false;
};

} // namespace idemdesk::models
