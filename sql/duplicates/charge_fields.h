// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/result.h"
#include "sql/types/target.h"

#include <optional>

namespace idemdesk::sql {

/// Where a row tells of a charge, as SQL of texts over t; each is NULL where the row does not.
struct ChargeFields {
    QString customer; ///< a member of the response or the request that is named so, else a part of the scope
    QString amount; ///< with its currency
    QString number; ///< the result's, or what the response names
};

/// Names of members at the top of a response or a request that tell it, the likeliest first.
const QStringList &chargeAmountMembers();
const QStringList &chargeCustomerMembers();
const QStringList &chargeNumberMembers();
/// The part of the scope that is a customer, by its label.
std::optional<qsizetype> customerPart(const Profile &profile);

/// An error whose `why` is a sentence where the table has nothing that could tell.
Result<ChargeFields> chargeFields(const Target &target);

} // namespace idemdesk::sql
