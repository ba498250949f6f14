// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/profile/binder.h"
#include "sql/profile/profile_json.h"
#include "sql/trends/trend_gateway.h"
#include "tests/support/test_cluster.h"

#include <QFile>
#include <QRegularExpression>
#include <QTest>

using namespace idemdesk::sql;
using namespace idemdesk::tests;
using namespace Qt::StringLiterals;

/// Every series that each shipped profile gives, over a month of the demo's history, against a second SQL written by
/// hand from the tables' own columns.
class TrendProfilesTest final : public QObject
{
    Q_OBJECT

    std::unique_ptr<TestCluster> m_cluster;
    std::unique_ptr<Session> m_session;

    QString psql(const QString &sql) { return m_cluster->psql(u"shop"_s, sql); }

    /// What happened on each of five whole days.
    static QString flow(const char *table, const char *time, const char *where, const char *value = "count(*)")
    {
        return u"SELECT string_agg(c::text, ' ' ORDER BY d) FROM (SELECT d, (SELECT %4 FROM %1 r WHERE r.%2 >= d AND "
               u"r.%2 < d + interval '1 day' AND (%3)) AS c "
               "FROM generate_series(date_trunc('day', now(), 'UTC') - interval '6 days', date_trunc('day', now(), 'UTC') - interval '2 days', interval '1 day') d) x"_s
                   .arg(QString::fromLatin1(table), QString::fromLatin1(time), QString::fromLatin1(where),
                       QString::fromLatin1(value));
    }
    /// The same numbers; those with decimals within one of the last, which half a microsecond turns either way.
    static bool alike(const QString &mine, const QString &theirs)
    {
        const QStringList a = mine.split(u' ');
        const QStringList b = theirs.split(u' ');
        return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const QString &x, const QString &y) {
            return x == y || (x.contains(u'.') && std::abs(x.toDouble() - y.toDouble()) < 0.00015);
        });
    }
    static QString gauge(const char *table, const char *where, const char *value = "count(*)")
    {
        return u"SELECT %3 FROM %1 r WHERE %2"_s.arg(
            QString::fromLatin1(table), QString::fromLatin1(where), QString::fromLatin1(value));
    }
    static QString age(const char *column)
    {
        return u"round(extract(epoch FROM now() - min(r.%1)) / 10)"_s.arg(QString::fromLatin1(column));
    }

