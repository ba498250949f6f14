// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cache/cache_controller.h"

#include "sql/cache/cache_comparison.h"
#include "sql/lanes/database.h"

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

constexpr int kCacheDeadlineMs = 180'000;

} // namespace

CacheController::CacheController(QObject *parent)
    : QObject(parent)
    , m_list(new CacheList(this))
{
    connect(&m_comparing, &Request::changed, this, &CacheController::changed);
}

void CacheController::setDatabase(sql::Database *database)
{
    if (m_comparing.setDatabase(database)) {
        forget();
    }
}

void CacheController::setTarget(const sql::Target &target)
{
    if (target.relation.sql != m_target.relation.sql || target.profile.name != m_target.profile.name) {
        m_comparing.drop();
        m_comparing.clearError();
        forget();
    }
    m_target = target;
}

void CacheController::forget()
{
    m_report.reset();
    m_readAt = {};
    m_list->setFindings({});
    emit changed();
}

void CacheController::compare(const QString &url, const QString &password)
{
    const auto address = sql::cacheAddress(url);
    if (!address) {
        m_comparing.fail(address.error());
        return;
    }
    const auto job
        = [address = *address, password, target = m_target](sql::Session &session) -> sql::Result<sql::CacheReport> {
        sql::RedisSession::Options options;
        options.password = password;
        options.stop = [&session] { return session.cancelled(); };
        TRY(const auto cache, sql::RedisSession::open(address, options));
        return sql::compareCache(session, *cache, target, {});
    };
    m_comparing.ask({ sql::LaneKind::Background, kCacheDeadlineMs, false }, job,
        [this](const sql::Result<sql::CacheReport> &report) {
            if (report) {
                m_report = *report;
                m_readAt = QDateTime::currentDateTimeUtc();
                m_list->setFindings(report->findings);
            }
        });
}

void CacheController::drop(const QByteArray &entry)
{
    if (!m_report) {
        return;
    }
    m_report->findings.removeIf([this, &entry](const sql::CacheFinding &finding) {
        const bool gone = finding.entry.name == entry;
        if (gone && --m_report->counts[finding.kind] <= 0) {
            m_report->counts.remove(finding.kind);
        }
        return gone;
    });
    m_list->setFindings(m_report->findings);
    emit changed();
}

} // namespace idemdesk::models

#include "moc_cache_controller.cpp"
