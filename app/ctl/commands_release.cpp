// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/cache_option.h"
#include "app/ctl/context.h"
#include "app/ctl/interrupt.h"
#include "app/ctl/opened_target.h"
#include "models/cache/cache_json.h"
#include "models/cache/cache_words.h"
#include "models/cache/claim_age.h"
#include "models/format/quantities.h"
#include "sql/cache/cache_comparison.h"
#include "sql/cache/cache_release.h"
#include "sql/types/tr.h"

#include <QJsonArray>
#include <QUuid>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::app {

namespace {

constexpr qsizetype kMostReleased = 100; // of one call
constexpr qint64 kReleasedBytes = 1'000; // of a value; what a claim says is short

/// The entries that are meant: of the rows of each KEY, and those of --entry.
sql::Result<QList<QByteArray>> meantEntries(const Context &context, const OpenedTarget &opened)
{
    QList<QByteArray> names;
    const auto add
        = [&names](const QByteArray &name) { names += names.contains(name) ? QList<QByteArray>() : QList { name }; };
    TRY(const auto choice, rowChoice(context, opened.target));
    const QStringList keys = context.positional();
    for (const QString &key : keys) {
        TRY(const auto records, rowsOf(*opened.session, opened.target, key, choice));
        if (records.isEmpty()) {
            sql::Error error = noKeyIn(opened, key, choice);
            error.todo = Tr::tr("Of an entry without a row name the entry, with --entry.");
            return error;
        }
        for (const sql::KeyRecord &record : records) {
            TRY(const auto name, sql::cacheNameOf(opened.target, record));
            if (name.isEmpty()) {
                return sql::makeError(sql::ErrorKind::Refused,
                    Tr::tr("Which entry in the cache is that of “%1” is not known.").arg(key),
                    Tr::tr("A part of its scope is NULL, and how the service writes that is not known."),
                    Tr::tr("Name the entry, with --entry."));
            }
            add(name);
        }
    }
    const QStringList written = context.values(u"entry"_s);
    for (const QString &name : written) {
        add(name.toUtf8());
    }
    if (names.isEmpty() || names.size() > kMostReleased) {
        return names.isEmpty() ? usageError(
                   Tr::tr("It is not said which claim is meant."), Tr::tr("Name a key, or an entry with --entry."))
                               : usageError(Tr::tr("One call releases at most %1 claims.").arg(kMostReleased));
    }
    return names;
}

/// What a plan knows of one entry beside what it says.
struct Claim {
    sql::CachedEntry seen;
    std::optional<qint64> leastAgeMs;
    bool wrong = false; ///< it holds retries off for nothing
    std::optional<sql::Error> young; ///< why it is left alone even so
};

QList<Claim> claimsOf(const Context &context, const OpenedTarget &opened, const QList<sql::CachedEntry> &seen)
{
    const sql::CacheSpec spec = opened.target.profile.cache.value_or(sql::CacheSpec());
    QList<Claim> claims;
    for (const sql::CachedEntry &one : seen) {
        const bool wrong = models::isWrongClaim(one.entry, one.cached, one.rows);
        const bool underWay = one.cached == sql::KeyState::InProgress || one.cached == sql::KeyState::Pending;
        claims += Claim { one, models::leastAgeMs(spec, one), wrong,
            underWay ? models::tooYoungToRelease(spec, one, context.has(u"any-age"_s)) : std::nullopt };
    }
    return claims;
}

QJsonObject releaseJson(const QString &id, const Claim &claim, const sql::Result<sql::ReleaseAnswer> *answer)
{
    const sql::CachedEntry &seen = claim.seen;
    QJsonArray rows;
    for (const sql::KeyState state : answer != nullptr && *answer ? (*answer)->rows : seen.rows) {
        rows.append(sql::stateName(state));
    }
    const bool failed = answer != nullptr && (!*answer || (*answer)->why.kind != sql::ErrorKind::None);
    const QJsonValue young = claim.young ? QJsonValue(errorJson(*claim.young)) : QJsonValue();
    return { { u"id"_s, id.isEmpty() ? QJsonValue() : QJsonValue(id) },
        { u"entry"_s, models::cacheEntryJson(seen.entry, seen.cached) }, { u"rows"_s, rows },
        { u"wrong_claim"_s, claim.wrong },
        { u"least_age_ms"_s, claim.leastAgeMs ? QJsonValue(*claim.leastAgeMs) : QJsonValue() },
        { u"outcome"_s,
            answer != nullptr && *answer ? QJsonValue(sql::releaseOutcomeName((*answer)->outcome)) : QJsonValue() },
        { u"error"_s, failed ? QJsonValue(errorJson(*answer ? (*answer)->why : answer->error())) : young } };
}

QString rowsText(const QList<sql::KeyState> &rows)
{
    QStringList names;
    for (const sql::KeyState state : rows) {
        names += sql::stateName(state);
    }
    return names.isEmpty() ? Tr::tr("none", "no row") : names.join(u", "_s);
}

bool goes(const Claim &claim)
{
    return claim.wrong && !claim.young;
}

void printClaims(const QList<Claim> &claims)
{
    QList<QStringList> rows;
    for (const Claim &claim : claims) {
        const sql::CachedEntry &one = claim.seen;
        rows += QStringList { QString::fromUtf8(one.entry.name), models::cacheValueText(one.entry),
            models::cacheTtlText(one.entry), rowsText(one.rows),
            !claim.wrong           ? Tr::tr("stays: it does not hold retries off, or its row is not finished")
                : claim.young      ? Tr::tr("stays. %1").arg(claim.young->line())
                : claim.leastAgeMs ? Tr::tr("would be released; it is at least %1 old")
                                         .arg(models::durationText(*claim.leastAgeMs / 1'000))
                                   : Tr::tr("would be released, though nothing tells how old it is") };
    }
    print(table({ Tr::tr("ENTRY"), Tr::tr("VALUE"), Tr::tr("TTL"), Tr::tr("ROW"), Tr::tr("WHAT HAPPENS") }, rows,
        QStringList { Tr::tr("WHAT HAPPENS") }));
}

/// The worst of what came of each.
Exit worseAnswer(Exit a, Exit b)
{
    for (const Exit exit : { Exit::Unknown, Exit::Failed, Exit::Refused, Exit::Skipped }) {
        if (a == exit || b == exit) {
            return exit;
        }
    }
    return Exit::Done;
}

Exit exitOf(const sql::Result<sql::ReleaseAnswer> &answer)
{
    if (!answer) {
        const sql::ErrorKind kind = answer.error().kind;
        return kind == sql::ErrorKind::Refused || kind == sql::ErrorKind::Privilege ? Exit::Refused : Exit::Failed;
    }
    switch (answer->outcome) {
    case sql::ReleaseOutcome::Deleted:
        return Exit::Done;
    case sql::ReleaseOutcome::Changed:
    case sql::ReleaseOutcome::Gone:
        return Exit::Skipped;
    case sql::ReleaseOutcome::Refused:
        return Exit::Refused;
    case sql::ReleaseOutcome::Unknown:
        return Exit::Unknown;
    }
    return Exit::Unknown;
}

/// Releases one after the other; what could not be told of one stops the rest.
Exit releaseEach(const Context &context, sql::Session &session, sql::RedisSession &cache, const QString &target,
    const QList<Claim> &claims)
{
    Exit exit = Exit::Done;
    QJsonArray items;
    for (const Claim &claim : claims) {
        const sql::CachedEntry &one = claim.seen;
        const QString name = QString::fromUtf8(one.entry.name);
        if (!one.entry.present()) {
            exit = worseAnswer(exit, Exit::Skipped);
            items.append(releaseJson({}, claim, nullptr));
            note(Tr::tr("%1 is not in the cache.").arg(name));
            continue;
        }
        if (claim.young) {
            exit = worseAnswer(exit, Exit::Refused);
            items.append(releaseJson({}, claim, nullptr));
            note(Tr::tr("%1: %2").arg(name, claim.young->line()));
            continue;
        }
        const sql::ReleaseRequest request { QUuid::createUuid().toString(QUuid::WithoutBraces), target, one.entry,
            context.value(u"reason"_s).trimmed(), context.value(u"ticket"_s) };
        const auto answer = sql::releaseClaim(session, cache, request);
        exit = worseAnswer(exit, exitOf(answer));
        items.append(releaseJson(request.id, claim, &answer));
        const QString text = name + u": "_s + (answer ? models::releaseText(*answer) : answer.error().line());
        if (exitOf(answer) == Exit::Done && !context.json()) {
            print(text + u'\n');
        } else if (exitOf(answer) != Exit::Done) {
            note(text);
        }
        if (answer ? answer->outcome == sql::ReleaseOutcome::Unknown
                   : answer.error().kind == sql::ErrorKind::ConnectionLost) {
            break; // nothing more can be asked of one of the two
        }
    }
    if (items.size() < claims.size()) {
        note(Tr::tr("%Ln entry(ies) more were not looked at.", nullptr, int(claims.size() - items.size())));
    }
    if (context.json()) {
        printJson({ { u"items"_s, items } });
    }
    return exit;
}

Exit runRelease(const Context &context)
{
    const bool dry = context.has(u"dry-run"_s);
    if (!dry && context.value(u"reason"_s).trimmed().isEmpty()) {
        return misused(Tr::tr("--reason is missing: say why it is done, or plan it with --dry-run."));
    }
    TRY_OR(fail, auto connected, context.connect(dry ? sql::LaneKind::Read : sql::LaneKind::Write));
    TRY_OR(fail, auto opened, targetIn(context, *connected, true));
    opened.session = std::move(connected);
    warnOfProblems(opened.target.findings);
    const StopAtSignal signal;
    const std::stop_token stop = signal.token();
    TRY_OR(fail, const auto names, meantEntries(context, opened));
    TRY_OR(fail, const auto cache, openCache(context, [stop] { return stop.stop_requested(); }));
    TRY_OR(
        fail, const auto seen, sql::readCachedEntries(*opened.session, *cache, opened.target, names, kReleasedBytes));
    const QList<Claim> claims = claimsOf(context, opened, seen);
    if (!dry) {
        return releaseEach(context, *opened.session, *cache, opened.registered->name, claims);
    }
    if (context.json()) {
        QJsonArray items;
        for (const Claim &claim : claims) {
            items.append(releaseJson({}, claim, nullptr));
        }
        printJson({ { u"items"_s, items } });
    } else {
        printClaims(claims);
    }
    const bool whole = std::all_of(claims.cbegin(), claims.cend(), goes);
    return whole ? Exit::Done : Exit::Skipped;
}

} // namespace

Command releaseCommand()
{
    return { .name = u"release"_s,
        .synopsis = u"[KEY…]"_s,
        .summary = Tr::tr("release a claim in the cache that holds retries off for nothing"),
        .about = Tr::tr(
            "Deletes the entry of a key from the Redis in front of its table, where it still says “under way”. The row "
            "must be finished or gone, which the server looks at itself. It refuses while the row is in progress.\n\n"
            "It is written to the audit log before it is done, and what came of it afterwards. The entry is deleted "
            "only as it was seen: a claim that was made meanwhile stays. It cannot be undone; the next retry goes to "
            "the database.\n\n"
            "A claim under a minute old is left alone, as its row may not be committed yet. Its age is what it has "
            "lived of the profile’s “ttl”. Where nothing tells that, it is refused unless --any-age is given: it never "
            "expires, "
            "has no row, or was written for another time.\n\n"
            "The table must be registered, and its profile must have a “cache”. In Redis its user needs EVAL, GET, "
            "PTTL and DEL on these keys, and INFO. Exit status 4 where an entry was changed or gone, or would stay; 3 "
            "where one was refused; 5 where no answer came."),
        .arguments = { { u"KEY"_s, Tr::tr("A key whose row is finished."), 0, int(kMostReleased), {} } },
        .options = connectOptions() + targetOptions() + rowOptions()
            + QList { jsonOption(), cacheOption(),
                Option::text(u"entry"_s, Tr::tr("NAME"),
                    Tr::tr("An entry by its name, as “cache --json” has it: also one without a row."))
                    .manyTimes(),
                Option::flag(
                    u"any-age"_s, Tr::tr("Also a claim whose age nothing tells, such as one that never expires.")),
                Option::flag(u"dry-run"_s, Tr::tr("Say what would be done, and do nothing.")) }
            + reasonOptions(),
        .examples = { { Tr::tr("After a recovery, so that the next retry is let through:"),
                          u"release ord-1017 --target app.idempotency_request --cache redis://localhost:6379/0 "
                          "--reason 'the worker died, see INC-7'"_s },
            { Tr::tr("What an entry says, and whether it would be released:"),
                u"release --entry idempotency:acme:ord-1017 --target app.idempotency_request "
                "--cache unix:///run/redis/redis.sock --dry-run"_s } },
        .run = runRelease };
}

} // namespace idemdesk::app
