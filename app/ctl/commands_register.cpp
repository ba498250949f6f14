// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/commands_register.h"

#include "app/ctl/json_out.h"
#include "app/ctl/not_read.h"
#include "models/console/registration_steps.h"
#include "models/filter/filter_parser.h"
#include "models/format/quantities.h"
#include "sql/actions/registered_profile.h"
#include "sql/actions/registration.h"
#include "sql/keys/count_reader.h"
#include "sql/profile/binder.h"
#include "sql/profile/profile_json.h"
#include "sql/types/tr.h"

#include <QJsonArray>
#include <QMap>

using namespace Qt::StringLiterals;

namespace idemdesk::app {

namespace {

QString severityText(const QString &severity)
{
    return severity == u"problem" ? Tr::tr("problem")
        : severity == u"grant"    ? Tr::tr("grant")
        : severity == u"warning"  ? Tr::tr("warning")
                                  : Tr::tr("note");
}

/// What registering this profile says; with store false it does not happen.
sql::Result<sql::Registration> registrationOf(const Context &context, sql::Session &reading,
    const sql::Profile &profile, const sql::RegistrationSettings &settings, bool store)
{
    TRY(const auto target, sql::bindTarget(reading, profile));
    TRY(const auto session, context.connect(context.has(u"dry-run"_s) ? sql::LaneKind::Read : sql::LaneKind::Write));
    return sql::registerTarget(*session, target, sql::profileToJson(profile), settings, store);
}

QJsonArray registrationJson(const QList<sql::Registration::Item> &findings)
{
    QJsonArray items;
    for (const sql::Registration::Item &item : findings) {
        items.append(QJsonObject { { u"severity"_s, item.severity }, { u"code"_s, item.code }, { u"path"_s, item.path },
            { u"text"_s, item.text }, { u"sql"_s, textOrNull(item.sql) } });
    }
    return items;
}

void printRegistration(const QList<sql::Registration::Item> &findings)
{
    QList<QStringList> rows;
    for (const sql::Registration::Item &item : findings) {
        rows += QStringList { severityText(item.severity), item.path, item.text };
    }
    if (!rows.isEmpty()) {
        print(table({ Tr::tr("SEVERITY"), Tr::tr("WHERE"), Tr::tr("FINDING") }, rows, true));
    }
    for (const models::RegistrationStep &step : models::registrationSteps(findings)) {
        print(u'\n' + step.who + u"\n\n"_s + step.statements.join(u'\n') + u"\n\n"_s);
    }
}

constexpr qint64 kMostCounted = 10'000; // of a state; more are told as at least so many

/// How many keys a target has in each state, and how many are stuck; a state that could not be counted is not known.
struct TargetCounts {
    QMap<QString, sql::RowCount> states; ///< by the filter's word: "stale", then the states
};

QStringList countedStates()
{
    QStringList names { u"stale"_s };
    for (const sql::KeyState state : sql::kAllStates) {
        names += sql::stateName(state);
    }
    return names;
}

sql::Result<TargetCounts> countsOf(sql::Session &session, const sql::RegisteredTarget &registered)
{
    TRY(const auto profile, sql::registeredProfile(session, registered));
    TRY(const auto target, sql::bindTarget(session, profile));
    TargetCounts counts;
    const QStringList states = countedStates();
    for (const QString &state : states) {
        const auto filter = models::parseFilter(u"state:"_s + state, models::vocabularyOf(target.profile));
        if (!filter || (state == u"stale" && !target.profile.stale)) {
            continue; // the profile does not say what is stuck
        }
        TRY(const auto count, sql::countRows(session, target, *filter, kMostCounted, std::nullopt));
        counts.states.insert(state, count);
    }
    return counts;
}

QJsonObject jsonOf(const TargetCounts &counts)
{
    QJsonObject object;
    const QStringList states = countedStates();
    for (const QString &state : states) {
        const sql::RowCount count = counts.states.value(state);
        object.insert(state,
            count.kind == sql::RowCount::Kind::Exact ? QJsonValue(count.rows)
                : count.kind == sql::RowCount::Kind::Unknown
                ? QJsonValue()
                : QJsonValue(QJsonObject { { u"at_least"_s, count.rows } }));
    }
    return object;
}

/// What there is of each target, by state.
Exit listCounts(const Context &context, sql::Session &session, const QList<sql::RegisteredTarget> &targets)
{
    QJsonArray items;
    QList<QStringList> rows;
    QList<models::TargetProblem> notRead;
    for (const sql::RegisteredTarget &target : targets) {
        const auto counts = countsOf(session, target);
        if (!counts) {
            notRead.append({ target.name, {}, counts.error() });
            continue;
        }
        items.append(QJsonObject {
            { u"name"_s, target.name }, { u"relation"_s, target.relation }, { u"states"_s, jsonOf(*counts) } });
        QStringList cells { target.name };
        const QStringList states = countedStates();
        for (const QString &state : states) {
            cells += counts->states.contains(state) ? models::countText(counts->states.value(state)) : u"–"_s;
        }
        rows += cells;
    }
    QStringList header { Tr::tr("TARGET"), Tr::tr("STUCK") };
    for (const sql::KeyState state : sql::kAllStates) {
        header += sql::stateName(state).toUpper();
    }
    if (context.json()) {
        printJson({ { u"items"_s, items }, { u"not_read"_s, app::jsonOf(notRead) } });
    } else if (!rows.isEmpty()) {
        print(table(header, rows));
    }
    noteNotRead(notRead);
    if (targets.isEmpty()) {
        noteNoneRegistered(session);
    }
    return notRead.isEmpty() && !targets.isEmpty() ? Exit::Done : Exit::Unknown;
}

} // namespace

Exit listTargets(const Context &context)
{
    TRY_OR(fail, const auto session, context.connect());
    TRY_OR(fail, const auto targets, sql::readRegisteredTargets(*session));
    if (context.has(u"counts"_s)) {
        return listCounts(context, *session, targets);
    }
    QJsonArray items;
    QList<QStringList> rows;
    for (const sql::RegisteredTarget &target : targets) {
        const QString above = target.approvalAbove ? QString::number(*target.approvalAbove) : u"–"_s;
        items.append(QJsonObject { { u"name"_s, target.name }, { u"relation"_s, target.relation },
            { u"profile_sha256"_s, target.profileSha },
            { u"approval_above"_s, target.approvalAbove ? QJsonValue(*target.approvalAbove) : QJsonValue() },
            { u"undo_window"_s, target.undoWindow }, { u"image_limit"_s, target.imageLimit },
            { u"registered_by"_s, target.registeredBy }, { u"registered_at"_s, target.registeredAt.toRfc3339() } });
        rows += QStringList { target.name, target.relation, above, target.undoWindow, target.registeredBy,
            timeCell(target.registeredAt) };
    }
    noteIfRestored(*session);
    if (context.json()) {
        printJson({ { u"items"_s, items } });
    } else if (rows.isEmpty()) {
        print(Tr::tr("No target is registered. “idemdeskctl targets add” registers one; it needs the console schema.")
            + u'\n');
    } else {
        print(table({ Tr::tr("TARGET"), Tr::tr("TABLE"), Tr::tr("APPROVAL ABOVE"), Tr::tr("UNDO FOR"),
                        Tr::tr("REGISTERED BY"), Tr::tr("AT") },
            rows));
    }
    return Exit::Done;
}

Exit addTarget(const Context &context, const QString &nameOrFile)
{
    TRY_OR(fail, auto profile, context.profileNamed(nameOrFile));
    if (context.has(u"relation"_s)) {
        profile.relation = context.value(u"relation"_s);
    }
    sql::RegistrationSettings settings;
    if (context.has(u"approval-above"_s)) {
        settings.approvalAbove = context.number(u"approval-above"_s);
    }
    if (context.has(u"image-limit"_s)) {
        settings.imageLimit = context.number(u"image-limit"_s);
    }
    settings.undoWindow = context.value(u"undo-window"_s);
    // What the profile says is planned where nothing can be written; only then the console's own function is
    // called.
    TRY_OR(fail, const auto reading, context.connect());
    TRY_OR(fail, context.checkSession(*reading));
    TRY_OR(fail, auto found, sql::checkedFindings(*reading, profile));
    sql::Registration registration { false, found };
    if (!sql::refuses(found)) {
        TRY_OR(fail, const auto said, registrationOf(context, *reading, profile, settings, !context.has(u"dry-run"_s)));
        registration.registered = said.registered;
        registration.findings += said.findings;
    }
    const bool refused = sql::refuses(registration.findings);
    if (context.json()) {
        printJson({ { u"target"_s, profile.name }, { u"registered"_s, registration.registered },
            { u"findings"_s, registrationJson(registration.findings) } });
    } else {
        printRegistration(registration.findings);
        print((registration.registered ? Tr::tr("%1 is registered.")
                      : refused        ? Tr::tr("%1 is not registered.")
                                       : Tr::tr("%1 can be registered."))
                  .arg(profile.name)
            + u'\n');
        if (registration.registered && !settings.approvalAbove) {
            note(Tr::tr("No limit was given: unless the table has one already, no action on it waits for another "
                        "person. “--approval-above ROWS” sets one."));
        }
    }
    return refused ? Exit::Refused : Exit::Done;
}

/// The same list, without registering anything: what speaks against the profile, and where this login may ask
/// for it what the console's own function would say.
Exit checkTarget(const Context &context, const QString &nameOrFile)
{
    TRY_OR(fail, auto profile, context.profileNamed(nameOrFile));
    if (context.has(u"relation"_s)) {
        profile.relation = context.value(u"relation"_s);
    }
    TRY_OR(fail, const auto session, context.connect());
    TRY_OR(fail, context.checkSession(*session));
    TRY_OR(fail, auto found, sql::checkedFindings(*session, profile));
    QString notAsked;
    bool unknown = false; // the console is there, and what it would say was not to be had
    if (!sql::refuses(found)) {
        const auto said = registrationOf(context, *session, profile, {}, false);
        if (said) {
            found += said->findings;
        } else {
            notAsked = said.error().why.isEmpty() ? said.error().what : said.error().why;
            unknown = said.error().kind == sql::ErrorKind::Privilege || said.error().kind == sql::ErrorKind::Refused;
        }
    }
    const bool refused = sql::refuses(found);
    if (context.json()) {
        printJson({ { u"target"_s, profile.name }, { u"relation"_s, profile.relation },
            { u"ok"_s, refused || !unknown ? QJsonValue(!refused) : QJsonValue() },
            { u"items"_s, registrationJson(found) }, { u"not_asked"_s, textOrNull(notAsked) } });
    } else {
        printRegistration(found);
        if (found.isEmpty()) {
            print(Tr::tr("%1 fits %2: nothing to report.").arg(profile.name, profile.relation) + u'\n');
        }
    }
    noteIfRestored(*session);
    if (!notAsked.isEmpty()) {
        note(Tr::tr("What registering it would find was not looked at: %1").arg(notAsked));
    }
    return refused ? Exit::Failed : unknown ? Exit::Unknown : Exit::Done;
}

Exit removeTarget(const Context &context, const QString &name)
{
    TRY_OR(fail, const auto session, context.connect(sql::LaneKind::Write));
    TRY_OR(fail, sql::unregisterTarget(*session, name));
    if (context.json()) {
        printJson({ { u"target"_s, name }, { u"registered"_s, false } });
    } else {
        print(Tr::tr("%1 is not registered any more; its audit rows stay.").arg(name) + u'\n');
    }
    return Exit::Done;
}

} // namespace idemdesk::app
