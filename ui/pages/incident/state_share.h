// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/overview/overview_model.h"

#include <QIcon>
#include <QWidget>

class QPainter;

namespace idemdesk::ui {

/// A part of the bar of states: its colour and a pattern of its own, so that no two parts are told apart by the colour
/// alone. Success is the quiet ground: what needs a look stands out from it.
void paintShare(QPainter *painter, const QRectF &place, const std::optional<sql::KeyState> &state);
/// The same as a small square.
QIcon shareIcon(const std::optional<sql::KeyState> &state, qreal ratio);
QSize shareIconSize(); ///< with the room before its text

/// What the parts of the bars stand for, once for all tables: each state that occurs, in as many lines as it takes.
class StateLegend final : public QWidget
{
    Q_OBJECT

public:
    explicit StateLegend(QWidget *parent);
    void setShares(const QList<models::StateShare> &shares); ///< one of each state is shown
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    struct Item {
        std::optional<sql::KeyState> state;
        QString text;
        friend bool operator==(const Item &, const Item &) = default;
    };
    QList<QRect> places(int width) const;

    QList<Item> m_items;
};

} // namespace idemdesk::ui
