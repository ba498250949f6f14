// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/audit/audit_export.h"
#include "models/audit/audit_model.h"
#include "models/audit/trail_check.h"
#include "models/request/request.h"

#include <QDateTime>
#include <QObject>
#include <QTimer>

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
    const sql::AuditFilter &filter() const { return m_filter; }
    bool filtered() const; ///< some rows are left out
    void refresh(); ///< what is shown stays until the new rows are there
    /// While somebody looks at it: asks each few seconds whether the trail grew, whoever acted, and reads what is new.
    void setWatched(bool watched);
    void lookForNewer(); ///< the same at once
    void verify();
    /// Takes the trail as it is now for the one to hold later ones against, as after a backup was restored.
    void acceptHead();
    /// Holds the trail against what this computer saw before, and notes its head: for each connect and after each
    /// action. What a walk found wrong stays said.
    void glance();
    bool glanced() const { return m_glanced; } ///< on this connection
    /// All rows that match, streamed; exported() follows, or changed() with an error.
    void exportTo(const QString &path, AuditFormat format);

    bool busy() const { return m_reading.busy(); }
    bool loaded() const { return m_loaded; }
    bool verifying() const { return m_verifying.busy(); }
    bool exporting() const { return m_exporting.busy(); }
    const std::optional<TrailCheck> &check() const { return m_check; }
    const QDateTime &checkedAt() const { return m_checkedAt; } ///< when check() came, by this computer's clock
    /// Of the last reading, check or file.
    const std::optional<sql::Error> &error() const;

signals:
    void changed();
    void grown(); ///< rows were added since the last look
    void exported(const QString &path, qint64 rows);

private:
    void read(qint64 before);
    void onChecked(const sql::Result<TrailCheck> &result);

    QString m_anchorPath;
    AuditModel *m_model;
    Request m_reading { QStringLiteral("audit") };
    Request m_looking { QStringLiteral("audit-head") };
    Request m_verifying { QStringLiteral("audit-verify") };
    Request m_glancing { QStringLiteral("audit-glance") };
    Request m_exporting { QStringLiteral("audit-export") };
    sql::AuditFilter m_filter;
    QTimer m_watch;
    qint64 m_head = -1; ///< newest row of the last look; less than nothing: none yet
    bool m_loaded = false;
    bool m_glanced = false;
    std::optional<TrailCheck> m_check;
    QDateTime m_checkedAt;
    std::optional<sql::Error> m_checkError;
    std::optional<sql::Error> m_fileError;
};

} // namespace idemdesk::models
