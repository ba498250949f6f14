// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/request/request.h"
#include "sql/types/cache.h"
#include "sql/types/profile.h"

#include <QObject>
#include <optional>

namespace idemdesk::models {

/// Where an entry is, and of which table: what its release needs beside a person's reason.
struct ReleasePlace {
    QString target; ///< its registered name
    QString url;
    QString password; ///< may be empty; it is kept nowhere
    sql::CacheSpec cache; ///< of its profile: how long entries live
    bool ageless = false; ///< a person said that it may go where its age cannot be told
};

/// Releases claims in a cache, one at a time. Lives on the GUI thread.
class ReleaseController final : public QObject
{
    Q_OBJECT

public:
    explicit ReleaseController(QObject *parent = nullptr);

    void setDatabase(sql::Database *database);
    /// Deletes an entry as it was seen, unless it may have been made just now; released() follows. The id is made here.
    void release(const ReleasePlace &place, const sql::CachedEntry &seen, const QString &reason, const QString &ticket);
    bool busy() const { return m_releasing.busy(); }
    /// The entry that the last released() was about is there no more. Nothing was asked of the cache: false.
    bool gone() const { return m_gone; }
    QByteArray entry() const { return m_entry; } ///< its name

signals:
    void changed(); ///< busy
    /// What came of it: a sentence, or why it did not work.
    void released(const QString &text, const std::optional<idemdesk::sql::Error> &error);

private:
    bool m_gone = false;
    QByteArray m_entry;
    Request m_releasing { QStringLiteral("release") };
};

} // namespace idemdesk::models
