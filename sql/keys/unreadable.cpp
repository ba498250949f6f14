// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/keys/unreadable.h"

#include "sql/keys/render.h"
#include "sql/profile/effect_links.h"
#include "sql/profile/expression_sql.h"
#include "sql/types/tr.h"

#include <QHash>
#include <algorithm>
#include <functional>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

/// Rows that are named one by one; with more of them the expressions say too little to be used.
constexpr qsizetype kMostUnreadable = 100;
/// Parts of a table that are asked one after another: only those in which a row fails are read a second time. Each is a
/// statement of its own, which a busy server makes wait; with fewer of them more would be read twice.
constexpr qint64 kParts = 16;

/// Calls `timed` for each expression of a profile that statements over many rows use, and `plain` for each
/// further piece of SQL; both with its place in the profile, as a person knows it.
void visitExpressions(Profile *profile, const std::function<void(const QString &, Expression *, bool)> &timed,
    const std::function<void(const QString &, QString *)> &plain)
{
    timed(u"key"_s, &profile->key, false);
    for (LabelledExpression &part : profile->scope) {
        timed(u"scope "_s + part.label, &part.value, false);
    }
    for (LabelledExpression &alias : profile->aliases) {
        timed(u"alias "_s + alias.label, &alias.value, false);
    }
    for (FieldSpec &field : profile->fields) {
        timed(u"field "_s + field.label, &field.value, false);
    }
    for (auto role = profile->roles.begin(); role != profile->roles.end(); ++role) {
        timed(roleName(role.key()), &*role, isTimeRole(role.key()));
    }
    for (OrderSpec &order : profile->orders) {
        timed(u"order "_s + order.label, &order.value, order.value.form != TimeForm::Native);
    }
    const auto rules = [&](const QString &place, QList<TimeRule> *list) {
        for (TimeRule &rule : *list) {
            if (rule.by.present()) {
                timed(place, &rule.by, true);
            }
            if (!rule.after.isEmpty() && !isDuration(rule.after)) {
                plain(place, &rule.after);
            }
            if (!rule.when.isEmpty()) {
                plain(place, &rule.when);
            }
        }
    };
    if (profile->stale) {
        rules(u"stale"_s, &*profile->stale);
    }
    rules(u"purge"_s, &profile->purge);
    for (PolicySpec &policy : profile->policies) {
        bool number = false;
        policy.maxAttempts.toLongLong(&number);
        if (!policy.maxAttempts.isEmpty() && !number) {
            plain(u"max_attempts"_s, &policy.maxAttempts);
        }
        if (!policy.staleAfter.isEmpty() && !isDuration(policy.staleAfter)) {
            plain(u"stale_after"_s, &policy.staleAfter);
        }
    }
    if (!profile->advisoryLock.isEmpty()) {
        plain(u"advisory_lock"_s, &profile->advisoryLock);
    }
    for (QString &reference : profile->businessReferences) {
        plain(u"business_reference"_s, &reference);
    }
}

/// A plain column can be read wherever its row can, also as a time in UTC.
bool canFail(const Target &target, const Expression &expression)
{
    const ColumnFacts *column = plainColumnFacts(target, expression);
    const bool asStored = expression.form == TimeForm::Native
        || (expression.form == TimeForm::Utc && column != nullptr && column->typeName == u"timestamp");
    return column == nullptr || !asStored || !expression.plus.isEmpty() || !expression.when.isEmpty();
}

bool canFail(const Target &target, const QString &sql)
{
    const QString column = plainColumn(sql);
    return column.isEmpty() || target.relation.column(column) == nullptr;
}

/// What is evaluated to know whether an expression works on a row.
QString trialOf(const Expression &expression, bool time)
{
    return time ? timestamptzSql(expression) : u"("_s + expression.sql + u")"_s;
}

QString trialOf(const EffectSpec &effect)
{
    return u"(SELECT pg_catalog.count(pg_catalog.to_jsonb(x.*)) FROM ("_s + effect.sql + u") x)"_s;
}

/// One thing that may fail on a row.
struct Doubtful {
    QStringList places; ///< in the profile
    QString trial;
    QString sql; ///< as the profile has it
    bool effect = false;
};

