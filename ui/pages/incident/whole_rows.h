// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QTableView;

namespace idemdesk::ui {

/// Gives a table the height of whole rows, so that none is cut at its foot. What is left over stays free beneath them,
/// or goes to the rows, which grow by a quarter at most.
class WholeRows final : public QWidget
{
    Q_OBJECT

public:
    /// growingFrom: pixels of a row that may grow, at texts of the usual size; 0: rows stay as they are.
    WholeRows(QTableView *table, int growingFrom, QWidget *parent);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void resizeEvent(QResizeEvent *event) override;
    void changeEvent(QEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void fit();
    void fitLater(); ///< once whatever changes now has changed
    int besideRows() const; ///< pixels of the table's height that are no rows

    QTableView *m_table;
    int m_growingFrom;
    bool m_fitting = false;
    bool m_waiting = false;
};

} // namespace idemdesk::ui
