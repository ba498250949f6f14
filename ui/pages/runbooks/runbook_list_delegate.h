// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>

namespace idemdesk::ui {

/// A runbook's title; at the edge, where alerts that lead to it fire: ▲ and how many alerts, in the danger colour; else
/// where answers that were read need a person, ▲ and how many answers; ✓ where none does; else that it was not read.
/// Reads the ints of FiringRole and AnswersRole (no int: not read); the item's own text is the title, and its
/// accessible text says the rest.
class RunbookListDelegate final : public QStyledItemDelegate
{
    Q_OBJECT

public:
    enum Role { FiringRole = Qt::UserRole + 1, AnswersRole };

    using QStyledItemDelegate::QStyledItemDelegate;
    static QString markOf(const QModelIndex &index); ///< what stands at the edge
    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override;
};

} // namespace idemdesk::ui
