// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/proposal.h"

#include <QAbstractTableModel>

namespace idemdesk::models {

/// Tables that look like targets, best first.
class ProposalModel final : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column { Table, Kind, Confidence, Reasons, ColumnCount };
    enum ItemRole { ConfidenceRole = Qt::UserRole, KnownRole ///< bool: a target of this connection shows this table already
    };

    explicit ProposalModel(QObject *parent = nullptr);
    void setProposals(const QList<sql::Proposal> &proposals, const QList<quint32> &knownOids);
    const QList<sql::Proposal> &proposals() const { return m_proposals; }

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QList<sql::Proposal> m_proposals;
    QList<quint32> m_known;
};

} // namespace idemdesk::models
