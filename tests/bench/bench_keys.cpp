// SPDX-License-Identifier: GPL-3.0-or-later
// Reading keys from a large table: pages beside the same statement on bare libpq, pages at depth beside the first one,
// look-ups of keys, the list of scopes, and the export beside COPY in psql. Arguments: number of rows (10,000,000).
#include "models/filter/filter_parser.h"
#include "sql/keys/key_gateway.h"
#include "sql/profile/binder.h"
#include "sql/profile/profile_json.h"
#include "tests/bench/bench.h"
#include "tests/bench/large_table.h"
#include "tests/support/test_cluster.h"

#include <QElapsedTimer>
#include <QFile>
#include <QProcess>

#include <libpq-fe.h>
#include <memory>

using namespace Qt::StringLiterals;
using namespace idemdesk;

namespace {

constexpr qint64 kAllRows = 10'000'000;
constexpr int kRounds = 21;

void demand(bool condition, const QString &message)
{
    if (!condition) {
        qFatal("%s", qPrintable(message));
    }
}

template <typename T>
T expect(sql::Result<T> result)
{
    demand(result.ok(), result.ok() ? QString() : result.error().line() + u'\n' + result.error().detail);
    return std::move(*result);
}


/// The same statement on bare libpq, and nothing made of its values.
class Bare
{
public:
    explicit Bare(const QString &conninfo)
        : m_connection(PQconnectdb(conninfo.toUtf8().constData()))
    {
        demand(PQstatus(m_connection) == CONNECTION_OK, u"no connection"_s);
        PQclear(PQexec(m_connection, "SET search_path = pg_catalog; SET TimeZone = 'UTC'"));
    }
    ~Bare() { PQfinish(m_connection); }
    Bare(const Bare &) = delete;
    Bare &operator=(const Bare &) = delete;

    int run(const sql::Statement &statement)
    {
        QList<QByteArray> texts;
        QList<const char *> values;
        for (const sql::Cell &cell : statement.binds) {
            texts.append(cell.text.toUtf8());
        }
        for (qsizetype i = 0; i < texts.size(); ++i) {
            values.append(statement.binds.at(i).null ? nullptr : texts.at(i).constData());
        }
        PGresult *result = PQexecParams(m_connection, statement.sql.toUtf8().constData(), static_cast<int>(values.size()), nullptr,
            values.constData(), nullptr, nullptr, 0);
        demand(PQresultStatus(result) == PGRES_TUPLES_OK, QString::fromUtf8(PQerrorMessage(m_connection)));
        const int rows = PQntuples(result);
        PQclear(result);
        return rows;
    }

private:
    PGconn *m_connection;
};

class KeysBench
{
public:
    KeysBench(bench::Report &report, qint64 rows)
        : m_report(report)
        , m_rows(rows)
        , m_cluster(bench::largeTableSettings())
    {
        m_cluster.psqlFile(u"postgres"_s, u"sql/demo/schema_001.sql"_s);
        QElapsedTimer timer;
        timer.start();
        m_cluster.psql(u"postgres"_s, bench::largeTableSql(rows));
        m_report.note(u"app.idempotency_request: %1 rows, loaded in %2 s"_s.arg(rows).arg(timer.elapsed() / 1000));
        sql::ConnectionSettings settings;
        settings.conninfo = m_cluster.conninfo();
        m_session = expect(sql::Session::open(settings, { .statementTimeoutMs = 0 }));
        m_target = expect(sql::bindTarget(*m_session, *sql::shippedProfile(u"plpgsql-request"_s)));
        m_bare = std::make_unique<Bare>(m_cluster.conninfo());
    }

    void run()
    {
        m_report.note(u"server %1"_s.arg(m_session->facts().versionText));
        firstPages();
        depth();
        lookUps();
        scopes();
        exports();
    }

private:
    static sql::Filter parsed(const QString &text)
    {
        return expect(models::parseFilter(text, { { u"scope"_s }, QTimeZone::utc() }));
    }

    sql::PageRequest request(const QString &text) const
    {
        sql::PageRequest out;
        out.filter = parsed(text);
        out.order = u"-created_at"_s;
        return out;
    }

    void readAll(const sql::PageRequest &request)
    {
        demand(!expect(sql::readPage(*m_session, m_target, request)).rows.isEmpty(), u"no rows"_s);
    }

    void firstPages()
    {
        for (const QString &text : { u""_s, u"state:failed_final"_s, u"scope:payments.charge"_s, u"state:stale"_s, u"state:expired attempts>=2"_s }) {
            const sql::PageRequest asked = request(text);
            const sql::Statement statement = expect(sql::pageStatement(m_target, asked));
            const auto times = bench::interleaved({ [&] { readAll(asked); }, [&] { m_bare->run(statement); } }, kRounds);
            const double base = bench::median(times.at(1));
            // At most 1.25 times, plus 5 ms.
            m_report.ratio(u"first page, filter “%1”"_s.arg(text), bench::median(times.at(0)), u"libpq"_s, base, 1.25 + 5.0 / base);
        }
    }

