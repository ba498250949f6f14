// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/duplicates/duplicate_rows.h"
#include "models/request/request.h"
#include "models/table/row_model.h"

namespace idemdesk::models {

/// The first keys of one group of duplicates, one a row, the earliest first; what their rows say is read in the
/// background. Lives on the GUI thread.
class DuplicateKeyModel final : public RowModel<DuplicateKeyModel, DuplicateKey>
{
    Q_OBJECT

public:
    enum Column { Key, Scope, State, Began, Result, Amount, Owner, ColumnCount };

    explicit DuplicateKeyModel(QObject *parent = nullptr);
    void setDatabase(sql::Database *database);
    /// The keys are there at once; their rows are read unless they are of these keys already.
    void setGroup(const sql::Target &target, const sql::DuplicateGroup &group);
    void clear();
    bool busy() const { return m_reading.busy(); }
    /// The amount that all keys tell alike; empty where one does not, or they differ.
    QString amount() const;
    bool oneScope() const; ///< all keys are of the same scope

    static std::span<const ColumnSpec> columns();
    QVariant itemData(const DuplicateKey &key, int column, int role) const;

private:
    QString beganText(const DuplicateKey &key, bool exact) const;

    Request m_reading { QStringLiteral("duplicate keys") };
    QString m_table; ///< name of its profile
    QString m_absent; ///< why there is no state where there is none; empty while they are read
};

} // namespace idemdesk::models
