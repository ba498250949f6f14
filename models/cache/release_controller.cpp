// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cache/release_controller.h"

#include "models/cache/cache_words.h"
#include "models/cache/claim_age.h"
#include "sql/cache/cache_release.h"
#include "sql/lanes/database.h"

#include <QUuid>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

constexpr int kReleaseDeadlineMs = 30'000; // the trail may be held for some seconds, and the cache be slow
constexpr int kReleasePatienceMs = 5'000; // with the cache: actions wait for this lane

/// The cache was not reached, so that nobody asked it to delete anything.
sql::Error notReleased(sql::Error error)
{
    error.why = error.why.isEmpty() ? error.what : error.what + u' ' + error.why;
    error.what = ReleaseController::tr("The cache did not release the claim; nothing was deleted.");
    return error;
}

} // namespace

ReleaseController::ReleaseController(QObject *parent)
    : QObject(parent)
{
    connect(&m_releasing, &Request::changed, this, &ReleaseController::changed);
}

void ReleaseController::setDatabase(sql::Database *database)
{
    m_releasing.setDatabase(database);
}

void ReleaseController::release(
    const ReleasePlace &place, const sql::CachedEntry &seen, const QString &reason, const QString &ticket)
{
    if (busy()) {
        return;
    }
    m_entry = seen.entry.name;
    m_gone = false;
    if (const auto young = tooYoungToRelease(place.cache, seen, place.ageless)) {
        emit released({}, young);
        return;
    }
    const sql::ReleaseRequest request { QUuid::createUuid().toString(QUuid::WithoutBraces), place.target, seen.entry,
        reason, ticket };
    const auto job = [place, request](sql::Session &session) -> sql::Result<sql::ReleaseAnswer> {
        sql::RedisSession::Options options;
        options.password = place.password;
        options.connectTimeoutMs = kReleasePatienceMs;
        options.answerTimeoutMs = kReleasePatienceMs;
        options.stop = [&session] { return session.cancelled(); };
        TRY(const auto address, sql::cacheAddress(place.url));
        const auto cache = sql::RedisSession::open(address, options);
        if (!cache) {
            return notReleased(cache.error());
        }
        return sql::releaseClaim(session, **cache, request);
    };
    m_releasing.ask({ sql::LaneKind::Write, kReleaseDeadlineMs, false }, job,
        [this](const sql::Result<sql::ReleaseAnswer> &answer) {
            m_gone = answer
                && (answer->outcome == sql::ReleaseOutcome::Deleted || answer->outcome == sql::ReleaseOutcome::Gone);
            if (!answer) {
                emit released({}, answer.error());
            } else if (answer->why.kind != sql::ErrorKind::None) {
                emit released({}, answer->why);
            } else {
                emit released(releaseText(*answer), std::nullopt);
            }
        });
}

} // namespace idemdesk::models

#include "moc_release_controller.cpp"
