// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/profile.h"

#include <QScrollArea>
#include <functional>

class QVBoxLayout;

namespace idemdesk::ui {

/// The rules of a profile as rows of fields: when a key is stuck, what may be purged, how stuck keys are freed. What
/// these rows do not show stays as the profile has it.
class RulesForm final : public QScrollArea
{
    Q_OBJECT

public:
    explicit RulesForm(QWidget *parent = nullptr);

    /// columns: of the table, which an action may set.
    void showRules(const sql::Profile &profile, const QStringList &columns);
    sql::Profile applied(sql::Profile profile) const; ///< with the rules as they stand here

signals:
    void edited();

private:
    struct Group {
        QVBoxLayout *rows = nullptr;
        QList<QWidget *> rules; ///< TimeRuleRow, or ActionRuleRow
        QWidget *add = nullptr; ///< the button beneath
    };
    /// What stands around a group of rules.
    struct GroupWords {
        QString title;
        QString meaning; ///< what its rules do, in a sentence
        QString objectName; ///< of the button that adds a rule
        QString add; ///< on that button
    };
    void addGroup(Group *group, const GroupWords &words, const std::function<void()> &added);
    void addTimeRule(Group *group, const sql::TimeRule &rule);
    void addActionRule(const sql::ActionRule &rule);
    void place(Group *group, QWidget *row);
    void remove(Group *group, QWidget *row);
    static void clear(Group *group);
    void orderTabs(); ///< as the rows stand
    sql::TimeRule newTimeRule(const QList<sql::KeyState> &states, sql::Role by) const;

    Group m_stuck;
    Group m_purge;
    Group m_recover;
    sql::Profile m_profile; ///< as it was shown
    QList<sql::Expression> m_times;
    QStringList m_columns;
};

} // namespace idemdesk::ui
