// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/trend.h"

#include <QHash>

namespace idemdesk::models {

/// Which colour a scope has: one by its name, whatever metric is shown and whichever scope is the largest. New scopes
/// take theirs in the order of their names. Lives as long as one connection.
class ScopeColors final
{
public:
    static constexpr int kColors = 8;

    /// The colours (0 to 7) of an answer's series, no two alike where there are eight scopes or fewer. What two scopes
    /// that were never shown together share, the later one by name leaves to the other in this answer.
    QList<int> of(const QString &target, const sql::TrendAnswer &answer);
    void clear() { m_known.clear(); }

private:
    QHash<QString, QHash<QString, int>> m_known; ///< by target, by scope
};

} // namespace idemdesk::models
