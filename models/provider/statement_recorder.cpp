// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/provider/statement_recorder.h"

#include "sql/actions/action_json.h"

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

constexpr qsizetype kWordsAtOnce = 500;

} // namespace

StatementRecorder::StatementRecorder(sql::Session &session, const sql::ProviderRecording &recording, bool vouched)
    : m_session(session)
    , m_recording(recording)
    , m_vouched(vouched)
{
}

sql::Result<void> StatementRecorder::take(const StatementFinding &finding)
{
    const auto says = wordOf(finding.kind);
    const bool missing = says == sql::ProviderWord::NotInStatement;
    if (!says || (missing && !(m_vouched && finding.askedAt))) {
        return {};
    }
    sql::ProviderEvidence word;
    if (finding.here) {
        word.identity = sql::cellsFromJson(finding.here->identity);
        word.key = finding.here->key;
        word.amount = finding.here->amount;
        word.currency = finding.here->currency;
    }
    word.reference = finding.reference;
    word.says = *says;
    word.line = finding.lines.value(0);
    word.text = finding.text;
    word.detail = finding.detail;
    if (missing) {
        word.from = finding.coveredFrom;
        word.to = finding.coveredTo;
    } else {
        word.lineAt = finding.lineAt;
    }
    m_words.append(word);
    return m_words.size() >= kWordsAtOnce ? flush() : sql::Result<void>();
}

sql::Result<void> StatementRecorder::finish()
{
    return m_words.isEmpty() ? sql::Result<void>() : flush();
}

sql::Result<void> StatementRecorder::flush()
{
    TRY(const qint64 seq, sql::recordProviderWords(m_session, m_recording, ++m_batch, m_words));
    m_trail += seq;
    m_recorded += m_words.size();
    m_words.clear();
    return {};
}

} // namespace idemdesk::models
