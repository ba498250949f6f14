// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/cache/cache_release.h"

#include "sql/types/tr.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <algorithm>
#include <chrono>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

constexpr qint64 kNeverExpires = -1; // as PTTL says it

Error nothingDeleted(const QString &why, const QString &todo)
{
    return makeError(ErrorKind::Refused, Tr::tr("Nothing was deleted from the cache."), why, todo);
}

/// Why the server did not write the request down, so that it was not done.
Error notOpened(Error error)
{
    if (error.kind == ErrorKind::ConnectionLost) {
        error.what = Tr::tr("Nothing was deleted from the cache: the connection to the database was lost.");
        error.todo = Tr::tr("Connect again and look at the key once more.");
        return error;
    }
    if (error.sqlState == u"42883" || error.sqlState == u"3F000") {
        error.why = Tr::tr("The console schema is not installed in this database, or is an older one.");
        error.todo = Tr::tr("Install or upgrade it; without the audit log the console changes nothing.");
    } else if (error.sqlState == u"42501") {
        error.why = Tr::tr("This login may look, but not release.");
        error.todo = Tr::tr("Operators of the console may. Ask an administrator for that role.");
    } else if (error.why.isEmpty()) {
        error.why = error.what;
    }
    error.what = Tr::tr("Nothing was deleted from the cache.");
    return error;
}

/// What a Redis that will not says, in words of what is to be done here.
Error releaseRefusal(const RedisReply &reply)
{
    Error error = cacheRefusal(reply);
    error.what = Tr::tr("The cache did not release the claim; nothing was deleted.");
    if (reply.text.contains("READONLY")) {
        error.kind = ErrorKind::ReadOnly;
        error.why = Tr::tr("It is a replica, which takes no changes.");
        error.todo = Tr::tr("Name its primary as the cache.");
    } else if (reply.text.contains("NOPERM") || reply.text.contains("can't run this command")
        || reply.text.contains("No permissions")) {
        error.kind = ErrorKind::Privilege;
        error.why = Tr::tr("Its user may not do that there.");
        error.todo = Tr::tr("It needs EVAL, GET, PTTL and DEL on these keys.");
    } else if (reply.text.contains("unknown command")) {
        error.why = Tr::tr("This Redis runs no scripts, and only a script compares and deletes in one step.");
        error.todo = Tr::tr("Ask its keeper to delete the entry, or wait until it expires.");
    }
    return error;
}

/// After it was sent nobody can tell whether it was done.
Error notKnown(Error error)
{
    error.what = error.kind == ErrorKind::Protocol
        ? Tr::tr("Whether the claim was deleted is not known: the cache gave an answer that no Redis gives.")
        : Tr::tr("Whether the claim was deleted is not known: the cache did not answer.");
    error.todo = Tr::tr("Look at the key again.");
    return error;
}

/// What is left of the time to live that was seen, in milliseconds: what has more by now was written again.
qint64 ttlLeft(const CacheEntry &entry)
{
    constexpr qint64 kClockSlackMs = 1'000;
    if (!entry.ttlMs) {
        return kNeverExpires;
    }
    const auto now
        = std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now().time_since_epoch());
    return std::max<qint64>(0, *entry.ttlMs - (now.count() - entry.atMs)) + kClockSlackMs;
}

/// A primary alone can release. Asked before it is written down: nothing is done then.
Error notPrimary(Error error)
{
    error.why = error.why.isEmpty() ? error.what : error.what + u' ' + error.why;
    error.what = Tr::tr("Nothing was deleted from the cache.");
    return error;
}

