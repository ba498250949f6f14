// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/audit/audit_controller.h"

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
    for (const Request *told : { &m_reading, &m_verifying, &m_exporting }) {
        connect(told, &Request::changed, this, &AuditController::changed);
    }
}

AuditController::~AuditController() = default;

void AuditController::setDatabase(sql::Database *database)
{
    if (!m_reading.setDatabase(database)) {
        return;
    }
    for (Request *request : { &m_looking, &m_verifying, &m_glancing, &m_exporting }) {
        request->setDatabase(database);
    }
    m_loaded = m_glanced = false;
    m_check.reset();
    m_checkError.reset();
    m_fileError.reset();
    m_model->clear();
    m_head = -1;
    emit changed();
}

const std::optional<sql::Error> &AuditController::error() const
{
    return m_reading.error() ? m_reading.error() : m_checkError ? m_checkError : m_fileError;
}

bool AuditController::filtered() const
{
    return !m_filter.person.isEmpty() || !m_filter.target.isEmpty() || !m_filter.action.isEmpty()
        || !m_filter.what.isEmpty() || !m_filter.text.isEmpty() || m_filter.withinSeconds > 0 || m_filter.since
        || m_filter.until;
}

void AuditController::setFilter(const sql::AuditFilter &filter)
{
    m_filter = filter;
    refresh();
}

void AuditController::refresh()
{
    read(0);
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
    const sql::Database *database = m_looking.database();
    if (database == nullptr || database->state() != sql::LinkState::Connected) {
        return;
    }
    m_looking.ask(
        { sql::LaneKind::Control, kAuditDeadlineMs }, [](sql::Session &session) { return sql::readAnchor(session); },
        [this](const sql::Result<sql::AuditAnchor> &head) {
            if (!head || head->seq == m_head) {
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
    sql::AuditFilter filter = m_filter;
    filter.limit = kTrailPage;
    filter.before = before;
    m_reading.ask(
        { sql::LaneKind::Background, kAuditDeadlineMs },
        [filter](sql::Session &session) { return sql::readAudit(session, filter); },
        [this, before](const sql::Result<QList<sql::AuditRow>> &result) {
            if (!result) {
                m_model->moreFailed();
                return;
            }
            m_loaded = true;
            const bool more = result->size() >= kTrailPage;
            before > 0 ? m_model->append(*result, more) : m_model->replace(*result, more);
        });
}

void AuditController::onChecked(const sql::Result<TrailCheck> &result)
{
    m_checkError = result ? std::nullopt : std::optional(result.error());
    if (result) {
        m_check = *result;
        m_checkedAt = QDateTime::currentDateTimeUtc();
    }
}

void AuditController::verify()
{
    if (verifying()) {
        return;
    }
    m_glancing.drop(); // it would say less than the walk does
    m_verifying.ask(
        { sql::LaneKind::Background, kVerifyDeadlineMs },
        [path = m_anchorPath](sql::Session &session) {
            AnchorStore store(path);
            return checkTrail(session, &store);
        },
        [this](const sql::Result<TrailCheck> &result) { onChecked(result); });
}

void AuditController::glance()
{
    if (m_glancing.database() == nullptr || verifying()) {
        return;
    }
    m_glanced = true;
    m_glancing.ask(
        { sql::LaneKind::Background, kAuditDeadlineMs },
        [path = m_anchorPath](sql::Session &session) {
            AnchorStore store(path);
            return glanceAtTrail(session, &store);
        },
        [this](const sql::Result<TrailCheck> &result) {
            if (result && result->whole() && m_check && m_check->walked) {
                return; // it says less than the walk did
            }
            onChecked(result);
            emit changed();
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
    if (exporting()) {
        return;
    }
    sql::AuditFilter filter = m_filter;
    filter.limit = 0;
    filter.before = 0;
    m_exporting.ask(
        { sql::LaneKind::Background, kVerifyDeadlineMs, false },
        [filter, path, format](sql::Session &session) {
            return writePrivateFile(path, [&](QIODevice &out) { return writeTrail(session, filter, out, format); });
        },
        [this, path](const sql::Result<qint64> &result) {
            m_fileError = result ? std::nullopt : std::optional(result.error());
            emit changed();
            if (result) {
                emit exported(path, *result);
            }
        });
}

} // namespace idemdesk::models

#include "moc_audit_controller.cpp"
