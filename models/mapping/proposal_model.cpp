// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/mapping/proposal_model.h"

#include "models/format/labels.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

/// What speaks for it and what against, a line each.
QString proposalReasons(const sql::Proposal &proposal)
{
    QStringList lines;
    for (const QString &reason : proposal.reasons) {
        lines.append(u"+ "_s + displayText(reason));
    }
    for (const QString &doubt : proposal.doubts) {
        lines.append(u"− "_s + displayText(doubt));
    }
    return lines.join(u'\n');
}

} // namespace

ProposalModel::ProposalModel(QObject *parent)
    : RowModel(parent)
{
}

void ProposalModel::setProposals(const QList<sql::Proposal> &proposals, const QList<quint32> &knownOids)
{
    m_known = knownOids;
    QList<sql::Proposal> rows = proposals;
    std::stable_partition(rows.begin(), rows.end(), [this](const sql::Proposal &proposal) { return !known(proposal); });
    setRows(rows);
}

std::span<const ProposalModel::ColumnSpec> ProposalModel::columns()
{
    using Model = ProposalModel;
    using Proposal = sql::Proposal;
    static constexpr ColumnSpec specs[] = {
        { .title = [] { return tr("Table"); },
            .text =
                [](const Model &, const Proposal &proposal) {
                    return QString(proposal.relation.schema + u'.' + proposal.relation.name);
                } },
        { .title = [] { return tr("Kind"); },
            .text = [](const Model &, const Proposal &proposal) { return kindLabel(proposal.profile.kind); } },
        { .title = [] { return tr("Confidence"); },
            .text =
                [](const Model &model, const Proposal &proposal) {
                    return model.known(proposal) ? tr("already added") : tr("%1 %").arg(proposal.confidence);
                } },
        { .title = [] { return tr("Because"); },
            .text = [](const Model &, const Proposal &proposal) { return proposal.reasons.value(0); } },
    };
    static_assert(std::size(specs) == ColumnCount);
    return specs;
}

QVariant ProposalModel::itemData(const sql::Proposal &proposal, int, int role) const
{
    switch (role) {
    case Qt::ToolTipRole:
        return proposalReasons(proposal);
    case ConfidenceRole:
        return proposal.confidence;
    case KnownRole:
        return known(proposal);
    default:
        return {};
    }
}

} // namespace idemdesk::models

#include "moc_proposal_model.cpp"
