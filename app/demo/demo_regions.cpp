// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/demo/demo_regions.h"

#include "app/cluster/private_cluster.h"
#include "app/demo/demo_console.h"
#include "app/demo/demo_link.h"
#include "models/keys/private_file.h"

#include <QCoreApplication>
#include <QDeadlineTimer>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QThread>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::app {

using sql::Result;

namespace {

const QStringList kRegions { u"eu"_s, u"us"_s };
constexpr int kReplicationMs = 60'000;

/// Written last: a load that was cut short has none.
constexpr char kMark[] = "idemdesk demo of regions 3";

QByteArray quoted(const QString &text)
{
    return '\'' + text.toUtf8().replace('\'', "''") + '\'';
}

Result<void> runAll(const QString &conninfo, const QByteArrayList &statements)
{
    DemoLink link;
    TRY(link.open(conninfo, "idemdesk demo"));
    for (const QByteArray &statement : statements) {
        TRY(link.run(statement));
    }
    return {};
}

} // namespace

DemoRegions::DemoRegions(const QString &folder, Demo::Life life)
    : m_folder(folder)
    , m_tied(life == Demo::Life::Tied)
{
}

QString DemoRegions::conninfo(const QString &label, const QString &database, const QString &role) const
{
    const PrivateCluster cluster(folderOf(label));
    QString host = cluster.folder();
    host.replace(u'\\', u"\\\\"_s).replace(u'\'', u"\\'"_s);
    // The port is named: the environment may hold another.
    return u"host='%1' port=5432 dbname=%2 user=%3"_s.arg(host, database, role.isEmpty() ? cluster.superuser() : role);
}

bool DemoRegions::running() const
{
    return std::all_of(kRegions.cbegin(), kRegions.cend(),
        [this](const QString &label) { return PrivateCluster(folderOf(label)).running(); });
}

bool DemoRegions::loaded() const
{
    DemoLink link;
    if (!link.open(conninfo(u"us"_s, u"postgres"_s), "idemdesk demo")) {
        return false;
    }
    const auto rows = link.run("SELECT 1 FROM pg_catalog.pg_database d WHERE d.datname = 'demo' AND "
                               "pg_catalog.shobj_description(d.oid, 'pg_database') = $1",
        { QByteArray(kMark) });
    return rows.ok() && !rows->isEmpty();
}

Result<void> DemoRegions::start(const std::function<void(const QString &)> &progress, const std::stop_token &stop)
{
    const bool ran = running();
    auto started = startHere(progress, stop);
    if (!started && !ran) {
        static_cast<void>(this->stop());
    }
    return started;
}

Result<void> DemoRegions::startHere(const std::function<void(const QString &)> &progress, const std::stop_token &stop)
{
    for (const QString &label : kRegions) {
        if (!PrivateCluster(folderOf(label)).running()) {
            progress(QCoreApplication::translate("Demo", "Starting the region %1.").arg(label));
        }
        TRY(startOne(label, stop));
    }
    if (!loaded()) {
        progress(QCoreApplication::translate("Demo", "Making the keys of both regions, and what went wrong in them."));
        // A load that was cut short: a subscription holds its database, and its slot the other one's.
        TRY(destroy());
        for (const QString &label : kRegions) {
            TRY(startOne(label, stop));
            TRY(makeDatabase(label));
        }
        TRY(replicate(stop));
    }
    return writeGroup();
}

