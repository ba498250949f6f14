// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/actions/triage_reader.h"
#include "sql/keys/render.h"
#include "sql/keys/state_predicate.h"
#include "sql/keys/unreadable.h"
#include "sql/types/tr.h"

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

// The partitions themselves, not what lies deeper: those are detached with their parent.
const QString kPartitions
    = QStringLiteral("SELECT pg_catalog.format('\"%s\".\"%s\"', pg_catalog.replace(n.nspname, '\"', '\"\"'), "
                     "pg_catalog.replace(c.relname, '\"', '\"\"')), "
                     "pg_catalog.pg_get_expr(c.relpartbound, c.oid), pg_catalog.pg_total_relation_size(c.oid) "
                     "FROM pg_catalog.pg_inherits AS i JOIN pg_catalog.pg_class AS c ON c.oid = i.inhrelid JOIN "
                     "pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace "
                     "WHERE i.inhparent = $1::pg_catalog.oid AND c.relispartition ORDER BY 1");

} // namespace

QString detachScript(const Target &target, const QString &partition)
{
    return u"ALTER TABLE "_s + quoteIdentifier(target.relation.schema) + u'.' + quoteIdentifier(target.relation.name)
        + u" DETACH PARTITION "_s + partition + u" CONCURRENTLY;"_s;
}

Result<QString> partitionName(Session &session, const QString &written)
{
    Error error = makeError(ErrorKind::Usage, Tr::tr("There is no partition “%1”.").arg(written), {},
        Tr::tr("“idemdeskctl partitions” lists them. A name is written as in psql, with its schema."));
    Statement statement { u"SELECT pg_catalog.format('\"%s\".\"%s\"', pg_catalog.replace(n.nspname, '\"', '\"\"'), "
                          "pg_catalog.replace(c.relname, '\"', '\"\"')) FROM pg_catalog.pg_class AS c JOIN "
                          "pg_catalog.pg_namespace AS n "
                          "ON n.oid = c.relnamespace WHERE c.oid = pg_catalog.to_regclass($1::pg_catalog.text)"_s,
        {} };
    statement.bind(written);
    const auto rows = session.all(statement);
    if (!rows && rows.error().sqlState != u"42602") { // a text that is no name at all
        return rows.error();
    }
    return rows && !rows->isEmpty() ? Result<QString>(rows->constFirst().constFirst().text) : Result<QString>(error);
}

static Result<QList<PartitionFacts>> readPartitionsOnce(Session &session, const Target &target, const Timestamp &cutoff)
{
    Statement statement { kPartitions, {} };
    statement.bind(QString::number(target.relation.oid));
    TRY(const auto rows, session.all(statement));
    QList<PartitionFacts> partitions;
    for (const Cells &row : rows) {
        PartitionFacts facts;
        facts.name = row.at(0).text;
        facts.bounds = row.at(1).text;
        facts.bytes = row.at(2).text.toLongLong();
        Render render(target);
        QStringList rules;
        for (const TimeRule &rule : target.profile.purge) {
            rules += holds(ruleCondition(render, rule));
        }
        // The same two states that detach_partition() asks for.
        const QString purgeable = u"("_s + (rules.isEmpty() ? u"false"_s : rules.join(u" OR "_s)) + u") AND "_s
            + holds(stateIn(render, { KeyState::Succeeded, KeyState::FailedFinal }));
        TRY(const auto counted,
            session.one(render.finish(u"SELECT pg_catalog.count(*), pg_catalog.count(*) FILTER (WHERE "_s + purgeable
                    + u") FROM "_s + facts.name + u" t"_s,
                cutoff)));
        facts.rows = counted.at(0).text.toLongLong();
        facts.purgeable = counted.at(1).text.toLongLong();
        facts.onlyPurgeable = facts.rows > 0 && facts.rows == facts.purgeable;
        facts.script = detachScript(target, facts.name);
        partitions.append(facts);
    }
    return partitions;
}

Result<QList<PartitionFacts>> readPartitions(Session &session, const Target &target, const Timestamp &cutoff)
{
    return readAround(session, target, false, nullptr,
        [&](const Target &readable) { return readPartitionsOnce(session, readable, cutoff); });
}

} // namespace idemdesk::sql
