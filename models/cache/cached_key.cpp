// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cache/cached_key.h"

#include "models/async.h"
#include "models/background.h"
#include "models/cache/cache_place.h"
#include "models/cache/cache_words.h"
#include "models/connection/connection_controller.h"
#include "models/format/display_text.h"
#include "models/format/labels.h"
#include "models/keys/key_detail.h"
#include "models/keys/story_model.h"
#include "sql/cache/cache_judge.h"
#include "sql/cache/cache_reader.h"
#include "sql/types/cache_key.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

constexpr int kPatienceMs = 2'000; // for connecting, and for an answer
constexpr qint64 kSeenBytes = 1'000; // of a value; what a claim says is short
constexpr int kSeenChars = 60; // of it in the line
constexpr int kErrorChars = 200;

sql::Timestamp momentOf(const QDateTime &time)
{
    return { sql::Timestamp::Kind::Finite, time.toMSecsSinceEpoch() * 1'000 };
}

/// When an entry expires by the server's clock; nothing where it never does. Of the rest as cacheEvents() has it.
std::optional<sql::Timestamp> cacheEnd(const sql::CacheEntry &entry, const sql::Timestamp &now, qint64 askedMs)
{
    sql::Timestamp end = now;
    qint64 micros = 0;
    // A server may say anything of a time.
    const bool sound = entry.ttlMs && !__builtin_add_overflow(*entry.ttlMs, askedMs, &micros)
        && !__builtin_mul_overflow(micros, qint64(1'000), &micros)
        && !__builtin_add_overflow(end.micros, micros, &end.micros);
    return sound ? std::optional(end) : std::nullopt;
}

/// What the story tells of an entry, by the server's clock: `now` is when the row was read, and askedMs how much later
/// the cache was asked.
QList<StoryEvent> cacheEvents(const sql::CachedEntry &seen, const sql::Timestamp &now, qint64 askedMs)
{
    if (!seen.entry.present()) {
        return {};
    }
    StoryEvent event;
    event.kind = StoryEvent::Kind::Cached;
    event.title = CachedKey::tr("In the cache: “%1”").arg(displayText(cacheValueText(seen.entry), kSeenChars));
    const QString meaning = seen.cached ? stateLabel(*seen.cached) : CachedKey::tr("of unknown meaning");
    event.detail = meaning + u", "_s
        + (seen.entry.ttlMs ? CachedKey::tr("expires in %1").arg(cacheTtlText(seen.entry))
                            : CachedKey::tr("never expires"));
    event.source = displayText(QString::fromUtf8(seen.entry.name));
    event.at = now;
    QList<StoryEvent> events { event };
    if (const auto end = cacheEnd(seen.entry, now, askedMs)) {
        event.kind = StoryEvent::Kind::CacheEnds;
        event.title = CachedKey::tr("Its entry in the cache expires");
        event.detail.clear();
        event.at = *end;
        events += event;
    }
    return events;
}

/// Runs on a thread of the pool.
sql::Result<sql::CachedEntry> readSeen(
    const QString &url, const sql::RedisSession::Options &options, const QByteArray &name)
{
    TRY(const auto address, sql::cacheAddress(url));
    TRY(const auto cache, sql::RedisSession::open(address, options));
    TRY(const auto entries, sql::readEntries(*cache, { name }, kSeenBytes));
    sql::CachedEntry seen;
    seen.entry = entries.constFirst();
    return seen;
}

} // namespace

CachedKey::CachedKey(
    KeyDetailController *detail, const ConnectionController *connection, CachePlace *place, QObject *parent)
    : QObject(parent)
    , m_detail(detail)
    , m_connection(connection)
    , m_place(place)
{
    connect(detail, &KeyDetailController::changed, this, &CachedKey::follow);
    connect(this, &CachedKey::changed, this, &CachedKey::tell);
}

CachedKey::~CachedKey()
{
    if (m_stop) {
        m_stop->store(true);
    }
}

void CachedKey::forget(Status instead)
{
    if (m_status == instead) {
        return;
    }
    m_status = instead;
    m_question.clear();
    m_name.clear();
    m_seen = {};
    m_error.reset();
    emit changed();
}

void CachedKey::follow()
{
    const sql::Profile &profile = m_detail->profile();
    const sql::KeyRecord &record = m_detail->detail().record;
    const QString url = profile.cache ? m_place->address(m_connection->title()) : QString();
    const auto status = m_detail->status();
    if (url.isEmpty() || record.identity.isEmpty() || status == KeyDetailController::Status::Empty
        || status == KeyDetailController::Status::Gone) {
        forget();
        return;
    }
    if (status != KeyDetailController::Status::Ready) {
        return;
    }
    const auto form = sql::CacheKeyForm::read(profile.cache->key, profile);
    const auto name = form ? form->entryOf(record.scope, record.key) : std::nullopt;
    if (!name) {
        forget(form ? Status::Nameless : Status::Nothing);
        return;
    }
    // The detail changes several times for one look at the row; each look is asked for once.
    const QString question = url + u'\n' + QString::fromUtf8(*name) + u'\n' + m_detail->detail().now.toRfc3339();
    if (question == m_question) {
        return;
    }
    const bool another = *name != m_name || url != m_url;
    m_question = question;
    m_readAt = QDateTime::currentDateTimeUtc();
    m_name = *name;
    m_url = url;
    if (another) {
        m_seen = {};
        m_error.reset();
        m_status = Status::Asking;
        emit changed();
    }
    ask();
}

void CachedKey::askAgain()
{
    if (!m_question.isEmpty()) {
        m_question += u'\n';
        ask();
    }
}

void CachedKey::ask()
{
    if (m_underWay) {
        m_stop->store(true); // what it is about is not shown any more
        return;
    }
    m_underWay = true;
    m_stop = std::make_shared<std::atomic_bool>(false);
    m_place->fetchPassword(m_url, [this](const QString &password) {
        sql::RedisSession::Options options;
        options.password = password;
        options.connectTimeoutMs = kPatienceMs;
        options.answerTimeoutMs = kPatienceMs;
        options.stop = [stop = m_stop] { return stop->load(); };
        whenDone(
            later<sql::CachedEntry>([url = m_url, options, name = m_name] { return readSeen(url, options, name); }),
            this,
            [this, question = m_question](const sql::Result<sql::CachedEntry> &answer) { took(answer, question); });
    });
}

void CachedKey::took(const sql::Result<sql::CachedEntry> &answer, const QString &question)
{
    m_underWay = false;
    if (m_question.isEmpty()) {
        return;
    }
    if (question != m_question) {
        ask(); // another key is shown by now
        return;
    }
    m_askedAt = QDateTime::currentDateTimeUtc();
    m_error.reset();
    if (answer) {
        m_seen = *answer;
        const sql::Profile &profile = m_detail->profile();
        if (profile.cache && m_seen.entry.kind == sql::CacheEntry::Kind::Text && m_seen.entry.read) {
            m_seen.cached = profile.cache->stateOf(m_seen.entry.value);
        }
        m_seen.rows = { m_detail->detail().record.state };
        if (profile.cache) {
            const sql::CacheJudge judge(
                *profile.cache, m_detail->detail().now, m_seen.entry.atMs - askedLaterMs(), false);
            m_seen.shortLived = judge.shortLived({ m_seen.entry, { m_detail->detail().record } });
        }
    } else {
        m_error = answer.error();
    }
    m_status = answer ? Status::Known : Status::Failed;
    emit changed();
}

/// A cache that did not answer is no part of the key's story.
void CachedKey::tell()
{
    m_detail->setBeside(
        m_status == Status::Known ? cacheEvents(m_seen, m_detail->detail().now, askedLaterMs()) : QList<StoryEvent>());
}

bool CachedKey::wrongClaim() const
{
    return m_status == Status::Known && isWrongClaim(m_seen.entry, m_seen.cached, m_seen.rows);
}

qint64 CachedKey::askedLaterMs() const
{
    return std::max<qint64>(0, m_readAt.msecsTo(m_askedAt));
}

CacheBefore CachedKey::before() const
{
    using Does = CacheBefore::Does;
    CacheBefore before;
    if (m_status != Status::Known || !m_seen.entry.present() || !m_seen.cached) {
        return before;
    }
    const sql::KeyState cached = *m_seen.cached;
    const bool claim = cached == sql::KeyState::InProgress || cached == sql::KeyState::Pending;
    // Of one mind with the row it changes nothing that the table would say.
    before.does = claim ? Does::HoldsOff : m_seen.rows.contains(cached) ? Does::Nothing : Does::Answers;
    before.forNothing = wrongClaim();
    before.answer = stateLabel(cached);
    before.until = cacheEnd(m_seen.entry, m_detail->detail().now, askedLaterMs());
    return before;
}

QString CachedKey::askedText() const
{
    return m_askedAt.isValid() ? tr("Asked at %1.").arg(m_detail->timeFormat().text(momentOf(m_askedAt))) : QString();
}

QString CachedKey::text() const
{
    const TimeFormat &times = m_detail->timeFormat();
    switch (m_status) {
    case Status::Nothing:
        return {};
    case Status::Nameless:
        return tr("Its entry in the cache is not known: a part of its scope is NULL.");
    case Status::Asking:
        return tr("Cache: asking…");
    case Status::Failed:
        return displayText(m_error->what, kErrorChars)
            + (m_error->kind == sql::ErrorKind::Authentication
                    ? u' ' + tr("Compare on the page Cache with the right password.")
                    : QString());
    case Status::Known:
        break;
    }
    const sql::CacheEntry &entry = m_seen.entry;
    if (!entry.present()) {
        return tr("Not in the cache.");
    }
    const QString value = displayText(cacheValueText(entry), kSeenChars);
    const QString meaning = m_seen.cached ? stateLabel(*m_seen.cached) : tr("of unknown meaning");
    const QString line = tr("Cached as “%1” (%2)").arg(value, meaning);
    if (before().does != CacheBefore::Does::Nothing) {
        return line + u'.'; // until when is said with what it does to a retry
    }
    const auto end = cacheEnd(entry, m_detail->detail().now, askedLaterMs());
    return end ? tr("%1, expires at %2.").arg(line, times.text(*end)) : tr("%1, never expires.").arg(line);
}

} // namespace idemdesk::models

#include "moc_cached_key.cpp"
