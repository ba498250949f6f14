// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/profile/evidence_trial.h"

#include "sql/actions/evidence_writers.h"
#include "sql/keys/render.h"
#include "sql/keys/state_predicate.h"
#include "sql/keys/unreadable.h"
#include "sql/profile/effect_links.h"
#include "sql/profile/sample_sql.h"
#include "sql/types/tr.h"

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

/// Rows of each kind that a trial looks at.
constexpr int kTriedRows = 200;
/// Rows of either part of the sample in which a query must find something once: the first ones, and some from all over.
constexpr int kSampledRows = 300;

/// Blocks of the table with all its partitions, as they are now.
const QString kBlocks = uR"(
WITH RECURSIVE tree (oid) AS (
    SELECT $1::pg_catalog.oid UNION SELECT i.inhrelid FROM pg_catalog.pg_inherits i JOIN tree ON tree.oid = i.inhparent)
SELECT (COALESCE(pg_catalog.sum(pg_catalog.pg_relation_size(c.oid)), 0)
        / pg_catalog.current_setting('block_size')::pg_catalog.int8)::pg_catalog.int8
  FROM tree JOIN pg_catalog.pg_class c ON c.oid = tree.oid WHERE c.relkind IN ('r', 'm'))"_s;

bool endsTheTrial(const Error &error)
{
    return error.kind == ErrorKind::ConnectionLost || error.kind == ErrorKind::Cancelled
        || error.kind == ErrorKind::Superseded;
}

/// Columns that the mark of a success writes: by the profile's own rules, and those that hold a result.
QStringList columnsOfTheMark(const Target &target)
{
    const Profile &profile = target.profile;
    QStringList columns;
    for (const QList<ActionRule> *rules : { &profile.recover, &profile.requeue, &profile.reclassify, &profile.align }) {
        for (const ActionRule &rule : *rules) {
            columns += rule.to == KeyState::Succeeded ? rule.copy : QStringList();
            for (const auto &[column, expression] : rule.set) {
                if (rule.to == KeyState::Succeeded) {
                    columns += column;
                }
            }
        }
    }
    for (const Role role :
        { Role::ResultType, Role::ResultId, Role::ResponseCode, Role::ResponseBody, Role::CompletedAt }) {
        if (const ColumnFacts *column = plainColumnFacts(target, profile.role(role))) {
            columns += column->name;
        }
    }
    return columns;
}

/// The readable columns of t, empty where the mark wrote them.
QString unmarkedColumns(const Target &target)
{
    const QStringList written = columnsOfTheMark(target);
    QStringList list;
    for (const ColumnFacts &column : target.relation.columns) {
        if (column.selectable) {
            const QString name = quoteIdentifier(column.name);
            list += !column.notNull && written.contains(column.name) ? u"NULL::"_s + column.castType + u" AS "_s + name
                                                                     : u"t."_s + name;
        }
    }
    return list.join(u", "_s);
}

class Trials
{
public:
    Trials(Session &session, const Target &target)
        : m_session(session)
        , m_target(target)
    {
    }

    Result<EvidenceTrial> run(qsizetype effect)
    {
        EvidenceTrial trial;
        trial.effect = effect;
        for (const auto step : { &Trials::sources, &Trials::madeUp, &Trials::unfinished, &Trials::marked }) {
            const auto done = (this->*step)(&trial);
            if (!done && endsTheTrial(done.error())) {
                return done.error();
            }
            if (!done) {
                trial.error = done.error().why.isEmpty() ? done.error().line() : done.error().why;
                break;
            }
        }
        return trial;
    }

private:
    const EffectSpec &spec(const EvidenceTrial &trial) const { return m_target.profile.effects.at(trial.effect); }
    QString exists(const EvidenceTrial &trial) const
    {
        return u"EXISTS (SELECT FROM ("_s + spec(trial).sql + u") AS x WHERE NOT (x.* IS NULL))"_s;
    }

    Result<void> sources(EvidenceTrial *trial)
    {
        EvidenceWriters writers(m_session, m_target);
        const auto looked = writers.lookAtSources(spec(*trial).sql);
        trial->doubt = writers.rereads().isEmpty() ? writers.unsteady() : writers.rereads();
        return looked;
    }

    Result<void> madeUp(EvidenceTrial *trial)
    {
        TRY(trial->ofAnything, answersAnything(m_session, m_target, trial->effect));
        return {};
    }

    Result<void> unfinished(EvidenceTrial *trial)
    {
        Render render(m_target);
        const QString sql = u"SELECT pg_catalog.count(*), pg_catalog.count(*) FILTER (WHERE s.missing <> ''), "
                            "pg_catalog.string_agg(DISTINCT s.missing, ', ') FILTER (WHERE s.missing <> ''), "
                            "pg_catalog.count(*) FILTER (WHERE s.found) FROM (SELECT "_s
            + missingLinksSql(spec(*trial), m_target.relation) + u" AS missing, "_s + exists(*trial) + u" AS found"_s
            + render.from() + u" WHERE "_s
            + stateIn(render, { KeyState::Pending, KeyState::InProgress, KeyState::FailedRetryable }) + u" LIMIT "_s
            + QString::number(kTriedRows) + u") AS s"_s;
        TRY(const auto row, m_session.one(render.finish(sql, {})));
        trial->unfinished = row.at(0).text.toLongLong();
        trial->unlinked = row.at(1).text.toLongLong();
        trial->missing = row.at(2).text.split(u", "_s, Qt::SkipEmptyParts);
        trial->missing.removeDuplicates();
        trial->found = row.at(3).text.toLongLong();
        return {};
    }

