// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/triage/triage_model.h"
#include "ui/delegates/state_delegate.h"

namespace idemdesk::ui {

/// The class of a stuck key as a badge, in the shape of what it leads to: a tick, an arrow back, a cross, a question.
/// Reads an int of models::TriageClass from ClassRole.
class ClassDelegate final : public CellDelegate
{
    Q_OBJECT

public:
    using CellDelegate::CellDelegate;
    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override;
};

Badge classBadge(models::TriageClass cls);
Badge groupBadge(models::TriageGroup group); ///< of a heading over such keys

} // namespace idemdesk::ui
