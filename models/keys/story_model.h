// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/format/time_format.h"
#include "models/table/item_role.h"
#include "sql/types/story.h"
#include "sql/types/target.h"

#include <QAbstractListModel>

namespace idemdesk::sql {
struct KeyTouch;
struct ProviderEvidence;
} // namespace idemdesk::sql

namespace idemdesk::models {

/// One event of a key's story.
struct StoryEvent {
    enum class Kind {
        Created,
        Claimed,
        Heartbeat,
        LeaseEnds,
        Updated,
        Completed,
        Expires,
        Effect,
        EffectMissing,
        EffectUnreadable,
        Conflict,
        Action,
        Cached, ///< the cache has an entry of it, at this moment
        CacheEnds, ///< that entry expires
        Lock, ///< a session that holds the key, or waits for it, at this moment
        Silence, ///< between two events: for how long nothing happened
        Now
    };
    Kind kind = Kind::Created;
    QString title; ///< "Claimed by worker-7"
    QString detail; ///< second line; may be empty
    QString source; ///< where it was read: "app.idempotency_request.claimed_at" or the effect's type
    std::optional<sql::Timestamp> at; ///< nothing: no time is known for it
    bool future = false; ///< after the server's now
    std::optional<sql::KeyState> state = {}; ///< of Now, in a story of one row: the key's
};

/// Why an effect that was not found, or not read, settles nothing, as triage says it: a sentence to show, or empty.
QString effectDoubt(const sql::EffectResult &effect);

/// What a person did to a row through the console.
StoryEvent touchEvent(const sql::KeyTouch &touch);

/// What a person recorded of the provider's statement: that person's name stands in it, and the line as it stood in the
/// file, unless values of the row are not to be shown.
StoryEvent providerEvent(const sql::ProviderEvidence &word, bool masked);

/// What happened in order of time, then what has no time, then now, and what is still to come last.
void sortStory(QList<StoryEvent> *events, const sql::Timestamp &now);
/// Whether the key still waits for its end: in progress or pending. Where its state is not known, one without an end.
bool isOpenStory(const QList<StoryEvent> &events);
/// Says the gaps of an hour and more; the last one only where the key was never finished.
QList<StoryEvent> withSilence(const QList<StoryEvent> &events);

/// The events of one row, sorted. Pure, for tests and case files.
QList<StoryEvent> storyOf(const sql::Target &target, const sql::KeyDetail &detail);

/// The key's story on one time line, one event a row.
class StoryModel final : public QAbstractListModel
{
    Q_OBJECT

public:
    using enum ItemRole;

    explicit StoryModel(QObject *parent = nullptr);
    void setStory(const QList<StoryEvent> &events, const sql::Timestamp &now);
    void setTimeFormat(const TimeFormat &format);
    const QList<StoryEvent> &events() const { return m_events; }

    int rowCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QHash<int, QByteArray> roleNames() const override;

private:
    QList<StoryEvent> m_events;
    sql::Timestamp m_now;
    TimeFormat m_timeFormat;
};

} // namespace idemdesk::models
