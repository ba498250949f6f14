// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/complaint/group_complaint.h"

#include "models/casefile/case_masking.h"
#include "models/format/display_text.h"
#include "models/groups/group_session.h"
#include "sql/lanes/database.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

constexpr int kMemberDeadlineMs = 120'000; // of all tables together, as in the window's own member

StoredCharge chargeOf(const Candidate &candidate, const sql::Target &target)
{
    return candidate.charge.at ? candidate.charge
                               : storedCharge(target, candidate.record, maskedNames(target.profile, {}));
}

/// The matches of all members, each with what it is of.
struct GroupMatch {
    int member = -1;
    QString label;
    ElsewhereMatch match;
};

QList<GroupMatch> matchesOf(const QList<GroupAnswer> &answers)
{
    QList<GroupMatch> matches;
    for (const GroupAnswer &answer : answers) {
        for (const ElsewhereMatch &match : elsewhereOf(answer).matches) {
            if (match.state == sql::KeyState::Succeeded) {
                matches.append({ answer.member, answer.label, match });
            }
        }
    }
    return matches;
}

bool isOtherResult(const ElsewhereMatch &one, const ElsewhereMatch &other)
{
    return one.key == other.key && one.scope == other.scope && !one.charge.number.isEmpty()
        && !other.charge.number.isEmpty() && one.charge.number != other.charge.number;
}

QString nameOfMatch(const GroupMatch &one)
{
    return GroupComplaint::tr("%1 in %2", "a key, a member of a group")
        .arg(displayText(one.match.key, 100), displayText(one.label, 40));
}

} // namespace

GroupComplaint::GroupComplaint(QObject *parent)
    : QObject(parent)
{
}

GroupComplaint::~GroupComplaint() = default;

GroupSession *GroupComplaint::session() const
{
    return m_session;
}

void GroupComplaint::setGroup(GroupSession *session, int own)
{
    clear();
    if (m_session != nullptr) {
        m_session->disconnect(this);
    }
    m_session = session;
    m_own = session != nullptr ? own : -1;
    if (session != nullptr) {
        connect(session, &GroupSession::memberChanged, this, &GroupComplaint::onMember);
        connect(session, &GroupSession::databaseChanged, this, &GroupComplaint::onMember);
    }
}

void GroupComplaint::search(const ComplaintQuestion &question)
{
    clear();
    if (m_session == nullptr) {
        return;
    }
    m_question = question;
    for (int member = 0; member < m_session->size(); ++member) {
        if (member != m_own) {
            Part part;
            part.said.member = member;
            part.said.label = m_session->label(member);
            part.request = std::make_unique<Request>(u"group/complaint"_s);
            m_parts.push_back(std::move(part));
        }
    }
    m_pending = int(m_parts.size());
    for (std::size_t i = 0; i < m_parts.size(); ++i) {
        onMember(m_parts.at(i).said.member);
    }
}

/// One that is not open yet is waited for: it answers, or is known to be gone.
void GroupComplaint::onMember(int member)
{
    const auto part
        = std::find_if(m_parts.begin(), m_parts.end(), [member](const Part &one) { return one.said.member == member; });
    if (part == m_parts.end() || part->done) {
        return;
    }
    const auto number = std::size_t(part - m_parts.begin());
    switch (m_session->state(member)) {
    case GroupSession::MemberState::Opening:
        if (part->asked) { // its connection is another one
            fail(number, abandonedError());
        }
        break;
    case GroupSession::MemberState::Failed:
        fail(number, m_session->error(member).value_or(abandonedError()));
        break;
    case GroupSession::MemberState::Answered:
        if (!part->asked) {
            ask(number);
        }
        break;
    }
}