/// What binding found a problem with is left out of a profile, but for these: nobody uses them then.
QStringList refusedReferences(const Target &target)
{
    QStringList refused;
    const QStringList &references = target.profile.businessReferences;
    for (qsizetype i = 0; i < references.size(); ++i) {
        const QString path = target.profile.businessReferencePath(i);
        const auto problem = [&path](const Finding &finding) {
            return finding.severity == Finding::Severity::Problem && finding.jsonPath == path;
        };
        if (std::any_of(target.findings.cbegin(), target.findings.cend(), problem)) {
            refused += references.at(i);
        }
    }
    return refused;
}

/// Everything that may; what several places share once.
QList<Doubtful> allDoubtful(const Target &target, bool withEffects)
{
    QList<Doubtful> list;
    QHash<QString, qsizetype> seen;
    const auto add = [&](const Doubtful &one) {
        if (const auto known = seen.constFind(one.trial); known != seen.cend()) {
            list[*known].places += one.places;
            return;
        }
        seen.insert(one.trial, list.size());
        list.append(one);
    };
    Profile profile = target.profile;
    const QStringList refused = refusedReferences(target);
    visitExpressions(
        &profile,
        [&](const QString &place, Expression *expression, bool time) {
            if (expression->present() && canFail(target, *expression)) {
                add({ { place }, trialOf(*expression, time), expression->sql });
            }
        },
        [&](const QString &place, QString *sql) {
            if (canFail(target, *sql) && !refused.contains(*sql)) {
                add({ { place }, u"("_s + *sql + u")"_s, *sql });
            }
        });
    for (qsizetype i = 0; withEffects && i < profile.effects.size(); ++i) {
        const EffectSpec &effect = profile.effects.at(i);
        if (effectFault(target, i).isEmpty()) {
            add({ { effect.type }, trialOf(effect), effect.sql, true });
        }
    }
    return list;
}

} // namespace

QString readableSql(const Target &target)
{
    const QList<Doubtful> all = allDoubtful(target, false);
    QStringList parts; // a call takes at most 100 values
    for (qsizetype i = 0; i < all.size(); i += 50) {
        QStringList values;
        for (const Doubtful &one : all.mid(i, 50)) {
            values += one.trial;
        }
        // "IS NOT NULL": the planner expects that to hold for nearly every row, of a comparison it would guess a third.
        parts += u"pg_catalog.num_nonnulls("_s + values.join(u", "_s) + u") IS NOT NULL"_s;
    }
    return parts.size() < 2 ? parts.value(0) : u"("_s + parts.join(u" AND "_s) + u")"_s;
}

Target tryingEach(const Target &target)
{
    Target trying = target;
    trying.trial = readableSql(target);
    return trying;
}

