// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/format/display_text.h"
#include "models/table/item_role.h"
#include "models/table/row_model_base.h"

#include <QList>
#include <algorithm>
#include <span>

namespace idemdesk::models {

inline constexpr int kDetailBeneath = DetailRole; // GCC 12 fails on the enumerator's name in a template

/// What stands muted beneath a cell's text is read aloud after it.
inline QString withDetail(const QString &text, const QString &detail)
{
    return detail.isEmpty() || text.contains(detail) ? text : text + QStringLiteral(", ") + detail;
}

/// A flat list of rows, shown by a table of columns. A model names its columns, and what else its items tell:
///
///     class TouchesModel final : public RowModel<TouchesModel, sql::KeyTouch> {
///         static std::span<const ColumnSpec> columns(); // by the order of its enum Column
///         QVariant itemData(const sql::KeyTouch &touch, int column, int role) const; // only where it tells more
///     };
///
/// Texts are made safe to show here, so that no model forgets it: they come from the database.
template <typename Model, typename Row> class RowModel : public RowModelBase
{
public:
    const QList<Row> &rows() const { return m_rows; }
    const Row *row(int number) const ///< null where there is no such row
    {
        return number >= 0 && number < m_rows.size() ? &m_rows.at(number) : nullptr;
    }

    int rowCount(const QModelIndex &parent = {}) const final { return parent.isValid() ? 0 : int(m_rows.size()); }
    int columnCount(const QModelIndex &parent = {}) const final
    {
        return parent.isValid() ? 0 : int(Model::columns().size());
    }
    QVariant data(const QModelIndex &index, int role) const final;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const final;
    bool showsTime(int column) const final { return Model::columns()[std::size_t(column)].time; }

protected:
    using Text = QString (*)(const Model &model, const Row &row);
    struct ColumnSpec {
        QString (*title)() = nullptr;
        Text text = nullptr;
        Text toolTip = nullptr; ///< none: the text, at length
        Qt::Alignment alignment = {}; ///< numbers stand at the right, their title too
        bool time = false; ///< is said anew in another format of times
        QString (*help)() = nullptr; ///< tooltip of the title
    };
    static constexpr Qt::Alignment kNumber = Qt::AlignRight | Qt::AlignVCenter;

    using RowModelBase::RowModelBase;

    using RowModelBase::itemData; // what Qt calls so stays what it is
    QVariant itemData(const Row &, int, int) const { return {}; } ///< hidden by a model that tells more
    void setRows(const QList<Row> &rows, bool more = false);
    /// Rows that are the same ones, by `same`, keep their place and what is selected.
    template <typename Same> void updateRows(const QList<Row> &rows, Same same);
    void appendRows(const QList<Row> &rows, bool more);
    void sayAllAnew() { sayAnew(0, columnCount() - 1); }
    void sayRowAnew(int row) { emit dataChanged(index(row, 0), index(row, columnCount() - 1)); }

    QList<Row> m_rows;
};

template <typename Model, typename Row> QVariant RowModel<Model, Row>::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) {
        return {};
    }
    const auto &model = static_cast<const Model &>(*this);
    const Row &row = m_rows.at(index.row());
    if (const QVariant told = model.itemData(row, index.column(), role); told.isValid()) {
        return told;
    }
    const ColumnSpec &column = Model::columns()[std::size_t(index.column())];
    switch (role) {
    case Qt::DisplayRole:
        return displayText(column.text(model, row));
    case Qt::AccessibleTextRole:
        return withDetail(displayText(column.text(model, row)), data(index, kDetailBeneath).toString());
    case Qt::ToolTipRole:
        return displayText((column.toolTip != nullptr ? column.toolTip : column.text)(model, row), kToolTipChars);
    case Qt::TextAlignmentRole:
        return column.alignment ? QVariant(int(column.alignment)) : QVariant();
    default:
        return {};
    }
}

template <typename Model, typename Row>
QVariant RowModel<Model, Row>::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount()) {
        return {};
    }
    const ColumnSpec &column = Model::columns()[std::size_t(section)];
    switch (role) {
    case Qt::DisplayRole:
        return column.title();
    case Qt::ToolTipRole:
        return column.help != nullptr ? QVariant(column.help()) : QVariant();
    case Qt::TextAlignmentRole:
        return column.alignment ? QVariant(int(column.alignment)) : QVariant();
    default:
        return {};
    }
}

template <typename Model, typename Row> void RowModel<Model, Row>::setRows(const QList<Row> &rows, bool more)
{
    beginResetModel();
    m_rows = rows;
    setMore(more);
    endResetModel();
}

template <typename Model, typename Row>
template <typename Same>
void RowModel<Model, Row>::updateRows(const QList<Row> &rows, Same same)
{
    if (std::equal(rows.cbegin(), rows.cend(), m_rows.cbegin(), m_rows.cend(), same)) {
        m_rows = rows;
        sayAllAnew();
    } else {
        setRows(rows);
    }
}

template <typename Model, typename Row> void RowModel<Model, Row>::appendRows(const QList<Row> &rows, bool more)
{
    setAsked(true);
    if (!rows.isEmpty()) {
        beginInsertRows({}, int(m_rows.size()), int(m_rows.size() + rows.size()) - 1);
        m_rows += rows;
        endInsertRows();
    }
    setMore(more);
}

} // namespace idemdesk::models
