// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/detect/detect.h"

#include "sql/detect/proposer.h"
#include "sql/profile/catalogue.h"
#include "sql/profile/expression_plan.h"
#include "sql/profile/expression_sql.h"
#include "sql/profile/sample_sql.h"

#include <QHash>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

constexpr int kLeastConfidence = 40;
constexpr int kLeastForViews = 24; ///< the same evidence, less what a view cannot prove
constexpr int kStatusRows = 5000;
constexpr int kShownCharacters = 1000;

QString withClock(const QString &sql)
{
    return renderNow(sql, u"pg_catalog.now()"_s);
}

Cell failedCell(const QString &message)
{
    Cell cell;
    cell.error = message;
    return cell;
}

} // namespace

Result<Detected> detectTargets(Session &session, const QString &schema)
{
    TRY(const auto relations, readRelations(session, schema));
    TRY(const auto closed, readClosedRelations(session, schema));
    Detected detected;
    detected.notReadable = closed;
    QList<Proposal> &proposals = detected.proposals;
    for (const RelationFacts &relation : relations) {
        if (session.cancelled()) {
            return makeError(ErrorKind::Superseded, {});
        }
        TableEvidence table = evidenceOf(relation);
        if (!worthSampling(table)) {
            continue;
        }
        TRY(sampleInto(session, &table));
        const Proposal proposal = proposeFrom(table);
        if (proposal.confidence >= (relation.isView() ? kLeastForViews : kLeastConfidence)) {
            proposals.append(proposal);
        } else if (!table.sampleFault.isEmpty()) {
            detected.notSampled += relation.sql + u": "_s + table.sampleFault;
        }
    }
    std::stable_sort(proposals.begin(), proposals.end(),
        [](const Proposal &a, const Proposal &b) { return a.confidence > b.confidence; });
    return detected;
}

Result<Proposal> proposeFor(Session &session, const RelationFacts &relation)
{
    TableEvidence table = evidenceOf(relation);
    TRY(sampleInto(session, &table));
    return proposeFrom(table);
}

namespace {

/// What the expressions at these indexes give on the first rows; a column of cells for each.
Result<void> readColumns(Session &session, const RelationFacts &relation, const QList<PlannedExpression> &planned,
    const QList<qsizetype> &indexes, int rows, QList<Cells> *columns)
{
    QStringList parts;
    for (const qsizetype i : indexes) {
        const QString text = u"("_s + planned.at(i).sql + u")::pg_catalog.text"_s;
        parts.append(u"pg_catalog.left("_s + text + u", "_s + QString::number(kShownCharacters)
            + u"), pg_catalog.octet_length("_s + text + u")"_s);
    }
    QList<Cells> found(indexes.size());
    const QString sql
        = u"SELECT "_s + parts.join(u", "_s) + u" FROM "_s + relation.sql + u" AS t LIMIT "_s + QString::number(rows);
    TRY(session.each({ sql, {} }, [&](const Row &row) {
        for (int k = 0; k < indexes.size(); ++k) {
            Cell cell = row.cell(2 * k);
            const qint64 bytes = row.integer(2 * k + 1);
            cell.fullBytes = cell.text.size() >= kShownCharacters && bytes > cell.text.toUtf8().size() ? bytes : -1;
            found[k].append(cell);
        }
        return true;
    }));
    for (qsizetype k = 0; k < indexes.size(); ++k) {
        (*columns)[indexes.at(k)] = found.at(k);
    }
    return {};
}

} // namespace

Result<QList<Cells>> previewExpressions(
    Session &session, const RelationFacts &relation, const QStringList &expressions, int rows)
{
    QList<PlannedExpression> planned;
    for (const QString &expression : expressions) {
        planned.append({ {}, withClock(expression), Wanted::Anything, false, {}, {} });
    }
    TRY(const auto faults, planExpressions(session, relation.sql, planned));
    QHash<qsizetype, QString> wrong;
    for (const PlanFault &fault : faults) {
        wrong.insert(fault.index, fault.reason);
    }
    QList<qsizetype> good;
    for (qsizetype i = 0; i < expressions.size(); ++i) {
        if (!wrong.contains(i)) {
            good.append(i);
        }
    }
    QList<Cells> columns(expressions.size());
    // First all in one statement; an expression that fails on a row spoils that, then each runs alone.
    if (!good.isEmpty() && !readColumns(session, relation, planned, good, rows, &columns)) {
        for (const qsizetype i : std::as_const(good)) {
            const auto alone = readColumns(session, relation, planned, { i }, rows, &columns);
            if (!alone) {
                if (alone.error().kind == ErrorKind::ConnectionLost || alone.error().kind == ErrorKind::Cancelled) {
                    return alone.error();
                }
                wrong.insert(i, alone.error().detail.section(u'\n', 0, 0));
            }
        }
    }
    for (auto it = wrong.cbegin(); it != wrong.cend(); ++it) {
        columns[it.key()] = Cells(std::max(rows, 1), failedCell(it.value()));
    }
    return columns;
}

Result<QList<StatusCount>> sampleStatuses(Session &session, const RelationFacts &relation, const QString &statusSql)
{
    const QList<PlannedExpression> planned { { {}, withClock(statusSql), Wanted::Anything, true, {}, {} } };
    TRY(const auto faults, planExpressions(session, relation.sql, planned));
    if (!faults.isEmpty()) {
        Error error = faults.first().error;
        error.kind = error.kind == ErrorKind::None ? ErrorKind::Usage : error.kind;
        error.what = QStringLiteral("The status cannot be read.");
        error.why = faults.first().reason;
        return error;
    }
    QList<StatusCount> counts;
    TRY(session.each(
        { u"SELECT s.status, pg_catalog.count(*) FROM ("_s
                + sampleSql(relation,
                    u"pg_catalog.left(("_s + planned.first().sql + u")::pg_catalog.text, 1000) AS status"_s,
                    kStatusRows)
                + u") AS s GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 200"_s,
            {} },
        [&counts](const Row &row) {
            counts.append({ row.cell(0), row.integer(1) });
            return true;
        }));
    return counts;
}

} // namespace idemdesk::sql
