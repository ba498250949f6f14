// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/group_keys.h"

#include "app/ctl/group_option.h"
#include "app/ctl/group_run.h"
#include "app/ctl/key_cursor.h"
#include "app/ctl/key_table.h"
#include "app/ctl/opened_target.h"
#include "models/groups/group_page.h"
#include "sql/activity/replication.h"
#include "sql/keys/key_json.h"
#include "sql/keys/page_reader.h"
#include "sql/keys/unseen.h"
#include "sql/regions/value_ranks.h"
#include "sql/types/tr.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <algorithm>
#include <future>

using namespace Qt::StringLiterals;

namespace idemdesk::app {

namespace {

/// What one member answered.
struct MemberKeys {
    sql::Target target;
    sql::ResolvedOrder order;
    sql::KeyPage page;
    QString from; ///< the cursor that the page began behind, as text; empty: from the beginning
    QString standby; ///< how far the member is behind, where it is a standby
};

using Answers = QList<sql::Result<MemberKeys>>;

sql::Result<std::unique_ptr<sql::Session>> openMember(const Context &context, const sql::GroupMember &member)
{
    sql::Session::Options options;
    options.applicationName = u"idemdesk ctl"_s;
    options.statementTimeoutMs = 60'000;
    return sql::Session::open(memberSettings(context, member), options);
}

/// The cursors of the members by their labels, of the page before.
sql::Result<QJsonObject> cursorsAfter(const Context &context, const sql::Target &target)
{
    if (!context.has(u"after"_s)) {
        return QJsonObject();
    }
    TRY(const auto place, placeAfter(context, target));
    const QJsonDocument document = QJsonDocument::fromJson(
        QByteArray::fromBase64(place.toLatin1(), QByteArray::Base64UrlEncoding | QByteArray::OmitTrailingEquals));
    return document.isObject() ? sql::Result<QJsonObject>(document.object()) : noPlace();
}

/// On a thread of its own: a session lives and dies on one.
sql::Result<MemberKeys> readMember(const Context &context, const sql::GroupMember &member)
{
    TRY(const auto session, openMember(context, member));
    MemberKeys keys;
    TRY(const auto opened, targetIn(context, *session));
    keys.target = opened.target;
    sql::PageRequest request;
    TRY(request.filter, filterOf(context, keys.target));
    request.order = context.value(u"order"_s);
    request.limit = context.number(u"limit"_s);
    TRY(const auto cursors, cursorsAfter(context, keys.target));
    keys.from = cursors.value(member.label).toString();
    if (!keys.from.isEmpty()) {
        const auto cursor = sql::Cursor::fromText(keys.from);
        if (!cursor) {
            return noPlace();
        }
        request.from = *cursor;
    }
    TRY(keys.order, sql::resolveOrder(keys.target, request.order, request.filter));
    TRY(keys.page, sql::readPage(*session, keys.target, request));
    keys.standby = sql::standbyNote(*session);
    return keys;
}

Answers askMembers(const Context &context, const sql::ConnectionGroup &group)
{
    std::vector<std::future<sql::Result<MemberKeys>>> running;
    for (const sql::GroupMember &member : group.members) {
        running.push_back(std::async(std::launch::async, [&context, &member] { return readMember(context, member); }));
    }
    Answers answers;
    for (auto &one : running) {
        answers.append(one.get());
    }
    return answers;
}

/// The places of all rows among each other, as the first server that answered compares them.
sql::Result<QList<QList<qint64>>> ranksOf(
    const Context &context, const sql::ConnectionGroup &group, const Answers &answers)
{
    QList<sql::SortValues> values;
    qsizetype judge = -1;
    for (qsizetype i = 0; i < answers.size(); ++i) {
        if (!answers.at(i)) {
            continue;
        }
        judge = judge < 0 ? i : judge;
        for (const sql::KeyRecord &record : answers.at(i)->page.rows) {
            values += sql::sortValues(answers.at(i)->order, record);
        }
    }
    QList<QList<qint64>> ranks(answers.size());
    if (values.isEmpty()) {
        return ranks;
    }
    TRY(const auto session, openMember(context, group.members.at(judge)));
    TRY(const auto all, sql::rankValues(*session, answers.at(judge)->order, values));
    qsizetype from = 0;
    for (qsizetype i = 0; i < answers.size(); ++i) {
        const qsizetype count = answers.at(i) ? answers.at(i)->page.rows.size() : 0;
        ranks[i] = all.mid(from, count);
        from += count;
    }
    return ranks;
}

/// The place behind the page: of each member the cursor of its last row in it.
QString nextPlace(
    const Context &context, const sql::ConnectionGroup &group, const Answers &answers, const models::MergedPage &page)
{
    QJsonObject cursors;
    const sql::Target *target = nullptr;
    for (qsizetype i = 0; i < answers.size(); ++i) {
        if (answers.at(i)) {
            target = &answers.at(i)->target;
            cursors.insert(group.members.at(i).label, answers.at(i)->from);
        }
    }
    for (const models::MergedPage::Place &place : page.rows) {
        const sql::KeyRecord &record = answers.at(place.member)->page.rows.at(place.row);
        cursors.insert(
            group.members.at(place.member).label, sql::Cursor { record.orderValue, record.identity }.toText());
    }
    if (target == nullptr) {
        return {}; // nobody answered, so nothing lies behind it
    }
    return markedPlace(context, *target,
        QString::fromLatin1(QJsonDocument(cursors)
                                .toJson(QJsonDocument::Compact)
                                .toBase64(QByteArray::Base64UrlEncoding | QByteArray::OmitTrailingEquals)));
}

/// What the page does not show: members that did not answer, and what was not looked at in the others.
QStringList groupNotes(const sql::ConnectionGroup &group, const Answers &answers)
{
    QStringList notes;
    const auto answered = std::count_if(answers.cbegin(), answers.cend(), [](const auto &one) { return one.ok(); });
    if (answered < answers.size()) {
        notes += Tr::tr("%1 of %2 members answered; keys of the others are missing.").arg(answered).arg(answers.size());
    }
    for (qsizetype i = 0; i < answers.size(); ++i) {
        const QString label = group.members.at(i).label;
        if (!answers.at(i)) {
            notes += Tr::tr("%1: %2").arg(label, answers.at(i).error().line());
            continue;
        }
        QStringList own = answers.at(i)->page.notes + sql::unseenNotes(answers.at(i)->target);
        own.removeDuplicates();
        for (const QString &text : std::as_const(own)) {
            notes += Tr::tr("%1: %2").arg(label, text);
        }
    }
    return notes;
}

/// Members that follow another server; that they may be late does not make the page incomplete by itself.
QStringList standbyNotes(const sql::ConnectionGroup &group, const Answers &answers)
{
    QStringList notes;
    for (qsizetype i = 0; i < answers.size(); ++i) {
        if (answers.at(i) && !answers.at(i)->standby.isEmpty()) {
            notes += Tr::tr("%1: %2").arg(group.members.at(i).label, answers.at(i)->standby);
        }
    }
    return notes;
}

/// An error that is every member's, such as a filter that is none, is the command's own.
std::optional<sql::Error> commonError(const Answers &answers)
{
    const bool all = std::all_of(answers.cbegin(), answers.cend(), [](const auto &one) { return !one; });
    for (const auto &one : answers) {
        if (!one && (all || one.error().kind == sql::ErrorKind::Usage)) {
            return one.error();
        }
    }
    return std::nullopt;
}

} // namespace

Exit runGroupKeys(const Context &context)
{
    if (context.has(u"connect"_s)) {
        return misused(Tr::tr("Either --connect or --group says where to look."));
    }
    if (context.target().isEmpty()) {
        return fail(context.profile().error());
    }
    TRY_OR(fail, const auto group, groupOf(context));
    TRY_OR(fail, refuseTwice(context, group));
    (void)context.profile().ok(); // asks here what a person must confirm, before all members want it at once
    const Answers answers = askMembers(context, group);
    if (const auto error = commonError(answers)) {
        return failFilter(context, *error);
    }
    TRY_OR(fail, const auto ranks, ranksOf(context, group, answers));
    QList<bool> mores;
    for (const auto &one : answers) {
        mores += one && one->page.more;
    }
    const models::MergedPage page = models::mergePages(ranks, mores, context.number(u"limit"_s));
    const QString next = page.more ? nextPlace(context, group, answers, page) : QString();
    QStringList notes = groupNotes(group, answers);
    const bool complete = notes.isEmpty();
    notes += standbyNotes(group, answers);
    for (const QString &text : std::as_const(notes)) {
        note(text);
    }
    const Exit exit = complete ? Exit::Done : Exit::Unknown;
    QList<sql::KeyRecord> rows;
    QStringList labels;
    QByteArrayList items;
    for (const models::MergedPage::Place &place : page.rows) {
        rows += answers.at(place.member)->page.rows.at(place.row);
        labels += group.members.at(place.member).label;
        QJsonObject item
            = QJsonDocument::fromJson(sql::keyToJson(answers.at(place.member)->target, rows.constLast())).object();
        item.insert(u"member"_s, labels.constLast());
        items += QJsonDocument(item).toJson(QJsonDocument::Compact);
    }
    if (context.json()) {
        printJsonItems(items,
            { { u"next"_s, textOrNull(next) }, { u"notes"_s, QJsonArray::fromStringList(notes) },
                { u"complete"_s, complete } });
        return exit;
    }
    const auto first = std::find_if(answers.cbegin(), answers.cend(), [](const auto &one) { return one.ok(); });
    print(rows.isEmpty() ? Tr::tr("No key was found.") + u'\n' : keyTable((*first)->target, rows, labels));
    if (!next.isEmpty()) {
        note(Tr::tr("More follow: --after %1").arg(next));
    }
    return exit;
}

} // namespace idemdesk::app
