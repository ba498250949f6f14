// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/connection/target_problem.h"

#include "sql/types/tr.h"

namespace idemdesk::models {

QString problemText(const TargetProblem &problem)
{
    return problem.profileName.isEmpty()
        ? problem.error.line()
        : Tr::tr("“%1” could not be read: %2").arg(problem.profileName, problem.error.line());
}

QStringList problemTexts(const QList<TargetProblem> &problems)
{
    QStringList texts;
    for (const TargetProblem &problem : problems) {
        texts += problemText(problem);
    }
    return texts;
}

QString problemSummary(const QList<TargetProblem> &problems)
{
    return Tr::tr("%n table(s) could not be read, so what is in them is not known.", nullptr, int(problems.size()));
}

} // namespace idemdesk::models
