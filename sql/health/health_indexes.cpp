// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/health/health_checks.h"

#include "sql/keys/render.h"
#include "sql/profile/expression_sql.h"

#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace idemdesk::sql::health {

namespace {

/// Rows from which on reading the whole table hurts; below, a missing index is advice.
constexpr double kLargeTable = 100'000;

/// A valid index that begins with this column, or with the status and then with it.
const IndexFacts *indexFor(const Target &target, const Expression &expression)
{
    const ColumnFacts *column = plainColumnFacts(target, expression);
    const ColumnFacts *status
        = target.profile.has(Role::Status) ? plainColumnFacts(target, target.profile.role(Role::Status)) : nullptr;
    for (const IndexFacts &index : target.relation.indexes) {
        if (!index.valid || index.method != u"btree" || index.columns.isEmpty()) {
            continue;
        }
        const QString first = index.columns.first();
        if (column == nullptr) {
            // An index over an expression: the server prints it without the alias, perhaps in parentheses.
            const auto bare
                = [](QString sql) { return sql.remove(u"t."_s).remove(QRegularExpression(u"[\\s()\"]"_s)); };
            if (index.columnNumbers.first() == 0 && bare(first) == bare(expression.sql)) {
                return &index;
            }
        } else if (index.columnNumbers.first() == column->number
            || (status != nullptr && index.keyColumns > 1 && index.columnNumbers.first() == status->number
                && index.columnNumbers.at(1) == column->number)) {
            return &index;
        }
    }
    return nullptr;
}

struct Need {
    QString id;
    QString title;
    QString defect; ///< the title where none serves
    Expression value;
    QList<KeyState> states; ///< for a partial index
    QString why;
};

HealthFinding answer(const Target &target, const Need &need)
{
    HealthFinding finding { need.id, HealthLevel::Good, need.title, {}, {}, {} };
    if (const IndexFacts *index = indexFor(target, need.value)) {
        finding.seen = index->predicate.isEmpty()
            ? Tr::tr("The index %1 serves.").arg(index->name)
            : Tr::tr("The index %1 serves, for rows with %2.").arg(index->name, index->predicate);
        return finding;
    }
    finding.defect = need.defect;
    finding.level = target.relation.estimatedRows >= kLargeTable ? HealthLevel::Problem : HealthLevel::Advice;
    const QString what = need.value.column.isEmpty() ? need.value.sql : need.value.column;
    finding.seen = target.relation.estimatedRows > 0 ? Tr::tr("No index begins with %1; the table has about %2 rows.")
                                                           .arg(what, grouped(qint64(target.relation.estimatedRows)))
                                                     : Tr::tr("No index begins with %1.").arg(what);
    finding.why = need.why;
    const QString column = columnForIndex(need.value);
    if (!column.isEmpty()) {
        QStringList raw;
        const ColumnFacts *status
            = target.profile.has(Role::Status) ? plainColumnFacts(target, target.profile.role(Role::Status)) : nullptr;
        for (const auto &entry : target.profile.states) {
            if (status != nullptr && need.states.contains(entry.second)) {
                raw += quoteLiteral(entry.first);
            }
        }
        finding.sql = createIndex(target, { column }, false,
            raw.isEmpty() ? QString() : u"%1 IN (%2)"_s.arg(quoteIdentifier(status->name), raw.join(u", "_s)));
    }
    return finding;
}

/// What is asked of every table of its kind.
QList<Need> needsOf(const Target &target)
{
    QList<Need> needs;
    if (target.profile.stale) {
        for (const TimeRule &rule : *target.profile.stale) {
            if (rule.by.present()) {
                needs.append({ u"index_stale"_s, Tr::tr("An index finds stuck keys"),
                    Tr::tr("No index finds stuck keys"), rule.by, rule.states,
                    Tr::tr("Every look for stuck keys and every count of the Incident page reads the whole table.") });
            }
        }
    }
    for (const TimeRule &rule : target.profile.purge) {
        if (rule.by.present()) {
            needs.append({ u"index_expiry"_s, Tr::tr("An index finds expired keys"),
                Tr::tr("No index finds expired keys"), rule.by, {},
                Tr::tr("A purge walks the rows by this time; without an index each batch reads the whole table. The "
                       "index is over the column alone: PostgreSQL refuses “WHERE expires_at > now()” in one, because "
                       "its rows would change over time.") });
        }
    }
    needs.append({ u"index_key"_s, Tr::tr("An index finds a key without its scope"),
        Tr::tr("No index finds a key without its scope"), target.profile.key, {},
        Tr::tr("Who has only the key, from a complaint or a log, waits for a read of the whole table.") });
    return needs;
}

} // namespace

QString columnForIndex(const Expression &expression)
{
    return expression.column.isEmpty() ? plainColumn(expression.sql) : expression.column;
}

