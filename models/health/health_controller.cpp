// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/health/health_controller.h"

#include "models/format/labels.h"
#include "sql/health/health_report.h"
#include "sql/lanes/database.h"
#include "sql/profile/profile_json.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

constexpr int kHealthDeadlineMs = 60'000; // of one table; a question that takes longer is answered with "not known"

bool sameHealthTarget(const sql::Target &a, const sql::Target &b)
{
    return a.profile.name == b.profile.name && a.relation.oid == b.relation.oid
        && sql::profileToJson(a.profile) == sql::profileToJson(b.profile);
}

} // namespace

HealthController::HealthController(QObject *parent)
    : QObject(parent)
    , m_model(new HealthModel(this))
{
    connect(&m_asking, &Request::changed, this, &HealthController::changed);
}

HealthController::~HealthController() = default;

void HealthController::setDatabase(sql::Database *database)
{
    if (m_asking.setDatabase(database)) {
        setTargets({});
    }
}

void HealthController::setTargets(const QList<sql::Target> &targets, const QList<TargetProblem> &problems)
{
    const auto problemsSame = std::equal(problems.cbegin(), problems.cend(), m_problems.cbegin(), m_problems.cend(),
        [](const TargetProblem &a, const TargetProblem &b) {
            return a.profileName == b.profileName && a.error.line() == b.error.line();
        });
    if (problemsSame && !targets.isEmpty()
        && std::equal(targets.cbegin(), targets.cend(), m_targets.cbegin(), m_targets.cend(), sameHealthTarget)) {
        return; // the list was read again, and is what it was
    }
    m_asking.drop();
    m_asking.clearError();
    m_targets = targets;
    m_problems = problems;
    m_next = -1;
    m_entries.clear();
    m_looked.removeIf([&targets](const sql::Target &looked) {
        return std::none_of(targets.cbegin(), targets.cend(),
            [&looked](const sql::Target &target) { return sameHealthTarget(target, looked); });
    });
    m_read = !targets.isEmpty() && m_looked.size() == targets.size();
    if (m_targets.isEmpty() || !m_looked.isEmpty()) {
        addProblems(); // nothing else is to be asked, or the rest stands beside
    }
    // What was found of a table that is still the same table stays said.
    m_found.removeIf([this](const HealthModel::Entry &entry) {
        return std::none_of(m_looked.cbegin(), m_looked.cend(),
            [&entry](const sql::Target &looked) { return looked.profile.name == entry.target; });
    });
    m_entries += m_found;
    m_model->setReports(m_entries);
    emit changed();
}

void HealthController::refresh()
{
    if (m_asking.database() == nullptr || m_targets.isEmpty()) {
        return;
    }
    m_next = 0;
    m_asking.clearError();
    m_entries.clear();
    addProblems();
    askNext();
}

void HealthController::addProblems()
{
    for (const TargetProblem &problem : std::as_const(m_problems)) {
        sql::HealthFinding finding;
        finding.id = u"readable"_s;
        finding.level = sql::HealthLevel::Unknown;
        finding.title = tr("The table can be read");
        finding.seen = problem.error.line();
        finding.why = tr("Nothing can be said about it until it can be read.");
        finding.notRead = true;
        m_entries.append({ problem.profileName, problem.profileName, finding });
    }
}

void HealthController::cancel()
{
    if (busy()) {
        m_asking.drop();
        m_next = -1;
        emit changed();
    }
}

void HealthController::askNext()
{
    const sql::Target target = m_targets.at(m_next);
    m_asking.ask(
        { sql::LaneKind::Background, kHealthDeadlineMs },
        [target](sql::Session &session) { return sql::readHealth(session, target); },
        [this, target](const sql::Result<sql::HealthReport> &report) {
            if (report) {
                accept(target, *report);
            } else {
                m_next = -1;
            }
        });
}

void HealthController::accept(const sql::Target &target, const sql::HealthReport &report)
{
    for (const sql::HealthFinding &finding : report.findings) {
        m_entries.append({ target.profile.name, targetLabel(target.profile), finding, targetTitle(target.profile),
            targetPlace(target.profile) });
    }
    if (++m_next < m_targets.size()) {
        askNext();
        return;
    }
    m_next = -1;
    m_read = true;
    m_looked = m_targets;
    m_found = m_entries;
    m_model->setReports(m_entries); // all at once: rows must not move while they are read
}

} // namespace idemdesk::models

#include "moc_health_controller.cpp"
