// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/profile.h"
#include "ui/delegates/cell_delegate.h"
#include "ui/theme/tokens.h"

#include <optional>

namespace idemdesk::ui {

/// What a state badge shows, read from the item's data.
struct Badge {
    QString text;
    sql::KeyState state = sql::KeyState::Unknown;
    bool stale = false;
    bool expired = false;
    std::optional<Token> tone = {}; ///< its colour where that is not the state's, whose shape it keeps

    Token token() const { return tone.value_or(tokenOf(state, stale)); }
};

/// Paints a state as a badge: shape, text and colour together, so that none of them carries the meaning alone. Reads
/// the KeyTableModel's StateRole, StaleRole and ExpiredRole; the item's own text stays what is copied and read aloud.
class StateDelegate final : public CellDelegate
{
    Q_OBJECT

public:
    using CellDelegate::CellDelegate;
    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override;
    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override;
};

/// Draws the badge left-aligned and vertically centred in rect; the text is elided where it does not fit.
void paintBadge(QPainter *painter, const QRect &rect, const Badge &badge, const QFont &font, const QColor &background);
/// Its sign alone, in its colour.
void paintBadgeSign(QPainter *painter, const QRectF &box, const Badge &badge);
int badgeWidth(const Badge &badge, const QFont &font);
/// Where a badge stands in its cell: it begins where the column's heading and the texts of other cells begin.
QRect badgeRoom(const QRect &cell);

} // namespace idemdesk::ui
