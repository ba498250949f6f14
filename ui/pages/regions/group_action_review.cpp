// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/regions/group_action_review.h"

#include "models/actions/action_words.h"
#include "models/format/display_text.h"
#include "models/format/labels.h"
#include "models/format/quantities.h"
#include "models/groups/group_action.h"
#include "models/groups/group_action_list.h"
#include "models/groups/group_session.h"
#include "sql/types/tr.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

constexpr int kLabelChars = 40;

/// Where it is done, by what its rows become.
void addMember(ActionQuestion *question, const models::MemberAction &member, const QString &label)
{
    models::MemberPlanLines lines(nullptr);
    lines.show(member);
    for (const models::MemberPlanLine &line : lines.rows()) {
        if (!line.left) {
            QStringList row { label, models::countText(line.rows), line.scope };
            if (question->verb == sql::ActionVerb::Recover) {
                row += line.cls ? models::triageClassLabel(*line.cls) : QString();
            } else if (question->verb == sql::ActionVerb::Purge) {
                row += line.state ? models::stateLabel(*line.state) : QString();
            }
            question->plan.append(row << line.becomes);
        }
    }
    const models::FrozenSet &set = member.plan().change.set;
    for (const models::FrozenKey &key : set.keys) {
        if (question->keys.size() == kMostListed) {
            break;
        }
        question->keys.append({ label, models::scopeText(key.scope), key.key.text });
    }
    for (const models::SkippedKey &key : set.skipped) {
        question->skipped.append({ label, models::scopeText(key.record.scope), key.record.key.text, key.why });
    }
    if (member.plan().purge) {
        for (const QString &warning : member.plan().purge->warnings) {
            question->warnings += Tr::tr("%1: %2").arg(label, models::displayText(warning, 300));
        }
    }
}

/// Who is left as it is, and whose part only asks somebody.
QStringList staysAndAsks(const models::GroupAction &action, const models::GroupSession &group, bool *allAsk)
{
    QStringList stays;
    QStringList ask;
    int acts = 0;
    for (int number = 0; number < action.size(); ++number) {
        const models::MemberAction &member = action.member(number);
        const QString label = models::displayText(group.label(number), kLabelChars);
        if (member.rows() == 0) {
            stays += Tr::tr("%1 stays as it is: %2").arg(label, member.said());
            continue;
        }
        ++acts;
        if (member.needsApproval()) {
            ask += label;
        }
        if (member.plan().change.more) {
            stays += Tr::tr("More keys match in %1; the oldest %2 are taken now.")
                         .arg(label, models::countText(models::kMostActionKeys));
        }
        if (member.plan().partly()) {
            stays += Tr::tr("Not all could be looked at in %1.").arg(label);
        }
    }
    *allAsk = acts > 0 && ask.size() == acts;
    if (!ask.isEmpty() && !*allAsk) {
        stays.prepend(Tr::tr("Another person must approve it first in: %1.").arg(ask.join(u", "_s)));
    }
    return stays;
}

/// A cache has its own claims, which a recovery in the table does not reach.
QStringList heldByCache(const models::GroupAction &action, const models::GroupSession &group)
{
    QStringList labels;
    for (int number = 0; number < action.size(); ++number) {
        if (action.member(number).rows() > 0 && action.member(number).target().profile.cache) {
            labels += models::displayText(group.label(number), kLabelChars);
        }
    }
    if (action.choice().verb != sql::ActionVerb::Recover || labels.isEmpty()) {
        return {};
    }
    return { Tr::tr("The cache may still hold off their retries in: %1. Release such claims on the page Cache there.")
                 .arg(labels.join(u", "_s)) };
}

/// So many keys go from one state to another, in all members.
void addFlows(ActionQuestion *question, const models::MemberPlan &plan)
{
    for (const models::StateFlow &flow : models::flowsOf(plan.change.set, plan.compiled)) {
        const auto same = std::find_if(question->flows.begin(), question->flows.end(), [&flow](const auto &other) {
            return other.from == flow.from && other.to == flow.to && other.stuck == flow.stuck;
        });
        if (same == question->flows.end()) {
            question->flows += flow;
        } else {
            same->rows += flow.rows;
        }
    }
}

/// How long it can be undone, in each member by itself.
QString undoText(const models::GroupAction &action, const models::GroupSession &group)
{
    QStringList windows;
    QStringList named;
    for (int number = 0; number < action.size(); ++number) {
        if (action.member(number).rows() > 0) {
            const QString &window = action.member(number).registered()->undoWindow;
            windows += window;
            named += Tr::tr("%1: %2").arg(models::displayText(group.label(number), kLabelChars), window);
        }
    }
    windows.removeDuplicates();
    const QString undo = windows.size() == 1
        ? Tr::tr("It can be undone for %1, in each member by itself.").arg(windows.constFirst())
        : Tr::tr("It can be undone in each member by itself: %1.").arg(named.join(u", "_s));
    return group.kind() == sql::GroupKind::Regions ? undo + u' ' + replicationNote() : undo;
}

} // namespace

QString replicationNote()
{
    return Tr::tr("Where rows are replicated, a change and its undo reach the other regions, too.");
}

ActionQuestion groupQuestion(const models::GroupAction &action, const models::GroupSession &group)
{
    ActionQuestion question;
    question.verb = action.choice().verb;
    question.rows = action.rows();
    question.keysAmong = action.keys();
    question.target = action.choice().target;
    question.environment = action.environment();
    question.header = QStringList { Tr::tr("Member"), Tr::tr("Rows"), Tr::tr("Scope") };
    question.header += question.verb == sql::ActionVerb::Recover ? QStringList { Tr::tr("Class") }
        : question.verb == sql::ActionVerb::Purge                ? QStringList { Tr::tr("State") }
                                                                 : QStringList();
    question.header += Tr::tr("Becomes");
    question.keysHeader = QStringList { Tr::tr("Member"), Tr::tr("Scope"), Tr::tr("Key") };
    question.skippedHeader = QStringList { Tr::tr("Member"), Tr::tr("Scope"), Tr::tr("Key"), Tr::tr("Why") };
    question.throttle = true;
    QStringList places;
    for (int number = 0; number < action.size(); ++number) {
        const models::MemberAction &member = action.member(number);
        if (member.rows() == 0) {
            continue;
        }
        const QString label = models::displayText(group.label(number), kLabelChars);
        places += Tr::tr("%1: %2").arg(label, member.plan().place);
        question.title = models::targetTitle(member.target().profile);
        question.relation = member.target().profile.relation;
        addMember(&question, member, label);
        addFlows(&question, member.plan());
    }
    question.connection = places.join(u" · "_s);
    question.size = action.sums();
    question.warnings
        = staysAndAsks(action, group, &question.approval) + question.warnings + heldByCache(action, group);
    question.undoable = question.verb != sql::ActionVerb::Purge || action.choice().images;
    question.undoText = undoText(action, group);
    return question;
}

} // namespace idemdesk::ui
