// SPDX-License-Identifier: GPL-3.0-or-later
// Reading keys from a large table: pages beside the same statement on bare libpq, pages at depth beside the first one,
// look-ups of keys and lists of scopes; and the export beside COPY in psql. Arguments as LargeServer takes them.
#include "models/filter/filter_parser.h"
#include "models/keys/key_browser.h"
#include "sql/keys/default_order.h"
#include "sql/keys/export_writer.h"
#include "sql/keys/page_reader.h"
#include "sql/keys/scope_reader.h"
#include "sql/keys/spread_reader.h"
#include "sql/keys/summary_reader.h"
#include "sql/lanes/database.h"
#include "sql/profile/binder.h"
#include "sql/profile/profile_json.h"
#include "tests/bench/bench.h"
#include "tests/bench/expect.h"
#include "tests/bench/large_table.h"
#include "tests/support/test_cluster.h"

#include <QEventLoop>
#include <QFile>
#include <QProcess>

#include <libpq-fe.h>
#include <memory>

using namespace Qt::StringLiterals;
using namespace idemdesk;

namespace {

constexpr int kRounds = 21;

using bench::demand;
using bench::expect;

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
        PGresult *result = PQexecParams(m_connection, statement.sql.toUtf8().constData(),
            static_cast<int>(values.size()), nullptr, values.constData(), nullptr, nullptr, 0);
        demand(PQresultStatus(result) == PGRES_TUPLES_OK, QString::fromUtf8(PQerrorMessage(m_connection)));
        const int rows = PQntuples(result);
        PQclear(result);
        return rows;
    }

private:
    PGconn *m_connection;
};

/// The keys page without its widgets: the time from a changed filter until its rows are in the model.
class ThroughModel
{
public:
    ThroughModel(const QString &conninfo, const sql::Target &target)
    {
        sql::ConnectionSettings settings;
        settings.conninfo = conninfo;
        m_database = std::make_unique<sql::Database>(settings);
        QEventLoop loop;
        QObject::connect(m_database.get(), &sql::Database::stateChanged, &loop, [&](sql::LinkState state) {
            if (state == sql::LinkState::Connected) {
                loop.quit();
            }
        });
        m_database->open();
        loop.exec();
        m_browser.setDatabase(m_database.get());
        QObject::connect(
            &m_browser, &models::KeyBrowserController::costWarning, &m_browser, [this] { m_browser.proceed(); });
        untilRows([&] { m_browser.setTarget(target); });
    }
    ~ThroughModel() { m_browser.setDatabase(nullptr); }
    ThroughModel(const ThroughModel &) = delete;
    ThroughModel &operator=(const ThroughModel &) = delete;

    void setOrder(const QString &order)
    {
        if (order != m_browser.order()) {
            untilRows([&] { m_browser.setOrder(order); });
        }
    }

    void filter(const QString &text)
    {
        untilRows([&] { m_browser.setFilterText(text); });
        demand(m_browser.filter().text == text && m_browser.model()->rowCount() > 0, u"another filter's page"_s);
    }

private:
    void untilRows(const std::function<void()> &act)
    {
        QEventLoop loop;
        QObject::connect(m_browser.model(), &models::KeyTableModel::pageLoaded, &loop, &QEventLoop::quit);
        QObject::connect(m_browser.model(), &models::KeyTableModel::failed, &loop,
            [](const sql::Error &error) { demand(false, error.line()); });
        act();
        loop.exec();
        m_browser.cancel(); // its count would keep the server busy while others are measured
    }

    std::unique_ptr<sql::Database> m_database;
    models::KeyBrowserController m_browser;
};

class KeysBench
{
public:
    KeysBench(bench::Report &report, const QStringList &arguments)
        : m_report(report)
        , m_server(report, arguments)
        , m_rows(m_server.rows())
        , m_bare(m_server.conninfo())
    {
        sql::ConnectionSettings settings;
        settings.conninfo = m_server.conninfo();
        m_session = expect(sql::Session::open(settings, { .statementTimeoutMs = 0 }));
        sql::Profile profile = *sql::shippedProfile(u"plpgsql-request"_s);
        m_target = expect(sql::bindTarget(*m_session, profile));
        profile.relation = u"many.idempotency_request"_s;
        m_many = expect(sql::bindTarget(*m_session, profile));
    }

    void reading()
    {
        m_report.note(u"server %1"_s.arg(m_session->facts().versionText));
        firstPages();
        depth();
        lookUps();
        scopes();
        manyScopes();
        spreads();
    }

