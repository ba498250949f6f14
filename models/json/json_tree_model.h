// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/json/json_document.h"
#include "models/table/item_role.h"

#include <QAbstractItemModel>

namespace idemdesk::models {

/// A JSON document as a tree of Name and Value. The root value is the only top-level row.
class JsonTreeModel final : public QAbstractItemModel
{
    Q_OBJECT

public:
    enum Column { Name, Value, ColumnCount };
    using enum ItemRole;

    explicit JsonTreeModel(QObject *parent = nullptr);
    void setDocument(const JsonDocument &document);
    const JsonDocument &document() const { return m_document; }

    QModelIndex index(int row, int column, const QModelIndex &parent = {}) const override;
    QModelIndex parent(const QModelIndex &index) const override;
    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    JsonDocument m_document;
};

} // namespace idemdesk::models
