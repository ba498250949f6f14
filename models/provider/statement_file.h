// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/provider/statement_progress.h"
#include "models/provider/statement_reader.h"
#include "sql/provider/provider_target.h"
#include "sql/provider/statement_store.h"

#include <stop_token>

namespace idemdesk::models {

/// A line that is not compared, and why.
struct RefusedLine {
    qint64 line = 0; ///< from 1
    QString why; ///< "it holds a NUL"
};

/// What a statement is, as far as it was read.
struct StatementFacts {
    QString name; ///< of the file, without its folder
    QString sha; ///< SHA-256 of its bytes, hex
    qint64 lines = 0; ///< records, without the names of columns
    qint64 refused = 0;
    QList<RefusedLine> refusedKept; ///< the first
    qint64 repeated = 0; ///< lines of a booking that stood in another line
    qint64 sharedIds = 0; ///< numbers of bookings that stand with more than one reference
    qint64 aside = 0; ///< lines whose state is neither “happened” nor “failed”
    QStringList asideWords; ///< the first of those states
    StatementMap map; ///< by which it was read
    QStringList columns;
};

/// The beginning of a statement: its columns, and how some lines are read.
struct StatementPreview {
    StatementFormat format = StatementFormat::Csv;
    QStringList columns;
    StatementMap map; ///< what was given, else what the names tell; may be empty
    QList<MappedLine> lines;
};
inline constexpr int kPreviewLines = 5;

/// Errors: File for what is no file, or cannot be read, with the line; Usage for a map that names columns that are not
/// there, with those that are.
sql::Result<StatementPreview> previewStatement(const QString &path, const StatementMap &map);

/// Reads a file into the store, a piece at a time, with its SHA-256. An empty map is guessed by the names of columns.
/// Further errors: Cancelled. Runs on the thread of the store. progress may be null.
sql::Result<StatementFacts> readStatement(const QString &path, const StatementMap &map,
    const sql::ProviderTarget &target, sql::StatementStore *store, const std::stop_token &stop = {},
    StatementProgress *progress = nullptr);

} // namespace idemdesk::models