    Result<void> marked(EvidenceTrial *trial)
    {
        Render render(m_target);
        const QString sql = u"SELECT pg_catalog.count(*), pg_catalog.count(*) FILTER (WHERE s.found) FROM (SELECT "_s
            + exists(*trial) + u" AS found FROM (SELECT "_s
            + (m_target.readable.isEmpty() ? QString() : u"t.tableoid, t.ctid, "_s) + unmarkedColumns(m_target)
            + render.from() + u" WHERE "_s + stateIn(render, { KeyState::Succeeded }) + u" LIMIT "_s
            + QString::number(kTriedRows) + u") AS t) AS s"_s;
        TRY(const auto row, m_session.one(render.finish(sql, {})));
        trial->marked = row.at(0).text.toLongLong();
        trial->foundUnmarked = row.at(1).text.toLongLong();
        return {};
    }

    Session &m_session;
    const Target &m_target;
};

} // namespace

Result<QList<EvidenceTrial>> tryEvidence(Session &session, const Target &target)
{
    const WholeRows whole(session);
    QList<EvidenceTrial> trials;
    for (qsizetype i = 0; i < target.profile.effects.size(); ++i) {
        if (!target.profile.effects.at(i).proves || !effectFault(target, i).isEmpty()) {
            continue; // what binding refused is not run
        }
        TRY(const auto trial, Trials(session, target).run(i));
        trials += trial;
    }
    return trials;
}

Result<bool> answersAnything(Session &session, const Target &target, qsizetype effect)
{
    Render render(target);
    const auto row = session.one(render.finish(madeUpRowSql(target.profile.effects.at(effect), target.relation), {}));
    if (!row && endsTheTrial(row.error())) {
        return row.error();
    }
    return row && row->constFirst().text == u"t"; // one that fails on nothing gives no row of it
}

Finding answersAnythingFinding(const Target &target, qsizetype effect)
{
    return { Finding::Severity::Problem, u"$.effects[%1]"_s.arg(effect),
        Tr::tr("The query of “%1” gives a row of a key that does not exist. Let it give none: add %2, or a WHERE.")
            .arg(target.profile.effects.at(effect).type, u"HAVING count(*) > 0"_s) };
}

Result<bool> everFinds(Session &session, const Target &target, qsizetype effect)
{
    const WholeRows whole(session);
    Statement size { kBlocks, {} };
    size.bind(QString::number(target.relation.oid));
    TRY(const auto blocks, session.one(size));
    // A row on which the query fails says nothing of it; the others do.
    return readAround(session, target, true, nullptr, [&](const Target &around) -> Result<bool> {
        Render render(around);
        // Rows are passed over by their place; a view's have none.
        const QString place = around.relation.isView() ? QString() : u"t.tableoid, t.ctid, "_s;
        const QString sql = u"SELECT EXISTS (SELECT FROM (SELECT "_s + place + unmarkedColumns(around) + u" FROM ("_s
            + spreadSampleSql(around.relation, place + u"t.*"_s, kSampledRows, blocks.constFirst().text.toLongLong())
            + u") AS t) AS t WHERE EXISTS (SELECT FROM ("_s + around.profile.effects.at(effect).sql
            + u") AS x WHERE NOT (x.* IS NULL)))"_s;
        const auto row = session.one(render.finish(sql, {}));
        return row ? Result<bool>(row->constFirst().text == u"t") : Result<bool>(row.error());
    });
}

QList<Finding> evidenceFindings(const Target &target, const EvidenceTrial &trial)
{
    using Severity = Finding::Severity;
    const QString place = u"$.effects[%1]"_s.arg(trial.effect);
    const QString type = target.profile.effects.at(trial.effect).type;
    if (!trial.error.isEmpty()) {
        return { { Severity::Warning, place,
            Tr::tr("Not provable here: the query of “%1” failed: %2").arg(type, trial.error) } };
    }
    if (trial.ofAnything) {
        return { answersAnythingFinding(target, trial.effect) };
    }
    QList<Finding> findings;
    if (trial.unlinked > 0) {
        findings.append({ Severity::Warning, place,
            Tr::tr("For %1 of %2 unfinished rows it cannot be known whether “%3” exists: they have no %4.")
                .arg(trial.unlinked)
                .arg(trial.unfinished)
                .arg(type, trial.missing.join(u", "_s)) });
    }
    if (!trial.doubt.isEmpty()) {
        findings.append({ Severity::Warning, place, Tr::tr("Not provable here: “%1”. %2").arg(type, trial.doubt) });
    } else if (trial.proved()) {
        findings.append({ Severity::Note, place,
            Tr::tr("Proved with real rows: “%1” is found before its key is marked, in %2 unfinished and %3 "
                   "succeeded rows.")
                .arg(type)
                .arg(trial.found)
                .arg(trial.foundUnmarked) });
    } else if (trial.unfinished == 0 && trial.marked == 0) {
        findings.append({ Severity::Note, place,
            Tr::tr("Not provable here: the table has no row that could have a “%1”.").arg(type) });
    } else {
        findings.append({ Severity::Warning, place,
            Tr::tr(
                "Not provable here: of %1 unfinished and %2 succeeded rows, none shows “%3” before its key is marked.")
                .arg(trial.unfinished)
                .arg(trial.marked)
                .arg(type) });
    }
    return findings;
}

} // namespace idemdesk::sql