namespace {

QString tidArray(const QStringList &tids)
{
    return u"'{\""_s + tids.join(u"\",\""_s) + u"\"}'::pg_catalog.tid[]"_s;
}

/// A condition over t that holds for every row but these.
QString exceptSql(const RowPlaces &rows, bool alone)
{
    if (rows.isEmpty()) {
        return u"true"_s;
    }
    if (alone) { // without partitions a place is one row
        const QStringList &tids = rows.first();
        return tids.size() == 1 ? u"(t.ctid <> '%1'::pg_catalog.tid)"_s.arg(tids.constFirst())
                                : u"(t.ctid <> ALL ("_s + tidArray(tids) + u"))"_s;
    }
    QString cases = u"(CASE t.tableoid"_s;
    for (auto table = rows.cbegin(); table != rows.cend(); ++table) {
        cases += u" WHEN "_s + QString::number(table.key()) + u" THEN t.ctid <> ALL ("_s + tidArray(*table) + u")"_s;
    }
    return cases + u" ELSE true END)"_s;
}

qsizetype countOf(const RowPlaces &rows)
{
    qsizetype count = 0;
    for (const QStringList &tids : rows) {
        count += tids.size();
    }
    return count;
}

void addPlaces(RowPlaces *to, const RowPlaces &more)
{
    for (auto table = more.cbegin(); table != more.cend(); ++table) {
        for (const QString &tid : *table) {
            if (!to->value(table.key()).contains(tid)) {
                (*to)[table.key()] += tid;
            }
        }
    }
}

/// What the statement uses of the expressions, or of the effects; empty text: all.
QStringList trialsUsed(const QList<Doubtful> &all, bool effects, const QString &usedIn)
{
    QStringList list;
    for (const Doubtful &one : all) {
        if (one.effect != effects) {
            continue;
        }
        // With a clock in it, an expression stands in the statement in another form.
        if (usedIn.isEmpty() || usedIn.contains(one.sql) || renderNow(one.sql, u"0"_s) != one.sql) {
            list += one.trial;
        }
    }
    return list;
}

/// How large the target or its largest partition is; these are read through the target, whose rights they have.
struct RelationSize {
    qint64 blocks = -1; ///< -1: it holds no rows itself (a view), so that they have no places
    bool alone = false; ///< no partitions or children
};

Result<RelationSize> sizeOf(Session &session, const Target &target)
{
    Statement statement { u"WITH RECURSIVE tree (oid) AS (SELECT $1::pg_catalog.oid UNION SELECT i.inhrelid "
                          "FROM pg_catalog.pg_inherits i JOIN tree ON tree.oid = i.inhparent) "
                          "SELECT COALESCE(pg_catalog.max(pg_catalog.pg_relation_size(c.oid) "
                          "/ pg_catalog.current_setting('block_size')::pg_catalog.int8), -1), pg_catalog.count(*) = 1 "
                          "FROM tree JOIN pg_catalog.pg_class c ON c.oid = tree.oid WHERE c.relkind IN ('r', 'm')"_s,
        {} };
    statement.bind(QString::number(target.relation.oid));
    const auto row = session.one(statement);
    return row ? Result<RelationSize>({ row->at(0).text.toLongLong(), row->at(1).text == u"t"_s })
               : Result<RelationSize>(row.error());
}

/// Where an UnreadableSearch looks: from a block on, up to another one (-1: to the end of the table).
struct SearchedBlocks {
    qint64 from = 0;
    qint64 end = -1;
    bool first = false; ///< where the first part with such rows lies in the first half, the rest is not looked at
};

class UnreadableSearch
{
public:
    UnreadableSearch(Session &session, const Target &target, bool effects, const QString &usedIn,
        const SearchedBlocks &blocks, const Unreadable *known)
        : m_session(session)
        , m_target(target)
        , m_blocks(blocks)
        , m_effects(effects)
        , m_all(allDoubtful(target, effects))
        , m_doubtful(trialsUsed(m_all, effects, usedIn))
    {
        if (known != nullptr && !known->none()) {
            RowPlaces places = known->rows;
            addPlaces(&places, known->evidence);
            m_except = u" AND "_s + exceptSql(places, known->alone);
        }
    }

    Result<Unreadable> run()
    {
        if (m_doubtful.isEmpty()) {
            return m_found;
        }
        TRY(prepare());
        if (m_end < 0) {
            return withoutPlaces();
        }
        TRY(searchAll());
        if (m_found.many && m_effects) { // which says nothing of the rows' state
            m_found.evidenceCount = m_found.count;
            m_found.evidenceMany = true;
            m_found.many = false;
            m_found.count = 0;
            m_found.rows.clear();
            return m_found;
        }
        TRY(m_found.many ? Result<void>() : tellApart());
        return m_found;
    }

    Result<Unreadable> runAmong(const RowPlaces &rows)
    {
        constexpr qsizetype kAtOnce = 500; // so few that the server goes to their places
        if (m_doubtful.isEmpty()) {
            return m_found;
        }
        TRY(prepare());
        for (auto table = rows.cbegin(); table != rows.cend(); ++table) {
            for (qsizetype at = 0; at < table->size(); at += kAtOnce) {
                TRY(searchRows(table.key(), table->mid(at, kAtOnce), false));
            }
        }
        const auto done = m_found.many ? Result<void>() : tellApart();
        return done ? Result<Unreadable>(m_found) : Result<Unreadable>(done.error());
    }

private:
    Result<void> prepare()
    {
        TRY(const auto now, m_session.one({ u"SELECT pg_catalog.now()"_s, {} }));
        m_now = Timestamp::parse(now.constFirst().text).value_or(Timestamp());
        return measure();
    }

