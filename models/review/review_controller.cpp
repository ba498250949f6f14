// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/review/review_controller.h"

#include "models/background.h"
#include "models/connection/connection_controller.h"
#include "models/report/write_later.h"
#include "models/review/review_report.h"

#include "sql/lanes/database.h"
#include "sql/review/review_gateway.h"

#include <algorithm>

namespace idemdesk::models {

namespace {

constexpr int kReviewDeadlineMs = 120'000; // of one table's whole health report
constexpr int kSignDeadlineMs = 30'000;

/// The same answer of a person, whatever its id, and whatever numbers the console found meanwhile.
bool sameAnswer(const sql::ReviewSigning &a, const sql::ReviewSigning &b)
{
    return a.table == b.table && a.target == b.target && a.question == b.question && a.verdict == b.verdict
        && a.note == b.note;
}

} // namespace

ReviewController::ReviewController(QObject *parent)
    : QObject(parent)
    , m_model(new ReviewModel(this))
{
    connect(&m_reading, &Request::changed, this, &ReviewController::changed);
    connect(&m_signing, &Request::changed, this, &ReviewController::changed);
}

ReviewController::~ReviewController() = default;

void ReviewController::drop()
{
    m_reading.drop();
    m_reading.clearError();
    m_report.reset();
    m_model->setItems({});
}

void ReviewController::setDatabase(sql::Database *database)
{
    if (m_reading.setDatabase(database)) {
        m_signing.setDatabase(database);
        m_unsure.reset();
        drop();
        emit changed();
    }
}

void ReviewController::setTargets(const QList<TargetEntry> &targets)
{
    m_subjects.clear();
    for (const TargetEntry &entry : targets) {
        m_subjects.append({ entry.target, entry.registration ? entry.registration->name : QString() });
    }
    drop();
    emit changed();
}

void ReviewController::choose(const QString &target)
{
    if (target != m_target) {
        m_target = target;
        drop();
        emit changed();
    }
}

void ReviewController::refresh()
{
    const auto subject = std::find_if(m_subjects.cbegin(), m_subjects.cend(),
        [this](const Subject &one) { return one.target.profile.name == m_target; });
    if (subject == m_subjects.cend()) {
        return;
    }
    m_reading.clearError();
    m_reading.ask(
        { sql::LaneKind::Background, kReviewDeadlineMs },
        [one = *subject](sql::Session &session) { return readReviewReport(session, one.target, one.registeredName); },
        [this](const sql::Result<ReviewReport> &report) {
            if (report) {
                m_report = *report;
                m_model->setItems(report->items);
            }
        });
}

void ReviewController::cancel()
{
    if (busy()) {
        m_reading.drop();
        emit changed();
    }
}

void ReviewController::sign(sql::ReviewSigning wanted)
{
    if (signing() || m_signing.database() == nullptr) {
        emit signFailed(sql::makeError(sql::ErrorKind::Refused, tr("The answer was not signed."),
            signing() ? tr("Another answer is being signed.") : tr("There is no connection."), tr("Try again.")));
        return;
    }
    if (m_unsure && sameAnswer(*m_unsure, wanted)) {
        wanted = *m_unsure;
    }
    m_signing.ask(
        { sql::LaneKind::Write, kSignDeadlineMs, false },
        [wanted](sql::Session &session) { return sql::signReview(session, wanted); },
        [this, wanted](const sql::Result<qint64> &seq) {
            m_unsure = !seq && sql::answerLost(seq.error()) ? std::optional(wanted) : std::nullopt;
            if (seq) {
                emit signedAnswer(wanted.question, *seq);
                refresh();
            } else {
                emit signFailed(seq.error());
            }
        });
}

void ReviewController::write(const QString &path)
{
    if (!m_report) {
        return;
    }
    writeLater(this, [report = *m_report, path] { return writeReview(report, path); });
}

} // namespace idemdesk::models

#include "moc_review_controller.cpp"
