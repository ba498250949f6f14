// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/audit/audit_export.h"
#include "models/audit/audit_model.h"
#include "models/audit/trail_check.h"

#include <QObject>
#include <QPointer>

namespace idemdesk::sql {
class Database;
}

namespace idemdesk::models {

/// The trail without its widgets: reads it by a filter, checks it, writes it to a file. Lives on the GUI thread.
class AuditController final : public QObject
{
    Q_OBJECT

public:
    explicit AuditController(QString anchorPath, QObject *parent = nullptr);
    ~AuditController() override;

    AuditModel *model() const { return m_model; }
    void setDatabase(sql::Database *database);
    void setFilter(const sql::AuditFilter &filter); ///< and reads anew
    void refresh();
    void verify();
    /// All rows that match, up to a million; exported() or failed() follows.
    void exportTo(const QString &path, AuditFormat format);

    bool busy() const { return m_busy; }
    bool loaded() const { return m_loaded; }
    bool verifying() const { return m_verifying; }
    const std::optional<TrailCheck> &check() const { return m_check; }
    const std::optional<sql::Error> &error() const { return m_error; }

signals:
    void changed();
    void exported(const QString &path, qint64 rows);

private:
    void readMore();

    QString m_anchorPath;
    AuditModel *m_model;
    QPointer<sql::Database> m_database;
    sql::AuditFilter m_filter;
    bool m_busy = false;
    bool m_loaded = false;
    bool m_verifying = false;
    std::optional<TrailCheck> m_check;
    std::optional<sql::Error> m_error;
    quint64 m_ticket = 0;
};

} // namespace idemdesk::models
