// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/delegates/class_delegate.h"

namespace idemdesk::ui {

/// A cell that holds a class (ClassRole) or a state (StateRole) as a badge; where it holds neither, its text.
class PlanDelegate final : public CellDelegate
{
    Q_OBJECT

public:
    explicit PlanDelegate(QObject *parent);
    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override;
    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override;

private:
    const CellDelegate *of(const QModelIndex &index) const; ///< null: the text

    ClassDelegate *m_class;
    StateDelegate *m_state;
};

} // namespace idemdesk::ui
