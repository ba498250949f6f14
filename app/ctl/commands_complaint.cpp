// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/context.h"
#include "app/ctl/json_out.h"
#include "app/ctl/not_read.h"
#include "app/ctl/opened_target.h"
#include "models/complaint/complaint.h"
#include "models/connection/target_finder.h"
#include "models/keys/key_cells.h"
#include "sql/keys/key_json.h"
#include "sql/types/tr.h"

#include <QJsonArray>
#include <QJsonDocument>

using namespace Qt::StringLiterals;

namespace idemdesk::app {

namespace {

sql::Result<models::ComplaintQuestion> questionOf(const Context &context)
{
    models::ComplaintQuestion question;
    question.key = context.value(u"key"_s);
    question.customer = context.value(u"customer"_s);
    question.resource = context.value(u"resource"_s);
    question.amount = context.value(u"amount"_s);
    question.text = context.value(u"text"_s);
    const auto window = sql::durationSeconds(context.value(u"within"_s));
    if (!window || *window <= 0) {
        return usageError(Tr::tr("“%1” is no length of time.").arg(context.value(u"within"_s)), Tr::tr("Write a length such as 30m or 2h."));
    }
    question.windowSeconds = *window;
    if (context.has(u"at"_s) && !models::setComplaintTime(&question, context.value(u"at"_s), QTimeZone::utc())) {
        return usageError(Tr::tr("“%1” is no time.").arg(context.value(u"at"_s)), Tr::tr("Write it such as 2026-11-20T14:30Z, or as a date for its whole day; without an offset it is in UTC."));
    }
    if (question.empty()) {
        return usageError(Tr::tr("Nothing is known of the complaint."), Tr::tr("Give one or more of --key, --customer, --resource, --at, --amount and --text."));
    }
    return question;
}

} // namespace

Exit runComplaint(const QStringList &arguments)
{
    Context context(u"complaint"_s);
    context.addConnectOption();
    context.addTargetOption();
    context.addJsonOption();
    context.parser().addOption({ u"key"_s, Tr::tr("The whole key."), Tr::tr("KEY") });
    context.parser().addOption({ u"customer"_s, Tr::tr("A whole part of the scope: customer, tenant or user."), Tr::tr("TEXT") });
    context.parser().addOption({ u"resource"_s, Tr::tr("What it led to, such as the number of an order or payment."), Tr::tr("ID") });
    context.parser().addOption({ u"at"_s, Tr::tr("About when it was sent."), Tr::tr("TIME") });
    context.parser().addOption({ u"within"_s, Tr::tr("So far to either side of --at."), Tr::tr("LENGTH"), u"1h"_s });
    context.parser().addOption({ u"amount"_s, Tr::tr("An amount in the request or response; 10.5 also finds 10.50 and 1050."), Tr::tr("NUMBER") });
    context.parser().addOption({ u"text"_s, Tr::tr("Any text in the request or response."), Tr::tr("TEXT") });
    if (const auto exit = context.parse(arguments, 0, 0)) {
        return *exit;
    }
    const auto question = questionOf(context);
    if (!question) {
        return fail(question.error());
    }
    std::unique_ptr<sql::Session> session;
    QList<sql::Target> targets;
    QList<models::TargetProblem> notRead;
    if (context.has(u"target"_s)) {
        auto opened = openTarget(context);
        if (!opened) {
            return fail(opened.error());
        }
        session = std::move(opened->session);
        targets += opened->target;
    } else {
        auto connected = context.connect();
        if (!connected) {
            return fail(connected.error());
        }
        session = std::move(*connected);
        const auto found = models::findTargets(*session, {});
        if (!found) {
            return fail(found.error());
        }
        for (const models::TargetEntry &entry : found->targets) {
            targets += entry.target;
        }
        notRead = found->problems;
    }
    const auto answer = models::searchComplaint(*session, targets, *question);
    if (!answer) {
        return fail(answer.error());
    }
    notRead += answer->notRead;
    const Exit exit = notRead.isEmpty() && answer->searched > 0 ? Exit::Done : Exit::Unknown;
    QByteArrayList items;
    QList<QStringList> rows;
    for (const models::Candidate &candidate : answer->candidates) {
        const sql::Target &target = targets.at(candidate.target);
        QByteArray item = "{\"target\":";
        const QByteArray name = target.profile.name.toUtf8();
        sql::appendJsonString(item, name.constData(), name.size());
        items += item + ',' + sql::keyToJson(target, candidate.record).sliced(1); // numbers keep their text
        QStringList scope;
        for (const sql::Cell &part : candidate.record.scope) {
            scope += part.null ? u"–"_s : part.text;
        }
        const auto at = candidate.record.time(sql::Role::CreatedAt);
        rows += QStringList { at ? at->toRfc3339() : QString(), target.profile.name, scope.join(u" / "_s), candidate.record.key.text, models::recordStateText(candidate.record),
            models::recordResultText(candidate.record) };
    }
    if (context.json()) {
        const QByteArray notes = QJsonDocument(QJsonArray::fromStringList(answer->notes)).toJson(QJsonDocument::Compact);
        print(QString::fromUtf8("{\"items\":[" + items.join(",\n") + "],\"next\":null,\"searched\":" + QByteArray::number(answer->searched) + ",\"notes\":" + notes + ",\"not_read\":"
            + QJsonDocument(jsonOf(notRead)).toJson(QJsonDocument::Compact) + "}\n"));
        return exit;
    }
    const QString none = answer->searched == 0 ? Tr::tr("No table could be searched, so nothing is known.")
        : notRead.isEmpty()                    ? Tr::tr("No intent fits all of that.")
                                               : Tr::tr("No intent fits all of that in the tables that could be read; in the others one may.");
    print(rows.isEmpty() ? none + u'\n' : table({ Tr::tr("BEGAN"), Tr::tr("TARGET"), Tr::tr("SCOPE"), Tr::tr("KEY"), Tr::tr("STATE"), Tr::tr("RESULT") }, rows));
    for (const QString &text : answer->notes) {
        note(text);
    }
    if (!rows.isEmpty()) {
        note(Tr::tr("“idemdeskctl case KEY… -o FILE” judges those you name."));
    }
    noteNotRead(notRead);
    return exit;
}

} // namespace idemdesk::app
