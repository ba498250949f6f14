// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/provider/statement_comparison.h"
#include "sql/provider/provider_evidence.h"

namespace idemdesk::models {

/// Records findings as evidence, a part at a time. What agrees is not recorded: nothing about it is open.
class StatementRecorder
{
public:
    /// `vouched`: the person says that the statement holds every request of its time, so that it counts for something
    /// not to be in it; else that is not recorded.
    StatementRecorder(sql::Session &session, const sql::ProviderRecording &recording, bool vouched);

    sql::Result<void> take(const StatementFinding &finding);
    /// What is left.
    sql::Result<void> finish();

    qint64 recorded() const { return m_recorded; }
    const QList<qint64> &trail() const { return m_trail; } ///< numbers of its rows in the trail

private:
    sql::Result<void> flush();

    sql::Session &m_session;
    const sql::ProviderRecording m_recording;
    const bool m_vouched;
    QList<sql::ProviderEvidence> m_words;
    int m_batch = 0;
    qint64 m_recorded = 0;
    QList<qint64> m_trail;
};

} // namespace idemdesk::models