    void exports()
    {
        const QString columns = u"idempotency_scope, idempotency_key, status, (status = 'processing' AND locked_until "
                                u"< now()), expires_at < now(), "
                                "request_hash, status, attempt_count, claimed_by, claimed_at, locked_until, "
                                "created_at, updated_at, expires_at, "
                                "result_ref_type, result_ref_id, failure_code, left(failure_message, 8192)"_s;
        const QString copy = u"COPY (SELECT %1 FROM app.idempotency_request ORDER BY created_at DESC, "
                             u"idempotency_scope DESC, idempotency_key DESC) "
                             "TO STDOUT (FORMAT csv, HEADER)"_s.arg(columns);
        const auto copied = [&] {
            QProcess process;
            process.setStandardOutputFile(QProcess::nullDevice());
            process.start(app::PrivateCluster::program(u"psql"_s),
                { u"-X"_s, u"-q"_s, u"-d"_s, m_server.conninfo(), u"-c"_s, copy });
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
        m_report.ratio(
            u"export to CSV"_s, bench::median(times.at(0)), u"COPY in psql"_s, bench::median(times.at(1)), 1 / 0.7);
        const auto lines = bench::interleaved({ [&] { exported(sql::ExportFormat::JsonLines); } }, 1, 0);
        m_report.ratio(u"export to JSON Lines, bodies included"_s, bench::median(lines.at(0)), u"COPY in psql"_s,
            bench::median(times.at(1)), std::nullopt);
    }

private:
    static sql::Filter parsed(const QString &text) { return expect(models::parseFilter(text, {})); }

    sql::PageRequest request(const QString &text, const QString &order = {}) const
    {
        sql::PageRequest out;
        out.filter = parsed(text);
        out.order = order;
        return out;
    }

    void readAll(const sql::PageRequest &request)
    {
        demand(!expect(sql::readPage(*m_session, m_target, request)).rows.isEmpty(), u"no rows"_s);
    }

    /// From the change of the filter to the rows in the model: at most 1.25 times bare libpq, plus 5 ms; and at most 10
    /// ms where one index finds the rows and has them in the order of the page.
    void firstPages()
    {
        struct Case {
            QString filter;
            QString order; ///< empty: the default
            bool indexServes = false;
        };
        ThroughModel model(m_server.conninfo(), m_target);
        for (const Case &one : QList<Case> { { u""_s, {}, true }, { u""_s, u"-created_at"_s, true },
                 { u"state:stale"_s, {}, true }, { u"state:expired"_s, {}, true }, { u"age<1h"_s, {}, true },
                 { u"scope:kyc.verify"_s, u"identity"_s, true }, { u"scope:kyc.verify"_s, {}, false },
                 { u"state:failed_final"_s, {}, false }, { u"state:expired attempts>=2"_s, {}, false },
                 { u"scope:kyc.verify state:stale"_s, {}, false }, { u"state:stale"_s, u"-created_at"_s, false } }) {
            const sql::PageRequest asked = request(one.filter, one.order);
            const sql::Statement statement = expect(sql::pageStatement(m_target, asked));
            model.setOrder(one.order);
            const auto times
                = bench::interleaved({ [&] { model.filter(one.filter); }, [&] { m_bare.run(statement); } }, kRounds);
            const double ours = bench::median(times.at(0));
            const double base = bench::median(times.at(1));
            const QString name = u"first page, filter “%1”, order %2"_s.arg(
                one.filter, one.order.isEmpty() ? sql::defaultOrder(m_target, asked.filter) : one.order);
            m_report.ratio(name, ours, u"libpq"_s, base, 1.25 + 5.0 / base);
            if (one.indexServes) {
                m_report.figure(u"  the same, which an index serves"_s, ours, u"ms"_s, 10);
            }
        }
    }

    void depth()
    {
        sql::PageRequest first = request({}, u"-created_at"_s);
        sql::PageRequest middle = first;
        middle.skip = m_rows / 2;
        middle.limit = 1;
        const sql::KeyRecord row = expect(sql::readPage(*m_session, m_target, middle)).rows.first();
        sql::PageRequest deep = first;
        deep.from = { row.orderValue, row.identity };
        sql::PageRequest back = deep;
        back.backward = true;
        const auto times
            = bench::interleaved({ [&] { readAll(first); }, [&] { readAll(deep); }, [&] { readAll(back); } }, kRounds);
        m_report.ratio(u"page at row %1"_s.arg(m_rows / 2), bench::median(times.at(1)), u"first page"_s,
            bench::median(times.at(0)), 2.0);
        m_report.ratio(
            u"the page before it"_s, bench::median(times.at(2)), u"first page"_s, bench::median(times.at(0)), 2.0);
    }

    void lookUps()
    {
        const QString key = expect(m_session->one({ u"SELECT idempotency_key FROM app.idempotency_request OFFSET "_s
                                           + QString::number(m_rows / 3) + u" LIMIT 1"_s,
                                       {} }))
                                .first()
                                .text;
        sql::PageRequest exact = request(u"key:"_s + key);
        sql::PageRequest bare = request(key);
        sql::PageRequest prefix = request(u"key:"_s + key.left(12) + u'*');
        const auto times = bench::interleaved(
            { [&] { readAll(exact); }, [&] { readAll(bare); }, [&] { readAll(prefix); } }, kRounds);
        m_report.figure(u"one key, scope unknown"_s, bench::median(times.at(0)), u"ms"_s, 10);
        m_report.figure(u"a bare word that is a key"_s, bench::median(times.at(1)), u"ms"_s, 10);
        m_report.figure(u"key prefix, scope unknown"_s, bench::median(times.at(2)), u"ms"_s, 10);
    }

    /// As the overview asks for them.
    void scopes()
    {
        constexpr int kPage = 200;
        constexpr qint64 kCap = 10'000;
        qsizetype found = 0;
        const auto times = bench::interleaved(
            { [&] { found = expect(sql::readScopes(*m_session, m_target, {}, kPage, kCap)).scopes.size(); },
                [&] { expect(sql::readSummary(*m_session, m_target, kCap)); } },
            kRounds);
        m_report.figure(
            u"list of %1 scopes with bounded counts by state"_s.arg(found), bench::median(times.at(0)), u"ms"_s, 100);
        m_report.figure(u"summary of the table"_s, bench::median(times.at(1)), u"ms"_s, std::nullopt);
    }

    /// Many scopes page like keys: each page in the time of a list of scopes, whatever its depth.
    void manyScopes()
    {
        constexpr qint64 kCap = 10'000;
        const auto read = [&](const sql::Cells &after, int limit) {
            const auto page = expect(sql::readScopes(*m_session, m_many, after, limit, kCap));
            demand(page.scopes.size() == limit && page.more, u"a page of scopes is not full"_s);
        };
        const sql::Cells middle = expect(
            m_session->all({ u"SELECT idempotency_scope FROM many.idempotency_request ORDER BY 1 OFFSET "_s
                    + QString::number(m_rows / 10) + u" LIMIT 1"_s,
                {} })).first();
        const auto times = bench::interleaved(
            { [&] { read({}, 20); }, [&] { read({}, 200); }, [&] { read(middle, 200); } }, kRounds);
        const qint64 scopes = m_server.manyScopes();
        m_report.figure(
            u"20 of %1 scopes with bounded counts by state"_s.arg(scopes), bench::median(times.at(0)), u"ms"_s, 100);
        m_report.figure(u"200 of %1 scopes, a page of the overview"_s.arg(scopes), bench::median(times.at(1)), u"ms"_s,
            std::nullopt);
        m_report.ratio(u"200 scopes from scope %1 on"_s.arg(scopes / 2), bench::median(times.at(2)), u"the first 200"_s,
            bench::median(times.at(1)), 2.0);
    }

    /// What the strip above the keys costs: of all of them, of a state, of an hour.
    void spreads()
    {
        const auto spread = [&](const QString &filter) {
            expect(sql::readSpread(*m_session, m_target, expect(models::parseFilter(filter, {}))));
        };
        const QStringList filters { {}, u"state:in_progress"_s, u"stale"_s, u"age<1h"_s };
        for (const QString &filter : filters) {
            const auto times = bench::interleaved({ [&] { spread(filter); } }, kRounds);
            m_report.figure(u"strip over time and by age, %1"_s.arg(filter.isEmpty() ? u"all keys"_s : filter),
                bench::median(times.at(0)), u"ms"_s, 500);
        }
    }

    bench::Report &m_report;
    const bench::LargeServer m_server;
    const qint64 m_rows;
    Bare m_bare;
    std::unique_ptr<sql::Session> m_session;
    sql::Target m_target;
    sql::Target m_many; ///< the table of many scopes
};

void runKeys(bench::Report &report, const QStringList &arguments)
{
    KeysBench(report, arguments).reading();
}

void runExport(bench::Report &report, const QStringList &arguments)
{
    KeysBench(report, arguments).exports();
}

const bool registered = bench::add({ u"keys"_s, u"reading keys from a large table"_s, runKeys })
    && bench::add({ u"export"_s, u"exporting all keys of a large table"_s, runExport });

} // namespace
