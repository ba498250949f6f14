// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/keys/boundaries.h"
#include "sql/keys/count_reader.h"
#include "sql/keys/detail_reader.h"
#include "sql/keys/export_writer.h"
#include "sql/keys/order.h"
#include "sql/keys/page_reader.h"
#include "sql/keys/scope_reader.h"
#include "sql/keys/suggest.h"
#include "sql/keys/summary_reader.h"
#include "sql/profile/binder.h"
#include "sql/profile/profile_json.h"
#include "tests/support/test_cluster.h"

#include <QTest>

namespace idemdesk::tests {

/// A cluster with the torture tables, a session on it and their bound profiles.
class KeysFixture
{
public:
    KeysFixture()
    {
        m_cluster.psqlFile(QStringLiteral("postgres"), QStringLiteral("tests/sql/keys/torture.sql"));
        m_session = open(m_cluster.conninfo());
    }

    TestCluster &cluster() { return m_cluster; }
    sql::Session &session() { return *m_session; }

    std::unique_ptr<sql::Session> open(const QString &conninfo)
    {
        sql::ConnectionSettings settings;
        settings.conninfo = conninfo;
        auto opened = sql::Session::open(settings, {});
        if (!opened) {
            qFatal("%s", qPrintable(opened.error().line()));
        }
        return std::move(*opened);
    }

    QString psql(const QString &statement) { return m_cluster.psql(QStringLiteral("postgres"), statement); }
    QStringList lines(const QString &statement) { return psql(statement).split(u'\n', Qt::SkipEmptyParts); }

    /// torture.indexed: many rows, few of them in progress, with the indexes that serve.
    void psqlStatusTable()
    {
        psql(QStringLiteral(
            "CREATE TABLE torture.indexed AS SELECT * FROM torture.make_rows(20000); "
            "UPDATE torture.indexed SET status = 'done' WHERE id > 2000; ALTER TABLE torture.indexed ADD PRIMARY KEY "
            "(id); "
            "CREATE INDEX ON torture.indexed (status, lease); CREATE INDEX ON torture.indexed (updated_ms); "
            "VACUUM ANALYZE torture.indexed"));
    }

    sql::Target bind(const QByteArray &json)
    {
        const auto profile = sql::profileFromJson(json, QStringLiteral("test.json"));
        if (!profile) {
            qFatal("%s", qPrintable(profile.error().line() + profile.error().where));
        }
        return bind(*profile);
    }
    sql::Target bind(const sql::Profile &profile) { return bind(*m_session, profile); }
    sql::Target bind(sql::Session &session, const sql::Profile &profile)
    {
        const auto target = sql::bindTarget(session, profile);
        if (!target) {
            qFatal("%s", qPrintable(target.error().line() + target.error().detail));
        }
        return *target;
    }

    /// A torture table's profile: identity as JSON, table name.
    sql::Target torture(const QString &table, const QString &identity) { return bind(tortureJson(table, identity)); }

    static QByteArray tortureJson(const QString &table, const QString &identity)
    {
        return QStringLiteral(R"json({
  "idemdesk_profile": 1, "name": "torture", "title": "Torture", "kind": "request",
  "relation": "torture.%1", "identity": %2,
  "scope": [ { "label": "tenant", "sql": "t.tenant" }, { "label": "user", "sql": "t.user_id" } ],
  "key": "t.key",
  "roles": {
    "fingerprint": "t.hash", "status": "t.status", "attempts": "t.attempts", "owner": "t.owner",
    "created_at": "t.created_at", "updated_at": { "column": "updated_ms", "as": "epoch_ms" },
    "lease_until": { "column": "lease", "as": "utc" }, "expires_at": "t.expires_at",
    "result_type": "t.result_type", "result_id": "t.result_id", "response_code": "t.code", "response_body": "t.body",
    "error_code": "t.rowno", "error_message": "t.message" },
  "states": { "open": "pending", "busy": "in_progress", "done": "succeeded", "broken": "failed_final" },
  "stale": [ { "states": ["in_progress"], "by": { "column": "lease", "as": "utc" }, "after": "0s" },
             { "states": ["pending"], "by": "t.created_at", "after": "t.patience" } ],
  "guard": ["status"], "actions": { "recover": [], "requeue": [] },
  "purge": { "by": "t.expires_at", "after": "0s", "states": ["succeeded"] },
  "orders": [ { "label": "created", "sql": "t.created_at", "desc": true, "nulls": "last" },
              { "label": "real", "sql": "t.real", "nulls": "first" },
              { "label": "amount", "sql": "t.amount", "nulls": "last" },
              { "label": "lowered", "sql": "lower(t.owner)", "nulls": "last" } ],
  "aliases": [ { "label": "hash", "sql": "t.hash" } ],
  "fields": [ { "label": "worth", "sql": "t.amount * 2", "type": "number" },
              { "label": "begun", "sql": "t.created_at", "type": "time" },
              { "label": "shouted", "sql": "upper(t.owner)" } ], "effects": [], "policies": [ { "match": {}, "effect": "external" } ]
})json")
            .arg(table, identity)
            .toUtf8();
    }

private:
    TestCluster m_cluster;
    std::unique_ptr<sql::Session> m_session;
};

} // namespace idemdesk::tests
