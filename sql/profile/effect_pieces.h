// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QString>
#include <QStringList>

namespace idemdesk::sql {

/// An expression over t in an effect's query. Where it is NULL, the query looks by nothing, whatever its columns hold.
struct EffectPiece {
    QString sql;
    QString label; ///< as a person reads it
    QStringList columns; ///< of t, folded
    bool whole = false; ///< it speaks of the row as a whole
    bool opaque = false; ///< it makes rows of a value: what the query looks by then is not one value
    /// Around what is said of a piece in a branch of a CASE: the other branches' rows never reach it.
    QString before, after;
    qsizetype begin = 0; ///< where it stands in the query, to tell what lies inside of what
    qsizetype end = 0;
};

/// The expressions over t alone, each as large as it can be and what its parts are, the inner ones first. Plain columns
/// are not among them.
QList<EffectPiece> effectPieces(const QString &sql);

} // namespace idemdesk::sql
