// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/regions/filter_fault.h"

#include "models/filter/filter_parser.h"
#include "models/format/display_text.h"
#include "models/groups/group_session.h"
#include "sql/types/tr.h"
#include "ui/theme/theme.h"

#include <QLabel>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

QString filterFault(
    const models::GroupSession &group, const QString &target, const QString &filter, const QTimeZone &zone)
{
    QString fault;
    for (int member = 0; member < group.size(); ++member) {
        const models::TargetEntry *entry = group.target(member, target);
        if (entry == nullptr) {
            continue;
        }
        const auto parsed = models::parseFilter(filter, models::vocabularyOf(entry->target.profile, zone));
        if (parsed) {
            return {}; // where another profile has other fields, that member says so
        }
        if (!fault.isEmpty()) {
            continue;
        }
        QString said = parsed.error().line();
        if (parsed.error().position >= 0) {
            said.chop(said.endsWith(u'.') ? 1 : 0);
            said = Tr::tr("%1 (character %2).", "what is wrong, where")
                       .arg(said, QString::number(parsed.error().position + 1));
        }
        fault = models::displayText(said, models::kToolTipChars);
    }
    return fault;
}

void showFault(QLabel *line, const QString &fault)
{
    QPalette palette = line->palette();
    palette.setColor(QPalette::WindowText, themeColor(Token::Danger));
    line->setPalette(palette);
    line->setText(fault);
    line->setVisible(!fault.isEmpty());
}

} // namespace idemdesk::ui
