// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/rail_counts.h"

#include "models/actions/action_center.h"
#include "models/actions/action_runner.h"
#include "models/alerts/alert_controller.h"
#include "models/audit/audit_controller.h"
#include "models/overview/overview_controller.h"
#include "models/workspace/workspace.h"
#include "ui/window/rail.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

RailCounts::RailCounts(models::Workspace *work, Rail *rail)
    : QObject(rail)
    , m_work(work)
    , m_rail(rail)
{
    connect(work->overview(), &models::OverviewController::summariesChanged, this, &RailCounts::countWork);
    connect(work->alerts(), &models::AlertController::changed, this, &RailCounts::countAlerts);
    for (const auto changed : { &models::ActionCenter::changed, &models::ActionCenter::runnerChanged,
             &models::ActionCenter::allowanceChanged }) {
        connect(work->actions(), changed, this, &RailCounts::countWork);
        connect(work->actions(), changed, this, &RailCounts::countAudit);
    }
    connect(work->audit(), &models::AuditController::changed, this, &RailCounts::countAudit);
}

/// Each count stands on the page where a person acts on it: stuck keys and what was left open on Recovery, a purge that
/// runs on Purge.
void RailCounts::countWork()
{
    const models::ActionCenter *center = m_work->actions();
    const bool purging = center->running() && center->runner()->action().verb == sql::ActionVerb::Purge;
    m_rail->setCount(u"purge"_s, purging ? 1 : 0, tr("A purge is running."));
    const sql::RowCount stuck = m_work->overview()->staleCount();
    int waiting = 0;
    for (const sql::ActionRecord &action : center->openElsewhere()) {
        waiting += action.state == sql::ActionState::Requested ? 0 : 1;
    }
    const int most = static_cast<int>(std::min<qint64>(stuck.rows, 1'000'000));
    QStringList texts { stuck.kind == sql::RowCount::Kind::Exact
            ? tr("%n key(s) are stuck.", nullptr, most)
            : tr("At least %n key(s) are stuck: not all are counted yet.", nullptr, most) };
    if (center->running() && !purging) {
        texts += tr("An action is running.");
    }
    if (waiting > 0) {
        texts += tr("%n action(s) were left open.", nullptr, waiting);
    }
    const sql::RowCount left { sql::RowCount::Kind::Exact, waiting };
    m_rail->setCount(u"recovery"_s, stuck.rows > 0 ? stuck : left, texts.join(u' '));
}

/// Only what fires, which is judged each minute: the report's problems are known once it is opened, and its tabs count
/// them.
void RailCounts::countAlerts()
{
    const qsizetype firing = m_work->alerts()->unacknowledged();
    const qsizetype acknowledged = m_work->alerts()->firing() - firing;
    QStringList texts { tr("%n alert(s) firing.", nullptr, int(firing)) };
    if (acknowledged > 0) {
        texts += tr("%n more acknowledged.", nullptr, int(acknowledged));
    }
    m_rail->setCount(u"health"_s, firing, texts.join(u' '), RailButton::Mood::Firing);
}

void RailCounts::countAudit()
{
    const models::ActionCenter *center = m_work->actions();
    int asked = 0;
    for (const sql::ActionRecord &action : center->openElsewhere()) {
        asked += action.state == sql::ActionState::Requested ? 1 : 0;
    }
    const bool altered = m_work->audit()->check() && !m_work->audit()->check()->whole();
    const int red = center->status().red() || altered ? 1 : 0;
    m_rail->setCount(u"audit"_s, red + (center->status().isApprover ? asked : 0),
        altered       ? tr("The audit log was tampered with, or is not the one that this computer saw before.")
            : red > 0 ? tr("The audit log is not protected.")
                      : tr("%n action(s) wait for approval.", nullptr, asked),
        red > 0 ? RailButton::Mood::Firing : RailButton::Mood::Waiting);
}

} // namespace idemdesk::ui
