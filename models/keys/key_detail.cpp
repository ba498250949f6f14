// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/keys/key_detail.h"

#include "models/async.h"
#include "models/format/display_text.h"
#include "models/format/labels.h"
#include "models/keys/lock_events.h"
#include "models/keys/private_file.h"
#include "sql/actions/triage_reader.h"
#include "sql/activity/key_locks.h"
#include "sql/cache/key_touches.h"
#include "sql/keys/detail_reader.h"
#include "sql/lanes/database.h"
#include "sql/profile/history_profile.h"
#include "sql/provider/provider_evidence.h"

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

/// Long enough that holding an arrow key reads nothing on the way, too short to notice.
constexpr int kDebounceMs = 60;
constexpr int kDetailDeadlineMs = 20'000;
constexpr int kTouchesDeadlineMs = 10'000;
constexpr int kKeyLocksDeadlineMs = 5'000;
constexpr int kSaveDeadlineMs = 600'000;

} // namespace

KeyDetailController::KeyDetailController(QObject *parent)
    : QObject(parent)
    , m_story(new StoryModel(this))
    , m_record(new RecordModel(this))
    , m_touches(new TouchesModel(this))
{
    m_debounce.setSingleShot(true);
    m_debounce.setInterval(kDebounceMs);
    connect(&m_debounce, &QTimer::timeout, this, &KeyDetailController::load);
}

KeyDetailController::~KeyDetailController() = default;

void KeyDetailController::setDatabase(sql::Database *database)
{
    m_reading.setDatabase(database);
    m_readingTouches.setDatabase(database);
    m_judging.setDatabase(database);
    m_readingLocks.setDatabase(database);
    m_readingWords.setDatabase(database);
    clear();
}

void KeyDetailController::setTarget(const sql::Target &target)
{
    m_target = target;
    clear();
}

void KeyDetailController::setTimeFormat(const TimeFormat &format)
{
    m_timeFormat = format;
    m_story->setTimeFormat(format);
    m_record->setTimeFormat(format);
    m_touches->setTimeFormat(format);
    emit changed(); // how long a retry has to wait is a time
}

void KeyDetailController::show(const sql::KeyRecord &record)
{
    m_reading.drop(); // what is on its way is about another row
    m_readingTouches.drop();
    m_judging.drop();
    m_readingLocks.drop();
    m_readingWords.drop();
    const bool sameRow = m_status == Status::Ready && m_detail.record.sameRow(record);
    if (!sameRow) {
        sql::KeyDetail known;
        known.record = record;
        m_detail = known;
        m_reading.clearError();
        m_record->setDetail(m_target, m_detail);
        m_story->setStory({}, {});
        m_touches->setTouches({});
        m_locks = {};
        m_beside.clear();
        m_providerWords.clear();
        m_wordsNote.clear();
        m_touchesNote.clear();
        setStatus(Status::Loading);
    }
    m_debounce.start();
}

void KeyDetailController::await()
{
    forget();
    setStatus(Status::Loading);
}

void KeyDetailController::clear()
{
    forget();
    setStatus(Status::Empty);
}

void KeyDetailController::forget()
{
    m_reading.drop();
    m_readingTouches.drop();
    m_judging.drop();
    m_readingLocks.drop();
    m_readingWords.drop();
    m_debounce.stop();
    m_detail = {};
    m_locks = {};
    m_beside.clear();
    m_providerWords.clear();
    m_wordsNote.clear();
    m_reading.clearError();
    m_record->clear();
    m_story->setStory({}, {});
    m_touches->setTouches({});
    m_touchesNote.clear();
}

void KeyDetailController::refresh()
{
    if (m_status != Status::Empty) {
        load();
    }
}

void KeyDetailController::load()
{
    if (m_reading.database() == nullptr || m_detail.record.identity.isEmpty()) {
        return;
    }
    m_debounce.stop();
    m_reading.ask(
        { sql::LaneKind::Read, kDetailDeadlineMs },
        [target = m_target, identity = m_detail.record.identity](
            sql::Session &session) { return sql::readDetail(session, target, identity, kMaxBytes); },
        [this](const sql::Result<sql::KeyDetail> &result) {
            if (!result) {
                // The row was there when the list was read: it was deleted since.
                const bool gone
                    = result.error().kind == sql::ErrorKind::MissingObject && result.error().sqlState.isEmpty();
                setStatus(gone ? Status::Gone : Status::Failed);
                return;
            }
            m_detail = *result;
            m_record->setDetail(m_target, m_detail);
            loadDoubts();
            tellStory();
            setStatus(Status::Ready);
        });
    loadTouches();
    loadLocks();
    loadProviderWords();
}

