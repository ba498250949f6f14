// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/time_rule_row.h"

#include "models/format/display_text.h"
#include "ui/dialogs/states_button.h"
#include "ui/widgets/icon_button.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"

#include <QComboBox>
#include <QLineEdit>
#include <QToolButton>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

constexpr int kAfterChars = 8;

/// What no field shows, as the profile has it.
QString restOf(const sql::TimeRule &rule)
{
    QStringList rest;
    if (!rule.status.isEmpty()) {
        rest += u"status: "_s + rule.status.join(u", "_s);
    }
    if (!rule.by.plus.isEmpty()) {
        rest += u"plus: "_s + rule.by.plus;
    }
    for (const QString &when : { rule.by.when, rule.when }) {
        if (!when.isEmpty()) {
            rest += u"when: "_s + when;
        }
    }
    return models::displayText(rest.join(u" · "_s), 200);
}

} // namespace

TimeRuleRow::TimeRuleRow(const sql::TimeRule &rule, const QList<sql::Expression> &times, QWidget *parent)
    : QWidget(parent)
    , m_rule(rule)
    , m_times(times)
    , m_states(new StatesButton(u"ruleStates"_s, tr("States that the rule is about"), this))
    , m_by(new QComboBox(this))
    , m_after(new QLineEdit(rule.after, this))
{
    m_states->setStates(rule.states);
    m_by->setObjectName(u"ruleBy"_s);
    m_by->setAccessibleName(tr("Time that the rule goes by"));
    m_by->setEditable(true);
    for (const sql::Expression &time : times) {
        m_by->addItem(time.sql);
    }
    m_by->setCurrentIndex(-1);
    m_by->setEditText(rule.by.sql);
    m_by->lineEdit()->setObjectName(u"ruleByEdit"_s);
    m_by->lineEdit()->setAccessibleName(m_by->accessibleName());
    m_by->lineEdit()->setCursorPosition(0);
    m_after->setObjectName(u"ruleAfter"_s);
    m_after->setAccessibleName(tr("How long after it"));
    m_after->setPlaceholderText(tr("e.g. 15m"));
    m_after->setMinimumWidth(m_after->fontMetrics().averageCharWidth() * kAfterChars);
    auto *remove = iconButton(u"ruleRemove"_s, u"cancel"_s, tr("Remove this rule"), this);
    auto *fields = barRow({ m_states });
    fields->addWidget(plainLabel(tr("past"), this));
    fields->addWidget(m_by, 3);
    fields->addWidget(plainLabel(tr("for"), this));
    fields->addWidget(m_after, 1);
    fields->addWidget(remove);
    auto *layout = partColumn(this);
    layout->setSpacing(0);
    layout->addLayout(fields);
    if (const QString rest = restOf(rule); !rest.isEmpty()) {
        QLabel *note = noteLabel({}, u"ruleRest"_s, this);
        note->setText(tr("Kept as it is: %1").arg(rest));
        layout->addWidget(note);
    }
    connect(m_states, &StatesButton::changed, this, &TimeRuleRow::edited);
    connect(m_by, &QComboBox::editTextChanged, this, &TimeRuleRow::edited);
    connect(m_after, &QLineEdit::textChanged, this, &TimeRuleRow::edited);
    connect(remove, &QToolButton::clicked, this, &TimeRuleRow::removed);
}

sql::TimeRule TimeRuleRow::rule() const
{
    sql::TimeRule rule = m_rule;
    rule.states = m_states->states();
    rule.after = m_after->text().trimmed();
    if (const QString by = m_by->currentText().trimmed(); by != m_rule.by.sql) {
        // A time that the profile knows keeps the form that its column is in.
        const auto known = std::find_if(
            m_times.cbegin(), m_times.cend(), [&by](const sql::Expression &time) { return time.sql == by; });
        rule.by = known != m_times.cend() ? *known : sql::Expression { by };
    }
    return rule;
}

} // namespace idemdesk::ui
