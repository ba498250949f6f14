// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/profile.h"

#include <QToolButton>

namespace idemdesk::ui {

/// Several states, chosen in a menu; the button says which.
class StatesButton final : public QToolButton
{
    Q_OBJECT

public:
    StatesButton(const QString &objectName, const QString &accessibleName, QWidget *parent);

    void setStates(const QList<sql::KeyState> &states);
    QList<sql::KeyState> states() const { return m_states; } ///< in the order they were given, then as they were added

signals:
    void changed();

private:
    void showStates();

    QList<sql::KeyState> m_states;
};

} // namespace idemdesk::ui
