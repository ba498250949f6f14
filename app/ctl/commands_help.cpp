// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/command_table.h"
#include "app/ctl/context.h"
#include "app/ctl/line/completion.h"
#include "app/ctl/line/help_text.h"
#include "app/ctl/line/man_page.h"
#include "app/ctl/out/page_text.h"
#include "app/ctl/out/terminal.h"
#include "models/help/help_pages.h"
#include "sql/types/tr.h"

using namespace Qt::StringLiterals;

namespace idemdesk::app {

namespace {

/// As Markdown where another program reads it: the manual pages and the HTML are made from that.
Exit runTopic(const Context &context)
{
    const QString &page = models::helpTopic(context.value(u"topic"_s))->markdown; // the parser knows its words
    const int width = Terminal::instance().width();
    print(width <= 0 ? page : pageText(page, helpWidth()));
    return Exit::Done;
}

Exit runHelp(const Context &context)
{
    if (context.has(u"topic"_s)) {
        return runTopic(context);
    }
    if (context.has(u"man"_s)) {
        print(manPage(commandTable()));
        return Exit::Done;
    }
    const QString name = context.positional().value(0);
    if (name.isEmpty()) {
        print(usageText(commandTable(), helpWidth()));
        return Exit::Done;
    }
    const Command *command = commandNamed(commandTable(), name);
    if (command == nullptr) {
        QStringList names;
        for (const Command &one : commandTable()) {
            names += one.name;
        }
        const QString near = didYouMean(name, names);
        return fail(usageError(Tr::tr("“%1” is not a command of idemdeskctl.").arg(name),
            near.isEmpty() ? Tr::tr("“idemdeskctl help” lists the commands.") : near));
    }
    const QString word = context.positional().value(1);
    const QStringList words = command->arguments.isEmpty() ? QStringList() : command->arguments.constFirst().words;
    if (!word.isEmpty() && !words.contains(word)) {
        return fail(usageError(Tr::tr("“%1” is not a command of idemdeskctl %2.").arg(word, name),
            words.isEmpty() ? Tr::tr("“idemdeskctl help %1” explains it.").arg(name)
                            : Tr::tr("It knows: %1.").arg(words.join(u", "_s))));
    }
    print(helpText(*command, helpWidth()));
    return Exit::Done;
}

Exit runCompletion(const Context &context)
{
    print(completionScript(context.positional().constFirst(), commandTable()));
    return Exit::Done;
}

} // namespace

int helpWidth()
{
    constexpr int kWidest = 100; // longer lines are hard to read
    const int width = Terminal::instance().width();
    return width > 0 ? std::min(width, kWidest) : 80;
}

Command helpCommand()
{
    return { .name = u"help"_s,
        .synopsis = u"[COMMAND [WORD]]"_s,
        .summary = Tr::tr("explain a command, with examples"),
        .about = Tr::tr("Lists the commands, or explains one of them."),
        .arguments = { { u"COMMAND"_s, Tr::tr("The one to explain."), 0, 1, {} },
            { u"WORD"_s, Tr::tr("One of its words, such as “console install”: explained there as well."), 0, 1, {} } },
        .options = { Option::flag(u"man"_s, Tr::tr("Write the manual page instead.")),
            Option::word(u"topic"_s, models::helpTopicIds(),
                Tr::tr("Read a page of the window's help instead. A pipe gets it as Markdown.")) },
        .examples = { { Tr::tr("What “recover” takes:"), u"help recover"_s },
            { Tr::tr("What a filter may say:"), u"help --topic filter"_s },
            { Tr::tr("Read the manual where it is not installed:"), u"help --man | man -l -"_s } },
        .run = runHelp };
}

Command completionCommand()
{
    return { .name = u"completion"_s,
        .synopsis = u"bash|zsh|fish"_s,
        .summary = Tr::tr("write a script that completes commands and options in a shell"),
        .about
        = Tr::tr("Writes a script that completes commands, options and their words in bash, zsh or fish. The package "
                 "installs all three."),
        .arguments = { { u"bash|zsh|fish"_s, Tr::tr("Which shell."), 1, 1, { u"bash"_s, u"zsh"_s, u"fish"_s } } },
        .examples
        = { { Tr::tr("For bash:"), u"completion bash > ~/.local/share/bash-completion/completions/idemdeskctl"_s },
            { Tr::tr("For zsh, where ~/.zfunc is in its fpath:"), u"completion zsh > ~/.zfunc/_idemdeskctl"_s },
            { Tr::tr("For fish:"), u"completion fish > ~/.config/fish/completions/idemdeskctl.fish"_s } },
        .run = runCompletion };
}

} // namespace idemdesk::app
