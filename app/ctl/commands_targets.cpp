// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/commands_register.h"
#include "app/ctl/json_out.h"
#include "sql/detect/detect.h"
#include "sql/types/tr.h"

#include <QJsonArray>

using namespace Qt::StringLiterals;

namespace idemdesk::app {

Exit runDetect(const QStringList &arguments)
{
    Context context(u"detect"_s);
    context.addConnectOption();
    context.addJsonOption();
    context.parser().addOption({ u"schema"_s, Tr::tr("Look only into this schema."), Tr::tr("SCHEMA") });
    if (const auto exit = context.parse(arguments, 0, 0)) {
        return *exit;
    }
    const auto session = context.connect();
    if (!session) {
        return fail(session.error());
    }
    const auto detected = sql::detectTargets(**session, context.value(u"schema"_s));
    if (!detected) {
        return fail(detected.error());
    }
    const Exit exit = detected->notReadable.isEmpty() && detected->notSampled.isEmpty() ? Exit::Done : Exit::Unknown;
    if (context.json()) {
        QJsonArray items;
        for (const sql::Proposal &proposal : detected->proposals) {
            items.append(jsonOf(proposal));
        }
        printJson({ { u"items"_s, items }, { u"not_readable"_s, QJsonArray::fromStringList(detected->notReadable) },
            { u"not_sampled"_s, QJsonArray::fromStringList(detected->notSampled) } });
        return exit;
    }
    QList<QStringList> rows;
    for (const sql::Proposal &proposal : detected->proposals) {
        rows += QStringList { proposal.profile.relation, sql::kindName(proposal.profile.kind),
            QString::number(proposal.confidence) + u" %"_s, proposal.reasons.value(0) };
    }
    print(table({ Tr::tr("TABLE"), Tr::tr("KIND"), Tr::tr("CONFIDENCE"), Tr::tr("STRONGEST REASON") }, rows, true));
    for (const QString &line : detected->notSampled) {
        note(line);
    }
    if (!detected->notReadable.isEmpty()) {
        constexpr qsizetype kNamed = 20;
        const qsizetype more = detected->notReadable.size() - kNamed;
        note(Tr::tr("Not looked at, because this login may not read them: %1.").arg(detected->notReadable.mid(0, kNamed).join(u", "_s))
            + (more > 0 ? u' ' + Tr::tr("%n more are not named here.", nullptr, int(more)) : QString()));
    }
    return exit;
}

Exit runTargets(const QStringList &arguments)
{
    Context context(u"targets [check|add|remove NAME|FILE]"_s);
    context.addConnectOption();
    context.addJsonOption();
    context.addTrustOption();
    context.parser().addOptions({
        { u"relation"_s, Tr::tr("Use the profile on this table instead of its own."), Tr::tr("TABLE") },
        { u"dry-run"_s, Tr::tr("With add: only say what would happen.") },
        { u"approval-above"_s, Tr::tr("With add: actions on more rows than this wait for another person."),
            Tr::tr("N") },
        { u"undo-window"_s, Tr::tr("With add: how long actions can be undone, as an interval (7 days)."),
            Tr::tr("INTERVAL") },
        { u"image-limit"_s, Tr::tr("With add: purges of more rows keep copies only by explicit choice."), Tr::tr("N") },
    });
    context.parser().addPositionalArgument(u"check|add|remove"_s, Tr::tr("Validate a profile, register a target, or take one out; else they are listed."));
    context.parser().addPositionalArgument(u"NAME|FILE"_s, Tr::tr("A shipped profile's name, or a profile file; with remove a registered target."));
    if (const auto exit = context.parse(arguments, 0, 2)) {
        return *exit;
    }
    const QString word = context.positional().value(0);
    const QString name = context.positional().value(1);
    if (word.isEmpty()) {
        return listTargets(context);
    }
    if (name.isEmpty() || (word != u"check" && word != u"add" && word != u"remove")) {
        note(Tr::tr("idemdeskctl targets: say check, add or remove, and a name."));
        return Exit::Usage;
    }
    if (word == u"add") {
        return addTarget(context, name);
    }
    if (word == u"remove") {
        return removeTarget(context, name);
    }
    return checkTarget(context, name);
}

} // namespace idemdesk::app
