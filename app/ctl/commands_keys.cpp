// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/cache_option.h"
#include "app/ctl/context.h"
#include "app/ctl/group_keys.h"
#include "app/ctl/group_option.h"
#include "app/ctl/json_out.h"
#include "app/ctl/key_cursor.h"
#include "app/ctl/key_table.h"
#include "app/ctl/line/help_text.h"
#include "app/ctl/not_read.h"
#include "app/ctl/opened_target.h"
#include "app/ctl/shown_cache.h"
#include "models/actions/action_journal.h"
#include "models/casefile/case_reader.h"
#include "models/format/time_format.h"
#include "models/keys/key_links.h"
#include "models/keys/lock_events.h"
#include "models/keys/story_model.h"
#include "models/keys/touch_words.h"
#include "models/retries/error_codes.h"
#include "models/retries/retry_json.h"
#include "models/retries/retry_words.h"
#include "sql/activity/key_locks.h"
#include "sql/activity/replication.h"
#include "sql/keys/detail_reader.h"
#include "sql/keys/key_json.h"
#include "sql/keys/page_reader.h"
#include "sql/keys/unseen.h"
#include "sql/local/local_conflicts.h"
#include "sql/profile/binder.h"
#include "sql/types/tr.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QTimeZone>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::app {

namespace {

constexpr int kMostPageRows = 10'000; // of one page; more is asked for with --after
constexpr qint64 kShownBytes = 1024 * 1024; // of one value in `show`

QJsonObject jsonOf(const models::StoryEvent &event)
{
    return { { u"at"_s, event.at ? QJsonValue(event.at->toRfc3339()) : QJsonValue() }, { u"title"_s, event.title },
        { u"detail"_s, event.detail }, { u"source"_s, event.source } };
}

QJsonArray conflictsJson(const QList<sql::ConflictRecord> &records)
{
    QJsonArray list;
    for (const sql::ConflictRecord &record : records) {
        list.append(QJsonObject { { u"kind"_s, record.kind }, { u"count"_s, record.count },
            { u"first_at"_s, record.firstAt.toRfc3339() }, { u"last_at"_s, record.lastAt.toRfc3339() },
            { u"caller"_s, textOrNull(record.caller) }, { u"existing_hash"_s, textOrNull(record.existingHash) },
            { u"incoming_hash"_s, textOrNull(record.incomingHash) }, { u"message"_s, textOrNull(record.message) },
            { u"from_log"_s, record.fromLog } });
    }
    return list;
}

QJsonArray touchesJson(const QList<sql::KeyTouch> &touches)
{
    QJsonArray list;
    for (const sql::KeyTouch &touch : touches) {
        list.append(QJsonObject { { u"action"_s, touch.action }, { u"verb"_s, models::touchName(touch) },
            { u"by"_s, touch.who }, { u"at"_s, touch.at.toRfc3339() }, { u"reason"_s, touch.reason },
            { u"ticket"_s, textOrNull(touch.ticket) }, { u"outcome"_s, touch.outcome },
            { u"undone_by"_s, textOrNull(touch.undoneBy) } });
    }
    return list;
}

/// The conflicts, or the replays, that are of this row.
QList<sql::ConflictRecord> recordsOf(const models::CaseFile &file, const models::CaseRow &row, bool replays)
{
    QList<sql::ConflictRecord> records;
    for (const sql::ConflictRecord &record : file.conflicts) {
        if ((record.kind == sql::kReplayKind) == replays
            && models::isOf(record, row.key, row.names, row.detail.record.scope)) {
            records += record;
        }
    }
    return records;
}

/// One line of time for the row: its story, what others did with its key, and what this console did to it.
QList<models::StoryEvent> wholeStory(const models::CaseFile &file, const models::CaseRow &row)
{
    models::CaseFile one;
    one.rows = { row };
    one.conflicts = recordsOf(file, row, false) + recordsOf(file, row, true);
    return models::timelineOf(one);
}

QJsonArray linksJson(const QList<models::RowLink> &links)
{
    QJsonArray list;
    for (const models::RowLink &link : links) {
        list.append(QJsonObject { { u"label"_s, link.label }, { u"url"_s, link.url.toString(QUrl::FullyEncoded) } });
    }
    return list;
}

QByteArray detailJson(const models::CaseFile &file, const models::CaseRow &row, const CacheAnswer &cached)
{
    const sql::Target &target = row.target;
    const sql::KeyDetail &detail = row.detail;
    QJsonObject columns;
    for (const sql::ColumnValue &column : detail.columns) {
        columns.insert(column.name,
            column.value.failed()   ? QJsonObject { { u"error"_s, column.value.error } }
                : column.value.null ? QJsonValue()
                                    : QJsonValue(column.value.text));
    }
    QJsonArray effects;
    for (const sql::EffectResult &effect : detail.effects) {
        QJsonArray rows;
        for (const sql::EffectRow &found : effect.rows) {
            const auto at = found.at.null ? std::nullopt : sql::Timestamp::parse(found.at.text);
            rows.append(QJsonObject { { u"id"_s, found.id.null ? QJsonValue() : QJsonValue(found.id.text) },
                { u"at"_s, at ? QJsonValue(at->toRfc3339()) : QJsonValue() },
                { u"state"_s, found.state.null ? QJsonValue() : QJsonValue(found.state.text) } });
        }
        effects.append(QJsonObject { { u"type"_s, effect.type }, { u"proves"_s, effect.proves }, { u"rows"_s, rows },
            { u"error"_s, textOrNull(effect.error) }, { u"doubt"_s, textOrNull(models::effectDoubt(effect)) } });
    }
    QJsonArray story;
    const QList<models::StoryEvent> events = wholeStory(file, row);
    for (const models::StoryEvent &event : events) {
        story.append(jsonOf(event));
    }
    const auto compactValue = [](const QJsonValue &value) {
        return value.isNull() ? QByteArray("null") : QJsonDocument(value.toObject()).toJson(QJsonDocument::Compact);
    };
    const auto compact = [](const auto &value) { return QJsonDocument(value).toJson(QJsonDocument::Compact); };
    return "{\"record\":" + sql::keyToJson(target, detail.record) + ",\"columns\":" + compact(columns)
        + ",\"retry\":" + compact(models::retryJson(detail.retry, target.profile.kind, detail.now))
        + ",\"error\":" + compactValue(models::errorCodeJson(detail.record.role(sql::Role::ErrorCode).text))
        + ",\"effects\":" + compact(effects) + ",\"story\":" + compact(story)
        + ",\"conflicts_known\":" + (file.conflictsKnown ? "true" : "false")
        + ",\"conflicts\":" + compact(conflictsJson(recordsOf(file, row, false))) + ",\"replays\":"
        + compact(conflictsJson(recordsOf(file, row, true))) + ",\"actions\":" + compact(touchesJson(row.touches))
        + ",\"releases_known\":" + (row.releasesTold ? "true" : "false")
        + ",\"links\":" + compact(linksJson(models::keyLinks(target.profile, detail.record)))
        + ",\"cache\":" + compactValue(cachedRowJson(cached)) + '}';
}

/// A moment of a story: in UTC and short, or how long ago.
QString storyTime(const sql::Timestamp &at)
{
    const QString cell = timeCell(at);
    return cell == at.toRfc3339() ? models::TimeFormat().text(at) : cell;
}

void printDetail(const models::CaseFile &file, const models::CaseRow &row, const CacheAnswer &cached)
{
    const sql::KeyDetail &detail = row.detail;
    const sql::TargetKind kind = row.target.profile.kind;
    print(wrapped(models::retrySummary(detail.retry, kind, detail.now, models::TimeFormat::named()), lineWidth())
        + u'\n');
    for (const QString &reason : models::retryReasons(detail.retry)) {
        print(u"  "_s + wrapped(reason, lineWidth() - 2, 2) + u'\n');
    }
    print(u"\n"_s);
    QList<QStringList> rows { { Tr::tr("state"), stateText(detail.record) } };
    const QString meaning = models::errorCodeText(detail.record.role(sql::Role::ErrorCode).text);
    if (!meaning.isEmpty()) {
        rows += QStringList { Tr::tr("error code"), meaning };
    }
    for (qsizetype i = 0; i < row.target.profile.fields.size(); ++i) {
        rows += QStringList { row.target.profile.fields.at(i).label, valueText(detail.record.fields.value(i)) };
    }
    for (const sql::ColumnValue &column : detail.columns) {
        rows += QStringList { column.name, valueText(column.value) };
    }
    for (const models::RowLink &link : models::keyLinks(row.target.profile, detail.record)) {
        rows += QStringList { link.label, link.url.toString(QUrl::FullyEncoded) };
    }
    print(table({ Tr::tr("COLUMN"), Tr::tr("VALUE") }, rows, true) + u'\n');
    printCachedRow(cached);
    rows.clear();
    const QList<models::StoryEvent> events = wholeStory(file, row);
    for (const models::StoryEvent &event : events) {
        rows += QStringList { event.at ? storyTime(*event.at) : QString(), event.title, event.detail, event.source };
    }
    print(table({ Tr::tr("TIME (UTC)"), Tr::tr("EVENT"), Tr::tr("DETAIL"), Tr::tr("SOURCE") }, rows,
        QStringList { Tr::tr("EVENT"), Tr::tr("DETAIL") }));
    if (!file.conflictsKnown) {
        note(Tr::tr("Whether the key came again with another request is not known: nothing records that here."));
    }
}

sql::Result<sql::PageRequest> pageRequest(const Context &context, const sql::Target &target)
{
    sql::PageRequest request;
    TRY(request.filter, filterOf(context, target));
    request.order = context.value(u"order"_s);
    request.limit = context.number(u"limit"_s);
    if (context.has(u"after"_s)) {
        TRY(const auto place, placeAfter(context, target));
        const auto cursor = sql::Cursor::fromText(place);
        if (!cursor) {
            return noPlace();
        }
        request.from = *cursor;
    }
    return request;
}

Exit runKeys(const Context &context)
{
    if (context.has(u"group"_s)) {
        return runGroupKeys(context);
    }
    TRY_OR(fail, const auto opened, openTarget(context));
    const auto request = pageRequest(context, opened.target);
    if (!request) {
        return failFilter(context, request.error());
    }
    const auto page = sql::readPage(*opened.session, opened.target, *request);
    if (!page) {
        return failFilter(context, page.error());
    }
    QString next;
    if (page->more && !page->rows.isEmpty()) {
        const sql::KeyRecord &last = page->rows.last();
        next = markedPlace(context, opened.target, sql::Cursor { last.orderValue, last.identity }.toText());
    }
    QStringList notes = page->notes;
    QStringList unseen = sql::unseenNotes(opened.target);
    // Reading that went around some row says so; whatever did not fail was looked at.
    const bool around
        = std::any_of(notes.cbegin(), notes.cend(), [&unseen](const QString &text) { return !unseen.contains(text); });
    if (page->rows.isEmpty() && around) {
        unseen = notLookedAt(*opened.session, opened.target);
    }
    for (const QString &text : unseen) {
        notes += notes.contains(text) ? QStringList() : QStringList { text };
    }
    for (const QString &text : std::as_const(notes)) {
        note(text);
    }
    if (const QString standby = sql::standbyNote(*opened.session); !standby.isEmpty()) {
        notes += standby; // connecting told it
    }
    // "None" is no answer where rows are hidden, or cannot be read.
    const Exit exit = page->rows.isEmpty() && !unseen.isEmpty() ? Exit::Unknown : Exit::Done;
    if (context.json()) {
        QByteArrayList items;
        for (const sql::KeyRecord &record : page->rows) {
            items += sql::keyToJson(opened.target, record);
        }
        printJsonItems(items,
            { { u"next"_s, textOrNull(next) }, { u"notes"_s, QJsonArray::fromStringList(notes) },
                { u"complete"_s, unseen.isEmpty() } });
        return exit;
    }
    if (exit == Exit::Unknown) {
        print(Tr::tr("No key was found in what could be looked at; not all could.") + u'\n');
        return exit;
    }
    print(keyTable(opened.target, page->rows));
    if (!next.isEmpty()) {
        note(Tr::tr("More follow: --after %1").arg(next));
    }
    return exit;
}

Exit runShow(const Context &context)
{
    TRY_OR(fail, const auto opened, openTarget(context));
    const QString key = context.positional().value(0);
    TRY_OR(fail, const auto choice, rowChoice(context, opened.target));
    TRY_OR(fail, const auto records, rowsOf(*opened.session, opened.target, key, choice));
    if (records.isEmpty()) {
        // A key that is made of an expression may be that of a row on which it fails.
        const QStringList unseen = notLookedAt(*opened.session, opened.target, opened.target.profile.key.sql);
        if (!unseen.isEmpty()) {
            note(Tr::tr("No key “%1” was found in what could be looked at of %2; not all could.")
                     .arg(key, opened.target.profile.relation));
            note(unseen.join(u' '));
            return Exit::Unknown;
        }
        return fail(noKeyIn(opened, key, choice));
    }
    QList<models::CaseSubject> subjects;
    for (const sql::KeyRecord &record : records) {
        subjects.append(
            { opened.target, opened.registered ? opened.registered->name : QString(), key, {}, record.identity });
    }
    const sql::LocalPlace here { sql::LocalConflicts::defaultPath(),
        models::ActionJournal::serverOf(opened.session->facts()) };
    TRY_OR(fail, auto history, models::readHistory(*opened.session, subjects, here));
    QByteArrayList items;
    ShownCache cache(context, opened.target);
    for (models::CaseRow &row : history.rows) {
        // A case file cuts values sooner than a person who asks for one key wants it.
        TRY_OR(fail, const auto detail,
            sql::readDetail(*opened.session, opened.target, row.detail.record.identity, kShownBytes));
        const QList<sql::EffectResult> doubted = row.detail.effects;
        row.detail = detail;
        row.detail.effects = doubted;
        row.story = models::storyOf(row.target, row.detail);
        TRY_OR(fail, const auto locks, sql::readKeyLocks(*opened.session, opened.target, row.detail.record.identity));
        row.story += models::lockEvents(locks);
        models::sortStory(&row.story, row.detail.now);
        const CacheAnswer cached = cache.read(*opened.session, opened.target, row.detail.record);
        if (context.json()) {
            items += detailJson(history, row, cached);
        } else {
            printDetail(history, row, cached);
        }
    }
    if (context.json()) {
        printJsonItems(items);
    }
    return cache.unknown() ? Exit::Unknown : Exit::Done;
}

} // namespace

