// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/action_id.h"
#include "app/ctl/decision.h"
#include "app/ctl/group_action.h"
#include "app/ctl/json_out.h"
#include "app/ctl/not_read.h"
#include "app/ctl/opened_target.h"
#include "app/ctl/run_action.h"
#include "models/actions/action_words.h"
#include "models/format/display_text.h"
#include "models/format/quantities.h"
#include "sql/actions/registration.h"
#include "sql/cache/cache_release.h"
#include "sql/types/tr.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QUuid>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::app {

namespace {

constexpr int kMostItemsShown = 1'000'000;
constexpr int kItemsAtOnce = 500;
constexpr int kMostActions = 10'000;
constexpr int kEntryCharacters = 200;

QStringList verbWords()
{
    QStringList words;
    for (const sql::ActionVerb verb : sql::kAllVerbs) {
        words += sql::verbName(verb);
    }
    return words;
}

Exit printActions(const Context &context, const QList<sql::ActionRecord> &actions, const QString &none)
{
    if (context.json()) {
        QJsonArray items;
        for (const sql::ActionRecord &action : actions) {
            items.append(app::jsonOf(action));
        }
        printJson({ { u"items"_s, items } });
        return Exit::Done;
    }
    if (actions.isEmpty()) {
        print(none + u'\n');
        return Exit::Done;
    }
    QList<QStringList> rows;
    for (const sql::ActionRecord &action : actions) {
        rows += QStringList { action.id, models::verbLabel(action.verb), action.target,
            models::actionStateLabel(action), timeCell(action.requestedAt), action.requestedBy,
            models::countText(action.plannedRows), models::outcomeText(action), action.reason, action.ticket };
    }
    print(table({ Tr::tr("ACTION"), Tr::tr("WHAT"), Tr::tr("TARGET"), Tr::tr("STATE"), Tr::tr("ASKED AT"), Tr::tr("BY"),
                    Tr::tr("PLANNED"), Tr::tr("OUTCOME"), Tr::tr("REASON"), Tr::tr("TICKET") },
        rows));
    return Exit::Done;
}

/// Its id was given as that of an action: nothing takes it back, but what came of it is known.
sql::Error ofRelease(const QString &id, const sql::SeenRelease &release)
{
    const QString entry = models::displayText(release.entry, kEntryCharacters);
    const QString what = Tr::tr("%1 is the release of a cached claim, which cannot be undone.").arg(id);
    const QString asked = Tr::tr("%1 asked for it at %2: %3.")
                              .arg(models::displayText(release.requestedBy, kEntryCharacters), release.requestedAt,
                                  models::displayText(release.reason, kEntryCharacters));
    const QString outcome = release.outcome == u"deleted" ? Tr::tr("The entry %1 was deleted from the cache.")
        : release.outcome == u"changed" ? Tr::tr("The entry %1 was not deleted, as it had been changed.")
        : release.outcome == u"gone"    ? Tr::tr("The entry %1 was gone already; nothing was deleted.")
        : release.outcome == u"refused" ? Tr::tr("The cache refused it, so the entry %1 was not deleted.")
                                        : Tr::tr("Whether the entry %1 was deleted is not known.");
    return sql::makeError(sql::ErrorKind::Refused, what, asked + u' ' + outcome.arg(entry),
        release.outcome == u"deleted" ? Tr::tr("The next retry writes one of its own.") : Tr::tr("Look at the key."));
}

sql::Result<sql::ActionRecord> actionNamed(sql::Session &session, const QString &written)
{
    TRY(const auto id, wholeActionId(session, written));
    TRY(const auto found, sql::readAction(session, id));
    if (found.has_value()) {
        return *found;
    }
    if (const auto release = sql::seenRelease(session, id)) {
        return ofRelease(id, *release);
    }
    sql::ActionFilter whole;
    whole.group = id;
    TRY(const auto parts, sql::readActions(session, whole));
    if (!parts.isEmpty()) {
        return usageError(Tr::tr("%1 is the id of an action over a group.").arg(id),
            Tr::tr("Give --group as well, or the id of its part here: %1.").arg(parts.constFirst().id));
    }
    return usageError(Tr::tr("There is no action %1 in this database.").arg(id));
}

QString cellsText(const sql::Cells &cells)
{
    QStringList parts;
    for (const sql::Cell &cell : cells) {
        parts += cell.null ? u"–"_s : cell.text;
    }
    return parts.join(u" / "_s);
}

QJsonObject imageJson(const QStringList &columns, const sql::Cells &image)
{
    QJsonObject object;
    for (qsizetype i = 0; i < columns.size() && i < image.size(); ++i) {
        object.insert(columns.at(i), image.at(i).null ? QJsonValue() : QJsonValue(image.at(i).text));
    }
    return object;
}

/// "status: processing → failed_retryable; locked_until: … → –"
QString changesText(const sql::ActionItem &item)
{
    QStringList changes;
    const auto text = [](const sql::Cell &cell) { return cell.null ? u"–"_s : cell.text; };
    for (qsizetype i = 0; i < item.columns.size() && i < item.before.size() && i < item.after.size(); ++i) {
        if (!(item.before.at(i) == item.after.at(i))) {
            changes += u"%1: %2 → %3"_s.arg(item.columns.at(i), text(item.before.at(i)), text(item.after.at(i)));
        }
    }
    return changes.isEmpty() ? item.detail : changes.join(u"; "_s);
}

/// The action over a group of databases that this one is a part of, as its plan says; empty: of none.
QJsonObject groupOfPlan(const sql::ActionRecord &action)
{
    return QJsonDocument::fromJson(action.planJson).object().value(u"group"_s).toObject();
}

Exit showAction(const Context &context, sql::Session &session, const sql::ActionRecord &action)
{
    const QJsonObject group = groupOfPlan(action);
    QList<sql::ActionItem> items;
    while (items.size() < kMostItemsShown) {
        TRY_OR(fail, const auto more,
            sql::readItems(session, action.id, items.isEmpty() ? 0 : items.constLast().batch,
                items.isEmpty() ? 0 : items.constLast().ordinal, kItemsAtOnce));
        items += more;
        if (more.size() < kItemsAtOnce) {
            break;
        }
    }
    if (context.json()) {
        QJsonArray list;
        for (const sql::ActionItem &item : items) {
            list.append(QJsonObject { { u"batch"_s, item.batch }, { u"row"_s, item.ordinal },
                { u"identity"_s, jsonOf(item.identity) }, { u"outcome"_s, item.outcome }, { u"detail"_s, item.detail },
                { u"before"_s, imageJson(item.columns, item.before) },
                { u"after"_s, imageJson(item.columns, item.after) },
                { u"put_back_by"_s, textOrNull(item.restoredBy) } });
        }
        QJsonObject object = app::jsonOf(action);
        object.insert(u"items"_s, list);
        object.insert(u"group"_s, group.isEmpty() ? QJsonValue() : QJsonValue(group));
        printJson(object);
        return Exit::Done;
    }
    const Exit exit = printActions(context, { action }, {});
    if (!group.isEmpty()) {
        print(Tr::tr("It is the part of %1 in an action over the group %2, whose id is %3.")
                  .arg(group.value(u"member"_s).toString(), group.value(u"name"_s).toString(),
                      group.value(u"id"_s).toString())
            + u'\n');
    }
    if (!items.isEmpty()) {
        noteIfRestored(session);
    }
    QList<QStringList> rows;
    for (const sql::ActionItem &item : items) {
        rows += QStringList { cellsText(item.identity), models::outcomeLabel(item.outcome, item.detail),
            changesText(item), item.restoredBy.isEmpty() ? QString() : Tr::tr("restored") };
    }
    if (!rows.isEmpty()) {
        print(u'\n' + table({ Tr::tr("KEY"), Tr::tr("OUTCOME"), Tr::tr("CHANGE"), Tr::tr("UNDONE") }, rows));
    }
    return exit;
}

Exit changeState(const Context &context, sql::ActionState state)
{
    TRY_OR(fail, const auto session, context.connect(sql::LaneKind::Write));
    TRY_OR(fail, const auto id, wholeActionId(*session, context.positional().value(1)));
    const auto action = sql::setAction(*session, id, state, context.value(u"reason"_s));
    return action ? printActions(context, { *action }, {}) : fail(action.error());
}

Exit decide(const Context &context, bool approve)
{
    TRY_OR(fail, const auto session, context.connect(sql::LaneKind::Write));
    TRY_OR(fail, const auto id, wholeActionId(*session, context.positional().constFirst()));
    if (!context.json()) { // what is decided on, before it is
        TRY_OR(fail, const auto decision, models::readDecision(*session, id));
        if (decision) {
            printDecision(*decision);
        }
    }
    TRY_OR(fail, const auto action, sql::approveAction(*session, id, approve, context.value(u"reason"_s)));
    const bool over = action.state == sql::ActionState::Finished;
    if (approve && over && !context.json()) {
        note(Tr::tr("It is approved, and done."));
    } else if (approve && !context.json()) {
        note(Tr::tr("It is approved; “idemdeskctl actions resume %1” runs it.").arg(action.id));
    }
    return printActions(context, { action }, {});
}

/// What one member did as its part of an action over the group. Anybody may have given an action that id: where several
/// are not put back, a person says which one is meant.
PlannedAction partToUndo(const Context &context, const QString &group)
{
    const auto session = context.connect();
    if (!session) {
        return { {}, fail(session.error()) };
    }
    if (noteNotInstalled(**session, Tr::tr("so no action is known"))) {
        return { {}, Exit::Unknown };
    }
    sql::ActionFilter filter;
    filter.group = group;
    filter.limit = kMostActions;
    const auto actions = sql::readActions(**session, filter);
    if (!actions) {
        return { {}, fail(actions.error()) };
    }
    QList<sql::ActionRecord> left;
    bool any = false;
    for (const sql::ActionRecord &action : *actions) {
        if (action.verb == sql::ActionVerb::Undo) {
            continue;
        }
        any = true;
        const auto back = sql::readPutBack(**session, action.id);
        if (!back) {
            return { {}, fail(back.error()) };
        }
        if (*back == 0 || *back < action.counts.value(u"done"_s) + action.counts.value(u"purged"_s)) {
            left += action;
        }
    }
    if (!context.json() && any) {
        printActions(context, left.isEmpty() ? *actions : left, {});
    }
    if (left.size() > 1) {
        return { {},
            fail(sql::makeError(sql::ErrorKind::Refused, Tr::tr("Several actions have this group id here."),
                Tr::tr("One of them may be somebody else's."),
                Tr::tr("Undo the one that is meant in this member, by its own id."))) };
    }
    if (left.isEmpty()) {
        if (!any) {
            return { {},
                failAbsent(sql::makeError(
                    sql::ErrorKind::MissingObject, Tr::tr("No action with this group id was asked for here."))) };
        }
        note(Tr::tr("All of it was put back already."));
        return {};
    }
    return { .exit = Exit::Done, .undone = left.constFirst() };
}

Exit undoGroup(const Context &context, const QString &written)
{
    const QUuid id(written);
    if (id.isNull()) {
        return misused(Tr::tr("With --group, “undo” takes the whole id that the action over the group told."),
            Tr::tr("“idemdeskctl actions show” tells it, and so does the audit log."));
    }
    const QString group = id.toString(QUuid::WithoutBraces);
    return runGroupAction(
        context, [&group](const Context &member) { return partToUndo(member, group); }, group);
}

Exit runActions(const Context &context)
{
    const QString word = context.positional().value(0);
    const QString id = context.positional().value(1);
    if (!word.isEmpty() && id.isEmpty()) {
        return misused(
            Tr::tr("“%1” needs the id of an action.").arg(word), Tr::tr("“idemdeskctl actions” lists them."));
    }
    if (word == u"pause" || word == u"cancel") {
        return changeState(context, word == u"pause" ? sql::ActionState::Paused : sql::ActionState::Cancelled);
    }
    if (word == u"undo") {
        if (context.value(u"reason"_s).trimmed().isEmpty()) {
            return misused(Tr::tr("--reason is missing: say why it is undone."));
        }
        if (context.has(u"group"_s)) {
            return undoGroup(context, id);
        }
        TRY_OR(fail, auto reading, context.connect());
        TRY_OR(fail, const auto of, actionNamed(*reading, id));
        reading.reset();
        return runAction(context, [&](models::ActionRunner &runner) {
            runner.startUndo(QUuid::createUuid().toString(QUuid::WithoutBraces), of.id, context.value(u"reason"_s),
                context.value(u"ticket"_s), of.verb);
        });
    }
    TRY_OR(fail, const auto session, context.connect());
    if (noteNotInstalled(*session, Tr::tr("so no action is known"))) {
        return Exit::Unknown;
    }
    if (word == u"show" || word == u"resume") {
        TRY_OR(fail, const auto action, actionNamed(*session, id));
        if (word == u"show") {
            return showAction(context, *session, action);
        }
        if (!action.open() || action.state == sql::ActionState::Requested) {
            return fail(sql::makeError(sql::ErrorKind::Other,
                Tr::tr("The action is not paused or running; it is: %1.").arg(models::actionStateLabel(action.state))));
        }
        return runAction(context, [&action](models::ActionRunner &runner) { runner.takeOver(action); });
    }
    TRY_OR(fail, const auto target, targetOfTrail(context, *session));
    sql::ActionFilter filter;
    filter.target = target;
    filter.person = context.value(u"by"_s);
    filter.reasonOrTicket = context.value(u"text"_s);
    filter.limit = context.number(u"limit"_s);
    if (context.has(u"verb"_s)) {
        filter.verb = sql::verbFromName(context.value(u"verb"_s));
    }
    const auto actions = sql::readActions(*session, filter);
    const bool all
        = !context.has(u"target"_s) && !context.has(u"by"_s) && !context.has(u"verb"_s) && !context.has(u"text"_s);
    return actions ? printActions(context, *actions,
               all ? Tr::tr("No action was ever asked for here.") : Tr::tr("No action matches that."))
                   : fail(actions.error());
}

Exit runRequests(const Context &context)
{
    TRY_OR(fail, const auto session, context.connect());
    if (noteNotInstalled(*session, Tr::tr("so no request is known"))) {
        return Exit::Unknown;
    }
    sql::ActionFilter filter;
    filter.state = sql::ActionState::Requested;
    const auto actions = sql::readActions(*session, filter);
    const auto targets = actions && !actions->isEmpty()
        ? sql::readRegisteredTargets(*session)
        : sql::Result<QList<sql::RegisteredTarget>>(QList<sql::RegisteredTarget>());
    if (!actions || !targets) {
        return fail(actions ? targets.error() : actions.error());
    }
    QJsonArray items;
    for (const sql::ActionRecord &action : *actions) {
        TRY_OR(fail, const auto decision, models::readDecision(*session, action, *targets));
        items.append(decisionJson(decision));
        if (!context.json()) {
            printDecision(decision);
        }
    }
    if (context.json()) {
        printJson({ { u"items"_s, items } });
    } else if (items.isEmpty()) {
        print(Tr::tr("Nothing waits for approval.") + u'\n');
    }
    return Exit::Done;
}

Exit runApprove(const Context &context)
{
    return decide(context, !context.has(u"decline"_s));
}

QList<Option> undoGroupOptions()
{
    QList<Option> options;
    for (const Option &option : groupActionOptions()) {
        options += option.with({ u"undo"_s });
    }
    return options;
}

} // namespace