    Result<void> searchAll()
    {
        const qint64 size = std::max<qint64>(1, m_end / kParts);
        for (qint64 from = m_blocks.from; from == m_blocks.from || from < m_end; from += size) {
            // The last part has no end, unless one was given: the table may have grown.
            const qint64 to = from + size < m_end ? from + size : m_blocks.end;
            if (const auto done = searchPart(from, to); !done) {
                return done;
            }
            if (m_found.many) {
                return {};
            }
            if (m_blocks.first && m_found.count > 0 && to > 0 && from <= m_end / 2) {
                m_found.searchedTo = to;
                return {};
            }
        }
        return {};
    }

    /// A view's rows have no place by which one could be passed over: all that can be known is whether each can be
    /// read.
    Result<Unreadable> withoutPlaces()
    {
        TRY(const auto fine, readable(u"true"_s));
        return fine ? Result<Unreadable>(m_found)
                    : makeError(ErrorKind::InvalidValue, Tr::tr("Some rows of this view cannot be read."),
                        Tr::tr("An expression of the profile fails on them, and a row of a view cannot be named."),
                        Tr::tr("Fix the rows, or the expression in the profile."));
    }

    Result<void> measure()
    {
        TRY(const auto size, sizeOf(m_session, m_target));
        m_end = m_blocks.end < 0 ? size.blocks : std::min(size.blocks, m_blocks.end);
        m_found.alone = size.alone;
        return {};
    }

    static QString blocks(qint64 from, qint64 to)
    {
        const QString end = to < 0 ? QString() : u" AND t.ctid < '(%1,0)'::pg_catalog.tid"_s.arg(to);
        return u"t.ctid >= '(%1,0)'::pg_catalog.tid"_s.arg(from) + end;
    }

    /// Evaluates everything on these rows; whether they can be read.
    Result<bool> readable(const QString &where)
    {
        if (m_session.cancelled()) {
            return makeError(ErrorKind::Cancelled, Tr::tr("The look for unreadable rows was cancelled."));
        }
        Render render(m_target);
        QStringList counts;
        for (const QString &sql : m_doubtful) {
            counts += u"pg_catalog.count("_s + sql + u")"_s;
        }
        const auto row = m_session.one(render.finish(
            u"SELECT "_s + counts.join(u", "_s) + render.from() + u" WHERE "_s + where + m_except, m_now));
        if (!row && !isRowsFault(row.error())) {
            return row.error();
        }
        return row.ok();
    }

    /// Which of the rows found each expression fails on, and what the server says of it.
    Result<void> tellApart()
    {
        const RowPlaces places = m_found.rows;
        for (const Doubtful &one : m_all) {
            for (auto table = places.cbegin(); table != places.cend(); ++table) {
                if (const auto done = tellApart(one, table.key(), *table); !done) {
                    return done;
                }
            }
        }
        // A row on which nothing but the query of an effect fails has a state.
        for (auto table = places.cbegin(); table != places.cend(); ++table) {
            for (const QString &tid : *table) {
                const auto ofEffect = [&](const Doubtful &one) {
                    return one.effect && m_found.byExpression.value(one.sql).value(table.key()).contains(tid);
                };
                const auto ofRow = [&](const Doubtful &one) {
                    return !one.effect && m_found.byExpression.value(one.sql).value(table.key()).contains(tid);
                };
                if (std::any_of(m_all.cbegin(), m_all.cend(), ofEffect)
                    && std::none_of(m_all.cbegin(), m_all.cend(), ofRow)) {
                    m_found.evidence[table.key()] += tid;
                    m_found.rows[table.key()].removeAll(tid);
                }
            }
            if (m_found.rows.value(table.key()).isEmpty()) {
                m_found.rows.remove(table.key());
            }
        }
        m_found.count = countOf(m_found.rows);
        m_found.evidenceCount = countOf(m_found.evidence);
        return {};
    }