private slots:
    void initTestCase()
    {
        QTest::failOnWarning(QRegularExpression(u".*"_s));
        m_cluster = std::make_unique<TestCluster>();
        m_cluster->createDatabase(u"shop"_s);
        QString all;
        for (const char *file : { "schema_000", "schema_001", "schema_002", "schema_003", "history_common",
                 "history_000", "history_001", "history_002", "history_003" }) {
            QFile sql(QStringLiteral(IDEMDESK_SOURCE_DIR) + u"/sql/demo/%1.sql"_s.arg(QString::fromLatin1(file)));
            QVERIFY2(sql.open(QIODevice::ReadOnly), file);
            all += u"BEGIN;\n"_s + QString::fromUtf8(sql.readAll()) + u"\nCOMMIT;\n"_s;
        }
        psql(all + u"ANALYZE"_s);
        ConnectionSettings settings;
        settings.conninfo = m_cluster->conninfo(u"shop"_s);
        auto session = Session::open(settings, {});
        QVERIFY2(session.ok(), session ? "" : qPrintable(session.error().line()));
        m_session = std::move(*session);
    }
    void cleanupTestCase()
    {
        m_session.reset();
        m_cluster.reset();
    }

    void agreesWithASecondSql_data()
    {
        QTest::addColumn<QString>("profile");
        QTest::addColumn<QString>("metric");
        QTest::addColumn<QString>("sql");
        const auto row = [](const char *profile, const char *metric, const QString &sql) {
            QTest::addRow("%s %s", profile, metric)
                << QString::fromLatin1(profile) << QString::fromLatin1(metric) << sql;
        };
        const char *t = "app.idempotency_request";
        row("plpgsql-request", "claims", flow(t, "created_at", "true"));
        row("plpgsql-request", "retries", flow(t, "created_at", "true", "coalesce(sum(r.attempt_count - 1), 0)"));
        row("plpgsql-request", "retried_keys", flow(t, "created_at", "r.attempt_count > 1"));
        row("plpgsql-request", "completions", flow(t, "updated_at", "r.status = 'succeeded'"));
        row("plpgsql-request", "failures_final", flow(t, "updated_at", "r.status = 'failed_final'"));
        row("plpgsql-request", "failures_retryable", flow(t, "updated_at", "r.status = 'failed_retryable'"));
        row("plpgsql-request", "in_progress", gauge(t, "r.status = 'processing'"));
        row("plpgsql-request", "stale", gauge(t, "r.status = 'processing' AND r.locked_until < now()"));
        row("plpgsql-request", "oldest_stale",
            gauge(t, "r.status = 'processing' AND r.locked_until < now()", qPrintable(age("locked_until"))));
        row("plpgsql-request", "expired",
            gauge(t, "r.status IN ('succeeded', 'failed_final') AND r.expires_at < now()"));
        t = "app.processed_message";
        row("plpgsql-message", "claims", flow(t, "processed_at", "true"));
        row("plpgsql-message", "completions", flow(t, "processed_at", "true"));
        row("plpgsql-message", "expired", gauge(t, "r.processed_at < now() - interval '90 days'"));
        t = "app.outbox_event";
        row("plpgsql-outbox", "claims", flow(t, "created_at", "true"));
        row("plpgsql-outbox", "retries",
            flow(t, "created_at", "true", "coalesce(sum(greatest(r.attempt_count - 1, 0)), 0)"));
        row("plpgsql-outbox", "completions", flow(t, "published_at", "r.status = 'published'"));
        row("plpgsql-outbox", "backlog", gauge(t, "r.status = 'pending'"));
        row("plpgsql-outbox", "oldest_backlog", gauge(t, "r.status = 'pending'", qPrintable(age("created_at"))));
        row("plpgsql-outbox", "stale",
            gauge(t, "r.status = 'pending' AND r.created_at < now() - interval '15 minutes'"));
        row("plpgsql-outbox", "expired",
            gauge(t, "r.status = 'published' AND r.published_at < now() - interval '7 days'"));
        t = "seed000.idempotency_keys";
        row("pending-key", "claims", flow(t, "created_at", "true"));
        row("pending-key", "in_progress", gauge(t, "r.status = 'pending'"));
        row("pending-key", "stale", gauge(t, "r.status = 'pending' AND r.created_at < now() - interval '5 minutes'"));
        row("pending-key", "oldest_stale",
            gauge(t, "r.status = 'pending' AND r.created_at < now() - interval '5 minutes'",
                qPrintable(age("created_at"))));
        row("pending-key", "expired", gauge(t, "r.status IN ('completed', 'failed') AND r.expires_at < now()"));
        t = "seed000.idempotency_keys_heartbeat";
        row("pending-key-heartbeat", "claims", flow(t, "created_at", "true"));
        row("pending-key-heartbeat", "in_progress", gauge(t, "r.status = 'pending'"));
        row("pending-key-heartbeat", "stale",
            gauge(t,
                "r.status = 'pending' AND coalesce(r.last_heartbeat_at, r.created_at) < now() - interval '5 minutes'"));
        for (const bool parted : { false, true }) {
            t = parted ? "seed002.idempotency_keys_partitioned" : "seed002.idempotency_keys";
            const char *name = parted ? "started-key-partitioned" : "started-key";
            row(name, "claims", flow(t, "created_at", "true"));
            row(name, "completions", flow(t, "updated_at", "r.status = 'completed'"));
            row(name, "failures_retryable", flow(t, "updated_at", "r.status = 'failed'"));
            row(name, "in_progress", gauge(t, "r.status = 'started'"));
            row(name, "stale", gauge(t, "r.status = 'started' AND r.locked_at < now() - interval '5 minutes'"));
            row(name, "oldest_stale",
                gauge(t, "r.status = 'started' AND r.locked_at < now() - interval '5 minutes'",
                    qPrintable(age("locked_at"))));
        }
        t = "seed003.idempotency_request";
        row("command-request", "claims", flow(t, "created_at", "true"));
        row("command-request", "completions", flow(t, "completed_at", "r.status = 'COMPLETED'"));
        row("command-request", "failures_final", flow(t, "completed_at", "r.status = 'FAILED_TERMINAL'"));
        row("command-request", "time_to_complete_p95",
            flow(t, "completed_at", "r.status = 'COMPLETED'",
                "round(percentile_cont(0.95) WITHIN GROUP (ORDER BY extract(epoch FROM r.completed_at - "
                "r.created_at))::numeric, 4)"));
        row("command-request", "in_progress", gauge(t, "r.status = 'IN_PROGRESS'"));
        row("command-request", "stale", gauge(t, "r.status = 'IN_PROGRESS' AND r.locked_until < now()"));
        t = "seed003.processed_message";
        row("command-message", "claims", flow(t, "processed_at", "true"));
        row("command-message", "completions", flow(t, "processed_at", "r.result_status IN ('APPLIED', 'IGNORED')"));
        row("command-message", "failures_final", flow(t, "processed_at", "r.result_status = 'FAILED_TERMINAL'"));
        row("command-message", "dead", gauge(t, "r.result_status = 'FAILED_TERMINAL'"));
        t = "seed003.inbox_message";
        row("command-inbox", "claims", flow(t, "received_at", "true"));
        row("command-inbox", "retries",
            flow(t, "received_at", "true", "coalesce(sum(greatest(r.attempt_count - 1, 0)), 0)"));
        row("command-inbox", "backlog", gauge(t, "r.status IN ('RECEIVED', 'FAILED_RETRYABLE')"));
        row("command-inbox", "oldest_backlog",
            gauge(t, "r.status IN ('RECEIVED', 'FAILED_RETRYABLE')", qPrintable(age("received_at"))));
        row("command-inbox", "dead", gauge(t, "r.status = 'FAILED_TERMINAL'"));
        row("command-inbox", "stale",
            gauge(t,
                "r.status = 'PROCESSING' AND greatest(r.received_at, r.next_attempt_at) < now() - interval '15 "
                "minutes' OR r.status = 'RECEIVED' AND r.received_at < now() - interval '15 minutes'"));
        t = "seed003.case_command";
        row("case-command", "claims", flow(t, "created_at", "true"));
        row("case-command", "completions", flow(t, "completed_at", "r.status = 'COMPLETED'"));
        row("case-command", "failures_final", flow(t, "completed_at", "r.status = 'FAILED_TERMINAL'"));
        row("case-command", "stale",
            gauge(t, "r.status = 'IN_PROGRESS' AND r.created_at < now() - interval '15 minutes'"));
        t = "seed003.case_transition_command";
        row("case-transition", "claims", flow(t, "created_at", "true"));
        row("case-transition", "completions", flow(t, "completed_at", "r.result_status = 'APPLIED'"));
        row("case-transition", "failures_final", flow(t, "completed_at", "r.result_status = 'REJECTED'"));
        row("case-transition", "stale",
            gauge(t, "r.result_status = 'IN_PROGRESS' AND r.created_at < now() - interval '15 minutes'"));
        t = "seed003.work_item";
        row("work-item", "claims", flow(t, "claimed_at", "true"));
        row("work-item", "in_progress", gauge(t, "r.status = 'PROCESSING'"));
        row("work-item", "stale", gauge(t, "r.status = 'PROCESSING' AND r.lease_until < now()"));
        row("work-item", "oldest_stale",
            gauge(t, "r.status = 'PROCESSING' AND r.lease_until < now()", qPrintable(age("lease_until"))));
        t = "seed003.import_row_result";
        row("import-row", "backlog", gauge(t, "r.status IN ('PENDING', 'FAILED')"));
    }
    void agreesWithASecondSql()
    {
        QFETCH(QString, profile);
        QFETCH(QString, metric);
        QFETCH(QString, sql);
        const auto target = bindTarget(*m_session, shippedProfile(profile).value_or(Profile()));
        QVERIFY2(target.ok(), target.ok() ? "" : qPrintable(target.error().line()));
        QString mine;
        QString theirs;
        // A lease may run out between the two looks: then both are taken again.
        for (int attempt = 0; attempt < 3 && (!alike(mine, theirs) || mine.isEmpty()); ++attempt) {
            TrendRequest request;
            request.metric = metric;
            request.bucket = u"1d"_s;
            request.spanSeconds = 7 * 86'400;
            const auto answer = readTrend(*m_session, *target, request);
            QVERIFY2(answer.ok(), answer.ok() ? "" : qPrintable(answer.error().line() + answer.error().detail));
            const auto &values = answer->series.first().values;
            QStringList texts;
            if (answer->metric.gauge) {
                const double value = values.last().value_or(-1);
                texts += QString::number(
                    answer->metric.unit == TrendUnit::Seconds ? std::round(value / 10) : value, 'f', 0);
            } else {
                for (qsizetype i = values.size() - 7; i < values.size() - 2; ++i) {
                    texts += answer->metric.unit == TrendUnit::Seconds
                        ? QString::number(values.at(i).value_or(-1), 'f', 4)
                        : QString::number(values.at(i).value_or(-1));
                }
            }
            mine = texts.join(u' ');
            theirs = psql(sql);
        }
        QVERIFY2(alike(mine, theirs), qPrintable(u"here %1, by hand %2"_s.arg(mine, theirs)));
        QVERIFY2(mine != u"0 0 0 0 0" || metric == u"failures_retryable"
                || (profile == u"plpgsql-outbox" && metric == u"retries"),
            "the data must not make this empty");
    }
};

QTEST_GUILESS_MAIN(TrendProfilesTest)
#include "tst_trend_profiles.moc"
