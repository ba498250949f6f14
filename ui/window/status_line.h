// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QLabel;
class QToolButton;

namespace idemdesk::models {
class KeyBrowserController;
class Settings;
} // namespace idemdesk::models

namespace idemdesk::ui {

/// The line at the bottom: rows shown, notes, how long they took and how old they are, how often pages read again by
/// themselves, the server's clock.
class StatusLine final : public QWidget
{
    Q_OBJECT

public:
    StatusLine(models::KeyBrowserController *browser, models::Settings *settings, QWidget *parent = nullptr);
    /// Rows and their age belong to the keys page alone.
    void setKeysShown(bool shown);
    void sync();

private:
    void offerIntervals();
    void showInterval();

    models::KeyBrowserController *m_browser;
    models::Settings *m_settings;
    bool m_keysShown = false;
    QLabel *m_rows;
    QLabel *m_notes;
    QLabel *m_took;
    QToolButton *m_refresh;
    QLabel *m_clock;
};

} // namespace idemdesk::ui
