// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/profile/effect_links.h"

#include "sql/profile/effect_pieces.h"
#include "sql/profile/sql_scanner.h"
#include "sql/types/statement.h"
#include "sql/types/tr.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

struct LinkWord {
    QString text; ///< as written
    QString name; ///< folded, or empty
};

/// What stands in the SQL, without blanks and comments.
QList<LinkWord> linkWordsOf(const QString &sql)
{
    QList<LinkWord> words;
    SqlScanner scanner(sql);
    SqlToken token;
    while (scanner.next(&token)) {
        const QString text = sql.mid(token.begin, token.end - token.begin);
        if (text.trimmed().isEmpty() || text.startsWith(u"--") || text.startsWith(u"/*")) {
            continue;
        }
        words.append({ text, foldedName(text, token.piece) });
    }
    return words;
}

/// True where a column can hold a value that is none: blanks, an empty list, a JSON null.
bool mayBeBlank(const ColumnFacts &column)
{
    static const QString texts = u"SA"_s; // texts and arrays
    static const QStringList others { u"json"_s, u"jsonb"_s, u"bytea"_s, u"hstore"_s };
    return texts.contains(column.typeCategory) || others.contains(column.typeName);
}

/// Whether a value is none to look by: NULL, blanks only, an empty list or document, a JSON null. concat() prints it by
/// its type's own output function, so that no cast of somebody's runs, and makes nothing of NULL. \x0b is a vertical
/// tab.
QString isBlankSql(const QString &value)
{
    const QString none = u"'', '{}', '[]', '\"\"', 'null', '{NULL}', E'\\\\x'"_s;
    return u"pg_catalog.btrim(pg_catalog.concat("_s + value
        + u"), E' \\t\\n\\r\\f\\x0b') COLLATE pg_catalog.\"C\" IN ("_s + none + u')';
}

} // namespace

QStringList effectLinks(const EffectSpec &effect, const RelationFacts &relation)
{
    QStringList read;
    bool whole = false;
    const QList<LinkWord> words = linkWordsOf(effect.sql);
    for (qsizetype i = 0; i < words.size(); ++i) {
        if (words.at(i).name != u"t" || (i > 0 && words.at(i - 1).text == u".")) {
            continue;
        }
        const bool member = i + 2 < words.size() && words.at(i + 1).text == u".";
        if (member && !words.at(i + 2).name.isEmpty()) {
            read += words.at(i + 2).name;
        } else {
            whole = true;
        }
    }
    QStringList links;
    for (const ColumnFacts &column : relation.columns) {
        if ((!column.notNull || mayBeBlank(column)) && (whole || read.contains(column.name))
            && !effect.optional.contains(column.name)) {
            links += column.name;
        }
    }
    return links;
}

QString effectFault(const Target &target, qsizetype effect)
{
    const QString place = u"$.effects[%1]"_s.arg(effect);
    for (const Finding &finding : target.findings) {
        if (finding.severity == Finding::Severity::Problem && finding.jsonPath.startsWith(place)) {
            return finding.text;
        }
    }
    return {};
}

QString missingLinksSql(const EffectSpec &effect, const RelationFacts &relation)
{
    QStringList parts;
    for (const QString &name : effectLinks(effect, relation)) {
        parts += u"CASE WHEN "_s + isBlankSql(u"t."_s + quoteIdentifier(name)) + u" THEN "_s + quoteLiteral(name)
            + u" END"_s;
    }
    const QList<EffectPiece> pieces = effectPieces(effect.sql);
    for (const EffectPiece &piece : pieces) {
        const bool optional = !piece.whole
            && std::all_of(piece.columns.cbegin(), piece.columns.cend(),
                [&](const QString &name) { return effect.optional.contains(name); });
        if (optional) {
            continue;
        }
        if (piece.opaque) {
            parts += quoteLiteral(Tr::tr("single value in %1").arg(piece.label));
            continue;
        }
        // What is said of its columns and of what lies inside of it is not said again.
        QStringList inner;
        for (const QString &name : piece.columns) {
            if (relation.column(name) != nullptr) {
                inner += u"NOT "_s + isBlankSql(u"t."_s + quoteIdentifier(name)) + u" AND "_s;
            }
        }
        for (const EffectPiece &other : pieces) {
            const bool inside = other.begin >= piece.begin && other.end <= piece.end && other.sql != piece.sql;
            if (!other.opaque && other.before.isEmpty() && inside) {
                inner += u"NOT "_s + isBlankSql(u'(' + other.sql + u')') + u" AND "_s;
            }
        }
        parts += piece.before + u"CASE WHEN "_s + inner.join(QString()) + isBlankSql(u'(' + piece.sql + u')')
            + u" THEN "_s + quoteLiteral(piece.label) + u" END"_s + piece.after;
    }
    return parts.isEmpty() ? u"''"_s : u"pg_catalog.concat_ws(', ', "_s + parts.join(u", "_s) + u")"_s;
}

QString effectRowsSql(const EffectSpec &effect)
{
    return u"SELECT pg_catalog.to_jsonb(x.*) AS idemdesk_e, x.* IS NULL AS idemdesk_void FROM ("_s + effect.sql
        + u") x"_s;
}

QString madeUpRowSql(const EffectSpec &effect, const RelationFacts &relation)
{
    // Such a row has no columns of the system's own, unless they are made.
    const QString system = (effect.sql.contains(u"ctid") ? u", NULL::pg_catalog.tid AS ctid"_s : QString())
        + (effect.sql.contains(u"tableoid") ? u", NULL::pg_catalog.oid AS tableoid"_s : QString());
    return u"SELECT EXISTS (SELECT FROM (SELECT (NULL::"_s + relation.sql + u").*"_s + system
        + u") t CROSS JOIN LATERAL ("_s + effect.sql + u") y)"_s;
}

QString voidEffect()
{
    return Tr::tr(
        "It cannot be known: its query gives a row without any value. Let it give none where there is no effect.");
}

QString cannotBeKnown(const QString &missing)
{
    return Tr::tr("It is looked for through %1, which is still empty.").arg(missing);
}

} // namespace idemdesk::sql
