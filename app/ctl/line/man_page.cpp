// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/line/man_page.h"

#include "app/ctl/line/help_text.h"
#include "models/filter/filter_fields.h"
#include "sql/trends/trend_gateway.h"
#include "sql/types/tr.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::app {

namespace {

/// Text as roff takes it: no line begins with a control character, and no dash becomes a hyphen.
QString roff(QString text)
{
    text.replace(u"\\"_s, u"\\e"_s).replace(u"-"_s, u"\\-"_s);
    text.replace(u"“"_s, u"\\(lq"_s).replace(u"”"_s, u"\\(rq"_s).replace(u"…"_s, u"..."_s);
    QStringList lines = text.split(u'\n');
    for (QString &line : lines) {
        if (line.startsWith(u'.') || line.startsWith(u'\'')) {
            line.prepend(u"\\&"_s);
        }
    }
    return lines.join(u'\n');
}

QString bold(const QString &text)
{
    return u"\\fB"_s + roff(text) + u"\\fR"_s;
}

QString entry(const QString &head, const QString &text)
{
    return u".TP\n"_s + head + u'\n' + roff(text) + u'\n';
}

QString optionEntry(const Option &option)
{
    QStringList names;
    for (const QString &name : option.names) {
        names += bold((name.size() == 1 ? u"-"_s : u"--"_s) + name);
    }
    QString head = names.join(u", "_s);
    if (!option.value.isEmpty()) {
        head += (option.takes == Option::Takes::MayNumber ? u"\\fI"_s : u" \\fI"_s) + roff(option.value) + u"\\fR"_s;
    }
    QString text = goesWithText(option) + option.help;
    if (option.takes == Option::Takes::Number || option.takes == Option::Takes::MayNumber) {
        text += u' ' + Tr::tr("From %1 to %2.").arg(option.least).arg(option.most);
    }
    if (!option.fallback.isEmpty()) {
        text += u' ' + Tr::tr("If not given: %1.").arg(option.fallback);
    }
    if (option.repeats) {
        text += u' ' + Tr::tr("May be given several times.");
    }
    return entry(head, text);
}

/// Options that many commands have are explained once.
QList<Option> sharedOptions()
{
    return connectOptions() + targetOptions() + QList { jsonOption() } + tableOptions()
        + QList { verboseOption(), watchOption({}) };
}

QString commandSection(const Command &command)
{
    QString text
        = u".SS "_s + roff(command.synopsis.isEmpty() ? command.name : command.name + u' ' + command.synopsis) + u'\n';
    const QStringList paragraphs = command.about.split(u"\n\n"_s);
    for (qsizetype i = 0; i < paragraphs.size(); ++i) {
        text += (i > 0 ? u".PP\n"_s : QString()) + roff(paragraphs.at(i)) + u'\n';
    }
    for (const Argument &argument : command.arguments) {
        text += entry(u"\\fI"_s + roff(argument.name) + u"\\fR"_s, argument.help);
    }
    const QList<Option> shared = sharedOptions();
    QStringList alsoTakes;
    for (const Option &option : command.options) {
        const auto same
            = [&option](const Option &other) { return other.name() == option.name() && other.help == option.help; };
        if (std::any_of(shared.cbegin(), shared.cend(), same) && goesWithText(option).isEmpty()) {
            alsoTakes += u"--"_s + option.name();
            continue;
        }
        text += optionEntry(option);
    }
    if (!alsoTakes.isEmpty()) {
        text += u".PP\n"_s + roff(Tr::tr("Also takes %1; see OPTIONS.").arg(alsoTakes.join(u", "_s))) + u'\n';
    }
    text += u".PP\n.nf\n"_s;
    for (const Example &example : command.examples) {
        text += u"# "_s + roff(example.says) + u'\n' + roff(u"idemdeskctl "_s + example.line) + u'\n';
    }
    return text + u".fi\n"_s;
}

QString fieldHelp(models::FilterValueKind kind)
{
    using Kind = models::FilterValueKind;
    switch (kind) {
    case Kind::State:
        return Tr::tr("One or several of: %1.").arg(models::filterStateWords().join(u", "_s));
    case Kind::Integer:
    case Kind::Number:
    case Kind::Decimal:
        return Tr::tr("A number, after : = < <= > or >=.");
    case Kind::Duration:
        return Tr::tr("A length of time such as 10m, 2h or 7d, after < <= > or >=.");
    case Kind::Time:
        return Tr::tr("A time or now, after < <= > or >=; without an offset in UTC.");
    case Kind::Text:
        break;
    }
    return Tr::tr("A text, exact, with * at its end, or with ~ before it: contains. null: there is none.");
}

QString filterSection()
{
    QString text = u".SH \"FILTER TEXT\"\n"_s
        + roff(Tr::tr(
            "Terms are joined by AND. A comma in a term means one of them. A leading “-” negates a term. Quotes group. "
            "A bare word is an exact key first. A part of the scope, and a field of the profile, may be named by its "
            "label. A backslash takes a character as it is."))
        + u'\n';
    for (const models::FilterFieldSpec &field : models::filterFields()) {
        text += entry(
            bold(field.name + (field.alias.isEmpty() ? QString() : u", "_s + field.alias)), fieldHelp(field.kind));
    }
    return text;
}

QString metricSection()
{
    QString text = u".SH METRICS\n"_s
        + roff(Tr::tr("What --metric of “trends” takes. Without it the command says which of them a target can tell."))
        + u'\n';
    for (const sql::TrendMetric &metric : sql::trendMetrics(sql::Target())) {
        text += entry(bold(metric.id), metric.help + u' ' + Tr::tr("Unit: %1.").arg(sql::trendUnitName(metric.unit)));
    }
    return text;
}

QString environmentSection()
{
    return u".SH ENVIRONMENT\n"_s + entry(bold(u"IDEMDESK_CONNECT"_s), Tr::tr("Where to connect without --connect."))
        + entry(bold(u"IDEMDESK_TARGET"_s),
            Tr::tr("The target of commands that need one, without --target. Commands that look at every table do so "
                   "still."))
        + entry(bold(u"IDEMDESK_CACHE"_s), Tr::tr("The Redis in front of the table, without --cache."))
        + entry(bold(u"IDEMDESK_CACHE_PASSWORD"_s), Tr::tr("Its password, which no command line may hold."))
        + entry(bold(u"IDEMDESK_PG_BIN"_s),
            Tr::tr(
                "Folder with initdb and postgres of the server that “demo start” makes and runs; else the newest one "
                "installed."))
        + entry(bold(u"IDEMDESK_CLUSTERS"_s),
            Tr::tr("Folder in which the demo's cluster is made. If you are root, other accounts must be able to enter "
                   "it."))
        + entry(bold(u"NO_COLOR"_s), Tr::tr("If set and not empty: no colours."))
        + entry(bold(u"PAGER"_s), Tr::tr("Shows what is longer than the terminal; “less” if not set, none if empty."))
        + entry(bold(u"COLUMNS"_s), Tr::tr("The width that tables are fitted to, instead of the terminal's."))
        + entry(bold(u"PGHOST, PGSERVICE, PGPASSFILE, …"_s), Tr::tr("libpq's own; see psql(1)."));
}

QString fileSection()
{
    const QString folder = u"~/.local/share/idemdesk/"_s;
    return u".SH FILES\n"_s
        + entry(bold(u"/usr/share/idemdesk/schemas/"_s),
            Tr::tr("JSON Schemas of what each command writes with --json. “version” in a document is that of the "
                   "shapes: a "
                   "field that goes or changes its meaning makes it higher, a new field does not."))
        + entry(bold(folder + u"actions.json"_s), Tr::tr("What was asked of servers and has not been seen to end."))
        + entry(bold(folder + u"anchors.json"_s), Tr::tr("The newest row of each audit log this computer has seen."))
        + entry(bold(folder + u"samples.sqlite"_s),
            Tr::tr("Samples of tables that are not registered, taken by idemdesk(1) while it is open."))
        + entry(bold(folder + u"conflicts.sqlite"_s),
            Tr::tr("What imported logs told of databases without the console's schema."));
}

} // namespace

