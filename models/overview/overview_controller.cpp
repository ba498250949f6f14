// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/overview/overview_controller.h"

#include "models/async.h"
#include "sql/keys/key_gateway.h"
#include "sql/lanes/database.h"
#include "sql/profile/profile_json.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

constexpr int kOverviewDeadlineMs = 60'000;

QString overviewView(const void *owner, const QString &what)
{
    return u"overview/%1/%2"_s.arg(ownerName(owner), what);
}

} // namespace

OverviewController::OverviewController(QObject *parent)
    : QObject(parent)
    , m_model(new OverviewModel(this))
    , m_scopes(new ScopesModel(this))
{
    connect(m_scopes, &ScopesModel::moreWanted, this, [this] { readScopes(false); });
    connect(&m_autoTimer, &QTimer::timeout, this, [this] {
        if (m_holds == 0 && !busy() && m_database != nullptr && m_database->state() == sql::LinkState::Connected) {
            refresh();
        }
    });
}

OverviewController::~OverviewController() = default;

void OverviewController::setDatabase(sql::Database *database)
{
    if (m_database == database) {
        return;
    }
    m_database = database;
    ++m_generation;
    ++m_scopesTicket;
    m_queue.clear();
    m_running = m_scopesRunning = false;
    m_selected.clear();
    m_scopesError.reset();
    m_scopes->clear();
    m_model->setTargets({});
    emit busyChanged();
    emit summariesChanged();
}

void OverviewController::setTargets(const QList<sql::Target> &targets)
{
    const int before = m_model->rowOf(m_selected);
    const std::optional<sql::Target> chosen = before >= 0 ? std::optional(m_model->entries().at(before).target) : std::nullopt;
    m_model->setTargets(targets);
    if (chosen) {
        follow(*chosen);
    }
    refresh();
    // Also where a summary was under way already and so nobody was told by it: a view lost its current row by the reset.
    emit summariesChanged();
}

/// The chosen table stays chosen: it may have got another name by its registration, or another mapping, but not another oid.
void OverviewController::follow(const sql::Target &chosen)
{
    int row = m_model->rowOf(chosen.profile.name);
    const auto &entries = m_model->entries();
    if (row < 0 || entries.at(row).target.relation.oid != chosen.relation.oid) {
        const auto same = std::find_if(entries.cbegin(), entries.cend(),
            [&chosen](const OverviewEntry &entry) { return entry.target.relation.oid == chosen.relation.oid; });
        row = same != entries.cend() ? int(same - entries.cbegin()) : -1;
    }
    if (row < 0) {
        selectTarget({});
        return;
    }
    const sql::Profile &now = entries.at(row).target.profile;
    if (now.name != chosen.profile.name || sql::profileToJson(now) != sql::profileToJson(chosen.profile)) {
        selectTarget(now.name);
    }
}

void OverviewController::selectTarget(const QString &targetName)
{
    m_selected = targetName;
    ++m_scopesTicket;
    m_scopesRunning = false;
    m_scopesError.reset();
    const int row = m_model->rowOf(targetName);
    if (row < 0 || m_model->entries().at(row).target.profile.scope.isEmpty()) {
        m_scopes->clear();
        emit scopesErrorChanged();
        return;
    }
    m_scopes->reset(m_model->entries().at(row).target);
    emit scopesErrorChanged();
    readScopes(true);
}

void OverviewController::refresh()
{
    if (m_database == nullptr) {
        return;
    }
    m_queue.clear();
    for (const OverviewEntry &entry : m_model->entries()) {
        m_queue.append(entry.target.profile.name);
    }
    if (!m_running) {
        next();
    }
    if (!m_selected.isEmpty() && !m_scopesRunning) {
        readScopes(true);
    }
}

/// One target at a time: the background lane belongs to counts and exports too.
void OverviewController::next()
{
    int row = -1;
    while (row < 0 && !m_queue.isEmpty()) {
        row = m_model->rowOf(m_queue.takeFirst());
    }
    if (row < 0 || m_database == nullptr) {
        m_running = false;
        emit busyChanged();
        return;
    }
    m_running = true;
    const sql::Target target = m_model->entries().at(row).target;
    const quint64 generation = m_generation;
    auto future = m_database->run(sql::LaneKind::Background, { overviewView(this, u"summary"_s), kOverviewDeadlineMs, true },
        [target](sql::Session &session) { return sql::readSummary(session, target, kCountCap); });
    whenDone(future, this, [this, generation, name = target.profile.name](const sql::Result<sql::TargetSummary> &result) {
        if (generation != m_generation) {
            return;
        }
        m_model->setResult(m_model->rowOf(name), result);
        emit summariesChanged();
        next();
    });
    // Last: who hears these may choose another table or other tables.
    m_model->setLoading(row, true);
    emit busyChanged();
}

void OverviewController::readScopes(bool fromBeginning)
{
    const int row = m_model->rowOf(m_selected);
    if (row < 0 || m_database == nullptr || m_model->entries().at(row).target.profile.scope.isEmpty()) {
        return;
    }
    m_scopesRunning = true;
    m_scopes->setMoreUnderWay(true);
    const quint64 ticket = ++m_scopesTicket;
    const sql::Cells after = fromBeginning ? sql::Cells() : m_scopes->next();
    auto future = m_database->run(sql::LaneKind::Background, { overviewView(this, u"scopes"_s), kOverviewDeadlineMs, true },
        [target = m_model->entries().at(row).target, after](
            sql::Session &session) { return sql::readScopes(session, target, after, kScopePage, kCountCap); });
    whenDone(future, this, [this, ticket, fromBeginning](const sql::Result<sql::ScopePage> &result) {
        if (ticket != m_scopesTicket) {
            return;
        }
        m_scopesRunning = false;
        m_scopes->setMoreUnderWay(false);
        if (!result.ok()) {
            m_scopesError = result.error();
        } else {
            m_scopesError.reset();
            if (fromBeginning && m_scopes->rowCount() > 0) {
                m_scopes->replace(*result);
            } else {
                m_scopes->append(*result);
            }
        }
        emit busyChanged();
        emit scopesErrorChanged();
    });
    // Last: who hears it may choose another table, and the newer choice must have the newer ticket.
    emit busyChanged();
}

void OverviewController::setAutoRefresh(int seconds)
{
    if (seconds > 0) {
        m_autoTimer.start(seconds * 1'000);
    } else {
        m_autoTimer.stop();
    }
}

void OverviewController::hold() { ++m_holds; }

void OverviewController::release() { m_holds = qMax(0, m_holds - 1); }

void OverviewController::setTimeFormat(const TimeFormat &format)
{
    m_model->setTimeFormat(format);
    m_scopes->setTimeFormat(format);
}

qint64 OverviewController::staleCount() const
{
    qint64 count = 0;
    for (const OverviewEntry &entry : m_model->entries()) {
        if (entry.summary && entry.summary->stale.kind != sql::RowCount::Kind::Unknown) {
            count += entry.summary->stale.rows;
        }
    }
    return count;
}

} // namespace idemdesk::models

#include "moc_overview_controller.cpp"
