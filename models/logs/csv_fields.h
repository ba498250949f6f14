// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArrayList>
#include <optional>

namespace idemdesk::models {

/// The fields of one CSV record, which may hold line feeds within quotes; nothing where a quote is not closed. The one
/// reader of CSV: of server logs and of providers' statements.
std::optional<QByteArrayList> csvFields(const QByteArray &record, char separator = ',');

} // namespace idemdesk::models