void KeyDetailController::setBeside(const QList<StoryEvent> &events)
{
    if (events.isEmpty() && m_beside.isEmpty()) {
        return;
    }
    m_beside = events;
    if (m_status == Status::Ready) {
        tellStory();
    }
}

/// With what was done to the key through the console and who is at it now, as far as that was read.
void KeyDetailController::tellStory()
{
    QList<StoryEvent> events = storyOf(m_target, m_detail);
    for (const sql::KeyTouch &touch : m_touches->rows()) {
        events += touchEvent(touch);
    }
    for (const sql::ProviderEvidence &word : std::as_const(m_providerWords)) {
        events += providerEvent(word, false);
    }
    if (!m_wordsNote.isEmpty()) {
        StoryEvent note;
        note.kind = StoryEvent::Kind::Action;
        note.title = tr("Provider's statements");
        note.detail = m_wordsNote;
        events += note;
    }
    events += lockEvents(m_locks);
    events += m_beside;
    sortStory(&events, m_detail.now);
    m_story->setStory(events, m_detail.now);
}

/// An effect that was not found may be under way, purged, or never findable. Asked beside the page, for it can take a
/// while.
void KeyDetailController::loadDoubts()
{
    bool any = false;
    for (sql::EffectResult &effect : m_detail.effects) {
        effect.checking = effect.rows.isEmpty() && effect.error.isEmpty();
        any = any || effect.checking;
    }
    if (!any) {
        return;
    }
    m_judging.ask(
        { sql::LaneKind::Background, kDetailDeadlineMs },
        [target = m_target, detail = m_detail](sql::Session &session) -> sql::Result<sql::KeyDetail> {
            sql::KeyDetail judged = detail;
            const auto done = sql::addDoubts(session, target, &judged);
            return done ? sql::Result<sql::KeyDetail>(judged) : sql::Result<sql::KeyDetail>(done.error());
        },
        [this](const sql::Result<sql::KeyDetail> &judged) {
            if (judged) {
                m_detail.effects = judged->effects;
            }
            for (sql::EffectResult &effect : m_detail.effects) {
                if (!judged && effect.checking) {
                    effect.unlinked = true;
                    effect.error = judged.error().line();
                }
                effect.checking = false;
            }
            tellStory();
            emit changed();
        });
}

/// Who is at the key at this moment: read anew whenever the row is.
void KeyDetailController::loadLocks()
{
    m_readingLocks.ask(
        { sql::LaneKind::Background, kKeyLocksDeadlineMs },
        [target = m_target, identity = m_detail.record.identity](
            sql::Session &session) { return sql::readKeyLocks(session, target, identity); },
        [this](const sql::Result<sql::KeyLocks> &result) {
            m_locks = result
                ? *result
                : sql::KeyLocks { {}, { tr("Who holds the key could not be read: %1").arg(result.error().line()) } };
            if (m_status == Status::Ready) {
                tellStory();
                emit changed();
            }
        });
}

/// What people recorded of the provider's statements; where that cannot be seen the story says so.
void KeyDetailController::loadProviderWords()
{
    if (!m_target.profile.provider) {
        return;
    }
    m_readingWords.ask(
        { sql::LaneKind::Background, kTouchesDeadlineMs },
        [relation = m_target.relation.oid, identity = m_detail.record.identity](
            sql::Session &session) -> sql::Result<std::pair<sql::ProviderWords, bool>> {
            bool readable = false;
            TRY(const auto words, sql::readProviderWords(session, relation, { identity }, &readable));
            return std::pair(words.value(0), readable);
        },
        [this](const sql::Result<std::pair<sql::ProviderWords, bool>> &result) { takeProviderWords(result); });
}

