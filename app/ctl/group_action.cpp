// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/group_action.h"

#include "app/ctl/group_option.h"
#include "app/ctl/group_run.h"
#include "app/ctl/interrupt.h"
#include "app/ctl/run_action.h"
#include "models/groups/group_action.h"
#include "sql/types/error.h"
#include "sql/types/tr.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QHash>
#include <QSet>
#include <QUuid>
#include <algorithm>
#include <memory>
#include <mutex>
#include <numeric>
#include <vector>

using namespace Qt::StringLiterals;

namespace idemdesk::app {

namespace {

using Plans = QHash<QString, PlannedAction>; ///< by the member's label

qint64 plannedRows(const Plans &plans, const QString &label)
{
    const PlannedAction planned = plans.value(label);
    if (planned.undone) {
        return std::accumulate(planned.undone->counts.cbegin(), planned.undone->counts.cend(), qint64(0));
    }
    const auto &request = planned.request;
    return !request ? 0 : request->purge ? request->purge->rows : request->rows.size();
}

/// "12 rows: 12 in eu; nothing to do in us; asia did not answer."
QString sumLine(const QList<MemberAnswer> &answers, const Plans &plans)
{
    QList<models::MemberSum> sums;
    for (const MemberAnswer &answer : answers) {
        sums += models::MemberSum { answer.label,
            answer.answered() ? std::optional(plannedRows(plans, answer.label)) : std::nullopt,
            answer.answered() || !sql::answerLost(*answer.said.error) };
    }
    return models::groupSums(sums);
}

BeginAction beginning(const Context &member, const PlannedAction &planned)
{
    if (planned.request) {
        return [request = *planned.request](models::ActionRunner &runner) { runner.start(request); };
    }
    return [of = *planned.undone, reason = member.value(u"reason"_s), ticket = member.value(u"ticket"_s)](
               models::ActionRunner &runner) {
        runner.startUndo(QUuid::createUuid().toString(QUuid::WithoutBraces), of.id, reason, ticket, of.verb);
    };
}

/// Runs the members' actions side by side until all are over.
class RunningTogether
{
public:
    void add(const Context &member, const sql::ConnectionSettings &settings, const PlannedAction &planned)
    {
        auto run = std::make_unique<ActionRun>(member, settings, beginning(member, planned));
        QObject::connect(run.get(), &ActionRun::over, run.get(), [this] {
            if (--m_open == 0) {
                QCoreApplication::exit();
            }
        });
        ++m_open;
        m_runs.push_back({ member.member(), planned.exit, std::move(run) });
    }

    void run()
    {
        Interrupt interrupt([this] {
            note(Tr::tr("Cancelling everywhere; once more leaves the actions paused where they are."));
            for (const One &one : m_runs) {
                one.run->cancel();
            }
        });
        for (const One &one : m_runs) {
            one.run->open();
        }
        QCoreApplication::exec();
    }

