// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/profile/relation_name.h"

#include <QRegularExpression>
#include <QStringList>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

std::optional<RelationName> parseRelationName(const QString &text)
{
    static const QRegularExpression part(
        u"\\s*(?:([A-Za-z_\\x{80}-\\x{ffff}][\\w$\\x{80}-\\x{ffff}]*)|\"((?:[^\"]|\"\")+)\")\\s*(\\.|$)"_s);
    QStringList parts;
    qsizetype at = 0;
    bool more = true;
    while (more) {
        const auto match
            = part.match(text, at, QRegularExpression::NormalMatch, QRegularExpression::AnchorAtOffsetMatchOption);
        if (!match.hasMatch() || parts.size() == 2) {
            return std::nullopt;
        }
        if (match.capturedLength(1) > 0) {
            QString name = match.captured(1);
            for (QChar &c : name) {
                if (c >= u'A' && c <= u'Z') { // PostgreSQL folds only these in a multibyte encoding
                    c = QChar(c.unicode() + 32);
                }
            }
            parts.append(name);
        } else {
            parts.append(match.captured(2).replace(u"\"\""_s, u"\""_s));
        }
        at = match.capturedEnd();
        more = match.captured(3) == u".";
    }
    if (at != text.size()) {
        return std::nullopt;
    }
    return parts.size() == 1 ? RelationName { {}, parts.first() } : RelationName { parts.first(), parts.last() };
}

} // namespace idemdesk::sql
