// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/theme/console_style.h"

#include <QColor>
#include <QStyleOption>

class QPainter;

namespace idemdesk::ui {

// The shapes of the console's style. All of them leave the painter as it was; colours are those of the theme in force.

/// A rounded area with a border of one pixel, inside of rect; an invalid colour draws no border or no ground.
void drawPanel(QPainter *painter, const QRect &rect, const QColor &ground, const QColor &border, int radius);
/// Two pixels in the accent: where the keyboard is.
void drawFocusRing(QPainter *painter, const QRect &rect, int radius);
void drawButton(QPainter *painter, const QStyleOption &option, ButtonLook look);
/// Text of a button with this look.
QColor buttonText(const QStyleOption &option, ButtonLook look);
void drawFlatButton(QPainter *painter, const QStyleOption &option); ///< tool buttons: only what is touched or on
void drawField(QPainter *painter, const QStyleOption &option);
void drawCheckBox(QPainter *painter, const QStyleOption &option);
void drawRadio(QPainter *painter, const QStyleOption &option);
void drawChevron(QPainter *painter, const QRect &rect, Qt::ArrowType direction, const QColor &color);
void drawTab(QPainter *painter, const QStyleOptionTab &option);
void drawHeaderSection(QPainter *painter, const QStyleOptionHeader &option);
void drawProgress(QPainter *painter, const QStyleOptionProgressBar &option);
void drawScrollBar(QPainter *painter, const QStyleOptionSlider &option, const QRect &slider);

} // namespace idemdesk::ui
