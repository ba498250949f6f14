// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/states_button.h"

#include "models/format/labels.h"

#include <QMenu>
#include <QSignalBlocker>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

StatesButton::StatesButton(const QString &objectName, const QString &accessibleName, QWidget *parent)
    : QToolButton(parent)
{
    setObjectName(objectName);
    setAccessibleName(accessibleName);
    setFocusPolicy(Qt::StrongFocus);
    setPopupMode(QToolButton::InstantPopup);
    auto *menu = new QMenu(this);
    for (const sql::KeyState state : sql::kAllStates) {
        QAction *action = menu->addAction(models::stateLabel(state));
        action->setCheckable(true);
        action->setData(int(state));
        connect(action, &QAction::toggled, this, [this, state](bool wanted) {
            m_states.removeAll(state);
            if (wanted) {
                m_states.append(state);
            }
            showStates();
            emit changed();
        });
    }
    setMenu(menu);
    showStates();
}

void StatesButton::setStates(const QList<sql::KeyState> &states)
{
    m_states = states;
    for (QAction *action : menu()->actions()) {
        const QSignalBlocker blocker(action);
        action->setChecked(states.contains(static_cast<sql::KeyState>(action->data().toInt())));
    }
    showStates();
}

void StatesButton::showStates()
{
    QStringList labels;
    for (const sql::KeyState state : std::as_const(m_states)) {
        labels += models::stateLabel(state);
    }
    setText(labels.isEmpty() ? tr("Any state") : labels.join(u", "_s));
    setAccessibleDescription(text());
}

} // namespace idemdesk::ui
