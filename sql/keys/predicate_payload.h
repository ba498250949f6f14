// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/keys/render.h"
#include "sql/types/filter.h"
#include "sql/types/result.h"

namespace idemdesk::sql {

/// The condition of a payload: or amount: term: any of its values within the request or the response as they are
/// stored. No index serves it. An amount that is no number is ErrorKind::InvalidValue, a profile without either column
/// ErrorKind::NotSaid.
Result<QString> payloadCondition(Render &render, const FilterTerm &term);

/// A regular expression of PostgreSQL that finds an amount as JSON writes it: 10.5 also as 10.50 and, in minor units,
/// as 1050. Empty where the text is no amount.
QString amountPattern(const QString &amount);

} // namespace idemdesk::sql
