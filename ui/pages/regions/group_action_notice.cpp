// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/regions/group_action_notice.h"

#include "models/actions/action_words.h"
#include "models/format/display_text.h"
#include "models/format/quantities.h"
#include "models/groups/group_action.h"
#include "models/groups/group_session.h"
#include "sql/types/tr.h"
#include "ui/widgets/notice_bar.h"

#include <QMap>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

using models::MemberAction;

constexpr int kNoticeLabelChars = 60;
constexpr int kToldChars = 400;

/// Texts by the members that say them: what several say stands once.
class SaidByMembers
{
public:
    void add(const QString &text, const QString &label)
    {
        m_order += m_labels.contains(text) ? QStringList() : QStringList { text };
        m_labels[text] += label;
    }
    bool empty() const { return m_order.isEmpty(); }
    /// "eu, us: text", a line each.
    QStringList named() const
    {
        QStringList lines;
        for (const QString &text : m_order) {
            lines += Tr::tr("%1: %2", "members, what they say").arg(m_labels.value(text).join(u", "_s), text);
        }
        return lines;
    }
    /// "text (eu, us)", a line each.
    QStringList followed() const
    {
        QStringList lines;
        for (const QString &text : m_order) {
            QString said = text;
            said.chop(said.endsWith(u'.') ? 1 : 0);
            lines += Tr::tr("%1 (%2).", "what it is, members").arg(said, m_labels.value(text).join(u", "_s));
        }
        return lines;
    }

private:
    QStringList m_order;
    QMap<QString, QStringList> m_labels;
};

QString labelOf(const models::GroupSession &group, int member)
{
    return models::displayText(group.label(member), kNoticeLabelChars);
}

/// "20 keys (36 rows) recovered: 16 in eu, 20 in us".
QString doneText(const models::GroupAction &action)
{
    const std::optional<qint64> keys = action.doneKeys();
    const QString what = keys ? models::keysText(*keys, action.done()) : models::rowsText(action.done());
    switch (action.choice().verb) {
    case sql::ActionVerb::Recover:
        return Tr::tr("%1 recovered: %2", "how many keys, how many in which member").arg(what, action.doneSums());
    case sql::ActionVerb::Requeue:
        return Tr::tr("%1 requeued: %2", "how many keys, how many in which member").arg(what, action.doneSums());
    default:
        return Tr::tr("%1 purged: %2", "how many rows, how many in which member").arg(what, action.doneSums());
    }
}

/// How many said something; where all did, how many have a plan.
QString countedText(const models::GroupAction &action)
{
    return action.answered() < action.size()
        ? Tr::tr("%1 of %2 members answered.").arg(action.answered()).arg(action.size())
        : Tr::tr("%1 of %2 members have a plan.").arg(action.plans()).arg(action.size());
}

/// While it runs: members that do not answer hold the others up, which a person can end.
void showLookUps(NoticeBar *notice, const models::GroupAction &action, const models::GroupSession &group)
{
    SaidByMembers lost;
    for (int number = 0; number < action.size(); ++number) {
        const models::ActionRunner *runner = action.member(number).runner();
        if (action.member(number).stage() == MemberAction::Stage::Running
            && runner->stage() == models::ActionRunner::Stage::Finding && runner->lookUpError()) {
            lost.add(action.member(number).said(), labelOf(group, number));
        }
    }
    if (lost.empty()) {
        notice->clear();
        return;
    }
    notice->showNotice(NoticeBar::Kind::Warning, lost.named().join(u'\n'),
        Tr::tr("Stop ends the looking-up. The other members can then be worked on."));
}

