// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/history.h"

#include <QColor>
#include <QRectF>

class QPainter;

namespace idemdesk::ui {

/// A day as one quiet line over a faint ground, from the bottom of the place up to its highest value. Gaps are gaps.
/// The line ends at the last full hour; the one that is still filling is a hollow dot at the end of a dotted stub.
void paintSparkline(QPainter *painter, const QRectF &place, const sql::HistoryValues &day, const QColor &color);

} // namespace idemdesk::ui
