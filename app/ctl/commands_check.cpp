// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/context.h"
#include "app/ctl/json_out.h"
#include "app/ctl/line/help_text.h"
#include "app/ctl/not_read.h"
#include "app/ctl/opened_target.h"
#include "models/alerts/alert_board.h"
#include "models/alerts/alert_model.h"
#include "models/alerts/alert_rules.h"
#include "models/format/display_text.h"
#include "models/health/health_model.h"
#include "sql/actions/registration.h"
#include "sql/console/console_schema.h"
#include "sql/health/health_report.h"
#include "sql/profile/binder.h"
#include "sql/profile/profile_json.h"
#include "sql/trends/minute_series.h"
#include "sql/types/tr.h"

#include <QJsonArray>

using namespace Qt::StringLiterals;

namespace idemdesk::app {

namespace {

struct Checked {
    QString target;
    sql::Result<sql::HealthReport> report;
};

/// Why there is nothing to look at; that is no good news.
QString nothingRegistered(sql::Session &session)
{
    const auto status = sql::readConsoleStatus(session);
    if (!status) {
        return Tr::tr("Cannot be known: %1").arg(status.error().line());
    }
    return status->installedVersion == 0
        ? Tr::tr("Cannot be known. The console schema is not installed, so nothing is watched.")
        : !status->readable
        ? Tr::tr("Cannot be known. This login may not read the console schema.")
        : Tr::tr("Cannot be known. No target is registered in this database, so nothing is watched.");
}

/// --target, else every registered target.
sql::Result<QList<Checked>> checked(const Context &context)
{
    QList<Checked> all;
    if (context.has(u"target"_s)) {
        auto opened = openTarget(context);
        if (!opened) {
            return opened.error();
        }
        all.append({ context.value(u"target"_s), sql::readHealth(*opened->session, opened->target) });
        return all;
    }
    const auto session = context.connect(sql::LaneKind::Background);
    if (!session) {
        return session.error();
    }
    const auto registered = sql::readRegisteredTargets(**session);
    if (!registered) {
        return registered.error();
    }
    for (const sql::RegisteredTarget &one : *registered) {
        const auto profile = sql::profileFromJson(one.profileJson, one.name);
        const auto target = profile ? sql::bindTarget(**session, *profile) : sql::Result<sql::Target>(profile.error());
        all.append({ one.name,
            target ? sql::readHealth(**session, *target) : sql::Result<sql::HealthReport>(target.error()) });
    }
    return all;
}

constexpr int kIndent = 20;
constexpr int kNarrowIndent = 4; // where the terminal has few columns
constexpr int kRoomyWidth = 100;
constexpr int kWholeLine = 100'000;

/// A line of a finding, broken between words where the terminal is narrower.
void line(const QString &text, int indent)
{
    const int width = lineWidth();
    QString shown = models::displayText(text, kWholeLine);
    if (indent + shown.size() > width) {
        shown = wrapped(shown, width - indent).replace(u"\n"_s, u"\n"_s + QString(indent, u' '));
    }
    print(QString(indent, u' ') + shown + u'\n');
}

void printFindings(const QString &target, const sql::HealthReport &report, bool whole)
{
    for (const sql::HealthFinding &finding : report.findings) {
        if (finding.level == sql::HealthLevel::Good && !whole) {
            continue;
        }
        const int indent = lineWidth() < kRoomyWidth ? kNarrowIndent : kIndent;
        const QString level = models::healthLevelLabel(finding.level);
        line(
            (indent == kIndent ? level.leftJustified(kIndent) : level + u"  "_s) + target + u": "_s + finding.title, 0);
        for (const QString &text : { finding.seen, finding.why, finding.sql }) {
            if (!text.isEmpty()) {
                line(text, indent);
            }
        }
    }
}

QJsonObject alertJson(const sql::AlertStatus &status, const QJsonValue &target)
{
    return { { u"target"_s, target }, { u"id"_s, status.rule.id }, { u"title"_s, status.rule.title },
        { u"metric"_s, status.rule.metric }, { u"state"_s, sql::alertStateName(status.state) },
        { u"value"_s, status.value ? QJsonValue(*status.value) : QJsonValue() }, { u"limit"_s, status.rule.limit },
        { u"seconds"_s, status.rule.seconds },
        { u"since"_s, status.since ? QJsonValue(status.since->toRfc3339()) : QJsonValue() },
        { u"why"_s, status.why.isEmpty() ? QJsonValue() : QJsonValue(status.why) } };
}

/// The alert rules of the registered targets, or of the one that --target names.
Exit checkAlerts(const Context &context)
{
    const auto session = context.connect(sql::LaneKind::Background);
    if (!session) {
        return fail(session.error());
    }
    const auto registered = sql::readRegisteredTargets(**session);
    if (!registered) {
        return fail(registered.error());
    }
    QJsonArray items;
    QList<QStringList> rows;
    QList<models::TargetProblem> notRead;
    QList<models::AlertSource> sources;
    QStringList names; // by sources
    bool any = false;
    const auto wanted = registeredNamed(*registered, context.value(u"target"_s));
    if (!wanted) {
        return fail(wanted.error());
    }
    for (const sql::RegisteredTarget &one : *registered) {
        if (context.has(u"target"_s) && (!*wanted || (*wanted)->name != one.name)) {
            continue;
        }
        any = true;
        const auto profile = sql::profileFromJson(one.profileJson, one.name);
        const auto target = profile ? sql::bindTarget(**session, *profile) : sql::Result<sql::Target>(profile.error());
        const auto rules = target ? models::alertRules(*target) : sql::Result<QList<sql::AlertRule>>(target.error());
        const auto minutes = rules
            ? sql::readMinutes(**session, one.name, models::alertMetrics(*rules), models::alertSpan(*rules))
            : sql::Result<sql::MinuteSet>(rules.error());
        if (!minutes) {
            notRead.append({ one.name, {}, minutes.error() });
            continue;
        }
        sources.append({ *rules, *minutes });
        names += one.name;
    }
    bool firing = false;
    bool unknown = false;
    QStringList unreported; // by any service
    const QList<models::JudgedAlert> alerts = models::judgedTogether(sources);
    for (const models::JudgedAlert &alert : alerts) {
        const sql::AlertStatus &status = alert.status;
        const bool several = alert.everyTable && sources.size() > 1;
        const QString &table = names.at(alert.source);
        firing = firing || status.state == sql::AlertState::Firing;
        // Whoever does without what services report says so in the profile; silence is no such word.
        unknown = unknown || status.state == sql::AlertState::Unknown;
        if (status.state == sql::AlertState::Unknown && alert.everyTable) {
            unreported += status.rule.id;
        }
        items.append(alertJson(status, several ? QJsonValue() : QJsonValue(table)));
        if (status.state != sql::AlertState::Quiet || context.has(u"all"_s)) {
            rows += QStringList { models::alertStateLabel(status.state), several ? Tr::tr("every table") : table,
                status.rule.title, status.why.isEmpty() ? models::alertValueText(status) : status.why,
                models::alertLimitText(status.rule), timeCell(status.since) };
        }
    }
    if (context.has(u"target"_s) && !any && !registered->isEmpty()) {
        sql::Error error;
        error.kind = sql::ErrorKind::Usage;
        error.what = Tr::tr("“%1” is not registered in this database.").arg(context.value(u"target"_s));
        error.todo = Tr::tr("Alerts are judged from samples, which are taken of registered targets only.");
        return fail(error);
    }
    if (context.json()) {
        printJson({ { u"items"_s, items }, { u"next"_s, QJsonValue() }, { u"not_read"_s, app::jsonOf(notRead) } });
    } else if (!rows.isEmpty()) {
        print(table(
            { Tr::tr("STATE"), Tr::tr("TARGET"), Tr::tr("ALERT"), Tr::tr("NOW"), Tr::tr("LIMIT"), Tr::tr("SINCE") },
            rows));
    } else if (!alerts.isEmpty()) {
        print((notRead.isEmpty() ? Tr::tr("Every alert is quiet.")
                                 : Tr::tr("No alert fires on the tables that could be read."))
            + u'\n');
    }
    noteNotRead(notRead);
    if (firing) {
        return Exit::Failed;
    }
    if (!any) {
        note(nothingRegistered(**session));
        return Exit::Unknown;
    }
    if (alerts.isEmpty() || !notRead.isEmpty() || unknown) {
        note(alerts.isEmpty() ? Tr::tr("Cannot be known: no table could be judged.")
                              : Tr::tr("Cannot be known: some alerts could not be judged."));
        if (!unreported.isEmpty()) {
            note(Tr::tr(
                "No service reports what these need: %1. One that does not apply is switched off in the profile: %2")
                     .arg(unreported.join(u", "_s),
                         u"\"alerts\": [{\"id\": \"%1\", \"off\": true}]"_s.arg(unreported.constFirst())));
        }
        return Exit::Unknown;
    }
    return Exit::Done;
}

Exit runCheck(const Context &context)
{
    if (context.has(u"alerts"_s)) {
        return checkAlerts(context);
    }
    const auto all = checked(context);
    if (!all) {
        return fail(all.error());
    }
    QJsonArray items;
    qsizetype problems = 0;
    qsizetype good = 0;
    qsizetype unanswered = 0;
    qsizetype nothing = 0; // to look at
    QList<models::TargetProblem> notRead;
    for (const Checked &one : *all) {
        if (!one.report) {
            notRead.append({ one.target, {}, one.report.error() });
            continue;
        }
        unanswered += one.report->notRead();
        problems += one.report->count(sql::HealthLevel::Problem);
        good += one.report->count(sql::HealthLevel::Good);
        nothing += one.report->count(sql::HealthLevel::Nothing);
        for (const sql::HealthFinding &finding : one.report->findings) {
            items.append(QJsonObject { { u"target"_s, one.target }, { u"id"_s, finding.id },
                { u"level"_s, sql::healthLevelName(finding.level) }, { u"title"_s, finding.title },
                { u"seen"_s, finding.seen },
                { u"why"_s, finding.why.isEmpty() ? QJsonValue() : QJsonValue(finding.why) },
                { u"sql"_s, finding.sql.isEmpty() ? QJsonValue() : QJsonValue(finding.sql) } });
        }
        if (!context.json()) {
            printFindings(one.target, *one.report, context.has(u"all"_s));
        }
    }
    if (context.json()) {
        printJson({ { u"items"_s, items }, { u"next"_s, QJsonValue() }, { u"not_read"_s, app::jsonOf(notRead) } });
    } else if (!all->isEmpty()) {
        note(Tr::tr("%n problem(s)", nullptr, int(problems)) + u", "_s
            + Tr::tr("%n question(s) answered well.", nullptr, int(good)));
    }
    if (nothing > 0) {
        note(Tr::tr("For %n question(s) there was no row to look at.", nullptr, int(nothing)));
    }
    if (unanswered > 0) {
        note(Tr::tr(
            "%n question(s) could not be answered, because something could not be read.", nullptr, int(unanswered)));
    }
    noteNotRead(notRead);
    if (all->isEmpty()) {
        noteNoneRegistered();
    }
    // A problem that was found is known, whatever else is not.
    return problems > 0                                          ? Exit::Failed
        : all->isEmpty() || !notRead.isEmpty() || unanswered > 0 ? Exit::Unknown
                                                                 : Exit::Done;
}

} // namespace

Command checkCommand()
{
    return { .name = u"check"_s,
        .summary = Tr::tr("the health report: review checklists answered from the live database"),
        .about = Tr::tr(
            "Answers the review checklists from the live database: unique keys, fingerprints, effects, indexes, "
            "retention, "
            "vacuum and more. Each finding says what was seen, why it matters and which SQL would mend it; nothing is "
            "changed. Exit status 1 where there is a problem; else 5 where something could not be read, or no target "
            "is "
            "registered.\n\n"
            "With --alerts it judges the alert rules of the registered targets from their samples instead. What "
            "services "
            "report for the whole database is one alert, not one for each table. Exit status 1 where one fires; else 5 "
            "where one could not be judged, for want of samples, of a target or of the schema."),
        .options = connectOptions() + targetOptions()
            + QList { jsonOption(), Option::flag(u"all"_s, Tr::tr("Also show what is good or quiet.")),
                Option::flag(
                    u"alerts"_s, Tr::tr("The alerts instead of the report; the exit status is 1 where one fires.")) },
        .examples = { { Tr::tr("What is wrong with one table:"), u"check --target app.idempotency_request"_s },
            { Tr::tr("For a monitoring system:"), u"check --alerts --json"_s } },
        .run = runCheck,
        .watched = { QString() } };
}

} // namespace idemdesk::app
