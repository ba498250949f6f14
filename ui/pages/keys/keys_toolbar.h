// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QComboBox;
class QToolButton;

namespace idemdesk::models {
class ConnectionController;
class KeyBrowserController;
} // namespace idemdesk::models

namespace idemdesk::ui {

class TargetChooser;

/// The keys page's first line: which table in which order, and what can be done with the list.
class KeysToolbar final : public QWidget
{
    Q_OBJECT

public:
    KeysToolbar(
        models::ConnectionController *connection, models::KeyBrowserController *browser, QWidget *parent = nullptr);

    void refillTargets();
    void showTarget(const QString &profileName);

signals:
    void targetChosen(const QString &profileName);
    void refreshClicked();
    void jumpClicked();
    void exportClicked();
    void stripClicked();
    void detailClicked();

private:
    void refillOrders();
    void turnOrder();

    models::ConnectionController *m_connection;
    models::KeyBrowserController *m_browser;
    TargetChooser *m_targets;
    QComboBox *m_orders;
    QToolButton *m_direction;
};

} // namespace idemdesk::ui
