// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDateTimeEdit>
#include <QTimeZone>

namespace idemdesk::ui {

/// Lets an edit take any time of day: on this computer's own clock an hour is missing in spring. (Qt 6.7 took the call
/// with a time spec back.)
inline void showInUtc(QDateTimeEdit *edit)
{
#if QT_VERSION >= QT_VERSION_CHECK(6, 7, 0)
    edit->setTimeZone(QTimeZone::UTC);
#else
    edit->setTimeSpec(Qt::UTC);
#endif
}

} // namespace idemdesk::ui
