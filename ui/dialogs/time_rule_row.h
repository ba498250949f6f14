// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/profile.h"

#include <QWidget>

class QComboBox;
class QLineEdit;

namespace idemdesk::ui {

class StatesButton;

/// One rule by time as a row of fields: which states, past which time, after how long. What the fields cannot say of a
/// rule is kept as it is, and named beneath.
class TimeRuleRow final : public QWidget
{
    Q_OBJECT

public:
    /// times: what it may go by.
    TimeRuleRow(const sql::TimeRule &rule, const QList<sql::Expression> &times, QWidget *parent);

    sql::TimeRule rule() const;

signals:
    void edited();
    void removed();

private:
    sql::TimeRule m_rule; ///< as it was given
    QList<sql::Expression> m_times;
    StatesButton *m_states;
    QComboBox *m_by;
    QLineEdit *m_after;
};

} // namespace idemdesk::ui
