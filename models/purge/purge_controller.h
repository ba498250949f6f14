// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/connection/connection_controller.h"
#include "models/purge/partitions_model.h"
#include "models/purge/purge_groups_model.h"
#include "models/purge/purge_picture.h"
#include "models/request/request.h"
#include "sql/types/triage.h"

#include <QObject>
#include <QTimer>

namespace idemdesk::models {

/// The purge page without its widgets: plans, and says what a plan would do. A plan is made for one cutoff and one
/// choice of states; changing either makes it void. Lives on the GUI thread.
class PurgeController final : public QObject
{
    Q_OBJECT

public:
    explicit PurgeController(QObject *parent = nullptr);
    ~PurgeController() override;

    PurgeGroupsModel *groups() const { return m_groups; }
    PartitionsModel *partitions() const { return m_partitions; }
    void setDatabase(sql::Database *database);
    void setTarget(const TargetEntry &entry);
    const TargetEntry &target() const { return m_target; }
    void setTimeFormat(const TimeFormat &format);

    /// States that the profile lets go at all.
    QList<sql::KeyState> possibleStates() const;
    /// Counts what would go. cutoff: nothing means the server's now.
    void plan(const QList<sql::KeyState> &states, const std::optional<sql::Timestamp> &cutoff);
    void cancel(); ///< the plan, or the count of what it leaves
    void forget(); ///< the choice changed: the plan does not hold any more
    void setImages(bool images); ///< keep the rows for undo
    /// The purge of this plan runs: now and then it is read what it took, so that the bars follow. Empty: none runs.
    void follow(const QString &action);

    bool busy() const { return m_planning.busy(); }
    bool countingStay() const { return m_staying.busy(); } ///< behind a plan, which is complete without it
    const std::optional<sql::PurgePlan> &planned() const { return m_plan; }
    const std::optional<sql::Error> &error() const { return m_planning.error(); }
    /// More rows than images are kept for by default: an explicit choice is asked for.
    bool imagesAskedFor() const;
    bool partitioned() const { return !m_target.target.relation.partitionKey.isEmpty(); }
    /// "96,740 rows, about 30.7 MiB; about 20 s at the default pace; …"
    QString summary() const;
    bool follows() const
    {
        return !m_followed.isEmpty();
    } ///< the purge of what is planned runs, and bars() tell how far
    /// A purge ended: its plan holds no longer, and what it took by scope stays to be seen until the next plan.
    void conclude(const QString &action);
    bool ended() const { return m_ended; } ///< bars() tell what the last purge took
    /// What goes and what stays by scope, as far as it is known; empty without a plan.
    const QList<PurgeScopeBar> &bars() const { return m_bars; }
    QString stayNote() const; ///< how what stays is known, or why it is not; empty where it was counted
    int emptiedScopes() const { return m_emptied; } ///< scopes of which nothing would be left
    /// Finds the keys that the plan leaves because nobody finished them, by the plan's own time.
    QString unfinishedFilter() const;

signals:
    void changed();

private:
    void accept(const sql::PurgePlan &plan, const QList<sql::PartitionFacts> &partitions);
    void askStay();
    void askPurged();

    PurgeGroupsModel *m_groups;
    PartitionsModel *m_partitions;
    Request m_planning { QStringLiteral("purge-plan") };
    Request m_staying { QStringLiteral("purge-stay") };
    Request m_following { QStringLiteral("purge-follow") };
    TargetEntry m_target;
    std::optional<sql::PurgePlan> m_plan;
    std::optional<sql::PurgeStay> m_stay;
    QList<PurgeScopeBar> m_bars;
    QString m_followed; ///< id of the action
    QTimer m_again; ///< until it is looked again
    bool m_ended = false;
    bool m_stayExact = true;
    bool m_stayCut = false; ///< not all scopes are told apart
    int m_emptied = 0;
};

} // namespace idemdesk::models
