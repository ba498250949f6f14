// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/profile.h"
#include "sql/types/story.h"

namespace idemdesk::models {

/// What "masking" in the profile, a list of names, keeps out of a case file: the columns and roles and parts of the
/// scope it names, the columns that those read, and whatever else reads one of these, also a part of the recipe or an
/// effect (by its place in the profile). columns: of the table.
QStringList maskedNames(const sql::Profile &profile, const QStringList &columns);

/// The name of an effect among those masked, by its place in the profile.
QString maskedEffect(qsizetype index);

/// The row without the values of masked roles, as if they were NULL, and of masked effects; that there are some stays.
sql::KeyDetail withoutMasked(const sql::KeyDetail &detail, const QStringList &masked);

/// What a retry does, without what a masked column or role says in it.
sql::RetryAnswers retryWithoutMasked(
    const sql::Profile &profile, const sql::RetryAnswers &answers, const QStringList &masked);

} // namespace idemdesk::models
