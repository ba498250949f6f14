// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/command_table.h"

using namespace Qt::StringLiterals;

namespace idemdesk::app {

Command detectCommand();
Command targetsCommand();
Command keysCommand();
Command showCommand();
Command findCommand();
Command scopesCommand();
Command causesCommand();
Command exportCommand();
Command triageCommand();
Command recoverCommand();
Command requeueCommand();
Command reclassifyCommand();
Command alignCommand();
Command purgeCommand();
Command partitionsCommand();
Command actionsCommand();
Command requestsCommand();
Command approveCommand();
Command conflictsCommand();
Command complaintCommand();
Command caseCommand();
Command drillCommand();
Command compareCommand();
Command cacheCommand();
Command releaseCommand();
Command providerCommand();
Command duplicatesCommand();
Command diffCommand();
Command recipeCommand();
Command trendsCommand();
Command sampleCommand();
Command checkCommand();
Command reviewCommand();
Command runbookCommand();
Command metricsCommand();
Command activityCommand();
Command consoleCommand();
Command auditCommand();
Command safetyCommand();
Command demoCommand();
Command completionCommand();
Command helpCommand();

namespace {

/// The command with the options that say how its output goes out.
Command completed(Command command)
{
    if (command.option(u"json"_s) != nullptr && command.tables) {
        command.options += tableOptions();
    }
    if (!command.watched.isEmpty()) {
        command.options += watchOption(command.watched);
    }
    if (command.option(u"connect"_s) != nullptr) {
        command.options += verboseOption();
    }
    return command;
}

} // namespace

const QList<Command> &commandTable()
{
    static const QList<Command> table = [] {
        QList<Command> all {
            detectCommand(),
            targetsCommand(),
            keysCommand(),
            showCommand(),
            findCommand(),
            scopesCommand(),
            causesCommand(),
            exportCommand(),
            triageCommand(),
            recoverCommand(),
            requeueCommand(),
            reclassifyCommand(),
            alignCommand(),
            purgeCommand(),
            partitionsCommand(),
            actionsCommand(),
            requestsCommand(),
            approveCommand(),
            conflictsCommand(),
            complaintCommand(),
            caseCommand(),
            compareCommand(),
            cacheCommand(),
            releaseCommand(),
            providerCommand(),
            duplicatesCommand(),
            diffCommand(),
            recipeCommand(),
            trendsCommand(),
            sampleCommand(),
            checkCommand(),
            reviewCommand(),
            runbookCommand(),
            drillCommand(),
            metricsCommand(),
            activityCommand(),
            consoleCommand(),
            auditCommand(),
            safetyCommand(),
            demoCommand(),
            completionCommand(),
            helpCommand(),
        };
        for (Command &command : all) {
            command = completed(std::move(command));
        }
        return all;
    }();
    return table;
}

} // namespace idemdesk::app
