// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/cache/key_touches.h"

#include "sql/types/cache_key.h"
#include "sql/types/tr.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

constexpr int kMostReleasesOfKey = 100; // the newest

/// Adds the releases of one entry; a schema without them has none.
Result<void> addReleases(Session &session, quint32 relation, const QByteArray &entry, KeyTouches *touches)
{
    Statement statement {
        u"SELECT w.whole, r.id, r.requested_by, r.requested_at, r.reason, r.ticket, COALESCE(r.outcome, 'unknown') "
        "FROM (SELECT $1::pg_catalog.oid = ANY (ARRAY(SELECT idemdesk.readable_tables())) AS whole) AS w "
        "LEFT JOIN idemdesk.cache_release_seen AS r ON r.relation = $1::pg_catalog.oid "
        "AND r.entry = $2::pg_catalog.text ORDER BY r.requested_at DESC NULLS LAST LIMIT "_s
            + QString::number(kMostReleasesOfKey),
        {}
    };
    statement.bind(QString::number(relation));
    statement.bind(QString::fromUtf8(entry));
    const auto read = session.each(statement, [touches](const Row &row) {
        touches->releasesTold = row.truth(0);
        if (!row.isNull(1)) {
            KeyTouch touch;
            touch.release = true;
            touch.action = row.text(1);
            touch.who = row.text(2);
            touch.at = Timestamp::parse(row.text(3)).value_or(Timestamp());
            touch.reason = row.text(4);
            touch.ticket = row.text(5);
            touch.outcome = row.text(6);
            touches->all.append(touch);
        }
        return true;
    });
    return read || read.error().sqlState == u"42P01"
        ? Result<void>()
        : Result<void>(failed(Tr::tr("What was done to this key could not be read."), read.error()));
}

} // namespace

Result<KeyTouches> readKeyTouches(Session &session, const QString &name, const Target &target, const KeyRecord &record)
{
    KeyTouches touches;
    TRY(touches.all, readTouches(session, name, record.identity));
    if (!target.profile.cache) {
        return touches;
    }
    const auto form = CacheKeyForm::read(target.profile.cache->key, target.profile);
    const auto entry = form ? form->entryOf(record.scope, record.key) : std::nullopt;
    if (!entry) {
        touches.releasesTold = false;
        return touches;
    }
    TRY(addReleases(session, target.relation.oid, *entry, &touches));
    std::stable_sort(touches.all.begin(), touches.all.end(),
        [](const KeyTouch &one, const KeyTouch &other) { return other.at < one.at; });
    return touches;
}

} // namespace idemdesk::sql
