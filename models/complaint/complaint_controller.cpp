// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/complaint/complaint_controller.h"

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
{
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

void ComplaintController::search(const ComplaintQuestion &question)
{
    if (m_searching.database() == nullptr || question.empty()) {
        return;
    }
    m_question = question;
    m_conflict.reset();
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
    m_answered = answer.ok();
    m_notes = answer ? answer->notes : QStringList();
    m_brief = answer ? answer->brief : QStringList();
    m_notSearched = answer ? answer->notSearched : QStringList();
    m_searched = answer ? answer->searched : 0;
    m_unsearched = answer ? answer->tables - answer->searched + int(m_problems.size()) : 0;
    m_leavesOut = answer && (answer->unsearched > 0 || m_problems.size() + answer->notRead.size() > 0);
    m_cut = answer && answer->cut;
    m_lastDaysOnly = answer && answer->lastDaysOnly;
    m_whole = answer && answer->whole() && m_problems.isEmpty();
    m_notRead = answer ? m_problems + answer->notRead : QList<TargetProblem>();
    m_model->setAnswer(answer ? *answer : ComplaintAnswer(), targets);
    m_case->clear();
    judgeFitting();
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
    for (int row = 0; row < m_model->rowCount(); ++row) {
        const Candidate *candidate = m_model->candidate(row);
        const TargetEntry &entry = m_targets.at(candidate->target);
        if (!m_conflict
            || isOf(*m_conflict, candidate->record.key.text, namesOf(entry.target, registeredName(entry)),
                candidate->record.scope)) {
            fitting += row;
        }
    }
    if (m_conflict && fitting.isEmpty() && m_model->rowCount() > 0) {
        m_notes.prepend(tr("None of these is in the table and scope that the conflict names."));
        m_brief.prepend(m_notes.constFirst());
    }
    // A record that names neither table nor scope does not tell which of several it is of.
    if (fitting.size() == 1
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
    if (busy()) {
        m_searching.drop();
        emit changed();
    }
}

void ComplaintController::clear()
{
    cancel();
    m_answered = false;
    m_searching.clearError();
    m_notes.clear();
    m_brief.clear();
    m_notSearched.clear();
    m_notRead.clear();
    m_model->setAnswer({}, {});
    m_case->clear();
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
        m_case->read(subjects, m_place, problemTexts(m_notRead));
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
            m_case->read(subjects, m_place);
        }
    }
}

} // namespace idemdesk::models

#include "moc_complaint_controller.cpp"
