// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QLabel;
class QSplitter;
class QStackedWidget;
class QTableView;

namespace idemdesk::models {
class ConnectionController;
class OverviewController;
class Settings;
}

namespace idemdesk::ui {

class EmptyState;
class NoticeBar;

/// Each table at a glance, and the scopes of the chosen one by state; a click on a count leads to those keys.
class OverviewPage final : public QWidget
{
    Q_OBJECT

public:
    OverviewPage(models::ConnectionController *connection, models::OverviewController *overview, models::Settings *settings,
        QWidget *parent = nullptr);
    QTableView *tables() const { return m_tables; }
    bool complete() const; ///< every table's figures are in

signals:
    void keysWanted(const QString &targetName, const QString &filterText);
    void addTableClicked();
    void connectClicked();

private:
    void update();
    void fitScopes();
    void openCell(QTableView *table, const QModelIndex &index, const QString &targetName);

    models::ConnectionController *m_connection;
    models::OverviewController *m_overview;
    QStackedWidget *m_stack;
    QSplitter *m_splitter;
    EmptyState *m_empty;
    NoticeBar *m_problems;
    NoticeBar *m_scopesNotice;
    QTableView *m_tables;
    QTableView *m_scopes;
    QLabel *m_scopesTitle;
};

} // namespace idemdesk::ui
