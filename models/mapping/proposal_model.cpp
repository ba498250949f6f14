// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/mapping/proposal_model.h"

#include "models/format/display_text.h"
#include "models/format/labels.h"

using namespace Qt::StringLiterals;

namespace idemdesk::models {

ProposalModel::ProposalModel(QObject *parent)
    : QAbstractTableModel(parent)
{
}

void ProposalModel::setProposals(const QList<sql::Proposal> &proposals, const QList<quint32> &knownOids)
{
    beginResetModel();
    m_proposals = proposals;
    m_known = knownOids;
    endResetModel();
}

int ProposalModel::rowCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : int(m_proposals.size()); }

int ProposalModel::columnCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : ColumnCount; }

QVariant ProposalModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) {
        return {};
    }
    const sql::Proposal &proposal = m_proposals.at(index.row());
    const bool known = m_known.contains(proposal.relation.oid);
    switch (role) {
    case Qt::DisplayRole:
    case Qt::AccessibleTextRole:
        switch (index.column()) {
        case Table:
            return displayText(proposal.relation.schema + u'.' + proposal.relation.name);
        case Kind:
            return kindLabel(proposal.profile.kind);
        case Confidence:
            return known ? tr("already shown") : tr("%1 %").arg(proposal.confidence);
        case Reasons:
            return proposal.reasons.isEmpty() ? QString() : displayText(proposal.reasons.constFirst());
        default:
            return {};
        }
    case Qt::ToolTipRole: {
        QStringList lines;
        for (const QString &reason : proposal.reasons) {
            lines.append(u"+ "_s + displayText(reason));
        }
        for (const QString &doubt : proposal.doubts) {
            lines.append(u"− "_s + displayText(doubt));
        }
        return lines.join(u'\n');
    }
    case ConfidenceRole:
        return proposal.confidence;
    case KnownRole:
        return known;
    default:
        return {};
    }
}

QVariant ProposalModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) {
        return {};
    }
    switch (section) {
    case Table:
        return tr("Table");
    case Kind:
        return tr("Kind");
    case Confidence:
        return tr("Confidence");
    case Reasons:
        return tr("Because");
    default:
        return {};
    }
}

} // namespace idemdesk::models

#include "moc_proposal_model.cpp"
