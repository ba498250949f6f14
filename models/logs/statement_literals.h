// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

namespace idemdesk::models {

/// One string constant of a statement, and the name it was given by (name => 'value', $2 = 'value').
struct Literal {
    QString name; ///< empty where it has none
    QString value;
};

/// The string constants of an SQL text in order: quoted, with escapes, with dollars; comments and identifiers are
/// passed over. A text that was cut ends the list. At most `most` of them.
QList<Literal> literalsOf(const QString &sql, qsizetype most = 64);

} // namespace idemdesk::models
