// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/line/command.h"

#include "sql/types/tr.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::app {

namespace {

Option made(
    const QString &name, Option::Takes takes, const QString &value, const QString &help, const QString &fallback)
{
    Option option;
    option.names = { name };
    option.takes = takes;
    option.value = value;
    option.help = help;
    option.fallback = fallback;
    return option;
}

} // namespace

Option Option::flag(const QString &name, const QString &help)
{
    return made(name, Takes::Nothing, {}, help, {});
}

Option Option::text(const QString &name, const QString &value, const QString &help, const QString &fallback)
{
    return made(name, Takes::Text, value, help, fallback);
}

Option Option::number(const QString &name, qint64 least, qint64 most, const QString &help, const QString &fallback)
{
    Option option = made(name, Takes::Number, Tr::tr("N"), help, fallback);
    option.least = least;
    option.most = most;
    return option;
}

Option Option::word(const QString &name, const QStringList &words, const QString &help, const QString &fallback)
{
    constexpr qsizetype kShort = 30; // else the help lists them
    const QString all = words.join(u'|');
    Option option = made(name, Takes::Word, all.size() > kShort ? Tr::tr("WORD") : all, help, fallback);
    option.words = words;
    return option;
}

Option Option::time(const QString &name, const QString &help)
{
    return made(name, Takes::Time, Tr::tr("TIME"), help, {});
}

Option Option::length(const QString &name, const QString &help, const QString &fallback)
{
    return made(name, Takes::Length, Tr::tr("LENGTH"), help, fallback);
}

Option Option::timeOrLength(const QString &name, const QString &help, const QString &fallback)
{
    return made(name, Takes::TimeOrLength, Tr::tr("TIME|LENGTH"), help, fallback);
}

Option Option::with(const QStringList &commandWords) const
{
    Option option = *this;
    option.goesWith = commandWords;
    return option;
}

Option Option::manyTimes() const
{
    Option option = *this;
    option.repeats = true;
    return option;
}

Option Option::orEmpty() const
{
    Option option = *this;
    option.mayBeEmpty = true;
    return option;
}

Option Option::atMost(qint64 characters) const
{
    Option limited = *this;
    limited.most = characters;
    return limited;
}

Option Option::alsoNamed(const QString &name) const
{
    Option option = *this;
    option.names.prepend(name);
    return option;
}

QString Option::synopsis() const
{
    QStringList written;
    for (const QString &one : names) {
        written += (one.size() == 1 ? u"-"_s : u"--"_s) + one;
    }
    return written.join(u", "_s) + (value.isEmpty() ? QString() : takes == Takes::MayNumber ? value : u' ' + value);
}

const Option *Command::option(const QString &called) const
{
    const auto found = std::find_if(
        options.cbegin(), options.cend(), [&called](const Option &one) { return one.names.contains(called); });
    return found == options.cend() ? nullptr : &*found;
}

QList<Option> connectOptions()
{
    return {
        Option::text(u"connect"_s, Tr::tr("CONNINFO"),
            Tr::tr(
                "Connect with this libpq conninfo, URI or service=NAME. A password in it is refused, because it would "
                "show in process lists. Without this option: IDEMDESK_CONNECT, the libpq environment, or else the "
                "running demo."))
            .orEmpty(),
        Option::flag(u"unverified-password"_s,
            Tr::tr("Send the password to the server although neither a local socket, nor sslmode=verify-full, nor "
                   "channel_binding=require shows that it is the right one. Whoever poses as the server gets it.")),
    };
}

QList<Option> targetOptions(TargetScope without)
{
    return {
        Option::text(u"target"_s, Tr::tr("NAME|FILE"),
            Tr::tr("A registered target by its name, title or table; a shipped profile's name; or a profile file.")
                + u' '
                + (without == TargetScope::One
                        ? Tr::tr("Without this option: IDEMDESK_TARGET.")
                        : Tr::tr("Without this option: every table that is known, whatever IDEMDESK_TARGET says."))),
        Option::text(u"relation"_s, Tr::tr("TABLE"), Tr::tr("Use the profile on this table instead of its own.")),
        Option::text(u"trust"_s, Tr::tr("SHA256"),
            Tr::tr("Run the SQL of a profile file without asking, where this is the file's SHA-256."))
            .manyTimes(),
    };
}

Option jsonOption()
{
    return Option::flag(u"json"_s, Tr::tr("Write one JSON document on standard output."));
}

QList<Option> tableOptions()
{
    return {
        Option::text(u"columns"_s, Tr::tr("NAME,…"),
            Tr::tr("Only these columns of a table, in this order and whole. A name is as in the heading, with “-” for "
                   "a blank.")),
        Option::flag(u"wide"_s, Tr::tr("Write every column whole, however wide the terminal is, and times exactly.")),
    };
}

Option verboseOption()
{
    return Option::flag(u"verbose"_s, Tr::tr("Say with an error what the server said in its own words."));
}

Option watchOption(const QStringList &words)
{
    constexpr qint64 kDay = 86'400;
    Option option
        = Option::number(u"watch"_s, 1, kDay, Tr::tr("Do it again every so many seconds, until Ctrl-C."), u"2"_s)
              .with(words);
    option.takes = Option::Takes::MayNumber;
    option.value = Tr::tr("[=SECONDS]");
    return option;
}

Option filterOption(const QString &help)
{
    return Option::text(u"filter"_s, Tr::tr("TEXT"), help);
}

Option outputOption(const QString &help)
{
    return Option::text(u"output"_s, Tr::tr("FILE"), help).alsoNamed(u"o"_s);
}

QList<Option> reasonOptions()
{
    constexpr int kMostReason = 4'000; // as the audit log takes them
    constexpr int kMostTicket = 200;
    return {
        Option::text(u"reason"_s, Tr::tr("TEXT"), Tr::tr("Why; recorded in the audit log.")).atMost(kMostReason),
        Option::text(u"ticket"_s, Tr::tr("TICKET"), Tr::tr("The ticket; recorded in the audit log."))
            .atMost(kMostTicket),
    };
}

} // namespace idemdesk::app
