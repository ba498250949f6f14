// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QList>
#include <QString>
#include <QVariant>
#include <vector>

namespace idemdesk::sql {

/// Bound values as the texts that PostgreSQL's input functions read. NULL: an invalid QVariant, or a null QString,
/// QByteArray, QDateTime, QDate, QTime or QUuid. A QByteArray becomes bytea text (\x…), a bool t or f, a QDateTime
/// ISO 8601 in UTC with milliseconds (bind a QString for exact times).
class PgParameters
{
public:
    /// False with a reason if a value cannot be sent as it is: a NUL, a lone surrogate, a type without a text.
    bool read(const QList<QVariant> &values, QString *reason);
    int count() const { return int(m_texts.size()); }
    const char *const *data() const { return m_pointers.data(); }

private:
    std::vector<QByteArray> m_texts;
    std::vector<const char *> m_pointers;
};

/// The statement as UTF-8; false with a reason if it holds a NUL or a lone surrogate.
bool encodeStatement(const QString &sql, QByteArray *bytes, QString *reason);

} // namespace idemdesk::sql
