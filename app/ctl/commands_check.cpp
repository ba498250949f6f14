// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/context.h"
#include "app/ctl/group_option.h"
#include "app/ctl/group_run.h"
#include "app/ctl/json_out.h"
#include "app/ctl/line/help_text.h"
#include "app/ctl/not_read.h"
#include "app/ctl/opened_target.h"
#include "models/alerts/alert_board.h"
#include "models/alerts/alert_model.h"
#include "models/alerts/alert_rules.h"
#include "models/format/display_text.h"
#include "models/health/health_model.h"
#include "models/runbook/runbook_table.h"
#include "sql/actions/registered_profile.h"
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

sql::Result<sql::HealthReport> healthOf(sql::Session &session, const sql::RegisteredTarget &registered)
{
    TRY(const auto profile, sql::registeredProfile(session, registered));
    TRY(const auto target, sql::bindTarget(session, profile));
    return sql::readHealth(session, target);
}

/// --target, else every registered target.
sql::Result<QList<Checked>> checked(const Context &context)
{
    QList<Checked> all;
    if (context.has(u"target"_s)) {
        TRY(auto opened, openTarget(context));
        all.append({ context.value(u"target"_s), sql::readHealth(*opened.session, opened.target) });
        return all;
    }
    TRY(const auto session, context.connect(sql::LaneKind::Background));
    TRY(const auto registered, sql::readRegisteredTargets(*session));
    for (const sql::RegisteredTarget &one : registered) {
        all.append({ one.name, healthOf(*session, one) });
    }
    return all;
}

constexpr int kLevelWidth = 20;
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
        const int indent = lineWidth() < kRoomyWidth ? kNarrowIndent : kLevelWidth;
        const QString level = models::healthLevelLabel(finding.level);
        line((indent == kLevelWidth ? level.leftJustified(kLevelWidth) : level + u"  "_s) + target + u": "_s
                + finding.title,
            0);
        const QString runbook = models::runbookForFinding(finding);
        for (const QString &text : { finding.seen, finding.why, finding.sql,
                 runbook.isEmpty() ? QString() : Tr::tr("Runbook: idemdeskctl runbook %1").arg(runbook) }) {
            if (!text.isEmpty()) {
                line(text, indent);
            }
        }
    }
}

QJsonObject alertJson(const sql::AlertStatus &status, const QJsonValue &target, const QString &runbook)
{
    return { { u"target"_s, target }, { u"id"_s, status.rule.id }, { u"title"_s, status.rule.title },
        { u"metric"_s, status.rule.metric }, { u"state"_s, sql::alertStateName(status.state) },
        { u"value"_s, status.value ? QJsonValue(*status.value) : QJsonValue() }, { u"limit"_s, status.rule.limit },
        { u"seconds"_s, status.rule.seconds },
        { u"since"_s, status.since ? QJsonValue(status.since->toRfc3339()) : QJsonValue() },
        { u"why"_s, textOrNull(status.why) }, { u"runbook"_s, textOrNull(runbook) } };
}

/// The rules of the tables that were read, with what they are judged from.
struct AlertSources {
    QList<models::AlertSource> sources;
    QStringList names; ///< by sources
    QList<sql::TargetKind> kinds; ///< by sources
    QList<models::TargetProblem> notRead;
    bool any = false; ///< a table was to be read
};

sql::Result<models::AlertSource> readAlerts(
    sql::Session &session, const sql::RegisteredTarget &registered, sql::TargetKind *kind)
{
    TRY(const auto profile, sql::registeredProfile(session, registered));
    TRY(const auto target, sql::bindTarget(session, profile));
    *kind = profile.kind;
    TRY(const auto rules, models::alertRules(target));
    TRY(const auto minutes,
        sql::readMinutes(session, registered.name, models::alertMetrics(rules), models::alertSpan(rules)));
    return models::AlertSource { rules, minutes };
}

