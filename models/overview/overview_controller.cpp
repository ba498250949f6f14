// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/overview/overview_controller.h"

#include "sql/keys/scope_reader.h"
#include "sql/keys/summary_reader.h"
#include "sql/lanes/database.h"
#include "sql/profile/profile_json.h"

#include <algorithm>

namespace idemdesk::models {

namespace {

constexpr int kOverviewDeadlineMs = 60'000;

} // namespace

OverviewController::OverviewController(QObject *parent)
    : QObject(parent)
    , m_model(new OverviewModel(this))
    , m_scopes(new ScopesModel(this))
{
    connect(m_scopes, &ScopesModel::moreWanted, this, [this] { readScopes(false); });
    connect(&m_counting, &Request::changed, this, &OverviewController::busyChanged);
    connect(&m_readingScopes, &Request::changed, this, &OverviewController::busyChanged);
}

OverviewController::~OverviewController() = default;

void OverviewController::setDatabase(sql::Database *database)
{
    if (!m_counting.setDatabase(database)) {
        return;
    }
    m_readingScopes.setDatabase(database);
    m_queue.clear();
    m_running = false;
    m_selected.clear();
    m_scopes->clear();
    m_model->setTargets({});
    emit busyChanged();
    emit summariesChanged();
}

void OverviewController::setTargets(const QList<sql::Target> &targets)
{
    const int before = m_model->rowOf(m_selected);
    const std::optional<sql::Target> chosen
        = before >= 0 ? std::optional(m_model->rows().at(before).target) : std::nullopt;
    m_model->setTargets(targets);
    if (chosen) {
        follow(*chosen);
    }
    refresh();
    // Also where a summary was under way already and so nobody was told by it: a view lost its current row by the
    // reset.
    emit summariesChanged();
}

/// The chosen table stays chosen: it may have got another name by its registration, or another mapping, but not another
/// oid.
void OverviewController::follow(const sql::Target &chosen)
{
    int row = m_model->rowOf(chosen.profile.name);
    const auto &entries = m_model->rows();
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
    m_readingScopes.drop();
    m_readingScopes.clearError();
    const int row = m_model->rowOf(targetName);
    if (row < 0 || m_model->rows().at(row).target.profile.scope.isEmpty()) {
        m_scopes->clear();
        emit scopesErrorChanged();
        return;
    }
    m_scopes->reset(m_model->rows().at(row).target);
    emit scopesErrorChanged();
    readScopes(true);
}

void OverviewController::refresh()
{
    if (m_counting.database() == nullptr) {
        return;
    }
    m_queue.clear();
    for (const OverviewEntry &entry : m_model->rows()) {
        m_queue.append(entry.target.profile.name);
    }
    if (!m_running) {
        next();
    }
    if (!m_selected.isEmpty() && !m_readingScopes.busy()) {
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
    if (row < 0 || m_counting.database() == nullptr) {
        m_running = false;
        m_model->sortWorstFirst(); // not while numbers come in: rows would jump
        emit busyChanged();
        return;
    }
    m_running = true;
    const sql::Target target = m_model->rows().at(row).target;
    m_model->setLoading(row, true);
    m_counting.ask(
        { sql::LaneKind::Background, kOverviewDeadlineMs },
        [target](sql::Session &session) { return sql::readSummary(session, target, kCountCap); },
        [this, name = target.profile.name](const sql::Result<sql::TargetSummary> &result) {
            m_model->setResult(m_model->rowOf(name), result);
            emit summariesChanged();
            next();
        });
}

void OverviewController::readScopes(bool fromBeginning)
{
    const int row = m_model->rowOf(m_selected);
    if (row < 0 || m_readingScopes.database() == nullptr || m_model->rows().at(row).target.profile.scope.isEmpty()) {
        return;
    }
    m_scopes->setMoreUnderWay(true);
    const sql::Cells after = fromBeginning ? sql::Cells() : m_scopes->next();
    m_readingScopes.ask(
        { sql::LaneKind::Background, kOverviewDeadlineMs },
        [target = m_model->rows().at(row).target, after](
            sql::Session &session) { return sql::readScopes(session, target, after, kScopePage, kCountCap); },
        [this, fromBeginning](const sql::Result<sql::ScopePage> &result) {
            m_scopes->setMoreUnderWay(false);
            if (result && fromBeginning && m_scopes->rowCount() > 0) {
                m_scopes->replace(*result);
            } else if (result) {
                m_scopes->append(*result);
            }
            emit busyChanged();
            emit scopesErrorChanged();
        });
}

void OverviewController::setTimeFormat(const TimeFormat &format)
{
    m_model->setTimeFormat(format);
    m_scopes->setTimeFormat(format);
}

sql::RowCount OverviewController::staleCount() const
{
    using Kind = sql::RowCount::Kind;
    sql::RowCount count { Kind::Exact, 0 };
    for (const OverviewEntry &entry : m_model->rows()) {
        if (!entry.summary || entry.summary->stale.kind == Kind::AtLeast) {
            count.kind = Kind::AtLeast;
        }
        if (entry.summary && entry.summary->stale.kind != Kind::Unknown) { // unknown: it has no rule for them
            count.rows += entry.summary->stale.rows;
        }
    }
    return count;
}

} // namespace idemdesk::models

#include "moc_overview_controller.cpp"
