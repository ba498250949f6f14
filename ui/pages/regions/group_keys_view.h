// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QSet>
#include <QWidget>
#include <utility>

class QLabel;
class QLineEdit;
class QTableView;

namespace idemdesk::models {
class GroupKeysModel;
class GroupOverviewModel;
class GroupSession;
class Settings;
class TimeFormat;
} // namespace idemdesk::models

namespace idemdesk::ui {

class BusyBar;
class Chip;
class ContentStack;
class NoticeBar;
class TargetChooser;

/// The keys of all members under one filter and in one order, each with its member.
class GroupKeysView final : public QWidget
{
    Q_OBJECT

public:
    /// session: outlives the view. overview: says which tables have stuck keys; outlives it, too.
    GroupKeysView(models::GroupSession *session, const models::GroupOverviewModel *overview, models::Settings *settings,
        QWidget *parent);

    void activate(); ///< reads what was never read
    void refresh();
    void setTimeFormat(const models::TimeFormat &format);

signals:
    void keyWanted(int member, const QString &target, const QString &filter);

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    void wire();
    void onTargets();
    void ask();
    void askAtFirst(); ///< for what needs attention, unless a person chose a filter
    void askForAll(); ///< where that gave nothing
    bool foundNoStuck() const; ///< nothing came of what the view asked for by itself
    void chooseFilter(const QString &filter);
    void syncChips();
    void lookForValues();
    bool isEmpty(int column) const; ///< no row that was read says anything there
    void setUpColumns();
    void fitColumns();
    int stateWidth() const; ///< pixels
    void giveRoom(const QList<int> &widths, int room); ///< widths: of the columns as they stand, by number
    void open(int row);
    QString orderWords(const QString &order) const;
    void sync();

    models::GroupSession *m_session;
    const models::GroupOverviewModel *m_overview;
    models::GroupKeysModel *m_model;
    TargetChooser *m_targets;
    QLineEdit *m_filter;
    QList<std::pair<Chip *, QString>> m_chips; ///< each with its filter
    bool m_byItself = true; ///< nobody chose a filter yet
    int m_looked = 0; ///< rows that were looked at for values
    QSet<int> m_filled; ///< columns that say something in one of them
    NoticeBar *m_notice;
    BusyBar *m_busy;
    ContentStack *m_stack;
    QTableView *m_table;
    QLabel *m_status;
};

} // namespace idemdesk::ui
