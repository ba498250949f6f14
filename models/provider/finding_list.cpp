// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/provider/finding_list.h"

#include "models/format/labels.h"
#include "models/provider/provider_words.h"
#include "models/provider/statement_words.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

FindingList::FindingList(QObject *parent)
    : RowModel(parent)
{
}

void FindingList::setFindings(const Kept &kept)
{
    m_kept = kept;
    m_keyIsReference = std::all_of(kept.cbegin(), kept.cend(), [](const QList<StatementFinding> &findings) {
        return std::all_of(findings.cbegin(), findings.cend(),
            [](const StatementFinding &finding) { return !finding.here || finding.here->key == finding.reference; });
    });
    m_kinds.clear();
    fill();
}

void FindingList::setScopeTitle(const QString &title)
{
    m_scopeTitle = title;
}

void FindingList::showOnly(const QList<StatementFindingKind> &kinds)
{
    m_kinds = kinds;
    fill();
}

void FindingList::fill()
{
    QList<StatementFinding> rows;
    for (const StatementFindingKind kind : sql::kAllOf<StatementFindingKind>) {
        if (m_kinds.isEmpty() || m_kinds.contains(kind)) {
            rows += m_kept.value(kind);
        }
    }
    setRows(rows);
}

std::span<const FindingList::ColumnSpec> FindingList::columns()
{
    using Model = FindingList;
    using Row = StatementFinding;
    static constexpr ColumnSpec specs[] = {
        { .title = [] { return tr("Finding"); },
            .text = [](const Model &, const Row &row) { return findingKindText(row.kind); } },
        { .title = [] { return tr("Reference"); },
            .text = [](const Model &, const Row &row) { return row.reference; } },
        { .title = [] { return tr("Key"); },
            .text = [](const Model &, const Row &row) { return row.here ? row.here->key : u"–"_s; } },
        { .title = [] { return tr("Statement"); },
            .text = [](const Model &, const Row &row) { return moneyText(row.statementAmount, row.statementCurrency); },
            .alignment = kNumber,
            .help = [] { return tr("The amount that the statement says."); } },
        { .title = [] { return tr("Here"); },
            .text
            = [](const Model &,
                  const Row &row) { return row.here ? moneyText(row.here->amount, row.here->currency) : QString(); },
            .alignment = kNumber,
            .help = [] { return tr("The amount that the row here says."); } },
        { .title = [] { return tr("State here"); },
            .text = [](const Model &, const Row &row) { return row.here ? hereStateText(*row.here) : QString(); } },
        { .title = [] { return tr("Line"); },
            .text = [](const Model &, const Row &row) { return lineNumbers(row); },
            .toolTip = [](const Model &, const Row &row) { return row.allLines.isEmpty() ? row.text : row.allLines; },
            .alignment = kNumber,
            .help = [] { return tr("Where it stands in the file; the tooltip shows the line."); } },
        { .title = [] { return tr("What"); }, .text = [](const Model &, const Row &row) { return row.detail; } },
    };
    static_assert(std::size(specs) == ColumnCount);
    return specs;
}

QVariant FindingList::itemData(const StatementFinding &finding, int column, int role) const
{
    if (role == KindRole) {
        return int(finding.kind);
    }
    if (column == Finding && role == TitleRole) {
        return findingKindText(finding.kind);
    }
    if (column == State && role == StateRole && finding.here) {
        return int(finding.here->state);
    }
    if (column == State && role == StaleRole && finding.here && finding.here->stale) {
        return *finding.here->stale;
    }
    if (role == DetailRole && finding.here && column == (m_keyIsReference ? Reference : Key)) {
        return namedScope(m_scopeTitle, finding.here->scope);
    }
    return {};
}

} // namespace idemdesk::models

#include "moc_finding_list.cpp"
