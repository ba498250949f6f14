// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

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

signals:
    void filterWanted(const QString &text);

private:
    void fillBars();
    void fillCells();

    models::KeyBrowserController *m_browser;
    models::KeySpreadController *m_spread;
    QLabel *m_note;
    QToolButton *m_whole;
    TimeBars *m_bars;
    HeatMap *m_cells;
};

} // namespace idemdesk::ui
