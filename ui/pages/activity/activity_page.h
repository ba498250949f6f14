// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/format/time_format.h"
#include "sql/types/activity.h"
#include "ui/pages/page.h"

#include <QHash>

class QLabel;
class QModelIndex;
class QSplitter;
class QTreeView;

namespace idemdesk::models {
class ActionCenter;
class ActivityController;
class ConnectionController;
class Settings;
} // namespace idemdesk::models

namespace idemdesk::ui {

class ContentStack;
class NoticeBar;
class SessionPane;

/// Sessions that hold or await locks on the tables, as a tree of who waits for whom over a pane about the one that is
/// selected; it can be stopped, which the trail keeps.
class ActivityPage final : public Page
{
    Q_OBJECT

public:
    ActivityPage(models::ConnectionController *connection, models::ActivityController *activity,
        models::ActionCenter *center, models::Settings *settings, QWidget *parent = nullptr);
    static Face ownFace(); ///< known before there is one

    void activate() override;
    void deactivate() override;
    void refresh() override;
    void refreshByItself() override { } // it always does
    void setTimeFormat(const models::TimeFormat &format) override;

protected:
    void resizeEvent(QResizeEvent *event) override;
    void changeEvent(QEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void setUpSessions(models::Settings *settings);
    void wire();
    static QString countersText(const sql::ActivityReport &report);
    void sync();
    void syncNotice();
    void syncEmpty();
    void syncWaiting();
    void syncButtons();
    void rememberSelection();
    void restoreSelection();
    void fitTree(); ///< as tall as its rows, within limits, until a person has moved the line beneath
    /// No badge is cut; what does not fit beside the statement is left out. anew: else only where a column is too
    /// narrow.
    void fitColumns(bool anew);
    QHash<int, int> neededWidths() const; ///< by column
    int cellWidth(const QModelIndex &index, int depth) const;
    void ask(sql::SignalVerb verb);
    void onSignalled(const QString &text, const std::optional<sql::Error> &error);

    models::ConnectionController *m_connection;
    models::ActivityController *m_activity;
    models::ActionCenter *m_center;
    ContentStack *m_stack;
    QSplitter *m_split;
    QTreeView *m_tree;
    SessionPane *m_pane;
    NoticeBar *m_notice;
    QLabel *m_counters;
    QLabel *m_waiting; ///< how many are held up
    models::TimeFormat m_format;
    QHash<int, int> m_widths; ///< of the columns, as they were fitted last
    bool m_splitByHand = false;
    bool m_columnsByHand = false;
    bool m_fitting = false;
    int m_selected = 0; ///< pid, across a refresh that moves rows
    int m_gone = 0; ///< pid that was selected until it left the list
    bool m_told = false; ///< the notice says what came of a signal
};

} // namespace idemdesk::ui
