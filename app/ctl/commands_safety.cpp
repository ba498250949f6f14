// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/context.h"
#include "models/help/help_pages.h"

using namespace Qt::StringLiterals;

namespace idemdesk::app {

Exit runSafety(const QStringList &arguments)
{
    Context context(u"safety"_s);
    if (const auto exit = context.parse(arguments, 0, 0)) {
        return *exit;
    }
    print(models::safetyPage());
    return Exit::Done;
}

} // namespace idemdesk::app
