// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/delegates/cell_delegate.h"

namespace idemdesk::ui {

/// A cell of two lines: what it is (TitleRole, else its text), and muted beneath where it belongs (DetailRole). A key
/// is monospace and cut in its middle, because both ends tell such values apart. A sentence that is longer than its
/// line goes on in the next one; what stood beneath comes behind it where there is room.
class TwoLineDelegate final : public CellDelegate
{
    Q_OBJECT

public:
    enum class First { Text, Key, Sentence };

    TwoLineDelegate(First first, QObject *parent);
    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override;
    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override;

private:
    First m_first;
};

} // namespace idemdesk::ui
