// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/test_cluster.h"

#include <QTest>

namespace idemdesk::tests {

/// Two real servers that can follow each other by logical replication. Each case has a database of its own in both,
/// which the role "support" may read.
class TwoRegions
{
public:
    TwoRegions()
    {
        for (TestCluster *side : { &eu, &us }) {
            side->psql(QStringLiteral("postgres"),
                QStringLiteral("CREATE ROLE support LOGIN; GRANT pg_read_all_data TO support"));
        }
    }

    const QString &database() const { return m_database; }
    /// The next case's database: the same empty tables on both sides.
    void begin()
    {
        m_database = QStringLiteral("d%1").arg(++m_number);
        for (TestCluster *side : { &eu, &us }) {
            side->createDatabase(m_database);
            side->psqlFile(m_database, QStringLiteral("sql/demo/schema_001.sql"));
        }
    }
    /// A subscription takes its slot along; else no database of it could be dropped, and its worker would go on.
    void end()
    {
        if (us.psql(m_database,
                QStringLiteral("SELECT count(*) FROM pg_subscription s JOIN pg_database d ON d.oid = s.subdbid "
                               "WHERE d.datname = current_database()"))
            != QStringLiteral("0")) {
            us.psql(m_database, QStringLiteral("ALTER SUBSCRIPTION %1 DISABLE").arg(m_database));
            us.psql(m_database, QStringLiteral("DROP SUBSCRIPTION %1").arg(m_database));
        }
    }
    void both(const QString &sql)
    {
        eu.psql(m_database, sql);
        us.psql(m_database, sql);
    }
    /// SQL that adds the keys k<from> to k<to>, each created a second after the one before it.
    static QString keys(int from, int to)
    {
        return QStringLiteral(
            "INSERT INTO app.idempotency_request (idempotency_scope, idempotency_key, request_hash, status, "
            "attempt_count, claimed_at, created_at, updated_at, expires_at, result_ref_type, response_body) SELECT "
            "'order', 'k' || n, md5(n::text), 'succeeded', 1, at, at, at, '2100-01-01', 'order', '{\"n\":1}' FROM "
            "generate_series(%1, %2) n, LATERAL (SELECT '2026-11-01'::timestamptz + n * interval '1 second') t(at); "
            "ANALYZE")
            .arg(from)
            .arg(to);
    }
    /// From now on the rows of eu come to us: both hold the same ones. The slot's name must be its own in the cluster.
    void replicate()
    {
        eu.psql(m_database, QStringLiteral("CREATE PUBLICATION keys FOR TABLE app.idempotency_request"));
        us.psql(m_database,
            QStringLiteral("CREATE SUBSCRIPTION %1 CONNECTION '%2' PUBLICATION keys WITH (copy_data = false)")
                .arg(m_database, eu.conninfo(m_database).replace(QLatin1Char('\''), QStringLiteral("''"))));
        QTRY_COMPARE_WITH_TIMEOUT(
            us.psql(m_database, QStringLiteral("SELECT count(*) FROM pg_subscription_rel WHERE srsubstate = 'r'")),
            QStringLiteral("1"), 30'000);
        // A table whose rows are not copied is ready before anybody brings new ones.
        QTRY_COMPARE_WITH_TIMEOUT(
            eu.psql(m_database,
                QStringLiteral(
                    "SELECT count(*) FROM pg_replication_slots WHERE active AND database = current_database()")),
            QStringLiteral("1"), 30'000);
    }

    TestCluster eu { settings() };
    TestCluster us { settings() };

private:
    static QStringList settings()
    {
        return { QStringLiteral("wal_level = logical"), QStringLiteral("max_replication_slots = 20"),
            QStringLiteral("wal_receiver_status_interval = 1s") };
    }

    QString m_database;
    int m_number = 0;
};

} // namespace idemdesk::tests