    void depth()
    {
        sql::PageRequest first = request({});
        sql::PageRequest middle = first;
        middle.skip = m_rows / 2;
        middle.limit = 1;
        const sql::KeyRecord row = expect(sql::readPage(*m_session, m_target, middle)).rows.first();
        sql::PageRequest deep = first;
        deep.from = { row.orderValue, row.identity };
        sql::PageRequest back = deep;
        back.backward = true;
        const auto times = bench::interleaved({ [&] { readAll(first); }, [&] { readAll(deep); }, [&] { readAll(back); } }, kRounds);
        m_report.ratio(u"page at row %1"_s.arg(m_rows / 2), bench::median(times.at(1)), u"first page"_s, bench::median(times.at(0)), 2.0);
        m_report.ratio(u"the page before it"_s, bench::median(times.at(2)), u"first page"_s, bench::median(times.at(0)), 2.0);
    }

    void lookUps()
    {
        const QString key = m_cluster.psql(u"postgres"_s, u"SELECT idempotency_key FROM app.idempotency_request OFFSET %1 LIMIT 1"_s.arg(m_rows / 3));
        sql::PageRequest exact = request(u"key:"_s + key);
        sql::PageRequest bare = request(key);
        sql::PageRequest prefix = request(u"key:"_s + key.left(12) + u'*');
        const auto times = bench::interleaved({ [&] { readAll(exact); }, [&] { readAll(bare); }, [&] { readAll(prefix); } }, kRounds);
        m_report.figure(u"one key, scope unknown"_s, bench::median(times.at(0)), u"ms"_s, 10);
        m_report.figure(u"a bare word that is a key"_s, bench::median(times.at(1)), u"ms"_s, 10);
        m_report.figure(u"key prefix, scope unknown"_s, bench::median(times.at(2)), u"ms"_s, 10);
    }

    void scopes()
    {
        qsizetype found = 0;
        const auto times = bench::interleaved({ [&] { found = expect(sql::readScopes(*m_session, m_target, {}, 20, 1'000)).scopes.size(); },
                                                  [&] { expect(sql::readSummary(*m_session, m_target, 10'000)); } }, kRounds);
        m_report.figure(u"list of %1 scopes with bounded counts"_s.arg(found), bench::median(times.at(0)), u"ms"_s, 100);
        m_report.figure(u"summary of the table"_s, bench::median(times.at(1)), u"ms"_s, std::nullopt);
    }

    void exports()
    {
        const QString columns = u"idempotency_scope, idempotency_key, status, (status = 'processing' AND locked_until < now()), expires_at < now(), "
                                "request_hash, status, attempt_count, claimed_by, claimed_at, locked_until, created_at, updated_at, expires_at, "
                                "result_ref_type, result_ref_id, failure_code, left(failure_message, 8192)"_s;
        const QString copy = u"COPY (SELECT %1 FROM app.idempotency_request ORDER BY created_at DESC, idempotency_scope DESC, idempotency_key DESC) "
                             "TO STDOUT (FORMAT csv, HEADER)"_s.arg(columns);
        const auto copied = [&] {
            QProcess process;
            process.setStandardOutputFile(QProcess::nullDevice());
            process.start(app::PrivateCluster::binaryFolder() + u"/psql"_s, { u"-X"_s, u"-q"_s, u"-d"_s, m_cluster.conninfo(), u"-c"_s, copy });
            demand(process.waitForFinished(-1) && process.exitCode() == 0, u"COPY failed"_s);
        };
        const auto exported = [&](sql::ExportFormat format) {
            QFile out(QProcess::nullDevice());
            demand(out.open(QIODevice::WriteOnly), u"no null device"_s);
            const auto done = expect(sql::exportRows(*m_session, m_target, {}, u"-created_at"_s, format, out, nullptr));
            demand(done.rows == m_rows, u"not all rows"_s);
        };
        const auto times = bench::interleaved({ [&] { exported(sql::ExportFormat::Csv); }, copied }, 3, 1);
        // At least 0.7 of COPY's rows a second: at most 1 / 0.7 of its time.
        m_report.ratio(u"export to CSV"_s, bench::median(times.at(0)), u"COPY in psql"_s, bench::median(times.at(1)), 1 / 0.7);
        const auto lines = bench::interleaved({ [&] { exported(sql::ExportFormat::JsonLines); } }, 1, 0);
        m_report.ratio(u"export to JSON Lines, bodies included"_s, bench::median(lines.at(0)), u"COPY in psql"_s, bench::median(times.at(1)), std::nullopt);
    }

    bench::Report &m_report;
    const qint64 m_rows;
    tests::TestCluster m_cluster;
    std::unique_ptr<sql::Session> m_session;
    sql::Target m_target;
    std::unique_ptr<Bare> m_bare;
};

void runKeys(bench::Report &report, const QStringList &arguments)
{
    const qint64 rows = arguments.isEmpty() ? kAllRows : arguments.first().toLongLong();
    demand(rows >= 1000, u"usage: keys [ROWS], at least 1000"_s);
    KeysBench(report, rows).run();
}

const bool registered = bench::add({ u"keys"_s, u"Reading keys from a large table"_s, runKeys });

} // namespace
