// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/keys/render.h"
#include "sql/types/result.h"

namespace idemdesk::sql {

/// A filter with its bare words decided and the way its keys are found.
struct ResolvedFilter {
    Filter filter; ///< bare words that became prefix searches have FilterOperator::Prefix
    /// Key terms are also looked up scope by scope: the scopes are walked in the index that has the key behind them.
    QStringList spreadColumns;
    QStringList notes;
};

/// The condition of a filter over t ("true" where it is empty), values bound. A value that its column's type refuses is
/// ErrorKind::InvalidValue with the value's position; a role the profile lacks is ErrorKind::NotSaid with the term's.
Result<QString> filterCondition(Render &render, const ResolvedFilter &filter);

/// Conditions implied by the key terms that let an index on (scope…, key) serve them: `scope = ANY (every scope)`.
QString spreadCondition(const Target &target, const QStringList &columns);

/// Every distinct value of the leading columns of an index, found by jumping through it (a recursive CTE): a query
/// without WITH's outer parentheses, one output column per name, in the index's order.
QString looseScan(const Target &target, const QStringList &columns, const QString &firstCondition);

/// `expression` begins with `prefix`: as a range where the order is by code points, with LIKE as the last word.
QString prefixCondition(Render &render, const QString &expression, const ExpressionType &type, const QString &prefix);

/// The first text after all texts with this prefix in code point order; empty where there is none.
QString afterPrefix(const QString &prefix);

} // namespace idemdesk::sql
