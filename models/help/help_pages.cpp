// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/help/help_pages.h"

#include <QFile>

using namespace Qt::StringLiterals;

// Q_INIT_RESOURCE must stand outside of namespaces.
static void keepHelpResources()
{
    Q_INIT_RESOURCE(help_pages);
}

namespace idemdesk::models {

QString safetyPage()
{
    keepHelpResources();
    QFile file(u":/idemdesk/help/safety.md"_s);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

} // namespace idemdesk::models
