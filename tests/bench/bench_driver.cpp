// SPDX-License-Identifier: GPL-3.0-or-later
// A page of 200 rows through QSqlQuery on PgDriver, beside bare libpq and Qt's stock driver: the same
// statement with one bound value, and all values as QStrings at the end. For libpq also without making
// anything of the values.
#include "sql/driver/pg_driver.h"
#include "tests/bench/bench.h"
#include "tests/support/fault_proxy.h"
#include "tests/support/test_cluster.h"

#include <QSqlDatabase>
#include <QSqlError>
#include <QSqlQuery>

#include <libpq-fe.h>
#include <memory>

using namespace Qt::StringLiterals;
using namespace idemdesk;

namespace {

constexpr int pageRows = 200;
constexpr int columns = 16;

using Page = QList<QStringList>;

void demand(bool condition, const QString &message)
{
    if (!condition) {
        qFatal("%s", qPrintable(message));
    }
}

const QString makeTable = uR"(
CREATE TABLE request (
    scope text NOT NULL, key text NOT NULL, hash text NOT NULL, status text NOT NULL, attempts integer NOT NULL,
    owner text, claimed_at timestamptz, lease_until timestamptz, created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL, expires_at timestamptz NOT NULL, result_type text, result_id uuid,
    response jsonb, error_code text, error_message text, PRIMARY KEY (scope, key));
INSERT INTO request
SELECT 'scope-' || g % 12, 'key-' || md5(g::text), md5('h' || g), (ARRAY['processing','succeeded','failed'])[1 + g % 3], g % 4,
    'worker-' || g % 9, now() - g * interval '1 s', now() - (g - 30) * interval '1 s', now() - g * interval '1.1 s',
    now() - g * interval '1 s', now() + interval '7 days' - g * interval '1 s', 'order',
    md5('r' || g)::uuid, jsonb_build_object('order', g, 'total', g * 1.25, 'state', 'accepted'), NULL, NULL
FROM generate_series(1, 100000) g;
CREATE INDEX ON request (created_at DESC);
VACUUM ANALYZE request;)"_s;

const QString pageSql
    = u"SELECT * FROM request WHERE created_at <= %1::timestamptz ORDER BY created_at DESC LIMIT 200"_s;
const QString newest = u"2100-01-01 00:00:00+00"_s;

Page pageOf(QSqlDatabase &db, const QString &sql)
{
    Page page;
    page.reserve(pageRows);
    QSqlQuery query(db);
    query.setForwardOnly(true);
    query.prepare(sql);
    query.addBindValue(newest);
    demand(query.exec(), query.lastError().text());
    while (query.next()) {
        QStringList row;
        row.reserve(columns);
        for (int i = 0; i < columns; ++i) {
            row.append(query.value(i).toString());
        }
        page.append(std::move(row));
    }
    demand(!query.lastError().isValid() && page.size() == pageRows, u"not a whole page"_s);
    return page;
}

Page pageOf(PGconn *connection, bool texts)
{
    const QByteArray sql = pageSql.arg(u"$1"_s).toUtf8();
    const QByteArray value = newest.toUtf8();
    const char *values[] { value.constData() };
    PGresult *result = PQexecParams(connection, sql.constData(), 1, nullptr, values, nullptr, nullptr, 0);
    demand(PQntuples(result) == pageRows, u"not a whole page"_s);
    Page page;
    if (texts) {
        page.reserve(pageRows);
        for (int row = 0; row < pageRows; ++row) {
            QStringList cells;
            cells.reserve(columns);
            for (int i = 0; i < columns; ++i) {
                cells.append(QString::fromUtf8(PQgetvalue(result, row, i), PQgetlength(result, row, i)));
            }
            page.append(std::move(cells));
        }
    }
    PQclear(result);
    return page;
}

