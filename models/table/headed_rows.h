// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/table/item_role.h"

#include <QAbstractTableModel>
#include <QList>

namespace idemdesk::models {

/// The rows of another model under headings, a heading for each group. Which groups there are, which row belongs to
/// which, and what a heading says is told by a subclass. A heading stands in one column, and the view lets it go over
/// the others (ui/widgets/headings.h).
class HeadedRows : public QAbstractTableModel
{
    Q_OBJECT

public:
    using enum ItemRole;

    const QAbstractItemModel *source() const { return m_source; }
    int headingColumn() const { return m_column; }
    int sourceRow(int row) const; ///< of the model; -1 of a heading
    int rowOf(int sourceRow) const; ///< -1 where it is left out
    bool isHeading(int row) const { return m_rows.value(row, 0) < 0; }
    int groupAt(int heading) const { return -1 - m_rows.at(heading); }
    virtual void setFolded(int, bool) { } ///< of a group whose rows can be hidden

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    bool setData(const QModelIndex &index, const QVariant &value, int role) override;
    Qt::ItemFlags flags(const QModelIndex &index) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

protected:
    /// The subclass calls rebuild() once it can answer.
    HeadedRows(QAbstractItemModel *source, int headingColumn, QObject *parent);
    void rebuild();
    void sayHeadingsAnew();
    void setHeadingColumn(int column) { m_column = column; } ///< in prepare(), where the rows are arranged otherwise

    virtual void prepare() { } ///< before the rows are arranged, and after they changed
    virtual bool headed() const { return true; } ///< else the rows alone
    virtual QList<int> groups() const = 0; ///< those that get a heading, in their order; numbers from 0 on
    virtual int groupOf(int sourceRow) const = 0;
    virtual bool folded(int) const { return false; } ///< its heading alone is shown
    virtual QVariant headingData(int group, int role) const = 0;
    /// The same of a heading that hides and shows its rows; spoken: for screen readers, before whether they are hidden.
    QVariant foldingData(int group, int role, const QString &text, const QString &spoken) const;
    virtual Qt::ItemFlags headingFlags(int) const { return {}; } ///< beside those of every heading
    virtual bool setHeadingData(int, const QVariant &, int) { return false; }

private:
    void arrange();
    void onData(const QModelIndex &from, const QModelIndex &to, const QList<int> &roles);

    QAbstractItemModel *m_source;
    int m_column;
    int m_usualColumn; ///< also tells what the headings say
    QList<int> m_rows; ///< of the model; below zero: the heading of the group -1 - it
};

} // namespace idemdesk::models
