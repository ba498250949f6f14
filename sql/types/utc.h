// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>
#include <QTimeZone>

namespace idemdesk::sql {

/// What QDateTime's constructors take for UTC. From Qt 6.5 on they want a zone; a Qt::TimeSpec is deprecated. Before,
/// only the time spec was UTC itself: QTimeZone::utc() made a named zone, which ISO dates show as "+00:00", not "Z".
#if QT_VERSION >= QT_VERSION_CHECK(6, 5, 0)
inline constexpr QTimeZone::Initialization kUtc = QTimeZone::UTC;
#else
inline constexpr Qt::TimeSpec kUtc = Qt::UTC;
#endif

} // namespace idemdesk::sql
