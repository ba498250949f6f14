// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/rules_form.h"

#include "ui/dialogs/action_rule_row.h"
#include "ui/dialogs/time_rule_row.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"

#include <QComboBox>
#include <QPushButton>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

RulesForm::RulesForm(QWidget *parent)
    : QScrollArea(parent)
{
    setObjectName(u"rulesForm"_s);
    setAccessibleName(tr("The rules in fields"));
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    setWidget(new QWidget(this));
    partColumn(widget());
    addGroup(&m_stuck,
        { tr("When a key is stuck"), tr("How long a key may stay in a state before a person looks."),
            u"rulesAddStuck"_s, tr("Add a rule for stuck keys") },
        [this] { addTimeRule(&m_stuck, newTimeRule({ sql::KeyState::InProgress }, sql::Role::LeaseUntil)); });
    addGroup(&m_purge,
        { tr("When a key may be purged"),
            tr("When the row of a finished key may be deleted. Nothing is deleted by itself."), u"rulesAddPurge"_s,
            tr("Add a rule for purging") },
        [this] {
            addTimeRule(
                &m_purge, newTimeRule({ sql::KeyState::Succeeded, sql::KeyState::FailedFinal }, sql::Role::ExpiresAt));
        });
    addGroup(&m_recover,
        { tr("How stuck keys are freed"), tr("What Recovery makes of a stuck key, and which columns it sets."),
            u"rulesAddRecover"_s, tr("Add a way to free keys") },
        [this] {
            sql::ActionRule rule;
            rule.from = { sql::KeyState::InProgress };
            rule.to = sql::KeyState::FailedRetryable;
            addActionRule(rule);
        });
    static_cast<QVBoxLayout *>(widget()->layout())->addStretch(1);
}

void RulesForm::addGroup(Group *group, const GroupWords &words, const std::function<void()> &added)
{
    auto *column = static_cast<QVBoxLayout *>(widget()->layout());
    group->rows = new QVBoxLayout;
    group->rows->setSpacing(kGrid);
    auto *button = new QPushButton(themedIcon(u"plus"_s), words.add, widget());
    button->setObjectName(words.objectName);
    button->setAccessibleName(words.add);
    button->setAutoDefault(false);
    group->add = button;
    QLabel *title = strongLabel(words.title, widget());
    title->setContentsMargins(0, column->count() > 0 ? 2 * kGrid : 0, 0, 0);
    column->addWidget(title);
    column->addWidget(noteLabel(words.meaning, words.objectName + u"Meaning"_s, widget()));
    column->addLayout(group->rows);
    column->addWidget(button, 0, Qt::AlignLeft);
    connect(button, &QPushButton::clicked, this, [this, added] {
        added();
        orderTabs();
        emit edited();
    });
}

/// By the time that rules of this kind mostly go by; where the profile has none, the person names one.
sql::TimeRule RulesForm::newTimeRule(const QList<sql::KeyState> &states, sql::Role by) const
{
    sql::TimeRule rule;
    rule.states = states;
    rule.by = m_profile.roles.value(by);
    return rule;
}

void RulesForm::showRules(const sql::Profile &profile, const QStringList &columns)
{
    m_profile = profile;
    m_columns = columns;
    m_times.clear();
    for (auto role = profile.roles.cbegin(); role != profile.roles.cend(); ++role) {
        if (sql::isTimeRole(role.key()) && role->present()) {
            m_times += *role;
        }
    }
    for (Group *group : { &m_stuck, &m_purge, &m_recover }) {
        clear(group);
    }
    for (const sql::TimeRule &rule : profile.stale.value_or(QList<sql::TimeRule>())) {
        addTimeRule(&m_stuck, rule);
    }
    for (const sql::TimeRule &rule : profile.purge) {
        addTimeRule(&m_purge, rule);
    }
    for (const sql::ActionRule &rule : profile.recover) {
        addActionRule(rule);
    }
    orderTabs();
}

void RulesForm::orderTabs()
{
    QWidget *last = nullptr;
    const auto follow = [&last](QWidget *next) {
        if (last != nullptr) {
            setTabOrder(last, next);
        }
        last = next;
    };
    for (const Group *group : { &m_stuck, &m_purge, &m_recover }) {
        for (const QWidget *row : group->rules) {
            for (QWidget *field : row->findChildren<QWidget *>()) {
                // What drops down is a window of its own; a chooser that is typed into has one field inside.
                if ((field->focusPolicy() & Qt::TabFocus) != 0 && field->window() == window()
                    && qobject_cast<QComboBox *>(field->parent()) == nullptr) {
                    follow(field);
                }
            }
        }
        follow(group->add);
    }
}

void RulesForm::clear(Group *group)
{
    for (QWidget *row : std::as_const(group->rules)) {
        row->hide();
        row->deleteLater();
    }
    group->rules.clear();
}

void RulesForm::addTimeRule(Group *group, const sql::TimeRule &rule)
{
    auto *row = new TimeRuleRow(rule, m_times, widget());
    place(group, row);
    connect(row, &TimeRuleRow::edited, this, &RulesForm::edited);
    connect(row, &TimeRuleRow::removed, this, [this, group, row] { remove(group, row); });
}

void RulesForm::addActionRule(const sql::ActionRule &rule)
{
    QStringList effects;
    for (const sql::EffectSpec &effect : std::as_const(m_profile.effects)) {
        effects += effect.type;
    }
    auto *row = new ActionRuleRow(rule, m_columns, effects, widget());
    place(&m_recover, row);
    connect(row, &ActionRuleRow::edited, this, &RulesForm::edited);
    connect(row, &ActionRuleRow::removed, this, [this, row] { remove(&m_recover, row); });
}

void RulesForm::place(Group *group, QWidget *row)
{
    row->setObjectName(u"rule"_s);
    group->rows->addWidget(row);
    group->rules += row;
    row->show();
}

void RulesForm::remove(Group *group, QWidget *row)
{
    group->rules.removeAll(row);
    row->hide();
    row->deleteLater(); // it holds the button that was pressed
    emit edited();
}

sql::Profile RulesForm::applied(sql::Profile profile) const
{
    QList<sql::TimeRule> stuck;
    for (const QWidget *row : m_stuck.rules) {
        stuck += static_cast<const TimeRuleRow *>(row)->rule();
    }
    // No rule says nothing about who is stuck; an empty list would say that nobody ever is.
    profile.stale = stuck.isEmpty() ? std::nullopt : std::optional(stuck);
    profile.purge.clear();
    for (const QWidget *row : m_purge.rules) {
        profile.purge += static_cast<const TimeRuleRow *>(row)->rule();
    }
    profile.recover.clear();
    for (const QWidget *row : m_recover.rules) {
        profile.recover += static_cast<const ActionRuleRow *>(row)->rule();
    }
    return profile;
}

} // namespace idemdesk::ui
