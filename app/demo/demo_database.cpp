// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/demo/demo_database.h"

#include "app/demo/demo_cache.h"
#include "app/demo/demo_console.h"
#include "app/demo/demo_link.h"
#include "app/demo/demo_plan.h"
#include "sql/console/console_schema.h"
#include "sql/profile/profile_json.h"

#include <QCoreApplication>
#include <QCryptographicHash>
#include <QDir>
#include <future>

using namespace Qt::StringLiterals;

namespace idemdesk::app {

using sql::Error;
using sql::Result;

namespace {

const QStringList kShop { u"app"_s };
const QStringList kOthers { u"seed000"_s, u"seed002"_s, u"seed003"_s };

/// The files as one script: one transaction, with one now(). Tables made in the transaction that fills them are
/// cheapest.
QByteArray scriptOf(const QStringList &files)
{
    QByteArray script;
    for (const QString &file : files) {
        script += demoScript(file) + '\n';
    }
    return script;
}

/// Of all that a load is made from, so that an older program's load is not taken for a current one.
QByteArray mark()
{
    QCryptographicHash hash(QCryptographicHash::Sha256);
    const QFileInfoList files = QDir(u":/idemdesk/demo"_s).entryInfoList({ u"*.sql"_s }, QDir::Files, QDir::Name);
    for (const QFileInfo &file : files) {
        hash.addData(demoScript(file.completeBaseName()));
    }
    hash.addData(sql::consoleScript(0).toUtf8());
    hash.addData("1" + DemoCache::key().toUtf8()); // of what DemoConsole adds to profiles
    for (const sql::Profile &profile : sql::offeredProfiles()) {
        hash.addData(sql::profileToJson(profile));
    }
    return hash.result().toHex();
}

} // namespace

DemoDatabase::DemoDatabase(QString folder, QString superuser)
    : m_folder(std::move(folder))
    , m_superuser(std::move(superuser))
{
}

QString DemoDatabase::conninfo(const QString &database, const QString &role) const
{
    QString host = m_folder;
    host.replace(u'\\', u"\\\\"_s).replace(u'\'', u"\\'"_s);
    // The port is named: the environment may hold another.
    return u"host='%1' port=5432 dbname=%2 user=%3"_s.arg(host, database, role);
}

bool DemoDatabase::loaded(int maximumAgeHours) const
{
    DemoLink link;
    if (!link.open(conninfo(u"postgres"_s, m_superuser), "idemdesk demo")) {
        return false;
    }
    // The remark is written last: a load that was cut short has none.
    const auto rows = link.run(
        "SELECT 1 FROM pg_catalog.pg_database AS d"
        " CROSS JOIN LATERAL regexp_match(pg_catalog.shobj_description(d.oid, 'pg_database'),"
        " '^idemdesk demo (\\w+) (.+)$') AS m"
        " WHERE d.datname = 'demo' AND m[1] = $1 AND m[2]::timestamptz > now() - make_interval(hours => $2::integer)",
        { mark(), QByteArray::number(maximumAgeHours) });
    return rows.ok() && !rows->isEmpty();
}

DemoDatabase::Steps DemoDatabase::addSteps(DemoPlan &plan)
{
    Steps steps;
    steps.shop = plan.add(
        QCoreApplication::translate("Demo", "Making a month of a shop: its keys, orders, events and messages."));
    steps.others
        = plan.add(QCoreApplication::translate("Demo", "Making a month of payments, charges and a case office."));
    steps.console = plan.add(QCoreApplication::translate("Demo", "Installing the console schema."));
    steps.othersRegistered = plan.add(QCoreApplication::translate(
        "Demo", "Registering the tables of payments, charges and cases, with a month of samples."));
    steps.shopRegistered
        = plan.add(QCoreApplication::translate("Demo", "Registering the shop's tables, with a month of samples."));
    return steps;
}

Result<void> DemoDatabase::load(DemoPlan &plan, const Steps &steps) const
{
    TRY(makeDatabase());
    std::future<Result<void>> shop;
    // Whether there is a console to register the shop with. Gone before the shop is waited for, whatever is thrown.
    std::promise<bool> installed;
    shop = std::async(
        std::launch::async, [this, &plan, &steps, ready = installed.get_future()]() mutable -> Result<void> {
            TRY(makeShop(plan, steps));
            return ready.get() ? registerShop(plan, steps) : Result<void>();
        });
    auto others = makeOthers(plan, steps);
    if (others) {
        others = installConsole(plan, steps);
    }
    installed.set_value(others.ok());
    if (others) {
        others = registerOthers(plan, steps);
    }
    const auto made = shop.get();
    TRY(others);
    TRY(made);
    DemoLink link;
    TRY(link.open(conninfo(u"demo"_s, m_superuser), "idemdesk demo"));
    TRY(link.run("DO $body$ BEGIN EXECUTE format('COMMENT ON DATABASE demo IS %L', 'idemdesk demo " + mark()
        + " ' || now()); END $body$"));
    return {};
}

Result<void> DemoDatabase::makeDatabase() const
{
    DemoLink maintenance;
    if (auto opened = maintenance.open(conninfo(u"postgres"_s, m_superuser), "idemdesk demo"); !opened) {
        return opened;
    }
    if (auto made = maintenance.script(demoScript(u"roles"_s)); !made) {
        return made;
    }
    for (const char *statement : { "DROP DATABASE IF EXISTS demo WITH (FORCE)", "CREATE DATABASE demo" }) {
        TRY(maintenance.run(statement));
    }
    return {};
}

Result<void> DemoDatabase::makeShop(DemoPlan &plan, const Steps &steps) const
{
    plan.begin(steps.shop);
    DemoLink link;
    TRY(link.open(conninfo(u"demo"_s, m_superuser), "idemdesk demo"));
    TRY(link.script(scriptOf({ u"history_common"_s, u"schema_001"_s, u"history_001"_s, u"archive_001"_s })));
    plan.end(steps.shop);
    return {};
}

Result<void> DemoDatabase::registerShop(DemoPlan &plan, const Steps &steps) const
{
    plan.begin(steps.shopRegistered);
    DemoConsole shop = console();
    TRY(shop.registerTables(kShop));
    TRY(shop.addSamples(kShop));
    TRY(shop.addPast());
    plan.end(steps.shopRegistered);
    return {};
}

Result<void> DemoDatabase::makeOthers(DemoPlan &plan, const Steps &steps) const
{
    plan.begin(steps.others);
    DemoLink link;
    TRY(link.open(conninfo(u"demo"_s, m_superuser), "idemdesk demo"));
    TRY(link.script(scriptOf({ u"history_common"_s, u"schema_000"_s, u"history_000"_s, u"schema_002"_s,
        u"history_002"_s, u"schema_003"_s, u"history_003"_s })));
    plan.end(steps.others);
    return {};
}

Result<void> DemoDatabase::installConsole(DemoPlan &plan, const Steps &steps) const
{
    plan.begin(steps.console);
    DemoConsole installed = console();
    TRY(installed.install());
    TRY(installed.makeSpans());
    plan.end(steps.console);
    return {};
}

Result<void> DemoDatabase::registerOthers(DemoPlan &plan, const Steps &steps) const
{
    plan.begin(steps.othersRegistered);
    DemoConsole others = console();
    TRY(others.registerTables(kOthers));
    TRY(others.addSamples(kOthers));
    plan.end(steps.othersRegistered);
    return {};
}

DemoConsole DemoDatabase::console() const
{
    return DemoConsole(
        { conninfo(u"demo"_s, m_superuser), conninfo(u"demo"_s, u"demo_admin"_s), consoleConninfo(), true });
}

} // namespace idemdesk::app