Result<void> DemoRegions::startOne(const QString &label, const std::stop_token &stop) const
{
    PrivateCluster cluster(folderOf(label));
    if (!cluster.initialised() || (!cluster.running() && cluster.ofAnotherServer())) {
        // What is lost with a power cut is made again in seconds.
        TRY(cluster.initialise({ u"fsync = off"_s, u"full_page_writes = off"_s, u"synchronous_commit = off"_s,
                                   u"wal_level = logical"_s, u"max_replication_slots = 8"_s, u"max_wal_senders = 8"_s,
                                   u"wal_receiver_status_interval = 1s"_s, u"jit = off"_s, u"max_connections = 40"_s,
                                   u"shared_buffers = '32MB'"_s, u"max_slot_wal_keep_size = '512MB'"_s },
            stop));
    }
    return cluster.start(m_tied, 60'000, stop);
}

/// The same tables and the same console on both sides; the keys in eu alone.
Result<void> DemoRegions::makeDatabase(const QString &label) const
{
    DemoLink maintenance;
    TRY(maintenance.open(conninfo(label, u"postgres"_s), "idemdesk demo"));
    TRY(maintenance.script(demoScript(u"roles"_s)));
    TRY(maintenance.run("CREATE DATABASE demo"));
    DemoLink link;
    TRY(link.open(conninfo(label, u"demo"_s), "idemdesk demo"));
    TRY(link.script(demoScript(u"schema_001"_s) + '\n' + demoScript(u"archive_001"_s)));
    if (label == kRegions.constFirst()) {
        TRY(link.script(demoScript(u"regions_keys"_s) + '\n' + demoScript(u"regions_orders"_s)));
    }
    DemoConsole console({ conninfo(label, u"demo"_s), conninfo(label, u"demo"_s, u"demo_admin"_s),
        conninfo(label, u"demo"_s, u"demo_operator"_s) });
    TRY(console.install());
    return console.registerTables({ u"app"_s });
}

/// Replication brings the keys to us; then they part.
Result<void> DemoRegions::replicate(const std::stop_token &stop) const
{
    const QString eu = conninfo(u"eu"_s, u"demo"_s);
    const QString us = conninfo(u"us"_s, u"demo"_s);
    TRY(runAll(eu, { "CREATE PUBLICATION shop FOR TABLE app.idempotency_request" }));
    TRY(runAll(us,
        { "CREATE PUBLICATION messages FOR TABLE app.processed_message",
            "CREATE SUBSCRIPTION eu_to_us CONNECTION " + quoted(eu) + " PUBLICATION shop" }));
    TRY(runAll(eu,
        { "CREATE SUBSCRIPTION us_to_eu CONNECTION " + quoted(us) + " PUBLICATION messages WITH (copy_data = false)",
            "ALTER SUBSCRIPTION us_to_eu DISABLE" }));
    DemoLink link;
    TRY(link.open(us, "idemdesk demo"));
    const QDeadlineTimer deadline(kReplicationMs);
    for (bool copied = false; !copied;) {
        TRY(const auto rows, link.run("SELECT 1 FROM pg_subscription_rel WHERE srsubstate <> 'r'"));
        copied = rows.isEmpty();
        if (!copied && (stop.stop_requested() || deadline.hasExpired())) {
            return sql::makeError(stop.stop_requested() ? sql::ErrorKind::Cancelled : sql::ErrorKind::Other,
                QCoreApplication::translate("Demo", "The demo of regions was not made."),
                QCoreApplication::translate("Demo", "Replication did not bring the keys in time."));
        }
        QThread::msleep(copied ? 0 : 50);
    }
    TRY(link.script(demoScript(u"regions_us"_s) + '\n' + demoScript(u"regions_orders"_s)));
    TRY(link.run("ANALYZE app.idempotency_request"));
    TRY(link.run(QByteArray("COMMENT ON DATABASE demo IS '") + kMark + '\''));
    return {};
}

Result<void> DemoRegions::writeGroup() const
{
    QJsonArray members;
    for (const QString &label : kRegions) {
        members.append(
            QJsonObject { { u"label"_s, label }, { u"conninfo"_s, conninfo(label, u"demo"_s, u"demo_operator"_s) } });
    }
    const QJsonObject group { { u"idemdesk_group"_s, 1 }, { u"name"_s, u"demo"_s }, { u"kind"_s, u"regions"_s },
        { u"members"_s, members } };
    TRY(models::writePrivateFile(groupFile(), QJsonDocument(group).toJson()));
    return {};
}

Result<void> DemoRegions::stop()
{
    Result<void> stopped;
    for (const QString &label : kRegions) {
        const auto done = PrivateCluster(folderOf(label)).stop(); // the other one all the same
        stopped = done ? stopped : done;
    }
    return stopped;
}

Result<void> DemoRegions::destroy()
{
    TRY(stop());
    for (const QString &label : kRegions) {
        TRY(PrivateCluster(folderOf(label)).destroy());
    }
    QFile::remove(groupFile());
    return {};
}

} // namespace idemdesk::app
