// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/runbook/runbook_marks.h"

#include "models/format/display_text.h"
#include "models/runbook/runbook_table.h"
#include "sql/types/tr.h"

#include <algorithm>

namespace idemdesk::models {

QHash<QString, RunbookMark> runbookMarks(
    const QList<AlertEntry> &alerts, const QHash<QString, sql::TargetKind> &kinds, const QString &target)
{
    QHash<QString, RunbookMark> marks;
    for (const AlertEntry &alert : alerts) {
        const auto kind = kinds.constFind(alert.target);
        const bool ofTable = kind != kinds.cend();
        const AlertGroup group = alert.group();
        const bool beyond
            = group == AlertGroup::Firing || group == AlertGroup::OverLimit || group == AlertGroup::Acknowledged;
        const QString book = runbookForMetric(alert.status.rule.metric, ofTable ? std::optional(*kind) : std::nullopt);
        if (!beyond || book.isEmpty() || (ofTable && !target.isEmpty() && alert.target != target)) {
            continue;
        }
        RunbookMark &mark = marks[book];
        if (group == AlertGroup::Firing) {
            ++mark.firing;
            mark.alerts += Tr::tr("%1: %2", "an alert, of which table")
                               .arg(displayText(alert.status.rule.title), displayText(alert.table()));
        } else {
            ++mark.known;
        }
    }
    return marks;
}

QStringList runbooksByUrgency(const QHash<QString, RunbookMark> &marks)
{
    QStringList names;
    for (const Runbook &book : runbooks()) {
        names += QString::fromLatin1(book.name);
    }
    std::stable_sort(names.begin(), names.end(), [&marks](const QString &a, const QString &b) {
        const RunbookMark left = marks.value(a);
        const RunbookMark right = marks.value(b);
        return left.firing != right.firing ? left.firing > right.firing : left.known > right.known;
    });
    return names;
}

} // namespace idemdesk::models
