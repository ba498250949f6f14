// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/commands_register.h"

#include "app/ctl/json_out.h"
#include "sql/actions/registration.h"
#include "sql/profile/binder.h"
#include "sql/profile/profile_json.h"
#include "sql/types/tr.h"

#include <QJsonArray>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::app {

namespace {

QString severityWord(sql::Finding::Severity severity)
{
    return severity == sql::Finding::Severity::Problem ? u"problem"_s : severity == sql::Finding::Severity::Warning ? u"warning"_s : u"note"_s;
}

QString severityText(const QString &severity)
{
    return severity == u"problem" ? Tr::tr("problem") : severity == u"grant" ? Tr::tr("grant") : severity == u"warning" ? Tr::tr("warning") : Tr::tr("note");
}

} // namespace

Exit listTargets(const Context &context)
{
    const auto session = context.connect();
    if (!session) {
        return fail(session.error());
    }
    const auto targets = sql::readRegisteredTargets(**session);
    if (!targets) {
        return fail(targets.error());
    }
    QJsonArray items;
    QList<QStringList> rows;
    for (const sql::RegisteredTarget &target : *targets) {
        const QString above = target.approvalAbove ? QString::number(*target.approvalAbove) : u"–"_s;
        items.append(QJsonObject { { u"name"_s, target.name }, { u"relation"_s, target.relation }, { u"profile_sha256"_s, target.profileSha },
            { u"approval_above"_s, target.approvalAbove ? QJsonValue(*target.approvalAbove) : QJsonValue() }, { u"undo_window"_s, target.undoWindow },
            { u"image_limit"_s, target.imageLimit }, { u"registered_by"_s, target.registeredBy }, { u"registered_at"_s, target.registeredAt.toRfc3339() } });
        rows += QStringList { target.name, target.relation, above, target.undoWindow, target.registeredBy, target.registeredAt.toRfc3339() };
    }
    if (context.json()) {
        printJson({ { u"items"_s, items } });
    } else if (rows.isEmpty()) {
        print(Tr::tr("No target is registered. “idemdeskctl targets add” registers one; it needs the console schema.") + u'\n');
    } else {
        print(table({ Tr::tr("TARGET"), Tr::tr("TABLE"), Tr::tr("APPROVAL ABOVE"), Tr::tr("UNDO FOR"), Tr::tr("REGISTERED BY"), Tr::tr("AT") }, rows));
    }
    return Exit::Done;
}

Exit addTarget(const Context &context, const QString &nameOrFile)
{
    auto profile = context.profileNamed(nameOrFile);
    if (!profile) {
        return fail(profile.error());
    }
    if (context.has(u"relation"_s)) {
        profile->relation = context.value(u"relation"_s);
    }
    sql::RegistrationSettings settings;
    bool number = true;
    if (context.has(u"approval-above"_s)) {
        settings.approvalAbove = context.value(u"approval-above"_s).toLongLong(&number);
    }
    if (number && context.has(u"image-limit"_s)) {
        settings.imageLimit = context.value(u"image-limit"_s).toLongLong(&number);
    }
    settings.undoWindow = context.value(u"undo-window"_s);
    if (!number) {
        note(Tr::tr("--approval-above and --image-limit take numbers of rows."));
        return Exit::Usage;
    }
    // What the profile says is planned where nothing can be written; only then the console's own function is called.
    const auto reading = context.connect();
    if (!reading) {
        return fail(reading.error());
    }
    if (const auto allowed = context.checkSession(**reading); !allowed) {
        return fail(allowed.error());
    }
    const auto target = sql::bindTarget(**reading, *profile);
    if (!target) {
        return fail(target.error());
    }
    // What “targets check” finds is the beginning of the list: a problem there is refused here.
    const auto checked = sql::validateTarget(**reading, *profile);
    if (!checked) {
        return fail(checked.error());
    }
    const bool sound = std::none_of(checked->cbegin(), checked->cend(), [](const sql::Finding &finding) { return finding.severity == sql::Finding::Severity::Problem; });
    const auto session = context.connect(sql::LaneKind::Write);
    if (!session) {
        return fail(session.error());
    }
    auto registration = !sound ? sql::Result<sql::Registration>(sql::Registration()) : sql::registerTarget(**session, *target, sql::profileToJson(*profile), settings, !context.has(u"dry-run"_s));
    if (!registration) {
        return fail(registration.error());
    }
    QList<sql::Registration::Item> found;
    for (const sql::Finding &finding : *checked) {
        found.append({ severityWord(finding.severity), u"check"_s, (finding.jsonPath + u' ' + finding.text).trimmed(), {} });
    }
    registration->findings = found + registration->findings;
    bool refused = false;
    QJsonArray items;
    QList<QStringList> rows;
    QStringList grants;
    for (const sql::Registration::Item &item : registration->findings) {
        refused = refused || item.severity == u"problem" || item.severity == u"grant";
        items.append(QJsonObject { { u"severity"_s, item.severity }, { u"code"_s, item.code }, { u"text"_s, item.text },
            { u"sql"_s, item.sql.isEmpty() ? QJsonValue() : QJsonValue(item.sql) } });
        rows += QStringList { severityText(item.severity), item.text };
        if (!item.sql.isEmpty()) {
            grants += item.sql + u';';
        }
    }
    if (context.json()) {
        printJson({ { u"target"_s, profile->name }, { u"registered"_s, registration->registered }, { u"findings"_s, items } });
    } else {
        if (!rows.isEmpty()) {
            print(table({ Tr::tr("SEVERITY"), Tr::tr("FINDING") }, rows, true));
        }
        if (!grants.isEmpty()) {
            print(u'\n' + Tr::tr("The owner of the table runs this first:") + u"\n\n"_s + grants.join(u'\n') + u"\n\n"_s);
        }
        print((registration->registered ? Tr::tr("%1 is registered.")
                  : refused             ? Tr::tr("%1 is not registered.")
                                        : Tr::tr("%1 can be registered.")).arg(profile->name) + u'\n');
    }
    return refused ? Exit::Refused : Exit::Done;
}

Exit removeTarget(const Context &context, const QString &name)
{
    const auto session = context.connect(sql::LaneKind::Write);
    if (!session) {
        return fail(session.error());
    }
    if (const auto done = sql::unregisterTarget(**session, name); !done) {
        return fail(done.error());
    }
    if (context.json()) {
        printJson({ { u"target"_s, name }, { u"registered"_s, false } });
    } else {
        print(Tr::tr("%1 is not registered any more; its trail stays.").arg(name) + u'\n');
    }
    return Exit::Done;
}

} // namespace idemdesk::app