    /// Puts what became of each in the place of its plan.
    void tellIn(QList<MemberAnswer> *answers) const
    {
        for (MemberAnswer &answer : *answers) {
            for (const One &one : m_runs) {
                if (one.label == answer.label) {
                    answer.said = one.run->said();
                    answer.exit = one.run->exit() == Exit::Done ? one.whenDone : one.run->exit();
                }
            }
        }
    }

private:
    struct One {
        QString label;
        Exit whenDone;
        std::unique_ptr<ActionRun> run;
    };
    std::vector<One> m_runs;
    int m_open = 0;
};

/// The plan of each member, made at the same time.
QList<MemberAnswer> planned(
    const Context &context, const sql::ConnectionGroup &group, const PlanAction &plan, Plans *plans)
{
    std::mutex mutex;
    return askMembers(context, group, [&](const Context &member) {
        const PlannedAction made = plan(member);
        const std::lock_guard lock(mutex);
        plans->insert(member.member(), made);
        return made.exit;
    });
}

/// What is taken back as a whole is one thing that one person did: the id alone does not say so, for anybody may give
/// it to an action of his own.
std::optional<sql::Error> notOneAction(const Plans &plans)
{
    const sql::ActionRecord *first = nullptr;
    for (const PlannedAction &plan : plans) {
        if (!plan.undone) {
            continue;
        }
        first = first == nullptr ? &*plan.undone : first;
        const sql::ActionRecord &other = *plan.undone;
        if (other.requestedBy != first->requestedBy || other.target != first->target || other.verb != first->verb
            || other.reason != first->reason) {
            return sql::makeError(sql::ErrorKind::Refused,
                Tr::tr("The members' actions with this group id are not one action."),
                Tr::tr("They differ in who asked, in table, kind or reason."),
                Tr::tr("Undo what is meant in each member, by its own id."));
        }
    }
    return std::nullopt;
}

/// The row among those of its table.
QString rowText(const sql::FrozenRow &row)
{
    QString text;
    for (const sql::Cell &cell : row.identity) {
        text += cell.null ? u"n;"_s : u"%1:"_s.arg(cell.text.size()) + cell.text;
    }
    return text;
}

/// How many of the rows that a person confirmed a fresh plan leaves alone: another region may have ended their keys
/// while that person read.
qsizetype heldBack(const Plans &confirmed, const Plans &fresh)
{
    qsizetype held = 0;
    for (auto plan = confirmed.cbegin(); plan != confirmed.cend(); ++plan) {
        if (!plan->request) {
            continue;
        }
        const PlannedAction again = fresh.value(plan.key());
        QSet<QString> rows;
        for (const sql::FrozenRow &row : again.request ? again.request->rows : QList<sql::FrozenRow>()) {
            rows.insert(rowText(row));
        }
        held += std::count_if(plan->request->rows.cbegin(), plan->request->rows.cend(),
            [&rows](const sql::FrozenRow &row) { return !rows.contains(rowText(row)); });
    }
    return held;
}

/// What the regions said of each other's keys stands for a minute. Older, all is planned anew in silence.
sql::Result<void> requireFresh(const Context &context, const sql::ConnectionGroup &group, const PlanAction &plan,
    const Plans &confirmed, const QElapsedTimer &since)
{
    constexpr qint64 kFreshMs = 60'000;
    if (group.kind != sql::GroupKind::Regions || !since.hasExpired(kFreshMs)) {
        return {};
    }
    Plans fresh;
    planned(context, group, plan, &fresh);
    if (const qsizetype held = heldBack(confirmed, fresh); held > 0) {
        return sql::makeError(sql::ErrorKind::Refused, Tr::tr("Nothing was done."),
            Tr::tr("Since it was planned %Ln key(s) fell out of the plan.", nullptr, int(held)),
            Tr::tr("Plan it again to see why."));
    }
    return {};
}

} // namespace

sql::Result<void> confirmedOverGroup(const Context &context, const QString &sums, const QString &todo)
{
    if (context.has(u"yes"_s)) {
        return {};
    }
    const auto answer = answerTo((sums + u' ' + Tr::tr("Type “yes” to do it:")).trimmed());
    if (answer == u"yes"_s) {
        return {};
    }
    return sql::makeError(sql::ErrorKind::Refused, Tr::tr("Nothing was done."),
        answer ? Tr::tr("It was not confirmed.") : Tr::tr("It needs a confirmation, and there is no terminal to ask."),
        todo.isEmpty() ? Tr::tr("Look at it with --dry-run. --yes confirms it beforehand.") : todo);
}

QList<Option> groupActionOptions()
{
    return { groupOption(), Option::flag(u"yes"_s, Tr::tr("With --group: do it without asking again.")) };
}

Exit runGroupAction(const Context &context, const PlanAction &plan, const QString &takenBack)
{
    TRY_OR(fail, const auto group, groupToRun(context));
    QElapsedTimer since;
    since.start();
    Plans plans;
    QList<MemberAnswer> answers = planned(context, group, plan, &plans);
    const bool any = std::any_of(plans.cbegin(), plans.cend(),
        [](const PlannedAction &one) { return one.request.has_value() || one.undone.has_value(); });
    GroupView view;
    view.document = { { u"group"_s, group.name }, { u"group_id"_s, textOrNull(takenBack) } };
    if (context.has(u"dry-run"_s) || !any) {
        const Exit exit = tellAnswers(context, answers, view);
        return exit == Exit::Done && !takenBack.isEmpty() ? Exit::Skipped : exit; // all of it is back already
    }
    const QString sums = sumLine(answers, plans);
    showAnswers(context, answers);
    if (const auto differ = notOneAction(plans)) {
        return fail(*differ);
    }
    note(sums);
    TRY_OR(fail,
        confirmedOverGroup(context, {}, takenBack.isEmpty() ? QString() : Tr::tr("--yes confirms it beforehand.")));
    TRY_OR(fail, requireFresh(context, group, plan, plans, since));
    const QString id = takenBack.isEmpty() ? QUuid::createUuid().toString(QUuid::WithoutBraces) : takenBack;
    if (takenBack.isEmpty()) {
        note(Tr::tr("The id of this action over the group is %1.").arg(id));
    }
    RunningTogether running;
    for (const sql::GroupMember &member : group.members) {
        PlannedAction one = plans.value(member.label);
        if (one.request) {
            one.request->group = sql::ActionGroup { id, group.name, member.label };
        }
        if (one.request || one.undone) {
            const Context there = context.at(memberSettings(context, member));
            TRY_OR(fail, const auto settings, there.primarySettings());
            running.add(there, settings, one);
        }
    }
    flushOutput();
    running.run();
    running.tellIn(&answers);
    view.document.insert(u"group_id"_s, id);
    view.acted = true;
    return tellAnswers(context, answers, view);
}

} // namespace idemdesk::app
