// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/table/row_model.h"
#include "sql/regions/replication_link.h"
#include "sql/types/health.h"

namespace idemdesk::models {

/// What one member of a group said of its replication.
struct MemberReplication {
    QString label;
    std::optional<sql::ReplicationSide> side; ///< nothing: it did not answer
};

/// A way on which rows come from one member to another; or an end of one whose other end no member has.
struct ReplicationWay {
    int from = -1; ///< member that has the slot; -1: none that answered
    int to = -1; ///< member that has the subscription; -1: none that answered
    std::optional<sql::Subscription> subscription;
    std::optional<sql::LogicalSlot> slot;
    sql::HealthLevel level = sql::HealthLevel::Unknown;
    QString state; ///< "Runs", "Off"
    QString todo; ///< sentences; empty where there is nothing to do
    QString fix; ///< the statement that todo ends with, to be run where it says; empty where there is none
};

/// Lag beyond which a way counts as late.
inline constexpr int kLateSeconds = 30;
inline constexpr qint64 kLateBytes = 64LL * 1024 * 1024;

/// Puts both ends of each way together by the slot's name, and judges it; the worst first.
QList<ReplicationWay> replicationWays(const QList<MemberReplication> &members);

/// What stands of all of it, in one or two sentences; and how grave it is.
struct ReplicationVerdict {
    sql::HealthLevel level = sql::HealthLevel::Unknown;
    QString text;
    QString advice; ///< where retries go until it is well; empty where it is
    QStringList notes; ///< what was not seen: members, and what a version does not tell
};
ReplicationVerdict replicationVerdict(const QList<ReplicationWay> &ways, const QList<MemberReplication> &members);

/// What both ends of one way say, as names and values; hostile texts.
QList<std::pair<QString, QString>> replicationFacts(const ReplicationWay &way, const QList<MemberReplication> &members);

/// The ways between the members of a group, one a row.
class ReplicationList final : public RowModel<ReplicationList, ReplicationWay>
{
    Q_OBJECT

public:
    enum Column { State, Way, Subscription, Bytes, Seconds, Errors, Conflicts, ColumnCount };

    explicit ReplicationList(QObject *parent = nullptr);
    void setWays(const QList<ReplicationWay> &ways, const QList<MemberReplication> &members);
    QString labelOf(int member) const; ///< "elsewhere" for -1

    static std::span<const ColumnSpec> columns();
    QVariant itemData(const ReplicationWay &way, int column, int role) const; ///< LevelRole of State

private:
    QStringList m_labels;
};

} // namespace idemdesk::models