    Result<void> tellApart(const Doubtful &one, quint32 table, const QStringList &tids)
    {
        Render render(m_target);
        const auto row = m_session.one(render.finish(
            u"SELECT pg_catalog.count("_s + one.trial + u")"_s + render.from() + u" WHERE "_s + here(table, tids),
            m_now));
        if (row || !isRowsFault(row.error())) {
            return row ? Result<void>() : Result<void>(row.error());
        }
        if (tids.size() > 1) {
            const qsizetype middle = tids.size() / 2;
            const auto left = tellApart(one, table, tids.mid(0, middle));
            return left ? tellApart(one, table, tids.mid(middle)) : left;
        }
        m_found.byExpression[one.sql][table] += tids.constFirst();
        for (const QString &place : one.places) {
            m_found.faults[{ table, tids.constFirst() }].insert(place, row.error().why);
        }
        return {};
    }

    static QString here(quint32 table, const QStringList &tids)
    {
        return u"t.tableoid = %1 AND t.ctid = ANY ("_s.arg(table) + tidArray(tids) + u")"_s;
    }

    /// Halves a part in which a row fails down to single blocks. `failing`: it is known already that one does.
    Result<void> searchPart(qint64 from, qint64 to, bool failing = false)
    {
        TRY(const auto fine, failing ? Result<bool>(false) : readable(blocks(from, to)));
        return fine || m_found.many ? Result<void>() : narrow(from, to);
    }

    Result<void> narrow(qint64 from, qint64 to)
    {
        const qint64 end = to < 0 ? std::max(m_end, from + 1) : to;
        if (end - from <= 1) {
            return searchBlock(from, to);
        }
        const qint64 middle = (from + end) / 2;
        const qsizetype before = m_found.count;
        const auto left = searchPart(from, middle);
        // Where the left half is fine the row is in the right one, which need not be asked.
        return left && !m_found.many ? searchPart(middle, to, m_found.count == before) : left;
    }

    /// This block of the target and of each of its partitions.
    Result<void> searchBlock(qint64 from, qint64 to)
    {
        Render render(m_target);
        TRY(const auto rows,
            m_session.all(render.finish(u"SELECT t.tableoid, t.ctid"_s + render.from() + u" WHERE "_s + blocks(from, to)
                    + m_except + u" ORDER BY 1, 2"_s,
                m_now)));
        QMap<quint32, QStringList> tables;
        for (const Cells &row : rows) {
            tables[row.at(0).text.toUInt()] += row.at(1).text;
        }
        for (auto table = tables.cbegin(); table != tables.cend(); ++table) {
            if (const auto done = searchRows(table.key(), *table, tables.size() == 1); !done) {
                return done;
            }
        }
        return {};
    }

    /// `failing`: it is known already that one of them cannot be read.
    Result<void> searchRows(quint32 table, const QStringList &tids, bool failing)
    {
        if (tids.isEmpty() || m_found.many) {
            return {};
        }
        if (!failing) {
            const auto fine = readable(here(table, tids));
            if (!fine || *fine) {
                return fine ? Result<void>() : Result<void>(fine.error());
            }
        }
        if (tids.size() > 1) {
            const qsizetype middle = tids.size() / 2;
            const qsizetype before = m_found.count;
            const auto left = searchRows(table, tids.mid(0, middle), false);
            return left ? searchRows(table, tids.mid(middle), m_found.count == before) : left;
        }
        if (failing) {
            // What was known of many may be over: somebody could have mended the row since.
            const auto fine = readable(here(table, tids));
            if (!fine || *fine) {
                return fine ? Result<void>() : Result<void>(fine.error());
            }
        }
        m_found.rows[table] += tids.constFirst();
        m_found.many = ++m_found.count >= kMostUnreadable;
        return {};
    }

    Session &m_session;
    const Target &m_target;
    const SearchedBlocks m_blocks;
    const bool m_effects; ///< their queries are tried, not the expressions
    const QList<Doubtful> m_all;
    const QStringList m_doubtful; ///< what is tried
    QString m_except; ///< leaves out rows that are known already
    Timestamp m_now;
    qint64 m_end = 0; ///< blocks of the largest table, when the search began
    Unreadable m_found;
};

} // namespace

