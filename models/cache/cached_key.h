// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/retries/retry_words.h"
#include "sql/types/cache.h"
#include "sql/types/result.h"

#include <QDateTime>
#include <QObject>
#include <atomic>
#include <memory>
#include <optional>

namespace idemdesk::models {

class CachePlace;
class ConnectionController;
class KeyDetailController;

/// What the cache has of the key that is shown beside the list. It follows the key's detail and asks Redis on a thread
/// of its own, one question at a time: however slow that is, nothing else waits for it. Nothing is asked where the
/// profile names no cache, or nobody said where it is. What is found there joins the key's story. Lives on the GUI
/// thread.
class CachedKey final : public QObject
{
    Q_OBJECT

public:
    /// All of them outlive it.
    CachedKey(KeyDetailController *detail, const ConnectionController *connection, CachePlace *place,
        QObject *parent = nullptr);
    ~CachedKey() override;

    enum class Status {
        Nothing,
        Nameless, ///< how its entry is called is not known: a part of its scope is NULL
        Asking,
        Known,
        Failed
    };
    Status status() const { return m_status; }
    /// Its entry and the state of the row shown, once it is Known.
    const sql::CachedEntry &seen() const { return m_seen; }
    QDateTime askedAt() const { return m_askedAt; } ///< by this computer's clock
    const std::optional<sql::Error> &error() const { return m_error; } ///< of a Failed
    /// One line to be read, safe to show; empty where there is nothing to say.
    QString text() const;
    QString askedText() const; ///< when the cache was asked, a sentence; empty while it was not
    /// What it does to a retry of the key shown; nothing while it is not Known.
    CacheBefore before() const;
    bool wrongClaim() const; ///< it holds retries off although the row shown is finished
    QString url() const { return m_url; } ///< where it was asked
    void askAgain(); ///< as after a release

signals:
    void changed();

private:
    void follow();
    void forget(Status instead = Status::Nothing);
    void ask();
    void tell();
    qint64 askedLaterMs() const; ///< than the row was read
    void took(const sql::Result<sql::CachedEntry> &answer, const QString &question);

    KeyDetailController *m_detail;
    const ConnectionController *m_connection;
    CachePlace *m_place;
    Status m_status = Status::Nothing;
    QByteArray m_name; ///< of the entry that is meant
    QString m_url;
    QString m_question; ///< what the answer must be to; empty: none
    bool m_underWay = false;
    std::shared_ptr<std::atomic_bool> m_stop; ///< of the question under way
    sql::CachedEntry m_seen;
    QDateTime m_askedAt;
    QDateTime m_readAt; ///< when the row shown was read, by this computer's clock
    std::optional<sql::Error> m_error;
};

} // namespace idemdesk::models
