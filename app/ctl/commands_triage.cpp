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
        { u"proposed"_s, judgement.rule < 0 ? QJsonValue() : QJsonValue(proposedText(judgement)) }, { u"bulk"_s, judgement.bulk },
        { u"effect_id"_s, judgement.effectId.null ? QJsonValue() : QJsonValue(judgement.effectId.text) },
        { u"stale_since"_s, facts.staleSince ? QJsonValue(facts.staleSince->toRfc3339()) : QJsonValue() },
        { u"reasons"_s, QJsonArray::fromStringList(judgement.reasons) } };
    return QJsonDocument(object).toJson(QJsonDocument::Compact).chopped(1) + ",\"record\":" + sql::keyToJson(target, facts.record) + '}';
}

} // namespace

Exit runTriage(const QStringList &arguments)
{
    Context context(u"triage"_s);
    context.addConnectOption();
    context.addTargetOption();
    context.addJsonOption();
    context.parser().addOption({ u"filter"_s, Tr::tr("Only keys that match this filter text."), Tr::tr("TEXT") });
    context.parser().addOption({ u"limit"_s, Tr::tr("At most so many keys, the longest stale first."), Tr::tr("N"), u"200"_s });
    if (const auto exit = context.parse(arguments, 0, 0)) {
        return *exit;
    }
    bool number = false;
    const int limit = context.value(u"limit"_s).toInt(&number);
    if (!number || limit < 1 || limit > 100'000) {
        note(Tr::tr("--limit takes a number from 1 to 100,000."));
        return Exit::Usage;
    }
    auto opened = openTarget(context);
    if (!opened) {
        return fail(opened.error());
    }
    if (!opened->registered) {
        const auto compiled = sql::compileTarget(*opened->session, opened->target);
        if (!compiled) {
            return fail(compiled.error());
        }
        opened->compiled = *compiled;
    }
    const auto filter = filterOf(context, opened->target);
    if (!filter) {
        return failFilter(context, filter.error());
    }
    const auto page = sql::readTriage(*opened->session, opened->target, *filter, true, limit);
    if (!page) {
        return failFilter(context, page.error());
    }
    for (const QString &sentence : page->notes) {
        note(sentence);
    }
    QList<QStringList> rows;
    QByteArray items;
    for (const sql::TriageFacts &facts : page->rows) {
        const models::TriageJudgement judgement = models::judge(opened->target, facts, opened->compiled);
        if (context.json()) {
            items += (items.isEmpty() ? "" : ",") + jsonOf(opened->target, facts, judgement);
        } else {
            rows += QStringList { models::scopeText(facts.record.scope), facts.record.key.text, models::triageClassLabel(judgement.cls),
                proposedText(judgement), judgement.reasons.join(u' ') };
        }
    }
    // What row security hides may be stale, too.
    const Exit exit = opened->target.relation.rowSecurity ? Exit::Unknown : Exit::Done;
    if (context.json()) {
        print(u"{\"items\":["_s + QString::fromUtf8(items) + u"],\"more\":"_s + (page->more ? u"true"_s : u"false"_s) + u"}\n"_s);
        return exit;
    }
    if (rows.isEmpty()) {
        print((exit == Exit::Done ? Tr::tr("No key is stale.") : Tr::tr("No key that this login sees is stale.")) + u'\n');
        return exit;
    }
    print(table({ Tr::tr("SCOPE"), Tr::tr("KEY"), Tr::tr("CLASS"), Tr::tr("PROPOSED"), Tr::tr("WHY") }, rows, true));
    if (page->more) {
        note(Tr::tr("More keys are stale; --limit shows more of them."));
    }
    return exit;
}

} // namespace idemdesk::app
