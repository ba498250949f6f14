// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/group_action.h"
#include "app/ctl/json_out.h"
#include "app/ctl/line/help_text.h"
#include "app/ctl/not_read.h"
#include "app/ctl/opened_target.h"
#include "app/ctl/region_check.h"
#include "app/ctl/run_action.h"
#include "models/actions/action_plan.h"
#include "models/actions/action_words.h"
#include "models/format/quantities.h"
#include "models/triage/frozen_set.h"
#include "sql/actions/triage_reader.h"
#include "sql/keys/unseen.h"
#include "sql/types/tr.h"

#include <QJsonArray>
#include <utility>

using namespace Qt::StringLiterals;

namespace idemdesk::app {

namespace {

constexpr qsizetype kMostNamed = 10; // scopes in one line

Exit usage(const QString &text)
{
    return misused(text);
}

QList<Option> runOptions()
{
    return connectOptions() + targetOptions() + groupActionOptions()
        + QList { jsonOption(), Option::flag(u"dry-run"_s, Tr::tr("Say what would be done, and do nothing.")),
              Option::flag(u"no-pauses"_s,
                  Tr::tr("Do not wait between batches, and do not look at standbys, locks and vacuum.")) }
    + reasonOptions();
}

/// A run needs a reason before anything is read.
std::optional<Exit> reasonMissing(const Context &context)
{
    if (!context.has(u"dry-run"_s) && context.value(u"reason"_s).trimmed().isEmpty()) {
        return usage(Tr::tr("--reason is missing: say why it is done, or plan it with --dry-run."));
    }
    return std::nullopt;
}

QJsonArray jsonOf(const models::FrozenSet &set)
{
    QJsonArray groups;
    for (const models::FrozenGroup &group : set.groups) {
        groups.append(QJsonObject { { u"scope"_s, group.scope },
            { u"class"_s, group.cls ? QJsonValue(models::triageClassName(*group.cls)) : QJsonValue() },
            { u"to"_s, group.to }, { u"rows"_s, group.rows } });
    }
    return groups;
}

QJsonArray skippedJson(const models::FrozenSet &set)
{
    QJsonArray skipped;
    for (const models::SkippedKey &key : set.skipped) {
        skipped.append(
            QJsonObject { { u"scope"_s, models::scopeText(key.record.scope) }, { u"key"_s, key.record.key.text },
                { u"class"_s, models::triageClassName(key.cls) }, { u"why"_s, key.why } });
    }
    return skipped;
}

/// Of a key that is done there is nothing to review.
QString classText(const models::SkippedKey &key)
{
    const bool done = key.record.state == sql::KeyState::Succeeded && key.cls == models::TriageClass::NeedsReview;
    return done ? u"–"_s : models::triageClassLabel(key.cls);
}

/// Each key that is left alone; of many, equal reasons are counted, unless all of it was asked for.
void printSkipped(const QList<models::SkippedKey> &keys)
{
    constexpr qsizetype kMostListed = 40;
    print(u'\n' + Tr::tr("Left alone:") + u'\n');
    QList<QStringList> rows;
    if (keys.size() <= kMostListed || outputStyle().wide || !outputStyle().columns.isEmpty()) {
        for (const models::SkippedKey &key : keys) {
            rows += QStringList { models::scopeText(key.record.scope), key.record.key.text, classText(key), key.why };
        }
        print(table({ Tr::tr("SCOPE"), Tr::tr("KEY"), Tr::tr("CLASS"), Tr::tr("WHY") }, rows, true));
        return;
    }
    QMap<QStringList, qint64> counted;
    for (const models::SkippedKey &key : keys) {
        ++counted[{ classText(key), key.why }];
    }
    for (auto it = counted.cbegin(); it != counted.cend(); ++it) {
        rows += QStringList { models::countText(it.value()), it.key().at(0), it.key().at(1) };
    }
    print(table({ Tr::tr("KEYS"), Tr::tr("CLASS"), Tr::tr("WHY") }, rows, true));
    note(Tr::tr("--wide names each of them."));
}

void printPlan(const models::FrozenSet &set)
{
    QList<QStringList> rows;
    for (const models::FrozenGroup &group : set.groups) {
        rows += QStringList { models::countText(group.rows), group.scope,
            group.cls ? models::triageClassLabel(*group.cls) : u"–"_s, group.to };
    }
    print(table({ Tr::tr("KEYS"), Tr::tr("SCOPE"), Tr::tr("CLASS"), Tr::tr("TO") }, rows));
    if (!set.skipped.isEmpty()) {
        printSkipped(set.skipped);
    }
}

/// "--identity tenant=t1,key=k-7" for a row.
QString identityOption(const sql::Target &target, const sql::KeyRecord &record)
{
    QStringList parts;
    for (qsizetype i = 0; i < target.profile.identity.size(); ++i) {
        const sql::Cell cell = record.identity.value(i);
        parts += target.profile.identity.at(i)
            + (cell.null ? u":null"_s : u'=' + QString(cell.text).replace(u","_s, u",,"_s));
    }
    return u"--identity "_s + parts.join(u',');
}

/// What a frozen set says nothing of.
struct Looked {
    bool more = false; ///< more keys match than one action takes
    bool partly = false; ///< not all could be looked at: "none" is then no answer
    bool absent = false; ///< the one key is known not to be there
};

/// The frozen set that the options ask for: one key by a chosen state, or what matches the filter.
sql::Result<models::FrozenSet> freezeSet(
    const Context &context, OpenedTarget &opened, sql::ActionVerb verb, Looked *looked)
{
    std::optional<models::NewState> to;
    if (context.has(u"to"_s)) {
        to = sql::stateFromName(context.value(u"to"_s));
        if (!*to && context.value(u"to"_s) != u"absent") {
            return usageError(Tr::tr("--to takes a state, or “absent” to delete the row."));
        }
    }
    if (context.has(u"key"_s)) {
        TRY(const auto choice, rowChoice(context, opened.target));
        TRY(const auto found, rowsOf(*opened.session, opened.target, context.value(u"key"_s), choice));
        sql::Error error;
        error.kind = sql::ErrorKind::Usage;
        if (const QStringList unseen = found.isEmpty()
                ? notLookedAt(*opened.session, opened.target, opened.target.profile.key.sql)
                : QStringList();
            !unseen.isEmpty()) {
            looked->partly = true;
            return sql::makeError(sql::ErrorKind::Other,
                Tr::tr("No key “%1” was found in what could be looked at; not all could.").arg(context.value(u"key"_s)),
                unseen.join(u' '));
        }
        if (found.isEmpty()) {
            looked->absent = true;
            return noKeyIn(opened, context.value(u"key"_s), choice);
        }
        if (found.size() > 1) {
            error.what
                = Tr::tr("%n row(s) have the key “%1”.", nullptr, int(found.size())).arg(context.value(u"key"_s));
            error.todo = Tr::tr("Name one with --scope or --identity, as in: %1.")
                             .arg(identityOption(opened.target, found.constFirst()));
            return error;
        }
        TRY(const auto page, sql::readTriageOf(*opened.session, opened.target, { found.constFirst().identity }));
        if (page.rows.isEmpty()) {
            error.kind = sql::ErrorKind::Other;
            error.what = page.unreadable > 0
                ? Tr::tr("The row cannot be read, because an expression of the profile fails on it.")
                : Tr::tr("The key is no longer in the table.");
            error.why
                = page.unreadable > 0 ? Tr::tr("Such a row counts as unknown and is part of no action.") : QString();
            error.todo = page.unreadable > 0 ? Tr::tr("“idemdeskctl show” says which value it is.") : QString();
            return error;
        }
        return models::freezeOne(
            opened.target, opened.compiled, page.rows.constFirst(), verb, to.value_or(models::NewState()));
    }
    TRY(const auto filter, filterOf(context, opened.target));
    TRY(auto plan,
        models::planChange(
            *opened.session, opened.target, opened.compiled, { verb, filter, to, models::kGraceMicros }));
    for (const QString &sentence : plan.notes) {
        note(sentence);
    }
    looked->more = plan.more;
    looked->partly = plan.partly;
    return std::move(plan.set);
}

/// Nothing where the options of the command go together.
std::optional<Exit> changeMisused(const Context &context, sql::ActionVerb verb)
{
    if (const auto exit = reasonMissing(context)) {
        return *exit;
    }
    for (const QString &option : { u"key"_s, u"identity"_s }) {
        if (context.has(u"filter"_s) && context.has(option)) {
            return usage(Tr::tr("--filter and --%1 exclude each other.").arg(option));
        }
    }
    if (context.has(u"key"_s) && !context.has(u"to"_s)) {
        return usage(Tr::tr("--key goes with --to: say which state it shall have."));
    }
    if (verb == sql::ActionVerb::Recover && context.has(u"to"_s) && !context.has(u"key"_s)) {
        return usage(Tr::tr("--to goes with --key: what many keys become is for the evidence to say."));
    }
    if (!context.has(u"key"_s) && (context.has(u"scope"_s) || context.has(u"identity"_s))) {
        return usage(Tr::tr("--scope and --identity go with --key."));
    }
    if (verb != sql::ActionVerb::Recover && !context.has(u"filter"_s) && !context.has(u"key"_s)) {
        return usage(Tr::tr("Say which keys: --filter or --key."));
    }
    if (verb == sql::ActionVerb::Reclassify && !context.has(u"to"_s)) {
        return usage(Tr::tr("Say what the keys become: --to with a state."));
    }
    return std::nullopt;
}

/// Shows what would change; partly: not all could be looked at.
void showSet(const Context &context, const models::FrozenSet &set, bool partly)
{
    if (context.json()) {
        printJson({ { u"rows"_s, set.rows.size() }, { u"groups"_s, jsonOf(set) }, { u"skipped"_s, skippedJson(set) },
            { u"complete"_s, !partly } });
    } else {
        printPlan(set);
    }
}

/// What a plan has to say of its size: that it would only ask another person.
void noteApproval(const std::optional<sql::RegisteredTarget> &registered, qint64 rows)
{
    if (registered && registered->approvalAbove && rows > *registered->approvalAbove) {
        note(Tr::tr("Above %1 rows another person must approve it first.")
                 .arg(models::countText(*registered->approvalAbove)));
    }
}

PlannedAction notPlanned(const sql::Error &error)
{
    return { {}, fail(error) };
}

/// A new action, whose rows the caller says.
sql::ActionRequest requestFor(const Context &context, const sql::RegisteredTarget &registered, sql::ActionVerb verb)
{
    return models::newAction(registered, verb, context.value(u"reason"_s), context.value(u"ticket"_s));
}

PlannedAction planChange(const Context &context, sql::ActionVerb verb, const RegionCheck &regions)
{
    TRY_OR(notPlanned, auto opened, openTarget(context, true));
    if (!models::hasRuleFor(opened.compiled, verb)) {
        return notPlanned(usageError(
            Tr::tr("The profile of “%1” has no rule to %2 a key.").arg(opened.registered->name, sql::verbName(verb)),
            Tr::tr("Its “actions” say what may be done.")));
    }
    Looked looked;
    auto set = freezeSet(context, opened, verb, &looked);
    if (!set) {
        const Exit exit = looked.absent ? failAbsent(set.error()) : failFilter(context, set.error());
        return { {}, looked.partly ? Exit::Unknown : exit };
    }
    regions.leaveOut(context, opened, &*set);
    if (looked.more) {
        note(Tr::tr("More keys match; the oldest %1 are taken now.").arg(models::kMostActionKeys));
    }
    const bool dry = context.has(u"dry-run"_s);
    if (dry || !context.json() || set->rows.isEmpty()) { // else the document is the action's
        showSet(context, *set, looked.partly);
    }
    const Exit none = looked.partly && set->rows.isEmpty() ? Exit::Unknown
        : looked.partly || !set->skipped.isEmpty()         ? Exit::Skipped
                                                           : Exit::Done;
    if (dry || !context.member().isEmpty()) { // of a group it is read before a person confirms
        noteApproval(opened.registered, set->rows.size());
    }
    if (dry || set->rows.isEmpty()) {
        if (!dry) {
            note(looked.partly ? Tr::tr("Of the keys that could be looked at none may be changed, so nothing was done; "
                                        "not all could.")
                               : Tr::tr("No key may be changed, so nothing was done."));
        }
        return { {}, none };
    }
    sql::ActionRequest request = requestFor(context, *opened.registered, verb);
    request.rows = set->rows;
    const bool freesCached = verb == sql::ActionVerb::Recover && opened.target.profile.cache.has_value();
    // What could not be looked at was left alone as well.
    return { .request = request, .exit = none, .freesCached = freesCached };
}

/// In one database, or in each of a group.
Exit runPlanned(const Context &context, const PlanAction &plan)
{
    if (context.has(u"group"_s)) {
        return runGroupAction(context, plan);
    }
    const PlannedAction planned = plan(context);
    if (!planned.request) {
        return planned.exit;
    }
    const Exit exit = runAction(context, [&planned](models::ActionRunner &runner) { runner.start(*planned.request); });
    if (planned.freesCached && (exit == Exit::Done || exit == Exit::Skipped)) {
        note(Tr::tr("The cache may still hold off their retries. “idemdeskctl release KEY… --target %1” looks, and "
                    "releases such claims.")
                 .arg(planned.request->target));
    }
    return exit == Exit::Done ? planned.exit : exit;
}

Exit runChange(const Context &context, sql::ActionVerb verb)
{
    if (const auto exit = changeMisused(context, verb)) {
        return *exit;
    }
    const RegionCheck regions(context);
    return runPlanned(context, [verb, &regions](const Context &where) { return planChange(where, verb, regions); });
}

/// --states, or every state of the purge rules.
sql::Result<QList<sql::KeyState>> statesOf(const Context &context, const sql::Target &target)
{
    const QList<sql::KeyState> states = models::purgeableStates(target.profile);
    if (!context.has(u"states"_s)) {
        return states;
    }
    QList<sql::KeyState> chosen;
    for (const QString &name : context.value(u"states"_s).split(u',', Qt::SkipEmptyParts)) {
        const auto state = sql::stateFromName(name);
        if (!state || !states.contains(*state)) {
            return sql::makeError(
                sql::ErrorKind::Usage, Tr::tr("“%1” is not a state that the profile lets go.").arg(name));
        }
        chosen.append(*state);
    }
    return chosen;
}

QJsonObject jsonOf(const sql::PurgePlan &plan, const std::optional<sql::HistorySpec> &archive)
{
    QJsonArray groups;
    for (const sql::PurgeGroup &group : plan.groups) {
        groups.append(QJsonObject { { u"scope"_s, models::scopeText(group.scope) },
            { u"state"_s, sql::stateName(group.state) }, { u"rows"_s, group.rows },
            { u"oldest"_s, group.oldest ? QJsonValue(group.oldest->toRfc3339()) : QJsonValue() },
            { u"newest"_s, group.newest ? QJsonValue(group.newest->toRfc3339()) : QJsonValue() },
            { u"whole_scope"_s, group.wholeScope } });
    }
    return { { u"cutoff"_s, plan.cutoff.toRfc3339() }, { u"rows"_s, plan.rows }, { u"bytes"_s, plan.bytes },
        { u"wal_bytes"_s, plan.walBytes }, { u"seconds"_s, plan.seconds }, { u"images"_s, plan.images },
        { u"archive"_s, archive ? QJsonValue(archive->relation) : QJsonValue() }, { u"groups"_s, groups },
        { u"warnings"_s, QJsonArray::fromStringList(plan.warnings) },
        { u"triggers"_s, QJsonArray::fromStringList(plan.triggers) } };
}

void printPlan(const sql::PurgePlan &plan, const std::optional<sql::HistorySpec> &archive)
{
    const auto time = [](const std::optional<sql::Timestamp> &at) { return at ? timeCell(*at) : u"–"_s; };
    QList<QStringList> rows;
    for (const sql::PurgeGroup &group : plan.groups) {
        rows += QStringList { models::countText(group.rows), models::scopeText(group.scope),
            sql::stateName(group.state), time(group.oldest), time(group.newest) };
    }
    print(table({ Tr::tr("ROWS"), Tr::tr("SCOPE"), Tr::tr("STATE"), Tr::tr("OLDEST"), Tr::tr("NEWEST") }, rows));
    print(u'\n'
        + wrapped(Tr::tr("%1, about %2, before %3; about %4 at the default pace, %5 of write-ahead log.")
                      .arg(models::rowsText(plan.rows), models::bytesText(plan.bytes), plan.cutoff.toRfc3339(),
                          models::durationText(plan.seconds), models::bytesText(plan.walBytes)),
            lineWidth())
        + u'\n');
    print(
        (plan.images ? Tr::tr("The rows are kept for undo.") : Tr::tr("The rows are NOT kept: this cannot be undone."))
        + u'\n');
    if (archive) {
        print(Tr::tr("The rows move to %1.").arg(archive->relation) + u'\n');
    }
    for (const QString &warning : plan.warnings) {
        note(Tr::tr("Warning: %1").arg(warning));
    }
    QStringList emptied;
    for (const sql::PurgeGroup &group : plan.groups) {
        const QString scope = models::scopeText(group.scope);
        if (group.wholeScope && !emptied.contains(scope) && emptied.size() < kMostNamed) {
            emptied += scope;
        }
    }
    if (!emptied.isEmpty()) {
        note(Tr::tr("Emptied scopes: %1").arg(emptied.join(u", "_s)));
    }
    for (const QString &trigger : plan.triggers) {
        note(Tr::tr("Fires: %1").arg(trigger));
    }
}

Exit runRecover(const Context &context)
{
    return runChange(context, sql::ActionVerb::Recover);
}
Exit runRequeue(const Context &context)
{
    return runChange(context, sql::ActionVerb::Requeue);
}
Exit runReclassify(const Context &context)
{
    return runChange(context, sql::ActionVerb::Reclassify);
}

PlannedAction planPurge(const Context &context)
{
    const std::optional<sql::Timestamp> cutoff = context.time(u"before"_s);
    TRY_OR(notPlanned, auto opened, openTarget(context, !context.has(u"dry-run"_s)));
    TRY_OR(notPlanned, const auto states, statesOf(context, opened.target));
    TRY_OR(notPlanned, auto plan, sql::planPurge(*opened.session, opened.target, states, std::nullopt, cutoff));
    plan.images = !context.has(u"no-images"_s);
    if (opened.registered && plan.images && plan.rows > opened.registered->imageLimit) {
        note(Tr::tr("The plan has more rows than the %1 for which undo images are kept by default.")
                 .arg(models::countText(opened.registered->imageLimit)));
        note(Tr::tr("Narrow it with --before, or say --no-images."));
        if (!context.has(u"dry-run"_s)) {
            return { {}, Exit::Refused };
        }
    }
    if (context.json() && (context.has(u"dry-run"_s) || plan.rows == 0)) {
        printJson(jsonOf(plan, opened.target.profile.history));
    } else if (!context.json()) {
        printPlan(plan, opened.target.profile.history);
    }
    if (context.has(u"dry-run"_s) || plan.rows == 0) {
        noteApproval(opened.registered, plan.rows);
        const QStringList unseen = sql::unseenNotes(opened.target);
        for (const QString &sentence : unseen) {
            note(sentence);
        }
        return { {}, unseen.isEmpty() ? Exit::Done : Exit::Unknown };
    }
    sql::ActionRequest request = requestFor(context, *opened.registered, sql::ActionVerb::Purge);
    request.purge = plan;
    return { request, Exit::Done };
}

Exit runPurge(const Context &context)
{
    const auto exit = reasonMissing(context);
    return exit ? *exit : runPlanned(context, planPurge);
}

/// What recover, requeue and reclassify share.
Command changeCommand(
    const QString &name, const QString &summary, Exit (*run)(const Context &), const QList<Example> &examples)
{
    return { .name = name,
        .summary = summary,
        .about = Tr::tr(
            "Changes what may go in bulk, each key compared with what was seen, and leaves the rest alone. Or changes "
            "one key with --key and --to. Where several rows share the key, --scope or --identity names one. A part "
            "that is NULL is written NAME:null, and a comma in a value twice. Keys that are stuck for under a "
            "minute are left alone, as their workers may be finishing. --key takes one even so. Of a key that is freed "
            "because no effect was "
            "found, the "
            "server looks for the effect again. Without evidence keys are recovered one by one, unless the profile "
            "says "
            "safe_to_repeat with its reason. A key whose effect cannot be known is not freed. Write first into its row "
            "what "
            "the effect is looked for by. Or register a profile without that query, which says safe_to_repeat. "
            "“reclassify” always needs --to. Keys under a running lease are "
            "left to their holder, unless the rule of the profile says “live”.\n\n"
            "Progress goes to standard error. Ctrl-C cancels; what was done stays done and can be undone."),
        .options = runOptions()
            + QList { filterOption(Tr::tr("Only keys that match this filter text.")),
                Option::text(
                    u"key"_s, Tr::tr("KEY"), Tr::tr("One key, brought to the state of --to by your own choice.")),
                Option::text(u"to"_s, Tr::tr("STATE"),
                    Tr::tr("The new state, or “absent” to delete rows. A reclassification must say it.")) }
            + rowOptions(),
        .examples = examples,
        .run = run };
}

} // namespace

Command recoverCommand()
{
    return changeCommand(u"recover"_s, Tr::tr("free stuck keys, as “triage” proposes"), runRecover,
        { { Tr::tr("Say what would be done:"), u"recover --target app.idempotency_request --dry-run"_s },
            { Tr::tr("Free what is stuck for over an hour:"),
                u"recover --target app.idempotency_request --filter 'age>1h' "
                "--reason 'worker crashed' --ticket OPS-7"_s } });
}

Command requeueCommand()
{
    return changeCommand(u"requeue"_s, Tr::tr("let poison messages and failed events be tried again"), runRequeue,
        { { Tr::tr("Say what would be done:"),
              u"requeue --target app.inbox_message --filter state:failed_final --dry-run"_s },
            { Tr::tr("Let one message be tried again:"),
                u"requeue --target app.inbox_message --key msg-17 --to pending --reason 'consumer mended'"_s } });
}

Command reclassifyCommand()
{
    return changeCommand(u"reclassify"_s, Tr::tr("correct the state of keys that failed for good by mistake"),
        runReclassify,
        { { Tr::tr("Say what would be done:"),
              u"reclassify --target app.idempotency_request --filter error:~deadlock "
              "--to failed_retryable --dry-run"_s },
            { Tr::tr("Correct one key:"),
                u"reclassify --target app.idempotency_request --key ord-1017 --to failed_retryable "
                "--reason 'it was a timeout'"_s } });
}

Command purgeCommand()
{
    return { .name = u"purge"_s,
        .summary = Tr::tr("remove finished keys past their retention"),
        .about
        = Tr::tr("Removes finished keys past their retention in small batches. They hold off while standbys lag, "
                 "locks are waited for, or vacuum is at work. The rows are kept for undo unless --no-images is given. "
                 "Where the profile names an archive, the rows move there."),
        .options = runOptions()
            + QList { Option::text(u"states"_s, Tr::tr("STATES"),
                          Tr::tr("Only keys in these states, separated by commas; else all that the profile lets go.")),
                Option::time(u"before"_s, Tr::tr("Only keys whose retention ended before this time; else now.")),
                Option::flag(u"no-images"_s, Tr::tr("Do not keep the rows for undo.")) },
        .examples = { { Tr::tr("How many rows would go:"), u"purge --target app.idempotency_request --dry-run"_s },
            { Tr::tr("Remove what was due before November:"),
                u"purge --target app.idempotency_request --before 2026-11-01T00:00:00Z --reason 'monthly purge'"_s } },
        .run = runPurge };
}

} // namespace idemdesk::app
