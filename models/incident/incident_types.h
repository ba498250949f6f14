// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/history.h"

#include <QMetaType>
#include <QString>

namespace idemdesk::models {

/// How much something needs a person. It is said in a word, too: no colour tells it alone. Nothing: there is nothing to
/// judge, which is neither good nor unknown.
enum class IncidentLevel { Quiet, Watch, Act, Unknown, Nothing };

/// Where a figure or a sentence leads.
struct IncidentLink {
    enum class Kind { None, Keys, Alerts, Action, Page };
    Kind kind = Kind::None;
    QString target; ///< its profile's name
    QString what; ///< the filter, the id of the action or of the page

    friend bool operator==(const IncidentLink &, const IncidentLink &) = default;
};

/// One figure that is read from across the room.
struct IncidentTile {
    QString id; ///< "stuck", "oldest", "failures", "conflicts", "backlog", "alerts", "replication"
    QString title;
    QString figure; ///< empty: not known
    QString unit; ///< what the figure counts
    QString word; ///< the state in words: "Act now", "As usual", "Not looked at"
    IncidentLevel level = IncidentLevel::Unknown;
    QString why; ///< what the figure leaves out, or why there is none
    sql::HistoryValues day; ///< its last 24 hours, by the hour; the last one is still filling
    IncidentLink link;
};

/// One line of a list: a sentence, and beneath it where that comes from.
struct IncidentNote {
    QString text;
    QString detail;
    IncidentLevel level = IncidentLevel::Quiet;
    IncidentLink link;

    friend bool operator==(const IncidentNote &, const IncidentNote &) = default;
};

} // namespace idemdesk::models

Q_DECLARE_METATYPE(idemdesk::models::IncidentLink)
