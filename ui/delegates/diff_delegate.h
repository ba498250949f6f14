// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/delegates/record_delegate.h"

namespace idemdesk::ui {

/// Cells of a comparison: tinted by what happened to the line, with the characters that differ marked inside values.
/// Colour is never alone: the tree says it in words and signs, and the line numbers of the texts carry a sign. Texts
/// are readable on every mark.
class DiffDelegate final : public CompactDelegate
{
    Q_OBJECT

public:
    /// The columns of the two values and, where there are any, of their line numbers and of what differs in words.
    struct Columns {
        int first = -1;
        int second = -1;
        int firstLine = -1;
        int secondLine = -1;
        int difference = -1;
    };

    DiffDelegate(const Columns &columns, QObject *parent);
    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override;

protected:
    void initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const override;

private:
    Columns m_columns;
};

} // namespace idemdesk::ui
