// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/casefile/case_controller.h"

#include "models/async.h"
#include "models/casefile/case_reader.h"
#include "models/casefile/case_report.h"
#include "models/keys/private_file.h"
#include "sql/lanes/database.h"

#include <QFileInfo>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

constexpr int kDeadlineMs = 60'000; // the trail is walked from its beginning

} // namespace

CaseController::CaseController(sql::Database *database, QObject *parent)
    : QObject(parent)
    , m_database(database)
{
}

void CaseController::read(const sql::Target &target, const QString &registeredName, const QString &key, const QMap<QString, QString> &scope, const sql::LocalPlace &conflictsHere)
{
    if (m_busy || m_database == nullptr) {
        return;
    }
    m_busy = true;
    auto future = m_database->run(sql::LaneKind::Background, { u"case"_s + ownerName(this), kDeadlineMs, true },
        [=](sql::Session &session) { return readCase(session, target, registeredName, key, scope, conflictsHere); });
    whenDone(future, this, [this](const sql::Result<CaseFile> &file) {
        m_busy = false;
        m_error.reset();
        if (file) {
            m_file = *file;
        } else {
            m_error = file.error();
        }
        emit changed();
    });
    emit changed();
}

sql::Result<void> CaseController::write(const QString &path, const QString &complaint)
{
    CaseFile file = m_file.value_or(CaseFile());
    file.complaint = complaint;
    const QByteArray json = caseJson(file);
    const QString suffix = QFileInfo(path).suffix().toLower();
    const auto written = writePrivateFile(path, [&](QIODevice &out) -> sql::Result<qint64> {
        const bool done = suffix == u"pdf" ? writeCasePdf(file, json, &out) : suffix == u"json" ? out.write(json) == json.size() : out.write(caseHtml(file, json).toUtf8()) > 0;
        return done ? sql::Result<qint64>(1) : sql::Result<qint64>(fileError(path, out.errorString(), false));
    });
    return written ? sql::Result<void>() : sql::Result<void>(written.error());
}

} // namespace idemdesk::models

#include "moc_case_controller.cpp"
