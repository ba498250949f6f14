// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/regions/replication_list.h"
#include "models/request/request.h"

#include <QDateTime>
#include <QObject>
#include <memory>
#include <vector>

namespace idemdesk::models {

class GroupSession;

/// Reads how logical replication between the members of a group does. Lives on the GUI thread.
class ReplicationController final : public QObject
{
    Q_OBJECT

public:
    explicit ReplicationController(GroupSession *group, QObject *parent = nullptr); ///< group: outlives this object

    void refresh(); ///< asks every member that answers; changed() follows once all did
    bool busy() const;
    bool loaded() const { return m_readAt.isValid(); }
    QDateTime readAt() const { return m_readAt; } ///< by this computer's clock
    const ReplicationVerdict &verdict() const { return m_verdict; }
    const QList<MemberReplication> &members() const { return m_members; }
    ReplicationList *list() const { return m_list; }

signals:
    void changed(); ///< what was read, or busy()

private:
    void conclude();

    GroupSession *m_group;
    std::vector<std::unique_ptr<Request>> m_reading; ///< by member
    QList<MemberReplication> m_members;
    QList<MemberReplication> m_coming; ///< of the reading under way
    QStringList m_refusals; ///< why members did not tell, in the reading under way
    ReplicationVerdict m_verdict;
    ReplicationList *m_list;
    QDateTime m_readAt;
};

} // namespace idemdesk::models
