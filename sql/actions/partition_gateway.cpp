// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/actions/action_gateway.h"
#include "sql/actions/action_json.h"
#include "sql/types/tr.h"

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

Result<PartitionRequest> approvedRequest(Session &session, PartitionRequest request)
{
    Statement statement {
        u"SELECT a.id, a.reason, a.ticket, a.cutoff FROM idemdesk.action AS a WHERE a.state = 'running' "
        "AND a.requested_by = session_user AND a.target = $1::pg_catalog.text AND a.verb = $2::pg_catalog.text "
        "AND a.plan ->> 'partition' = $3::pg_catalog.text ORDER BY a.requested_at DESC LIMIT 1"_s,
        {}
    };
    statement.bind(request.target);
    statement.bind(verbName(request.verb));
    statement.bind(request.partition);
    TRY(const auto found, session.all(statement));
    if (!found.isEmpty()) {
        const Cells &row = found.constFirst();
        request.id = row.at(0).text;
        request.reason = row.at(1).text;
        request.ticket = row.at(2).text;
        request.cutoff = Timestamp::parse(row.at(3).text).value_or(request.cutoff);
    }
    return request;
}

Result<ActionRecord> changePartition(Session &session, const PartitionRequest &request)
{
    Statement statement;
    const QString first = statement.bind(request.id) + u"::pg_catalog.uuid, "_s;
    const QString names = statement.bind(request.target) + u"::pg_catalog.text, "_s + statement.bind(request.partition)
        + u"::pg_catalog.text, "_s;
    const QString cutoff = request.verb == ActionVerb::Detach
        ? statement.bind(request.cutoff.toRfc3339()) + u"::pg_catalog.text, "_s
        : QString();
    const QString why = statement.bind(request.reason) + u"::pg_catalog.text, "_s + statement.bind(request.ticket)
        + u"::pg_catalog.text)"_s;
    statement.sql = u"SELECT idemdesk."_s + verbName(request.verb) + u"_partition("_s + first + names + cutoff + why;
    const auto row = session.one(statement);
    if (!row) {
        Error error = row.error();
        error.what = request.verb == ActionVerb::Detach ? Tr::tr("The partition was not detached.")
            : request.verb == ActionVerb::Attach        ? Tr::tr("The partition was not attached.")
                                                        : Tr::tr("The partition was not dropped.");
        return error;
    }
    return actionFromJson(row->constFirst().text);
}

Result<QList<DetachedPartition>> readDetached(Session &session, const QString &target)
{
    Statement statement {
        u"SELECT d.name, d.bounds, d.rows, d.detached_at, d.drop_after FROM idemdesk.detached_partition AS d "
        "WHERE d.target = $1::pg_catalog.text ORDER BY d.detached_at DESC"_s,
        {}
    };
    statement.bind(target);
    QList<DetachedPartition> partitions;
    const auto read = session.each(statement, [&partitions](const Row &row) {
        partitions.append({ row.text(0), row.text(1), row.integer(2),
            Timestamp::parse(row.text(3)).value_or(Timestamp()), Timestamp::parse(row.text(4)).value_or(Timestamp()) });
        return true;
    });
    if (!read) {
        Error error = read.error();
        error.what = Tr::tr("The detached partitions could not be read.");
        return error;
    }
    return partitions;
}

} // namespace idemdesk::sql
