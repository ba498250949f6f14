// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/format/time_format.h"
#include "models/incident/incident_types.h"
#include "ui/pages/page.h"

#include <QTimer>

class QLabel;
class QPushButton;
class QModelIndex;
class QTableView;

namespace idemdesk::models {
class ConnectionController;
class IncidentController;
class OverviewController;
class Settings;
} // namespace idemdesk::models

namespace idemdesk::ui {

class ContentStack;
class IncidentTileButton;
class NoteCard;
class NoticeBar;
class ScopesPane;
class StateLegend;
class TileRow;

/// The first page: what needs a person, readable from two metres, and every table with the worst first. Each number
/// leads to its keys; a table opens to its scopes.
class IncidentPage final : public Page
{
    Q_OBJECT

public:
    struct Sources {
        models::ConnectionController *connection = nullptr;
        models::IncidentController *incident = nullptr;
        models::OverviewController *overview = nullptr;
    };

    IncidentPage(const Sources &from, models::Settings *settings, QWidget *parent = nullptr);
    static Face ownFace(); ///< known before there is one

    void refresh() override;
    void refreshByItself() override { } // it always does
    void setTimeFormat(const models::TimeFormat &format) override;
    void activate() override;
    void deactivate() override;
    /// On a wall: larger figures, nothing to press, and it reads by itself whatever the settings say.
    void setKiosk(bool kiosk);
    /// Why this login may only look: a sentence; empty where it may act, or that is not known.
    void setOnlyLooks(const QString &why);
    bool complete() const; ///< each table has a summary, or an error, and the last day was read

protected:
    void resizeEvent(QResizeEvent *event) override;
    void changeEvent(QEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

signals:
    void alertsWanted();
    void actionWanted(const QString &action);

private:
    QWidget *buildHeader();
    QWidget *buildTiles();
    QWidget *buildCards();
    QWidget *buildTables();
    void layOut();
    void wire();
    void sync();
    void syncTiles();
    void syncLegend();
    void syncEmpty();
    void syncNotices();
    void syncAge();
    void syncRest();
    QString liveText(qint64 age) const; ///< of a wall: that it reads, how often, and the server's clock
    void applyAutoRefresh();
    void syncRoom(); ///< what a small screen has no room for
    void fitTables();
    void follow(const models::IncidentLink &link);
    void openCell(const QModelIndex &index);
    void openScopes(const QString &target); ///< empty: closes them

    models::ConnectionController *m_connection;
    models::IncidentController *m_incident;
    models::OverviewController *m_overview;
    models::Settings *m_settings;
    ContentStack *m_stack;
    NoticeBar *m_problems;
    NoticeBar *m_failed;
    QLabel *m_age;
    QLabel *m_onlyLooks;
    QPushButton *m_add = nullptr;
    QWidget *m_commands = nullptr; ///< what a wall has no use for
    QList<IncidentTileButton *> m_tiles;
    TileRow *m_tileRow = nullptr;
    QList<NoteCard *> m_noteCards;
    QWidget *m_cards = nullptr;
    QTableView *m_tables = nullptr;
    StateLegend *m_legend = nullptr;
    ScopesPane *m_scopes = nullptr;
    QTimer m_clock; ///< how old it is, each second
    bool m_front = false;
    QLabel *m_rest = nullptr; ///< how many tables fit on a wall
    bool m_kiosk = false;
    bool m_expanded = false; ///< all of what changed is shown
    models::TimeFormat m_times;
    QString m_openedByMove; ///< the table that the move of the cursor opened just now
    QString m_openedByPress; ///< where that move was the press of a click that is not over
};

} // namespace idemdesk::ui
