// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/context.h"
#include "app/ctl/json_out.h"
#include "app/ctl/opened_target.h"
#include "models/duplicates/duplicate_words.h"
#include "sql/duplicates/duplicate_gateway.h"
#include "sql/types/tr.h"

#include <QJsonArray>

using namespace Qt::StringLiterals;

namespace idemdesk::app {

namespace {

constexpr int kMost = 1'000;

sql::Result<sql::DuplicateRequest> duplicateRequest(const Context &context)
{
    sql::DuplicateRequest request;
    sql::Error error;
    error.kind = sql::ErrorKind::Usage;
    const auto span = sql::durationSeconds(context.value(u"since"_s));
    const auto window = sql::durationSeconds(context.value(u"window"_s));
    bool number = false;
    request.limit = context.value(u"limit"_s).toInt(&number);
    if (!span || *span <= 0 || !window || *window <= 0) {
        error.what = Tr::tr("“%1” is no length of time.").arg(!span || *span <= 0 ? context.value(u"since"_s) : context.value(u"window"_s));
        error.todo = Tr::tr("Write a length such as 24h or 7d.");
        return error;
    }
    if (!number || request.limit < 1 || request.limit > kMost) {
        error.what = Tr::tr("--limit takes a number from 1 to %1.").arg(kMost);
        return error;
    }
    request.spanSeconds = *span;
    request.windowSeconds = *window;
    request.acrossScopes = context.has(u"across-scopes"_s);
    return request;
}

QJsonObject itemOf(const sql::DuplicateGroup &group, const sql::Target &target)
{
    QJsonObject scope;
    for (qsizetype i = 0; i < group.scope.size() && i < target.profile.scope.size(); ++i) {
        const sql::Cell &part = group.scope.at(i);
        scope.insert(target.profile.scope.at(i).label, part.null ? QJsonValue() : QJsonValue(part.text));
    }
    const bool together = group.scope.isEmpty() && !target.profile.scope.isEmpty();
    return { { u"reason"_s, sql::duplicateReasonName(group.reason) }, { u"why"_s, models::duplicateWhy(group) }, { u"scope"_s, together ? QJsonValue() : QJsonValue(scope) }, { u"shared"_s, group.shared },
        { u"keys"_s, group.keys }, { u"succeeded"_s, group.succeeded }, { u"sample"_s, QJsonArray::fromStringList(group.sample) },
        { u"first_at"_s, group.first ? QJsonValue(group.first->toRfc3339()) : QJsonValue() }, { u"last_at"_s, group.last ? QJsonValue(group.last->toRfc3339()) : QJsonValue() },
        { u"effect_type"_s, group.effectType.isEmpty() ? QJsonValue() : QJsonValue(group.effectType) }, { u"effects"_s, group.effects }, { u"ignored"_s, QJsonArray::fromStringList(group.ignored) } };
}

void printGroups(const QList<sql::DuplicateGroup> &groups)
{
    QList<QStringList> rows;
    QString reasons;
    for (const sql::DuplicateGroup &group : groups) {
        const QString number = QString::number(rows.size() + 1);
        rows += QStringList { number, models::duplicateReasonLabel(group.reason), models::duplicateScope(group), QString::number(group.keys), QString::number(group.succeeded), group.sample.join(u", "_s),
            group.first ? group.first->toRfc3339() : QString(), group.shared };
        reasons += number + u": "_s + models::duplicateWhy(group) + u'\n';
    }
    print(table({ u"#"_s, Tr::tr("REASON"), Tr::tr("SCOPE"), Tr::tr("KEYS"), Tr::tr("SUCCEEDED"), Tr::tr("WHICH"), Tr::tr("FIRST"), Tr::tr("SHARED") }, rows) + u'\n' + reasons);
}

} // namespace

Exit runDuplicates(const QStringList &arguments)
{
    Context context(u"duplicates"_s);
    context.addConnectOption();
    context.addTargetOption();
    context.addJsonOption();
    context.parser().addOption({ u"since"_s, Tr::tr("Keys that began within the last so long."), Tr::tr("LENGTH"), u"7d"_s });
    context.parser().addOption({ u"window"_s, Tr::tr("Keys that began within so long of each other rank first; payloads that are nearly the same count only so close."), Tr::tr("LENGTH"), u"24h"_s });
    context.parser().addOption({ u"filter"_s, Tr::tr("Only keys that match, such as 'scope:payments'."), Tr::tr("TEXT") });
    context.parser().addOption({ u"across-scopes"_s, Tr::tr("Compare keys of all scopes with each other.") });
    context.parser().addOption({ u"limit"_s, Tr::tr("At most so many groups."), Tr::tr("N"), u"100"_s });
    if (const auto exit = context.parse(arguments, 0, 0)) {
        return *exit;
    }
    auto request = duplicateRequest(context);
    if (!request) {
        return fail(request.error());
    }
    const auto opened = openTarget(context);
    if (!opened) {
        return fail(opened.error());
    }
    const auto filter = filterOf(context, opened->target);
    if (!filter) {
        return failFilter(context, filter.error());
    }
    request->filter = *filter;
    const auto answer = sql::findDuplicates(*opened->session, opened->target, *request);
    if (!answer) {
        return failFilter(context, answer.error());
    }
    const Exit exit = answer->complete ? Exit::Done : Exit::Unknown;
    if (context.json()) {
        QJsonArray items;
        for (const sql::DuplicateGroup &group : answer->groups) {
            items.append(itemOf(group, opened->target));
        }
        printJson({ { u"items"_s, items }, { u"next"_s, QJsonValue() }, { u"notes"_s, QJsonArray::fromStringList(answer->notes) }, { u"complete"_s, answer->complete } });
        return exit;
    }
    if (answer->groups.isEmpty()) {
        print((answer->complete ? Tr::tr("No intent looks as if it had been carried out more than once.")
                                : Tr::tr("Nothing was found in what could be looked at; not all could.")) + u'\n');
    } else {
        printGroups(answer->groups);
    }
    for (const QString &text : answer->notes) {
        note(text);
    }
    return exit;
}

} // namespace idemdesk::app
