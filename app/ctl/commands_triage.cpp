// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/json_out.h"
#include "app/ctl/opened_target.h"
#include "models/actions/action_words.h"
#include "models/triage/frozen_set.h"
#include "sql/actions/compile.h"
#include "sql/actions/triage_reader.h"
#include "sql/keys/key_json.h"
#include "sql/types/tr.h"

#include <QJsonArray>
#include <QJsonDocument>

using namespace Qt::StringLiterals;

namespace idemdesk::app {

namespace {

constexpr int kMostTriageRows = 100'000;

QString proposedText(const models::TriageJudgement &judgement)
{
    if (judgement.rule < 0) {
        return u"–"_s;
    }
    return judgement.proposed ? sql::stateName(*judgement.proposed) : u"absent"_s;
}

QByteArray jsonOf(const sql::Target &target, const sql::TriageFacts &facts, const models::TriageJudgement &judgement)
{
    const QJsonObject object { { u"class"_s, models::triageClassName(judgement.cls) },
        { u"proposed"_s, judgement.rule < 0 ? QJsonValue() : QJsonValue(proposedText(judgement)) },
        { u"bulk"_s, judgement.bulk },
        { u"effect_id"_s, judgement.effectId.null ? QJsonValue() : QJsonValue(judgement.effectId.text) },
        { u"stale_since"_s, facts.staleSince ? QJsonValue(facts.staleSince->toRfc3339()) : QJsonValue() },
        { u"reasons"_s, QJsonArray::fromStringList(judgement.reasons) } };
    return QJsonDocument(object).toJson(QJsonDocument::Compact).chopped(1)
        + ",\"record\":" + sql::keyToJson(target, facts.record) + '}';
}

Exit runTriage(const Context &context)
{
    TRY_OR(fail, auto opened, openTarget(context));
    if (!opened.registered) {
        TRY_OR(fail, opened.compiled, sql::compileTarget(*opened.session, opened.target));
    }
    const auto filter = filterOf(context, opened.target);
    if (!filter) {
        return failFilter(context, filter.error());
    }
    const auto page = sql::readTriage(*opened.session, opened.target, *filter, true, context.number(u"limit"_s));
    if (!page) {
        return failFilter(context, page.error());
    }
    for (const QString &sentence : page->notes) {
        note(sentence);
    }
    QList<QStringList> rows;
    QByteArrayList items;
    for (const sql::TriageFacts &facts : page->rows) {
        const models::TriageJudgement judgement = models::judgeTriage(opened.target, facts, opened.compiled);
        if (context.json()) {
            items += jsonOf(opened.target, facts, judgement);
        } else {
            QStringList reasons = judgement.reasons;
            reasons.removeDuplicates(); // as of one statement that was recorded twice
            rows += QStringList { models::scopeText(facts.record.scope), facts.record.key.text,
                models::triageClassLabel(judgement.cls), proposedText(judgement), reasons.join(u' ') };
        }
    }
    const Exit exit = page->partly ? Exit::Unknown : Exit::Done;
    if (context.json()) {
        printJsonItems(items,
            { { u"more"_s, page->more }, { u"notes"_s, QJsonArray::fromStringList(page->notes) },
                { u"complete"_s, !page->partly } });
        return exit;
    }
    if (rows.isEmpty()) {
        print((page->partly ? Tr::tr("No stuck key among what could be looked at; not all could.")
                            : Tr::tr("No key is stuck."))
            + u'\n');
        return exit;
    }
    print(table({ Tr::tr("SCOPE"), Tr::tr("KEY"), Tr::tr("CLASS"), Tr::tr("PROPOSED"), Tr::tr("WHY") }, rows, true));
    if (page->more) {
        note(Tr::tr("More keys are stuck; --limit shows more of them."));
    }
    return exit;
}

} // namespace

Command triageCommand()
{
    return { .name = u"triage"_s,
        .summary = Tr::tr("stuck keys: is somebody still at it, did the effect happen, what to do"),
        .about = Tr::tr("Lists stuck keys with a class, the reasons for it, and the state proposed: running, "
                        "effect_happened, safe_to_retry, abandoned or needs_review.\n\nFinding no effect "
                        "proves nothing, and the key needs review, in these cases. The query looks by a "
                        "column, or by a value made of columns, that is NULL in the row. The query never "
                        "found an effect here. Row security hides rows of what it reads, or of the table, "
                        "from this login; a triage of such a table ends with status 5. A transaction writes "
                        "to a table that it reads, and did not end within a moment; when it began does not "
                        "matter, for a worker past its lease may begin late. It reads a registered target "
                        "that keeps its rows for a shorter time than the key is old, or that was purged "
                        "since.\n\nA row without an id is not an effect."),
        .options = connectOptions() + targetOptions()
            + QList { jsonOption(), filterOption(Tr::tr("Only keys that match this filter text.")),
                Option::number(u"limit"_s, 1, kMostTriageRows, Tr::tr("At most so many keys, the longest stuck first."),
                    u"200"_s) },
        .examples = { { Tr::tr("What to do with each stuck key:"), u"triage --target app.idempotency_request"_s },
            { Tr::tr("Only those of one scope, stuck for an hour:"),
                u"triage --target app.idempotency_request --filter 'scope:create_order age>1h'"_s } },
        .run = runTriage,
        .watched = { QString() } };
}

} // namespace idemdesk::app
