// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/overview/scopes_model.h"

#include <QIdentityProxyModel>

namespace idemdesk::ui {

/// The scopes with numbers that add up from left to right: what is stuck is not counted once more with its state. What
/// is only known to be at least so much has one sign before it, so that all digits stay in their columns.
class ScopeNumbers final : public QIdentityProxyModel
{
    Q_OBJECT

public:
    ScopeNumbers(models::ScopesModel *scopes, QObject *parent);

    /// Of the table whose scopes these are: which of its states may be stuck.
    void setProfile(const sql::Profile &profile);
    bool anyAtLeast() const; ///< of the scopes read so far
    bool anyNotCounted(int column) const; ///< a cell of this column says so

    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    bool notCounted(int row, int fixed, const sql::RowCount &count) const;
    int fixedOf(int column) const; ///< ScopesModel::Column; below 0: a part of the scope
    std::optional<sql::RowCount> countOf(int row, int fixed) const; ///< as shown; nothing where it is no count

    models::ScopesModel *m_scopes;
    QList<int> m_mayBeStuck; ///< ScopesModel::Column of the states that a rule of the profile calls stuck
};

} // namespace idemdesk::ui
