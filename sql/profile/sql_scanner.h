// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace idemdesk::sql {

/// One lexical element of SQL, as far as substitution must know.
struct SqlToken {
    enum class Piece { Name, Variable, Opaque, Symbol };
    Piece piece = Piece::Symbol;
    qsizetype begin = 0;
    qsizetype end = 0;
    QString fault; ///< a sentence where the element is not closed
};

/// A name as PostgreSQL folds it, from an element's text; nothing where the element is none.
QString foldedName(const QString &text, SqlToken::Piece piece);

/// Splits SQL text as PostgreSQL's scanner does (manual 4.1) into names, `$name` variables, everything in which no
/// substitution may happen (constants, quoted names, comments), and single symbols.
class SqlScanner
{
public:
    /// sql must outlive the scanner.
    explicit SqlScanner(const QString &sql)
        : m_sql(sql)
    {
    }

    /// The next element; false at the end.
    bool next(SqlToken *token);

private:
    QChar peek(qsizetype ahead) const { return m_at + ahead < m_sql.size() ? m_sql.at(m_at + ahead) : QChar(); }
    bool goesOn(qsizetype at) const;
    void readConstant(SqlToken *token, qsizetype at, bool escapes);
    void readQuotedName(SqlToken *token, qsizetype at);
    void readLineComment(SqlToken *token);
    void readBlockComment(SqlToken *token);
    void readDollar(SqlToken *token);
    void readName(SqlToken *token);

    const QString &m_sql;
    qsizetype m_at = 0;
};

} // namespace idemdesk::sql
