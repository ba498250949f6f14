// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/provider/statement_controller.h"

#include "models/background.h"
#include "models/format/labels.h"
#include "models/format/quantities.h"
#include "models/report/write_later.h"
#include "sql/lanes/database.h"

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

constexpr int kProgressMs = 200;

} // namespace

struct StatementController::Job {
    StatementProgress progress;
    std::stop_source stop;
};

StatementController::StatementController(QObject *parent)
    : QObject(parent)
    , m_list(new FindingList(this))
{
    m_poll.setInterval(kProgressMs);
    connect(&m_poll, &QTimer::timeout, this, &StatementController::progress);
    connect(&m_comparing, &Request::changed, this, [this] {
        if (!busy()) {
            m_poll.stop();
        }
        emit changed();
    });
}

StatementController::~StatementController()
{
    stop();
}

void StatementController::stop()
{
    if (m_job) {
        m_job->stop.request_stop(); // reading the file asks no server
    }
}

void StatementController::setDatabase(sql::Database *database)
{
    if (m_comparing.setDatabase(database)) {
        stop();
        forget();
    }
}

void StatementController::setTarget(const sql::Target &target)
{
    if (target.relation.sql != m_target.relation.sql || target.profile.name != m_target.profile.name) {
        stop();
        m_comparing.drop();
        m_comparing.clearError();
        forget();
    }
    m_target = target;
    m_list->setScopeTitle(scopeTitle(target.profile));
}

void StatementController::forget()
{
    m_poll.stop();
    m_question.reset();
    m_result.reset();
    m_comparing.clearError();
    m_list->setFindings({});
    emit changed();
}

void StatementController::compare(const StatementQuestion &question)
{
    stop();
    m_job = std::make_shared<Job>();
    m_question = question;
    m_result.reset();
    m_list->setFindings({});
    m_comparing.clearError();
    const auto work = [job = m_job, target = m_target, question](
                          sql::Session &session) -> sql::Result<std::shared_ptr<const StatementResult>> {
        TRY(auto result, checkStatement(session, target, question, &job->progress, job->stop.get_token()));
        return std::shared_ptr<const StatementResult>(std::make_shared<StatementResult>(std::move(result)));
    };
    m_poll.start();
    m_comparing.ask({ sql::LaneKind::Background, 0, false }, work,
        [this](const sql::Result<std::shared_ptr<const StatementResult>> &result) {
            if (result) {
                m_result = *result;
                m_list->setFindings(m_result->kept);
            }
        });
}

void StatementController::compareAgain()
{
    if (m_question) {
        compare(StatementQuestion(*m_question));
    }
}

void StatementController::cancel()
{
    stop();
    m_comparing.cancel();
}

int StatementController::percent() const
{
    const qint64 whole = m_job ? m_job->progress.whole.load() : 0;
    return whole > 0 ? int(std::min<qint64>(100, m_job->progress.done.load() * 100 / whole)) : -1;
}

QString StatementController::progressText() const
{
    if (!m_job || !busy()) {
        return {};
    }
    const QString done = countText(m_job->progress.done.load());
    switch (m_job->progress.phase.load()) {
    case StatementProgress::Phase::Reading:
        return percent() < 0 ? tr("Reading the statement.") : tr("Reading the statement: %1 %.").arg(percent());
    case StatementProgress::Phase::LookingUp:
        return tr("Looking for its references here: %1 of at most %2.")
            .arg(done, countText(m_job->progress.whole.load()));
    case StatementProgress::Phase::WholeTable:
        return tr("Reading the whole table: %1 rows. No index leads with the reference.").arg(done);
    case StatementProgress::Phase::Missing:
        break;
    }
    return tr("Looking for keys that it lacks: %1 rows of its time.").arg(done);
}

void StatementController::write(const QString &path)
{
    if (m_result) {
        writeLater(this, [result = m_result, path] { return writeFindings(*result->all, path); });
    }
}

} // namespace idemdesk::models

#include "moc_statement_controller.cpp"
