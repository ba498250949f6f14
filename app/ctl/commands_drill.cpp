// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/context.h"
#include "app/ctl/interrupt.h"
#include "app/ctl/line/help_text.h"
#include "app/ctl/opened_target.h"
#include "models/drill/drill_report.h"
#include "models/format/display_text.h"
#include "sql/actions/registered_profile.h"
#include "sql/profile/profile_json.h"
#include "sql/types/tr.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <limits>

using namespace Qt::StringLiterals;

namespace idemdesk::app {

namespace {

constexpr int kSeenIndent = 4;
constexpr int kDrillChars = 10'000;
constexpr qint64 kMostDrillBytes = 1'048'576;

void printSeen(const QString &text, qsizetype most = kDrillChars)
{
    const QString shown = wrapped(models::displayText(text, most), lineWidth() - kSeenIndent, kSeenIndent);
    print(QString(kSeenIndent, u' ') + shown + u'\n');
}

/// One piece a line, safe to show.
QString statementsText(const sql::DrillSpec &spec)
{
    QStringList lines;
    const auto statements = models::drillStatements(spec);
    for (const auto &[what, sql] : statements) {
        lines += models::displayText(u"%1: %2"_s.arg(what, sql), std::numeric_limits<int>::max());
    }
    return lines.join(u'\n');
}

/// The profile's own. What is not shipped with the program is shown and asked about: whoever registered it chose SQL
/// that runs with the rights of the person here.
sql::Result<sql::DrillSpec> drillOfProfile(const Context &context, const OpenedTarget &opened)
{
    const sql::Profile &profile = opened.target.profile;
    if (!profile.drill) {
        return usageError(Tr::tr("The profile %1 names no statements for a drill.").arg(profile.name),
            Tr::tr("Give them with --statements FILE; see “drill” in the profile reference."));
    }
    if (opened.registered && !sql::isShippedProfile(profile) && !context.has(u"dry-run"_s)) {
        TRY(context.confirm(Tr::tr("The drill of the profile %1").arg(profile.name), opened.registered->profileJson,
            statementsText(*profile.drill)));
    }
    return *profile.drill;
}

/// The drill of the profile, or the one in the file of --statements, read by the profile's own grammar.
sql::Result<sql::DrillSpec> drillOf(const Context &context, const OpenedTarget &opened)
{
    const QString path = context.value(u"statements"_s);
    if (path.isEmpty()) {
        return drillOfProfile(context, opened);
    }
    const sql::Profile &profile = opened.target.profile;
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) {
        return sql::makeError(
            sql::ErrorKind::File, Tr::tr("The file %1 cannot be read.").arg(path), file.errorString());
    }
    if (file.size() > kMostDrillBytes) {
        return sql::makeError(sql::ErrorKind::File, Tr::tr("The file %1 is too large.").arg(path),
            Tr::tr("It may have at most %1 bytes.").arg(kMostDrillBytes));
    }
    const QByteArray text = file.read(kMostDrillBytes);
    const QJsonDocument given = QJsonDocument::fromJson(text);
    if (!given.isObject()) {
        return sql::makeError(sql::ErrorKind::File, Tr::tr("The file %1 holds no JSON object.").arg(path));
    }
    QJsonObject whole = QJsonDocument::fromJson(sql::profileToJson(profile)).object();
    whole.insert(u"drill"_s, given.object());
    TRY(const auto read, sql::profileFromJson(QJsonDocument(whole).toJson(), path));
    if (!context.has(u"dry-run"_s)) { // which runs none
        TRY(context.confirm(Tr::tr("The file %1").arg(path), text, statementsText(*read.drill)));
    }
    return *read.drill;
}

Exit showStatements(const Context &context, const sql::DrillSpec &spec)
{
    const auto statements = models::drillStatements(spec);
    if (context.json()) {
        QJsonArray items;
        for (const auto &[what, sql] : statements) {
            items.append(QJsonObject { { u"what"_s, what }, { u"sql"_s, sql } });
        }
        printJson({ { u"statements"_s, items } });
        return Exit::Done;
    }
    for (const auto &[what, sql] : statements) {
        print(what + u'\n');
        printSeen(sql, std::numeric_limits<int>::max());
    }
    note(Tr::tr("Nothing was run."));
    return Exit::Done;
}

void printDrill(const models::DrillReport &report)
{
    print(models::displayText(report.title) + u'\n' + models::drillSummary(report) + u'\n');
    for (const models::DrillResult &result : report.results) {
        print(u'\n' + models::drillVerdictSign(result.verdict) + u' ' + models::drillText(result.test->title) + u'\n');
        printSeen(Tr::tr("Expected: %1").arg(models::drillText(result.test->expects)));
        printSeen(Tr::tr("Seen: %1").arg(result.seen));
    }
}

Exit runDrill(const Context &context)
{
    TRY_OR(fail, const auto path, reportPath(context));
    if (!path.isEmpty() && context.has(u"dry-run"_s)) {
        return misused(Tr::tr("--dry-run writes no file."), Tr::tr("Leave out one of the two."));
    }
    TRY_OR(fail, const auto opened, openTarget(context));
    TRY_OR(fail, const auto spec, drillOf(context, opened));
    if (context.has(u"dry-run"_s)) {
        return showStatements(context, spec);
    }
    TRY_OR(fail, const auto where, context.settings());
    const StopAtSignal interrupt(
        Tr::tr("Stopping after this test. Then its rows are taken away. Ctrl-C again leaves them."));
    models::DrillRunner runner(where, opened.target, spec);
    note(Tr::tr("All that it makes has a key that begins with %1.").arg(runner.prefix()));
    TRY_OR(fail, const auto report, runner.run(interrupt.token(), [&context](const models::DrillTest &test) {
        if (!context.json()) {
            note(models::drillText(test.title) + u'…');
        }
    }));
    if (context.json()) {
        printJson(models::drillJson(report));
    } else {
        printDrill(report);
    }
    for (const QString &line : report.left) {
        note(Tr::tr("Not taken away: %1").arg(line));
    }
    if (!path.isEmpty()) {
        TRY_OR(fail, models::writeDrill(report, path));
        note(Tr::tr("Written to %1.").arg(path));
    }
    if (report.stopped) {
        return Exit::Unknown;
    }
    const bool failed = report.count(models::DrillVerdict::Failed) > 0 || !report.left.isEmpty();
    return failed ? Exit::Failed : Exit::Done;
}

} // namespace