/// Of all registered targets, or of the one that is named.
AlertSources alertSourcesOf(
    sql::Session &session, const QList<sql::RegisteredTarget> &registered, const std::optional<QString> &only)
{
    AlertSources read;
    for (const sql::RegisteredTarget &one : registered) {
        if (only && *only != one.name) {
            continue;
        }
        read.any = true;
        sql::TargetKind kind = sql::TargetKind::Request;
        if (const auto source = readAlerts(session, one, &kind)) {
            read.sources.append(*source);
            read.kinds += kind;
            read.names += one.name;
        } else {
            read.notRead.append({ one.name, {}, source.error() });
        }
    }
    return read;
}

/// The judged alerts as they are shown, and what they come to.
class AlertReport
{
public:
    AlertReport(const AlertSources &read, bool quietToo)
    {
        const QList<models::JudgedAlert> alerts = models::judgedTogether(read.sources);
        m_judged = !alerts.isEmpty();
        for (const models::JudgedAlert &alert : alerts) {
            const bool several = alert.everyTable && read.sources.size() > 1;
            const QString runbook = models::runbookForMetric(alert.status.rule.metric, read.kinds.at(alert.source));
            add(alert, several ? QString() : read.names.at(alert.source), runbook, quietToo);
        }
    }

    const QJsonArray &items() const { return m_items; }
    const QList<QStringList> &rows() const { return m_rows; }
    bool judged() const { return m_judged; } ///< any alert
    bool firing() const { return m_firing; }
    bool unknown() const { return m_unknown; }
    const QStringList &unreported() const { return m_unreported; } ///< rules of what no service reports

private:
    /// table: empty where the alert is of every table.
    void add(const models::JudgedAlert &alert, const QString &table, const QString &runbook, bool quietToo)
    {
        const sql::AlertStatus &status = alert.status;
        m_firing = m_firing || status.state == sql::AlertState::Firing;
        // Whoever does without what services report says so in the profile; silence is no such word.
        m_unknown = m_unknown || status.state == sql::AlertState::Unknown;
        if (status.state == sql::AlertState::Unknown && alert.everyTable) {
            m_unreported += status.rule.id;
        }
        m_items.append(alertJson(status, textOrNull(table), runbook));
        if (status.state != sql::AlertState::Quiet || quietToo) {
            m_rows
                += QStringList { models::alertStateLabel(status.state), table.isEmpty() ? Tr::tr("every table") : table,
                       status.rule.title, status.why.isEmpty() ? models::alertValueText(status) : status.why,
                       models::alertLimitText(status.rule), timeCell(status.since), runbook };
        }
    }

    QJsonArray m_items;
    QList<QStringList> m_rows;
    QStringList m_unreported;
    bool m_judged = false;
    bool m_firing = false;
    bool m_unknown = false;
};

void printAlerts(const Context &context, const AlertReport &report, const QList<models::TargetProblem> &notRead)
{
    if (context.json()) {
        printJson(
            { { u"items"_s, report.items() }, { u"next"_s, QJsonValue() }, { u"not_read"_s, app::jsonOf(notRead) } });
    } else if (!report.rows().isEmpty()) {
        print(table({ Tr::tr("STATE"), Tr::tr("TARGET"), Tr::tr("ALERT"), Tr::tr("NOW"), Tr::tr("LIMIT"),
                        Tr::tr("SINCE"), Tr::tr("RUNBOOK") },
            report.rows(), { Tr::tr("ALERT"), Tr::tr("NOW"), Tr::tr("LIMIT") }));
    } else if (report.judged()) {
        print((notRead.isEmpty() ? Tr::tr("Every alert is quiet.")
                                 : Tr::tr("No alert fires on the tables that could be read."))
            + u'\n');
    }
    noteNotRead(notRead);
}

