// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/format/time_format.h"
#include "ui/pages/page.h"

#include <array>

class QTabWidget;

namespace idemdesk::models {
class GroupDesk;
class GroupSession;
class Settings;
} // namespace idemdesk::models

namespace idemdesk::ui {

class DifferencesView;
class GroupActionView;
class GroupDuplicatesView;
class GroupKeysView;
class GroupTrendsView;
class MembersView;
class NoticeBar;
class ReplicationView;

/// The group that the window belongs to: its members beside each other, their keys in one list, their numbers over
/// time, and between regions what differs and how replication stands. It is offered only while there is a group, and is
/// named by its kind.
class RegionsPage final : public Page
{
    Q_OBJECT

public:
    /// journalPath: where asked actions are noted; empty: nowhere.
    RegionsPage(
        models::GroupDesk *desk, models::Settings *settings, const QString &journalPath, QWidget *parent = nullptr);

    static Face ownFace(); ///< known before there is one
    static QString titleFor(const models::GroupSession *session); ///< by its kind; null: as the face has it
    /// How far an undo in one member reaches; empty where it stays there, as for null.
    static QString undoNote(const models::GroupSession *session);
    int heightForWidth(int width) const override;
    void activate() override;
    void refresh() override;
    void refreshByItself() override; ///< the overview alone: a list that is read stays where it is
    void setTimeFormat(const models::TimeFormat &format) override;
    void showTab(
        const QString &name); ///< "members", "keys", "trends", "act", "duplicates", "differences", "replication"
    QList<std::pair<QString, QString>> tabs() const; ///< what showTab() takes, and each one's title
    /// Compares it now in two members; nothing for shards. What is compared already goes on.
    void showDifferences(const QString &target, const QString &filter, const std::array<int, 2> &members);
    bool aligning() const; ///< keys are being aligned: the group must stay
    bool acting() const; ///< an action over its members runs: the same
    GroupActionView *actionView() const { return m_act; } ///< null without a group
    void say(const QString &what, const QString &why); ///< why a member could not be shown

signals:
    void acted(int member, const QString &target); ///< an action has ended there: rows of this table changed
    void troubled(int ways); ///< of replication that do not work, as far as is known
    void memberWanted(int member); ///< connect the window to it
    void memberActionWanted(int member, const QString &action); ///< and show it in the audit log there
    void memberUndoWanted(int member, const QString &action); ///< and ask whether it is to be undone
    void memberKeysWanted(int member, const QString &target, const QString &filter); ///< and show these keys there

private:
    void fitTabs();
    void rebuild();
    void buildViews();
    void addViews();
    void onReplication();
    QList<std::pair<QString, QWidget *>> views() const; ///< null: not in this group

    models::GroupDesk *m_desk;
    models::Settings *m_settings;
    const QString m_journalPath;
    models::TimeFormat m_format;
    QWidget *m_content = nullptr; ///< of the group; a new one for each
    NoticeBar *m_notice = nullptr;
    QTabWidget *m_tabs = nullptr;
    MembersView *m_members = nullptr;
    GroupKeysView *m_keys = nullptr;
    GroupTrendsView *m_trends = nullptr;
    GroupActionView *m_act = nullptr;
    GroupDuplicatesView *m_duplicates = nullptr;
    DifferencesView *m_differences = nullptr; ///< where the members hold the same keys; else null
    ReplicationView *m_replication = nullptr; ///< the same
};

} // namespace idemdesk::ui
