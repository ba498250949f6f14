// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/table/row_model.h"
#include "sql/types/proposal.h"

namespace idemdesk::models {

/// Tables that look like targets: new ones best first, then those that are shown already.
class ProposalModel final : public RowModel<ProposalModel, sql::Proposal>
{
    Q_OBJECT

public:
    enum Column { Table, Kind, Confidence, Reasons, ColumnCount };

    explicit ProposalModel(QObject *parent = nullptr);
    void setProposals(const QList<sql::Proposal> &proposals, const QList<quint32> &knownOids);

    static std::span<const ColumnSpec> columns();
    QVariant itemData(const sql::Proposal &proposal, int column, int role) const;

private:
    bool known(const sql::Proposal &proposal) const { return m_known.contains(proposal.relation.oid); }

    QList<quint32> m_known;
};

} // namespace idemdesk::models
