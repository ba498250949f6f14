// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/provider/statement_check.h"
#include "models/request/request.h"

#include <QObject>
#include <memory>

namespace idemdesk::models {

/// Why findings are recorded.
struct EvidenceReason {
    QString reason;
    QString ticket; ///< or empty; kept behind the reason
    bool vouched = false; ///< the person says that the statement holds every request of its time

    friend bool operator==(const EvidenceReason &, const EvidenceReason &) = default;
};

/// Records what was found in a statement as evidence in the database, under the login's name. Lives on the GUI thread;
/// one recording at a time.
class EvidenceController final : public QObject
{
    Q_OBJECT

public:
    explicit EvidenceController(QObject *parent = nullptr);

    void setDatabase(sql::Database *database);
    /// target: the name that the table is registered under. What an earlier try of the same recorded is not recorded
    /// twice. changed() follows.
    void record(const std::shared_ptr<const StatementResult> &result, const QString &target, const EvidenceReason &why);
    void forget(); ///< what came of the last one

    bool busy() const { return m_recording.busy(); }
    std::optional<sql::Error> error() const { return m_recording.error(); }
    /// How many were recorded of this result; nothing: it was not recorded, or not to its end.
    std::optional<qint64> recorded(const std::shared_ptr<const StatementResult> &result) const;
    /// How many such a result would record.
    static qint64 recordable(const StatementResult &result, bool vouched);

signals:
    void changed();
    void ended(); ///< rows of the trail may have been written

private:
    Request m_recording { QStringLiteral("evidence") };
    std::shared_ptr<const StatementResult> m_result; ///< the newest one
    EvidenceReason m_why;
    QString m_id; ///< of its recording; the same while it is tried again
    std::optional<qint64> m_recorded;
};

} // namespace idemdesk::models
