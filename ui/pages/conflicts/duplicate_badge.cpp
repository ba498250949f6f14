// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/conflicts/duplicate_badge.h"

#include "models/table/item_role.h"

#include <QModelIndex>

namespace idemdesk::ui {

Badge duplicateBadge(models::DuplicateVerdict verdict)
{
    Badge badge;
    switch (verdict) {
    case models::DuplicateVerdict::Twice:
        badge.state = sql::KeyState::FailedFinal;
        badge.stale = true; // the triangle of what needs somebody
        badge.tone = Token::Danger;
        break;
    case models::DuplicateVerdict::Suspected:
        badge.state = sql::KeyState::Unknown;
        break;
    case models::DuplicateVerdict::Once:
        badge.state = sql::KeyState::Succeeded;
        break;
    case models::DuplicateVerdict::NotDone:
        badge.state = sql::KeyState::Pending;
        break;
    }
    return badge;
}

Badge duplicateCellBadge(const QModelIndex &index)
{
    return duplicateBadge(static_cast<models::DuplicateVerdict>(index.data(models::KindRole).toInt()));
}

} // namespace idemdesk::ui