Command actionsCommand()
{
    return { .name = u"actions"_s,
        .synopsis = u"[show|pause|resume|cancel|undo ID]"_s,
        .summary = Tr::tr("the history of actions; show, pause, resume, cancel, undo one"),
        .about
        = Tr::tr("The history of actions. Any operator may pause, resume or cancel one, also of a console that went "
                 "away. An undo puts back rows that nobody touched since; it needs a --reason.\n\n"
                 "What was done over a group is undone in all its members by “undo --group” and the id of the whole. "
                 "Each member acts by its own rights; one that fails is named."),
        .arguments
        = { { u"show|pause|resume|cancel|undo"_s, Tr::tr("What to do with one action; else they are listed."), 0, 1,
                { u"show"_s, u"pause"_s, u"resume"_s, u"cancel"_s, u"undo"_s } },
            { u"ID"_s, Tr::tr("The action's id, or the beginning of it that no other has."), 0, 1, {} } },
        .options = connectOptions()
            + QList { jsonOption(),
                Option::text(u"target"_s, Tr::tr("NAME"),
                    Tr::tr("Only actions on this target: its name, table, or a beginning that no other has.")),
                Option::text(u"by"_s, Tr::tr("LOGIN"), Tr::tr("Only actions that this login asked for.")),
                Option::word(u"verb"_s, verbWords(), Tr::tr("Only this kind.")),
                Option::text(
                    u"text"_s, Tr::tr("TEXT"), Tr::tr("Only actions with this text in their reason or ticket.")),
                Option::number(u"limit"_s, 1, kMostActions, Tr::tr("At most so many, the newest first."), u"50"_s),
                Option::flag(u"no-pauses"_s, Tr::tr("Do not wait between batches.")).with({ u"resume"_s, u"undo"_s }) }
            + undoGroupOptions() + reasonOptions(),
        .examples = { { Tr::tr("What was done lately for a ticket:"), u"actions --text OPS-7"_s },
            { Tr::tr("Take back a recovery:"), u"actions undo 7d444840 --reason 'the worker was alive'"_s },
            { Tr::tr("Take back what was done in all members of a group:"),
                u"actions undo 0b1f9c0e-5a57-4a5e-9b43-0f8a4f4f9f11 --group payments.json "
                "--reason 'wrong filter'"_s } },
        .run = runActions,
        .watched = { QString(), u"show"_s } };
}

