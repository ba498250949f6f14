// SPDX-License-Identifier: GPL-3.0-or-later
// A page of keys merged over three members, beside the same page of one. Argument: number of rows a member
// (10,000,000). The members are three databases of one server, so that no member is read on a processor of its own.
#include "models/groups/group_keys.h"
#include "models/groups/group_session.h"
#include "tests/bench/bench.h"
#include "tests/bench/large_table.h"
#include "tests/support/test_cluster.h"

#include <QEventLoop>
#include <memory>

using namespace Qt::StringLiterals;
using namespace idemdesk;

namespace {

constexpr int kRounds = 15;
constexpr double kBudget = 2;

using bench::demand;

class GroupBench
{
public:
    GroupBench(bench::Report &report, const QStringList &arguments)
        : m_report(report)
        , m_rows(arguments.isEmpty() ? 10'000'000 : arguments.first().toLongLong())
        , m_cluster(std::make_unique<tests::TestCluster>(bench::largeTableSettings()))
    {
        demand(m_rows >= 1'000, u"a number of rows, at least 1000"_s);
        m_cluster->createDatabase(u"m0"_s);
        m_cluster->psqlFile(u"m0"_s, u"sql/demo/schema_001.sql"_s);
        m_cluster->psql(u"m0"_s, bench::largeTableSql(m_rows));
        m_cluster->psql(u"m0"_s, u"VACUUM ANALYZE"_s);
        m_cluster->createDatabase(u"m1"_s, u"TEMPLATE m0 STRATEGY file_copy"_s);
        m_cluster->createDatabase(u"m2"_s, u"TEMPLATE m0 STRATEGY file_copy"_s);
    }

    void run()
    {
        m_report.note(u"%1 rows a member, three databases of one server"_s.arg(m_rows));
        const Members one(group(1));
        const Members three(group(3));
        for (const QString &filter : { QString(), u"state:failed_final"_s }) {
            const auto times
                = bench::interleaved({ [&] { three.readPage(filter); }, [&] { one.readPage(filter); } }, kRounds);
            m_report.ratio(u"merged page, %1"_s.arg(filter.isEmpty() ? u"no filter"_s : filter),
                bench::median(times.at(0)), u"the same page of one member"_s, bench::median(times.at(1)), kBudget);
        }
    }

private:
    /// The keys of some members, which stay connected.
    struct Members {
        explicit Members(models::GroupPlaces places)
            : session(std::make_unique<models::GroupSession>(std::move(places), nullptr, QString()))
            , keys(std::make_unique<models::GroupKeysModel>(session.get()))
        {
            QEventLoop loop;
            QObject::connect(session.get(), &models::GroupSession::memberChanged, &loop, [&] {
                if (session->answeredCount() == session->size()) {
                    loop.quit();
                }
            });
            session->open();
            loop.exec();
        }
        void readPage(const QString &filter) const
        {
            QEventLoop loop;
            QObject::connect(keys.get(), &models::GroupKeysModel::changed, &loop, [this, &loop] {
                if (!keys->busy()) {
                    loop.quit();
                }
            });
            demand(keys->ask(u"plpgsql-request"_s, filter).ok(), u"a filter that can be read"_s);
            if (keys->busy()) {
                loop.exec();
            }
            demand(keys->rowCount() == models::GroupKeysModel::kPage && keys->answered() == session->size(),
                u"a full page of all members"_s);
        }

        std::unique_ptr<models::GroupSession> session;
        std::unique_ptr<models::GroupKeysModel> keys;
    };

    models::GroupPlaces group(int members) const
    {
        QList<models::GroupPlace> places;
        for (int i = 0; i < members; ++i) {
            const QString name = u"m%1"_s.arg(i);
            models::GroupPlace place;
            place.label = name;
            place.settings.conninfo = m_cluster->conninfo(name);
            places += place;
        }
        return { u"bench"_s, sql::GroupKind::Shards, places };
    }

    bench::Report &m_report;
    const qint64 m_rows;
    std::unique_ptr<tests::TestCluster> m_cluster;
};

void runGroup(bench::Report &report, const QStringList &arguments)
{
    GroupBench(report, arguments).run();
}

const bool registered
    = bench::add({ u"group"_s, u"a page of keys merged over three members, beside one member's"_s, runGroup });

} // namespace
