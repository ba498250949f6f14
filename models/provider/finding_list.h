// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/provider/statement_comparison.h"
#include "models/table/row_model.h"

#include <QMap>

namespace idemdesk::models {

/// The first findings of each kind, one a row; the gravest kind first.
class FindingList final : public RowModel<FindingList, StatementFinding>
{
    Q_OBJECT

public:
    enum Column { Finding, Reference, Key, Statement, Here, State, Lines, What, ColumnCount };
    using Kept = QMap<StatementFindingKind, QList<StatementFinding>>;

    explicit FindingList(QObject *parent = nullptr);
    void setFindings(const Kept &kept);
    void setScopeTitle(const QString &title); ///< what stands before a row's scope: "User"; empty: nothing
    void showOnly(const QList<StatementFindingKind> &kinds); ///< none: all
    /// Each row that is shown has its reference as its key; what has no row here counts for both.
    bool keyIsReference() const { return m_keyIsReference; }

    static std::span<const ColumnSpec> columns();
    /// KindRole is the finding's kind; StateRole and StaleRole of the column State are the row's. Beneath the key
    /// stands its scope.
    QVariant itemData(const StatementFinding &finding, int column, int role) const;

private:
    void fill();

    Kept m_kept;
    QString m_scopeTitle;
    QList<StatementFindingKind> m_kinds;
    bool m_keyIsReference = false;
};

} // namespace idemdesk::models
