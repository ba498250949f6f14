// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/profile/expression_sql.h"

#include "sql/profile/sql_scanner.h"
#include "sql/types/statement.h"

#include <QRegularExpression>
#include <QSet>

#include <functional>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

/// Copies sql, asking `replacement` for each element; a null answer keeps it.
QString rewrite(const QString &sql, const std::function<QString(const SqlToken &)> &replacement)
{
    QString out;
    out.reserve(sql.size() + 32);
    SqlScanner scanner(sql);
    SqlToken token;
    while (scanner.next(&token)) {
        const QString put = replacement(token);
        out += put.isNull() ? sql.mid(token.begin, token.end - token.begin) : put;
    }
    return out;
}

/// Where the empty argument list after a function's name ends, or -1.
qsizetype emptyCallEnd(const QString &sql, qsizetype from)
{
    static const QRegularExpression call(u"\\G\\s*\\(\\s*\\)"_s);
    const auto match
        = call.match(sql, from, QRegularExpression::NormalMatch, QRegularExpression::AnchorAtOffsetMatchOption);
    return match.hasMatch() ? match.capturedEnd() : -1;
}

/// Is this name a clock call, and where does the call end? It must not be another schema's function of that name.
qsizetype clockCallEnd(const QString &sql, const SqlToken &token)
{
    static const QSet<QString> functions { u"now"_s, u"clock_timestamp"_s, u"statement_timestamp"_s,
        u"transaction_timestamp"_s };
    const QString word = sql.mid(token.begin, token.end - token.begin).toLower();
    if (word == u"current_timestamp") {
        static const QRegularExpression precision(u"\\G\\s*\\("_s);
        return precision.match(sql, token.end).hasMatch() ? -1 : token.end;
    }
    return functions.contains(word) ? emptyCallEnd(sql, token.end) : -1;
}

QString plusSql(const Expression &expression, const QString &value, bool minus)
{
    const auto seconds = durationSeconds(expression.plus);
    if (expression.plus.isEmpty() || !seconds) {
        return value;
    }
    const qint64 amount = minus ? -*seconds : *seconds;
    return u"("_s + value + u" + '"_s + QString::number(amount) + u" seconds'::pg_catalog.interval)"_s;
}

/// A moment as the number an epoch column would hold, rounded so that comparing whole numbers stays exact.
QString epochBound(const QString &moment, int perSecond, bool roundUp)
{
    return u"LEAST(GREATEST(pg_catalog."_s + (roundUp ? u"ceil"_s : u"floor"_s) + u"(EXTRACT(epoch FROM "_s + moment
        + u") * "_s + QString::number(perSecond) + u"), -9223372036854775808), 9223372036854775807)::pg_catalog.int8"_s;
}

} // namespace

QString timestamptzSql(const Expression &expression)
{
    const QString raw = u"("_s + expression.sql + u")"_s;
    QString value;
    switch (expression.form) {
    case TimeForm::Native:
        value = raw;
        break;
    case TimeForm::EpochMs:
        value = u"pg_catalog.to_timestamp("_s + raw + u" / 1000.0)"_s;
        break;
    case TimeForm::EpochS:
        value = u"pg_catalog.to_timestamp("_s + raw + u")"_s;
        break;
    case TimeForm::Utc:
        value = u"("_s + raw + u" AT TIME ZONE 'UTC')"_s;
        break;
    case TimeForm::Zone:
        value = u"("_s + raw + u" AT TIME ZONE "_s + quoteLiteral(expression.zone) + u")"_s;
        break;
    case TimeForm::Iso:
        value = raw + u"::pg_catalog.timestamptz"_s;
        break;
    }
    value = plusSql(expression, value, false);
    if (!expression.when.isEmpty()) {
        value = u"CASE WHEN ("_s + expression.when + u") THEN "_s + value + u" END"_s;
    }
    return value;
}

QString compareTime(const Expression &expression, const QString &op, const QString &momentSql)
{
    const QString raw = u"("_s + expression.sql + u")"_s;
    // Adding hours is exact both ways, so the duration moves to the other side and leaves the column bare.
    const QString moment = plusSql(expression, u"("_s + momentSql + u")"_s, true);
    // x < m is x < ceil(m) for a whole x, x <= m is x <= floor(m); > and >= the other way round.
    const bool roundUp = op == u"<" || op == u">=";
    QString condition;
    switch (expression.form) {
    case TimeForm::Native:
        condition = raw + u" "_s + op + u" "_s + moment;
        break;
    case TimeForm::EpochMs:
        condition = raw + u" "_s + op + u" "_s + epochBound(moment, 1000, roundUp);
        break;
    case TimeForm::EpochS:
        condition = raw + u" "_s + op + u" "_s + epochBound(moment, 1, roundUp);
        break;
    case TimeForm::Utc:
        condition = raw + u" "_s + op + u" ("_s + moment + u" AT TIME ZONE 'UTC')"_s;
        break;
    case TimeForm::Zone: {
        // Local time repeats an hour in autumn, so the exact comparison decides; a bound a day wide lets an index
        // serve.
        const QString zone = quoteLiteral(expression.zone);
        const QString wider
            = op.startsWith(u'<') ? u" + '1 day'::pg_catalog.interval"_s : u" - '1 day'::pg_catalog.interval"_s;
        condition = raw + u" "_s + op + u" (("_s + moment + u" AT TIME ZONE "_s + zone + u")"_s + wider + u") AND ("_s
            + raw + u" AT TIME ZONE "_s + zone + u") "_s + op + u" "_s + moment;
        break;
    }
    case TimeForm::Iso:
        condition = raw + u"::pg_catalog.timestamptz "_s + op + u" "_s + moment;
        break;
    }
    if (!expression.when.isEmpty()) {
        condition = u"("_s + expression.when + u") AND "_s + condition;
    }
    return u"("_s + condition + u")"_s;
}

