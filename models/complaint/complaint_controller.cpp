// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/complaint/complaint_controller.h"

#include "models/filter/filter_parser.h"
#include "models/format/display_text.h"
#include "models/groups/group_session.h"
#include "sql/lanes/database.h"

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

constexpr int kComplaintDeadlineMs = 120'000; // of all tables together; text is searched without an index

} // namespace

ComplaintController::ComplaintController(QObject *parent)
    : QObject(parent)
    , m_model(new ComplaintModel(this))
    , m_case(new CaseController(nullptr, this))
    , m_members(new GroupComplaint(this))
{
    connect(m_members, &GroupComplaint::finished, this, [this] {
        if (m_own) { // else the window's own member answers last
            complete();
            emit changed();
        }
    });
    connect(&m_searching, &Request::changed, this, &ComplaintController::changed);
}

void ComplaintController::setDatabase(sql::Database *database)
{
    if (m_searching.setDatabase(database)) {
        m_case->setDatabase(database);
        setTargets({});
    }
}

void ComplaintController::setTargets(const QList<TargetEntry> &targets, const QList<TargetProblem> &problems)
{
    m_targets = targets;
    m_problems = problems;
    clear();
}

void ComplaintController::setGroup(GroupSession *session, int own)
{
    clear();
    m_members->setGroup(session, own);
    QStringList labels;
    for (int member = 0; member < members(); ++member) {
        labels += session->label(member);
    }
    m_model->setMembers(labels, m_members->own());
    emit changed();
}

int ComplaintController::members() const
{
    return m_members->session() != nullptr ? m_members->session()->size() : 0;
}

QString ComplaintController::memberLabel(int member) const
{
    return member >= 0 && member < members() ? m_members->session()->label(member) : QString();
}

QString ComplaintController::filterOf(int row) const
{
    const Candidate *candidate = m_model->candidate(row);
    return candidate == nullptr || candidate->record.key.null
        ? QString()
        : u"key:"_s + quoteFilterValue(candidate->record.key.text);
}

void ComplaintController::search(const ComplaintQuestion &question)
{
    if (m_searching.database() == nullptr || question.empty()) {
        return;
    }
    m_question = question;
    m_conflict.reset();
    m_own.reset();
    m_members->search(question);
    QList<sql::Target> targets;
    for (const TargetEntry &entry : m_targets) {
        targets += entry.target;
    }
    m_searching.clearError();
    m_searching.ask(
        { sql::LaneKind::Background, kComplaintDeadlineMs },
        [targets, question](sql::Session &session) { return searchComplaint(session, targets, question); },
        [this, targets](const sql::Result<ComplaintAnswer> &answer) { accept(answer, targets); });
}

void ComplaintController::accept(const sql::Result<ComplaintAnswer> &answer, const QList<sql::Target> &targets)
{
    if (!answer) {
        drop();
        return;
    }
    m_own = GroupAnswer { m_members->own(), memberLabel(m_members->own()), targets, *answer, m_problems, {} };
    if (!m_members->busy()) {
        complete();
    }
}

/// Nothing is known any more.
void ComplaintController::drop()
{
    m_members->clear();
    m_own.reset();
    m_answered = false;
    m_across = {};
    m_notes.clear();
    m_brief.clear();
    m_notSearched.clear();
    m_notRead.clear();
    m_silent.clear();
    m_searched = m_unsearched = 0;
    m_leavesOut = m_cut = m_lastDaysOnly = m_whole = false;
    m_model->setAnswer({}, {});
    m_case->clear();
}

void ComplaintController::complete()
{
    const QList<GroupAnswer> answers = QList<GroupAnswer> { *m_own } + m_members->answers();
    m_notes.clear();
    m_brief.clear();
    m_notSearched.clear();
    m_notRead.clear();
    m_silent.clear();
    m_searched = m_unsearched = 0;
    m_leavesOut = m_cut = m_lastDaysOnly = false;
    m_answered = m_whole = true;
    ComplaintAnswer all;
    QList<sql::Target> targets;
    m_across = suspicionAcross(answers);
    m_notes += m_across.text.isEmpty() ? QStringList() : QStringList { m_across.text };
    for (const GroupAnswer &answer : answers) {
        takeMember(answer, &all, &targets);
    }
    sortNearest(&all.candidates, m_question);
    m_model->setAnswer(all, targets);
    m_case->clear();
    judgeFitting();
}

/// Adds what one member said; the window's own comes first, so that its candidates keep the places of its tables.
void ComplaintController::takeMember(const GroupAnswer &said, ComplaintAnswer *all, QList<sql::Target> *targets)
{
    const QString label = displayText(said.label, 40);
    const auto ofMember = [&](const QStringList &sentences) {
        QStringList named;
        for (const QString &sentence : sentences) {
            named += members() > 0 ? tr("%1: %2", "member of a group, what it says").arg(label, sentence) : sentence;
        }
        return named;
    };
    if (said.error) {
        m_silent += ofMember({ said.error->line() });
        m_whole = false;
        return;
    }
    const ComplaintAnswer &answer = said.answer;
    for (Candidate candidate : answer.candidates) {
        candidate.target += targets->size();
        candidate.member = said.member;
        all->candidates += candidate;
    }
    *targets += said.targets;
    m_notes += ofMember(answer.notes);
    m_brief += ofMember(answer.brief);
    m_notSearched += ofMember(answer.notSearched);
    m_searched += answer.searched;
    m_unsearched += answer.tables - answer.searched + int(said.problems.size());
    m_leavesOut = m_leavesOut || answer.unsearched > 0 || said.problems.size() + answer.notRead.size() > 0;
    m_cut = m_cut || answer.cut;
    m_lastDaysOnly = m_lastDaysOnly || answer.lastDaysOnly;
    m_whole = m_whole && answer.whole() && said.problems.isEmpty();
    for (TargetProblem problem : said.problems + answer.notRead) {
        if (members() > 0 && !problem.profileName.isEmpty()) {
            problem.profileName = tr("%1 in %2", "a table, a member of a group").arg(problem.profileName, said.label);
        }
        m_notRead += problem;
    }
}

