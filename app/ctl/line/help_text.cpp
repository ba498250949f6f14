// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/line/help_text.h"

#include "sql/types/tr.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::app {

namespace {

constexpr int kOptionIndent = 6;
constexpr int kLeastTextWidth = 24; // however narrow the terminal is

/// "  --limit N" on its own line, what it does below, as git and psql's longer options do.
QString optionText(const Option &option, int width)
{
    QString help = option.help;
    if (option.takes == Option::Takes::Word) {
        help += u' ' + Tr::tr("One of: %1.").arg(option.words.join(u", "_s));
    }
    if (!option.fallback.isEmpty()) {
        help += u' ' + Tr::tr("If not given: %1.").arg(option.fallback);
    }
    if (option.repeats) {
        help += u' ' + Tr::tr("May be given several times.");
    }
    help.prepend(goesWithText(option));
    const QString indent(kOptionIndent, u' ');
    return u"  "_s + option.synopsis() + u'\n' + indent
        + wrapped(help, width - kOptionIndent, 0).replace(u"\n"_s, u"\n"_s + indent) + u'\n';
}

} // namespace

QString wrapped(const QString &text, int width, int indent)
{
    const int room = std::max(width, kLeastTextWidth + indent);
    QString out;
    qsizetype column = 0;
    for (const QString &word : text.split(u' ', Qt::SkipEmptyParts)) {
        if (column > 0 && column + 1 + word.size() > room) {
            out += u'\n' + QString(indent, u' ');
            column = indent;
        } else if (column > 0) {
            out += u' ';
            ++column;
        }
        out += word;
        column += word.size();
    }
    return out;
}

QString goesWithText(const Option &option)
{
    QStringList words = option.goesWith;
    const bool alone = words.removeAll(QString()) > 0;
    return words.isEmpty() ? QString()
        : alone            ? Tr::tr("With %1, or without such a word:").arg(words.join(u", "_s)) + u' '
                           : Tr::tr("With %1:").arg(words.join(u", "_s)) + u' ';
}

QStringList exitStatusLines()
{
    return {
        Tr::tr("0 done"),
        Tr::tr("1 failed"),
        Tr::tr("2 usage: the command line is not right"),
        Tr::tr("3 refused by policy or privilege"),
        Tr::tr("4 finished with rows skipped"),
        Tr::tr("5 cannot be known: nothing was looked at, or not all"),
    };
}

QString usageText(const QList<Command> &commands, int width)
{
    QString text = Tr::tr("Usage: idemdeskctl COMMAND [OPTION…]") + u"\n\n"_s + Tr::tr("Commands:") + u'\n';
    qsizetype widest = 0;
    for (const Command &command : commands) {
        widest = std::max(widest, command.name.size());
    }
    const int indent = static_cast<int>(widest) + 4;
    for (const Command &command : commands) {
        text += u"  "_s + command.name.leftJustified(widest + 2)
            + wrapped(command.summary, width - indent).replace(u"\n"_s, u"\n"_s + QString(indent, u' ')) + u'\n';
    }
    text += u'\n'
        + wrapped(
            Tr::tr(
                "“idemdeskctl help COMMAND” explains one, with examples. Options stand before or after the command."),
            width)
        + u'\n' + wrapped(Tr::tr("“idemdeskctl help --topic start” begins the help that the window shows, too."), width)
        + u"\n\n"_s + Tr::tr("Exit status:") + u'\n';
    for (const QString &line : exitStatusLines()) {
        text += u"  "_s + line + u'\n';
    }
    return text;
}

QString helpText(const Command &command, int width)
{
    QString text = Tr::tr("Usage: idemdeskctl %1 [OPTION…]")
                       .arg(command.synopsis.isEmpty() ? command.name : command.name + u' ' + command.synopsis)
        + u"\n\n"_s;
    for (const QString &paragraph : command.about.split(u"\n\n"_s)) {
        text += wrapped(paragraph, width) + u"\n\n"_s;
    }
    if (!command.arguments.isEmpty()) {
        text += Tr::tr("Arguments:") + u'\n';
        for (const Argument &argument : command.arguments) {
            const QString indent(kOptionIndent, u' ');
            text += u"  "_s + argument.name + u'\n' + indent
                + wrapped(argument.help, width - kOptionIndent).replace(u"\n"_s, u"\n"_s + indent) + u'\n';
        }
        text += u'\n';
    }
    if (!command.options.isEmpty()) {
        text += Tr::tr("Options:") + u'\n';
        for (const Option &option : command.options) {
            text += optionText(option, width);
        }
        text += u'\n';
    }
    text += Tr::tr("Examples:") + u'\n';
    for (const Example &example : command.examples) {
        text += u"  "_s + example.says + u"\n    idemdeskctl "_s + example.line + u'\n';
    }
    return text;
}

} // namespace idemdesk::app