QString Unreadable::note() const
{
    if (many) {
        return Tr::tr("%1 or more rows are unreadable, because expressions of the profile fail on them. These "
                      "expressions were left out, and every row counts as unknown.")
            .arg(kMostUnreadable);
    }
    QStringList sentences;
    if (count > 0) {
        sentences += Tr::tr("%n row(s) are unreadable, because an expression of the profile fails on them; they "
                            "count as unknown.",
            nullptr, int(count));
    }
    if (evidenceMany) {
        sentences += Tr::tr("The evidence of %1 or more rows is unreadable, because the query of an effect fails on "
                            "them. It was left out.")
                         .arg(kMostUnreadable);
    } else if (evidenceCount > 0) {
        sentences += Tr::tr("The evidence of %n row(s) is unreadable, because the query of an effect fails on them.",
            nullptr, int(evidenceCount));
    }
    return sentences.join(u' ');
}

QString Unreadable::faultOf(quint32 table, const QString &ctid) const
{
    if (many) {
        return Tr::tr("%1 or more rows are unreadable, so the expressions were left out.").arg(kMostUnreadable);
    }
    if (!rows.value(table).contains(ctid)) {
        return {};
    }
    QStringList parts;
    const QMap<QString, QString> said = faults.value({ table, ctid });
    for (auto one = said.cbegin(); one != said.cend(); ++one) {
        parts += one.key() + u": "_s + *one;
    }
    return parts.isEmpty() ? Tr::tr("An expression of the profile fails on this row.") : parts.join(u"; "_s);
}

bool isRowsFault(const Error &error)
{
    if (error.position >= 0) {
        return false; // what was asked is wrong
    }
    // Invalid values; functions that raise; subqueries with several rows; domains that refuse a value.
    return error.kind == ErrorKind::InvalidValue || error.sqlState.startsWith(u"P0") || error.sqlState == u"21000"
        || error.sqlState.startsWith(u"23");
}

Result<Unreadable> findUnreadable(Session &session, const Target &target, const QString &usedIn, qint64 from,
    bool first, const Unreadable *known, qint64 end)
{
    return UnreadableSearch(session, target, false, usedIn, { from, end, first }, known).run();
}

Result<Unreadable> findUnreadableAmong(
    Session &session, const Target &target, const RowPlaces &rows, const Unreadable *known)
{
    return UnreadableSearch(session, target, false, {}, {}, known).runAmong(rows);
}

Result<Unreadable> findUnreadableEvidence(
    Session &session, const Target &target, const QString &usedIn, const Unreadable *known)
{
    return UnreadableSearch(session, target, true, usedIn, {}, known).run();
}

Result<qint64> blocksOf(Session &session, const Target &target)
{
    const auto size = sizeOf(session, target);
    return size ? Result<qint64>(size->blocks) : Result<qint64>(size.error());
}

bool mayFail(const Target &target, const QString &sql)
{
    return !trialsUsed(allDoubtful(target, false), false, sql.isEmpty() ? u" "_s : sql).isEmpty();
}

bool AroundReader::learned(const Error &error)
{
    if (!isRowsFault(error) || m_found.many) {
        return false;
    }
    // Rows that are known are passed over, so that this finds only further ones. Most often one is all there is, and
    // reading again is the look at the rest of the table; where that fails, too, the rest is looked at to its end.
    const QString failed = m_session.lastSql();
    auto more = findUnreadable(m_session, m_target, failed, m_next, !m_begun, &m_found);
    if (more && more->none() && m_next > 0) { // another statement, with other expressions
        more = findUnreadable(m_session, m_target, failed, 0, false, &m_found);
    }
    const bool evidence = m_withEffects && !m_found.evidenceMany;
    if (more && more->none() && evidence) {
        more = findUnreadableEvidence(m_session, m_target, failed, &m_found);
    }
    if (more && more->none()) { // a statement that went past the session (COPY), or that has its
                                // expressions in another form
        more = findUnreadable(m_session, m_target, {}, 0, false, &m_found);
    }
    if (more && more->none() && evidence) {
        more = findUnreadableEvidence(m_session, m_target, {}, &m_found);
    }
    return more && add(*more);
}

Result<void> AroundReader::learnAll()
{
    const auto more = findUnreadable(m_session, m_target, {}, 0, false, &m_found);
    if (!more) {
        return more.error();
    }
    add(*more);
    return {};
}

Result<void> AroundReader::learnFirst(qint64 blocks)
{
    const auto more = m_found.many ? Result<Unreadable>(Unreadable())
                                   : findUnreadable(m_session, m_target, {}, 0, false, &m_found, blocks);
    if (more) {
        add(*more);
    }
    return more ? Result<void>() : Result<void>(more.error());
}

