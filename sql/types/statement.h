// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/cell.h"

#include <QList>
#include <QString>

namespace idemdesk::sql {

/// One SQL statement with native placeholders $1, $2, … and its values. Values travel as text and get their type
/// from a cast in the statement (`$1::uuid`); a NULL cell binds NULL. A statement never contains a value.
struct Statement {
    QString sql;
    Cells binds;

    /// Adds a value and returns its placeholder ("$3"), without a cast.
    QString bind(Cell value)
    {
        binds.append(std::move(value));
        return u'$' + QString::number(binds.size());
    }
    QString bind(const QString &value) { return bind(Cell::of(value)); }
};

/// Quotes a name as an identifier: always in quotes, quotes inside doubled. A NUL ends the name.
inline QString quoteIdentifier(const QString &name)
{
    QString inner = name.left(name.indexOf(QChar(0)) < 0 ? name.size() : name.indexOf(QChar(0)));
    inner.replace(u'"', QStringLiteral("\"\""));
    return u'"' + inner + u'"';
}

/// Quotes a text as a string constant, for SQL that is shown or copied and for profile constants; values of a
/// running statement are bound instead.
inline QString quoteLiteral(const QString &value)
{
    QString inner = value;
    inner.replace(u'\'', QStringLiteral("''"));
    if (inner.contains(u'\\')) {
        inner.replace(u'\\', QStringLiteral("\\\\"));
        return QStringLiteral(" E'") + inner + u'\'';
    }
    return u'\'' + inner + u'\'';
}

} // namespace idemdesk::sql