/// It is asked once more what it is: another one may have become the primary since.
ReleaseAnswer deleteSeen(RedisSession &cache, const CacheEntry &entry)
{
    const auto replies = cache.run(
        { RedisCommand::release(entry.name, entry.value.toUtf8(), ttlLeft(entry)), RedisCommand::info("replication") });
    ReleaseAnswer answer;
    if (!replies) {
        answer.why = notKnown(replies.error());
        return answer;
    }
    const RedisReply &reply = replies->constFirst();
    if (reply.failed()) {
        answer.outcome = ReleaseOutcome::Refused;
        answer.why = releaseRefusal(reply);
    } else if (!saysPrimary(replies->constLast())) {
        answer.why = makeError(ErrorKind::Other, Tr::tr("Whether the claim was deleted is not known."),
            Tr::tr("This Redis no longer says that it is the primary."),
            Tr::tr("Connect to the primary and look at the key again."));
    } else if (reply.text == "deleted") {
        answer.outcome = ReleaseOutcome::Deleted;
    } else if (reply.text == "changed") {
        answer.outcome = ReleaseOutcome::Changed;
    } else if (reply.text == "gone") {
        answer.outcome = ReleaseOutcome::Gone;
    } else {
        answer.why = notKnown(makeError(ErrorKind::Protocol, {}));
    }
    return answer;
}

QList<KeyState> statesIn(const QJsonValue &found)
{
    QList<KeyState> states;
    const QJsonArray list = found.toArray();
    for (const QJsonValue &state : list) {
        states += stateFromName(state.toString()).value_or(KeyState::Unknown);
    }
    return states;
}

} // namespace

Result<ReleaseAnswer> releaseClaim(Session &session, RedisSession &cache, const ReleaseRequest &request)
{
    const QString name = QString::fromUtf8(request.entry.name);
    if (!request.entry.present() || !request.entry.read || name.toUtf8() != request.entry.name) {
        return nothingDeleted(
            Tr::tr("The entry is not there, or its value could not be read."), Tr::tr("Look at the key again."));
    }
    TRY_OR(notPrimary, cache.requirePrimary());
    Statement open { u"SELECT idemdesk.open_release($1::pg_catalog.uuid, $2::pg_catalog.text, $3::pg_catalog.text, "
                     "$4::pg_catalog.text, $5::pg_catalog.text, $6::pg_catalog.text, $7::pg_catalog.text)"_s,
        {} };
    for (const QString &text : { request.id, request.target, cache.address().text(), name, request.entry.value,
             request.reason, request.ticket }) {
        open.bind(text);
    }
    TRY_OR(notOpened, const auto opened, session.one(open));
    const QJsonObject said = QJsonDocument::fromJson(opened.constFirst().text.toUtf8()).object();
    if (said[u"outcome"].toString() != u"open") {
        return nothingDeleted(Tr::tr("This release was carried out before."), Tr::tr("Look at the key again."));
    }
    ReleaseAnswer answer = deleteSeen(cache, request.entry);
    answer.rows = statesIn(said[u"found"]);
    Statement close { u"SELECT idemdesk.close_release($1::pg_catalog.uuid, $2::pg_catalog.text, $3::pg_catalog.text)"_s,
        {} };
    close.bind(request.id);
    close.bind(releaseOutcomeName(answer.outcome));
    close.bind(answer.why.why);
    constexpr int kMostTries = 3; // each waits for the audit log as long as the server lets it
    auto closed = session.one(close);
    for (int tries = 1; !closed && closed.error().kind == ErrorKind::LockTimeout && tries < kMostTries; ++tries) {
        closed = session.one(close);
    }
    if (!closed) {
        Error error = closed.error();
        error.why = error.what;
        error.what = answer.outcome == ReleaseOutcome::Deleted
            ? Tr::tr("The claim was deleted, but that could not be written to the audit log.")
            : Tr::tr("What came of the release could not be written to the audit log.");
        error.todo = Tr::tr("The request itself is in the audit log, as “not known”. Look at the key again.");
        return error;
    }
    return answer;
}

std::optional<SeenRelease> seenRelease(Session &session, const QString &id)
{
    Statement statement { u"SELECT r.entry, r.requested_by, pg_catalog.to_char(r.requested_at AT TIME ZONE 'UTC', "
                          "'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"'), r.reason, COALESCE(r.outcome, '') FROM "
                          "idemdesk.cache_release_seen AS r WHERE r.id = $1::pg_catalog.uuid"_s,
        {} };
    statement.bind(id);
    const auto rows = session.all(statement); // an older schema has no such view
    if (!rows || rows->isEmpty()) {
        return std::nullopt;
    }
    const Cells &row = rows->constFirst();
    return SeenRelease { row.at(0).text, row.at(1).text, row.at(2).text, row.at(3).text, row.at(4).text };
}

} // namespace idemdesk::sql
