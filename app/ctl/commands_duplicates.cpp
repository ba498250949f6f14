// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/context.h"
#include "app/ctl/group_option.h"
#include "app/ctl/group_run.h"
#include "app/ctl/json_out.h"
#include "app/ctl/opened_target.h"
#include "app/ctl/out/capture.h"
#include "app/ctl/out/terminal.h"
#include "models/duplicates/duplicate_words.h"
#include "models/format/quantities.h"
#include "sql/duplicates/duplicate_gateway.h"
#include "sql/types/tr.h"

#include <QJsonArray>
#include <QSet>

#include <memory>

using namespace Qt::StringLiterals;

namespace idemdesk::app {

namespace {

constexpr int kMostGroups = 1'000;
constexpr sql::DuplicateReason kReasons[] = { sql::DuplicateReason::SeveralEffects, sql::DuplicateReason::SameResult,
    sql::DuplicateReason::SameBusinessReference, sql::DuplicateReason::SameFingerprint,
    sql::DuplicateReason::TwoCharges, sql::DuplicateReason::NearPayload };

QStringList reasonNames()
{
    QStringList names;
    for (const sql::DuplicateReason reason : kReasons) {
        names += sql::duplicateReasonName(reason);
    }
    return names;
}

sql::DuplicateRequest duplicateRequest(const Context &context)
{
    sql::DuplicateRequest request;
    request.limit = context.number(u"limit"_s);
    request.spanSeconds = context.seconds(u"since"_s);
    request.windowSeconds = context.seconds(u"window"_s);
    request.acrossScopes = context.has(u"across-scopes"_s);
    for (const sql::DuplicateReason reason : kReasons) {
        if (sql::duplicateReasonName(reason) == context.value(u"reason"_s)) {
            request.reasons = { reason };
        }
    }
    return request;
}

/// Who waits at a terminal sees each group when it is found; the ranked list follows.
sql::DuplicatesFound whileSearching(const Context &context)
{
    if (context.json() || capturing() || Terminal::instance().noteWidth() <= 0) {
        return {};
    }
    return [seen = std::make_shared<QSet<QString>>()](const QList<sql::DuplicateGroup> &groups) {
        for (const sql::DuplicateGroup &group : groups) {
            const QString name = sql::duplicateReasonName(group.reason) + u' ' + group.shared;
            if (!seen->contains(name)) {
                seen->insert(name);
                note(Tr::tr("Found: %1: %2")
                         .arg(models::duplicateReasonLabel(group.reason), group.sample.join(u", "_s)));
            }
        }
    };
}

QJsonObject itemOf(const sql::DuplicateGroup &group, const sql::Target &target)
{
    QJsonObject scope;
    for (qsizetype i = 0; i < group.scope.size() && i < target.profile.scope.size(); ++i) {
        const sql::Cell &part = group.scope.at(i);
        scope.insert(target.profile.scope.at(i).label, part.null ? QJsonValue() : QJsonValue(part.text));
    }
    const bool together = group.scope.isEmpty() && !target.profile.scope.isEmpty();
    return { { u"reason"_s, sql::duplicateReasonName(group.reason) }, { u"why"_s, models::duplicateWhy(group) },
        { u"scope"_s, together ? QJsonValue() : QJsonValue(scope) }, { u"shared"_s, group.shared },
        { u"keys"_s, group.keys }, { u"succeeded"_s, group.succeeded },
        { u"sample"_s, QJsonArray::fromStringList(group.sample) },
        { u"first_at"_s, group.first ? QJsonValue(group.first->toRfc3339()) : QJsonValue() },
        { u"last_at"_s, group.last ? QJsonValue(group.last->toRfc3339()) : QJsonValue() },
        { u"effect_type"_s, textOrNull(group.effectType) }, { u"effects"_s, group.effects },
        { u"ignored"_s, QJsonArray::fromStringList(group.ignored) } };
}

void printGroups(const QList<sql::DuplicateGroup> &groups)
{
    QList<QStringList> rows;
    QString reasons;
    for (const sql::DuplicateGroup &group : groups) {
        const QString number = QString::number(rows.size() + 1);
        rows += QStringList { number, models::duplicateReasonLabel(group.reason), models::duplicateScope(group),
            models::countText(group.keys), models::countText(group.succeeded), group.sample.join(u", "_s),
            timeCell(group.first), group.shared };
        reasons += number + u": "_s + models::duplicateWhy(group) + u'\n';
    }
    print(table({ u"#"_s, Tr::tr("REASON"), Tr::tr("SCOPE"), Tr::tr("KEYS"), Tr::tr("SUCCEEDED"), Tr::tr("WHICH"),
                    Tr::tr("FIRST"), Tr::tr("SHARED") },
              rows)
        + u'\n' + reasons);
}

Exit runDuplicates(const Context &context)
{
    sql::DuplicateRequest request = duplicateRequest(context);
    TRY_OR(fail, const auto opened, openTarget(context));
    const auto filter = filterOf(context, opened.target);
    if (!filter) {
        return failFilter(context, filter.error());
    }
    request.filter = *filter;
    const auto answer = sql::findDuplicates(*opened.session, opened.target, request, whileSearching(context));
    if (!answer) {
        return failFilter(context, answer.error());
    }
    const Exit exit = answer->complete ? Exit::Done : Exit::Unknown;
    if (context.json()) {
        QJsonArray items;
        for (const sql::DuplicateGroup &group : answer->groups) {
            items.append(itemOf(group, opened.target));
        }
        printJson({ { u"items"_s, items }, { u"next"_s, QJsonValue() },
            { u"notes"_s, QJsonArray::fromStringList(answer->notes) }, { u"complete"_s, answer->complete } });
        return exit;
    }
    if (answer->groups.isEmpty()) {
        print(
            (answer->complete && answer->notes.isEmpty() ? Tr::tr("No request looks carried out more than once.")
                    : answer->complete ? Tr::tr("No request looks carried out more than once, by what was looked for.")
                                       : Tr::tr("Nothing was found in what could be looked at; not all could."))
            + u'\n');
    } else {
        printGroups(answer->groups);
    }
    for (const QString &text : answer->notes) {
        note(text);
    }
    return exit;
}

} // namespace

Command duplicatesCommand()
{
    return { .name = u"duplicates"_s,
        .summary = Tr::tr("requests that look repeated under different keys"),
        .about = Tr::tr("Names requests that look as if they had been carried out more than once, and says "
                        "why, the strongest evidence first: several effects of one key, the same result, the "
                        "same business reference (the profile's business_reference, or one effect that "
                        "several keys reached), the same fingerprint, two charges of one customer, amount and "
                        "hour in the stored answers, or payloads that are the same but for the fields in the "
                        "profile's diff_ignore.\n\nOnly keys that began within --since and "
                        "match --filter are looked at. One key that was tried several times is none. What "
                        "could not be searched is said, and on a large table which index would help."),
        .options = connectOptions() + QList { groupOption() } + targetOptions()
            + QList { jsonOption(),
                Option::length(u"since"_s, Tr::tr("Keys that began within the last so long."), u"7d"_s),
                Option::length(u"window"_s,
                    Tr::tr("Keys that began within so long of each other rank first; payloads that are nearly the same "
                           "count only so close."),
                    u"24h"_s),
                filterOption(Tr::tr("Only keys that match, such as “scope:payments”.")),
                Option::word(u"reason"_s, reasonNames(), Tr::tr("Only groups for this reason; else for all.")),
                Option::flag(u"across-scopes"_s, Tr::tr("Compare keys of all scopes with each other.")),
                Option::number(u"limit"_s, 1, kMostGroups, Tr::tr("At most so many groups."), u"100"_s) },
        .examples
        = { { Tr::tr("What was done twice in the last week:"), u"duplicates --target app.idempotency_request"_s },
            { Tr::tr("Over all scopes, in the last month:"),
                u"duplicates --target app.idempotency_request --since 30d --across-scopes"_s } },
        .run = overMembers(runDuplicates),
        .watched = { QString() } };
}

} // namespace idemdesk::app
