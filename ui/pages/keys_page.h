// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/keys/copy_format.h"
#include "models/keys/key_browser.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QSplitter;
class QStackedWidget;
class QTableView;
class QToolButton;

namespace idemdesk::models {
class ConnectionController;
class ExportController;
class KeyDetailController;
class Settings;
}

namespace idemdesk::ui {

class DetailPane;
class EmptyState;
class ExportStrip;
class FilterBar;
class NoticeBar;

/// The key browser: one target's keys, filtered, ordered and paged, with the selected key's detail beside them.
class KeysPage final : public QWidget
{
    Q_OBJECT

public:
    KeysPage(models::ConnectionController *connection, models::KeyBrowserController *browser,
        models::KeyDetailController *detail, models::ExportController *exporter, models::Settings *settings,
        QWidget *parent = nullptr);

    /// Shows a target by its profile's name with a filter text; nothing happens if it is not a target of this connection.
    void showTarget(const QString &profileName, const QString &filterText);
    void setFilterText(const QString &text);
    void focusFilter();
    void selectRow(int row);
    void toggleDetail();
    void openJump();
    void openExport();
    QString positionText() const;
    DetailPane *detailPane() const { return m_detailPane; }
    QTableView *table() const { return m_table; }

signals:
    void addTableClicked();
    void connectClicked();
    void statusChanged();

private:
    void buildToolbar();
    void wire();
    void refillTargets();
    void refillOrders();
    void onTargetChanged();
    void onSelection();
    void onStatus();
    void updateState();
    void restoreColumns();
    void rememberColumns();
    void columnMenu(const QPoint &place);
    void tableMenu(const QPoint &place);
    void copy(models::CopyFormat format);
    void visibleRowsChanged();
    void showCost(const sql::FilterCost &cost);
    QString layoutId() const;

    models::ConnectionController *m_connection;
    models::KeyBrowserController *m_browser;
    models::KeyDetailController *m_detail;
    models::ExportController *m_exporter;
    models::Settings *m_settings;
    QComboBox *m_targets;
    QComboBox *m_orders;
    QToolButton *m_direction;
    QComboBox *m_refreshEvery;
    FilterBar *m_filter;
    NoticeBar *m_notice;
    NoticeBar *m_cost;
    QLabel *m_count;
    QStackedWidget *m_stack;
    EmptyState *m_empty;
    QTableView *m_table;
    QSplitter *m_splitter;
    DetailPane *m_detailPane;
    ExportStrip *m_export;
    bool m_restoring = false;
    bool m_selecting = false;
};

} // namespace idemdesk::ui
