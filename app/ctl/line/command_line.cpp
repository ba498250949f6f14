// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/line/command_line.h"

#include "app/ctl/line/time_value.h"
#include "models/filter/filter_fields.h"
#include "sql/types/profile.h"
#include "sql/types/tr.h"

#include <QHash>
#include <QLocale>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::app {

using sql::ErrorKind;
using sql::Result;

namespace {

sql::Error misuse(const QString &what, const QString &todo)
{
    return makeError(ErrorKind::Usage, what, {}, todo);
}

QString helpHint(const Command *command)
{
    return command != nullptr ? Tr::tr("“idemdeskctl help %1” names its options.").arg(command->name)
                              : Tr::tr("“idemdeskctl help” lists the commands.");
}

QString suggested(const QString &near, const QString &otherwise)
{
    return near.isEmpty() ? otherwise : near + u' ' + otherwise;
}

/// Words that people try who know other programs, and the line that does it here.
QString knownElsewhere(const QString &word)
{
    static const QHash<QString, QString> lines { { u"alerts"_s, u"check --alerts"_s }, { u"health"_s, u"check"_s },
        { u"status"_s, u"check"_s }, { u"stuck"_s, u"triage"_s }, { u"stale"_s, u"triage"_s }, { u"list"_s, u"keys"_s },
        { u"search"_s, u"find"_s }, { u"undo"_s, u"actions undo"_s }, { u"history"_s, u"actions"_s },
        { u"locks"_s, u"activity"_s }, { u"sessions"_s, u"activity"_s }, { u"install"_s, u"console install"_s },
        { u"verify"_s, u"audit verify"_s }, { u"register"_s, u"targets add"_s }, { u"tables"_s, u"targets"_s } };
    return lines.value(word);
}

/// What is written before the command is known may be an option of any of them.
const Option *anyOption(const QList<Command> &commands, const QString &name)
{
    for (const Command &command : commands) {
        if (const Option *found = command.option(name)) {
            return found;
        }
    }
    return nullptr;
}

/// The words of a line: options with their values, and the rest in order.
class Reader
{
public:
    Reader(const QList<Command> &commands, const QStringList &arguments)
        : m_commands(commands)
        , m_arguments(arguments)
    {
    }

    Result<CommandLine> read()
    {
        for (m_at = 0; m_at < m_arguments.size(); ++m_at) {
            TRY(takeWord(m_arguments.at(m_at)));
        }
        if (m_line.command == nullptr) {
            for (const auto &[name, value] : std::as_const(m_written)) {
                if (name != u"help") {
                    return misuse(Tr::tr("A command is missing."), helpHint(nullptr));
                }
            }
            return m_line;
        }
        if (m_line.help) {
            return m_line;
        }
        TRY(checkOptions());
        TRY(checkArguments());
        return m_line;
    }

private:
    Result<void> takeWord(const QString &word)
    {
        if (!m_onlyWords && word == u"--") {
            m_onlyWords = true;
            return {};
        }
        if (!m_onlyWords && word.size() > 1 && word.startsWith(u'-')) {
            return takeOption(word);
        }
        if (m_line.command != nullptr) {
            m_line.positional += word;
            return {};
        }
        m_line.command = commandNamed(m_commands, word);
        if (m_line.command == nullptr) {
            if (const QString line = knownElsewhere(word); !line.isEmpty()) {
                return misuse(Tr::tr("“%1” is not a command of idemdeskctl.").arg(word),
                    Tr::tr("“idemdeskctl %1” does that.").arg(line));
            }
            QStringList names;
            for (const Command &command : m_commands) {
                names += command.name;
            }
            return misuse(Tr::tr("“%1” is not a command of idemdeskctl.").arg(word),
                suggested(didYouMean(word, names), helpHint(nullptr)));
        }
        return {};
    }

