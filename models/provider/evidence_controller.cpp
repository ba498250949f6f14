// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/provider/evidence_controller.h"

#include "models/provider/statement_recorder.h"
#include "sql/lanes/database.h"

#include <QUuid>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

constexpr qsizetype kMostFileName = 200; // characters, as the database takes them

} // namespace

EvidenceController::EvidenceController(QObject *parent)
    : QObject(parent)
{
    connect(&m_recording, &Request::changed, this, &EvidenceController::changed);
}

void EvidenceController::setDatabase(sql::Database *database)
{
    if (m_recording.setDatabase(database)) {
        forget();
    }
}

void EvidenceController::forget()
{
    m_result.reset();
    m_recorded.reset();
    m_recording.clearError();
    emit changed();
}

void EvidenceController::record(
    const std::shared_ptr<const StatementResult> &result, const QString &target, const EvidenceReason &why)
{
    if (busy() || !result) {
        return;
    }
    if (m_result != result || m_why != why) {
        m_id = QUuid::createUuid().toString(QUuid::WithoutBraces);
    }
    m_result = result;
    m_why = why;
    m_recorded.reset();
    m_recording.clearError();
    const QString reason = why.ticket.isEmpty() ? why.reason : why.reason + u" ("_s + why.ticket + u')';
    const sql::ProviderRecording recording { m_id, target, result->provider, result->facts.name.left(kMostFileName),
        result->facts.sha, reason };
    const auto work = [result, recording, vouched = why.vouched](sql::Session &session) -> sql::Result<qint64> {
        StatementRecorder recorder(session, recording, vouched);
        TRY(result->all->each([&recorder](const StatementFinding &finding) { return recorder.take(finding); }));
        TRY(recorder.finish());
        return recorder.recorded();
    };
    m_recording.ask({ sql::LaneKind::Write, 0, false }, work, [this](const sql::Result<qint64> &recorded) {
        m_recorded = recorded ? std::optional(*recorded) : std::nullopt;
        emit ended();
    });
}

std::optional<qint64> EvidenceController::recorded(const std::shared_ptr<const StatementResult> &result) const
{
    return result && result == m_result ? m_recorded : std::nullopt;
}

qint64 EvidenceController::recordable(const StatementResult &result, bool vouched)
{
    qint64 count = 0;
    for (const StatementFindingKind kind : sql::kAllOf<StatementFindingKind>) {
        const auto word = wordOf(kind);
        if (word && (vouched || *word != sql::ProviderWord::NotInStatement)) {
            count += result.answer.counts.of(kind);
        }
    }
    return count;
}

} // namespace idemdesk::models

#include "moc_evidence_controller.cpp"
