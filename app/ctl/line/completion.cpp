// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/line/completion.h"

using namespace Qt::StringLiterals;

namespace idemdesk::app {

namespace {

QString quoted(QString text)
{
    return u'\'' + text.replace(u"'"_s, u"'\\''"_s) + u'\'';
}

QStringList commandNames(const QList<Command> &commands)
{
    QStringList names;
    for (const Command &command : commands) {
        names += command.name;
    }
    return names;
}

QStringList optionWords(const Command &command)
{
    QStringList words;
    for (const Option &option : command.options) {
        words += u"--"_s + option.name();
    }
    return words;
}

QStringList firstWords(const Command &command)
{
    return command.arguments.isEmpty() ? QStringList() : command.arguments.constFirst().words;
}

/// What bash offers after an option with a value: its words, or files where it takes one.
QString bashValues(const Command &command)
{
    QString text;
    QStringList free;
    for (const Option &option : command.options) {
        const QString names
            = (option.names.size() > 1 ? u"-"_s + option.names.constFirst() + u"|--"_s : u"--"_s) + option.name();
        if (option.takes == Option::Takes::Word) {
            text += u"        "_s + names + u") COMPREPLY=($(compgen -W "_s + quoted(option.words.join(u' '))
                + u" -- \"$cur\")); return ;;\n"_s;
        } else if (option.value.contains(u"FILE"_s)) {
            text += u"        "_s + names + u") COMPREPLY=($(compgen -f -- \"$cur\")); return ;;\n"_s;
        } else if (option.takes != Option::Takes::Nothing && option.takes != Option::Takes::MayNumber) {
            free += names;
        }
    }
    return free.isEmpty() ? text : text + u"        "_s + free.join(u'|') + u") return ;;\n"_s;
}

QString bashScript(const QList<Command> &commands)
{
    QString text = uR"(# bash completion of idemdeskctl
_idemdeskctl() {
    local cur prev command word
    cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} command=
    for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
        case $word in
        )"_s
        + commandNames(commands).join(u'|') + uR"() command=$word; break ;;
        esac
    done
    case $command in
)"_s;
    for (const Command &command : commands) {
        text += u"    "_s + command.name + u")\n        case $prev in\n"_s + bashValues(command) + u"        esac\n"_s
            + u"        COMPREPLY=($(compgen -W "_s + quoted((firstWords(command) + optionWords(command)).join(u' '))
            + u" -- \"$cur\"))\n"_s
            + u"        [[ $cur == -* ]] || COMPREPLY+=($(compgen -f -- \"$cur\"))\n        ;;\n"_s;
    }
    return text + u"    *) COMPREPLY=($(compgen -W "_s + quoted(commandNames(commands).join(u' ')) + uR"( -- "$cur")) ;;
    esac
}
complete -F _idemdeskctl idemdeskctl
)"_s;
}

QString zshOption(const Option &option)
{
    QString help = option.help.section(u'.', 0, 0);
    help.remove(u'[').remove(u']').remove(u':');
    QString spec = u"--"_s + option.name()
        + (option.takes == Option::Takes::Nothing || option.takes == Option::Takes::MayNumber ? QString() : u"="_s)
        + u'[' + help + u']';
    if (option.takes == Option::Takes::Word) {
        spec += u":word:("_s + option.words.join(u' ') + u')';
    } else if (option.value.contains(u"FILE"_s)) {
        spec += u":file:_files"_s;
    } else if (option.takes != Option::Takes::Nothing && option.takes != Option::Takes::MayNumber) {
        spec += u":value: "_s;
    }
    return quoted((option.repeats ? u"*"_s : QString()) + spec);
}

QString zshScript(const QList<Command> &commands)
{
    QString text = u"#compdef idemdeskctl\n_idemdeskctl() {\n    local -a commands\n    commands=(\n"_s;
    for (const Command &command : commands) {
        QString summary = command.summary;
        text += u"        "_s + quoted(command.name + u':' + summary.replace(u":"_s, u"\\:"_s)) + u'\n';
    }
    text += uR"(    )
    if (( CURRENT == 2 )); then
        _describe command commands
        return
    fi
    case $words[2] in
)"_s;
    for (const Command &command : commands) {
        text += u"    "_s + command.name + u") _arguments -S"_s;
        for (const Option &option : command.options) {
            text += u" \\\n        "_s + zshOption(option);
        }
        const QStringList words = firstWords(command);
        text += u" \\\n        "_s
            + (words.isEmpty() ? u"'*:file:_files'"_s
                               : quoted(u"2:word:("_s + words.join(u' ') + u')') + u" '*:file:_files'"_s)
            + u" ;;\n"_s;
    }
    // zsh runs an autoloaded file as the function itself, at the first Tab: that one is to be answered as well.
    return text + uR"(    esac
}
if [[ $funcstack[1] == _idemdeskctl ]]; then
    _idemdeskctl "$@"
else
    compdef _idemdeskctl idemdeskctl
fi
)"_s;
}

QString fishScript(const QList<Command> &commands)
{
    QString text = u"# fish completion of idemdeskctl\n"_s;
    const QString names = commandNames(commands).join(u' ');
    for (const Command &command : commands) {
        text += u"complete -c idemdeskctl -f -n "_s + quoted(u"not __fish_seen_subcommand_from "_s + names) + u" -a "_s
            + command.name + u" -d "_s + quoted(command.summary) + u'\n';
        const QString when = quoted(u"__fish_seen_subcommand_from "_s + command.name);
        if (const QStringList words = firstWords(command); !words.isEmpty()) {
            text += u"complete -c idemdeskctl -n "_s + when + u" -a "_s + quoted(words.join(u' ')) + u'\n';
        }
        for (const Option &option : command.options) {
            text += u"complete -c idemdeskctl -n "_s + when + u" -l "_s + option.name();
            if (option.names.size() > 1) {
                text += u" -s "_s + option.names.constFirst();
            }
            if (option.takes == Option::Takes::Word) {
                text += u" -x -a "_s + quoted(option.words.join(u' '));
            } else if (option.takes != Option::Takes::Nothing && option.takes != Option::Takes::MayNumber) {
                text += option.value.contains(u"FILE"_s) ? u" -r"_s : u" -x"_s;
            }
            text += u" -d "_s + quoted(option.help.section(u'.', 0, 0)) + u'\n';
        }
    }
    return text;
}

} // namespace

QString completionScript(const QString &shell, const QList<Command> &commands)
{
    return shell == u"bash" ? bashScript(commands)
        : shell == u"zsh"   ? zshScript(commands)
        : shell == u"fish"  ? fishScript(commands)
                            : QString();
}

} // namespace idemdesk::app