/// Once it has ended everywhere.
void showOutcome(NoticeBar *notice, const models::GroupAction &action, const models::GroupSession &group)
{
    SaidByMembers missing;
    SaidByMembers wrong;
    for (int number = 0; number < action.size(); ++number) {
        const MemberAction &member = action.member(number);
        if (member.stage() == MemberAction::Stage::Failed) {
            missing.add(member.said(), labelOf(group, number));
        } else if (member.stage() == MemberAction::Stage::Over && !member.done()) {
            wrong.add(member.said(), labelOf(group, number));
        }
    }
    const QString done = action.done() > 0 ? doneText(action) + u'.' : QString();
    const QString rest = (wrong.named() + missing.named()).join(u'\n');
    if (!wrong.empty()) {
        const QString what = Tr::tr("Not all members did what was planned.");
        notice->showNotice(
            NoticeBar::Kind::Warning, done.isEmpty() ? what : what + u' ' + done, rest, {}, Tr::tr("Plan again"));
        return;
    }
    notice->showNotice(missing.empty() ? NoticeBar::Kind::Good : NoticeBar::Kind::Warning,
        missing.empty() ? done : (done + u' ' + countedText(action)).trimmed(), rest);
}

/// Planned, and not begun: who has no plan, and whether asking again can help.
void showWithoutPlan(NoticeBar *notice, const models::GroupAction &action, const models::GroupSession &group)
{
    SaidByMembers missing;
    for (int number = 0; number < action.size(); ++number) {
        if (action.member(number).stage() == MemberAction::Stage::Failed) {
            missing.add(action.member(number).said(), labelOf(group, number));
        }
    }
    if (missing.empty()) {
        notice->clear();
        return;
    }
    const bool silent = action.answered() < action.size();
    const QString what = countedText(action);
    notice->showNotice(NoticeBar::Kind::Warning,
        action.plans() > 0 ? what + u' ' + Tr::tr("The others stay as they are.") : what, missing.named().join(u'\n'),
        {}, silent ? Tr::tr("Plan again") : QString());
}

} // namespace

void showActionNotice(NoticeBar *notice, const models::GroupAction &action, const models::GroupSession &group)
{
    if (action.running()) {
        showLookUps(notice, action, group);
    } else if (action.planning() || !action.planned()) {
        notice->clear();
    } else if (action.acted()) {
        showOutcome(notice, action, group);
    } else {
        showWithoutPlan(notice, action, group);
    }
}

void showPlanWarnings(NoticeBar *notice, const models::GroupAction &action, const models::GroupSession &group)
{
    SaidByMembers warned;
    for (int number = 0; number < action.size() && action.planned() && !action.acted(); ++number) {
        const MemberAction &member = action.member(number);
        for (const QString &text :
            member.rows() > 0 && member.plan().purge ? member.plan().purge->warnings : QStringList()) {
            warned.add(models::displayText(text, kToldChars), labelOf(group, number));
        }
    }
    const QStringList lines = warned.followed();
    if (lines.isEmpty()) {
        notice->clear();
    } else {
        notice->showNotice(NoticeBar::Kind::Warning, lines.constFirst(), lines.mid(1, 2).join(u'\n'),
            lines.size() > 3 ? lines.join(u'\n') : QString(),
            action.choice().before ? QString() : Tr::tr("Set an earlier time"));
    }
}

QStringList toldOfMember(const models::GroupAction &action, int number)
{
    const MemberAction &member = action.member(number);
    QStringList told;
    if (member.error()) {
        told = { member.error()->what, member.error()->why, member.error()->todo };
    } else {
        const bool ready = member.stage() == MemberAction::Stage::Planned && member.rows() > 0;
        // Its line of the list says it already.
        told += (ready && !member.needsApproval()) || member.done() ? QString() : member.said();
        told += member.plan().notes;
    }
    if (const models::ActionRunner *runner = member.runner()) {
        if (member.stage() == MemberAction::Stage::Over && member.rowsDone() > 0) {
            told += Tr::tr("%1.", "how long it can be undone").arg(models::undoUntilText(runner->action()));
        }
    }
    told.removeAll(QString());
    for (QString &line : told) {
        line = models::displayText(line, kToldChars);
    }
    return told;
}

} // namespace idemdesk::ui
