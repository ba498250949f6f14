// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/key_page.h"
#include "sql/types/result.h"
#include "sql/types/target.h"

namespace idemdesk::sql {

/// Orders this target offers, the default first: label "" is resolved to one of these.
struct OrderChoice {
    QString label; ///< as profiles and --order name it; "identity" for the identity
    bool indexServes = false;
    bool isTime = false;
    bool descending = false;
};
QList<OrderChoice> orderChoices(const Target &target);

/// The label that "" stands for with this filter. A list of stale rows begins with the longest stale, one of expired
/// rows with the longest expired: there an index finds them, while another order may have to pass most of the table
/// first.
OrderLabel defaultOrder(const Target &target, const Filter &filter);

/// One identity column as a sort key.
struct IdentityColumn {
    QString sql; ///< t."name"
    ExpressionType type;
    bool nullable = false;
    qsizetype index = 0; ///< in profile.identity
};

/// An order made ready for SQL. The identity follows in the same direction, so that one index serves both.
struct ResolvedOrder {
    QString label; ///< without a leading minus
    Expression value; ///< absent for the identity order
    QString sql; ///< what is sorted by, over t; empty for the identity order
    ExpressionType type; ///< of sql; castType is empty where it is not known
    bool descending = false;
    bool nullsLast = true;
    bool nullable = false; ///< rows may be NULL in it: they are a segment of their own
    QList<IdentityColumn> identity; ///< in the order of the index that holds them

    bool byIdentity() const { return sql.isEmpty(); }
};

/// By label; "" is the default order with this filter, a leading "-" turns. An unknown label is ErrorKind::Usage.
Result<ResolvedOrder> resolveOrder(const Target &target, const OrderLabel &label, const Filter &filter);

} // namespace idemdesk::sql