QString createIndex(const Target &target, const QStringList &columns, bool unique, const QString &where)
{
    QStringList quoted;
    for (const QString &column : columns) {
        quoted += quoteIdentifier(column);
    }
    // A partitioned table takes no CONCURRENTLY: its parts get theirs first, then the parent's finds them.
    return u"CREATE %1INDEX %2ON %3 (%4)%5;"_s.arg(unique ? u"UNIQUE "_s : QString(),
        target.relation.kind == u'p' ? QString() : u"CONCURRENTLY "_s, target.relation.sql, quoted.join(u", "_s),
        where.isEmpty() ? QString() : u" WHERE "_s + where);
}

Result<Findings> indexesServe(Session &, const Target &target)
{
    if (target.relation.isView()) {
        return Findings { { u"indexes"_s, HealthLevel::Unknown, Tr::tr("Indexes serve what is asked"),
            Tr::tr("This is a view, which has no indexes of its own."), Tr::tr("Look at the table below it."), {} } };
    }
    Findings findings;
    QStringList seen;
    const QList<Need> needs = needsOf(target);
    for (const Need &need : needs) {
        const QString once = need.value.sql + (need.id == u"index_key" ? QString() : u"time"_s);
        if (!seen.contains(once)) {
            seen += once;
            findings += answer(target, need);
        }
    }
    HealthFinding order { u"index_order"_s, HealthLevel::Good, Tr::tr("An index shows the newest keys first"), {}, {},
        {} };
    const Expression created = target.profile.role(Role::CreatedAt);
    QStringList served;
    for (const OrderSpec &spec : target.profile.orders) {
        if (indexFor(target, spec.value) != nullptr) {
            served += spec.label;
        }
    }
    if (created.present() && indexFor(target, created) != nullptr) {
        served += Tr::tr("time of creation");
    }
    served.removeDuplicates();
    if (!served.isEmpty()) {
        order.seen = Tr::tr("Pages can be read by: %1.").arg(served.join(u", "_s));
        findings += order;
    } else if (created.present()) {
        findings += answer(target,
            { order.id, order.title, Tr::tr("No index shows the newest keys first"), created, {},
                Tr::tr(
                    "Keys can be paged in the order of their identity only; any other order sorts the table first.") });
    }
    return findings;
}

Result<Findings> indexesWork(Session &session, const Target &target)
{
    if (target.relation.isView()) {
        return Findings();
    }
    Findings findings;
    const QString title = Tr::tr("Every index can work");
    static const QRegularExpression frozen(u"'\\d{4}-\\d{2}-\\d{2}[^']*'::(timestamp|date)"_s);
    for (const IndexFacts &index : target.relation.indexes) {
        const QString name = quoteIdentifier(target.relation.schema) + u'.' + quoteIdentifier(index.name);
        if (!index.valid) {
            findings.append({ u"index_use"_s, HealthLevel::Problem, title,
                Tr::tr("The index %1 is invalid: the command that made it did not finish.").arg(index.name),
                Tr::tr("It costs every write, serves no read, and a unique one does not keep doubles out that were "
                       "there before."),
                u"REINDEX INDEX CONCURRENTLY %1;"_s.arg(name) });
        } else if (frozen.match(index.predicate).hasMatch()) {
            findings.append({ u"index_use"_s, HealthLevel::Advice, title,
                Tr::tr("The index %1 holds only rows with %2.").arg(index.name, index.predicate),
                Tr::tr("That time stands still. What is asked about later or earlier rows does not match it."), {} });
        }
    }
    Statement statement {
        u"SELECT s.indexrelname, pg_catalog.pg_size_pretty(pg_catalog.pg_relation_size(s.indexrelid)) FROM "
        u"pg_catalog.pg_stat_user_indexes s "
        "JOIN pg_catalog.pg_index i ON i.indexrelid = s.indexrelid, pg_catalog.pg_stat_database d WHERE s.relid = "
        "$1::pg_catalog.oid AND s.idx_scan = 0 "
        "AND NOT i.indisunique AND d.datname = pg_catalog.current_database() AND "
        "pg_catalog.pg_relation_size(s.indexrelid) > 10485760 "
        "AND COALESCE(d.stats_reset, pg_catalog.pg_postmaster_start_time()) < pg_catalog.now() - '7 "
        "days'::pg_catalog.interval ORDER BY 1"_s,
        {}
    };
    statement.bind(QString::number(target.relation.oid));
    TRY(const auto unused, session.all(statement));
    for (const Cells &row : unused) {
        findings.append({ u"index_use"_s, HealthLevel::Advice, title,
            Tr::tr("The index %1 (%2) was not used for a week or longer.").arg(row.at(0).text, row.at(1).text),
            Tr::tr("Every claim and every completion writes to it. See on the replicas too before it goes."),
            u"DROP INDEX CONCURRENTLY %1;"_s.arg(
                quoteIdentifier(target.relation.schema) + u'.' + quoteIdentifier(row.at(0).text)) });
    }
    if (findings.isEmpty()) {
        findings.append({ u"index_use"_s, HealthLevel::Good, title,
            Tr::tr("%n index(es), all valid.", nullptr, int(target.relation.indexes.size())), {}, {} });
    }
    return findings;
}

} // namespace idemdesk::sql::health
