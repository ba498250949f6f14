// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/logs/statement_literals.h"

#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

/// The constant that opens at `at`; its end goes there. Nothing if the text was cut within.
std::optional<QString> quotedAt(const QString &sql, qsizetype &at, bool escapes)
{
    QString value;
    for (qsizetype i = at + 1; i < sql.size(); ++i) {
        const QChar c = sql[i];
        if (c == u'\'') {
            if (i + 1 < sql.size() && sql[i + 1] == u'\'') {
                value += u'\'';
                ++i;
                continue;
            }
            at = i + 1;
            return value;
        }
        if (escapes && c == u'\\' && i + 1 < sql.size()) {
            ++i;
        }
        value += sql[i];
    }
    return std::nullopt;
}

/// The name before a constant: "p_key => '…'", "p_key := '…'" or "$2 = '…'".
QString nameBefore(const QString &sql, qsizetype at)
{
    static const QRegularExpression given(u"([A-Za-z_][A-Za-z_0-9]*|\\$[0-9]+)\\s*(?:=>|:=|=)\\s*$"_s);
    constexpr qsizetype farthest = 80;
    const qsizetype from = std::max<qsizetype>(0, at - farthest);
    const auto match = given.match(sql.mid(from, at - from));
    return match.hasMatch() ? match.captured(1) : QString();
}

/// Just past a comment, identifier or number that begins here, or the place itself.
qsizetype passOver(const QString &sql, qsizetype at)
{
    const QStringView rest = QStringView(sql).sliced(at);
    if (rest.startsWith(u"--")) {
        const qsizetype end = sql.indexOf(u'\n', at);
        return end < 0 ? sql.size() : end + 1;
    }
    if (rest.startsWith(u"/*")) {
        const qsizetype end = sql.indexOf(u"*/"_s, at + 2);
        return end < 0 ? sql.size() : end + 2;
    }
    if (rest.startsWith(u'"')) {
        const qsizetype end = sql.indexOf(u'"', at + 1);
        return end < 0 ? sql.size() : end + 1;
    }
    return at;
}

/// "$$" or "$tag$" at this place, or an empty view.
QStringView dollarTag(const QString &sql, qsizetype at)
{
    qsizetype end = at + 1;
    while (end < sql.size() && (sql[end].isLetterOrNumber() || sql[end] == u'_')) {
        ++end;
    }
    const bool number = at + 1 < sql.size() && sql[at + 1].isDigit();
    return !number && end < sql.size() && sql[end] == u'$' ? QStringView(sql).sliced(at, end + 1 - at) : QStringView();
}

} // namespace

QList<Literal> literalsOf(const QString &sql, qsizetype most)
{
    QList<Literal> literals;
    for (qsizetype at = 0; at < sql.size() && literals.size() < most;) {
        if (const qsizetype next = passOver(sql, at); next > at) {
            at = next;
            continue;
        }
        if (sql[at] == u'\'') {
            const qsizetype begin = at;
            const bool escapes
                = at > 0 && (sql[at - 1] == u'E' || sql[at - 1] == u'e') && (at < 2 || !sql[at - 2].isLetterOrNumber());
            const auto value = quotedAt(sql, at, escapes);
            if (!value) {
                break;
            }
            literals.append({ nameBefore(sql, escapes ? begin - 1 : begin), *value });
            continue;
        }
        if (const QStringView tag = sql[at] == u'$' ? dollarTag(sql, at) : QStringView(); !tag.isEmpty()) {
            const qsizetype end = sql.indexOf(tag, at + tag.size());
            if (end < 0) {
                break;
            }
            literals.append({ nameBefore(sql, at), sql.mid(at + tag.size(), end - at - tag.size()) });
            at = end + tag.size();
            continue;
        }
        ++at;
    }
    return literals;
}

} // namespace idemdesk::models
