// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/delegates/health_delegate.h"

#include "models/table/item_role.h"
#include "ui/theme/theme.h"

#include <QApplication>
#include <QPainter>

namespace idemdesk::ui {

Badge healthBadge(sql::HealthLevel level, const QString &text)
{
    // The shapes of states mean the same here: a cross, a triangle, a question mark, a tick.
    Badge badge;
    badge.text = text;
    switch (level) {
    case sql::HealthLevel::Problem:
        badge.state = sql::KeyState::FailedFinal;
        break;
    case sql::HealthLevel::Advice:
        badge.stale = true;
        break;
    case sql::HealthLevel::Unknown:
        badge.state = sql::KeyState::Unknown;
        break;
    case sql::HealthLevel::Nothing:
        badge.state = sql::KeyState::Pending;
        break;
    case sql::HealthLevel::Good:
        badge.state = sql::KeyState::Succeeded;
        break;
    }
    return badge;
}

Badge findingBadge(sql::HealthLevel level, const QString &text)
{
    Badge badge = healthBadge(level, text);
    if (level == sql::HealthLevel::Advice) {
        badge.stale = false;
        badge.state = sql::KeyState::Pending; // its circle
        badge.tone = Token::InProgress;
    }
    return badge;
}

void HealthDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    QStyleOptionViewItem cell = option;
    initStyleOption(&cell, index);
    const Badge badge = healthBadge(static_cast<sql::HealthLevel>(index.data(models::LevelRole).toInt()), cell.text);
    cell.text.clear();
    (cell.widget != nullptr ? cell.widget->style() : QApplication::style())
        ->drawControl(QStyle::CE_ItemViewItem, &cell, painter, cell.widget);
    paintBadge(painter, badgeRoom(option.rect), badge, option.font, themeColor(Token::Base));
}

} // namespace idemdesk::ui
