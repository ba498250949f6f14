// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/trend.h"

namespace idemdesk::models {

/// A reading of the newest buckets put over an older one of the whole range, so that closed buckets need not be counted
/// again. Nothing where that would not be what a reading of the whole range says: another metric or source, a scope
/// that one of them folds into "other" or does not know, buckets that do not meet. Buckets that fell out of the range
/// of `seconds` are left out.
std::optional<sql::TrendAnswer> mergedTrend(
    const sql::TrendAnswer &older, const sql::TrendAnswer &fresh, qint64 seconds);

/// A level as it is now: the open bucket's value becomes the newest one of `minutes`, a reading of the last minutes by
/// the minute with every scope apart. Its mean so far would read as if the level had fallen. Nothing where none of
/// them was sampled.
sql::TrendAnswer withNewestSample(const sql::TrendAnswer &answer, const sql::TrendAnswer &minutes);

/// The minute of the newest sample in such a reading; nothing where there is none.
std::optional<sql::Timestamp> newestSample(const sql::TrendAnswer &minutes);

/// From where on to read so that it can be merged: the last bucket that was closed at the reading. Nothing where all
/// must be read.
std::optional<sql::Timestamp> mergeFrom(const sql::TrendAnswer &older);

/// Whether two series are of the same scope, or both of the others.
bool sameScope(const sql::TrendSeries &a, const sql::TrendSeries &b);

} // namespace idemdesk::models
