// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/connection/connection_controller.h"
#include "models/purge/partitions_model.h"
#include "models/purge/purge_groups_model.h"
#include "models/purge/purge_picture.h"
#include "models/request/request.h"
#include "sql/types/triage.h"

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

namespace idemdesk::models {

/// What a purge took of each scope, and in all.
struct PurgedBars {
    QList<PurgeScopeBar> bars;
    QList<sql::PurgedScope> scopes;
    qint64 rows = 0;
};

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
    /// The purge of this plan took so many rows by now: it is read of which scopes, so that the bars follow. runs: it
    /// goes on by itself. No action: none began.
    void follow(const QString &action, qint64 done = 0, bool runs = false);

    bool busy() const { return m_planning.busy(); }
    bool countingStay() const { return m_staying.busy(); } ///< behind a plan, which is complete without it
    const std::optional<sql::PurgePlan> &planned() const { return m_plan; }
    const std::optional<sql::Error> &error() const { return m_planning.error(); }
    /// More rows than images are kept for by default: an explicit choice is asked for.
    bool imagesAskedFor() const;
    bool partitioned() const { return !m_target.target.relation.partitionKey.isEmpty(); }
    /// "96,740 rows, about 30.7 MiB; about 20 s at the default pace; …"
    QString summary() const;
    bool follows() const { return !m_followed.isEmpty(); } ///< a purge of what is planned began; bars() tell how far
    bool runs() const { return follows() && m_runs; } ///< and goes on by itself
    qint64 done() const { return m_done; } ///< rows that it purged by now
    qint64 told() const { return m_told; } ///< and of which bars() tell the scope; the others follow
    /// A purge ended: its plan holds no longer. What was planned, and what of it went, stays to be seen until the next
    /// plan. done: rows that it purged.
    void conclude(const QString &action, qint64 done);
    bool ended() const { return m_ended; } ///< groups() and bars() tell what the last purge took
    bool stayKnown() const { return m_stay.has_value(); } ///< bars() tell all rows of their scopes
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
    void showPurged(const PurgedBars &purged);
    void takePurged(); ///< what was read, once whoever runs the purge says as many rows
    void awaitPurged(); ///< looks again, in a while, where more rows are gone than the bars tell of

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
    bool m_runs = false;
    qint64 m_done = 0;
    qint64 m_told = 0;
    std::optional<PurgedBars> m_read; ///< not taken yet
    QElapsedTimer m_sinceAsked;
    int m_pauseMs = 0; ///< before it is looked again
    QTimer m_again; ///< until it is looked again
    bool m_ended = false;
    bool m_stayExact = true;
    bool m_stayCut = false; ///< not all scopes are told apart
    int m_emptied = 0;
};

} // namespace idemdesk::models
