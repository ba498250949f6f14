// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/commands_register.h"
#include "app/ctl/group_option.h"
#include "app/ctl/group_run.h"
#include "app/ctl/json_out.h"
#include "app/ctl/out/sql_name.h"
#include "sql/actions/registration.h"
#include "sql/detect/detect.h"
#include "sql/profile/catalogue.h"
#include "sql/profile/profile_json.h"
#include "sql/types/tr.h"

#include <QHash>
#include <QJsonArray>
#include <limits>

using namespace Qt::StringLiterals;

namespace idemdesk::app {

namespace {

constexpr qint64 kMostApproved = std::numeric_limits<qint32>::max(); // as the server keeps it

/// What is known already of proposed tables, by their names: nobody should register a table twice, nor an archive as a
/// table of its own. Nothing where the login may not see what is registered.
QHash<QString, QString> knownTables(sql::Session &session)
{
    QHash<QString, QString> known;
    const auto registered = sql::readRegisteredTargets(session);
    for (const sql::RegisteredTarget &target : registered ? *registered : QList<sql::RegisteredTarget>()) {
        known.insert(unquotedName(target.relation), Tr::tr("It is registered as “%1” already.").arg(target.name));
        const auto profile = sql::profileFromJson(target.profileJson, target.name);
        if (profile && profile->history) {
            known.insert(
                unquotedName(profile->history->relation), Tr::tr("It is the archive of “%1”.").arg(target.name));
        }
    }
    return known;
}

Exit runDetect(const Context &context)
{
    TRY_OR(fail, const auto session, context.connect());
    if (context.has(u"schema"_s)) {
        TRY_OR(fail, const auto there, sql::hasSchema(*session, context.value(u"schema"_s)));
        if (!there) {
            return misused(Tr::tr("There is no schema “%1” in this database.").arg(context.value(u"schema"_s)),
                Tr::tr("Write its name as the catalogue has it, without quotes."));
        }
    }
    TRY_OR(fail, auto detected, sql::detectTargets(*session, context.value(u"schema"_s)));
    const QHash<QString, QString> known = knownTables(*session);
    for (sql::Proposal &proposal : detected.proposals) {
        if (const QString said = known.value(unquotedName(proposal.profile.relation)); !said.isEmpty()) {
            proposal.reasons.prepend(said);
        }
    }
    const Exit exit = detected.notReadable.isEmpty() && detected.notSampled.isEmpty() ? Exit::Done : Exit::Unknown;
    if (context.json()) {
        QJsonArray items;
        for (const sql::Proposal &proposal : detected.proposals) {
            items.append(app::jsonOf(proposal));
        }
        printJson({ { u"items"_s, items }, { u"not_readable"_s, QJsonArray::fromStringList(detected.notReadable) },
            { u"not_sampled"_s, QJsonArray::fromStringList(detected.notSampled) } });
        return exit;
    }
    QList<QStringList> rows;
    for (const sql::Proposal &proposal : detected.proposals) {
        rows += QStringList { unquotedName(proposal.profile.relation), sql::kindName(proposal.profile.kind),
            QString::number(proposal.confidence) + u" %"_s, proposal.reasons.value(0) };
    }
    print(table({ Tr::tr("TABLE"), Tr::tr("KIND"), Tr::tr("CONFIDENCE"), Tr::tr("STRONGEST REASON") }, rows, true));
    for (const QString &line : detected.notSampled) {
        note(line);
    }
    if (!detected.notReadable.isEmpty()) {
        constexpr qsizetype kNamed = 20;
        const qsizetype more = detected.notReadable.size() - kNamed;
        note(Tr::tr("Not looked at, because this login may not read them: %1.")
                 .arg(detected.notReadable.mid(0, kNamed).join(u", "_s))
            + (more > 0 ? u' ' + Tr::tr("%n more are not named here.", nullptr, int(more)) : QString()));
    }
    return exit;
}

Exit runTargets(const Context &context)
{
    const QString word = context.positional().value(0);
    const QString name = context.positional().value(1);
    if (word.isEmpty()) {
        return listTargets(context);
    }
    if (name.isEmpty()) {
        return fail(usageError(Tr::tr("“targets %1” needs the name of a profile or target, or a file.").arg(word)));
    }
    if (word == u"add") {
        return addTarget(context, name);
    }
    if (word == u"remove") {
        return removeTarget(context, name);
    }
    return checkTarget(context, name);
}

} // namespace

Command detectCommand()
{
    return { .name = u"detect"_s,
        .summary = Tr::tr("find tables that look like targets, and propose a profile for each"),
        .about
        = Tr::tr("Looks at every table and view that this login may read. Names those that look like targets, and "
                 "proposes a profile for each with a confidence and the reasons."),
        .options = connectOptions()
            + QList { jsonOption(),
                Option::text(u"schema"_s, Tr::tr("SCHEMA"), Tr::tr("Look only into this schema.")) },
        .examples = { { Tr::tr("Look through a database:"), u"detect --connect service=orders"_s },
            { Tr::tr("Keep the first proposal as a profile file:"),
                u"detect --schema app --json | jq '.items[0].profile' > target.json"_s } },
        .run = runDetect };
}

Command targetsCommand()
{
    return { .name = u"targets"_s,
        .synopsis = u"[check|add|remove NAME|FILE]"_s,
        .summary = Tr::tr("registered targets; check a profile, register or take out a target"),
        .about = Tr::tr("Lists the targets that are registered in the database; only on those may actions "
                        "run.\n\n“check” validates a profile against the live table. What it finds is what "
                        "“add” refuses or warns of, with the GRANT statements that are missing. The part that "
                        "the console's own function knows needs the role idemdesk_admin; others are told that "
                        "it was not looked at, with exit status 5. Of each query that proves an effect it "
                        "says whether real rows show that the effect is found before its key is marked, or "
                        "that this is not provable here.\n\nA profile file's SQL runs only when somebody has "
                        "seen it: it is shown first, and “yes” must be typed. A script gives the file's "
                        "SHA-256 with --trust. It never runs as a superuser. This holds for --target FILE "
                        "everywhere.\n\n“add” registers a target. Each rule is tried on some rows and taken "
                        "back, and the GRANTs that the table's owner must give first are printed. A rule that "
                        "fails on some rows only is registered with a warning; an action leaves such rows "
                        "alone. It needs the role idemdesk_admin, and refuses what could not work or could "
                        "not be undone. With --dry-run no rule is tried, and everything happens in "
                        "transactions that may only read.\n\n“remove” takes a target out. Its audit rows stay."),
        .arguments = { { u"check|add|remove"_s,
                           Tr::tr("Validate a profile, register a target, or take one out; else they are listed."), 0,
                           1, { u"check"_s, u"add"_s, u"remove"_s } },
            { u"NAME|FILE"_s, Tr::tr("A shipped profile's name, or a profile file; with remove a registered target."),
                0, 1, {} } },
        .options = connectOptions()
            + QList { jsonOption(), groupOption().with({ QString() }),
                Option::flag(u"counts"_s, Tr::tr("How many keys each has in each state.")).with({ QString() }),
                Option::text(
                    u"relation"_s, Tr::tr("TABLE"), Tr::tr("Use the profile on this table instead of its own."))
                    .with({ u"check"_s, u"add"_s }),
                Option::text(u"trust"_s, Tr::tr("SHA256"),
                    Tr::tr("Run the SQL of a profile file without asking, where this is the file's SHA-256."))
                    .with({ u"check"_s, u"add"_s }),
                Option::flag(u"dry-run"_s, Tr::tr("Only say what would happen.")).with({ u"add"_s }),
                Option::number(u"approval-above"_s, 0, kMostApproved,
                    Tr::tr("Actions on more rows than this wait for another person."))
                    .with({ u"add"_s }),
                Option::text(u"undo-window"_s, Tr::tr("INTERVAL"),
                    Tr::tr("How long actions can be undone, as an interval (7 days)."))
                    .with({ u"add"_s }),
                Option::number(u"image-limit"_s, 0, kMostApproved,
                    Tr::tr("Purges of more rows keep copies only by explicit choice."))
                    .with({ u"add"_s }) },
        .examples = { { Tr::tr("Validate a profile before it is registered:"), u"targets check plpgsql-request"_s },
            { Tr::tr("Register it; above 1,000 rows a second person must approve:"),
                u"targets add plpgsql-request --approval-above 1000"_s } },
        .run = overMembers(runTargets, { .sortedBy = Tr::tr("TARGET") }),
        .watched = { QString() } };
}

} // namespace idemdesk::app
