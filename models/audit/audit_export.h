// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/audit/audit_gateway.h"

#include <QByteArray>

class QIODevice;

namespace idemdesk::models {

enum class AuditFormat { Csv, JsonLines };

/// Rows of the trail as a file with their proof: everything that each row's hash is computed from, exactly as
/// PostgreSQL printed it. CSV has a header, and formulas are neutralised; JSON Lines has one object a line. Rows come
/// in as many parts as wanted.
class AuditWriter
{
public:
    AuditWriter(QIODevice *out, AuditFormat format);

    // False where the device took less than all.
    bool begin();
    bool rows(const QList<sql::AuditRow> &rows);

private:
    bool write(const QByteArray &bytes);

    QIODevice *m_out;
    AuditFormat m_format;
};

/// The same as one text.
QByteArray auditText(const QList<sql::AuditRow> &rows, AuditFormat format);

/// All rows that match (at most filter.limit where that is above 0), read in parts, the newest first; rows that are
/// appended meanwhile are not in it. Gives their number. Runs on a lane's thread.
sql::Result<qint64> writeTrail(sql::Session &session, sql::AuditFilter filter, QIODevice &out, AuditFormat format);

} // namespace idemdesk::models
