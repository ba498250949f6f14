// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPixmap>
#include <QWidget>

class QLabel;
class QPushButton;

namespace idemdesk::models {
class ConnectionController;
}

namespace idemdesk::ui {

/// What stands where nothing is: what would be here, and the next step as a button. Centred, beneath an icon.
class EmptyState final : public QWidget
{
    Q_OBJECT

public:
    explicit EmptyState(QWidget *parent = nullptr);
    /// In a part of a page, where a page's own would be too large.
    void setCompact(bool compact) { m_compact = compact; }
    /// An empty button text shows no button. Where there are two ways on, the first one is the primary.
    void show(const QString &iconName, const QString &title, const QString &text, const QString &button = {},
        const QString &second = {});
    void accent(); ///< its one button is what to do here
    /// text: what would be here. The button leads to a connection.
    void showNotConnected(const QString &text);
    /// Why there is no table to show; false where there is one. tables: how many the page could show; needs: what it
    /// needs one for.
    bool showNoTable(const models::ConnectionController &connection, int tables, const QString &iconName,
        const QString &notConnected, const QString &needs);

signals:
    void buttonClicked();
    void secondClicked();

private:
    QPixmap picture(const QString &iconName) const;

    QLabel *m_icon;
    QLabel *m_title;
    QLabel *m_text;
    QPushButton *m_button;
    QPushButton *m_second;
    bool m_compact = false;
};

} // namespace idemdesk::ui
