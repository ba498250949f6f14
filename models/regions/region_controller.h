// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/regions/region_compare.h"
#include "models/regions/region_detail.h"
#include "models/regions/region_list.h"

#include <QObject>
#include <memory>
#include <optional>

namespace idemdesk::models {

/// Compares two sides, one comparison at a time, and keeps what the last one found. Lives on the GUI thread.
class RegionController final : public QObject
{
    Q_OBJECT

public:
    /// What stands of the last comparison.
    enum class Stage {
        Nothing, ///< none was made
        Running,
        Done, ///< outcome() has it
        Failed, ///< error() tells why
        Cancelled
    };

    explicit RegionController(QObject *parent = nullptr);
    ~RegionController() override;

    /// Replaces one that still runs. What an earlier one found is gone.
    void compare(const std::array<CompareSide, 2> &sides, const CompareRequest &request);
    void cancel(); ///< the stage is Cancelled, and nothing is claimed of either side
    /// Ends what runs, and forgets what was found: a database of it goes. It is asked nothing more.
    void forget();

    /// Writes the compensation list of what was found as a file (models/regions/compensation.h), in the background.
    void writeCompensation(const QString &path);

    Stage stage() const { return m_stage; }
    bool running() const { return m_stage == Stage::Running; }
    RegionCompare::Phase phase() const { return m_phase; } ///< while it runs
    const std::optional<CompareOutcome> &outcome() const { return m_outcome; }
    const std::optional<sql::Error> &error() const { return m_error; }
    std::array<QString, 2> labels() const { return { m_sides[0].label, m_sides[1].label }; }
    RegionList *list() const { return m_list; }
    RegionDetail *detail() const { return m_detail; }

signals:
    void changed(); ///< stage, phase, outcome or error
    void written(const QString &path);
    void writeFailed(const idemdesk::sql::Error &error);

private:
    void finish(const sql::Result<CompareOutcome> &outcome);
    void clear(Stage stage);

    std::unique_ptr<RegionCompare> m_compare;
    std::array<CompareSide, 2> m_sides;
    Stage m_stage = Stage::Nothing;
    RegionCompare::Phase m_phase = RegionCompare::Phase::Opening;
    std::optional<CompareOutcome> m_outcome;
    std::optional<sql::Error> m_error;
    RegionList *m_list;
    RegionDetail *m_detail;
};

} // namespace idemdesk::models