Command requestsCommand()
{
    return { .name = u"requests"_s,
        .summary = Tr::tr("actions that wait for another person"),
        .about = Tr::tr(
            "Shows the actions that wait for another person, and what is decided on: the kind, the table, how many "
            "rows, the scopes, a purge's cutoff, the reason, the ticket and the limit that asked for it. With "
            "--verbose also the SQL that the server would run."),
        .options = connectOptions() + QList { jsonOption() },
        .examples = { { Tr::tr("What waits:"), u"requests"_s },
            { Tr::tr("Who asked, for a script:"), u"requests --json | jq -r '.items[].requested_by'"_s } },
        .run = runRequests,
        .watched = { QString() } };
}

Command approveCommand()
{
    return { .name = u"approve"_s,
        .synopsis = u"ID"_s,
        .summary = Tr::tr("approve or decline a request"),
        .about = Tr::tr("Shows what an action that waits would do, as “requests” does, and decides on it. Whoever "
                        "asked for it, and whoever last wrote the profile or the "
                        "limit, can not approve it."),
        .arguments = { { u"ID"_s, Tr::tr("The action's id, or the beginning of it that no other has."), 1, 1, {} } },
        .options = connectOptions()
            + QList { jsonOption(), Option::flag(u"decline"_s, Tr::tr("Say no instead.")),
                Option::text(u"reason"_s, Tr::tr("TEXT"), Tr::tr("A note for the audit log.")) },
        .examples = { { Tr::tr("Say yes:"), u"approve 7d444840 --reason 'looked at the plan'"_s },
            { Tr::tr("Say no:"), u"approve 7d444840 --decline --reason 'too many keys of one tenant'"_s } },
        .run = runApprove };
}

} // namespace idemdesk::app
