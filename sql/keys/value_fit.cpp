// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/keys/value_fit.h"

#include "sql/types/tr.h"

#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

bool fitsInteger(const QString &text, qint64 least, qint64 most)
{
    bool ok = false;
    const qint64 value = text.trimmed().toLongLong(&ok);
    return ok && value >= least && value <= most;
}

std::optional<QString> unless(bool fits, const QString &wanted)
{
    return fits ? std::nullopt : std::optional<QString>(wanted);
}

} // namespace

std::optional<QString> misfit(const ExpressionType &type, const QString &text)
{
    static const QRegularExpression uuid(u"^\\s*(\\{?)([0-9a-fA-F]{4}-?){7}[0-9a-fA-F]{4}(\\}?)\\s*$"_s);
    static const QRegularExpression number(
        u"^\\s*([+-]?(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d+)?|nan|[+-]?inf(inity)?)\\s*$"_s,
        QRegularExpression::CaseInsensitiveOption);
    static const QRegularExpression boolean(
        u"^\\s*(t|tr|tru|true|y|ye|yes|on|1|f|fa|fal|fals|false|n|no|off|of|0)\\s*$"_s,
        QRegularExpression::CaseInsensitiveOption);
    const QString &name = type.typeName;
    if (!type.enumLabels.isEmpty()) {
        return unless(
            type.enumLabels.contains(text), Tr::tr("one of %1").arg(type.enumLabels.mid(0, 20).join(u", "_s)));
    }
    if (name == u"uuid") {
        return unless(uuid.match(text).hasMatch(), Tr::tr("a uuid such as 3f2b8c1e-7a4d-4e5f-9a0b-1c2d3e4f5a6b"));
    }
    if (name == u"int2") {
        return unless(fitsInteger(text, -32768, 32767), Tr::tr("a whole number from -32768 to 32767"));
    }
    if (name == u"int4") {
        return unless(fitsInteger(text, -2147483648LL, 2147483647LL), Tr::tr("a whole number of up to ten digits"));
    }
    if (name == u"int8") {
        return unless(fitsInteger(text, std::numeric_limits<qint64>::min(), std::numeric_limits<qint64>::max()),
            Tr::tr("a whole number of up to nineteen digits"));
    }
    if (name == u"numeric" || name == u"float4" || name == u"float8") {
        return unless(number.match(text).hasMatch(), Tr::tr("a number"));
    }
    if (name == u"bool") {
        return unless(boolean.match(text).hasMatch(), Tr::tr("true or false"));
    }
    return std::nullopt;
}

bool isIntegerType(const ExpressionType &type)
{
    return type.typeName == u"int2" || type.typeName == u"int4" || type.typeName == u"int8";
}

bool isNumberType(const ExpressionType &type)
{
    return isIntegerType(type) || type.category == u'N';
}

bool isPlainText(const ExpressionType &type)
{
    return type.typeName == u"text" || type.typeName == u"varchar";
}

QStringList rawAlternatives(const ExpressionType &type, const QString &raw)
{
    if (type.typeName != u"bool") {
        return { raw };
    }
    if (raw == u"t" || raw == u"true") {
        return { u"t"_s, u"true"_s };
    }
    if (raw == u"f" || raw == u"false") {
        return { u"f"_s, u"false"_s };
    }
    return { raw };
}

} // namespace idemdesk::sql
