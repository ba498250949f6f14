// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/session/session.h"
#include "sql/types/filter.h"
#include "sql/types/target.h"

#include <QMap>
#include <optional>

namespace idemdesk::sql {

// Exact reading 7: a row whose expressions fail counts as unknown and is part of no action. A statement over many rows dies on one of
// them; these functions find such rows and read around them.

/// Rows on which an expression of the profile fails, by the oid of the table that holds them (a partition, or the table itself).
struct Unreadable {
    QMap<quint32, QStringList> rows; ///< ctids
    qsizetype count = 0;
    bool alone = false; ///< the target has no partitions or children, so that a place alone is one row
    qint64 searchedTo = -1; ///< the block behind the last one that was looked at; -1: all were
    bool many = false; ///< so many that the expressions are not used at all: "100 or more"

    /// "3 rows cannot be read …": what a person should know beside the answer.
    QString note() const;
};

/// A condition over t that holds for every row, and is an error on one on which an expression of the profile fails. Empty where
/// none can: plain columns do not. Effects are no part of it.
QString readableSql(const Target &target);

/// Looks for them in one pass over the table, and in parts of it again where some fail; stops at 100. withEffects: also rows on which
/// an effect's query fails.
/// usedIn: the statement that failed; expressions that do not stand in it are not tried. Empty: all are.
/// from: the block to begin at. first: where the first part with such rows lies in the first half of the table, the rest is not
/// looked at: reading again around them tells whether there are more.
Result<Unreadable> findUnreadable(Session &session, const Target &target, bool withEffects = false, const QString &usedIn = {},
    qint64 from = 0, bool first = false);

/// The target with each expression that could fail guarded: on these rows it is NULL, and their state is unknown.
Target readingAround(const Target &target, const Unreadable &unreadable);

/// True for an error that a row's own value makes, not what was asked.
bool isRowsFault(const Error &error);

/// Reads around what was found so far; each failure of `read` adds the rows that its last statement failed on.
class AroundReader
{
public:
    AroundReader(Session &session, const Target &target, bool withEffects)
        : m_session(session)
        , m_target(target)
        , m_withEffects(withEffects)
    {
    }

    /// The target to read with now.
    const Target &target() const { return m_around ? *m_around : m_target; }
    /// Called after a failure: true where more rows were found, so that reading again is worth it.
    bool learned(const Error &error);
    /// Looks for all of them at once, whatever statements use; what cannot be looked for is left to learned().
    void learnAll();
    /// What a person should know beside the answer; empty where every row was read.
    QString note() const { return m_found.count > 0 ? m_found.note() : QString(); }
    /// The rows that were read around.
    const Unreadable &found() const { return m_found; }

private:
    bool add(const Unreadable &more);

    Session &m_session;
    const Target &m_target;
    const bool m_withEffects;
    Unreadable m_found;
    qint64 m_next = 0; ///< the block at which the look for such rows goes on; 0: none was begun, or all were looked at
    bool m_begun = false;
    std::optional<Target> m_around;
};

/// Does the filter ask for unknown rows? Whatever fails on a row makes it one, also what the filter itself does not use.
bool asksForUnknown(const Filter &filter);

/// Runs `read(target)`; where a row's own value defeats it, again around such rows. `note` gets the sentence then, if it is given.
template <typename Read>
auto readAround(Session &session, const Target &target, bool withEffects, QString *note, const Read &read) -> decltype(read(target))
{
    AroundReader around(session, target, withEffects);
    auto result = read(target);
    while (!result && around.learned(result.error())) {
        result = read(around.target());
    }
    if (note != nullptr) {
        *note = around.note();
    }
    return result;
}

} // namespace idemdesk::sql
