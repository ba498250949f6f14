// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/keys/body_reader.h"

#include "sql/actions/triage_effects.h"
#include "sql/keys/row_mapper.h"

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

Result<QList<KeyRecord>> readBodies(
    Session &session, const Target &target, const QList<Cells> &identities, qint64 characters)
{
    Render render(target);
    const RowMapper mapper(render, nullptr, characters);
    const QString sql
        = u"SELECT "_s + mapper.selectList() + render.from() + u" WHERE "_s + identitiesCondition(render, identities);
    QList<KeyRecord> records;
    TRY(session.each(render.finish(sql, {}), [&](const Row &row) {
        records.append(mapper.record(row));
        return true;
    }));
    return records;
}

} // namespace idemdesk::sql
