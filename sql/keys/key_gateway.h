// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/session/session.h"
#include "sql/types/key_page.h"
#include "sql/types/overview.h"
#include "sql/types/story.h"
#include "sql/types/target.h"

#include <QIODevice>

namespace idemdesk::sql {

// Everything here runs on the calling thread through one Session, reads only, and renders its SQL from the bound
// profile: expressions come from the profile, names are quoted, values are bound.

/// One page in keyset order. No row is lost or repeated between pages, whatever NULLs, ties and infinities there are.
Result<KeyPage> readPage(Session &session, const Target &target, const PageRequest &request);

/// The statement readPage sends first, for "Copy as SQL", EXPLAIN and the bench.
Result<Statement> pageStatement(const Target &target, const PageRequest &request);

/// Rows that match: exact up to `cap`, else AtLeast cap. cap 0 counts to the end, however long it takes.
Result<RowCount> countRows(
    Session &session, const Target &target, const Filter &filter, qint64 cap, std::optional<Timestamp> now);

/// What the filter would cost, from EXPLAIN without running it.
Result<FilterCost> filterCost(Session &session, const Target &target, const Filter &filter, const OrderLabel &order);

/// One pass over the order that keeps a cursor every `step` rows.
Result<Boundaries> readBoundaries(Session &session, const Target &target, const Filter &filter, const OrderLabel &order,
    qint64 step, std::optional<Timestamp> now);

/// The place in a time order just before `time`. "" is the default order of the empty filter.
Result<Cursor> cursorAtTime(const Target &target, const OrderLabel &order, const Timestamp &time);

/// Orders this target offers, the default first: label "" is resolved to one of these.
struct OrderChoice {
    QString label; ///< as profiles and --order name it; "identity" for the identity
    bool indexServes = false;
    bool isTime = false;
    bool descending = false;
};
QList<OrderChoice> orderChoices(const Target &target);

/// The label that "" stands for with this filter. A list of stale rows begins with the longest stale, one of expired rows
/// with the longest expired: there an index finds them, while another order may have to pass most of the table first.
OrderLabel defaultOrder(const Target &target, const Filter &filter);

/// Scopes in their own order with bounded counts by state, a page after `after` (empty: from the beginning).
Result<ScopePage> readScopes(Session &session, const Target &target, const Cells &after, int limit, qint64 cap);

/// The whole target at a glance, with bounded counts.
Result<TargetSummary> readSummary(Session &session, const Target &target, qint64 cap);

/// One row with every role and column, values cut at maxBytes, and its effects.
Result<KeyDetail> readDetail(Session &session, const Target &target, const Cells &identity, qint64 maxBytes);

/// Rows whose key is exactly this in the scope given by label (labels left out match any).
Result<QList<KeyRecord>> findKey(
    Session &session, const Target &target, const QString &key, const QMap<QString, QString> &scope);

/// A whole column value as text, written to a device in bounded memory; gives its size in bytes.
Result<qint64> saveColumn(
    Session &session, const Target &target, const Cells &identity, const QString &column, QIODevice &out);

/// Real values to complete a filter with: scope parts, statuses, owners, …; bounded, index-friendly, at most `limit`.
Result<QStringList> suggestValues(Session &session, const Target &target, FilterField field, const QString &label,
    const QString &prefix, int limit);

enum class ExportFormat { Csv, JsonLines };
struct ExportProgress {
    qint64 rows = 0;
    qint64 bytes = 0;
    QString note; ///< what could not be read, and what that means; empty where nothing
};
/// All rows that match, in page order, streamed with constant memory. CSV cells that a spreadsheet would take for a
/// formula get a leading quote mark. onProgress is called a few times a second; false cancels.
Result<ExportProgress> exportRows(Session &session, const Target &target, const Filter &filter, const OrderLabel &order,
    ExportFormat format, QIODevice &out, const std::function<bool(const ExportProgress &)> &onProgress);

} // namespace idemdesk::sql
