// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTableView>

namespace idemdesk::ui {

/// The first columns of a table, laid over it: they stay where they are while the others are scrolled. Rows, selection,
/// widths, order and delegates are the table's own.
class FrozenColumns final : public QTableView
{
    Q_OBJECT

public:
    explicit FrozenColumns(QTableView *table);

    /// All up to this one, as the columns stand; -1: none.
    void setLast(int column);
    int last() const { return m_last; }
    void sync(); ///< the table has other columns, delegates or heights

signals:
    void headingMenuWanted(const QPoint &globalPlace);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    void wire();
    void place();

    QTableView *m_table;
    int m_last = -1;
};

} // namespace idemdesk::ui
