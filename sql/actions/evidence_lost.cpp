// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/actions/evidence_lost.h"

#include "sql/actions/evidence_writers.h"
#include "sql/keys/render.h"
#include "sql/profile/profile_json.h"
#include "sql/types/tr.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

const QString kMayReadTargets
    = u"SELECT COALESCE(pg_catalog.has_schema_privilege(n.oid, 'USAGE') AND "
      "pg_catalog.has_table_privilege(t.oid, 'SELECT'), false) FROM (SELECT pg_catalog.to_regnamespace('idemdesk') AS "
      "oid) AS n "
      "LEFT JOIN pg_catalog.pg_class AS t ON t.relnamespace = n.oid AND t.relname = 'target'"_s;

/// A partition is its table's: what reads the one reads the other.
const QString kLosing = uR"(
SELECT t.name, t.profile, pg_catalog.max(a.requested_at) FILTER (WHERE a.verb = 'purge'),
       pg_catalog.max(a.requested_at) FILTER (WHERE a.verb IN ('detach', 'drop'))
  FROM idemdesk.target t LEFT JOIN idemdesk.action a ON a.relation = t.relation
      AND a.state NOT IN ('requested', 'declined')
 WHERE t.relation = ANY ($1::pg_catalog.oid[]) GROUP BY t.name, t.profile ORDER BY t.name COLLATE "C")"_s;

Result<bool> mayReadTargets(Session &session)
{
    const auto may = session.one({ kMayReadTargets, {} });
    return may ? Result<bool>(may->constFirst().text == u"t") : Result<bool>(may.error());
}

/// The shortest time that some row of it stays; nothing where its rules name no length.
std::optional<qint64> shortestStay(const Profile &profile)
{
    std::optional<qint64> shortest;
    for (const TimeRule &rule : profile.purge) {
        const auto after = durationSeconds(rule.after);
        if (after && *after > 0 && rule.by.present()) {
            shortest = shortest ? qMin(*shortest, *after) : *after;
        }
    }
    return shortest;
}

} // namespace

Result<std::optional<LostEvidence>> evidenceLost(Session &session, const QStringList &tables, const Timestamp &now)
{
    std::optional<LostEvidence> lost;
    if (tables.isEmpty()) {
        return lost;
    }
    TRY(const auto may, mayReadTargets(session));
    if (!may) { // without the console's list no table is known to lose rows
        return lost;
    }
    Statement statement { kLosing, {} };
    statement.bind(arrayLiteral(tables));
    const auto rows = session.all(statement);
    if (!rows) {
        return rows.error();
    }
    const auto note = [&lost](const Timestamp &before, const QString &why) {
        if (!lost || lost->before < before) {
            lost = LostEvidence { before, why };
        }
    };
    for (const Cells &row : *rows) {
        const QString name = row.at(0).text;
        const auto profile = profileFromJson(row.at(1).text.toUtf8(), name);
        const QString title = profile ? profile->shownTitle() : name;
        const auto stay = profile ? shortestStay(*profile) : std::nullopt;
        if (stay) {
            Timestamp before = now;
            before.micros -= *stay * 1'000'000;
            note(before, Tr::tr("It is looked for through “%1”, which keeps no rows as old as this key.").arg(title));
        }
        // A purge by rules of such lengths took nothing that is younger.
        const bool lengths = stay
            && std::all_of(profile->purge.cbegin(), profile->purge.cend(),
                [](const TimeRule &rule) { return durationSeconds(rule.after).value_or(0) > 0 && rule.by.present(); });
        for (const int column : { 2, 3 }) {
            const auto taken = row.at(column).null ? std::nullopt : Timestamp::parse(row.at(column).text);
            if (!taken || (column == 2 && lengths)) {
                continue;
            }
            note(*taken, Tr::tr("It is looked for through “%1”, from which rows were purged since.").arg(title));
        }
    }
    return lost;
}

Result<QStringList> provedThrough(Session &session, const Target &target)
{
    QStringList names;
    const auto may = mayReadTargets(session);
    if (!may) {
        return may.error();
    }
    if (!*may || target.relation.oid == 0) {
        return names;
    }
    Statement others { u"SELECT t.name, t.profile, t.relation::pg_catalog.text FROM idemdesk.target t "
                       "WHERE t.relation <> $1::pg_catalog.oid ORDER BY t.name COLLATE \"C\""_s,
        {} };
    others.bind(QString::number(target.relation.oid));
    TRY(const auto rows, session.all(others));
    for (const Cells &row : rows) {
        const auto profile = profileFromJson(row.at(1).text.toUtf8(), row.at(0).text);
        if (!profile) {
            continue;
        }
        Target other;
        other.profile = *profile;
        other.relation.sql = profile->relation;
        other.relation.oid = row.at(2).text.toUInt();
        for (const EffectSpec &effect : profile->effects) {
            EvidenceWriters reads(session, other);
            if (effect.proves) {
                TRY(reads.watch(effect.sql));
            }
            // What this login may not read is told by its words.
            const bool named = reads.tables().isEmpty() && effect.sql.contains(target.relation.name);
            if (effect.proves && (named || reads.tables().contains(QString::number(target.relation.oid)))) {
                names += row.at(0).text;
                break;
            }
        }
    }
    return names;
}

} // namespace idemdesk::sql
