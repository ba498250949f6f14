// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/casefile/case_controller.h"

#include "models/background.h"
#include "models/casefile/case_reader.h"
#include "models/casefile/case_report.h"
#include "models/keys/private_file.h"
#include "models/report/write_later.h"

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
    TRY(writePrivateFile(path, [&](QIODevice &out) -> sql::Result<qint64> {
        const bool done = suffix == u"pdf" ? writeCasePdf(file, json, &out)
            : suffix == u"json"            ? out.write(json) == json.size()
                                           : out.write(caseHtml(file, json).toUtf8()) > 0;
        return done ? sql::Result<qint64>(1) : sql::Result<qint64>(fileError(path, out.errorString(), false));
    }));
    return path;
}

} // namespace

CaseController::CaseController(sql::Database *database, QObject *parent)
    : QObject(parent)
{
    m_reading.setDatabase(database);
    connect(&m_reading, &Request::changed, this, &CaseController::changed);
}

void CaseController::setDatabase(sql::Database *database)
{
    m_reading.setDatabase(database);
    clear();
}

void CaseController::clear()
{
    m_reading.drop();
    m_reading.clearError();
    m_file.reset();
    emit changed();
}

void CaseController::read(const QList<CaseSubject> &subjects, const sql::LocalPlace &conflictsHere,
    const QStringList &notRead, const CaseGroup &group)
{
    m_reading.clearError();
    m_reading.ask(
        { sql::LaneKind::Background, kCaseDeadlineMs },
        [=](sql::Session &session) -> sql::Result<CaseFile> {
            TRY(CaseFile file, readCase(session, subjects, conflictsHere));
            if (!group.member.isEmpty()) {
                file.group = group;
                file.verdict = verdictOf(verdictFacts(file));
            }
            return file;
        },
        [this, notRead](const sql::Result<CaseFile> &file) {
            if (file) {
                m_file = *file;
                m_file->notRead = notRead;
            } else {
                m_file.reset();
            }
        });
}

void CaseController::readRequests()
{
    if (!m_file || busy()) {
        return;
    }
    if (!hasLargeRequest(m_file->requests) || m_reading.database() == nullptr) {
        emit requestsRead(m_file->requests);
        return;
    }
    m_reading.clearError();
    m_reading.ask(
        { sql::LaneKind::Background, kCaseDeadlineMs },
        [file = *m_file](sql::Session &session) { return models::readRequests(session, file); },
        [this](const sql::Result<QList<CaseRequest>> &requests) {
            emit changed();
            if (requests) {
                emit requestsRead(*requests);
            }
        });
}

void CaseController::write(const QString &path, const QString &complaint)
{
    CaseFile file = m_file.value_or(CaseFile());
    file.complaint = complaint;
    writeLater(this, [file, path] { return writeCase(file, path); });
}

} // namespace idemdesk::models

#include "moc_case_controller.cpp"
