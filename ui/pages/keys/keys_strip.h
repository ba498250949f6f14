// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <utility>

class QGridLayout;
class QHBoxLayout;
class QLabel;
class QToolButton;

namespace idemdesk::models {
class KeyBrowserController;
class KeySpreadController;
} // namespace idemdesk::models

namespace idemdesk::ui {

class HeatMap;
class TimeBars;

/// Above the list: how its rows lie over time, and by age and scope. What is chosen in either narrows the filter.
class KeysStrip final : public QWidget
{
    Q_OBJECT

public:
    KeysStrip(models::KeyBrowserController *browser, models::KeySpreadController *spread, QWidget *parent = nullptr);
    void sync();
    void setDimmed(bool dimmed); ///< it is of the filter before, for the new one has a mistake
    void setFolded(bool folded); ///< one line: where there is little room

signals:
    void filterWanted(const QString &text);

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    void arrange();
    void fillBars();
    void fillCells();

    models::KeyBrowserController *m_browser;
    models::KeySpreadController *m_spread;
    QGridLayout *m_grid;
    QHBoxLayout *m_head;
    QLabel *m_note;
    QToolButton *m_whole;
    TimeBars *m_bars;
    HeatMap *m_cells;
    bool m_folded = false;
    std::pair<int, int> m_arranged { -1, 0 }; ///< how, and the cells' width then
};

} // namespace idemdesk::ui
