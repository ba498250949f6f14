// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/json_out.h"
#include "app/ctl/opened_target.h"
#include "app/ctl/out/sql_name.h"
#include "app/ctl/run_action.h"
#include "models/actions/action_words.h"
#include "models/format/quantities.h"
#include "sql/actions/triage_reader.h"
#include "sql/session/server_clock.h"
#include "sql/types/tr.h"

#include <QJsonArray>
#include <QUuid>

using namespace Qt::StringLiterals;

namespace idemdesk::app {

namespace {

Exit list(const Context &context, OpenedTarget &opened)
{
    TRY_OR(fail, const auto now, sql::serverNow(*opened.session));
    TRY_OR(fail, const auto partitions, sql::readPartitions(*opened.session, opened.target, now));
    TRY_OR(fail, const auto detached,
        opened.registered ? sql::readDetached(*opened.session, opened.registered->name)
                          : QList<sql::DetachedPartition>());
    QJsonArray items;
    QList<QStringList> rows;
    for (const sql::PartitionFacts &partition : partitions) {
        items.append(QJsonObject { { u"name"_s, partition.name }, { u"bounds"_s, partition.bounds },
            { u"rows"_s, partition.rows }, { u"purgeable"_s, partition.purgeable }, { u"bytes"_s, partition.bytes },
            { u"may_go_whole"_s, partition.onlyPurgeable }, { u"script"_s, partition.script } });
        rows += QStringList { unquotedName(partition.name), models::countText(partition.rows),
            models::countText(partition.purgeable), models::bytesText(partition.bytes),
            partition.onlyPurgeable   ? Tr::tr("may go whole")
                : partition.rows == 0 ? Tr::tr("empty")
                                      : Tr::tr("still needed") };
    }
    QJsonArray gone;
    for (const sql::DetachedPartition &partition : detached) {
        gone.append(QJsonObject { { u"name"_s, partition.name }, { u"bounds"_s, partition.bounds },
            { u"rows"_s, partition.rows }, { u"detached_at"_s, partition.detachedAt.toRfc3339() },
            { u"drop_after"_s, partition.dropAfter.toRfc3339() } });
        rows += QStringList { unquotedName(partition.name), models::countText(partition.rows), u"–"_s, u"–"_s,
            Tr::tr("detached; may be dropped after %1").arg(timeCell(partition.dropAfter)) };
    }
    if (context.json()) {
        printJson({ { u"items"_s, items }, { u"detached"_s, gone } });
    } else if (rows.isEmpty()) {
        print(Tr::tr("The table has no partitions.") + u'\n');
    } else {
        print(
            table({ Tr::tr("PARTITION"), Tr::tr("ROWS"), Tr::tr("MAY GO"), Tr::tr("SIZE"), Tr::tr("VERDICT") }, rows));
    }
    return Exit::Done;
}

Exit runPartitions(const Context &context)
{
    const QString word = context.positional().value(0);
    const auto verb = sql::verbFromName(word);
    const bool changes
        = verb == sql::ActionVerb::Detach || verb == sql::ActionVerb::Attach || verb == sql::ActionVerb::Drop;
    if (!word.isEmpty()
        && (!changes || context.positional().size() < 2 || context.value(u"reason"_s).trimmed().isEmpty())) {
        return misused(Tr::tr("“partitions %1” needs the name of a partition and a --reason.").arg(word),
            Tr::tr("“idemdeskctl partitions” lists them."));
    }
    TRY_OR(fail, auto opened, openTarget(context, changes));
    if (!changes) {
        return list(context, opened);
    }
    const auto now = sql::serverNow(*opened.session);
    const auto session = context.connect(sql::LaneKind::Write);
    if (!now || !session) {
        return fail(now ? session.error() : now.error());
    }
    sql::PartitionRequest request;
    request.verb = *verb;
    request.id = QUuid::createUuid().toString(QUuid::WithoutBraces);
    request.target = opened.registered->name;
    request.partition = context.positional().value(1);
    request.cutoff = *now;
    request.reason = context.value(u"reason"_s);
    request.ticket = context.value(u"ticket"_s);
    TRY_OR(fail, request.partition, sql::partitionName(*opened.session, request.partition));
    TRY_OR(fail, request, sql::approvedRequest(**session, request));
    const auto action = sql::changePartition(**session, request);
    if (!action) {
        const Exit exit = fail(action.error());
        if (request.verb == sql::ActionVerb::Detach && action.error().todo.contains(u"printed script")) {
            note(Tr::tr("The script for the table's owner:"));
            const QString script = sql::detachScript(opened.target, request.partition);
            if (context.json()) { // the document is the error
                note(script);
            } else {
                print(script + u'\n');
            }
        }
        return exit;
    }
    if (context.json()) {
        printJson(app::jsonOf(*action));
    } else if (action->state == sql::ActionState::Requested) {
        print(Tr::tr("Nothing was changed yet: %1 holds more rows than one person may take. Have somebody approve %2, "
                     "then run the same "
                     "command again.")
                  .arg(request.partition, action->id)
            + u'\n');
    } else {
        print(Tr::tr("%1 (%2). Action %3.").arg(models::countsText(action->counts), request.partition, action->id)
            + u'\n');
    }
    return Exit::Done;
}

} // namespace

Command partitionsCommand()
{
    return { .name = u"partitions"_s,
        .synopsis = u"[detach|attach|drop PARTITION]"_s,
        .summary = Tr::tr("partitions that may go whole; detach, attach or drop one"),
        .about = Tr::tr(
            "Lists the partitions of a target, and which hold nothing but rows that may go. “detach” takes one out, "
            "“attach” puts it back, “drop” removes it after its hold. A partition is named as in psql(1). Where the "
            "console "
            "does not own the table, the script for its owner is printed.\n\n"
            "Where a partition holds more rows than one person may take, another one must approve. Then the same "
            "command "
            "carries it out."),
        .arguments = { { u"detach|attach|drop"_s, Tr::tr("What to do with one partition; else they are listed."), 0, 1,
                           { u"detach"_s, u"attach"_s, u"drop"_s } },
            { u"PARTITION"_s, Tr::tr("Its name, with the schema where that is needed."), 0, 1, {} } },
        .options = connectOptions() + targetOptions() + QList { jsonOption() } + reasonOptions(),
        .examples = { { Tr::tr("Which partitions may go:"), u"partitions --target app.idempotency_keys"_s },
            { Tr::tr("Detach one of them:"),
                u"partitions detach app.idempotency_keys_y2026m09 --target app.idempotency_keys "
                "--reason 'past retention'"_s } },
        .run = runPartitions,
        .watched = { QString() } };
}

} // namespace idemdesk::app
