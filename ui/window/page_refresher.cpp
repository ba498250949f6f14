// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/page_refresher.h"

#include "models/connection/connection_controller.h"
#include "models/keys/key_browser.h"
#include "models/settings.h"
#include "models/workspace/workspace.h"
#include "ui/pages/page.h"
#include "ui/window/main_window.h"

#include <QApplication>
#include <algorithm>

namespace idemdesk::ui {

PageRefresher::PageRefresher(MainWindow *window, models::Settings *settings)
    : QObject(window)
    , m_window(window)
    , m_settings(settings)
    , m_timer(new QTimer(this))
{
    connect(settings, &models::Settings::autoRefreshChanged, this, &PageRefresher::apply);
    connect(window, &MainWindow::pageShown, this, &PageRefresher::apply); // a page that came has just read
    connect(m_timer, &QTimer::timeout, this, &PageRefresher::refresh);
    apply();
}

void PageRefresher::apply()
{
    const int seconds = m_settings->autoRefresh();
    m_window->browser()->setAutoRefresh(seconds);
    if (seconds == 0) {
        m_timer->stop();
    } else {
        m_timer->start(std::max(kLeastSeconds, seconds) * 1'000);
    }
}

void PageRefresher::refresh()
{
    const models::ConnectionController *connection = m_window->workspace()->connection();
    const bool seen = m_window->isVisible() && !m_window->isMinimized();
    if (seen && connection->state() == sql::LinkState::Connected && QApplication::activeModalWidget() == nullptr) {
        m_window->page()->refreshByItself();
    }
}

} // namespace idemdesk::ui
