// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/timestamp.h"

#include <QList>
#include <QString>

namespace idemdesk::sql {

enum class HealthLevel {
    Problem,
    Advice,
    Unknown,
    Nothing,
    Good
}; ///< Nothing: no row to look at, so that nothing is good
QString healthLevelName(HealthLevel level); ///< "advice"

/// The answer to one question of the review checklists (seeds 001 §18, 003 §30) about one target.
struct HealthFinding {
    QString id; ///< "unique_key", "index_stale", …: stays the same from version to version
    HealthLevel level = HealthLevel::Good;
    QString title; ///< the question as a statement
    QString seen; ///< what the catalogue or the rows show; may hold names from the database
    QString why; ///< why it matters; empty where it is good
    QString sql; ///< what would mend it, for the table's owner to read and run; never run here
    bool notRead = false; ///< the answer needed what could not be read
    bool ofRows = false; ///< answered by looking at rows, so only of those that are shown
    bool recoverable = false; ///< its keys can be put right on the page Recovery
    QString defect = {}; ///< its title where it is bad; empty: its question has one
};

struct HealthReport {
    QList<HealthFinding> findings; ///< worst first
    Timestamp at; ///< by the server's clock

    /// Questions that could not be answered, because what they ask for could not be read.
    qsizetype notRead() const
    {
        qsizetype found = 0;
        for (const HealthFinding &finding : findings) {
            found += finding.notRead ? 1 : 0;
        }
        return found;
    }

    qsizetype count(HealthLevel level) const
    {
        qsizetype found = 0;
        for (const HealthFinding &finding : findings) {
            found += finding.level == level ? 1 : 0;
        }
        return found;
    }
};

} // namespace idemdesk::sql
