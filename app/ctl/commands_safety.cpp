// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/context.h"
#include "app/ctl/out/page_text.h"
#include "app/ctl/out/terminal.h"
#include "models/help/help_pages.h"
#include "sql/types/tr.h"

using namespace Qt::StringLiterals;

namespace idemdesk::app {

namespace {

Exit runSafety(const Context &)
{
    const QString page = models::safetyPage();
    print(Terminal::instance().width() > 0 ? pageText(page, lineWidth()) : page);
    return Exit::Done;
}

} // namespace

Command safetyCommand()
{
    return { .name = u"safety"_s,
        .summary = Tr::tr("what the console can hold, what is found afterwards, and what nobody can hold"),
        .about = Tr::tr("Says what the console can hold, what is found afterwards, and what no console can hold: a "
                        "superuser, the owner of a table."),
        .examples = { { Tr::tr("Read the page:"), u"safety"_s },
            { Tr::tr("Look for what it says of approvals:"), u"safety | grep -i approv"_s } },
        .run = runSafety };
}

} // namespace idemdesk::app
