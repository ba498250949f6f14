// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/profile/effect_pieces.h"

#include "sql/profile/sql_scanner.h"

#include <QSet>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

constexpr qsizetype kLabelChars = 60;

/// Words that end a value: clauses, conditions, and what stands between values.
const QSet<QString> &endingWords()
{
    static const QSet<QString> words { u"select"_s, u"distinct"_s, u"all"_s, u"from"_s, u"join"_s, u"inner"_s,
        u"left"_s, u"right"_s, u"full"_s, u"outer"_s, u"cross"_s, u"natural"_s, u"lateral"_s, u"on"_s, u"using"_s,
        u"where"_s, u"and"_s, u"or"_s, u"not"_s, u"is"_s, u"isnull"_s, u"notnull"_s, u"in"_s, u"like"_s, u"ilike"_s,
        u"similar"_s, u"to"_s, u"between"_s, u"symmetric"_s, u"as"_s, u"case"_s, u"when"_s, u"then"_s, u"else"_s,
        u"end"_s, u"group"_s, u"order"_s, u"by"_s, u"having"_s, u"limit"_s, u"offset"_s, u"fetch"_s, u"union"_s,
        u"intersect"_s, u"except"_s, u"values"_s, u"with"_s, u"recursive"_s, u"exists"_s, u"any"_s, u"some"_s,
        u"filter"_s, u"over"_s, u"within"_s, u"partition"_s, u"asc"_s, u"desc"_s, u"nulls"_s, u"first"_s, u"last"_s,
        u"window"_s, u"for"_s, u"materialized"_s, u"overlaps"_s, u"escape"_s };
    return words;
}

/// Words that belong to a value though they name neither a function nor a column.
const QSet<QString> &valueWords()
{
    static const QSet<QString> words { u"null"_s, u"true"_s, u"false"_s, u"current_timestamp"_s, u"current_date"_s,
        u"localtimestamp"_s, u"current_user"_s, u"session_user"_s, u"array"_s, u"row"_s, u"at"_s, u"time"_s, u"zone"_s,
        u"without"_s, u"precision"_s, u"varying"_s };
    return words;
}

/// Functions that make rows of a value, and those that make one value of rows: neither stands where a value does.
const QSet<QString> &rowMakers()
{
    static const QSet<QString> names { u"unnest"_s, u"generate_series"_s, u"generate_subscripts"_s, u"regexp_matches"_s,
        u"regexp_split_to_table"_s, u"string_to_table"_s, u"json_array_elements"_s, u"json_array_elements_text"_s,
        u"jsonb_array_elements"_s, u"jsonb_array_elements_text"_s, u"json_each"_s, u"json_each_text"_s, u"jsonb_each"_s,
        u"jsonb_each_text"_s, u"json_object_keys"_s, u"jsonb_object_keys"_s, u"json_populate_recordset"_s,
        u"jsonb_populate_recordset"_s, u"json_to_recordset"_s, u"jsonb_to_recordset"_s, u"jsonb_path_query"_s,
        u"xmltable"_s, u"json_table"_s };
    return names;
}
const QSet<QString> &aggregates()
{
    static const QSet<QString> names { u"count"_s, u"sum"_s, u"max"_s, u"min"_s, u"avg"_s, u"array_agg"_s,
        u"string_agg"_s, u"bool_or"_s, u"bool_and"_s, u"every"_s, u"json_agg"_s, u"jsonb_agg"_s, u"json_object_agg"_s,
        u"jsonb_object_agg"_s };
    return names;
}

/// Words that a condition of a CASE may hold, beside a value.
const QSet<QString> &conditionWords()
{
    static const QSet<QString> words { u"case"_s, u"when"_s, u"then"_s, u"else"_s, u"end"_s, u"and"_s, u"or"_s,
        u"not"_s, u"is"_s, u"isnull"_s, u"notnull"_s, u"in"_s, u"like"_s, u"ilike"_s, u"similar"_s, u"to"_s,
        u"between"_s, u"symmetric"_s, u"escape"_s };
    return words;
}

