// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QTimer>

namespace idemdesk::models {
class Settings;
}

namespace idemdesk::ui {

class MainWindow;

/// Lets the page in front read again by itself, as often as the settings say. It rests while a dialog is open, while
/// nobody sees the window, and without a connection.
class PageRefresher final : public QObject
{
    Q_OBJECT

public:
    /// What other pages read asks more of a server than a page of keys.
    static constexpr int kLeastSeconds = 15;

    PageRefresher(MainWindow *window, models::Settings *settings);

private:
    void apply();
    void refresh();

    MainWindow *m_window;
    models::Settings *m_settings;
    QTimer *m_timer;
};

} // namespace idemdesk::ui
