// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/audit/audit_controller.h"

#include "models/async.h"
#include "models/keys/private_file.h"
#include "sql/audit/audit_gateway.h"
#include "sql/lanes/database.h"

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

constexpr int kTrailPage = 200;
constexpr int kAuditDeadlineMs = 30'000;
constexpr int kWatchMs = 2'000; // one row of one table
constexpr int kVerifyDeadlineMs = 600'000; // about 0.4 s for each 100,000 rows

} // namespace

AuditController::AuditController(QString anchorPath, QObject *parent)
    : QObject(parent)
    , m_anchorPath(std::move(anchorPath))
    , m_model(new AuditModel(this))
{
    connect(m_model, &AuditModel::moreWanted, this, [this] { read(m_model->rows().constLast().seq); });
    connect(&m_watch, &QTimer::timeout, this, &AuditController::lookForNewer);
}

AuditController::~AuditController() = default;

void AuditController::setDatabase(sql::Database *database)
{
    if (m_database == database) {
        return;
    }
    m_database = database;
    ++m_ticket;
    ++m_connection;
    m_busy = m_loaded = m_glanced = m_verifying = m_exporting = false;
    m_check.reset();
    m_error.reset();
    m_checkError.reset();
    m_fileError.reset();
    m_model->clear();
    m_head = -1;
    emit changed();
}

bool AuditController::filtered() const
{
    return !m_filter.person.isEmpty() || !m_filter.target.isEmpty() || !m_filter.action.isEmpty() || !m_filter.what.isEmpty() || !m_filter.text.isEmpty()
        || m_filter.withinSeconds > 0 || m_filter.since || m_filter.until;
}

void AuditController::setFilter(const sql::AuditFilter &filter)
{
    m_filter = filter;
    refresh();
}

void AuditController::refresh()
{
    if (m_database != nullptr) {
        read(0);
    }
}

void AuditController::setWatched(bool watched)
{
    if (watched == m_watch.isActive()) {
        return;
    }
    if (watched) {
        m_watch.start(kWatchMs);
        lookForNewer();
    } else {
        m_watch.stop();
    }
}

/// On the control lane, so that no long reading keeps it waiting. What fails here is said by the readings themselves.
void AuditController::lookForNewer()
{
    if (m_database == nullptr || m_database->state() != sql::LinkState::Connected) {
        return;
    }
    auto future = m_database->run(sql::LaneKind::Control, { u"audit-head"_s, kAuditDeadlineMs, true }, [](sql::Session &session) { return sql::readAnchor(session); });
    whenDone(future, this, [this, connection = m_connection](const sql::Result<sql::AuditAnchor> &head) {
        if (connection != m_connection || !head || head->seq == m_head) {
            return;
        }
        m_head = head->seq;
        if (m_loaded) {
            refresh();
        }
        emit grown();
    });
}

void AuditController::read(qint64 before)
{
    if (m_database == nullptr) {
        return;
    }
    m_busy = true;
    ++m_ticket;
    sql::AuditFilter filter = m_filter;
    filter.limit = kTrailPage;
    filter.before = before;
    auto future = m_database->run(sql::LaneKind::Background, { u"audit"_s, kAuditDeadlineMs, true },
        [filter](sql::Session &session) { return sql::readAudit(session, filter); });
    whenDone(future, this, [this, before, ticket = m_ticket](const sql::Result<QList<sql::AuditRow>> &result) {
        if (ticket != m_ticket) {
            return;
        }
        m_busy = false;
        if (!result) {
            m_error = result.error();
            m_model->setMoreFailed();
        } else {
            m_error.reset();
            m_loaded = true;
            const bool more = result->size() >= kTrailPage;
            before > 0 ? m_model->append(*result, more) : m_model->replace(*result, more);
        }
        emit changed();
    });
    emit changed();
}

void AuditController::onChecked(const sql::Result<TrailCheck> &result)
{
    m_checkError = result ? std::nullopt : std::optional(result.error());
    if (result) {
        m_check = *result;
    }
    emit changed();
}

void AuditController::verify()
{
    if (m_database == nullptr || m_verifying) {
        return;
    }
    m_verifying = true;
    auto future = m_database->run(sql::LaneKind::Background, { u"audit-verify"_s, kVerifyDeadlineMs, true },
        [path = m_anchorPath](sql::Session &session) {
            AnchorStore store(path);
            return checkTrail(session, &store);
        });
    whenDone(future, this, [this, connection = m_connection](const sql::Result<TrailCheck> &result) {
        if (connection == m_connection) {
            m_verifying = false;
            onChecked(result);
        }
    });
    emit changed();
}

void AuditController::glance()
{
    if (m_database == nullptr || m_verifying) {
        return;
    }
    m_glanced = true;
    auto future = m_database->run(sql::LaneKind::Background, { u"audit-glance"_s, kAuditDeadlineMs, true }, [path = m_anchorPath](sql::Session &session) {
        AnchorStore store(path);
        return glanceAtTrail(session, &store);
    });
    whenDone(future, this, [this, connection = m_connection](const sql::Result<TrailCheck> &result) {
        if (connection != m_connection || m_verifying || (!result && result.error().kind == sql::ErrorKind::Superseded)) {
            return;
        }
        if (result && result->whole() && m_check && m_check->walked) {
            return; // it says less than the walk did
        }
        onChecked(result);
    });
}

void AuditController::acceptHead()
{
    if (!m_check || m_check->continues()) {
        return;
    }
    const auto kept = AnchorStore(m_anchorPath).keep(m_check->head);
    m_fileError = kept ? std::nullopt : std::optional(kept.error());
    m_check.reset();
    emit changed();
    glance();
}

void AuditController::exportTo(const QString &path, AuditFormat format)
{
    if (m_database == nullptr || m_exporting) {
        return;
    }
    m_exporting = true;
    sql::AuditFilter filter = m_filter;
    filter.limit = 0;
    filter.before = 0;
    auto future = m_database->run(sql::LaneKind::Background, { u"audit-export"_s, kVerifyDeadlineMs, false },
        [filter, path, format](sql::Session &session) {
            return writePrivateFile(path, [&](QIODevice &out) { return writeTrail(session, filter, out, format); });
        });
    whenDone(future, this, [this, path, connection = m_connection](const sql::Result<qint64> &result) {
        if (connection != m_connection) {
            return;
        }
        m_exporting = false;
        m_fileError = result ? std::nullopt : std::optional(result.error());
        emit changed();
        if (result) {
            emit exported(path, *result);
        }
    });
    emit changed();
}

} // namespace idemdesk::models

#include "moc_audit_controller.cpp"
