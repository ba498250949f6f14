// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/cell.h"
#include "sql/types/profile.h"

#include <QByteArray>
#include <QList>
#include <QStringList>
#include <optional>

namespace idemdesk::sql {

/// The row that an entry of the cache may belong to.
struct CachedKey {
    QStringList scope; ///< by profile.scope
    QString key;
    friend bool operator==(const CachedKey &, const CachedKey &) = default;
};

/// How an entry of the cache is called: literal text with {key} and each part of the scope in it, by its label or by
/// its column. {{ and }} are a brace. Both ways: from a row to its entry, and back.
class CacheKeyForm
{
public:
    /// Reads "cache"."key" of the profile. Where it cannot be used, gives nothing, and `expected` what should stand
    /// there: an entry must lead back to one row.
    static std::optional<CacheKeyForm> read(const QString &text, const Profile &profile, QString *expected = nullptr);

    /// The entry of a row; nothing where its key or a part of its scope is NULL.
    std::optional<QByteArray> entryOf(const Cells &scope, const Cell &key) const;
    /// The rows that would have this entry: several where a value holds the text that parts the values, none where the
    /// name is of another form. Nothing where there are too many to look at, or the name is no UTF-8.
    std::optional<QList<CachedKey>> rowsOf(const QByteArray &entry) const;
    /// A pattern for SCAN that all such entries match.
    QByteArray pattern() const;

private:
    static constexpr qsizetype kKey = -1;
    struct Piece {
        QString literal; ///< that stands before the value
        qsizetype part = kKey; ///< of the scope
    };
    bool split(const QString &entry, qsizetype piece, qsizetype from, CachedKey *found, QList<CachedKey> *all) const;

    QList<Piece> m_pieces;
    QString m_end; ///< behind the last value
    qsizetype m_parts = 0;
};

} // namespace idemdesk::sql