Result<void> AroundReader::learnAmong(const RowPlaces &rows)
{
    const auto more
        = m_found.many ? Result<Unreadable>(Unreadable()) : findUnreadableAmong(m_session, m_target, rows, &m_found);
    if (more) {
        add(*more);
    }
    return more ? Result<void>() : Result<void>(more.error());
}

void AroundReader::prepare(const Filter &filter)
{
    if (asksForUnknown(filter)) {
        (void)learnAll(); // what cannot be looked for is left to learned()
    }
}

bool AroundReader::add(const Unreadable &more)
{
    if (more.none()) {
        return false;
    }
    m_next = std::max<qint64>(more.searchedTo, 0);
    m_begun = true;
    addPlaces(&m_found.rows, more.rows);
    addPlaces(&m_found.evidence, more.evidence);
    for (auto one = more.byExpression.cbegin(); one != more.byExpression.cend(); ++one) {
        addPlaces(&m_found.byExpression[one.key()], *one);
    }
    m_found.faults.insert(more.faults);
    m_found.count = countOf(m_found.rows);
    m_found.evidenceCount = countOf(m_found.evidence);
    m_found.many = more.many || m_found.count >= kMostUnreadable;
    m_found.evidenceMany = m_found.evidenceMany || more.evidenceMany || m_found.evidenceCount >= kMostUnreadable;
    if (more.evidenceMany) {
        m_found.evidenceCount = more.evidenceCount;
    }
    m_found.alone = more.alone;
    m_around = readingAround(m_target, m_found);
    return true;
}

bool asksForStates(const Filter &filter)
{
    return std::any_of(filter.terms.cbegin(), filter.terms.cend(),
        [](const FilterTerm &term) { return term.field == FilterField::State; });
}

bool asksForUnknown(const Filter &filter)
{
    return asksForStates(filter) && std::all_of(filter.terms.cbegin(), filter.terms.cend(), [](const FilterTerm &term) {
        return term.field != FilterField::State || term.values.contains(u"unknown"_s) != term.negated;
    });
}

Target readingAround(const Target &target, const Unreadable &unreadable)
{
    Target guarded = target;
    guarded.readable = unreadable.many ? u"false"_s
        : unreadable.count > 0         ? exceptSql(unreadable.rows, unreadable.alone)
                                       : QString();
    if (!guarded.trial.isEmpty() && !guarded.readable.isEmpty()) {
        guarded.trial = u"(CASE WHEN "_s + guarded.readable + u" THEN "_s + guarded.trial + u" END)"_s;
    }
    const auto failing
        = [&unreadable](const QString &sql) { return unreadable.many || unreadable.byExpression.contains(sql); };
    const auto works = [&unreadable](const QString &sql) {
        return unreadable.many ? u"false"_s : exceptSql(unreadable.byExpression.value(sql), unreadable.alone);
    };
    const auto guard = [](const QString &condition, const QString &sql) {
        return u"(CASE WHEN "_s + condition + u" THEN ("_s + sql + u") END)"_s;
    };
    visitExpressions(
        &guarded.profile,
        [&](const QString &, Expression *expression, bool) {
            if (!expression->present() || !canFail(target, *expression) || !failing(expression->sql)) {
                return;
            }
            const QString where = works(expression->sql);
            if (!expression->when.isEmpty()) { // tried with the value
                expression->when = guard(where, expression->when);
            }
            expression->sql = guard(where, expression->sql);
            expression->column.clear(); // no index over the column serves what is guarded
        },
        [&](const QString &, QString *sql) {
            if (failing(*sql)) {
                *sql = guard(works(*sql), *sql);
            }
        });
    for (EffectSpec &effect : guarded.profile.effects) {
        if (unreadable.evidenceMany || failing(effect.sql)) {
            // OFFSET 0 keeps the planner from trying the query before the row's place.
            effect.sql = u"SELECT * FROM (SELECT * FROM ("_s + effect.sql
                + u") AS idemdesk_y OFFSET 0) AS idemdesk_x WHERE "_s
                + (unreadable.evidenceMany ? u"false"_s : works(effect.sql));
        }
    }
    return guarded;
}

} // namespace idemdesk::sql
