// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/delegates/plan_delegate.h"

#include "models/table/item_role.h"

namespace idemdesk::ui {

PlanDelegate::PlanDelegate(QObject *parent)
    : CellDelegate(parent)
    , m_class(new ClassDelegate(this))
    , m_state(new StateDelegate(this))
{
}

const CellDelegate *PlanDelegate::of(const QModelIndex &index) const
{
    if (index.data(models::ClassRole).isValid()) {
        return m_class;
    }
    return index.data(models::StateRole).isValid() ? m_state : nullptr;
}

void PlanDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    if (const CellDelegate *delegate = of(index)) {
        delegate->paint(painter, option, index);
    } else {
        CellDelegate::paint(painter, option, index);
    }
}

QSize PlanDelegate::sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    return m_state->sizeHint(option, index); // of the badge, which is the widest
}

} // namespace idemdesk::ui
