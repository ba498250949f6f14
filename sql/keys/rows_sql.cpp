// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/keys/rows_sql.h"

#include "sql/types/statement.h"

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

QString rowsSql(const QList<KeyRecord> &records, const Target &target)
{
    const QStringList &identity = target.profile.identity;
    QStringList rows;
    for (const KeyRecord &record : records) {
        QStringList conditions;
        for (int i = 0; i < identity.size() && i < record.identity.size(); ++i) {
            const Cell &value = record.identity.at(i);
            const QString column = u"t."_s + quoteIdentifier(identity.at(i));
            conditions.append(
                value.null ? column + " IS NULL"_L1 : column + " = "_L1 + quoteLiteral(value.text).trimmed());
        }
        rows.append(u'(' + conditions.join(" AND "_L1) + u')');
    }
    if (rows.isEmpty() || identity.isEmpty()) {
        return {};
    }
    return u"SELECT *\n  FROM "_s + target.relation.sql + u" AS t\n WHERE "_s + rows.join("\n    OR "_L1) + u";\n"_s;
}

} // namespace idemdesk::sql
