// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/driver/pg_link.h"

#include <QStringList>

namespace idemdesk::sql {

/// What the server says about a statement it planned.
struct PgDescription {
    QList<quint32> parameterTypes;
    QList<quint32> columnTypes;
    QStringList columnNames;
};

/// Parse and Describe in one pipeline, with the envelope's prologue and a COMMIT around it where no transaction is
/// open: nothing ran, and a ROLLBACK would stand in the server's count of those. False: see link->failure.
bool describeOn(const std::shared_ptr<PgLink> &link, const QByteArray &sql, PgDescription *description);

} // namespace idemdesk::sql
