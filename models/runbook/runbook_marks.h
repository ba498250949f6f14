// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/alerts/alert_model.h"
#include "sql/types/profile.h"

#include <QHash>
#include <QStringList>

namespace idemdesk::models {

/// What makes a runbook urgent now.
struct RunbookMark {
    int firing = 0; ///< alerts that lead to it, and that nobody acknowledged
    int known = 0; ///< the others beyond their limit: acknowledged, or not long enough to fire
    QStringList alerts; ///< those that fire, in words, safe to show
    int answers = 0; ///< that need a person, where it was read
    bool read = false; ///< for the table that is shown

    bool operator==(const RunbookMark &other) const = default;
};

/// By the runbook's name; none where no alert leads to it. kinds: of the tables, by the profile's name. target: the
/// only table that counts, beside what is of the whole database; empty: all.
QHash<QString, RunbookMark> runbookMarks(
    const QList<AlertEntry> &alerts, const QHash<QString, sql::TargetKind> &kinds, const QString &target = {});

/// Names of all runbooks: what fires now first, then what is known, each with the most alerts first; else as they are
/// listed.
QStringList runbooksByUrgency(const QHash<QString, RunbookMark> &marks);

} // namespace idemdesk::models
