// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QWidget>

class QLabel;
class QTableView;

namespace idemdesk::models {
class GroupDesk;
class GroupOverviewModel;
class GroupSession;
class ReplicationList;
class Settings;
} // namespace idemdesk::models

namespace idemdesk::ui {

class MemberCard;
class StateLegend;

/// The members of a group beside each other: a card for each, and beneath them what each table holds in each of them.
class MembersView final : public QWidget
{
    Q_OBJECT

public:
    /// desk: has a session, which outlives the view.
    MembersView(models::GroupDesk *desk, models::Settings *settings, QWidget *parent);

    void refresh(); ///< also asks members that did not answer
    void recount(); ///< in those that did
    const models::GroupOverviewModel *overview() const { return m_model; }
    void showWays(const models::ReplicationList &ways); ///< of replication, on the card where each ends

signals:
    void memberWanted(int member); ///< show it in this window
    void keysWanted(int member, const QString &target, const QString &filter);

private:
    QWidget *buildCards();
    void setUpColumns();
    void openCell(const QModelIndex &index);
    void sync();

    models::GroupDesk *m_desk;
    models::GroupSession *m_session;
    models::GroupOverviewModel *m_model;
    QList<MemberCard *> m_cards;
    QLabel *m_total;
    StateLegend *m_legend;
    QTableView *m_table;
};

} // namespace idemdesk::ui
