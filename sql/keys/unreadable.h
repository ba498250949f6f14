// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/session/session.h"
#include "sql/types/filter.h"
#include "sql/types/target.h"

#include <QMap>
#include <optional>
#include <utility>

namespace idemdesk::sql {

// Exact reading 7: a row whose expressions fail counts as unknown and is part of no action. A statement over many rows
// dies on one of them; these functions find such rows and read around them.

/// Rows by the oid of the table that holds them (a partition, or the table itself): their ctids.
using RowPlaces = QMap<quint32, QStringList>;

/// Rows on which an expression of the profile fails.
struct Unreadable {
    RowPlaces rows;
    QMap<QString, RowPlaces> byExpression; ///< on which of them, and of those in evidence, each SQL fails
    QMap<std::pair<quint32, QString>, QMap<QString, QString>>
        faults; ///< by table and ctid: what the server says of each place in the profile
    RowPlaces evidence; ///< rows on which only the query of an effect fails: their state is known, what they did is not
    qsizetype count = 0; ///< rows that are unknown
    qsizetype evidenceCount = 0;
    bool evidenceMany = false; ///< so many that no evidence is looked for
    bool alone = false; ///< the target has no partitions or children, so that a place alone is one row
    qint64 searchedTo = -1; ///< the block behind the last one that was looked at; -1: all were
    bool many = false; ///< so many that the expressions are not used at all: "100 or more"

    bool none() const { return count == 0 && evidenceCount == 0; }
    /// "3 rows cannot be read …": what a person should know beside the answer.
    QString note() const;
    /// The faults of one row in one line; empty where it can be read.
    QString faultOf(quint32 table, const QString &ctid) const;
};

/// A condition over t that holds for every row, and is an error on one on which an expression of the profile fails.
/// Empty where none can: plain columns do not. Effects are no part of it.
QString readableSql(const Target &target);

/// The target whose conditions on a state ask each row whether every expression works on it (Target::trial).
Target tryingEach(const Target &target);

/// Looks for rows on which an expression fails, in one pass over the table, and in parts of it again where some fail;
/// stops at 100. usedIn: the statement that failed; expressions that do not stand in it are not tried. Empty: all are.
/// from: the block to begin at. first: where the first part with such rows lies in the first half of the table, the
/// rest is not looked at: reading again around them tells whether there are more. known: rows that were found before,
/// which are passed over. end: the block behind the last one to look at; -1: all are.
Result<Unreadable> findUnreadable(Session &session, const Target &target, const QString &usedIn = {}, qint64 from = 0,
    bool first = false, const Unreadable *known = nullptr, qint64 end = -1);

/// The same among these rows only.
Result<Unreadable> findUnreadableAmong(
    Session &session, const Target &target, const RowPlaces &rows, const Unreadable *known);

/// Blocks of the target, or of its largest partition; -1 where its rows have no places (a view).
Result<qint64> blocksOf(Session &session, const Target &target);

/// Does this SQL hold an expression of the profile that could fail on a row?
bool mayFail(const Target &target, const QString &sql);

/// The same for rows on which the query of an effect fails.
Result<Unreadable> findUnreadableEvidence(
    Session &session, const Target &target, const QString &usedIn, const Unreadable *known);

/// The target with each expression that fails on some of these rows guarded: there it is NULL, and the state is
/// unknown.
Target readingAround(const Target &target, const Unreadable &unreadable);

/// True for an error that a row's own value makes, not what was asked.
bool isRowsFault(const Error &error);

/// Reads around what was found so far; each failure of `read` adds the rows that its last statement failed on. A row's
/// state is asked whole from the first reading on (tryingEach), so that every reading meets the same rows.
class AroundReader
{
public:
    AroundReader(Session &session, const Target &target, bool withEffects)
        : m_session(session)
        , m_target(tryingEach(target))
        , m_withEffects(withEffects)
    {
    }

    /// The target to read with now.
    const Target &target() const { return m_around ? *m_around : m_target; }
    /// The target that reads around nothing.
    const Target &whole() const { return m_target; }
    /// Whether anything is read around.
    bool around() const { return m_around.has_value(); }
    /// Called after a failure: true where more rows were found, so that reading again is worth it.
    bool learned(const Error &error);
    /// Looks for all rows on which an expression fails, whatever statements use. What cannot be looked for is left to
    /// learned().
    Result<void> learnAll();
    /// The same among the rows before a block (-1: all), or among these rows. What was found is read around from now
    /// on.
    Result<void> learnFirst(qint64 blocks);
    Result<void> learnAmong(const RowPlaces &rows);
    /// learnAll() where the filter asks for them.
    void prepare(const Filter &filter);
    /// What a person should know beside the answer; empty where every row was read.
    QString note() const { return m_found.none() ? QString() : m_found.note(); }
    /// The rows that were read around.
    const Unreadable &found() const { return m_found; }

private:
    bool add(const Unreadable &more);

    Session &m_session;
    const Target m_target;
    const bool m_withEffects;
    Unreadable m_found;
    qint64 m_next = 0; ///< the block at which the look for such rows goes on; 0: none was begun, or all were looked at
    bool m_begun = false;
    std::optional<Target> m_around;
};

/// Does the filter ask for unknown rows, by name or by leaving out other states? Whatever fails on a row makes it one,
/// also what the filter itself does not use.
bool asksForUnknown(const Filter &filter);
/// Does it ask for states at all?
bool asksForStates(const Filter &filter);

/// Runs `read(target)`; where a row's own value defeats it, again around such rows. `note` gets the sentence then, if
/// it is given.
template <typename Read>
auto readAround(Session &session, const Target &target, bool withEffects, QString *note, const Read &read)
    -> decltype(read(target))
{
    AroundReader around(session, target, withEffects);
    auto result = read(around.target());
    while (!result && around.learned(result.error())) {
        result = read(around.target());
    }
    if (note != nullptr) {
        *note = around.note();
    }
    return result;
}

} // namespace idemdesk::sql
