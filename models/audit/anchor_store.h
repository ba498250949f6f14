// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/audit/audit_gateway.h"

#include <QHash>
#include <QString>
#include <optional>

namespace idemdesk::models {

/// The newest row of each trail this computer has seen, outside the databases themselves: what was cut off or written
/// anew there shows against it (DESIGN 4). A small JSON file that only this user may read, by the server's identity and
/// the database.
class AnchorStore
{
public:
    explicit AnchorStore(QString path);
    /// The file of this user, in the application's data folder.
    static QString defaultPath();

    std::optional<sql::AuditAnchor> anchorOf(const QString &systemId, quint32 databaseOid) const;
    /// Stored on disk when it returns.
    sql::Result<void> keep(const sql::AuditAnchor &anchor);
    /// False where the file is there and cannot be read: then nothing is known of earlier heads, and a check must say
    /// so.
    bool readable() const { return m_readable; }

private:
    void load();

    QString m_path;
    bool m_readable = true;
    QHash<QString, sql::AuditAnchor> m_anchors;
};

} // namespace idemdesk::models
