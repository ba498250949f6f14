// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/delegates/class_delegate.h"

#include "models/actions/action_words.h"
#include "models/table/item_role.h"
#include "ui/theme/theme.h"

#include <QApplication>
#include <QPainter>

namespace idemdesk::ui {

Badge classBadge(models::TriageClass cls)
{
    Badge badge;
    badge.text = models::triageClassLabel(cls);
    switch (cls) {
    case models::TriageClass::SafeToRetry:
        badge.state = sql::KeyState::FailedRetryable;
        badge.tone = Token::Accent; // what may be pressed; orange beside the amber of a stuck key reads as a warning
        break;
    case models::TriageClass::EffectHappened:
        badge.state = sql::KeyState::Succeeded;
        break;
    case models::TriageClass::Abandoned:
        badge.state = sql::KeyState::FailedFinal;
        break;
    case models::TriageClass::Running:
        badge.state = sql::KeyState::InProgress;
        badge.tone = Token::Pending; // nobody acts on it
        break;
    case models::TriageClass::NeedsReview:
        badge.state = sql::KeyState::Unknown;
        break;
    }
    return badge;
}

Badge groupBadge(models::TriageGroup group)
{
    switch (group) {
    case models::TriageGroup::SafeToRetry:
        return classBadge(models::TriageClass::SafeToRetry);
    case models::TriageGroup::EffectHappened:
        return classBadge(models::TriageClass::EffectHappened);
    case models::TriageGroup::Abandoned:
        return classBadge(models::TriageClass::Abandoned);
    case models::TriageGroup::Running:
        return classBadge(models::TriageClass::Running);
    case models::TriageGroup::NeedsReview:
        return classBadge(models::TriageClass::NeedsReview);
    case models::TriageGroup::TooFresh:
        break;
    }
    Badge badge;
    badge.text = models::triageGroupLabel(group);
    badge.state = sql::KeyState::Pending; // hollow and grey: it is not yet the time
    badge.tone = Token::Pending;
    return badge;
}

void ClassDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    QStyleOptionViewItem cell = option;
    initStyleOption(&cell, index);
    cell.text.clear();
    (cell.widget != nullptr ? cell.widget->style() : QApplication::style())
        ->drawControl(QStyle::CE_ItemViewItem, &cell, painter, cell.widget);
    const auto cls = static_cast<models::TriageClass>(index.data(models::ClassRole).toInt());
    paintBadge(painter, badgeRoom(option.rect), classBadge(cls), option.font, themeColor(Token::Base));
}

} // namespace idemdesk::ui