QString manPage(const QList<Command> &commands)
{
    QString text
        = u".\\\" SPDX-License-Identifier: GPL-3.0-or-later\n.\\\" Made from the program's table of commands.\n"_s
        + u".TH IDEMDESKCTL 1 \"\" \"Idemdesk "_s + QStringLiteral(IDEMDESK_VERSION)
        + u"\" \"User Commands\"\n.SH NAME\n"_s
        + u"idemdeskctl \\- look after idempotency keys in PostgreSQL from a terminal\n.SH SYNOPSIS\n"_s
        + bold(u"idemdeskctl"_s) + u" \\fICOMMAND\\fR [\\fIOPTION\\fR...]\n.SH DESCRIPTION\n"_s + bold(u"idemdeskctl"_s)
        + u'\n'
        + roff(Tr::tr(
            "does in a terminal what idemdesk(1) does in a window. Results are aligned tables on standard output. With "
            "--json they are one JSON document, in which times are RFC 3339 in UTC and numbers from payloads keep "
            "their text. Diagnostics go to standard error. A password that nothing protects is not sent: it (from "
            "~/.pgpass, PGPASSWORD or a service file) leaves this computer only over a local socket, with "
            "sslmode=verify-full, or with channel_binding=require."))
        + u"\n.SH OPTIONS\n"_s + roff(Tr::tr("Options stand before or after the command. “--” ends them.")) + u'\n';
    for (const Option &option : sharedOptions()) {
        text += optionEntry(option);
    }
    text += u".SH COMMANDS\n"_s;
    for (const Command &command : commands) {
        text += commandSection(command);
    }
    text += filterSection() + metricSection() + u".SH \"EXIT STATUS\"\n"_s;
    for (const QString &line : exitStatusLines()) {
        text += entry(bold(line.section(u' ', 0, 0)), line.section(u' ', 1));
    }
    text += roff(Tr::tr(
                "A table that could not be read is named with its error on standard error, and under “not_read” with "
                "--json. An error under --json is {\"error\": {\"what\", \"why\", \"todo\", \"sqlstate\"}} on standard "
                "output."))
        + u'\n';
    return text + environmentSection() + fileSection()
        + u".SH \"SEE ALSO\"\n.BR idemdesk (1),\n.BR idemdesk\\-concepts (7),\n.BR idemdesk\\-filter (7),\n"
          ".BR idemdesk\\-profile (5),\n.BR idemdesk\\-monitoring (7),\n.BR psql (1)\n"_s;
}

} // namespace idemdesk::app