void GroupComplaint::ask(std::size_t number)
{
    Part &part = m_parts[number];
    part.asked = true;
    for (const TargetEntry &entry : m_session->searched(part.said.member)) {
        part.said.targets += entry.target;
    }
    part.said.problems = m_session->problems(part.said.member);
    part.request->setDatabase(m_session->database(part.said.member));
    const bool asked = part.request->ask(
        { sql::LaneKind::Background, kMemberDeadlineMs },
        [targets = part.said.targets, question = m_question](
            sql::Session &session) { return searchComplaint(session, targets, question); },
        [this, number](const sql::Result<ComplaintAnswer> &answer) {
            if (answer) {
                m_parts[number].said.answer = *answer;
                end(number);
            } else {
                fail(number, answer.error());
            }
        });
    if (!asked) {
        fail(number, abandonedError());
    }
}

void GroupComplaint::fail(std::size_t number, const sql::Error &error)
{
    m_parts[number].said.error = error;
    m_parts[number].request->drop();
    end(number);
}

void GroupComplaint::end(std::size_t number)
{
    m_parts[number].done = true;
    if (--m_pending == 0) {
        emit finished();
    }
}

void GroupComplaint::stop()
{
    for (std::size_t i = 0; i < m_parts.size(); ++i) {
        if (!m_parts.at(i).done) {
            fail(i, sql::makeError(sql::ErrorKind::Cancelled, tr("The search was stopped before it answered.")));
        }
    }
}

void GroupComplaint::clear()
{
    m_parts.clear(); // with their requests: no older answer comes
    m_pending = 0;
}

QList<GroupAnswer> GroupComplaint::answers() const
{
    QList<GroupAnswer> answers;
    for (const Part &part : m_parts) {
        answers += part.said;
    }
    return answers;
}

ElsewhereMember elsewhereOf(const GroupAnswer &answer)
{
    ElsewhereMember member;
    member.label = answer.label;
    QStringList why;
    if (answer.error) {
        why += answer.error->line();
    } else if (answer.answer.searched == 0) {
        why += GroupComplaint::tr("No table of it could be searched.");
    }
    why += problemTexts(answer.problems + answer.answer.notRead);
    if (answer.answer.cut) {
        why += GroupComplaint::tr("It has more matches than were read.");
    }
    member.searched = why.isEmpty();
    member.why = why.join(u' ');
    for (const Candidate &candidate : answer.answer.candidates) {
        const sql::Target target = answer.targets.value(candidate.target);
        member.matches.append({ target.profile.name, candidate.record.key.text, candidate.record.scope,
            candidate.record.state, chargeOf(candidate, target) });
    }
    return member;
}

CaseGroup caseOfOneMember(const GroupSession *session, int own)
{
    CaseGroup group;
    if (session == nullptr || own < 0) {
        return group;
    }
    group.member = session->label(own);
    for (int member = 0; member < session->size(); ++member) {
        if (member != own) {
            group.others += ElsewhereMember { session->label(member), false, {}, {} };
        }
    }
    return group;
}

AcrossSuspicion suspicionAcross(const QList<GroupAnswer> &answers)
{
    const QList<GroupMatch> matches = matchesOf(answers);
    AcrossSuspicion charges;
    for (qsizetype i = 0; i < matches.size(); ++i) {
        for (qsizetype j = i + 1; j < matches.size(); ++j) {
            const GroupMatch &one = matches.at(i);
            const GroupMatch &other = matches.at(j);
            if (one.member == other.member || one.match.table != other.match.table) {
                continue;
            }
            if (isOtherResult(one.match, other.match)) {
                return { GroupComplaint::tr("%1 has two results, in %2 and in %3: it may have been done twice.")
                             .arg(displayText(one.match.key, 100), displayText(one.label, 40),
                                 displayText(other.label, 40)),
                    one.match.table, one.match.key, { one.member, other.member } };
            }
            if (charges.text.isEmpty() && one.match.charge.repeats(other.match.charge)) {
                charges.text
                    = GroupComplaint::tr("%1 and %2 hold two charges of one customer (%3) and amount (%4), within "
                                         "an hour. That is a suspicion: look at both.")
                          .arg(nameOfMatch(one), nameOfMatch(other), displayText(one.match.charge.customer, 60),
                              displayText(one.match.charge.amount, 60));
            }
        }
    }
    return charges;
}

} // namespace idemdesk::models

#include "moc_group_complaint.cpp"
