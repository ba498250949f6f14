// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/format/time_format.h"

#include <QWidget>

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QSplitter;
class QTableView;

namespace idemdesk::models {
class DuplicateKeyModel;
class GroupDuplicates;
class GroupSession;
class Settings;
struct MemberDuplicate;
} // namespace idemdesk::models

namespace idemdesk::ui {

class BadgeView;
class BusyBar;
class ContentStack;
class NoticeBar;
class TargetChooser;

/// What looks carried out more than once in any member of a group, each with its member, its reason and the way to its
/// keys there. Each member is searched by itself; what two did under one key is found by comparing them.
class GroupDuplicatesView final : public QWidget
{
    Q_OBJECT

public:
    GroupDuplicatesView(models::GroupSession *session, models::Settings *settings, QWidget *parent);

    void search(); ///< what is chosen, in all members
    void refresh(); ///< the same, and members that did not answer are asked, too
    void setTimeFormat(const models::TimeFormat &format);
    models::GroupDuplicates *duplicates() const { return m_duplicates; }

signals:
    void differencesWanted(const QString &target); ///< what two members did under one key
    void keysWanted(int member, const QString &target, const QString &filter);

private:
    QWidget *buildBar();
    QWidget *buildReach();
    QWidget *buildDetail();
    void setUpList(models::Settings *settings);
    void wire();
    void onTargets();
    void sync();
    void syncNotice();
    void syncEmpty();
    void showGroup();
    void showKeys();
    void showKeysIn(int member);
    void forget(); ///< another choice than what was searched
    void fillShow(const models::MemberDuplicate &row);
    void syncTotal();
    void syncReach();
    QStringList leftOut() const;
    const models::MemberDuplicate *current() const; ///< null where none is selected

    models::GroupSession *m_session;
    models::GroupDuplicates *m_duplicates;
    models::DuplicateKeyModel *m_keyModel;
    TargetChooser *m_targets;
    QComboBox *m_span;
    QLineEdit *m_filter;
    QCheckBox *m_across;
    QPushButton *m_search;
    QPushButton *m_stop;
    BusyBar *m_busy;
    NoticeBar *m_notice;
    QLabel *m_total;
    QLabel *m_reach; ///< what is compared, and what was not
    QLabel *m_reasons; ///< what was not looked for
    QPushButton *m_about; ///< shows them
    QPushButton *m_differences;
    QLabel *m_fault; ///< what is wrong with the filter
    ContentStack *m_stack;
    QSplitter *m_split;
    QTableView *m_table;
    BadgeView *m_badge;
    QLabel *m_where; ///< members that have the group
    QLabel *m_why;
    QPushButton *m_show;
    QTableView *m_keys;
    models::TimeFormat m_format;
};

} // namespace idemdesk::ui