/// The alert rules of the registered targets, or of the one that --target names.
Exit checkAlerts(const Context &context)
{
    TRY_OR(fail, const auto session, context.connect(sql::LaneKind::Background));
    TRY_OR(fail, const auto registered, sql::readRegisteredTargets(*session));
    TRY_OR(fail, const auto wanted, registeredNamed(registered, context.value(u"target"_s)));
    const AlertSources read = alertSourcesOf(*session, registered,
        context.has(u"target"_s) ? std::optional(wanted ? wanted->name : QString()) : std::nullopt);
    if (context.has(u"target"_s) && !read.any && !registered.isEmpty()) {
        return fail(sql::makeError(sql::ErrorKind::Usage,
            Tr::tr("“%1” is not registered in this database.").arg(context.value(u"target"_s)), {},
            Tr::tr("Alerts are judged from samples, which are taken of registered targets only.")));
    }
    const AlertReport report(read, context.has(u"all"_s));
    printAlerts(context, report, read.notRead);
    if (report.firing()) {
        return Exit::Failed;
    }
    if (!read.any) {
        note(nothingRegistered(*session));
        return Exit::Unknown;
    }
    if (!report.judged() || !read.notRead.isEmpty() || report.unknown()) {
        note(report.judged() ? Tr::tr("Cannot be known: some alerts could not be judged.")
                             : Tr::tr("Cannot be known: no table could be judged."));
        if (const QStringList unreported = report.unreported(); !unreported.isEmpty()) {
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
    TRY_OR(fail, const auto all, checked(context));
    QJsonArray items;
    qsizetype problems = 0;
    qsizetype good = 0;
    qsizetype unanswered = 0;
    qsizetype nothing = 0; // to look at
    QList<models::TargetProblem> notRead;
    for (const Checked &one : all) {
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
                { u"seen"_s, finding.seen }, { u"why"_s, textOrNull(finding.why) },
                { u"sql"_s, textOrNull(finding.sql) },
                { u"runbook"_s, textOrNull(models::runbookForFinding(finding)) } });
        }
        if (!context.json()) {
            printFindings(one.target, *one.report, context.has(u"all"_s));
        }
    }
    if (context.json()) {
        printJson({ { u"items"_s, items }, { u"next"_s, QJsonValue() }, { u"not_read"_s, app::jsonOf(notRead) } });
    } else if (!all.isEmpty()) {
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
    if (all.isEmpty()) {
        TRY_OR(fail, const auto session, context.connect());
        noteNoneRegistered(*session);
    }
    // A problem that was found is known, whatever else is not.
    return problems > 0                                         ? Exit::Failed
        : all.isEmpty() || !notRead.isEmpty() || unanswered > 0 ? Exit::Unknown
                                                                : Exit::Done;
}

} // namespace

Command checkCommand()
{
    return { .name = u"check"_s,
        .summary = Tr::tr("the health report: review checklists answered from the live database"),
        .about = Tr::tr("Answers the review checklists from the live database: unique keys, fingerprints, "
                        "effects, indexes, retention, vacuum and more. Each finding says what was seen, why "
                        "it matters, which SQL would fix it, and which runbook is about it; nothing is changed. Exit "
                        "status 1 where there "
                        "is a problem; else 5 where something could not be read, or no target is "
                        "registered.\n\nWith --alerts it judges the alert rules of the registered targets "
                        "from their samples instead. What services report for the whole database is one "
                        "alert, not one for each table. Exit status 1 where one fires; else 5 where one could "
                        "not be judged, for want of samples, of a target or of the schema."),
        .options = connectOptions() + QList { groupOption() } + targetOptions(TargetScope::Every)
            + QList { jsonOption(), Option::flag(u"all"_s, Tr::tr("Also show what is good or quiet.")),
                Option::flag(
                    u"alerts"_s, Tr::tr("The alerts instead of the report; the exit status is 1 where one fires.")) },
        .examples = { { Tr::tr("What is wrong with one table:"), u"check --target app.idempotency_request"_s },
            { Tr::tr("For a monitoring system:"), u"check --alerts --json"_s } },
        .run = overMembers(runCheck),
        .watched = { QString() } };
}

} // namespace idemdesk::app
