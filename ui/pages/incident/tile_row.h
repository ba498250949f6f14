// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QGridLayout>
#include <QWidget>

namespace idemdesk::ui {

/// Tiles of one width beside each other, in two lines where the window is narrow.
class TileRow final : public QWidget
{
    Q_OBJECT

public:
    explicit TileRow(QWidget *parent);
    void add(QWidget *tile);

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    void place(int columns);

    QGridLayout *m_grid;
    QList<QWidget *> m_tiles;
    int m_columns = 0;
};

} // namespace idemdesk::ui
