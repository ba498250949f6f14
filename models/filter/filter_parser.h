// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/filter/filter_fields.h"
#include "sql/types/filter.h"
#include "sql/types/result.h"

#include <QStringList>

namespace idemdesk::models {

/// Reads the filter language of DESIGN 5. An error is ErrorKind::Usage with position and length in the text.
sql::Result<sql::Filter> parseFilter(const QString &text, const FilterVocabulary &vocabulary);

/// A value as it must stand in a filter text to mean just itself: quoted and escaped where needed.
QString quoteFilterValue(const QString &value);

} // namespace idemdesk::models
