// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringView>

namespace idemdesk::models {

/// What a line of the server's plain log begins, by the word before its colon.
enum class StderrPart { None, Error, Other, Detail, Context, Statement, Aside };

/// The part that a word names, in the languages PostgreSQL's messages are translated to. Other: a report that is no
/// error. Aside: a further line of a report (HINT, QUERY, LOCATION) that is not kept.
StderrPart stderrPart(QStringView word);

} // namespace idemdesk::models
