// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/context.h"
#include "app/ctl/group_option.h"
#include "app/ctl/group_run.h"
#include "app/ctl/json_out.h"
#include "app/ctl/not_read.h"
#include "app/ctl/opened_target.h"
#include "models/format/lock_words.h"
#include "models/format/time_format.h"
#include "sql/actions/registered_profile.h"
#include "sql/actions/registration.h"
#include "sql/activity/activity_gateway.h"
#include "sql/profile/profile_json.h"
#include "sql/types/tr.h"

#include <QJsonArray>
#include <QSet>
#include <QUuid>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::app {

namespace {

/// Profiles of tables that may be here, and the names of those that must be.
struct ActivityProfiles {
    QList<sql::Profile> profiles;
    QSet<QString> mustBeThere;
};

/// Those that are registered and those that are shipped; or the one that --target names.
sql::Result<ActivityProfiles> chosenProfiles(
    const Context &context, sql::Session &session, QList<models::TargetProblem> *notRead)
{
    ActivityProfiles chosen { sql::offeredProfiles(), {} };
    const auto registered = sql::readRegisteredTargets(session);
    if (!registered && registered.error().kind != sql::ErrorKind::Privilege) {
        return registered.error();
    }
    if (!registered) {
        notRead->append({ {}, {}, registered.error() });
    }
    QString wanted = context.value(u"target"_s);
    if (registered && !wanted.isEmpty()) {
        TRY(const auto named, registeredNamed(*registered, wanted));
        wanted = named ? named->name : wanted;
    }
    for (const sql::RegisteredTarget &target : registered ? *registered : QList<sql::RegisteredTarget>()) {
        const auto profile = sql::registeredProfile(session, target);
        if (profile) {
            chosen.profiles.prepend(*profile);
            chosen.profiles.first().name = target.name;
            chosen.mustBeThere.insert(target.name);
        } else {
            notRead->append({ target.name, {}, profile.error() });
        }
    }
    if (context.has(u"target"_s)) {
        chosen.profiles.removeIf([&wanted](const sql::Profile &profile) { return profile.name != wanted; });
        if (chosen.profiles.isEmpty()) {
            TRY(const auto profile, context.profile());
            chosen.profiles = { profile };
        }
        chosen.mustBeThere.insert(wanted);
        notRead->removeIf([&wanted](const models::TargetProblem &problem) { return problem.profileName != wanted; });
    }
    return chosen;
}

/// The one named by --target, else every shipped profile whose table is here. From the catalogue alone: binding would
/// wait for the very locks that are to be shown.
sql::Result<QList<sql::Target>> chosenTargets(
    const Context &context, sql::Session &session, QList<models::TargetProblem> *notRead)
{
    TRY(const auto chosen, chosenProfiles(context, session, notRead));
    QList<sql::Target> targets;
    for (const sql::Profile &profile : chosen.profiles) {
        const auto oid = sql::relationOid(session, profile.relation);
        if (!oid && oid.error().kind != sql::ErrorKind::Privilege) {
            return oid.error();
        }
        if (!oid) {
            notRead->append({ profile.name, {}, oid.error() });
            continue;
        }
        if (*oid == 0 && chosen.mustBeThere.contains(profile.name)) {
            notRead->append({ profile.name, {},
                sql::makeError(sql::ErrorKind::MissingObject,
                    Tr::tr("There is no table or view %1.").arg(profile.relation), Tr::tr("It was dropped or renamed."),
                    Tr::tr("Bind the profile to another table, or take the target out with “idemdeskctl targets "
                           "remove”.")) });
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

namespace {

/// "activity cancel PID" and "activity terminate PID": only a session that is listed, as it is listed.
Exit stopSession(const Context &context)
{
    const QString word = context.positional().constFirst();
    bool number = false;
    const int pid = context.positional().value(1).toInt(&number);
    if ((word != u"cancel" && word != u"terminate") || !number) {
        return fail(usageError(Tr::tr("“%1” is nothing to do here.").arg(context.positional().join(u' ')),
            Tr::tr("Use: idemdeskctl activity cancel|terminate PID --reason TEXT.")));
    }
    if (context.value(u"reason"_s).trimmed().isEmpty()) {
        return misused(Tr::tr("An action needs a reason."), Tr::tr("Say why with --reason; the audit log records it."));
    }
    TRY_OR(fail, const auto session, context.connect(sql::LaneKind::Write));
    QList<models::TargetProblem> notRead;
    TRY_OR(fail, const auto targets, chosenTargets(context, *session, &notRead));
    TRY_OR(fail, const auto report, sql::readActivity(*session, targets));
    const auto found = std::find_if(report.backends.cbegin(), report.backends.cend(),
        [pid](const sql::BackendActivity &backend) { return backend.pid == pid; });
    if (found == report.backends.cend() && (!notRead.isEmpty() || targets.isEmpty())) {
        noteNotRead(notRead);
        fail(sql::makeError(sql::ErrorKind::Other,
            Tr::tr("The session %1 neither holds nor awaits a lock on a table that could be looked at.").arg(pid),
            Tr::tr("Not all tables that the console knows could be looked at."),
            Tr::tr("Name its table with --target.")));
        return Exit::Unknown;
    }
    if (found == report.backends.cend()) {
        return fail(usageError(Tr::tr("The session %1 neither holds nor awaits a lock on a target.").arg(pid),
            Tr::tr("“idemdeskctl activity” lists those that do.")));
    }
    if (word == u"cancel" && found->state.startsWith(u"idle"_s)) {
        return fail(sql::makeError(sql::ErrorKind::Refused,
            Tr::tr("The session %1 runs no statement, so there is nothing to cancel.").arg(pid),
            Tr::tr("It is %1.").arg(found->state), Tr::tr("“activity terminate” ends the session.")));
    }
    const sql::SignalRequest request { QUuid::createUuid().toString(QUuid::WithoutBraces),
        word == u"cancel" ? sql::SignalVerb::Cancel : sql::SignalVerb::Terminate, *found,
        context.value(u"reason"_s).trimmed(), context.value(u"ticket"_s) };
    TRY_OR(fail, const auto outcome, sql::signalBackend(*session, request));
    using Kind = sql::SignalOutcome::Kind;
    if (context.json()) {
        printJson({ { u"id"_s, request.id }, { u"pid"_s, pid }, { u"verb"_s, word },
            { u"outcome"_s, sql::signalOutcomeName(outcome.kind) } });
    } else if (outcome.kind == Kind::Sent) {
        print(Tr::tr("The signal was sent to session %1.").arg(pid) + u'\n');
    } else if (outcome.kind == Kind::Gone) {
        print(Tr::tr("The session %1 was gone already; nothing was sent.").arg(pid) + u'\n');
    }
    if (outcome.kind == Kind::Refused) {
        note(outcome.refusal.line());
        return Exit::Refused;
    }
    return outcome.kind == Kind::Gone ? Exit::Skipped : Exit::Done;
}

Exit runActivity(const Context &context)
{
    if (!context.positional().isEmpty()) {
        return stopSession(context);
    }
    TRY_OR(fail, const auto session, context.connect(sql::LaneKind::Control));
    QList<models::TargetProblem> notRead;
    TRY_OR(fail, const auto targets, chosenTargets(context, *session, &notRead));
    TRY_OR(fail, const auto report, sql::readActivity(*session, targets));
    const Exit exit = notRead.isEmpty() && !targets.isEmpty() ? Exit::Done : Exit::Unknown;
    if (context.json()) {
        QJsonArray items;
        for (const sql::BackendActivity &backend : report.backends) {
            items.append(app::jsonOf(backend));
        }
        printJson({ { u"items"_s, items }, { u"now"_s, report.now.toRfc3339() }, { u"complete"_s, report.complete },
            { u"deadlocks"_s, report.deadlocks }, { u"rollbacks"_s, report.rollbacks },
            { u"standby_conflicts"_s, report.standbyConflicts },
            { u"counted_since"_s, report.countedSince ? QJsonValue(report.countedSince->toRfc3339()) : QJsonValue() },
            { u"not_read"_s, app::jsonOf(notRead) } });
        return exit;
    }
    QList<QStringList> rows;
    for (const sql::BackendActivity &backend : report.backends) {
        QStringList blockers;
        for (const int pid : backend.blockedBy) {
            blockers += QString::number(pid);
        }
        // Where there is little room the last ones are left out.
        rows += QStringList { QString::number(backend.pid), backend.state, ageOf(backend.transactionStart, report.now),
            blockers.join(u","_s), models::lockLabels(backend.locks).join(u"; "_s), backend.user, backend.application,
            backend.query };
    }
    print(table({ Tr::tr("PID"), Tr::tr("STATE"), Tr::tr("TRANSACTION AGE"), Tr::tr("WAITS FOR"), Tr::tr("LOCKS"),
                    Tr::tr("USER"), Tr::tr("APPLICATION"), Tr::tr("QUERY") },
        rows));
    if (!report.complete) {
        note(Tr::tr("Some sessions belong to other users, and the server hides what they do. A member of "
                    "pg_read_all_stats sees them."));
    }
    noteNotRead(notRead);
    if (targets.isEmpty()) {
        note(Tr::tr("No table that the console knows is in this database, so no session was looked at. Name one with "
                    "--target."));
    }
    return exit;
}

} // namespace

Command activityCommand()
{
    return { .name = u"activity"_s,
        .synopsis = u"[cancel|terminate PID]"_s,
        .summary = Tr::tr("sessions and locks on the targets"),
        .about = Tr::tr(
            "Shows sessions and locks on the targets, and who waits for whom. “cancel” ends a session's statement, "
            "“terminate” the session: with this login's own right, and with a row in the audit log before it is sent."),
        .arguments = { { u"cancel|terminate"_s, Tr::tr("End the statement of a session, or the session."), 0, 1,
                           { u"cancel"_s, u"terminate"_s } },
            { u"PID"_s, Tr::tr("The session's process id on the server."), 0, 1, {} } },
        .options = connectOptions() + QList { groupOption().with({ QString() }) } + targetOptions(TargetScope::Every)
            + QList { jsonOption() } + reasonOptions(),
        .examples = { { Tr::tr("Who holds what:"), u"activity"_s },
            { Tr::tr("End the statement of a session:"),
                u"activity cancel 4711 --reason 'holds the claim of a dead worker'"_s } },
        .run = overMembers(runActivity),
        .watched = { QString() } };
}

} // namespace idemdesk::app
