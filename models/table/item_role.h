// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Qt>

namespace idemdesk::models {

/// What an item tells beside its text. One list for all models, so that a delegate works on each of them.
enum ItemRole {
    RawRole = Qt::UserRole, ///< the value itself; invalid for NULL or where a count is unknown
    // of a key
    RecordRole, ///< sql::KeyRecord; invalid while loading
    StateRole, ///< int of sql::KeyState; invalid while loading, or where there is none
    StaleRole, ///< bool; invalid where the profile cannot say
    ExpiredRole, ///< bool; invalid where the profile cannot say
    LoadStateRole, ///< int of KeyTableModel::LoadState
    ApproximateRole, ///< bool: the row's number is an estimate, or the row lies beyond the known part
    ErrorRole, ///< QString, plain: why this cell, row or page could not be read
    RowNumberRole, ///< qint64, 1-based, of the whole list
    ClassRole, ///< int of TriageClass
    // of a table
    CountKindRole, ///< int of sql::RowCount::Kind
    FilterTextRole, ///< what a click on this cell filters by: "tenant:acme state:stuck"; "" for all rows
    LoadingRole, ///< bool
    SharesRole, ///< QList<StateShare>: a table's keys by state
    AlertsRole, ///< QString: how many alerts of this table fire; empty: none
    DayRole, ///< sql::HistoryValues: the last 24 hours, the last one still filling
    TargetNameRole, ///< profile's name
    ConfidenceRole, ///< int, percent: how likely it is a key store
    KnownRole, ///< bool: a target of this connection shows this table already
    ShareRole, ///< double, 0 to 1: of the largest one, for a bar behind the number
    // of a value
    SectionRole, ///< int: 0 roles, 1 raw columns
    NullRole, ///< bool
    PartialRole, ///< bool: only the beginning of the value is here
    ColumnNameRole, ///< raw column's name, for saving the whole value; invalid for a role
    FailedRole, ///< bool: the expression failed
    // of a mapping's line
    LineRole, ///< stable id: "key", "scope/0", "lease_until"
    RequiredRole, ///< bool
    ColumnNamesRole, ///< QStringList: the table's columns as expressions (t."name"), for completion
    UnmappedRole, ///< bool: a status occurs and is not mapped
    // of payloads and what differs in them
    TypeRole, ///< int of JsonDocument::Type
    DuplicateRole, ///< bool: a member's name stands there twice
    PointerRole, ///< RFC 6901, in the second payload; of what was removed, in the first
    StatusRole, ///< int of DiffStatus
    FormOnlyRole, ///< bool
    IgnoredRole, ///< bool
    SpansRole, ///< QList<TextSpan>: characters that differ, as shown; only where a scalar or a line is written
               ///< otherwise
    // of a story's event
    KindRole, ///< int of StoryEvent::Kind
    TitleRole, ///< QString, safe to show
    DetailRole,
    SourceRole,
    TimeTextRole, ///< "2026-11-20 12:34:56"
    AgeTextRole, ///< "12 min ago", "in 3 h", "now"
    FutureRole, ///< bool
    // of what is watched and done
    LevelRole, ///< int of sql::HealthLevel, for the badge
    BlockedRole, ///< bool: waits for another session
    ActionIdRole, ///< of the action that the row is, or is about
    // of a heading between rows
    HeadingRole, ///< int: which group; invalid of a row
    FoldedRole ///< bool: its rows are not shown; invalid where they cannot be hidden
};

} // namespace idemdesk::models