void KeyDetailController::takeProviderWords(const sql::Result<std::pair<sql::ProviderWords, bool>> &result)
{
    m_providerWords = result ? result->first.words : QList<sql::ProviderEvidence>();
    m_wordsNote = !result ? tr("What was recorded of the provider's statements could not be read: %1")
                                .arg(displayText(result.error().line()))
        : !result->second    ? tr("What was recorded of the provider's statements may not be read by this login.")
        : result->first.more ? tr("More was recorded of the provider's statements than is shown here.")
                             : QString();
    if (m_status == Status::Ready && (!m_providerWords.isEmpty() || !m_wordsNote.isEmpty())) {
        tellStory();
        emit changed();
    }
}

/// Also for a row that is gone: who purged it is what one wants to know then.
void KeyDetailController::loadTouches()
{
    const QString before = sql::nameBeforeHistory(m_target.profile.name); // an archive's rows were moved there
    if (!m_target.registered && before.isEmpty()) {
        m_touchesNote = tr("This table is not registered, so no action was ever run on it from the console.");
        return;
    }
    m_readingTouches.ask(
        { sql::LaneKind::Background, kTouchesDeadlineMs },
        [name = m_target.registered ? m_target.profile.name : before, target = m_target, record = m_detail.record](
            sql::Session &session) { return sql::readKeyTouches(session, name, target, record); },
        [this](const sql::Result<sql::KeyTouches> &result) {
            m_touchesNote = !result     ? result.error().line()
                : !result->releasesTold ? tr("Whether its claim in the cache was ever released cannot be told here.")
                : result->all.isEmpty() ? tr("Nobody has touched this key through the console.")
                                        : QString();
            m_touches->setTouches(result ? result->all : QList<sql::KeyTouch>());
            if (m_status == Status::Ready && result && !result->all.isEmpty()) {
                tellStory();
            }
            emit changed();
        });
}

void KeyDetailController::setStatus(Status status)
{
    m_status = status;
    emit changed();
}

QList<PayloadChoice> KeyDetailController::payloads() const
{
    QList<PayloadChoice> choices;
    QStringList used;
    for (const sql::Role role : { sql::Role::ResponseBody, sql::Role::RequestPayload }) {
        const sql::Cell value = m_detail.record.role(role);
        if (m_target.profile.has(role) && (!value.null || value.failed())) {
            const QString column = m_target.profile.role(role).column;
            choices.append({ roleTitle(role), column, value });
            used.append(column);
        }
    }
    for (const sql::ColumnValue &column : m_detail.columns) {
        const bool json = column.type == "json"_L1 || column.type == "jsonb"_L1;
        if (json && !column.value.null && !used.contains(column.name)) {
            choices.append({ displayText(column.name), column.name, column.value });
        }
    }
    return choices;
}

QStringList KeyDetailController::notes() const
{
    QStringList sentences;
    if (m_status != Status::Ready) {
        return sentences;
    }
    for (const sql::EffectResult &effect : m_detail.effects) {
        if (!effectDoubt(effect).isEmpty()) {
            const bool unknown = effect.unlinked || effect.unproven;
            // A key that succeeded waits for nobody: what is not known of it is no work for a person.
            sentences.append(unknown && m_detail.record.state == sql::KeyState::Succeeded
                    ? tr("Unknown whether %1 was created.").arg(displayText(effect.type, 80))
                    : unknown ? tr("Unknown whether %1 was created. Needs review.").arg(displayText(effect.type, 80))
                              : tr("The evidence %1 could not be read, so this key needs review.")
                                    .arg(displayText(effect.type, 80)));
        }
    }
    if (m_detail.rowsOfIntent > 1) {
        sentences.append(tr(
            "%n rows share this scope and key; each is shown by itself in the list.", nullptr, m_detail.rowsOfIntent));
    }
    return sentences;
}

void KeyDetailController::saveColumn(const QString &column, const QString &path)
{
    if (m_reading.database() == nullptr || m_detail.record.identity.isEmpty()) {
        return;
    }
    auto future = m_reading.database()->run(sql::LaneKind::Background, { {}, kSaveDeadlineMs, false },
        [target = m_target, identity = m_detail.record.identity, column, path](sql::Session &session) {
            return writePrivateFile(
                path, [&](QIODevice &out) { return sql::saveColumn(session, target, identity, column, out); });
        });
    whenDone(future, this, [this, path](const sql::Result<qint64> &bytes) {
        if (bytes.ok()) {
            emit saved(path, *bytes);
        } else {
            emit saveFailed(bytes.error());
        }
    });
}

} // namespace idemdesk::models

#include "moc_key_detail.cpp"
