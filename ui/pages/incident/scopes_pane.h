// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QHBoxLayout;
class QLabel;
class QTableView;

namespace idemdesk::models {
class ConnectionController;
class OverviewController;
class Settings;
} // namespace idemdesk::models

namespace idemdesk::ui {

class NoticeBar;
class ScopeNumbers;
class WrapRow;

/// One table opened: its keys by state as buttons, and its scopes with theirs.
class ScopesPane final : public QWidget
{
    Q_OBJECT

public:
    ScopesPane(models::ConnectionController *connection, models::OverviewController *overview,
        models::Settings *settings, QWidget *parent);
    void sync();

signals:
    void keysWanted(const QString &target, const QString &filter);
    void closeClicked();

private:
    void wire();
    void fillLegend();
    void syncNotice();
    void syncNote();
    void fitColumns();

    models::ConnectionController *m_connection;
    models::OverviewController *m_overview;
    QLabel *m_title;
    QWidget *m_legend;
    WrapRow *m_legendRow;
    QStringList m_legendShown; ///< what it says, so that it is not made anew for nothing
    NoticeBar *m_notice;
    ScopeNumbers *m_numbers;
    QTableView *m_scopes;
    QLabel *m_note; ///< what the sign before some numbers means
};

} // namespace idemdesk::ui
