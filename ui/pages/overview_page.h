// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QLabel;
class QSplitter;
class QStackedWidget;
class QTableView;

namespace idemdesk::models {
class ConnectionController;
class Glance;
class OverviewController;
class Settings;
}

namespace idemdesk::ui {

class EmptyState;
class NoticeBar;
class SmallChart;

/// Each table at a glance, and of the chosen one its last day and its scopes by state; a click on a count leads to those keys, one on
/// a small chart to the whole one.
class OverviewPage final : public QWidget
{
    Q_OBJECT

public:
    OverviewPage(models::ConnectionController *connection, models::OverviewController *overview, models::Glance *glance, models::Settings *settings,
        QWidget *parent = nullptr);
    QTableView *tables() const { return m_tables; }
    bool complete() const; ///< every table's figures are in

signals:
    void keysWanted(const QString &targetName, const QString &filterText);
    void trendWanted(const QString &target, const QString &metric);
    void addTableClicked();
    void connectClicked();

private:
    void update();
    void fitScopes();
    void drawGlance();
    QWidget *buildGlance();
    void openCell(QTableView *table, const QModelIndex &index, const QString &targetName);

    models::ConnectionController *m_connection;
    models::OverviewController *m_overview;
    models::Glance *m_glance;
    QStackedWidget *m_stack;
    QSplitter *m_splitter;
    EmptyState *m_empty;
    NoticeBar *m_problems;
    NoticeBar *m_scopesNotice;
    QTableView *m_tables;
    QTableView *m_scopes;
    QLabel *m_scopesTitle;
    SmallChart *m_stale;
    SmallChart *m_retries;
};

} // namespace idemdesk::ui
