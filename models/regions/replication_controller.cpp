// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/regions/replication_controller.h"

#include "models/groups/group_session.h"
#include "sql/lanes/database.h"
#include "sql/types/tr.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

constexpr int kReplicationDeadlineMs = 15'000;

} // namespace

ReplicationController::ReplicationController(GroupSession *group, QObject *parent)
    : QObject(parent)
    , m_group(group)
    , m_list(new ReplicationList(this))
{
    for (int member = 0; member < group->size(); ++member) {
        m_reading.push_back(std::make_unique<Request>(u"replication"_s));
        m_reading.back()->setDatabase(group->database(member));
    }
    connect(group, &GroupSession::databaseChanged, this, [this](int member) {
        m_reading.at(std::size_t(member))->setDatabase(m_group->database(member));
        conclude();
    });
}

bool ReplicationController::busy() const
{
    return std::any_of(m_reading.cbegin(), m_reading.cend(), [](const auto &reading) { return reading->busy(); });
}

void ReplicationController::refresh()
{
    m_coming.clear();
    m_refusals.clear();
    for (int member = 0; member < m_group->size(); ++member) {
        m_coming.append({ m_group->label(member), {} });
    }
    for (int member = 0; member < m_group->size(); ++member) {
        if (!m_group->answered(member)) {
            m_reading.at(std::size_t(member))->drop();
            continue;
        }
        m_reading.at(std::size_t(member))
            ->ask({ sql::LaneKind::Background, kReplicationDeadlineMs }, sql::readReplication,
                [this, member](const sql::Result<sql::ReplicationSide> &side) {
                    if (side) {
                        m_coming[member].side = *side;
                    } else {
                        m_refusals += Tr::tr("%1: %2").arg(m_group->label(member), side.error().line());
                    }
                    conclude();
                });
    }
    conclude();
}

/// Once nobody is waited for any more.
void ReplicationController::conclude()
{
    if (!busy() && !m_coming.isEmpty()) {
        m_members = std::exchange(m_coming, {});
        const QList<ReplicationWay> ways = replicationWays(m_members);
        m_verdict = replicationVerdict(ways, m_members);
        m_verdict.notes += std::exchange(m_refusals, {});
        m_list->setWays(ways, m_members);
        m_readAt = QDateTime::currentDateTimeUtc();
    }
    emit changed();
}

} // namespace idemdesk::models

#include "moc_replication_controller.cpp"