/// The three ways to the same server.
class Ways
{
public:
    Ways(const QString &folder, const QString &user, const QString &name)
        : m_name(name)
    {
        const QString conninfo = u"host=%1 user=%2 dbname=postgres"_s.arg(folder, user);
        m_bare = PQconnectdb((conninfo + u" client_encoding=UTF8"_s).toUtf8().constData());
        demand(PQstatus(m_bare) == CONNECTION_OK, QString::fromUtf8(PQerrorMessage(m_bare)));
        auto *driver = new sql::PgDriver;
        demand(driver->openConninfo(conninfo, {}, {}, QDeadlineTimer(10'000)), driver->lastFailure().message);
        m_ours = QSqlDatabase::addDatabase(driver, name + u"-ours"_s);
        m_stock = QSqlDatabase::addDatabase(u"QPSQL"_s, name + u"-stock"_s);
        m_stock.setHostName(folder);
        m_stock.setUserName(user);
        m_stock.setDatabaseName(u"postgres"_s);
        demand(m_stock.open(), m_stock.lastError().text());
    }
    ~Ways()
    {
        PQfinish(m_bare);
        m_ours = {};
        m_stock = {};
        QSqlDatabase::removeDatabase(m_name + u"-ours"_s);
        QSqlDatabase::removeDatabase(m_name + u"-stock"_s);
    }
    Ways(const Ways &) = delete;
    Ways &operator=(const Ways &) = delete;

    std::function<void()> bare(bool texts)
    {
        return [this, texts] { pageOf(m_bare, texts); };
    }
    std::function<void()> ours()
    {
        return [this] { pageOf(m_ours, pageSql.arg(u"$1"_s)); };
    }
    std::function<void()> stock()
    {
        return [this] { pageOf(m_stock, pageSql.arg(u"?"_s)); };
    }
    void checkSame() { demand(pageOf(m_bare, true) == pageOf(m_ours, pageSql.arg(u"$1"_s)), u"the pages differ"_s); }

private:
    QString m_name;
    PGconn *m_bare = nullptr;
    QSqlDatabase m_ours;
    QSqlDatabase m_stock;
};

void run(bench::Report &report, const QStringList & /*arguments*/)
{
    tests::TestCluster cluster;
    cluster.psql(u"postgres"_s, makeTable);
    const QString user = cluster.cluster().superuser();
    const QString ours = u"page of 200 through QSqlQuery on PgDriver"_s;
    {
        Ways ways(cluster.cluster().folder(), user, u"near"_s);
        ways.checkSame();
        const auto times
            = bench::interleaved({ ways.ours(), ways.bare(true), ways.bare(false), ways.stock() }, 601, 50);
        const auto at = [&](int i) { return bench::median(times.at(i)); };
        report.ratio(ours, at(0), u"bare libpq, into QStrings"_s, at(1), 1.15);
        report.ratio(ours, at(0), u"Qt's stock driver"_s, at(3), 1.0);
        report.ratio(ours, at(0), u"bare libpq, values untouched"_s, at(2), std::nullopt);
    }
    {
        tests::FaultProxy proxy(cluster.cluster().folder());
        Ways ways(proxy.folder(), user, u"far"_s);
        proxy.setDelay(20);
        const auto times = bench::interleaved({ ways.ours(), ways.bare(true), ways.stock() }, 21, 1);
        const auto at = [&](int i) { return bench::median(times.at(i)); };
        report.ratio(u"the same, 20 ms away each way"_s, at(0), u"Qt's stock driver"_s, at(2), 0.45);
        report.ratio(u"the same, 20 ms away each way"_s, at(0), u"bare libpq, into QStrings"_s, at(1), std::nullopt);
    }
    report.note(
        u"16 columns, one bound value, 100,000 rows, an index serves the order; interleaved, medians of 601 and 21"_s);
}

const bool registered
    = bench::add({ u"driver"_s, u"a page through the driver, beside libpq and the stock driver"_s, run });

} // namespace
