// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/casefile/case_controller.h"

#include "models/async.h"
#include "models/background.h"
#include "models/casefile/case_reader.h"
#include "models/casefile/case_report.h"
#include "models/keys/private_file.h"
#include "sql/lanes/database.h"

#include <QFileInfo>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

constexpr int kCaseDeadlineMs = 60'000; // the trail is walked from its beginning

sql::Result<QString> writeCase(const CaseFile &file, const QString &path)
{
    const QByteArray json = caseJson(file);
    const QString suffix = QFileInfo(path).suffix().toLower();
    const auto written = writePrivateFile(path, [&](QIODevice &out) -> sql::Result<qint64> {
        const bool done = suffix == u"pdf" ? writeCasePdf(file, json, &out) : suffix == u"json" ? out.write(json) == json.size() : out.write(caseHtml(file, json).toUtf8()) > 0;
        return done ? sql::Result<qint64>(1) : sql::Result<qint64>(fileError(path, out.errorString(), false));
    });
    return written ? sql::Result<QString>(path) : sql::Result<QString>(written.error());
}

} // namespace

CaseController::CaseController(sql::Database *database, QObject *parent)
    : QObject(parent)
    , m_database(database)
{
}

void CaseController::setDatabase(sql::Database *database)
{
    m_database = database;
    clear();
}

void CaseController::clear()
{
    ++m_ticket;
    if (m_busy && m_database != nullptr) {
        m_database->cancel(u"case"_s + ownerName(this));
    }
    m_busy = false;
    m_file.reset();
    m_error.reset();
    emit changed();
}

void CaseController::read(const QList<CaseSubject> &subjects, const sql::LocalPlace &conflictsHere, const QStringList &notRead)
{
    if (m_database == nullptr) {
        return;
    }
    const quint64 ticket = ++m_ticket;
    m_busy = true;
    m_error.reset();
    auto future = m_database->run(sql::LaneKind::Background, { u"case"_s + ownerName(this), kCaseDeadlineMs, true },
        [=](sql::Session &session) { return readCase(session, subjects, conflictsHere); });
    whenDone(future, this, [this, ticket, notRead](const sql::Result<CaseFile> &file) {
        if (ticket != m_ticket) {
            return;
        }
        m_busy = false;
        if (file) {
            m_file = *file;
            m_file->notRead = notRead;
        } else {
            m_file.reset();
            m_error = file.error();
        }
        emit changed();
    });
    emit changed();
}

void CaseController::readRequests()
{
    if (!m_file || m_busy) {
        return;
    }
    if (!hasLargeRequest(m_file->requests) || m_database == nullptr) {
        emit requestsRead(m_file->requests);
        return;
    }
    const quint64 ticket = ++m_ticket;
    m_busy = true;
    m_error.reset();
    auto future = m_database->run(sql::LaneKind::Background, { u"case"_s + ownerName(this), kCaseDeadlineMs, true }, [file = *m_file](sql::Session &session) { return models::readRequests(session, file); });
    whenDone(future, this, [this, ticket](const sql::Result<QList<CaseRequest>> &requests) {
        if (ticket != m_ticket) {
            return;
        }
        m_busy = false;
        if (!requests) {
            m_error = requests.error();
        }
        emit changed();
        if (requests) {
            emit requestsRead(*requests);
        }
    });
    emit changed();
}

void CaseController::write(const QString &path, const QString &complaint)
{
    CaseFile file = m_file.value_or(CaseFile());
    file.complaint = complaint;
    whenDone(later<QString>([file, path] { return writeCase(file, path); }), this, [this](const sql::Result<QString> &done) {
        if (done) {
            emit written(*done);
        } else {
            emit writeFailed(done.error());
        }
    });
}

} // namespace idemdesk::models

#include "moc_case_controller.cpp"