QString intervalSql(const QString &after)
{
    if (after.isEmpty()) {
        return u"'0 seconds'::pg_catalog.interval"_s;
    }
    if (const auto seconds = durationSeconds(after)) {
        return u"'"_s + QString::number(*seconds) + u" seconds'::pg_catalog.interval"_s;
    }
    return u"("_s + after + u")"_s;
}

QString renderNow(const QString &sql, const QString &nowSql)
{
    const QString now = u"("_s + nowSql + u")"_s;
    qsizetype skipTo = 0; // the end of a clock call whose arguments are passed over
    return rewrite(sql, [&](const SqlToken &token) -> QString {
        if (token.begin < skipTo) {
            return u""_s;
        }
        if (token.piece == SqlToken::Piece::Variable) {
            return QStringView(sql).mid(token.begin, token.end - token.begin) == u"$now" ? now : QString();
        }
        if (token.piece != SqlToken::Piece::Name) {
            return {};
        }
        const qsizetype end = clockCallEnd(sql, token);
        const bool qualified = token.begin > 0 && sql.at(token.begin - 1) == u'.';
        if (end >= 0 && !qualified) {
            skipTo = end;
            return now;
        }
        static const QRegularExpression catalogCall(
            u"\\Gpg_catalog\\.(\\w+)"_s, QRegularExpression::CaseInsensitiveOption);
        const auto match = catalogCall.match(sql, token.begin);
        if (!qualified && match.hasMatch()) {
            const SqlToken inner { SqlToken::Piece::Name, match.capturedStart(1), match.capturedEnd(1), {} };
            const qsizetype innerEnd = clockCallEnd(sql, inner);
            if (innerEnd >= 0) {
                skipTo = innerEnd;
                return now;
            }
        }
        return {};
    });
}

QString renderVariables(const QString &sql, const QMap<QString, QString> &values)
{
    return rewrite(sql, [&](const SqlToken &token) -> QString {
        if (token.piece != SqlToken::Piece::Variable) {
            return {};
        }
        const auto found = values.constFind(sql.mid(token.begin + 1, token.end - token.begin - 1));
        return found == values.constEnd() ? QString() : u"("_s + *found + u")"_s;
    });
}

QStringList variablesIn(const QString &sql)
{
    QStringList names;
    SqlScanner scanner(sql);
    SqlToken token;
    while (scanner.next(&token)) {
        const QString name = sql.mid(token.begin + 1, token.end - token.begin - 1);
        if (token.piece == SqlToken::Piece::Variable && !names.contains(name)) {
            names.append(name);
        }
    }
    return names;
}

QString expressionFault(const QString &sql)
{
    if (sql.trimmed().isEmpty()) {
        return u"it is empty"_s;
    }
    if (sql.contains(QChar(0))) {
        return u"it contains a NUL character"_s;
    }
    QString open;
    SqlScanner scanner(sql);
    SqlToken token;
    while (scanner.next(&token)) {
        if (!token.fault.isEmpty()) {
            return token.fault;
        }
        const QChar c = sql.at(token.begin);
        if (token.piece != SqlToken::Piece::Symbol) {
            continue;
        }
        if (c == u';') {
            return u"it contains a semicolon; only one expression may stand here"_s;
        }
        if (c == u'(' || c == u'[') {
            open += c == u'(' ? u')' : u']';
        } else if (c == u')' || c == u']') {
            if (!open.endsWith(c)) {
                return u"a “%1” closes what was not opened"_s.arg(c);
            }
            open.chop(1);
        }
    }
    return open.isEmpty() ? QString() : u"a “%1” is missing at the end"_s.arg(open.back());
}

QString plainColumn(const QString &sql)
{
    static const QRegularExpression form(
        u"^\\s*t\\s*\\.\\s*(?:([A-Za-z_\\x{80}-\\x{ffff}][\\w$\\x{80}-\\x{ffff}]*)|\"((?:[^\"]|\"\")+)\")\\s*$"_s);
    const auto match = form.match(sql);
    if (!match.hasMatch()) {
        return {};
    }
    if (match.capturedLength(1) > 0) {
        // PostgreSQL folds only ASCII letters in a multibyte encoding.
        QString name = match.captured(1);
        for (QChar &c : name) {
            if (c >= u'A' && c <= u'Z') {
                c = QChar(c.unicode() + 32);
            }
        }
        return name;
    }
    return match.captured(2).replace(u"\"\""_s, u"\""_s);
}

} // namespace idemdesk::sql