/// A CASE that is being walked through.
struct OpenCase {
    QString operand; ///< of a CASE that compares one value
    QStringList conditions; ///< of the branches so far
    bool inBranch = false; ///< behind THEN: the last of the conditions holds
    bool ofRow = true; ///< each condition is made of t alone, so that it can be asked outside of the query
};

struct PieceWord {
    QString text;
    QString name; ///< folded, or empty
    qsizetype begin = 0;
    qsizetype end = 0;
    qsizetype match = -1; ///< of a bracket: where its partner is
    bool constant = false;
};

class PieceFinder
{
public:
    explicit PieceFinder(const QString &sql)
        : m_sql(sql)
    {
        readWords();
    }

    QList<EffectPiece> find()
    {
        walk(0, m_words.size());
        return m_pieces;
    }

private:
    void readWords()
    {
        SqlScanner scanner(m_sql);
        SqlToken token;
        QList<qsizetype> open;
        while (scanner.next(&token)) {
            const QString text = m_sql.mid(token.begin, token.end - token.begin);
            if (text.trimmed().isEmpty() || text.startsWith(u"--") || text.startsWith(u"/*")) {
                continue;
            }
            PieceWord word { text, foldedName(text, token.piece), token.begin, token.end };
            word.constant = word.name.isEmpty() && token.piece == SqlToken::Piece::Opaque;
            static const QString signs = u"+-*/<>=~!@#%^&|`?:"_s;
            if (!m_words.isEmpty() && text.size() == 1 && signs.contains(text) && m_words.constLast().end == token.begin
                && signs.contains(m_words.constLast().text.back())) {
                m_words.last().text += text;
                m_words.last().end = token.end;
                continue;
            }
            if (text == u"(" || text == u"[") {
                open += m_words.size();
            } else if ((text == u")" || text == u"]") && !open.isEmpty()) {
                word.match = open.takeLast();
                m_words[word.match].match = m_words.size();
            }
            m_words += word;
        }
    }

    const PieceWord &at(qsizetype i) const
    {
        static const PieceWord none;
        return i >= 0 && i < m_words.size() ? m_words.at(i) : none;
    }
    bool opens(qsizetype i) const { return (at(i).text == u"(" || at(i).text == u"[") && at(i).match > i; }
    bool isRow(qsizetype i) const { return at(i).name == u"t" && at(i - 1).text != u"."; }
    bool mentions(qsizetype begin, qsizetype end) const
    {
        for (qsizetype i = begin; i < end; ++i) {
            if (isRow(i)) {
                return true;
            }
        }
        return false;
    }

    bool ends(qsizetype i) const
    {
        const PieceWord &word = at(i);
        if (!word.name.isEmpty()) {
            // left() and right() are functions, too; a name after a dot or "::" is no word of the language.
            const bool call = (word.name == u"left" || word.name == u"right") && at(i + 1).text == u"(";
            const bool part = at(i - 1).text == u"." || at(i - 1).text == u"::" || word.text.startsWith(u'"');
            return !call && !part && endingWords().contains(word.name);
        }
        static const QSet<QString> building { u"||"_s, u"+"_s, u"-"_s, u"*"_s, u"/"_s, u"%"_s, u"^"_s, u"->"_s,
            u"->>"_s, u"#>"_s, u"#>>"_s, u"::"_s, u"."_s, u"("_s, u")"_s, u"["_s, u"]"_s, u"#"_s, u"&"_s, u"|"_s };
        return !word.constant && !word.text.startsWith(u'$') && !building.contains(word.text);
    }

    void walk(qsizetype begin, qsizetype end)
    {
        const bool query = at(begin).name == u"select" || at(begin).name == u"with";
        bool from = false;
        const qsizetype outer = m_cases.size();
        qsizetype start = begin;
        qsizetype clause = begin; // behind the last word of a CASE
        for (qsizetype i = begin; i < end; ++i) {
            if (opens(i)) {
                i = at(i).match;
            } else if (ends(i)) {
                value(start, i, from);
                start = i + 1;
                const QString &name = at(i).name;
                if (caseWord(name, outer, clause, i)) {
                    clause = i + 1;
                }
                if (name == u"from" || name == u"join") {
                    from = query && at(i - 1).name != u"distinct";
                } else if (!name.isEmpty() && name != u"lateral" && name != u"as") {
                    from = false;
                }
            }
        }
        value(start, end, from);
        m_cases.resize(outer);
    }