Command drillCommand()
{
    return { .name = u"drill"_s,
        .synopsis = {},
        .summary = Tr::tr("try a service's own statements on a database for development or staging"),
        .about = Tr::tr(
            "Runs the service's own statements as clients do when something goes wrong. It counts the effects, and "
            "says which promise holds. --dry-run shows the statements and runs none.\n\nThe statements stand "
            "under “drill” in the profile, or in a file, whose SQL is confirmed as a profile's is. All that is made is "
            "marked by its key and taken away "
            "again.\n\nIt runs only where the database's owner says that it may: COMMENT ON DATABASE … IS "
            "'idemdesk: staging'. Instead of staging it may say test or development. Exit status 1 where a test "
            "failed, or where something could not be taken away; 5 where it was stopped."),
        .arguments = {},
        .options = connectOptions() + targetOptions()
            + QList { jsonOption(),
                Option::text(u"statements"_s, u"FILE"_s, Tr::tr("The statements, as “drill” in a profile has them.")),
                Option::flag(u"dry-run"_s, Tr::tr("Show the statements; run none.")),
                outputOption(Tr::tr("Write it to this new file as well, which ends in .html, .pdf or .json.")) },
        .examples = { { Tr::tr("What would be run:"), u"drill --target app.idempotency_request --dry-run"_s },
            { Tr::tr("Try the service's statements:"), u"drill --target app.idempotency_request"_s } },
        .run = runDrill,
        .watched = {},
        .tables = false };
}

} // namespace idemdesk::app