Command keysCommand()
{
    return { .name = u"keys"_s,
        .summary = Tr::tr("list keys, a page at a time"),
        .about = Tr::tr(
            "Lists a page of keys. A row on which an expression of the profile fails stops no command: it counts as "
            "unknown, is part of no action, and its cells show the server's message. Of 100 or more such rows only "
            "that is "
            "said, and every row counts as unknown.\n\n"
            "With --group the rows of all its members come in one order, and each says where it is. A member that does "
            "not answer is named; exit status 5 then, as its keys are missing.\n\n"
            "What --filter takes: “man idemdeskctl”, FILTER TEXT. Times without an offset are UTC there."),
        .options = connectOptions() + QList { groupOption() } + targetOptions()
            + QList { jsonOption(),
                filterOption(Tr::tr("List only keys that match, such as “state:stale attempts>=3”.")),
                Option::text(u"order"_s, Tr::tr("LABEL"),
                    Tr::tr("Order by this label of the profile, or “identity”; a leading “-” turns it.")),
                Option::number(u"limit"_s, 1, kMostPageRows, Tr::tr("At most so many rows."), u"200"_s),
                Option::text(u"after"_s, Tr::tr("CURSOR"), Tr::tr("Continue after the “next” of an earlier page.")) },
        .examples = { { Tr::tr("What is stuck and was tried three times or more:"),
                          u"keys --target app.idempotency_request --filter 'state:stale attempts>=3'"_s },
            { Tr::tr("The keys of one page, for a script:"),
                u"keys --target app.idempotency_request --limit 1000 --json | jq -r '.items[].key'"_s } },
        .run = runKeys,
        .watched = { QString() } };
}

Command showCommand()
{
    return { .name = u"show"_s,
        .synopsis = u"KEY"_s,
        .summary = Tr::tr("show one key with its story"),
        .about = Tr::tr("Shows the record or records of one key with their story: its own times, conflicts, replays, "
                        "effects, who holds its locks now, and the console's actions. Before them it says what happens "
                        "if the client retries now, by the "
                        "profile's “retry”, and what an error code means. With --cache it says what the Redis in "
                        "front of the table holds for the key."),
        .arguments = { { u"KEY"_s, Tr::tr("The whole key."), 1, 1, {} } },
        .options = connectOptions() + targetOptions() + QList { jsonOption(), cacheOption() } + rowOptions(),
        .examples = { { Tr::tr("One key of one table:"), u"show ord-1017 --target app.idempotency_request"_s },
            { Tr::tr("The one of several with this key:"),
                u"show ord-1017 --target app.idempotency_request --scope scope=create_order --json"_s } },
        .run = runShow,
        .watched = { QString() } };
}

} // namespace idemdesk::app
