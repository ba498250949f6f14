// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/keys/predicate_payload.h"

#include "sql/types/tr.h"

#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

constexpr qsizetype kMinorDigits = 2; // of most currencies

QString withoutLeadingZeros(QString digits)
{
    while (digits.size() > 1 && digits.startsWith(u'0')) {
        digits.remove(0, 1);
    }
    return digits;
}

/// The role as text; bytes as far as they are ASCII, where the search for a number or an identifier looks anyway.
QString textOf(const Target &target, Role role)
{
    const QString sql = u"("_s + target.profile.role(role).sql + u")"_s;
    return target.roleTypes.value(role).typeName == u"bytea" ? u"pg_catalog.encode("_s + sql + u", 'escape')"_s
                                                             : sql + u"::pg_catalog.text"_s;
}

} // namespace

QString amountPattern(const QString &amount)
{
    static const QRegularExpression number(u"^(\\d{1,15})(?:[.,](\\d{1,6}))?$"_s);
    const auto match = number.match(amount.trimmed());
    if (!match.hasMatch()) {
        return {};
    }
    const QString whole = withoutLeadingZeros(match.captured(1));
    QString fraction = match.captured(2);
    while (fraction.endsWith(u'0')) {
        fraction.chop(1);
    }
    QStringList forms { fraction.isEmpty() ? whole + u"(?:\\.0+)?"_s : whole + u"\\."_s + fraction + u"0*"_s };
    if (fraction.size() <= kMinorDigits) {
        const QString minor = withoutLeadingZeros(whole + fraction.leftJustified(kMinorDigits, u'0'));
        forms += minor;
    }
    return u"(?<![0-9.A-Za-z_-])(?:"_s + forms.join(u'|') + u")(?![0-9A-Za-z_-]|\\.[0-9])"_s;
}

Result<QString> payloadCondition(Render &render, const FilterTerm &term)
{
    const Target &target = render.target();
    QStringList texts;
    const FilterFieldFacts &field = filterFieldFacts(term.field);
    for (const std::optional<Role> &role : field.roles) {
        if (role && target.profile.has(*role)) {
            texts += textOf(target, *role);
        }
    }
    Error error;
    error.position = term.position;
    error.length = term.length;
    if (texts.isEmpty()) {
        error.kind = ErrorKind::NotSaid;
        error.what = Tr::tr("No stored payloads.");
        error.todo = Tr::tr("Remove the term, or map a column to request_payload or response_body in the profile.");
        return error;
    }
    QStringList parts;
    for (const QString &text : std::as_const(texts)) {
        if (term.isNull) {
            parts += text + u" IS NULL"_s;
            continue;
        }
        for (const QString &value : term.values) {
            if (field.compares == FilterCompares::Payload) {
                parts += text + u" ILIKE "_s + render.bindText(u'%' + likeEscaped(value) + u'%');
                continue;
            }
            const QString pattern = amountPattern(value);
            if (pattern.isEmpty()) {
                error.kind = ErrorKind::InvalidValue;
                error.what = Tr::tr("“%1” is not an amount.").arg(value);
                error.todo = Tr::tr("Write it as 10, 10.5 or 10.50, without a currency.");
                return error;
            }
            parts += text + u" ~ "_s + render.bindText(pattern);
        }
    }
    return parts.isEmpty() ? u"false"_s : u"("_s + parts.join(term.isNull ? u" AND "_s : u" OR "_s) + u")"_s;
}

} // namespace idemdesk::sql
