// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/groups/group_place.h"
#include "tests/support/test_cluster.h"

#include <memory>

namespace idemdesk::tests {

/// Two real servers with the same table, and a third member of their group that is no server at all.
class GroupClusters
{
public:
    GroupClusters()
    {
        for (TestCluster *side : { &eu, &us }) {
            side->psql(QStringLiteral("postgres"),
                QStringLiteral("CREATE ROLE support LOGIN; GRANT pg_read_all_data TO support"));
            side->createDatabase(QStringLiteral("orders"));
            side->psqlFile(QStringLiteral("orders"), QStringLiteral("sql/demo/schema_001.sql"));
        }
    }

    /// Keys k<from>, k<from + step>, … up to `to`, each created a second after the one before it.
    static void fill(TestCluster &side, int from, int to, int step, const QString &status = QStringLiteral("succeeded"))
    {
        side.psql(QStringLiteral("orders"),
            QStringLiteral(
                "INSERT INTO app.idempotency_request (idempotency_scope, idempotency_key, request_hash, status, "
                "attempt_count, claimed_at, locked_until, created_at, updated_at, expires_at, result_ref_type, "
                "response_body) "
                "SELECT 'order', 'k' || lpad(n::text, 5, '0'), md5(n::text), '%4', 1, at, "
                "CASE WHEN '%4' = 'processing' THEN at END, at, at, at + interval '1 year', "
                "CASE WHEN '%4' = 'succeeded' THEN 'order' END, '{}' FROM generate_series(%1, %2, %3) n, "
                "LATERAL (SELECT '2026-11-01'::timestamptz + n * interval '1 second') t(at); ANALYZE")
                .arg(from)
                .arg(to)
                .arg(step)
                .arg(status));
    }

    models::GroupPlace place(const QString &label, const QString &conninfo) const
    {
        models::GroupPlace place;
        place.label = label;
        place.settings.name = label;
        place.settings.conninfo = conninfo;
        return place;
    }
    models::GroupPlace euPlace() const
    {
        return place(QStringLiteral("eu"), eu.conninfoAs(QStringLiteral("support"), QStringLiteral("orders")));
    }
    models::GroupPlace usPlace() const
    {
        return place(QStringLiteral("us"), us.conninfoAs(QStringLiteral("support"), QStringLiteral("orders")));
    }
    models::GroupPlace downPlace() const
    {
        return place(QStringLiteral("ap"), QStringLiteral("host=/nonexistent dbname=orders user=support"));
    }
    models::GroupPlaces group(const QList<models::GroupPlace> &members) const
    {
        return { QStringLiteral("payments"), sql::GroupKind::Regions, members };
    }

    TestCluster eu;
    TestCluster us;
};

} // namespace idemdesk::tests
