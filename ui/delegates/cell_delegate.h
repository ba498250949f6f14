// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>

namespace idemdesk::ui {

/// A cell of the key table: faint while its row is read or belongs to the query before, in the danger colour where it
/// could not be read, in figures of one width where it holds numbers. What the text says never depends on the colour.
class CellDelegate : public QStyledItemDelegate
{
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void setFigures(bool figures) { m_figures = figures; }

protected:
    void initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const override;

private:
    bool m_figures = false;
};

} // namespace idemdesk::ui
