// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/group_option.h"
#include "app/ctl/group_run.h"
#include "app/ctl/intents.h"
#include "app/ctl/not_read.h"
#include "app/ctl/opened_target.h"
#include "models/casefile/case_reader.h"
#include "models/format/display_text.h"
#include "models/keys/key_cells.h"
#include "sql/types/tr.h"

#include <QJsonArray>
#include <QMap>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::app {

namespace {

const RowDoubt *doubtOf(const QList<RowDoubt> &doubts, qsizetype row)
{
    const auto found
        = std::find_if(doubts.cbegin(), doubts.cend(), [row](const RowDoubt &doubt) { return doubt.row == row; });
    return found == doubts.cend() ? nullptr : &*found;
}

QString nextFor(const Intents &intents, const models::CaseFile &file, qsizetype row, const RowDoubt *doubt)
{
    const IntentTable *table = tableOf(intents, file.rows.at(row));
    return table == nullptr ? QString()
                            : nextCommand(*table, file.rows.at(row), doubt != nullptr ? &doubt->judgement : nullptr);
}

/// One line of time for one row, as the case has it: without what the profile masks.
QList<models::StoryEvent> storyOfRow(const models::CaseFile &file, const models::CaseRow &row)
{
    models::CaseFile one;
    one.rows = { row };
    for (const sql::ConflictRecord &record : file.conflicts) {
        if (models::isOf(record, row.key, row.names, row.detail.record.scope)) {
            one.conflicts += record;
        }
    }
    return models::timelineOf(one);
}

void printFound(const Intents &intents, const models::CaseFile &file, const QList<RowDoubt> &doubts)
{
    QStringList commands;
    for (qsizetype i = 0; i < file.rows.size(); ++i) {
        const models::CaseRow &row = file.rows.at(i);
        const QString scope = models::scopeOf(row);
        print(models::displayText(row.target.profile.shownTitle()) + u" ("_s
            + models::displayText(row.target.profile.relation) + u"): "_s + models::displayText(row.key)
            + (scope.isEmpty() ? QString() : u"; "_s + models::displayText(scope)) + u"; "_s
            + models::recordStateText(row.detail.record) + u"\n\n"_s);
        QList<QStringList> rows;
        const QList<models::StoryEvent> events = storyOfRow(file, row);
        for (const models::StoryEvent &event : events) {
            rows += QStringList { timeCell(event.at), event.title, event.detail };
        }
        print(table({ Tr::tr("TIME"), Tr::tr("EVENT"), Tr::tr("DETAIL") }, rows,
                  QStringList { Tr::tr("EVENT"), Tr::tr("DETAIL") })
            + u'\n');
        commands += nextFor(intents, file, i, doubtOf(doubts, i));
    }
    printVerdict(file);
    printDoubts(file, doubts);
    commands.removeDuplicates();
    for (const QString &command : std::as_const(commands)) {
        print(Tr::tr("Next: %1").arg(models::displayText(command, 10'000)) + u'\n');
    }
}

void printFoundJson(const Intents &intents, const models::CaseFile &file, const QList<RowDoubt> &doubts)
{
    QJsonArray items;
    for (qsizetype i = 0; i < file.rows.size(); ++i) {
        const models::CaseRow &row = file.rows.at(i);
        QJsonArray story;
        const QList<models::StoryEvent> events = storyOfRow(file, row);
        for (const models::StoryEvent &event : events) {
            story.append(QJsonObject { { u"at"_s, event.at ? QJsonValue(event.at->toRfc3339()) : QJsonValue() },
                { u"title"_s, event.title }, { u"detail"_s, event.detail }, { u"source"_s, event.source } });
        }
        const RowDoubt *doubt = doubtOf(doubts, i);
        items.append(QJsonObject { { u"target"_s, row.target.profile.name },
            { u"relation"_s, row.target.profile.relation }, { u"scope"_s, models::scopeOf(row) }, { u"key"_s, row.key },
            { u"state"_s, sql::stateName(row.detail.record.state) },
            { u"stale"_s, row.detail.record.stale ? QJsonValue(*row.detail.record.stale) : QJsonValue() },
            { u"story"_s, story }, { u"triage"_s, doubt != nullptr ? QJsonValue(app::jsonOf(*doubt)) : QJsonValue() },
            { u"next_command"_s, nextFor(intents, file, i, doubt) } });
    }
    const models::Verdict &verdict = file.verdict;
    QJsonArray rules;
    for (const models::VerdictRule &rule : verdict.rules) {
        rules.append(QJsonObject { { u"id"_s, rule.id }, { u"sentence"_s, rule.sentence } });
    }
    printJson({ { u"items"_s, items }, { u"next"_s, QJsonValue() },
        { u"verdict"_s,
            QJsonObject { { u"kind"_s, models::kindWord(verdict.kind) },
                { u"certainty"_s, models::certaintyWord(verdict.certainty) }, { u"sentence"_s, verdict.sentence },
                { u"rules"_s, rules },
                { u"would_settle"_s, QJsonArray::fromStringList(models::openSentences(verdict)) } } },
        { u"notes"_s, QJsonArray::fromStringList(intents.notes) }, { u"not_read"_s, app::jsonOf(intents.notRead) } });
}

Exit runFind(const Context &context)
{
    TRY_OR(fail, auto intents, intentsOf(context, { context.positional().constFirst() }));
    if (intents.absent) {
        return failAbsent(*intents.absent);
    }
    if (intents.subjects.isEmpty()) { // which was said
        noteNotRead(intents.notRead);
        return Exit::Unknown;
    }
    TRY_OR(failCase, const auto file,
        models::readCase(*intents.session, intents.subjects, localConflicts(*intents.session)));
    TRY_OR(fail, const auto doubts, doubtsOf(intents, file));
    if (context.json() || capturing()) { // of a group it tells which members have the key
        printFoundJson(intents, file, doubts);
    }
    if (!context.json()) {
        printFound(intents, file, doubts);
    }
    return noteUnseen(intents);
}

/// The key in several members: of shards one is wrong, of regions both may have carried it out.
void sameKeys(const QList<MemberAnswer> &answers, QStringList *lines, QJsonObject *document)
{
    QMap<QStringList, QStringList> members;
    QMap<QStringList, QStringList> succeeded;
    const QList<QJsonObject> items = itemsOf(answers);
    for (const QJsonObject &item : items) {
        const QStringList name { item.value(u"relation"_s).toString(), item.value(u"scope"_s).toString(),
            item.value(u"key"_s).toString() };
        const QString member = item.value(u"member"_s).toString();
        members[name] += members.value(name).contains(member) ? QStringList() : QStringList { member };
        if (item.value(u"state"_s) == sql::stateName(sql::KeyState::Succeeded)) {
            succeeded[name] += succeeded.value(name).contains(member) ? QStringList() : QStringList { member };
        }
    }
    QJsonArray several;
    for (auto it = members.cbegin(); it != members.cend(); ++it) {
        if (it.value().size() < 2) {
            continue;
        }
        const QStringList done = succeeded.value(it.key());
        several.append(QJsonObject { { u"relation"_s, it.key().at(0) }, { u"scope"_s, it.key().at(1) },
            { u"key"_s, it.key().at(2) }, { u"held_by"_s, QJsonArray::fromStringList(it.value()) },
            { u"succeeded_in"_s, QJsonArray::fromStringList(done) } });
        *lines += Tr::tr("%1 has this key in %2.").arg(models::displayText(it.key().at(0)), it.value().join(u", "_s));
        if (done.size() > 1) {
            *lines
                += Tr::tr("It succeeded in %1. “idemdeskctl compare --group” tells whether it was carried out twice.")
                       .arg(done.join(u", "_s));
        }
    }
    document->insert(u"in_several"_s, several);
}

} // namespace

Command findCommand()
{
    return { .name = u"find"_s,
        .synopsis = u"KEY"_s,
        .summary = Tr::tr("look for one key in every table: its story, the verdict, and what to run next"),
        .about = Tr::tr("Looks for one key in every table, or in the one that --target names. Tells the story "
                        "of each row that has it, judges them together as “case” does, and names the command "
                        "that would be run next.\n\nOf a key that is stuck it says what “triage” makes of it, "
                        "and what cannot be known of its effect. Exit status 5 where a table could not be "
                        "read, as the key may be there as well."),
        .arguments = { { u"KEY"_s, Tr::tr("The whole key."), 1, 1, {} } },
        .options = connectOptions() + QList { groupOption() } + targetOptions(TargetScope::Every)
            + QList { jsonOption(), scopeOption() },
        .examples = { { Tr::tr("What became of a key that a customer names:"), u"find ord-1017"_s },
            { Tr::tr("The verdict alone, for a script:"), u"find ord-1017 --json | jq -r .verdict.sentence"_s } },
        .run = overMembers(runFind, { .together = sameKeys }),
        .watched = { QString() } };
}

} // namespace idemdesk::app
