// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/out/sql_name.h"

#include <QRegularExpression>
#include <QSet>

using namespace Qt::StringLiterals;

namespace idemdesk::app {

namespace {

/// Words that name nothing unless they are quoted (PostgreSQL's list of key words: reserved, and those for functions or
/// types alone).
bool isReserved(const QString &word)
{
    static const QStringList words = QStringLiteral(
        "all analyse analyze and any array as asc asymmetric authorization binary both case cast check collate "
        "collation column concurrently constraint create cross current_catalog current_date current_role "
        "current_schema current_time current_timestamp current_user default deferrable desc distinct do else end "
        "except false fetch for foreign freeze from full grant group having ilike in initially inner intersect into "
        "is isnull join lateral leading left like limit localtime localtimestamp natural not notnull null offset on "
        "only or order outer overlaps placing primary references returning right select session_user similar some "
        "symmetric system_user table tablesample then to trailing true union unique user using variadic verbose when "
        "where window with")
                                         .split(u' ');
    static const QSet<QString> reserved(words.cbegin(), words.cend());
    return reserved.contains(word);
}

} // namespace

QString unquotedName(const QString &sqlName)
{
    static const QRegularExpression part(u"\"((?:[^\"]|\"\")*)\""_s);
    static const QRegularExpression plain(u"^[a-z_][a-z0-9_]*$"_s);
    QString name;
    qsizetype from = 0;
    for (auto it = part.globalMatch(sqlName); it.hasNext();) {
        const QRegularExpressionMatch match = it.next();
        const QString inner = match.captured(1);
        name += sqlName.mid(from, match.capturedStart() - from);
        name += plain.match(inner).hasMatch() && !isReserved(inner) ? inner : match.captured();
        from = match.capturedEnd();
    }
    return name + sqlName.mid(from);
}

} // namespace idemdesk::app
