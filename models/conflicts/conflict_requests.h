// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/casefile/case_file.h"
#include "models/connection/connection_controller.h"
#include "models/request/request.h"

#include <QObject>

namespace idemdesk::models {

/// What is known of the two requests of a recorded conflict.
struct ConflictRequests {
    QList<CaseRequest> requests; ///< that can be compared, the stored one first; each may be missing
    QString notStored; ///< why the stored one cannot be shown; empty where it can

    const CaseRequest *stored() const; ///< null where it cannot be shown
};

/// Reads the request that the row of a conflict's key stored. Lives on the GUI thread.
class ConflictRequestReader final : public QObject
{
    Q_OBJECT

public:
    explicit ConflictRequestReader(QObject *parent = nullptr);

    void setDatabase(sql::Database *database);
    /// changed() follows, at once where the table need not be asked. A newer conflict takes the place of this one.
    void read(const sql::ConflictRecord &conflict, const QList<TargetEntry> &targets);
    void clear();
    const ConflictRequests &requests() const { return m_requests; }

signals:
    void changed();

private:
    void take(const ConflictRequests &requests);

    Request m_reading { QStringLiteral("conflict requests") };
    ConflictRequests m_requests;
    QByteArray m_conflict; ///< its id
};

} // namespace idemdesk::models
