// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/health/health_checks.h"

#include "sql/types/statement.h"

using namespace Qt::StringLiterals;

namespace idemdesk::sql::health {

namespace {

/// Share of dead rows beyond which autovacuum is behind, of a table with at least that many of them.
constexpr double kDeadShare = 0.2;
constexpr qint64 kDeadRows = 10'000;
/// Rows from which on a fifth of them is too long to wait for the next vacuum.
constexpr double kScaleRows = 5'000'000;

/// Of table $1 and its parts: a partitioned table has no rows of its own, so its parts are asked together.
const QString kVacuumFacts = uR"(
WITH p AS (SELECT c.oid, c.reloptions, c.relfrozenxid FROM pg_catalog.pg_class c
            WHERE c.relkind = 'r' AND (c.oid = $1::pg_catalog.oid OR c.oid IN (
                  SELECT x.relid FROM pg_catalog.pg_partition_tree($1::pg_catalog.oid::pg_catalog.regclass) x)))
SELECT COALESCE(pg_catalog.sum(s.n_live_tup), 0), COALESCE(pg_catalog.sum(s.n_dead_tup), 0),
       COALESCE(pg_catalog.bool_or(p.reloptions::pg_catalog.text ~* 'autovacuum_enabled=(false|off|0|no)'), false),
       COALESCE(pg_catalog.bool_or(p.reloptions::pg_catalog.text ~* 'autovacuum_vacuum_scale_factor'), false),
       COALESCE(pg_catalog.max(pg_catalog.age(p.relfrozenxid)), 0),
       pg_catalog.current_setting('autovacuum_freeze_max_age'), pg_catalog.current_setting('autovacuum')
  FROM p LEFT JOIN pg_catalog.pg_stat_all_tables s ON s.relid = p.oid)"_s;

struct VacuumFacts {
    qint64 live = 0; ///< rows, as the server's counters say
    qint64 dead = 0;
    bool offHere = false; ///< for this table
    bool ownScale = false; ///< the table has a scale factor of its own
    qint64 age = 0; ///< transactions since its oldest row
    qint64 mostAge = 0; ///< at which a vacuum is forced
    bool offEverywhere = false;

    qint64 rows() const { return live + dead; }
};

Result<VacuumFacts> readVacuumFacts(Session &session, const Target &target)
{
    Statement statement { kVacuumFacts, {} };
    statement.bind(QString::number(target.relation.oid));
    TRY(const auto row, session.one(statement));
    return VacuumFacts { row.at(0).text.toLongLong(), row.at(1).text.toLongLong(), row.at(2).text == u"t",
        row.at(3).text == u"t", row.at(4).text.toLongLong(), row.at(5).text.toLongLong(), row.at(6).text == u"off" };
}

HealthFinding vacuumFinding(HealthLevel level, const QString &seen, const QString &why = {}, const QString &sql = {})
{
    return { u"vacuum"_s, level, Tr::tr("Autovacuum keeps up"), seen, why, sql };
}

/// What is wrong with it now, or soon.
Findings vacuumTroubles(const VacuumFacts &facts, const RelationFacts &relation, bool forgotten)
{
    Findings findings;
    if (facts.offHere || facts.offEverywhere) {
        findings += vacuumFinding(HealthLevel::Problem,
            facts.offEverywhere ? Tr::tr("Autovacuum is off on this server.")
                                : Tr::tr("Autovacuum is off for this table."),
            Tr::tr(
                "Each claim and each completion leaves a dead row behind; the table grows and every page gets slower."),
            facts.offEverywhere ? u"ALTER SYSTEM SET autovacuum = on; SELECT pg_reload_conf();"_s
                                : u"ALTER TABLE %1 RESET (autovacuum_enabled);"_s.arg(relation.sql));
    }
    if (!forgotten && facts.dead >= kDeadRows && double(facts.dead) > kDeadShare * double(facts.rows())) {
        findings += vacuumFinding(HealthLevel::Problem,
            Tr::tr("About %1 of %2 rows are dead.").arg(grouped(facts.dead), grouped(facts.rows())),
            Tr::tr("Pages are read that hold nothing, and indexes swell. A transaction left open, or a purge faster "
                   "than autovacuum, is the usual reason."),
            u"VACUUM (ANALYZE, VERBOSE) %1;"_s.arg(relation.sql));
    }
    if (double(facts.age) > 0.9 * double(facts.mostAge)) {
        findings += vacuumFinding(HealthLevel::Advice,
            Tr::tr("Its oldest rows are %1 transactions old; a forced vacuum starts at %2.")
                .arg(grouped(facts.age), grouped(facts.mostAge)),
            Tr::tr("That vacuum cannot be put off, and may come at the busiest hour."),
            u"VACUUM (FREEZE) %1;"_s.arg(relation.sql));
    }
    if (relation.estimatedRows >= kScaleRows && !facts.ownScale && relation.kind != u'p') {
        findings += vacuumFinding(HealthLevel::Advice,
            Tr::tr("A table of this size is vacuumed only when a fifth of its rows is dead."),
            Tr::tr("At ten million rows that is two million dead ones."),
            u"ALTER TABLE %1 SET (autovacuum_vacuum_scale_factor = 0.02);"_s.arg(relation.sql));
    }
    return findings;
}

} // namespace

