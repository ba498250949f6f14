// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/keys/predicate.h"

#include "sql/keys/value_fit.h"

#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

QString afterPrefix(const QString &prefix)
{
    QList<uint> points = prefix.toUcs4();
    while (!points.isEmpty()) {
        uint next = points.last() + 1;
        if (next >= 0xD800 && next <= 0xDFFF) {
            next = 0xE000;
        }
        if (next <= 0x10FFFF) {
            points.last() = next;
            QString out;
            for (const uint point : points) {
                const auto units = QChar::fromUcs4(point);
                out += QStringView(units);
            }
            return out;
        }
        points.removeLast();
    }
    return {};
}

namespace {

/// A uuid's order is that of its hexadecimal digits, so a prefix is a range between zeros and effs.
QString uuidPrefix(Render &render, const QString &expression, const ExpressionType &type, const QString &prefix)
{
    static const QRegularExpression beginning(u"^[0-9a-f-]{1,36}$"_s);
    const QString lower = prefix.toLower();
    const QString digits = QString(lower).remove(u'-');
    QString condition = expression + u"::pg_catalog.text LIKE "_s + render.bindText(likeEscaped(lower) + u'%');
    if (beginning.match(lower).hasMatch() && !digits.isEmpty() && digits.size() <= 32) {
        condition += u" AND "_s + expression + u" >= "_s + render.bind(digits.leftJustified(32, u'0'), type.castType)
            + u" AND "_s + expression + u" <= "_s + render.bind(digits.leftJustified(32, u'f'), type.castType);
    }
    return u"("_s + condition + u")"_s;
}

} // namespace

QString prefixCondition(Render &render, const QString &expression, const ExpressionType &type, const QString &prefix)
{
    if (prefix.isEmpty()) {
        return expression + u" IS NOT NULL"_s;
    }
    if (type.typeName == u"uuid") {
        return uuidPrefix(render, expression, type, prefix);
    }
    const QString pattern = likeEscaped(prefix) + u'%';
    if (type.typeName == u"citext") {
        return expression + u"::pg_catalog.text ILIKE "_s + render.bindText(pattern);
    }
    if (!isPlainText(type)) {
        return expression + u"::pg_catalog.text LIKE "_s + render.bindText(pattern);
    }
    const QString like = expression + u" LIKE "_s + render.bindText(pattern);
    const QString end = afterPrefix(prefix);
    if (!type.codePointOrder || end.isEmpty()) {
        return like;
    }
    return u"("_s + expression + u" >= "_s + render.bind(prefix, type.castType) + u" AND "_s + expression + u" < "_s
        + render.bind(end, type.castType) + u" AND "_s + like + u")"_s;
}

} // namespace idemdesk::sql