    /// True for a word of a CASE of this level; [begin, end) is what stood before it.
    bool caseWord(const QString &name, qsizetype outer, qsizetype begin, qsizetype end)
    {
        if (name == u"case") {
            m_cases.append(OpenCase());
            return true;
        }
        static const QSet<QString> words { u"when"_s, u"then"_s, u"else"_s, u"end"_s };
        if (m_cases.size() <= outer || !words.contains(name)) {
            return false;
        }
        OpenCase &open = m_cases.last();
        if (name == u"when" && open.conditions.isEmpty() && begin < end) {
            open.operand = textOf(begin, end);
            open.ofRow = open.ofRow && isValue(begin, end, conditionWords());
        } else if (name == u"then") {
            const bool compares = !open.operand.isEmpty();
            const bool constant = end == begin + 1 && at(begin).name.isEmpty();
            open.ofRow = open.ofRow && (compares ? constant : isValue(begin, end, conditionWords()));
            const QString said = textOf(begin, end);
            open.conditions += compares ? u"("_s + open.operand + u") = ("_s + said + u')' : u"("_s + said + u')';
        }
        open.inBranch = name == u"then";
        if (name == u"end") {
            m_cases.removeLast();
            if (m_cases.size() > outer && m_cases.constLast().conditions.isEmpty()) {
                m_cases.last().ofRow = false; // this one is its operand, or in its first condition
            }
        }
        return true;
    }

    void value(qsizetype begin, qsizetype end, bool from)
    {
        if (begin >= end || !mentions(begin, end)) {
            return;
        }
        for (qsizetype i = begin; i < end; ++i) {
            if (opens(i)) {
                walk(i + 1, at(i).match);
                i = at(i).match;
            }
        }
        if (const qsizetype call = callAt(begin, end); call >= 0 && (from || rowMakers().contains(at(call - 1).name))) {
            emitPiece(begin, at(call).match + 1, true);
        } else if (isValue(begin, end)) {
            emitPiece(begin, end, false);
        } else {
            parts(begin, end);
        }
    }

    /// The parts of a value that hold more than t, between the operators that bind least.
    void parts(qsizetype begin, qsizetype end)
    {
        static const QSet<QString> loose { u"||"_s, u"+"_s, u"-"_s, u"*"_s, u"/"_s, u"%"_s };
        qsizetype start = begin;
        for (qsizetype i = begin; i <= end; ++i) {
            if (i < end && opens(i)) {
                i = at(i).match;
                continue;
            }
            if (i == end || loose.contains(at(i).text)) {
                if (isValue(start, i)) {
                    emitPiece(start, i, false);
                } else {
                    chains(start, i);
                }
                start = i + 1;
            }
        }
    }

    /// t.column with what is taken out of it.
    void chains(qsizetype begin, qsizetype end)
    {
        static const QSet<QString> takes { u"->"_s, u"->>"_s, u"#>"_s, u"#>>"_s };
        for (qsizetype i = begin; i < end; ++i) {
            if (opens(i)) {
                i = at(i).match;
                continue;
            }
            if (!isRow(i) || at(i + 1).text != u".") {
                continue;
            }
            qsizetype last = i + 3;
            while (last < end) {
                if (takes.contains(at(last).text) && at(last + 1).constant) {
                    last += 2;
                } else if (at(last).text == u"[" && opens(last)) {
                    last = at(last).match + 1;
                } else {
                    break;
                }
            }
            emitPiece(i, last, false);
            i = last - 1;
        }
    }

