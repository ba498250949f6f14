// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/context.h"
#include "app/ctl/group_option.h"
#include "app/ctl/group_run.h"
#include "app/ctl/json_out.h"
#include "app/ctl/not_read.h"
#include "app/ctl/opened_target.h"
#include "models/complaint/complaint.h"
#include "models/connection/target_finder.h"
#include "models/keys/key_cells.h"
#include "sql/json/json_text.h"
#include "sql/keys/key_json.h"
#include "sql/types/tr.h"

#include <QJsonArray>
#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace idemdesk::app {

namespace {

constexpr int kMostIntents = 10'000; // shown in one call

sql::Result<models::ComplaintQuestion> questionOf(const Context &context)
{
    models::ComplaintQuestion question;
    question.key = context.value(u"key"_s);
    question.customer = context.value(u"customer"_s);
    question.resource = context.value(u"resource"_s);
    question.amount = context.value(u"amount"_s);
    question.text = context.value(u"text"_s);
    // As a numeric column is shown, with all its places: 61.9600 is 61.96.
    static const QRegularExpression padded(u"^([0-9]+)(?:([.,][0-9]*[1-9])|[.,])0+$"_s);
    if (const auto match = padded.match(question.amount); match.hasMatch()) {
        question.amount = match.captured(1) + match.captured(2);
    }
    static const QRegularExpression number(u"^[0-9]{1,15}([.,][0-9]{1,6})?$"_s);
    if (context.has(u"amount"_s) && !number.match(question.amount).hasMatch()) {
        return usageError(Tr::tr("“%1” is not an amount.").arg(question.amount),
            Tr::tr("Write a number without a currency, such as 49.90."));
    }
    const auto window = sql::durationSeconds(context.value(u"within"_s));
    if (!window || *window <= 0) {
        return usageError(Tr::tr("“%1” is not a length of time.").arg(context.value(u"within"_s)),
            Tr::tr("Write a length such as 30m or 2h."));
    }
    question.windowSeconds = *window;
    if (context.has(u"at"_s) && !models::setComplaintTime(&question, context.value(u"at"_s), QTimeZone::utc())) {
        return usageError(Tr::tr("“%1” is not a time.").arg(context.value(u"at"_s)),
            Tr::tr(
                "Write it such as 2026-11-20T14:30Z, or as a date for its whole day; without an offset it is in UTC."));
    }
    if (question.empty()) {
        return usageError(Tr::tr("Nothing is known of the complaint."),
            Tr::tr("Give one or more of --key, --customer, --resource, --at, --amount and --text."));
    }
    return question;
}

/// Where a complaint is looked for.
struct SearchedTables {
    std::unique_ptr<sql::Session> session;
    QList<sql::Target> targets;
    QList<models::TargetProblem> notRead;
};

/// The table that --target names, else every one that is known.
sql::Result<SearchedTables> tablesOf(const Context &context)
{
    SearchedTables tables;
    if (context.has(u"target"_s)) {
        TRY(auto opened, openTarget(context));
        tables.session = std::move(opened.session);
        tables.targets += opened.target;
        return tables;
    }
    TRY(tables.session, context.connect());
    TRY(const auto found, models::findTargets(*tables.session, {}));
    for (const models::TargetEntry &entry : found.targets + found.archives) {
        tables.targets += entry.target;
    }
    tables.notRead = found.problems;
    return tables;
}

QByteArray candidateJson(const sql::Target &target, const models::Candidate &candidate)
{
    QByteArray item = "{\"target\":";
    const QByteArray name = target.profile.name.toUtf8();
    sql::appendJsonString(item, name.constData(), name.size());
    return item + ',' + sql::keyToJson(target, candidate.record).sliced(1); // numbers keep their text
}

QStringList candidateRow(const sql::Target &target, const models::Candidate &candidate)
{
    QStringList scope;
    for (const sql::Cell &part : candidate.record.scope) {
        scope += part.null ? u"–"_s : part.text;
    }
    return { timeCell(candidate.record.time(sql::Role::CreatedAt)), target.profile.name, scope.join(u" / "_s),
        candidate.record.key.text, models::recordStateText(candidate.record),
        models::recordResultText(candidate.record) };
}

QString nothingFits(const models::ComplaintAnswer &answer, bool whole, bool allRead)
{
    return answer.searched == 0 ? Tr::tr("No table could be searched, so nothing is known.")
        : whole                 ? Tr::tr("No match.")
        : allRead               ? Tr::tr("No match in what could be searched; not all could.")
                                : Tr::tr("No match in the tables that could be read; in the others one may.");
}

Exit runComplaint(const Context &context)
{
    TRY_OR(fail, const auto question, questionOf(context));
    TRY_OR(fail, const auto tables, tablesOf(context));
    TRY_OR(fail, const auto answer, models::searchComplaint(*tables.session, tables.targets, question));
    const QList<models::TargetProblem> notRead = tables.notRead + answer.notRead;
    // Nothing found says something only of what was searched.
    const bool whole = notRead.isEmpty() && answer.whole();
    const bool known = notRead.isEmpty() && answer.searched > 0 && (whole || !answer.candidates.isEmpty());
    const Exit exit = known ? Exit::Done : Exit::Unknown;
    QByteArrayList items;
    QList<QStringList> rows;
    const qsizetype most = context.number(u"limit"_s);
    const bool more = answer.candidates.size() > most;
    for (const models::Candidate &candidate : answer.candidates.mid(0, most)) {
        const sql::Target &target = tables.targets.at(candidate.target);
        items += candidateJson(target, candidate);
        rows += candidateRow(target, candidate);
    }
    if (context.json()) {
        printJsonItems(items,
            { { u"searched"_s, answer.searched }, { u"complete"_s, whole }, { u"more"_s, more || answer.cut },
                { u"notes"_s, QJsonArray::fromStringList(answer.notes) }, { u"not_read"_s, app::jsonOf(notRead) } });
        return exit;
    }
    print(rows.isEmpty() ? nothingFits(answer, whole, notRead.isEmpty()) + u'\n'
                         : table({ Tr::tr("BEGAN"), Tr::tr("TARGET"), Tr::tr("SCOPE"), Tr::tr("KEY"), Tr::tr("STATE"),
                                     Tr::tr("RESULT") },
                             rows));
    for (const QString &text : answer.notes) {
        note(text);
    }
    if (more) {
        note((answer.cut
                ? Tr::tr("At least %1 requests match; the first %2 are shown. Narrow the search, or use --limit.")
                : Tr::tr("%1 requests match; the first %2 are shown. Narrow the search, or use --limit."))
                 .arg(answer.candidates.size())
                 .arg(most));
    }
    if (!rows.isEmpty()) {
        note(Tr::tr("“idemdeskctl case KEY… -o FILE” judges those you name."));
    }
    noteNotRead(notRead);
    return exit;
}

} // namespace

