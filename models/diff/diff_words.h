// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/diff/json_diff.h"

#include <QJsonObject>

namespace idemdesk::models {

/// "2 values changed, 1 added; 3 differences of form only." A whole sentence in any case.
QString summaryOf(const JsonDiff &diff);

/// What kinds of form differ: "the order of keys, how numbers are written". Empty if none.
QString formsInWords(DiffForms forms);

/// One change in words: "/amount changed from 10 to 99".
QString changeInWords(const JsonChange &change);

/// Stable words for programs: "added", "changed", …
QString statusWord(DiffStatus status);
/// "number_form", "key_order", …
QStringList formWords(DiffForms forms);
/// One change for programs: status, pointer, forms, form_only, ignored, from and to.
QJsonObject changeJson(const JsonChange &change);

} // namespace idemdesk::models
