// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/actions/action_runner.h"
#include "models/regions/region_align.h"
#include "models/request/request.h"
#include "sql/types/target.h"

#include <QObject>
#include <array>
#include <memory>

namespace idemdesk::models {

/// One of the two members, as far as it may be changed.
struct AlignSide {
    QString label; ///< hostile
    sql::Database *database = nullptr; ///< outlives the aligner, or it is told to forget()
    sql::Target target;
    std::optional<sql::RegisteredTarget> registered; ///< nothing: nothing is changed there
    sql::CompiledTarget compiled; ///< of the registration
    QString whyNot; ///< a sentence: nothing may be written on this connection; empty where it may
};

/// Carries out what a comparison proposes: on the side that loses, by that side's own rights, limits and trail, one
/// side after the other. Both rows are read again right before; what changed since is left. A side that fails leaves
/// the other one as it is. Lives on the GUI thread.
class RegionAligner final : public QObject
{
    Q_OBJECT

public:
    /// journalPath: where asked actions are noted, as ActionRunner does.
    explicit RegionAligner(QString journalPath, QObject *parent = nullptr);
    ~RegionAligner() override;

    /// Sorts the differences; asks no server. Nothing while it runs.
    void plan(const QList<RegionDifference> &differences, const std::array<AlignSide, 2> &sides);
    const AlignPlan &plan() const { return m_plan; }
    const QList<RegionDifference> &differences() const { return m_differences; }
    const std::array<AlignSide, 2> &sides() const { return m_sides; }
    qsizetype steps(int side) const; ///< keys that are to be changed there

    /// Begins with what was planned. group: its name; the id that both trails record is made here.
    void run(const QString &group, const QString &reason, const QString &ticket, bool throttled);
    void cancel(); ///< what is done stays; the rest is left
    void forget(); ///< a database of it goes
    bool running() const { return m_running; }

    /// How it stands with each side that has keys to change: a line each, "us: 12 of 40".
    QStringList lines() const;
    bool failed() const { return m_failed; } ///< some key was not aligned as planned

signals:
    void changed();
    void ended();

private:
    void begin(int side);
    void look(int side, int of);
    void start(int side);
    void onRunner();
    void close(const QString &line, bool failed);

    const QString m_journalPath;
    QList<RegionDifference> m_differences;
    std::array<AlignSide, 2> m_sides;
    AlignPlan m_plan;
    AlignLook m_look;
    AlignSet m_set;
    sql::ActionRequest m_request;
    bool m_throttled = true;
    bool m_running = false;
    bool m_cancelled = false;
    bool m_failed = false;
    int m_side = 0; ///< that is being changed
    std::array<QString, 2> m_lines;
    Request m_reading { QStringLiteral("align/look") };
    std::unique_ptr<ActionRunner> m_runner;
};

} // namespace idemdesk::models