    Result<void> takeOption(const QString &word)
    {
        const bool isLong = word.startsWith(u"--");
        const qsizetype equals = isLong ? word.indexOf(u'=') : -1;
        const QString name = isLong ? word.mid(2, equals < 0 ? -1 : equals - 2) : word.mid(1, 1);
        if (name == u"help" || (!isLong && name == u"h" && word.size() == 2)) {
            m_line.help = true;
            return {};
        }
        const Option *option = m_line.command != nullptr ? m_line.command->option(name) : anyOption(m_commands, name);
        if (option == nullptr) {
            return unknownOption(word.left(isLong && equals > 0 ? equals : word.size()), name);
        }
        QString value;
        if (option->takes == Option::Takes::Nothing) {
            if (equals >= 0 || (!isLong && word.size() > 2)) {
                return misuse(Tr::tr("--%1 takes no value.").arg(option->name()), helpHint(m_line.command));
            }
        } else if (equals >= 0) {
            value = word.mid(equals + 1);
        } else if (option->takes == Option::Takes::MayNumber) {
            value = nextIsItsNumber() ? m_arguments.at(++m_at) : option->fallback;
        } else if (!isLong && word.size() > 2) {
            value = word.mid(word.at(2) == u'=' ? 3 : 2); // -o=FILE is FILE, as with the long name
        } else if (m_at + 1 < m_arguments.size()) {
            value = m_arguments.at(++m_at);
        } else {
            return misuse(Tr::tr("The value of --%1 is missing.").arg(option->name()),
                Tr::tr("Write it so: %1.").arg(option->synopsis()));
        }
        if (value.isEmpty() && option->takes == Option::Takes::Text && !option->mayBeEmpty) {
            return misuse(
                Tr::tr("--%1 is empty.").arg(option->name()), Tr::tr("Write it so: %1.").arg(option->synopsis()));
        }
        m_written.append({ option->name(), value });
        return {};
    }

    /// A number after an option that may have one is its own, unless the command takes texts that may be numbers.
    bool nextIsItsNumber() const
    {
        bool number = false;
        m_arguments.value(m_at + 1).toUInt(&number);
        return number
            && (m_line.command == nullptr
                || std::all_of(m_line.command->arguments.cbegin(), m_line.command->arguments.cend(),
                    [](const Argument &argument) { return !argument.words.isEmpty(); }));
    }

    sql::Error unknownOption(const QString &written, const QString &name) const
    {
        QStringList known;
        for (const Command &command : m_commands) {
            if (m_line.command != nullptr && command.name != m_line.command->name) {
                continue;
            }
            for (const Option &option : command.options) {
                known += option.name();
            }
        }
        known.removeDuplicates();
        const QString near = models::nearestWord(name, known);
        const QString what = m_line.command != nullptr
            ? Tr::tr("“%1” has no option %2.").arg(m_line.command->name, written)
            : Tr::tr("No command has an option %1.").arg(written);
        return misuse(what,
            suggested(near.isEmpty() ? QString() : Tr::tr("Did you mean --%1?").arg(near), helpHint(m_line.command)));
    }

    Result<void> checkOptions()
    {
        for (const auto &[name, value] : std::as_const(m_written)) {
            const Option *option = m_line.command->option(name);
            if (option == nullptr) {
                return unknownOption(u"--"_s + name, name);
            }
            if (!option->repeats && m_line.values.contains(name)) {
                return misuse(Tr::tr("--%1 is given twice.").arg(name), Tr::tr("Give it once."));
            }
            TRY(checkValue(*option, value));
            m_line.values[name] += value;
        }
        const QString word
            = m_line.command->arguments.isEmpty() || m_line.command->arguments.constFirst().words.isEmpty()
            ? QString()
            : m_line.positional.value(0);
        for (const Option &option : m_line.command->options) {
            if (m_line.values.contains(option.name()) && !option.goesWith.isEmpty()
                && !option.goesWith.contains(word)) {
                QStringList calls;
                for (const QString &with : option.goesWith) {
                    calls += Tr::tr("“%1”").arg(
                        with.isEmpty() ? m_line.command->name : m_line.command->name + u' ' + with);
                }
                return misuse(
                    Tr::tr("--%1 goes with %2.").arg(option.name(), calls.join(u", "_s)), helpHint(m_line.command));
            }
        }
        return {};
    }

