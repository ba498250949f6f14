// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/profile/sql_scanner.h"

#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

bool startsName(QChar c)
{
    return c.isLetter() || c == u'_' || c.unicode() >= 0x80;
}
bool continuesName(QChar c)
{
    return startsName(c) || c.isDigit() || c == u'$';
}

} // namespace

QString foldedName(const QString &text, SqlToken::Piece piece)
{
    if (text.size() >= 2 && text.startsWith(u'"')) {
        return text.mid(1, text.size() - 2).replace(u"\"\""_s, u"\""_s);
    }
    if (piece != SqlToken::Piece::Name) {
        return {};
    }
    QString name = text;
    for (QChar &c : name) { // not toLower(): PostgreSQL folds these alone, whatever the language
        if (c >= u'A' && c <= u'Z') {
            c = QChar(c.unicode() + 32);
        }
    }
    return name;
}

bool SqlScanner::next(SqlToken *token)
{
    if (m_at >= m_sql.size()) {
        return false;
    }
    *token = SqlToken { SqlToken::Piece::Symbol, m_at, m_at + 1, {} };
    const QChar c = m_sql.at(m_at);
    if (c == u'\'') {
        readConstant(token, m_at + 1, false);
    } else if (c == u'"') {
        readQuotedName(token, m_at + 1);
    } else if (c == u'-' && peek(1) == u'-') {
        readLineComment(token);
    } else if (c == u'/' && peek(1) == u'*') {
        readBlockComment(token);
    } else if (c == u'$') {
        readDollar(token);
    } else if (startsName(c)) {
        readName(token);
    } else if (c.isDigit()) {
        token->piece = SqlToken::Piece::Opaque;
        while (token->end < m_sql.size() && (continuesName(m_sql.at(token->end)) || m_sql.at(token->end) == u'.')) {
            if (m_sql.at(token->end) == u'$') {
                token->fault
                    = u"a “$” stands right behind a number"_s; // up to PostgreSQL 14 another element begins there
            }
            ++token->end;
        }
    }
    m_at = token->end;
    return true;
}

void SqlScanner::readConstant(SqlToken *token, qsizetype at, bool escapes)
{
    token->piece = SqlToken::Piece::Opaque;
    for (; at < m_sql.size(); ++at) {
        if (escapes && m_sql.at(at) == u'\\') {
            ++at;
        } else if (m_sql.at(at) == u'\'') {
            if (at + 1 < m_sql.size() && m_sql.at(at + 1) == u'\'') {
                ++at;
            } else {
                token->end = at + 1;
                if (goesOn(token->end)) {
                    token->fault = u"a text constant goes on after a line break; write it as one"_s;
                }
                return;
            }
        }
    }
    token->end = m_sql.size();
    token->fault = u"a text constant is not closed"_s;
}

/// PostgreSQL joins constants with nothing but a line break between them, and reads the second like the first: with or
/// without escapes. Nobody needs it, and a text that two readers take apart in different places is refused.
bool SqlScanner::goesOn(qsizetype at) const
{
    static const QRegularExpression between(u"\\G(?:[ \\t\\n\\r\\f\\v]|--[^\\r\\n]*)*'"_s);
    const auto match = between.match(m_sql, at);
    static const QRegularExpression lineBreak(u"[\\r\\n]"_s);
    return match.hasMatch() && match.capturedView().contains(lineBreak);
}

void SqlScanner::readQuotedName(SqlToken *token, qsizetype at)
{
    token->piece = SqlToken::Piece::Opaque;
    for (; at < m_sql.size(); ++at) {
        if (m_sql.at(at) == u'"') {
            if (at + 1 < m_sql.size() && m_sql.at(at + 1) == u'"') {
                ++at;
            } else {
                token->end = at + 1;
                return;
            }
        }
    }
    token->end = m_sql.size();
    token->fault = u"a quoted name is not closed"_s;
}

void SqlScanner::readLineComment(SqlToken *token)
{
    token->piece = SqlToken::Piece::Opaque;
    static const QRegularExpression lineEnd(u"[\\r\\n]"_s);
    const qsizetype end = m_sql.indexOf(lineEnd, m_at);
    token->end = end < 0 ? m_sql.size() : end + 1;
    if (end < 0) {
        token->fault = u"it ends in a line comment, which would swallow what follows"_s;
    }
}

void SqlScanner::readBlockComment(SqlToken *token)
{
    token->piece = SqlToken::Piece::Opaque;
    int depth = 0;
    for (qsizetype at = m_at; at + 1 < m_sql.size(); ++at) {
        const QStringView two = QStringView(m_sql).mid(at, 2);
        if (two == u"/*") {
            ++depth;
            ++at;
        } else if (two == u"*/") {
            ++at;
            if (--depth == 0) {
                token->end = at + 1;
                return;
            }
        }
    }
    token->end = m_sql.size();
    token->fault = u"a comment is not closed"_s;
}

void SqlScanner::readDollar(SqlToken *token)
{
    qsizetype at = m_at + 1;
    while (at < m_sql.size() && (startsName(m_sql.at(at)) || (at > m_at + 1 && m_sql.at(at).isDigit()))) {
        ++at;
    }
    if (at < m_sql.size() && m_sql.at(at) == u'$') { // $tag$ … $tag$
        token->piece = SqlToken::Piece::Opaque;
        const QString tag = m_sql.mid(m_at, at + 1 - m_at);
        const qsizetype close = m_sql.indexOf(tag, at + 1);
        token->end = close < 0 ? m_sql.size() : close + tag.size();
        if (close < 0) {
            token->fault = u"a dollar-quoted text is not closed"_s;
        }
    } else if (at > m_at + 1) {
        token->piece = SqlToken::Piece::Variable;
        token->end = at;
    } else if (at < m_sql.size() && m_sql.at(at).isDigit()) {
        token->piece = SqlToken::Piece::Opaque;
        while (at < m_sql.size() && m_sql.at(at).isDigit()) {
            ++at;
        }
        token->end = at;
        token->fault = u"a numbered parameter such as $1 has no value here"_s;
    }
}

void SqlScanner::readName(SqlToken *token)
{
    token->piece = SqlToken::Piece::Name;
    while (token->end < m_sql.size() && continuesName(m_sql.at(token->end))) {
        ++token->end;
    }
    const QString word = m_sql.mid(token->begin, token->end - token->begin).toLower();
    if (token->end < m_sql.size() && m_sql.at(token->end) == u'\''
        && (word == u"e" || word == u"b" || word == u"x" || word == u"n")) {
        readConstant(token, token->end + 1, word == u"e");
    }
}

} // namespace idemdesk::sql
