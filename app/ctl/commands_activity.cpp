// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/context.h"
#include "app/ctl/json_out.h"
#include "models/format/time_format.h"
#include "sql/activity/activity_gateway.h"
#include "sql/profile/profile_json.h"

#include <QCoreApplication>
#include <QJsonArray>

using namespace Qt::StringLiterals;

namespace idemdesk::app {

namespace {

struct Tr {
    Q_DECLARE_TR_FUNCTIONS(idemdeskctl)
};

/// The one named by --target, else every shipped profile whose table is here. From the catalogue alone: binding would
/// wait for the very locks that are to be shown.
sql::Result<QList<sql::Target>> chosenTargets(const Context &context, sql::Session &session)
{
    QList<sql::Profile> profiles = sql::shippedProfiles();
    if (context.has(u"target"_s)) {
        const auto profile = context.profile();
        if (!profile) {
            return profile.error();
        }
        profiles = { *profile };
    }
    QList<sql::Target> targets;
    for (const sql::Profile &profile : std::as_const(profiles)) {
        const auto oid = sql::relationOid(session, profile.relation);
        if (!oid) {
            return oid.error();
        }
        if (*oid != 0) {
            sql::Target target;
            target.profile = profile;
            target.relation.oid = *oid;
            targets.append(target);
        }
    }
    return targets;
}

QString ageOf(const std::optional<sql::Timestamp> &since, const sql::Timestamp &now)
{
    return since ? models::TimeFormat::age(*since, now) : QString();
}

} // namespace

Exit runActivity(const QStringList &arguments)
{
    Context context(u"activity"_s);
    context.addConnectOption();
    context.addTargetOption();
    context.addJsonOption();
    if (const auto exit = context.parse(arguments, 0, 0)) {
        return *exit;
    }
    const auto session = context.connect(sql::LaneKind::Control);
    if (!session) {
        return fail(session.error());
    }
    const auto targets = chosenTargets(context, **session);
    if (!targets) {
        return fail(targets.error());
    }
    const auto report = sql::readActivity(**session, *targets);
    if (!report) {
        return fail(report.error());
    }
    if (context.json()) {
        QJsonArray items;
        for (const sql::BackendActivity &backend : report->backends) {
            items.append(jsonOf(backend));
        }
        printJson({ { u"items"_s, items }, { u"now"_s, report->now.toRfc3339() }, { u"complete"_s, report->complete } });
        return Exit::Done;
    }
    QList<QStringList> rows;
    for (const sql::BackendActivity &backend : report->backends) {
        QStringList blockers;
        for (const int pid : backend.blockedBy) {
            blockers += QString::number(pid);
        }
        rows += QStringList { QString::number(backend.pid), backend.user, backend.application, backend.state,
            ageOf(backend.transactionStart, report->now), blockers.join(u","_s), backend.query };
    }
    print(table({ Tr::tr("PID"), Tr::tr("USER"), Tr::tr("APPLICATION"), Tr::tr("STATE"), Tr::tr("TRANSACTION AGE"), Tr::tr("WAITS FOR"), Tr::tr("QUERY") }, rows));
    if (!report->complete) {
        note(Tr::tr("Some sessions belong to other users, and the server hides what they do. A member of pg_read_all_stats sees them."));
    }
    return Exit::Done;
}

} // namespace idemdesk::app
