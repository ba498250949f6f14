// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace idemdesk::models {

/// Every key of a profile as Markdown: what it takes, whether it must be there, what it means. Made from the JSON
/// Schema that profiles are checked against, so it knows each key of it and no other.
QString profileReference();

} // namespace idemdesk::models
