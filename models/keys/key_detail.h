// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/keys/record_model.h"
#include "models/keys/story_model.h"
#include "models/keys/touches_model.h"
#include "models/request/request.h"
#include "sql/types/key_lock.h"
#include "sql/types/provider.h"
#include "sql/types/result.h"
#include "sql/types/story.h"
#include "sql/types/target.h"

#include <QObject>
#include <QTimer>

namespace idemdesk::models {

/// A value of the row that may be JSON, for the JSON tab.
struct PayloadChoice {
    QString title; ///< "Response body"
    QString column; ///< raw column's name, for loading the whole value; empty where it is no plain column
    sql::Cell value;
};

/// Follows the selection: loads everything about one row without blocking anything. Lives on the GUI thread.
class KeyDetailController final : public QObject
{
    Q_OBJECT

public:
    enum class Status { Empty, Loading, Ready, Gone, Failed };
    Q_ENUM(Status)
    static constexpr qint64 kMaxBytes = 262'144; ///< of one value; larger ones come in part

    explicit KeyDetailController(QObject *parent = nullptr);
    ~KeyDetailController() override;

    void setDatabase(sql::Database *database);
    void setTarget(const sql::Target &target);
    void setTimeFormat(const TimeFormat &format);
    /// Shows this row; what the list knows of it is shown at once. A quick series of calls reads only the last.
    void show(const sql::KeyRecord &record);
    void await(); ///< a row was chosen that the list has not read yet: nothing of another one stays on screen
    void clear();
    void refresh();

    Status status() const { return m_status; }
    const sql::KeyDetail &detail() const { return m_detail; } ///< complete only when Ready
    std::optional<sql::Error> error() const { return m_reading.error(); }
    const sql::Profile &profile() const { return m_target.profile; }
    sql::TargetKind kind() const { return m_target.profile.kind; }
    const TimeFormat &timeFormat() const { return m_timeFormat; }
    StoryModel *story() const { return m_story; }
    RecordModel *record() const { return m_record; }
    TouchesModel *touches() const { return m_touches; }
    /// What is known of the row shown from elsewhere stands in its story, too, until another row is shown.
    void setBeside(const QList<StoryEvent> &events);
    /// Why nothing is said of what was done to the key: not registered, or the trail could not be read. Empty where it
    /// was read.
    QString touchesNote() const { return m_touchesNote; }
    QList<PayloadChoice> payloads() const; ///< values worth a look as JSON, the response body first
    /// A sentence where something about the row needs saying: several rows of one intent, unreadable evidence.
    QStringList notes() const;

    /// The whole value of a raw column, however large, into a file (0600); saved() or saveFailed() follows.
    void saveColumn(const QString &column, const QString &path);

signals:
    void changed(); ///< status, detail or error
    void saved(const QString &path, qint64 bytes);
    void saveFailed(const idemdesk::sql::Error &error);

private:
    void forget(); ///< the row shown, and what is on its way
    void load();
    void loadTouches();
    void loadLocks();
    void loadProviderWords();
    void takeProviderWords(const sql::Result<std::pair<sql::ProviderWords, bool>> &result);
    void loadDoubts();
    void tellStory();
    void setStatus(Status status);

    StoryModel *m_story;
    RecordModel *m_record;
    TouchesModel *m_touches;
    QString m_touchesNote;
    Request m_reading { QStringLiteral("detail") };
    Request m_readingTouches { QStringLiteral("detail/touches") };
    Request m_judging { QStringLiteral("detail/doubts") };
    Request m_readingLocks { QStringLiteral("detail/locks") };
    Request m_readingWords { QStringLiteral("detail/provider") };
    sql::Target m_target;
    TimeFormat m_timeFormat;
    sql::KeyDetail m_detail;
    sql::KeyLocks m_locks; ///< of the row shown
    QList<StoryEvent> m_beside; ///< of the row shown
    QList<sql::ProviderEvidence> m_providerWords; ///< of the row shown
    QString m_wordsNote; ///< why they are not, or not all; a sentence
    Status m_status = Status::Empty;
    QTimer m_debounce;
};

} // namespace idemdesk::models
