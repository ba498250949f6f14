// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/compare_run.h"
#include "app/ctl/group_action.h"
#include "app/ctl/group_option.h"
#include "app/ctl/json_out.h"
#include "app/ctl/opened_target.h"
#include "app/ctl/run_action.h"
#include "models/actions/action_words.h"
#include "models/format/labels.h"
#include "models/format/quantities.h"
#include "models/regions/region_align.h"
#include "models/regions/region_export.h"
#include "models/regions/region_words.h"
#include "sql/types/tr.h"

#include <QJsonArray>
#include <QUuid>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::app {

namespace {

constexpr qsizetype kMostAligned = 100'000; // of one action (DESIGN 2)

/// One run of the command: what was found, what is to be done, and what came of it.
struct AlignRun {
    sql::ConnectionGroup group;
    std::array<sql::GroupMember, 2> members;
    std::array<QString, 2> labels;
    std::array<SideTarget, 2> sides;
    models::CompareOutcome outcome;
    models::AlignPlan plan;
    QString id; ///< of the group of actions; empty under --dry-run
    QHash<qsizetype, QList<models::AlignChange>> changes; ///< under --dry-run, by the difference's place
    QHash<qsizetype, QJsonObject> ends; ///< of each key that was asked for, by its place among the differences
    QJsonArray actions; ///< one of each member that was changed
};

/// The worse of two ends of one command.
Exit worse(Exit one, Exit other)
{
    const QList<Exit> order { Exit::Done, Exit::Skipped, Exit::Unknown, Exit::Refused, Exit::Failed, Exit::Usage };
    return order.indexOf(one) < order.indexOf(other) ? other : one;
}

/// Scope and key, the parts apart.
QString named(const models::RegionDifference &difference)
{
    QStringList parts;
    for (const sql::Cell &part : difference.record().scope) {
        parts += part.null ? u"–"_s : part.text;
    }
    return (parts << difference.record().key.text).join(u" / "_s);
}

QJsonObject keyJson(const AlignRun &run, qsizetype place)
{
    const QJsonObject all = models::differenceJson(run.outcome.differences.at(place), run.outcome.targets, run.labels);
    QJsonObject object;
    for (const QString &name : { u"scope"_s, u"key"_s, u"kind"_s, u"rule"_s }) {
        object.insert(name, all.value(name));
    }
    return object;
}

QJsonArray changesJson(const QList<models::AlignChange> &changes)
{
    const auto valueOf = [](const sql::Cell &cell) { return cell.null ? QJsonValue() : QJsonValue(cell.text); };
    QJsonArray list;
    for (const models::AlignChange &change : changes) {
        list.append(QJsonObject { { u"column"_s, change.column }, { u"before"_s, valueOf(change.before) },
            { u"after"_s, change.sql.isEmpty() ? valueOf(change.after) : QJsonValue() },
            { u"sql"_s, textOrNull(change.sql) } });
    }
    return list;
}

void printAlignJson(const AlignRun &run, bool known)
{
    QJsonArray items;
    for (const models::AlignStep &step : run.plan.steps) {
        const models::RegionDifference &difference = run.outcome.differences.at(step.difference);
        QJsonObject object = keyJson(run, step.difference);
        object.insert(u"member"_s, run.labels.at(step.side));
        object.insert(u"winner"_s, run.labels.at(1 - step.side));
        object.insert(u"from"_s, sql::stateName(difference.rows.at(step.side).constFirst().record.state));
        object.insert(u"to"_s, sql::stateName(difference.rows.at(1 - step.side).constFirst().record.state));
        const QJsonObject end = run.ends.value(step.difference);
        object.insert(u"outcome"_s, end.isEmpty() ? QJsonValue() : end.value(u"outcome"_s));
        object.insert(u"detail"_s, end.isEmpty() ? QJsonValue() : end.value(u"detail"_s));
        object.insert(u"changes"_s, changesJson(run.changes.value(step.difference)));
        items.append(object);
    }
    QJsonArray left;
    for (const models::AlignLeft &key : run.plan.left) {
        QJsonObject object = keyJson(run, key.difference);
        object.insert(u"why"_s, key.why);
        left.append(object);
    }
    printJson({ { u"target"_s, run.outcome.targets[0].profile.name },
        { u"group"_s, QJsonObject { { u"id"_s, textOrNull(run.id) }, { u"name"_s, run.group.name } } },
        { u"items"_s, items }, { u"next"_s, QJsonValue() }, { u"left"_s, left }, { u"actions"_s, run.actions },
        { u"advice"_s, QJsonArray::fromStringList(models::compareAdvice(run.outcome, run.labels)) },
        { u"notes"_s, QJsonArray::fromStringList(run.outcome.notes) }, { u"complete"_s, known } });
}

QStringList alignTitles()
{
    return { Tr::tr("IN"), Tr::tr("KEY"), Tr::tr("FROM"), Tr::tr("TO"), Tr::tr("WHY") };
}

QStringList leftTitles()
{
    return { Tr::tr("KEY"), Tr::tr("DIFFERENCE"), Tr::tr("WHY") };
}

QStringList valueTitles()
{
    return { Tr::tr("IN"), Tr::tr("KEY"), Tr::tr("COLUMN"), Tr::tr("NOW"), Tr::tr("THEN") };
}

QString shownCell(const sql::Cell &cell)
{
    return cell.null ? u"–"_s : cell.text;
}

/// What a dry run would write, value by value.
void printValues(const AlignRun &run)
{
    QList<QStringList> rows;
    for (const models::AlignStep &step : run.plan.steps) {
        const models::RegionDifference &difference = run.outcome.differences.at(step.difference);
        const QList<models::AlignChange> changes = run.changes.value(step.difference);
        for (const models::AlignChange &change : changes) {
            rows += QStringList { run.labels.at(step.side), named(difference), change.column, shownCell(change.before),
                change.sql.isEmpty() ? shownCell(change.after) : change.sql };
        }
    }
    if (!rows.isEmpty()) {
        print(u'\n' + Tr::tr("What would be written:") + u'\n' + table(valueTitles(), rows));
    }
}

void printAlignPlan(const AlignRun &run)
{
    print(models::compareSummary(run.outcome, run.labels) + u'\n');
    if (!run.plan.steps.isEmpty()) {
        QList<QStringList> rows;
        for (const models::AlignStep &step : run.plan.steps) {
            const models::RegionDifference &difference = run.outcome.differences.at(step.difference);
            rows += QStringList { run.labels.at(step.side), named(difference),
                sql::stateName(difference.rows.at(step.side).constFirst().record.state),
                sql::stateName(difference.rows.at(1 - step.side).constFirst().record.state),
                models::ruleText(difference, run.labels) };
        }
        print(u'\n' + Tr::tr("To align:") + u'\n' + table(alignTitles(), rows, QStringList { Tr::tr("WHY") }));
    }
    if (!run.plan.left.isEmpty()) {
        QList<QStringList> rows;
        for (const models::AlignLeft &key : run.plan.left) {
            const models::RegionDifference &difference = run.outcome.differences.at(key.difference);
            rows += QStringList { named(difference), models::differenceText(difference.kind), key.why };
        }
        print(u'\n' + Tr::tr("Left alone:") + u'\n' + table(leftTitles(), rows, true));
    }
}

/// Both sides' rows of the keys that are to be aligned, as they are now.
sql::Result<models::AlignLook> lookAgain(
    const Context &context, const AlignRun &run, const QList<models::AlignStep> &steps, bool told = false)
{
    QList<sql::HashedKey> keys;
    for (const models::AlignStep &step : steps) {
        const sql::KeyRecord &record = run.outcome.differences.at(step.difference).record();
        keys.append({ record.scope, record.key });
    }
    models::AlignLook look;
    for (std::size_t side = 0; side < 2; ++side) {
        // The primary of each: a standby may be late, and nothing can be changed there.
        const auto session = context.at(memberSettings(context, run.members.at(side))).connect();
        if (!session) {
            sql::Error error = session.error();
            error.what = Tr::tr("%1: %2").arg(run.labels.at(side), error.what);
            return error;
        }
        TRY(const auto opened, targetIn(context, **session));
        look.columns.at(side)
            = models::alignColumns(opened.target.profile, run.outcome.targets.at(1 - side).profile, told);
        TRY(look.rows.at(side), sql::readSameKeys(**session, opened.target, keys, look.columns.at(side)));
    }
    return look;
}

QList<models::AlignStep> stepsOf(const AlignRun &run, int side)
{
    QList<models::AlignStep> steps;
    for (const models::AlignStep &step : run.plan.steps) {
        if (step.side == side) {
            steps += step;
        }
    }
    return steps;
}

/// What the server said of each row, beside its key.
void noteEnds(AlignRun *run, const models::AlignSet &set, const QJsonObject &document)
{
    const QJsonArray outcomes = document.value(u"outcomes"_s).toArray();
    for (const QJsonValue &end : outcomes) {
        const qsizetype place = end[u"row"_s].toInteger() - 1;
        if (place >= 0 && place < set.differences.size()) {
            run->ends.insert(set.differences.at(place), end.toObject());
        }
    }
}

/// What became of one member's action, each line with its label.
void tellEnd(const QString &label, const Captured &said)
{
    if (!said.text.isEmpty()) {
        print(Tr::tr("%1: %2").arg(label, said.text));
    }
    if (said.error) {
        note(Tr::tr("%1: %2").arg(label, said.error->line()));
    }
    for (const QString &text : said.notes) {
        note(Tr::tr("%1: %2").arg(label, text));
    }
}

/// Changes one side; the other one stands there.
Exit alignSide(const Context &context, AlignRun *run, int side)
{
    const QList<models::AlignStep> steps = stepsOf(*run, side);
    if (steps.isEmpty()) {
        return Exit::Done;
    }
    const auto looked = lookAgain(context, *run, steps);
    if (!looked) {
        note(looked.error().line());
        run->actions.append(
            QJsonObject { { u"member"_s, run->labels.at(side) }, { u"error"_s, errorJson(looked.error()) } });
        return exitOf(looked.error().kind);
    }
    const models::AlignLook &look = *looked;
    const SideTarget &registered = run->sides.at(side);
    const models::AlignSet set = models::freezeAlign(
        side, steps, run->outcome.differences, look, registered.compiled, run->outcome.targets.at(side).profile);
    for (const models::AlignLeft &key : set.left) {
        note(Tr::tr("%1: %2 was left. %3")
                 .arg(run->labels.at(side), named(run->outcome.differences.at(key.difference)), key.why));
        run->ends.insert(key.difference, { { u"outcome"_s, u"changed"_s }, { u"detail"_s, key.why } });
    }
    if (set.rows.isEmpty()) {
        return Exit::Skipped;
    }
    sql::ActionRequest request;
    request.id = QUuid::createUuid().toString(QUuid::WithoutBraces);
    request.target = registered.registered->name;
    request.verb = sql::ActionVerb::Align;
    request.reason = context.value(u"reason"_s);
    request.ticket = context.value(u"ticket"_s);
    request.profileSha = registered.registered->profileSha;
    request.rows = set.rows;
    request.group = sql::ActionGroup { run->id, run->group.name, run->labels.at(side) };
    request.winner = run->labels.at(1 - side);
    const ActionEnd end = runActionIn(context.at(memberSettings(context, run->members.at(side))),
        [&request](models::ActionRunner &runner) { runner.start(request); });
    tellEnd(run->labels.at(side), end.said);
    QJsonObject document = end.said.error ? QJsonObject { { u"error"_s, errorJson(*end.said.error) } } : end.said.rest;
    noteEnds(run, set, document);
    document.insert(u"member"_s, run->labels.at(side));
    run->actions.append(document);
    return set.left.isEmpty() ? end.exit : worse(end.exit, Exit::Skipped);
}

/// What each key of the plan would get. A side that cannot be read is an error: the plan would promise too little.
sql::Result<void> readChanges(const Context &context, AlignRun *run)
{
    for (const int side : { 0, 1 }) {
        const QList<models::AlignStep> steps = stepsOf(*run, side);
        if (steps.isEmpty()) {
            continue;
        }
        TRY(const auto look, lookAgain(context, *run, steps, true));
        for (const models::AlignStep &step : steps) {
            run->changes.insert(step.difference,
                models::alignChanges(step, run->outcome.differences, look, run->sides.at(std::size_t(side)).compiled,
                    run->outcome.targets.at(std::size_t(side)).profile));
        }
    }
    return {};
}

/// Finds what differs and sorts it; nothing is changed.
sql::Result<AlignRun> planned(const Context &context)
{
    AlignRun run;
    TRY(run.group, groupOf(context));
    if (run.group.kind != sql::GroupKind::Regions) {
        return usageError(
            Tr::tr("Only regions are aligned: the members of other groups are not one another's copies."));
    }
    TRY(run.members, sidesOf(context, run.group));
    run.labels = { run.members[0].label, run.members[1].label };
    if (context.target().isEmpty()) {
        return context.profile().error();
    }
    (void)context.profile().ok(); // asks here what a person must confirm, before both sides want it at once
    TRY(run.outcome, compared(context, run.members, &run.sides));
    std::array<std::optional<sql::CompiledTarget>, 2> compiled;
    for (std::size_t side = 0; side < 2; ++side) {
        if (run.sides.at(side).registered) {
            compiled.at(side) = run.sides.at(side).compiled;
        }
    }
    run.plan = models::planAlign(run.outcome.differences, compiled, run.labels);
    return run;
}

/// Whether all was looked at, so that what is not listed does not differ.
bool allSeen(const AlignRun &run)
{
    return run.outcome.all && run.outcome.notes.isEmpty();
}

Exit runAlign(const Context &context)
{
    if (!context.has(u"dry-run"_s) && context.value(u"reason"_s).trimmed().isEmpty()) {
        return misused(Tr::tr("--reason is missing: say why it is done, or plan it with --dry-run."));
    }
    auto run = planned(context);
    if (!run) {
        return failFilter(context, run.error());
    }
    for (const QString &text : std::as_const(run->outcome.notes)) {
        note(text);
    }
    const bool dry = context.has(u"dry-run"_s);
    if (!context.json()) {
        if (const auto error = unknownColumn(alignTitles() + leftTitles() + (dry ? valueTitles() : QStringList()))) {
            return fail(*error);
        }
        printAlignPlan(*run);
    }
    if (dry) {
        TRY_OR(fail, readChanges(context, &*run));
        if (!context.json()) {
            printValues(*run);
        }
    }
    Exit exit = !allSeen(*run) ? Exit::Unknown : run->plan.left.isEmpty() ? Exit::Done : Exit::Skipped;
    if (run->plan.steps.size() > kMostAligned) {
        return misused(Tr::tr("At most %1 keys are aligned at once. Narrow it with --filter.")
                           .arg(models::countText(kMostAligned)));
    }
    if (!dry && !run->plan.steps.isEmpty()) {
        TRY_OR(fail,
            confirmedOverGroup(context, Tr::tr("%n key(s) would be aligned.", nullptr, int(run->plan.steps.size()))));
        run->id = QUuid::createUuid().toString(QUuid::WithoutBraces);
        note(Tr::tr("The id of this action over the group is %1.").arg(run->id));
        for (const int side : { 0, 1 }) {
            exit = worse(exit, alignSide(context, &*run, side));
        }
    } else if (run->plan.steps.isEmpty()) {
        note(Tr::tr("No key may be aligned, so nothing was done."));
    }
    if (context.json()) {
        printAlignJson(*run, allSeen(*run));
    }
    return exit;
}

} // namespace

