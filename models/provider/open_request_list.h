// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/table/row_model.h"
#include "sql/types/provider.h"

namespace idemdesk::models {

/// Keys with what their rows tell of the provider, one a row.
class OpenRequestList final : public RowModel<OpenRequestList, sql::ProviderRow>
{
    Q_OBJECT

public:
    enum Column { Key, Reference, Provider, Asked, Age, Amount, State, ColumnCount };

    explicit OpenRequestList(QObject *parent = nullptr);
    /// now: the server's time, which ages are told by. Rows that are the same ones keep their place.
    void setRequests(const QList<sql::ProviderRow> &rows, const sql::Timestamp &now, bool more);
    void setScopeTitle(const QString &title); ///< what stands before a row's scope: "User"; empty: nothing
    void addRequests(const QList<sql::ProviderRow> &rows, bool more);
    /// Each row's reference is its key, so that one column says both.
    bool keyIsReference() const;
    bool anyAmount() const;

    static std::span<const ColumnSpec> columns();
    /// Beneath the key its scope, beneath what the provider knows the raw status.
    QVariant itemData(const sql::ProviderRow &request, int column, int role) const;

private:
    QString agesText(const sql::ProviderRow &request) const;

    sql::Timestamp m_now;
    QString m_scopeTitle;
};

} // namespace idemdesk::models
