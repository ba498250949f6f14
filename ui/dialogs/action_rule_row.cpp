// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/action_rule_row.h"

#include "models/format/display_text.h"
#include "models/format/labels.h"
#include "ui/dialogs/states_button.h"
#include "ui/theme/theme.h"
#include "ui/widgets/icon_button.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"

#include <QComboBox>
#include <QLineEdit>
#include <QToolButton>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

constexpr int kDeleted = -1; // instead of a state: the row goes

QString restOf(const sql::ActionRule &rule)
{
    QStringList rest;
    if (!rule.status.isEmpty()) {
        rest += u"status: "_s + rule.status.join(u", "_s);
    }
    if (!rule.forbidsEffect.isEmpty()) {
        rest += u"forbids_effect: "_s + rule.forbidsEffect;
    }
    if (rule.live) {
        rest += u"live"_s;
    }
    if (rule.second) {
        rest += u"second: "_s + rule.second->relation;
    }
    return models::displayText(rest.join(u" · "_s), 200);
}

} // namespace

ActionRuleRow::ActionRuleRow(
    const sql::ActionRule &rule, const QStringList &columns, const QStringList &effects, QWidget *parent)
    : QWidget(parent)
    , m_rule(rule)
    , m_columns(columns)
    , m_from(new StatesButton(u"ruleFrom"_s, tr("States that it takes keys from"), this))
    , m_to(new QComboBox(this))
    , m_effect(new QComboBox(this))
    , m_add(iconButton(u"ruleSetAdd"_s, u"plus"_s, tr("Set a further column"), this))
    , m_setRows(new QVBoxLayout)
{
    m_from->setStates(rule.from);
    m_to->setObjectName(u"ruleTo"_s);
    m_to->setAccessibleName(tr("State that the key has then"));
    for (const sql::KeyState state : sql::kAllStates) {
        m_to->addItem(models::stateLabel(state), int(state));
    }
    m_to->addItem(tr("No row: it is deleted"), kDeleted);
    m_to->setCurrentIndex(m_to->findData(rule.to ? int(*rule.to) : kDeleted));
    m_effect->setObjectName(u"ruleEffect"_s);
    m_effect->setAccessibleName(tr("Effect that must be found"));
    m_effect->addItem(tr("no effect needed"), QString());
    QStringList types = effects;
    if (!rule.needsEffect.isEmpty() && !types.contains(rule.needsEffect)) {
        types += rule.needsEffect;
    }
    for (const QString &type : std::as_const(types)) {
        m_effect->addItem(tr("needs %1", "an effect").arg(models::displayText(type, 60)), type);
    }
    m_effect->setCurrentIndex(m_effect->findData(rule.needsEffect));
    auto *remove = iconButton(u"ruleRemove"_s, u"cancel"_s, tr("Remove this rule"), this);
    auto *fields = barRow({ m_from });
    fields->addWidget(plainLabel(tr("to"), this));
    fields->addWidget(m_to);
    fields->addWidget(m_effect);
    fields->addStretch(1);
    fields->addWidget(m_add);
    fields->addWidget(remove);
    m_setRows->setContentsMargins(4 * kGrid, 0, 0, 0);
    m_setRows->setSpacing(kGrid);
    auto *layout = partColumn(this);
    layout->setSpacing(kGrid);
    layout->addLayout(fields);
    layout->addLayout(m_setRows);
    if (const QString rest = restOf(rule); !rest.isEmpty()) {
        QLabel *note = noteLabel({}, u"ruleRest"_s, this);
        note->setText(tr("Kept as it is: %1").arg(rest));
        layout->addWidget(note);
    }
    for (const auto &[column, value] : rule.set) {
        addSet(column, value);
    }
    connect(m_from, &StatesButton::changed, this, &ActionRuleRow::edited);
    connect(m_to, &QComboBox::currentIndexChanged, this, &ActionRuleRow::sync);
    connect(m_to, &QComboBox::currentIndexChanged, this, &ActionRuleRow::edited);
    connect(m_effect, &QComboBox::currentIndexChanged, this, &ActionRuleRow::edited);
    connect(m_add, &QToolButton::clicked, this, [this] {
        addSet({}, {});
        m_sets.constLast().column->setFocus(Qt::OtherFocusReason);
        emit edited();
    });
    connect(remove, &QToolButton::clicked, this, &ActionRuleRow::removed);
    sync();
}

void ActionRuleRow::addSet(const QString &column, const QString &value)
{
    auto *row = new QWidget(this);
    Set set { row, new QComboBox(row), new QLineEdit(value, row) };
    set.column->setObjectName(u"ruleColumn"_s);
    set.column->setAccessibleName(tr("Column that is set"));
    set.column->setEditable(true);
    set.column->addItems(m_columns);
    set.column->setCurrentIndex(-1);
    set.column->setEditText(column);
    set.column->lineEdit()->setObjectName(u"ruleColumnEdit"_s);
    set.column->lineEdit()->setAccessibleName(set.column->accessibleName());
    set.value->setObjectName(u"ruleValue"_s);
    set.value->setAccessibleName(tr("Expression that it is set to"));
    set.value->setPlaceholderText(tr("e.g. NULL"));
    set.value->setCursorPosition(0);
    auto *remove = iconButton(u"ruleSetRemove"_s, u"cancel"_s, tr("Do not set this column"), row);
    auto *fields = barRow({}, row);
    fields->addWidget(plainLabel(tr("sets"), row));
    fields->addWidget(set.column, 1);
    fields->addWidget(plainLabel(u"="_s, row));
    fields->addWidget(set.value, 2);
    fields->addWidget(remove);
    m_setRows->addWidget(row);
    m_sets.append(set);
    connect(set.column, &QComboBox::editTextChanged, this, &ActionRuleRow::edited);
    connect(set.value, &QLineEdit::textChanged, this, &ActionRuleRow::edited);
    connect(remove, &QToolButton::clicked, this, [this, row] {
        m_sets.removeIf([row](const Set &each) { return each.row == row; });
        row->hide();
        row->deleteLater(); // it holds the button that was pressed
        emit edited();
    });
}

/// A row that is deleted has nothing to be set.
void ActionRuleRow::sync()
{
    const bool deletes = m_to->currentData().toInt() == kDeleted;
    m_add->setVisible(!deletes);
    for (const Set &set : std::as_const(m_sets)) {
        set.row->setVisible(!deletes);
    }
}

sql::ActionRule ActionRuleRow::rule() const
{
    sql::ActionRule rule = m_rule;
    rule.from = m_from->states();
    const int to = m_to->currentData().toInt();
    rule.deletes = to == kDeleted;
    rule.to = rule.deletes ? std::nullopt : std::optional(static_cast<sql::KeyState>(to));
    rule.second = rule.deletes ? std::nullopt : rule.second; // the lock goes with a row that is changed, not deleted
    rule.needsEffect = m_effect->currentData().toString();
    rule.set.clear();
    for (const Set &set : m_sets) {
        if (!rule.deletes) {
            rule.set.append({ set.column->currentText().trimmed(), set.value->text().trimmed() });
        }
    }
    return rule;
}

} // namespace idemdesk::ui
