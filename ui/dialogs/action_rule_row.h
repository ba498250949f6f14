// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/profile.h"

#include <QWidget>

class QComboBox;
class QLineEdit;
class QToolButton;
class QVBoxLayout;

namespace idemdesk::ui {

class StatesButton;

/// One rule of an action as fields: from which states, to which, what is set, and the effect that it needs. What the
/// fields cannot say of a rule is kept as it is, and named beneath.
class ActionRuleRow final : public QWidget
{
    Q_OBJECT

public:
    /// effects: the types that the profile can prove.
    ActionRuleRow(const sql::ActionRule &rule, const QStringList &columns, const QStringList &effects, QWidget *parent);

    sql::ActionRule rule() const;

signals:
    void edited();
    void removed();

private:
    void addSet(const QString &column, const QString &value);
    void sync();

    struct Set {
        QWidget *row;
        QComboBox *column;
        QLineEdit *value;
    };
    sql::ActionRule m_rule; ///< as it was given
    QStringList m_columns;
    StatesButton *m_from;
    QComboBox *m_to;
    QComboBox *m_effect;
    QToolButton *m_add;
    QVBoxLayout *m_setRows;
    QList<Set> m_sets;
};

} // namespace idemdesk::ui
