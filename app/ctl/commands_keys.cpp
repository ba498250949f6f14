// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/context.h"
#include "app/ctl/json_out.h"
#include "app/ctl/opened_target.h"
#include "models/format/time_format.h"
#include "models/keys/story_model.h"
#include "sql/keys/key_gateway.h"
#include "sql/keys/key_json.h"
#include "sql/profile/binder.h"
#include "sql/types/tr.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QTimeZone>

using namespace Qt::StringLiterals;

namespace idemdesk::app {

namespace {

constexpr int kMostPageRows = 10'000; // of one page; more is asked for with --after
constexpr qint64 kShownBytes = 1024 * 1024; // of one value in `show`

QString valueText(const sql::Cell &cell)
{
    return cell.failed() ? u"!"_s + cell.error : cell.null ? u"–"_s : cell.text;
}

QString stateText(const sql::KeyRecord &record)
{
    QString text = sql::stateName(record.state);
    if (record.stale.value_or(false)) {
        text += u" (stale)"_s;
    } else if (record.expired.value_or(false)) {
        text += u" (expired)"_s;
    }
    return text;
}

/// The table of a page: scope, key, state, then the roles this target has, as the window orders them.
QString pageTable(const sql::Target &target, const sql::KeyPage &page)
{
    static constexpr sql::Role kShown[] = { sql::Role::Attempts, sql::Role::CreatedAt, sql::Role::LeaseUntil, sql::Role::Owner,
        sql::Role::ExpiresAt, sql::Role::ResultType, sql::Role::ResultId, sql::Role::ErrorCode };
    QStringList header;
    for (const auto &part : target.profile.scope) {
        header += part.label.toUpper();
    }
    header += { Tr::tr("KEY"), Tr::tr("STATE") };
    for (const sql::Role role : kShown) {
        if (target.profile.has(role)) {
            header += sql::roleName(role).toUpper();
        }
    }
    QList<QStringList> rows;
    for (const sql::KeyRecord &record : page.rows) {
        QStringList cells;
        for (const sql::Cell &part : record.scope) {
            cells += valueText(part);
        }
        cells += { valueText(record.key), stateText(record) };
        for (const sql::Role role : kShown) {
            if (target.profile.has(role)) {
                const auto time = sql::isTimeRole(role) ? record.time(role) : std::nullopt;
                cells += time ? time->toRfc3339() : valueText(record.role(role));
            }
        }
        rows += cells;
    }
    return table(header, rows);
}

sql::Result<QMap<QString, QString>> scopeOption(const QString &text)
{
    QMap<QString, QString> scope;
    for (const QString &part : text.split(u',', Qt::SkipEmptyParts)) {
        const qsizetype equals = part.indexOf(u'=');
        if (equals <= 0) {
            sql::Error error;
            error.kind = sql::ErrorKind::Usage;
            error.what = Tr::tr("“%1” is no part of a scope.").arg(part);
            error.todo = Tr::tr("Write --scope LABEL=VALUE,LABEL=VALUE.");
            return error;
        }
        scope.insert(part.left(equals), part.mid(equals + 1));
    }
    return scope;
}

QJsonObject jsonOf(const models::StoryEvent &event)
{
    return { { u"at"_s, event.at ? QJsonValue(event.at->toRfc3339()) : QJsonValue() }, { u"title"_s, event.title },
        { u"detail"_s, event.detail }, { u"source"_s, event.source } };
}

QByteArray detailJson(const sql::Target &target, const sql::KeyDetail &detail)
{
    QJsonObject columns;
    for (const sql::ColumnValue &column : detail.columns) {
        columns.insert(column.name,
            column.value.failed() ? QJsonObject { { u"error"_s, column.value.error } }
                : column.value.null ? QJsonValue()
                                    : QJsonValue(column.value.text));
    }
    QJsonArray effects;
    for (const sql::EffectResult &effect : detail.effects) {
        QJsonArray rows;
        for (const sql::EffectRow &row : effect.rows) {
            const auto at = row.at.null ? std::nullopt : sql::Timestamp::parse(row.at.text);
            rows.append(QJsonObject { { u"id"_s, row.id.null ? QJsonValue() : QJsonValue(row.id.text) },
                { u"at"_s, at ? QJsonValue(at->toRfc3339()) : QJsonValue() },
                { u"state"_s, row.state.null ? QJsonValue() : QJsonValue(row.state.text) } });
        }
        effects.append(QJsonObject { { u"type"_s, effect.type }, { u"proves"_s, effect.proves }, { u"rows"_s, rows },
            { u"error"_s, effect.error.isEmpty() ? QJsonValue() : QJsonValue(effect.error) } });
    }
    QJsonArray story;
    for (const models::StoryEvent &event : models::storyOf(target, detail)) {
        story.append(jsonOf(event));
    }
    const auto compact = [](const auto &value) { return QJsonDocument(value).toJson(QJsonDocument::Compact); };
    return "{\"record\":" + sql::keyToJson(target, detail.record) + ",\"columns\":" + compact(columns)
        + ",\"effects\":" + compact(effects) + ",\"story\":" + compact(story) + '}';
}

void printDetail(const sql::Target &target, const sql::KeyDetail &detail)
{
    const models::TimeFormat times;
    QList<QStringList> rows { { Tr::tr("state"), stateText(detail.record) } };
    for (const sql::ColumnValue &column : detail.columns) {
        rows += QStringList { column.name, valueText(column.value) };
    }
    print(table({ Tr::tr("COLUMN"), Tr::tr("VALUE") }, rows, true) + u'\n');
    rows.clear();
    for (const models::StoryEvent &event : models::storyOf(target, detail)) {
        rows += QStringList { event.at ? times.text(*event.at) : QString(), event.title, event.detail, event.source };
    }
    print(table({ Tr::tr("TIME (UTC)"), Tr::tr("EVENT"), Tr::tr("DETAIL"), Tr::tr("SOURCE") }, rows, true));
}

sql::Result<sql::PageRequest> pageRequest(const Context &context, const sql::Target &target)
{
    sql::PageRequest request;
    const auto filter = filterOf(context, target);
    if (!filter) {
        return filter.error();
    }
    request.filter = *filter;
    request.order = context.value(u"order"_s);
    sql::Error error;
    error.kind = sql::ErrorKind::Usage;
    bool ok = true;
    request.limit = context.has(u"limit"_s) ? context.value(u"limit"_s).toInt(&ok) : 200;
    if (!ok || request.limit < 1 || request.limit > kMostPageRows) {
        error.what = Tr::tr("--limit takes a number from 1 to %1.").arg(kMostPageRows);
        return error;
    }
    if (context.has(u"after"_s)) {
        const auto cursor = sql::Cursor::fromText(context.value(u"after"_s));
        if (!cursor) {
            error.what = Tr::tr("--after takes the “next” of an earlier page.");
            return error;
        }
        request.from = *cursor;
    }
    return request;
}

} // namespace

Exit runKeys(const QStringList &arguments)
{
    Context context(u"keys"_s);
    context.addConnectOption();
    context.addTargetOption();
    context.addJsonOption();
    context.parser().addOption({ u"filter"_s, Tr::tr("List only keys that match, such as “state:stale attempts>=3”. Times without an offset are UTC."), Tr::tr("TEXT") });
    context.parser().addOption({ u"order"_s, Tr::tr("Order by this label of the profile, or “identity”; a leading “-” turns it."), Tr::tr("LABEL") });
    context.parser().addOption({ u"limit"_s, Tr::tr("At most so many rows (200)."), Tr::tr("N") });
    context.parser().addOption({ u"after"_s, Tr::tr("Continue after the “next” of an earlier page."), Tr::tr("CURSOR") });
    if (const auto exit = context.parse(arguments, 0, 0)) {
        return *exit;
    }
    const auto opened = openTarget(context);
    if (!opened) {
        return fail(opened.error());
    }
    const auto request = pageRequest(context, opened->target);
    if (!request) {
        return failFilter(context, request.error());
    }
    const auto page = sql::readPage(*opened->session, opened->target, *request);
    if (!page) {
        return failFilter(context, page.error());
    }
    QString next;
    if (page->more && !page->rows.isEmpty()) {
        next = sql::Cursor { page->rows.last().orderValue, page->rows.last().identity }.toText();
    }
    for (const QString &text : page->notes) {
        note(text);
    }
    if (context.json()) {
        QByteArrayList items;
        for (const sql::KeyRecord &record : page->rows) {
            items += sql::keyToJson(opened->target, record);
        }
        print(u"{\"items\":["_s + QString::fromUtf8(items.join(",\n")) + u"],\"next\":"_s
            + (next.isEmpty() ? u"null"_s : u'"' + next + u'"') + u"}\n"_s);
        return Exit::Done;
    }
    print(pageTable(opened->target, *page));
    if (!next.isEmpty()) {
        note(Tr::tr("More follow: --after %1").arg(next));
    }
    return Exit::Done;
}

Exit runShow(const QStringList &arguments)
{
    Context context(u"show KEY"_s);
    context.addConnectOption();
    context.addTargetOption();
    context.addJsonOption();
    context.parser().addOption({ u"scope"_s, Tr::tr("The key's scope, part by part; parts left out match any."), Tr::tr("LABEL=VALUE,…") });
    context.parser().addPositionalArgument(u"KEY"_s, Tr::tr("The whole key."));
    if (const auto exit = context.parse(arguments, 1, 1)) {
        return *exit;
    }
    const auto scope = scopeOption(context.value(u"scope"_s));
    if (!scope) {
        return fail(scope.error());
    }
    const auto opened = openTarget(context);
    if (!opened) {
        return fail(opened.error());
    }
    const QString key = context.positional().value(0);
    const auto records = sql::findKey(*opened->session, opened->target, key, *scope);
    if (!records) {
        return fail(records.error());
    }
    if (records->isEmpty()) {
        sql::Error error;
        error.kind = sql::ErrorKind::Other;
        error.what = Tr::tr("There is no key “%1” in %2.").arg(key, opened->target.profile.relation);
        error.todo = Tr::tr("It may have been purged. “keys --filter key:START*” searches by its beginning.");
        return fail(error);
    }
    QByteArrayList items;
    for (const sql::KeyRecord &record : *records) {
        const auto detail = sql::readDetail(*opened->session, opened->target, record.identity, kShownBytes);
        if (!detail) {
            return fail(detail.error());
        }
        if (context.json()) {
            items += detailJson(opened->target, *detail);
        } else {
            printDetail(opened->target, *detail);
        }
    }
    if (context.json()) {
        print(u"{\"items\":["_s + QString::fromUtf8(items.join(",\n")) + u"],\"next\":null}\n"_s);
    }
    return Exit::Done;
}

} // namespace idemdesk::app
