// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/casefile/case_file.h"
#include "models/request/request.h"
#include "sql/types/local_place.h"
#include "sql/types/result.h"

#include <QObject>
#include <optional>

namespace idemdesk::models {

/// Reads one case in the background and writes its file. Lives on the GUI thread.
class CaseController final : public QObject
{
    Q_OBJECT

public:
    explicit CaseController(sql::Database *database, QObject *parent = nullptr);

    void setDatabase(sql::Database *database); ///< what was read is dropped
    /// notRead: sentences on tables that could not be searched for the same intents. group: where the database is a
    /// member of one, what the others hold; the verdict says what was looked at.
    void read(const QList<CaseSubject> &subjects, const sql::LocalPlace &conflictsHere, const QStringList &notRead = {},
        const CaseGroup &group = {});
    void clear();
    /// requestsRead() follows with what can be compared; requests too large to be read with the case are read now. A
    /// newer case drops it.
    void readRequests();
    bool busy() const { return m_reading.busy(); }
    const std::optional<CaseFile> &file() const { return m_file; }
    const std::optional<sql::Error> &error() const { return m_reading.error(); }

    /// Writes what was read as HTML, PDF or JSON, by the name's ending, on another thread; written() or writeFailed()
    /// follows. An error leaves nothing behind.
    void write(const QString &path, const QString &complaint);

signals:
    void changed();
    void written(const QString &path);
    void writeFailed(const idemdesk::sql::Error &error);
    void requestsRead(const QList<idemdesk::models::CaseRequest> &requests);

private:
    Request m_reading { QStringLiteral("case") }; ///< of the case, or of its requests
    std::optional<CaseFile> m_file;
};

} // namespace idemdesk::models
