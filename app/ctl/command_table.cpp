// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/command_table.h"

namespace idemdesk::app {

Command detectCommand();
Command targetsCommand();
Command keysCommand();
Command showCommand();
Command scopesCommand();
Command exportCommand();
Command triageCommand();
Command recoverCommand();
Command requeueCommand();
Command reclassifyCommand();
Command purgeCommand();
Command partitionsCommand();
Command actionsCommand();
Command requestsCommand();
Command approveCommand();
Command conflictsCommand();
Command complaintCommand();
Command caseCommand();
Command duplicatesCommand();
Command diffCommand();
Command recipeCommand();
Command trendsCommand();
Command sampleCommand();
Command checkCommand();
Command metricsCommand();
Command activityCommand();
Command consoleCommand();
Command auditCommand();
Command safetyCommand();
Command demoCommand();
Command completionCommand();
Command helpCommand();

const QList<Command> &commandTable()
{
    static const QList<Command> table {
        detectCommand(),
        targetsCommand(),
        keysCommand(),
        showCommand(),
        scopesCommand(),
        exportCommand(),
        triageCommand(),
        recoverCommand(),
        requeueCommand(),
        reclassifyCommand(),
        purgeCommand(),
        partitionsCommand(),
        actionsCommand(),
        requestsCommand(),
        approveCommand(),
        conflictsCommand(),
        complaintCommand(),
        caseCommand(),
        duplicatesCommand(),
        diffCommand(),
        recipeCommand(),
        trendsCommand(),
        sampleCommand(),
        checkCommand(),
        metricsCommand(),
        activityCommand(),
        consoleCommand(),
        auditCommand(),
        safetyCommand(),
        demoCommand(),
        completionCommand(),
        helpCommand(),
    };
    return table;
}

} // namespace idemdesk::app
