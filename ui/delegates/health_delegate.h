// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/health.h"
#include "ui/delegates/state_delegate.h"

namespace idemdesk::ui {

/// Paints a finding's verdict as a badge: shape, text and colour together. Reads an int of sql::HealthLevel from
/// LevelRole.
class HealthDelegate final : public CellDelegate
{
    Q_OBJECT

public:
    using CellDelegate::CellDelegate;
    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override;
};

Badge healthBadge(sql::HealthLevel level, const QString &text);
/// The same of a finding: a suggestion warns of nothing, so it is neutral.
Badge findingBadge(sql::HealthLevel level, const QString &text);

} // namespace idemdesk::ui
