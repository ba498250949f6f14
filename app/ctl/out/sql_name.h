// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace idemdesk::app {

/// The name as a person writes it: without the quotes that SQL does not need. It can be pasted all the same.
QString unquotedName(const QString &sqlName);

} // namespace idemdesk::app
