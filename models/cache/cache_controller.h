// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cache/cache_list.h"
#include "models/request/request.h"
#include "sql/types/target.h"

#include <QDateTime>
#include <QObject>
#include <optional>

namespace idemdesk::models {

/// A table and the Redis in front of it, compared when somebody asks. Lives on the GUI thread.
class CacheController final : public QObject
{
    Q_OBJECT

public:
    explicit CacheController(QObject *parent = nullptr);

    void setDatabase(sql::Database *database);
    /// What was told of another table is dropped.
    void setTarget(const sql::Target &target);
    /// Compares; changed() follows. The password is kept nowhere.
    void compare(const QString &url, const QString &password);
    /// Takes an entry that is no more out of what was found; the rest stays as it was seen.
    void drop(const QByteArray &entry);
    void cancel() { m_comparing.cancel(); }
    bool busy() const { return m_comparing.busy(); }
    std::optional<sql::Error> error() const { return m_comparing.error(); }
    const std::optional<sql::CacheReport> &report() const { return m_report; } ///< of the newest answer
    QDateTime readAt() const { return m_readAt; } ///< by this computer's clock
    CacheList *list() const { return m_list; }

signals:
    void changed(); ///< busy, error or report

private:
    void forget();

    Request m_comparing { QStringLiteral("cache") };
    sql::Target m_target;
    std::optional<sql::CacheReport> m_report;
    QDateTime m_readAt;
    CacheList *m_list;
};

} // namespace idemdesk::models