Command alignCommand()
{
    return { .name = u"align"_s,
        .synopsis = {},
        .summary = Tr::tr("have the losing region take over the row that stands in the other one"),
        .about
        = Tr::tr("Compares two regions as “compare” does, and carries out what it proposes: on the side that loses, "
                 "each key takes over the other side's row, by the rules “align” of the profile there. Success stands, "
                 "then the later writer, then the first label.\n\n"
                 "Both rows are read again right before, and compared with what was seen. A row that changed is left "
                 "and named. What succeeded is never overwritten. Keys that succeeded twice are listed by "
                 "“compare --kind results”. Rows that are missing are not made.\n\n"
                 "Each region acts by its own rights, limits and trail, which keep reason, ticket, and one id for the "
                 "whole command. “actions undo” takes it back. A region that fails leaves the other as it is."),
        .options = compareOptions()
            + QList { Option::flag(u"yes"_s, Tr::tr("Do it without asking again.")),
                Option::flag(u"dry-run"_s, Tr::tr("Say what would be written, and do nothing.")),
                Option::flag(u"no-pauses"_s,
                    Tr::tr("Do not wait between batches, and do not look at standbys, locks and vacuum.")) }
            + reasonOptions(),
        .examples = { { Tr::tr("Say what would be done:"),
                          u"align --group payments.json --target app.idempotency_request --dry-run"_s },
            { Tr::tr("Align what was begun in the last hour:"),
                u"align --group payments.json --target app.idempotency_request --filter 'age<1h' "
                "--reason 'replication was off' --ticket OPS-9"_s } },
        .run = runAlign };
}

} // namespace idemdesk::app
