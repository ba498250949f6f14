// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/console/registration_steps.h"

#include "models/format/display_text.h"
#include "sql/types/tr.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

QList<RegistrationStep> registrationSteps(const QList<sql::Registration::Item> &findings)
{
    RegistrationStep maker { Tr::tr("A superuser, or who installed the console, runs:"), {} };
    QList<RegistrationStep> owners;
    for (const sql::Registration::Item &item : findings) {
        const QString statement = item.sql + u';';
        if (item.sql.isEmpty()) {
            continue;
        }
        if (item.code == u"runner") {
            maker.statements += maker.statements.contains(statement) ? QStringList() : QStringList { statement };
            continue;
        }
        const QString who = item.by.isEmpty() ? Tr::tr("The owner of the table runs:")
                                              : Tr::tr("The owner, %1, runs:").arg(displayText(item.by, 80));
        auto owner = std::find_if(
            owners.begin(), owners.end(), [&who](const RegistrationStep &step) { return step.who == who; });
        if (owner == owners.end()) {
            owner = owners.insert(owners.end(), { who, {} });
        }
        if (!owner->statements.contains(statement)) {
            owner->statements += statement;
        }
    }
    if (!maker.statements.isEmpty()) {
        owners.prepend(maker);
    }
    return owners;
}

QString registrationScript(const QList<sql::Registration::Item> &findings)
{
    QStringList parts;
    for (const RegistrationStep &step : registrationSteps(findings)) {
        parts += u"-- "_s + step.who + u'\n' + step.statements.join(u'\n') + u'\n';
    }
    return parts.join(u'\n');
}

} // namespace idemdesk::models
