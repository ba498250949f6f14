// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/conflict.h"
#include "sql/types/key_record.h"
#include "sql/types/profile.h"
#include "sql/types/provider.h"

#include <QUrl>
#include <optional>

namespace idemdesk::models {

/// A page of another program about a row: a trace, an order.
struct RowLink {
    QString label; ///< hostile
    QUrl url; ///< http or https, on the host that the profile names
};

/// The profile's links, filled in from the row. One that needs a value which the row lacks is left out.
QList<RowLink> keyLinks(const sql::Profile &profile, const sql::KeyRecord &record);

/// The provider's page of a request, as the profile's “provider.link” says; nothing where it says none, or a value that
/// it needs is not there.
std::optional<QUrl> providerLink(const sql::Profile &profile, const sql::ProviderRow &row);

/// The same of what a log told of a key: from its key and its attributes.
QList<RowLink> conflictLinks(const sql::Profile &profile, const sql::ConflictRecord &record);

} // namespace idemdesk::models
