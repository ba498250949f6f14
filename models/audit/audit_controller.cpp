// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/audit/audit_controller.h"

#include "models/async.h"
#include "sql/lanes/database.h"

#include <QSaveFile>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

constexpr int kPage = 200;
constexpr int kMostExported = 1'000'000;
constexpr int kDeadlineMs = 30'000;
constexpr int kVerifyDeadlineMs = 600'000; // about 0.4 s for each 100,000 rows

} // namespace

AuditController::AuditController(QString anchorPath, QObject *parent)
    : QObject(parent)
    , m_anchorPath(std::move(anchorPath))
    , m_model(new AuditModel(this))
{
    connect(m_model, &AuditModel::moreWanted, this, &AuditController::readMore);
}

AuditController::~AuditController() = default;

void AuditController::setDatabase(sql::Database *database)
{
    if (m_database == database) {
        return;
    }
    m_database = database;
    ++m_ticket;
    m_busy = m_loaded = m_verifying = false;
    m_check.reset();
    m_error.reset();
    m_model->clear();
    emit changed();
}

void AuditController::setFilter(const sql::AuditFilter &filter)
{
    m_filter = filter;
    refresh();
}

void AuditController::refresh()
{
    if (m_database == nullptr) {
        return;
    }
    ++m_ticket;
    m_model->clear();
    readMore();
}

void AuditController::readMore()
{
    if (m_database == nullptr) {
        return;
    }
    m_busy = true;
    sql::AuditFilter filter = m_filter;
    filter.limit = kPage;
    filter.before = m_model->rows().isEmpty() ? 0 : m_model->rows().constLast().seq;
    auto future = m_database->run(sql::LaneKind::Background, { u"audit"_s, kDeadlineMs, true },
        [filter](sql::Session &session) { return sql::readAudit(session, filter); });
    whenDone(future, this, [this, ticket = m_ticket](const sql::Result<QList<sql::AuditRow>> &result) {
        if (ticket != m_ticket) {
            return;
        }
        m_busy = false;
        if (!result) {
            m_error = result.error();
        } else {
            m_error.reset();
            m_loaded = true;
            m_model->append(*result, result->size() >= kPage);
        }
        emit changed();
    });
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
    whenDone(future, this, [this, database = m_database](const sql::Result<TrailCheck> &result) {
        if (database != m_database) {
            return;
        }
        m_verifying = false;
        if (result) {
            m_check = *result;
            m_error.reset();
        } else {
            m_error = result.error();
        }
        emit changed();
    });
    emit changed();
}

void AuditController::exportTo(const QString &path, AuditFormat format)
{
    if (m_database == nullptr) {
        return;
    }
    sql::AuditFilter filter = m_filter;
    filter.limit = kMostExported;
    auto future = m_database->run(sql::LaneKind::Background, { QString(), kVerifyDeadlineMs, true },
        [filter, path, format](sql::Session &session) -> sql::Result<qint64> {
            const auto rows = sql::readAudit(session, filter);
            if (!rows) {
                return rows.error();
            }
            QSaveFile file(path);
            if (file.open(QIODevice::WriteOnly) && file.write(auditText(*rows, format)) >= 0 && file.commit()) {
                return qint64(rows->size());
            }
            sql::Error error;
            error.kind = sql::ErrorKind::File;
            error.what = tr("The trail could not be written to %1.").arg(path);
            error.why = file.errorString();
            return error;
        });
    whenDone(future, this, [this, path](const sql::Result<qint64> &result) {
        m_error = result ? std::nullopt : std::optional(result.error());
        emit changed();
        if (result) {
            emit exported(path, *result);
        }
    });
}

} // namespace idemdesk::models

#include "moc_audit_controller.cpp"
