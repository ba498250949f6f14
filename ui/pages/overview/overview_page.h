// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/pages/page.h"

class QLabel;
class QSplitter;
class QTableView;

namespace idemdesk::models {
class ConnectionController;
class Glance;
class OverviewController;
class Settings;
} // namespace idemdesk::models

namespace idemdesk::ui {

class ContentStack;
class NoticeBar;
class SmallChart;

/// Each table at a glance, and of the chosen one its last day and its scopes by state; a click on a count leads to
/// those keys, one on a small chart to the whole one.
class OverviewPage final : public Page
{
    Q_OBJECT

public:
    OverviewPage(models::ConnectionController *connection, models::OverviewController *overview, models::Glance *glance,
        models::Settings *settings, QWidget *parent = nullptr);
    void activate() override;
    void deactivate() override;
    void refresh() override;
    void setTimeFormat(const models::TimeFormat &format) override;
    QTableView *tables() const { return m_tables; }
    bool complete() const; ///< every table's figures are in

private:
    void sync();
    void applyAutoRefresh();
    void fitScopes();
    void drawGlance();
    QWidget *buildHeader();
    QWidget *buildGlance();
    void setUpTables();
    void layOut();
    void wire();
    void openCell(QTableView *table, const QModelIndex &index, const QString &targetName);

    models::ConnectionController *m_connection;
    models::OverviewController *m_overview;
    models::Glance *m_glance;
    models::Settings *m_settings;
    bool m_front = false;
    ContentStack *m_stack;
    QSplitter *m_splitter;
    NoticeBar *m_problems;
    NoticeBar *m_scopesNotice;
    QTableView *m_tables;
    QTableView *m_scopes;
    QLabel *m_scopesTitle;
    SmallChart *m_stale;
    SmallChart *m_retries;
};

} // namespace idemdesk::ui