CaseGroup ComplaintController::caseGroup() const
{
    CaseGroup group = caseOfOneMember(m_members->session(), m_members->own());
    const QList<GroupAnswer> answers = m_members->answers();
    if (answers.isEmpty()) {
        return group; // another page led here, with keys of this member alone
    }
    group.others.clear();
    for (const GroupAnswer &answer : answers) {
        group.others += elsewhereOf(answer);
    }
    return group;
}

void ComplaintController::retry()
{
    const GroupSession *session = m_members->session();
    for (int member = 0; member < members(); ++member) {
        if (session->state(member) == GroupSession::MemberState::Failed) {
            m_members->session()->refresh(member);
        }
    }
    const ComplaintQuestion question = m_question;
    const std::optional<sql::ConflictRecord> conflict = m_conflict;
    search(question);
    m_conflict = conflict;
}

void ComplaintController::searchConflict(const sql::ConflictRecord &conflict)
{
    ComplaintQuestion question;
    question.key = conflict.key.value_or(QString());
    search(question);
    m_conflict = conflict;
}

void ComplaintController::judgeFitting()
{
    QList<int> fitting;
    int own = 0;
    for (int row = 0; row < m_model->rowCount(); ++row) {
        if (m_model->elsewhere(row)) {
            continue; // it is judged there
        }
        ++own;
        const Candidate *candidate = m_model->candidate(row);
        const TargetEntry &entry = m_targets.at(candidate->target);
        if (!m_conflict
            || isOf(*m_conflict, candidate->record.key.text, namesOf(entry.target, registeredName(entry)),
                candidate->record.scope)) {
            fitting += row;
        }
    }
    if (m_conflict && fitting.isEmpty() && own > 0) {
        m_notes.prepend(tr("None of these is in the table and scope that the conflict names."));
        m_brief.prepend(m_notes.constFirst());
    }
    // A record that names neither table nor scope does not tell which of several it is of.
    if ((fitting.size() == 1 && (m_conflict || own == m_model->rowCount()))
        || (m_conflict && !fitting.isEmpty() && !(m_conflict->target.isEmpty() && m_conflict->scope.isEmpty()))) {
        for (const int row : std::as_const(fitting)) {
            m_model->pick(row, true);
        }
        judgePicked();
    }
}

QString ComplaintController::registeredName(const TargetEntry &entry)
{
    return entry.registration ? entry.registration->name : QString();
}

void ComplaintController::cancel()
{
    if (m_own && m_members->busy()) {
        m_members->stop(); // its matches are at hand
    } else if (busy()) {
        m_searching.drop();
        m_members->clear();
        emit changed();
    }
}

void ComplaintController::clear()
{
    m_searching.drop();
    m_searching.clearError();
    drop();
    emit changed();
}

CaseSubject ComplaintController::subjectOf(const TargetEntry &entry, const QString &key, const sql::Cells &scope)
{
    CaseSubject subject;
    subject.target = entry.target;
    subject.registeredName = registeredName(entry);
    subject.key = key;
    const QList<sql::LabelledExpression> &parts = subject.target.profile.scope;
    for (qsizetype i = 0; i < parts.size(); ++i) {
        if (const sql::Cell part = scope.value(i); !part.null) {
            subject.scope.insert(parts.at(i).label, part.text);
        }
    }
    return subject;
}

void ComplaintController::judgePicked()
{
    QList<CaseSubject> subjects;
    for (const int row : m_model->picked()) {
        const Candidate *candidate = m_model->candidate(row);
        const TargetEntry &entry = m_targets.at(candidate->target);
        subjects += caseSubject(entry.target, registeredName(entry), candidate->record);
    }
    if (subjects.isEmpty()) {
        m_case->clear();
    } else {
        m_case->read(subjects, m_place, problemTexts(m_notRead), caseGroup());
    }
}

void ComplaintController::judgeKeys(const QString &target, const QStringList &keys, const QList<sql::Cells> &scopes)
{
    clear(); // the candidates of another question would only confuse
    for (const TargetEntry &entry : std::as_const(m_targets)) {
        if (entry.target.profile.name == target) {
            QList<CaseSubject> subjects;
            for (qsizetype i = 0; i < keys.size(); ++i) {
                subjects += subjectOf(entry, keys.at(i), scopes.value(i));
            }
            m_case->read(subjects, m_place, {}, caseGroup());
        }
    }
}

} // namespace idemdesk::models

#include "moc_complaint_controller.cpp"