Result<Findings> vacuumKeepsUp(Session &session, const Target &target)
{
    if (target.relation.isView()) {
        return Findings();
    }
    TRY(const auto facts, readVacuumFacts(session, target));
    // A crash empties the server's counters, and leaves what ANALYZE last found.
    const bool forgotten = facts.live == 0 && target.relation.estimatedRows > 0;
    Findings findings = vacuumTroubles(facts, target.relation, forgotten);
    if (findings.isEmpty() && forgotten) {
        findings += vacuumFinding(HealthLevel::Unknown,
            Tr::tr("How many rows are dead is not known: none that lives was counted, yet ANALYZE found about %1.")
                .arg(grouped(qint64(target.relation.estimatedRows))),
            Tr::tr("A crash of the server empties its counters. They are right again after the next ANALYZE."),
            u"ANALYZE %1;"_s.arg(target.relation.sql));
    }
    if (findings.isEmpty()) {
        findings += vacuumFinding(
            HealthLevel::Good, Tr::tr("About %1 of %2 rows are dead.").arg(grouped(facts.dead), grouped(facts.rows())));
    }
    return findings;
}

Result<Findings> survivesCrash(Session &, const Target &target)
{
    if (target.relation.isView()) {
        return Findings();
    }
    HealthFinding finding { u"crash"_s, HealthLevel::Good, Tr::tr("Keys outlive a crash of the server"),
        Tr::tr("The table is logged."), {}, {} };
    if (target.relation.unlogged) {
        finding.level = HealthLevel::Problem;
        finding.seen = Tr::tr("The table is unlogged.");
        finding.why
            = Tr::tr("After a crash it is empty, and it is on no replica: every retry then runs a second time.");
        finding.sql = u"ALTER TABLE %1 SET LOGGED;"_s.arg(target.relation.sql);
    }
    return Findings { finding };
}

namespace {

/// Of table $1. Only ranges over one time or date can be asked for tomorrow. The bounds' own text is read, as the
/// server prints them.
const QString kPartitionEnds = uR"(
WITH k AS (SELECT t.typname FROM pg_catalog.pg_partitioned_table p
             JOIN pg_catalog.pg_attribute a ON a.attrelid = p.partrelid AND a.attnum = p.partattrs[0]
             JOIN pg_catalog.pg_type t ON t.oid = a.atttypid
            WHERE p.partrelid = $1::pg_catalog.oid AND p.partstrat = 'r' AND p.partnatts = 1
              AND t.typname IN ('date', 'timestamp', 'timestamptz')),
     b AS (SELECT c.oid, pg_catalog.pg_get_expr(c.relpartbound, c.oid) AS bound
             FROM pg_catalog.pg_inherits i JOIN pg_catalog.pg_class c ON c.oid = i.inhrelid
            WHERE i.inhparent = $1::pg_catalog.oid),
     u AS (SELECT b.bound, pg_catalog.substring(b.bound, 'TO \(''([^'']+)''\)') AS upto FROM b)
SELECT (SELECT k.typname FROM k),
       (SELECT pg_catalog.max(u.upto::pg_catalog.timestamptz) FROM u WHERE u.upto ~ '^\d{4}-'),
       (SELECT pg_catalog.bool_or(u.bound = 'DEFAULT') FROM u),
       (SELECT pg_catalog.bool_or(u.bound ~ 'MAXVALUE') FROM u),
       pg_catalog.now() + '1 day'::pg_catalog.interval,
       (SELECT pg_catalog.max(u.upto::pg_catalog.timestamptz) FROM u WHERE u.upto ~ '^\d{4}-')
         < pg_catalog.now() + '1 day'::pg_catalog.interval)"_s;

} // namespace

Result<Findings> partitionsAhead(Session &session, const Target &target)
{
    if (target.relation.kind != u'p') {
        return Findings();
    }
    Statement statement { kPartitionEnds, {} };
    statement.bind(QString::number(target.relation.oid));
    TRY(const auto row, session.one(statement));
    HealthFinding finding { u"partitions"_s, HealthLevel::Good, Tr::tr("Tomorrow's partition is there"), {}, {}, {} };
    if (row.at(0).null) {
        return Findings(); // by list, by hash, or by something that is no time
    }
    const bool fallback = row.at(2).text == u"t";
    if (row.at(3).text == u"t" || (!row.at(1).null && row.at(5).text == u"f")) {
        finding.seen = row.at(1).null ? Tr::tr("The last partition has no end.")
                                      : Tr::tr("The partitions reach to %1.").arg(row.at(1).text);
        return Findings { finding };
    }
    finding.level = fallback ? HealthLevel::Advice : HealthLevel::Problem;
    finding.seen = row.at(1).null ? Tr::tr("No partition takes the keys of the next day.")
                                  : Tr::tr("The partitions end at %1.").arg(row.at(1).text);
    finding.why = fallback
        ? Tr::tr("New keys fall into the default partition, which later stands in the way of a new one.")
        : Tr::tr("From then on every claim fails: no partition takes the row.");
    finding.sql = u"CREATE TABLE %1 PARTITION OF %2 FOR VALUES FROM (%3) TO (current_date + 2);"_s.arg(
        quoteIdentifier(target.relation.schema) + u'.' + quoteIdentifier(target.relation.name + u"_next"_s),
        target.relation.sql,
        row.at(1).null ? u"current_date"_s : u"GREATEST(%1::date, current_date)"_s.arg(quoteLiteral(row.at(1).text)));
    return Findings { finding };
}

} // namespace idemdesk::sql::health
