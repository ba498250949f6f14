// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/action.h"

#include <QByteArray>

class QIODevice;

namespace idemdesk::models {

enum class AuditFormat { Csv, Json };

/// Rows of the trail as a file with their proof: everything that each row's hash is computed from, exactly as PostgreSQL printed it.
/// CSV has a header, and formulas are neutralised; JSON is an array with one row a line. Rows come in as many parts as wanted.
class AuditWriter
{
public:
    AuditWriter(QIODevice *out, AuditFormat format);

    // False where the device took less than all.
    bool begin();
    bool rows(const QList<sql::AuditRow> &rows);
    bool end();

private:
    bool write(const QByteArray &bytes);

    QIODevice *m_out;
    AuditFormat m_format;
    bool m_first = true;
};

/// The same as one text.
QByteArray auditText(const QList<sql::AuditRow> &rows, AuditFormat format);

} // namespace idemdesk::models
