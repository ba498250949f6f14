// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/connection.h"

class QColor;
class QLabel;
class QWidget;

namespace idemdesk::ui {

QString notMarkedText(); ///< of an environment that nobody said
QColor notMarkedGround();
/// The coloured line on top of a dialog that names the environment and the connection. One that nobody marked says so:
/// it may be production. Null where nothing is known of it.
QLabel *environmentBand(sql::Environment environment, const QString &connection, QWidget *parent);

} // namespace idemdesk::ui
