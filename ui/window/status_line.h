// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QLabel;

namespace idemdesk::models {
class KeyBrowserController;
}

namespace idemdesk::ui {

/// The line at the bottom: rows shown, notes, how long they took and how old they are, the server's clock.
class StatusLine final : public QWidget
{
    Q_OBJECT

public:
    explicit StatusLine(models::KeyBrowserController *browser, QWidget *parent = nullptr);
    /// Rows and their age belong to the keys page alone.
    void setKeysShown(bool shown);
    void sync();

private:
    models::KeyBrowserController *m_browser;
    bool m_keysShown = false;
    QLabel *m_rows;
    QLabel *m_notes;
    QLabel *m_took;
    QLabel *m_clock;
};

} // namespace idemdesk::ui
