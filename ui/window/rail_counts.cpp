// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/rail_counts.h"

#include "models/actions/action_center.h"
#include "models/alerts/alert_controller.h"
#include "models/audit/audit_controller.h"
#include "models/health/health_controller.h"
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
    connect(work->overview(), &models::OverviewController::summariesChanged, this, &RailCounts::countStale);
    connect(work->health(), &models::HealthController::changed, this, &RailCounts::countHealth);
    connect(work->alerts(), &models::AlertController::changed, this, &RailCounts::countHealth);
    connect(work->actions(), &models::ActionCenter::changed, this, &RailCounts::countActions);
    connect(work->actions(), &models::ActionCenter::runnerChanged, this, &RailCounts::countActions);
    connect(work->actions(), &models::ActionCenter::allowanceChanged, this, &RailCounts::countActions);
    connect(work->audit(), &models::AuditController::changed, this, &RailCounts::countActions);
}

void RailCounts::countStale()
{
    const qint64 stale = m_work->overview()->staleCount();
    m_rail->setCount(u"overview"_s, stale,
        tr("%n key(s) are stale.", nullptr, static_cast<int>(std::min<qint64>(stale, 1'000'000))));
}

void RailCounts::countHealth()
{
    const qsizetype problems = m_work->health()->model()->problems();
    const qsizetype firing = m_work->alerts()->firing();
    QStringList texts;
    if (firing > 0) {
        texts += tr("%n alert(s) firing.", nullptr, int(firing));
    }
    if (problems > 0) {
        texts += tr("%n problem(s) in the health report.", nullptr, int(problems));
    }
    const bool partly = !m_work->health()->read();
    if (partly) {
        texts += tr("The health report was not made yet for all tables.");
    }
    m_rail->setCount(u"health"_s, problems + firing, texts.join(u' '), partly);
}

void RailCounts::countActions()
{
    const models::ActionCenter *center = m_work->actions();
    int asked = 0;
    int waiting = 0;
    for (const sql::ActionRecord &action : center->openElsewhere()) {
        (action.state == sql::ActionState::Requested ? asked : waiting) += 1;
    }
    m_rail->setCount(u"recovery"_s, center->running() ? 1 : waiting,
        center->running() ? tr("An action is running.") : tr("%n action(s) were left open.", nullptr, waiting));
    const bool altered = m_work->audit()->check() && !m_work->audit()->check()->whole();
    const int red = center->status().red() || altered ? 1 : 0;
    m_rail->setCount(u"audit"_s, red + (center->status().isApprover ? asked : 0),
        altered       ? tr("The trail is not the one that this computer saw before, or was altered.")
            : red > 0 ? tr("The guard of the trail is not whole.")
                      : tr("%n action(s) wait for approval.", nullptr, asked));
}

} // namespace idemdesk::ui
