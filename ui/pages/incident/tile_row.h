// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QGridLayout>
#include <QSet>
#include <QWidget>

namespace idemdesk::ui {

/// Tiles of one width beside each other, in two lines where the window is narrow. A hidden one leaves no hole.
class TileRow final : public QWidget
{
    Q_OBJECT

public:
    explicit TileRow(QWidget *parent);
    void add(QWidget *tile);
    void setShown(QWidget *tile, bool shown);

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    void arrange(); ///< in as many columns as fit
    void place(int columns);

    QGridLayout *m_grid;
    QList<QWidget *> m_tiles;
    QSet<QWidget *> m_left; ///< those that are not shown
    int m_columns = 0; ///< 0: to be placed anew
};

} // namespace idemdesk::ui