Command complaintCommand()
{
    return { .name = u"complaint"_s,
        .summary = Tr::tr("requests that a complaint may mean: by key, customer, result, time, amount or text"),
        .about = Tr::tr("Looks in every table, or in the one that --target names, for requests that a "
                        "complaint may mean: by the whole key, a whole part of the scope, what it led to, the "
                        "time and --within to either side of it, an amount and any text of the request or "
                        "response. All that is given must hold. Tables that cannot answer are named. Exit "
                        "status 5 where one could not be read, as what is meant may be there. The same where "
                        "nothing fits and not all was searched."),
        .options = connectOptions() + QList { groupOption() } + targetOptions(TargetScope::Every)
            + QList { jsonOption(), Option::text(u"key"_s, Tr::tr("KEY"), Tr::tr("The whole key.")),
                Option::text(
                    u"customer"_s, Tr::tr("TEXT"), Tr::tr("A whole part of the scope: customer, tenant or user.")),
                Option::text(
                    u"resource"_s, Tr::tr("ID"), Tr::tr("What it led to, such as the number of an order or payment.")),
                Option::text(u"at"_s, Tr::tr("TIME"),
                    Tr::tr("About when it was sent, such as 2026-11-20T14:30Z, or a date for its whole day; without an "
                           "offset in UTC.")),
                Option::length(u"within"_s, Tr::tr("So far to either side of --at."), u"1h"_s),
                Option::text(u"amount"_s, Tr::tr("NUMBER"),
                    Tr::tr("An amount in the request or response; 10.5 also finds 10.50 and, in minor units, 1050.")),
                Option::text(u"text"_s, Tr::tr("TEXT"), Tr::tr("Any text in the request or response.")),
                Option::number(u"limit"_s, 1, kMostIntents, Tr::tr("At most so many requests."), u"100"_s) },
        .examples = { { Tr::tr("A customer was charged twice at about half past two:"),
                          u"complaint --customer tenant-7 --at 2026-11-20T14:30Z --amount 49.90"_s },
            { Tr::tr("By the number of an order:"), u"complaint --resource 1017 --json"_s } },
        .run = overMembers(runComplaint) };
}

} // namespace idemdesk::app