    /// Where the value is one call, maybe of a qualified name: its bracket.
    qsizetype callAt(qsizetype begin, qsizetype end) const
    {
        qsizetype i = begin;
        while (i + 2 < end && !at(i).name.isEmpty() && at(i + 1).text == u".") {
            i += 2;
        }
        return !at(i).name.isEmpty() && at(i + 1).text == u"(" && opens(i + 1) && i + 1 < end ? i + 1 : -1;
    }

    /// Made of t, constants and functions alone.
    bool isValue(qsizetype begin, qsizetype end) const
    {
        static const QSet<QString> inside { u"case"_s, u"when"_s, u"then"_s, u"else"_s, u"end"_s, u"and"_s, u"or"_s,
            u"not"_s, u"is"_s };
        return isValue(begin, end, inside);
    }
    bool isValue(qsizetype begin, qsizetype end, const QSet<QString> &inside) const
    {
        if (!mentions(begin, end)) {
            return false;
        }
        for (qsizetype i = begin; i < end; ++i) {
            const PieceWord &word = at(i);
            if (word.name.isEmpty()) {
                continue;
            }
            if (isRow(i)) {
                i += at(i + 1).text == u"." ? 2 : 0;
                continue;
            }
            if (ends(i)) {
                if (!inside.contains(word.name)) {
                    return false;
                }
                continue;
            }
            if (at(i - 1).text == u"::" || valueWords().contains(word.name)) {
                i += at(i + 1).text == u"." ? 2 : 0;
                continue;
            }
            qsizetype last = i;
            while (at(last + 1).text == u"." && !at(last + 2).name.isEmpty()) {
                last += 2;
            }
            const bool function = at(last + 1).text == u"(" && !aggregates().contains(at(last).name)
                && !rowMakers().contains(at(last).name);
            const bool typed = at(last + 1).constant && at(last + 1).text.endsWith(u'\'');
            if (!function && !typed) {
                return false;
            }
            i = last;
        }
        return true;
    }

    QString textOf(qsizetype begin, qsizetype end) const
    {
        QStringList texts;
        for (qsizetype i = begin; i < end; ++i) {
            texts += at(i).text;
        }
        return texts.join(u' ');
    }

    void emitPiece(qsizetype begin, qsizetype end, bool opaque)
    {
        EffectPiece piece;
        piece.opaque = opaque;
        piece.begin = begin;
        piece.end = end;
        for (qsizetype i = begin; i < end; ++i) {
            if (isRow(i) && at(i + 1).text == u"." && !at(i + 2).name.isEmpty()) {
                piece.columns += at(i + 2).name;
            } else if (isRow(i)) {
                piece.whole = true;
            }
        }
        const bool plain = end - begin <= 3 && isRow(begin);
        if (begin >= end || (plain && !opaque)) {
            return;
        }
        piece.sql = textOf(begin, end);
        for (const OpenCase &open : std::as_const(m_cases)) {
            if (!open.ofRow || open.conditions.isEmpty()) {
                continue;
            }
            piece.before += u"CASE"_s;
            for (qsizetype i = 0; i < open.conditions.size(); ++i) {
                const bool taken = open.inBranch && i + 1 == open.conditions.size();
                piece.before += u" WHEN "_s + open.conditions.at(i) + (taken ? u" THEN "_s : u" THEN NULL"_s);
            }
            piece.before += open.inBranch ? QString() : u" ELSE "_s;
            piece.after += u" END"_s;
        }
        piece.columns.removeDuplicates();
        piece.label = m_sql.mid(at(begin).begin, at(end - 1).end - at(begin).begin).simplified().remove(u"t."_s);
        if (piece.label.size() > kLabelChars) {
            piece.label = piece.label.left(kLabelChars) + u'…';
        }
        m_pieces += piece;
    }

    const QString &m_sql;
    QList<PieceWord> m_words;
    QList<EffectPiece> m_pieces;
    QList<OpenCase> m_cases; ///< those around the word that is looked at
};

} // namespace

QList<EffectPiece> effectPieces(const QString &sql)
{
    return PieceFinder(sql).find();
}

} // namespace idemdesk::sql
