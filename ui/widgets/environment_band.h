// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/connection.h"

class QLabel;
class QWidget;

namespace idemdesk::ui {

/// The coloured line on top of a dialog that names the environment and the connection; null where it is not marked.
QLabel *environmentBand(sql::Environment environment, const QString &connection, QWidget *parent);

} // namespace idemdesk::ui
