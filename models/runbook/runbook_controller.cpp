// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/runbook/runbook_controller.h"

#include "models/alerts/alert_controller.h"
#include "models/background.h"
#include "models/connection/connection_controller.h"
#include "models/report/write_later.h"
#include "models/runbook/runbook_report.h"

#include "sql/lanes/database.h"

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

constexpr int kRunbookDeadlineMs = 120'000; // of all its questions

} // namespace

RunbookController::RunbookController(QObject *parent)
    : QObject(parent)
    , m_book(&runbooks().front())
{
    connect(&m_reading, &Request::changed, this, &RunbookController::changed);
}

RunbookController::~RunbookController() = default;

void RunbookController::watch(const AlertController *alerts)
{
    m_alerts = alerts;
    connect(alerts, &AlertController::changed, this, &RunbookController::mark);
    mark();
}

void RunbookController::mark()
{
    QHash<QString, sql::TargetKind> kinds;
    for (const RunbookSubject &subject : std::as_const(m_subjects)) {
        kinds.insert(subject.target.profile.name, subject.target.profile.kind);
    }
    QHash<QString, RunbookMark> marks = m_alerts == nullptr ? QHash<QString, RunbookMark>()
                                                            : runbookMarks(m_alerts->model()->rows(), kinds, m_target);
    for (auto read = m_answers.cbegin(); read != m_answers.cend(); ++read) {
        marks[read.key()].answers = *read;
        marks[read.key()].read = true;
    }
    if (m_marks != marks) {
        m_marks = marks;
        emit marksChanged();
    }
}

void RunbookController::setDatabase(sql::Database *database)
{
    if (m_reading.setDatabase(database)) {
        m_report.reset();
        m_answers.clear();
        mark();
        emit changed();
    }
}

void RunbookController::setTargets(const QList<TargetEntry> &targets, const QList<TargetProblem> &problems, bool known)
{
    m_subjects.clear();
    for (const TargetEntry &entry : targets) {
        m_subjects.append({ entry.target, entry.registration ? entry.registration->name : QString(), entry.compiled });
    }
    m_problems = problems;
    m_known = known;
    m_reading.drop();
    m_report.reset();
    m_answers.clear();
    mark();
    if (m_known && std::exchange(m_wanted, false)) {
        refresh();
    }
    emit changed();
}

void RunbookController::open(const QString &name, const QString &target)
{
    const Runbook *wanted = runbook(name);
    if (wanted == nullptr) {
        return;
    }
    if (wanted != m_book || target != m_target) {
        m_reading.drop();
        m_reading.clearError();
        m_report.reset();
    }
    if (target != m_target) {
        m_answers.clear();
    }
    m_book = wanted;
    m_target = target;
    mark();
    refresh();
    emit changed();
}

void RunbookController::refresh()
{
    m_wanted = !m_known; // without tables its questions would not apply, which is no answer
    if (m_wanted) {
        return;
    }
    QList<RunbookSubject> subjects = m_subjects;
    QList<TargetProblem> problems = m_problems;
    if (!m_target.isEmpty()) {
        subjects.removeIf([this](const RunbookSubject &subject) { return subject.target.profile.name != m_target; });
        problems.removeIf([this](const TargetProblem &problem) { return problem.profileName != m_target; });
    }
    m_reading.clearError();
    m_reading.ask(
        { sql::LaneKind::Background, kRunbookDeadlineMs },
        [book = m_book, subjects, problems](
            sql::Session &session) { return readRunbook(session, *book, subjects, problems); },
        [this](const sql::Result<RunbookReport> &report) {
            if (report) {
                m_report = *report;
                m_answers.insert(QString::fromLatin1(report->book->name), int(report->count(RunbookAnswer::Trouble)));
                mark();
            }
        });
}

void RunbookController::cancel()
{
    if (busy()) {
        m_reading.drop();
        emit changed();
    }
}

void RunbookController::write(const QString &path)
{
    if (!m_report) {
        return;
    }
    writeLater(this, [report = *m_report, path] { return writeRunbook(report, path); });
}

} // namespace idemdesk::models

#include "moc_runbook_controller.cpp"
