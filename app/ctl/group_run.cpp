// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/group_run.h"

#include "app/ctl/group_option.h"
#include "sql/profile/profile_json.h"
#include "sql/regions/side_reader.h"
#include "sql/session/session.h"
#include "sql/types/tr.h"

#include <QFileInfo>
#include <QHash>
#include <QJsonArray>
#include <QJsonDocument>
#include <QRegularExpression>
#include <algorithm>
#include <future>

using namespace Qt::StringLiterals;

namespace idemdesk::app {

namespace {

qsizetype answeredOf(const QList<MemberAnswer> &answers)
{
    return std::count_if(
        answers.cbegin(), answers.cend(), [](const MemberAnswer &answer) { return answer.answered(); });
}

bool anyExit(const QList<MemberAnswer> &answers, Exit exit)
{
    return std::any_of(answers.cbegin(), answers.cend(),
        [exit](const MemberAnswer &answer) { return answer.answered() && !answer.said.absent && answer.exit == exit; });
}

/// Nobody looked: one error, where all say the same that one.
Exit nobodyAnswered(const QList<MemberAnswer> &answers)
{
    const sql::Error first = answers.constFirst().said.error.value_or(sql::Error());
    const bool same = std::all_of(answers.cbegin(), answers.cend(),
        [&first](const MemberAnswer &answer) { return answer.said.error->line() == first.line(); });
    QStringList lines;
    for (const MemberAnswer &answer : answers) {
        lines += Tr::tr("%1: %2").arg(answer.label, answer.said.error->line());
    }
    const auto usage = std::find_if(answers.cbegin(), answers.cend(),
        [](const MemberAnswer &answer) { return answer.said.error->kind == sql::ErrorKind::Usage; });
    const Exit exit = same ? fail(first)
                           : fail(sql::makeError(usage != answers.cend() ? sql::ErrorKind::Usage : first.kind,
                               Tr::tr("No member of the group answered."), lines.join(u' ')));
    for (const QString &text : usage != answers.cend() ? usage->said.notes : QStringList()) {
        note(text); // where in the filter it is
    }
    return usage != answers.cend() ? usage->exit : exit;
}

Exit exitOfAll(const QList<MemberAnswer> &answers, bool acted)
{
    const auto failed = std::find_if(answers.cbegin(), answers.cend(),
        [acted](const MemberAnswer &answer) { return acted && !answer.answered() && answer.exit != Exit::Done; });
    if (failed != answers.cend()) {
        return failed->exit;
    }
    const bool whole = answeredOf(answers) == answers.size();
    for (const Exit found : { Exit::Failed, Exit::Usage }) {
        if (anyExit(answers, found)) {
            return found;
        }
    }
    if (!whole || anyExit(answers, Exit::Unknown)) {
        return Exit::Unknown;
    }
    for (const Exit found : { Exit::Refused, Exit::Skipped, Exit::Done }) {
        if (anyExit(answers, found)) {
            return found;
        }
    }
    return Exit::Failed; // all looked, and nobody has it
}

QByteArray withMember(const QString &label, const QByteArray &item)
{
    QByteArray named = QJsonDocument(QJsonObject { { u"member"_s, label } }).toJson(QJsonDocument::Compact).chopped(1);
    return named + (item == "{}" ? QByteArray("}") : ',' + item.sliced(1));
}

void printAnswersJson(const QList<MemberAnswer> &answers, const GroupView &view)
{
    QByteArrayList items;
    QJsonArray rests;
    QJsonArray missing;
    for (const MemberAnswer &answer : answers) {
        if (!answer.answered()) {
            missing.append(
                QJsonObject { { u"member"_s, answer.label }, { u"error"_s, errorJson(*answer.said.error) } });
            continue;
        }
        for (const QByteArray &item : answer.said.items) {
            items += withMember(answer.label, item);
        }
        QJsonObject rest = answer.said.rest;
        rest.remove(u"next"_s);
        rest.insert(u"member"_s, answer.label);
        rest.insert(u"absent"_s, answer.said.absent ? textOrNull(answer.said.error->line()) : QJsonValue());
        rest.insert(u"said"_s, QJsonArray::fromStringList(answer.said.notes));
        rest.insert(u"status"_s, static_cast<int>(answer.exit));
        rests.append(rest);
    }
    QJsonObject beside = view.document;
    beside.insert(u"answered"_s, answeredOf(answers));
    beside.insert(u"members"_s, answers.size());
    beside.insert(u"answers"_s, rests);
    beside.insert(u"not_answered"_s, missing);
    if (view.together) {
        QStringList lines;
        view.together(answers, &lines, &beside);
    }
    printJsonItems(items, beside);
}

/// One table over all members, where each said nothing but one table of the same columns.
std::optional<CapturedTable> oneTable(const QList<MemberAnswer> &answers, const QString &sortedBy)
{
    std::optional<CapturedTable> all;
    for (const MemberAnswer &answer : answers) {
        if (answer.said.absent || !answer.answered() || (answer.said.text.isEmpty() && answer.said.tables.isEmpty())) {
            continue;
        }
        if (answer.said.tables.size() != 1 || answer.said.text.trimmed() != capturedTableMark(0)
            || (all && all->header.mid(1) != answer.said.tables.constFirst().header)) {
            return std::nullopt;
        }
        const CapturedTable &own = answer.said.tables.constFirst();
        if (!all) {
            all = own;
            all->header.prepend(Tr::tr("MEMBER"));
            all->rows.clear();
        }
        for (const QStringList &row : own.rows) {
            all->rows += QStringList { answer.label } + row;
        }
    }
    if (const qsizetype column = all ? all->header.indexOf(sortedBy) : -1; column > 0) {
        std::stable_sort(all->rows.begin(), all->rows.end(),
            [column](const QStringList &a, const QStringList &b) { return a.value(column) < b.value(column); });
    }
    return all;
}

/// A member's own text, with its tables as they fit here.
void printText(const Captured &said)
{
    static const QRegularExpression mark(u"\x1e(\\d+)\x1e"_s);
    qsizetype from = 0;
    auto marks = mark.globalMatch(said.text);
    while (marks.hasNext()) {
        const QRegularExpressionMatch match = marks.next();
        const qsizetype index = match.capturedView(1).toLongLong();
        print(said.text.sliced(from, match.capturedStart() - from));
        if (index < said.tables.size()) {
            print(table(said.tables.at(index)));
        }
        from = match.capturedEnd();
    }
    print(said.text.sliced(from));
}

void printAnswers(const QList<MemberAnswer> &answers, const GroupView &view)
{
    if (const auto all = view.merged ? view.merged(answers) : oneTable(answers, view.sortedBy)) {
        print(table(*all));
        return;
    }
    for (const MemberAnswer &answer : answers) {
        if (answer.said.absent || answer.said.text.isEmpty()) {
            continue;
        }
        print(u"== "_s + answer.label + u" ==\n"_s);
        printText(answer.said);
        print(u"\n"_s);
    }
}

/// Which members answered, what each has to say beside its answer, and why the others did not.
void noteAnswers(const QList<MemberAnswer> &answers, bool acted)
{
    for (const MemberAnswer &answer : answers) {
        if (acted && !answer.answered()) {
            note(Tr::tr("%1 failed: %2").arg(answer.label, answer.said.error->line()));
        }
        for (const QString &text : answer.said.notes) {
            note(Tr::tr("%1: %2").arg(answer.label, text));
        }
        if (answer.said.absent) {
            note(Tr::tr("%1: %2").arg(answer.label, answer.said.error->line()));
        }
    }
    if (acted) {
        return;
    }
    const qsizetype answered = answeredOf(answers);
    note(Tr::tr("%1 of %2 members answered.").arg(answered).arg(answers.size()));
    for (const MemberAnswer &answer : answers) {
        if (!answer.answered()) {
            note(Tr::tr("%1 has no answer: %2").arg(answer.label, answer.said.error->line()));
        }
    }
}

} // namespace

QList<QJsonObject> itemsOf(const QList<MemberAnswer> &answers)
{
    QList<QJsonObject> items;
    for (const MemberAnswer &answer : answers) {
        for (const QByteArray &item : answer.said.items) {
            items += QJsonDocument::fromJson(withMember(answer.label, item)).object();
        }
    }
    return items;
}

sql::Result<sql::ConnectionGroup> groupToRun(const Context &context)
{
    if (context.has(u"connect"_s)) {
        return usageError(Tr::tr("Either --connect or --group says where to look."));
    }
    TRY(const auto group, groupOf(context));
    TRY(refuseTwice(context, group));
    const QString target = context.target();
    if (!target.isEmpty() && !sql::shippedProfile(target) && QFileInfo::exists(target)) {
        TRY(context.profile()); // all members want what a person confirms here
    }
    return group;
}

sql::Result<void> refuseTwice(const Context &context, const sql::ConnectionGroup &group)
{
    std::vector<std::future<QString>> asked;
    for (const sql::GroupMember &member : group.members) {
        asked.push_back(std::async(std::launch::async, [settings = memberSettings(context, member)] {
            sql::Session::Options options;
            options.applicationName = u"idemdesk ctl"_s;
            options.statementTimeoutMs = 60'000;
            const auto session = sql::Session::open(settings, options);
            const auto identity = session ? sql::databaseIdentity(**session) : sql::Result<QString>(session.error());
            return identity ? *identity : QString();
        }));
    }
    QHash<QString, QString> labels;
    for (qsizetype i = 0; i < group.members.size(); ++i) {
        const QString identity = asked.at(std::size_t(i)).get();
        const QString label = group.members.at(i).label;
        if (!identity.isEmpty() && labels.contains(identity)) {
            return sql::makeError(sql::ErrorKind::Refused,
                Tr::tr("“%1” and “%2” lead to the same database.").arg(labels.value(identity), label),
                Tr::tr("Each of its keys would be told, and acted on, twice."),
                Tr::tr("Correct the conninfo of one of them."));
        }
        labels.insert(identity, label);
    }
    return {};
}

QList<MemberAnswer> askMembers(const Context &context, const sql::ConnectionGroup &group, const CommandRun &run)
{
    const OutputStyle &style = outputStyle();
    std::vector<std::future<MemberAnswer>> running;
    for (const sql::GroupMember &member : group.members) {
        running.push_back(std::async(std::launch::async, [&context, &member, &run, &style] {
            Capture capture(style);
            MemberAnswer answer;
            answer.label = member.label;
            answer.exit = run(context.at(memberSettings(context, member)));
            answer.said = capture.take();
            return answer;
        }));
    }
    QList<MemberAnswer> answers;
    for (auto &one : running) {
        answers += one.get();
    }
    return answers;
}

Exit tellAnswers(const Context &context, const QList<MemberAnswer> &answers, const GroupView &view)
{
    if (answeredOf(answers) == 0 && !view.acted) {
        return nobodyAnswered(answers);
    }
    if (context.json()) {
        printAnswersJson(answers, view);
    } else {
        printAnswers(answers, view);
        QStringList lines;
        QJsonObject document;
        if (view.together) {
            view.together(answers, &lines, &document);
        }
        for (const QString &text : std::as_const(lines)) {
            print(text + u'\n');
        }
    }
    noteAnswers(answers, view.acted);
    return exitOfAll(answers, view.acted);
}

void showAnswers(const Context &context, const QList<MemberAnswer> &answers)
{
    if (!context.json()) {
        printAnswers(answers, {});
    }
    noteAnswers(answers, false);
}

CommandRun overMembers(const CommandRun &run, const GroupView &view)
{
    return [run, view](const Context &context) {
        if (!context.has(u"group"_s)) {
            return run(context);
        }
        TRY_OR(fail, const auto group, groupToRun(context));
        GroupView named = view;
        named.document.insert(u"group"_s, group.name);
        return tellAnswers(context, askMembers(context, group, run), named);
    };
}

} // namespace idemdesk::app
