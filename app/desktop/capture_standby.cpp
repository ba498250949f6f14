// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/capture_standby.h"

#include "sql/types/result.h"

#include <QCoreApplication>
#include <QFile>
#include <QProcess>

using namespace Qt::StringLiterals;

namespace idemdesk::app {

namespace {

constexpr int kLoadMs = 60'000;

QString standbyFolder(const QString &name)
{
    return PrivateCluster::defaultFolder(u"capture-%1-%2"_s.arg(name).arg(QCoreApplication::applicationPid()));
}

/// A table of the demo with a few keys in it.
QByteArray standbySql()
{
    QFile schema(u":/idemdesk/demo/schema_001.sql"_s);
    return (schema.open(QIODevice::ReadOnly) ? schema.readAll() : QByteArray())
        + "INSERT INTO app.idempotency_request (idempotency_scope, idempotency_key, request_hash, status, claimed_by, "
          "locked_until, attempt_count, created_at, expires_at) SELECT 'create_order', 'ord-' || 1000 + n, "
          "md5(n::text), (CASE WHEN n <= 7 THEN 'processing' ELSE 'succeeded' END)::app.idempotency_status, "
          "'worker-' || n % 5, CASE WHEN n <= 7 THEN now() - interval '10 minutes' END, 1 + n % 4, "
          "now() - n * interval '7 minutes', now() + interval '1 day' FROM generate_series(1, 400) n; ANALYZE;";
}

} // namespace

CaptureStandby::CaptureStandby()
    : m_primary(standbyFolder(u"primary"_s))
    , m_standby(standbyFolder(u"standby"_s))
{
}

CaptureStandby::~CaptureStandby()
{
    if (m_thread.joinable()) {
        m_end.release();
        m_thread.join();
    }
}

void CaptureStandby::start()
{
    if (!m_thread.joinable()) {
        m_thread = std::thread([this] {
            m_ready = make().ok();
            m_end.acquire();
            m_standby.destroy().ok();
            m_primary.destroy().ok();
        });
    }
}

sql::Result<void> CaptureStandby::make()
{
    TRY(m_primary.initialise({ u"fsync = off"_s, u"wal_level = replica"_s }));
    TRY(m_primary.start(true));
    QProcess psql;
    psql.start(PrivateCluster::program(u"psql"_s),
        { u"-XqAt"_s, u"-v"_s, u"ON_ERROR_STOP=1"_s, u"-d"_s, m_primary.conninfo(u"postgres"_s) });
    psql.write(standbySql());
    psql.closeWriteChannel();
    if (!psql.waitForFinished(kLoadMs) || psql.exitCode() != 0) {
        sql::Error error;
        error.what = QString::fromUtf8(psql.readAllStandardError());
        return error;
    }
    TRY(m_standby.cloneAsStandby(m_primary, { u"hot_standby = on"_s }));
    return m_standby.start(true);
}

} // namespace idemdesk::app