    Result<void> checkArguments() const
    {
        const QStringList &words = m_line.positional;
        qsizetype at = 0;
        for (const Argument &argument : m_line.command->arguments) {
            int taken = 0;
            for (; at < words.size() && taken < argument.most; ++at, ++taken) {
                const QString &word = words.at(at);
                if (word.isEmpty()) {
                    return misuse(Tr::tr("%1 is empty.").arg(argument.name), helpHint(m_line.command));
                }
                if (!argument.words.isEmpty() && !argument.words.contains(word)) {
                    const bool named = argument.name == argument.name.toUpper(); // NAME; commands stand as they are
                    return misuse((named ? Tr::tr("“%1” is nothing that idemdeskctl %2 knows.")
                                         : Tr::tr("“%1” is not a command of idemdeskctl %2."))
                                      .arg(word, m_line.command->name),
                        suggested(didYouMean(word, argument.words),
                            Tr::tr("It knows: %1.").arg(argument.words.join(u", "_s))));
                }
            }
            if (taken < argument.least) {
                return misuse(Tr::tr("%1 is missing.").arg(argument.name), helpHint(m_line.command));
            }
        }
        if (at < words.size()) {
            return misuse(Tr::tr("“%1” is one word too many.").arg(words.at(at)), helpHint(m_line.command));
        }
        return {};
    }

    static Result<void> checkValue(const Option &option, const QString &value)
    {
        switch (option.takes) {
        case Option::Takes::Nothing:
            return {};
        case Option::Takes::Text:
            if (option.most == 0 || value.toUcs4().size() <= option.most) {
                return {};
            }
            return misuse(Tr::tr("The text of --%1 is too long.").arg(option.name()),
                Tr::tr("It has at most %1 characters.").arg(QLocale(QLocale::English).toString(option.most)));
        case Option::Takes::MayNumber:
        case Option::Takes::Number: {
            bool number = false;
            const qint64 read = value.toLongLong(&number);
            if (number && read >= option.least && read <= option.most) {
                return {};
            }
            return misuse(Tr::tr("“%1” does not fit --%2.").arg(value, option.name()),
                Tr::tr("Give a number from %1 to %2.")
                    .arg(QLocale::c().toString(option.least), QLocale(QLocale::English).toString(option.most)));
        }
        case Option::Takes::Word:
            if (option.words.contains(value)) {
                return {};
            }
            return misuse(Tr::tr("“%1” does not fit --%2.").arg(value, option.name()),
                suggested(
                    didYouMean(value, option.words), Tr::tr("It takes one of: %1.").arg(option.words.join(u", "_s))));
        case Option::Takes::Time:
        case Option::Takes::TimeOrLength:
        case Option::Takes::Length:
            break;
        }
        const auto seconds = sql::durationSeconds(value);
        const bool length = option.takes != Option::Takes::Time && seconds && *seconds > 0;
        const bool time = option.takes != Option::Takes::Length && timeWithOffset(value);
        if (length || time) {
            return {};
        }
        return misuse(Tr::tr("“%1” does not fit --%2.").arg(value, option.name()),
            option.takes == Option::Takes::Length ? Tr::tr("Write a length such as 30m, 2h or 7d.")
                : option.takes == Option::Takes::Time
                ? Tr::tr("Write a time with its offset, such as 2026-11-01T00:00:00Z.")
                : Tr::tr("Write a length such as 2h or 7d, or a time with its offset, such as 2026-11-01T00:00:00Z."));
    }

    const QList<Command> &m_commands;
    const QStringList &m_arguments;
    CommandLine m_line;
    QList<std::pair<QString, QString>> m_written; ///< options in their order
    qsizetype m_at = 0;
    bool m_onlyWords = false;
};

} // namespace

Result<CommandLine> readCommandLine(const QList<Command> &commands, const QStringList &arguments)
{
    return Reader(commands, arguments).read();
}

const Command *commandNamed(const QList<Command> &commands, const QString &name)
{
    const auto found
        = std::find_if(commands.cbegin(), commands.cend(), [&name](const Command &one) { return one.name == name; });
    return found == commands.cend() ? nullptr : &*found;
}

QString didYouMean(const QString &written, const QStringList &known)
{
    const QString near = models::nearestWord(written, known);
    return near.isEmpty() ? QString() : Tr::tr("Did you mean “%1”?").arg(near);
}

} // namespace idemdesk::app
