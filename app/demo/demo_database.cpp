// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/demo/demo_database.h"

#include "app/demo/demo_console.h"
#include "app/demo/pg_link.h"

#include <QCoreApplication>
#include <QFile>

using namespace Qt::StringLiterals;

namespace idemdesk::app {

using sql::Error;
using sql::Result;

namespace {

/// Raised whenever a schema or history file changes, so that an older load is not taken for a current one.
constexpr int kVersion = 3;

QByteArray resource(const QString &name)
{
    QFile file(u":/idemdesk/demo/"_s + name + u".sql"_s);
    const bool opened = file.open(QIODevice::ReadOnly);
    Q_ASSERT(opened);
    return opened ? file.readAll() : QByteArray();
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
    PgLink link;
    if (!link.open(conninfo(u"postgres"_s, m_superuser), "idemdesk demo")) {
        return false;
    }
    // The remark is written last: a load that was cut short has none.
    const auto rows = link.run("SELECT 1 FROM pg_catalog.pg_database AS d"
                               " CROSS JOIN LATERAL regexp_match(pg_catalog.shobj_description(d.oid, 'pg_database'),"
                               " '^idemdesk demo (\\d+) (.+)$') AS m"
                               " WHERE d.datname = 'demo' AND m[1] = $1 AND m[2]::timestamptz > now() - make_interval(hours => $2::integer)",
        { QByteArray::number(kVersion), QByteArray::number(maximumAgeHours) });
    return rows.ok() && !rows->isEmpty();
}

Result<void> DemoDatabase::load(const std::function<void(const QString &)> &progress) const
{
    PgLink maintenance;
    if (const auto opened = maintenance.open(conninfo(u"postgres"_s, m_superuser), "idemdesk demo"); !opened) {
        return opened.error();
    }
    for (const char *statement : { "DROP DATABASE IF EXISTS demo WITH (FORCE)", "CREATE DATABASE demo" }) {
        if (const auto done = maintenance.run(statement); !done) {
            return done.error();
        }
    }
    PgLink link;
    if (const auto opened = link.open(conninfo(u"demo"_s, m_superuser), "idemdesk demo"); !opened) {
        return opened.error();
    }
    if (progress) {
        progress(QCoreApplication::translate("Demo", "Making the demo's tables and 30 days of history."));
    }
    // One script is one transaction, with one now().
    for (const QString &file : { u"schema_000"_s, u"schema_001"_s, u"schema_002"_s, u"schema_003"_s, u"roles"_s,
             u"history_common"_s, u"history_000"_s, u"history_001"_s, u"history_002"_s, u"history_003"_s }) {
        if (const auto done = link.script(resource(file)); !done) {
            Error error = done.error();
            error.where = file + u".sql"_s;
            return error;
        }
    }
    if (const auto done = link.run("ANALYZE"); !done) {
        return done.error();
    }
    if (progress) {
        progress(QCoreApplication::translate("Demo", "Installing the console schema and registering the tables."));
    }
    if (const auto done = installDemoConsole({ conninfo(u"demo"_s, m_superuser), conninfo(u"demo"_s, u"demo_admin"_s), consoleConninfo() });
        !done) {
        return done.error();
    }
    if (const auto done = link.run("DO $body$ BEGIN EXECUTE format('COMMENT ON DATABASE demo IS %L', 'idemdesk demo "
                + QByteArray::number(kVersion) + " ' || now()); END $body$");
        !done) {
        return done.error();
    }
    return {};
}

} // namespace idemdesk::app
