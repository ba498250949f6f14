// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/keys/unreadable.h"

#include "sql/keys/render.h"
#include "sql/profile/expression_sql.h"
#include "sql/profile/profile_extras.h"
#include "sql/types/tr.h"

#include <algorithm>
#include <functional>
#include <QJsonArray>
#include <QJsonDocument>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

/// Rows that are named one by one; with more of them the expressions say too little to be used.
constexpr qsizetype kMostUnreadable = 100;
/// Parts of a table that are asked one after another: only those in which a row fails are read a second time. Each is a
/// statement of its own, which a busy server makes wait; with fewer of them more would be read twice.
constexpr qint64 kParts = 16;

/// Calls `timed` for each expression of a profile that statements over many rows use, and `plain` for each
/// further piece of SQL.
void visitExpressions(Profile *profile, const std::function<void(Expression *, bool)> &timed,
    const std::function<void(QString *)> &plain)
{
    timed(&profile->key, false);
    for (LabelledExpression &part : profile->scope) {
        timed(&part.value, false);
    }
    for (LabelledExpression &alias : profile->aliases) {
        timed(&alias.value, false);
    }
    for (auto role = profile->roles.begin(); role != profile->roles.end(); ++role) {
        timed(&*role, isTimeRole(role.key()));
    }
    for (OrderSpec &order : profile->orders) {
        timed(&order.value, order.value.form != TimeForm::Native);
    }
    const auto rules = [&](QList<TimeRule> *list) {
        for (TimeRule &rule : *list) {
            if (rule.by.present()) {
                timed(&rule.by, true);
            }
            if (!rule.after.isEmpty() && !isDuration(rule.after)) {
                plain(&rule.after);
            }
            if (!rule.when.isEmpty()) {
                plain(&rule.when);
            }
        }
    };
    if (profile->stale) {
        rules(&*profile->stale);
    }
    rules(&profile->purge);
    for (PolicySpec &policy : profile->policies) {
        bool number = false;
        policy.maxAttempts.toLongLong(&number);
        if (!policy.maxAttempts.isEmpty() && !number) {
            plain(&policy.maxAttempts);
        }
        if (!policy.staleAfter.isEmpty() && !isDuration(policy.staleAfter)) {
            plain(&policy.staleAfter);
        }
    }
    if (!profile->advisoryLock.isEmpty()) {
        plain(&profile->advisoryLock);
    }
    QStringList references = businessReferences(*profile);
    if (!references.isEmpty()) {
        for (QString &reference : references) {
            plain(&reference);
        }
        profile->extra.insert(u"business_reference"_s,
            QJsonDocument(QJsonArray::fromStringList(references)).toJson(QJsonDocument::Compact));
    }
}

/// A plain column can be read wherever its row can.
bool canFail(const Target &target, const Expression &expression)
{
    return expression.form != TimeForm::Native || !expression.plus.isEmpty() || !expression.when.isEmpty()
        || plainColumnFacts(target, expression) == nullptr;
}

/// What must be evaluated to know that a row can be read, as far as the statement uses it.
QStringList doubtfulSql(const Target &target, bool withEffects, const QString &usedIn)
{
    QStringList list;
    Profile profile = target.profile;
    // With a clock in it, an expression stands in the statement in another form.
    const auto used = [&usedIn](const QString &sql) {
        return usedIn.isEmpty() || usedIn.contains(sql) || renderNow(sql, u"0"_s) != sql;
    };
    visitExpressions(
        &profile,
        [&](Expression *expression, bool time) {
            if (expression->present() && canFail(target, *expression) && used(expression->sql)) {
                list += time ? timestamptzSql(*expression) : u"("_s + expression->sql + u")"_s;
            }
        },
        [&](QString *sql) {
            if (used(*sql)) {
                list += u"("_s + *sql + u")"_s;
            }
        });
    for (const EffectSpec &effect : std::as_const(profile.effects)) {
        if (withEffects && used(effect.sql)) {
            list += u"(SELECT pg_catalog.count(pg_catalog.to_jsonb(x)) FROM ("_s + effect.sql + u") x)"_s;
        }
    }
    list.removeDuplicates();
    return list;
}

} // namespace

QString readableSql(const Target &target)
{
    const QStringList all = doubtfulSql(target, false, {});
    QStringList parts; // a call takes at most 100 values
    for (qsizetype i = 0; i < all.size(); i += 50) {
        parts += u"pg_catalog.num_nonnulls("_s + all.mid(i, 50).join(u", "_s) + u") >= 0"_s;
    }
    return parts.join(u" AND "_s);
}

namespace {

QString tidArray(const QStringList &tids)
{
    return u"'{\""_s + tids.join(u"\",\""_s) + u"\"}'::pg_catalog.tid[]"_s;
}

/// A condition over t that holds for every row but these.
QString exceptSql(const Unreadable &unreadable)
{
    if (unreadable.many) {
        return u"false"_s;
    }
    if (unreadable.alone) { // without partitions a place is one row
        const QStringList tids = unreadable.rows.isEmpty() ? QStringList() : unreadable.rows.first();
        return tids.size() == 1 ? u"(t.ctid <> '%1'::pg_catalog.tid)"_s.arg(tids.constFirst())
                                : u"(t.ctid <> ALL ("_s + tidArray(tids) + u"))"_s;
    }
    QString cases = u"(CASE t.tableoid"_s;
    for (auto table = unreadable.rows.cbegin(); table != unreadable.rows.cend(); ++table) {
        cases += u" WHEN "_s + QString::number(table.key()) + u" THEN t.ctid <> ALL ("_s + tidArray(*table)
            + u")"_s;
    }
    return cases + u" ELSE true END)"_s;
}

class UnreadableSearch
{
public:
    UnreadableSearch(Session &session, const Target &target, bool withEffects, const QString &usedIn, qint64 from, bool first)
        : m_session(session)
        , m_target(target)
        , m_from(from)
        , m_first(first)
        , m_doubtful(doubtfulSql(target, withEffects, usedIn))
    {
    }

    Result<Unreadable> run()
    {
        if (m_doubtful.isEmpty()) {
            return m_found;
        }
        const auto now = m_session.one({ u"SELECT pg_catalog.now()"_s, {} });
        if (!now) {
            return now.error();
        }
        m_now = Timestamp::parse(now->constFirst().text).value_or(Timestamp());
        if (const auto measured = measure(); !measured) {
            return measured.error();
        }
        const qint64 size = std::max<qint64>(1, m_end / kParts);
        for (qint64 from = m_from; m_end >= 0 && (from == m_from || from < m_end); from += size) {
            // The last part has no end: the table may have grown.
            const qint64 to = from + size >= m_end ? -1 : from + size;
            if (const auto done = searchPart(from, to); !done) {
                return done.error();
            }
            if (m_found.many) {
                return m_found;
            }
            if (m_first && m_found.count > 0 && to > 0 && from <= m_end / 2) {
                m_found.searchedTo = to;
                return m_found;
            }
        }
        return m_found;
    }

private:
    /// How large the target or its largest partition is; these are read through the target, whose rights they have. -1: it holds no
    /// rows itself (a view), so that they have no places.
    Result<void> measure()
    {
        Statement statement { u"WITH RECURSIVE tree (oid) AS (SELECT $1::pg_catalog.oid UNION SELECT i.inhrelid "
                              "FROM pg_catalog.pg_inherits i JOIN tree ON tree.oid = i.inhparent) "
                              "SELECT COALESCE(pg_catalog.max(pg_catalog.pg_relation_size(c.oid) "
                              "/ pg_catalog.current_setting('block_size')::pg_catalog.int8), -1), pg_catalog.count(*) = 1 "
                              "FROM tree JOIN pg_catalog.pg_class c ON c.oid = tree.oid WHERE c.relkind IN ('r', 'm')"_s,
            {} };
        statement.bind(QString::number(m_target.relation.oid));
        const auto row = m_session.one(statement);
        if (!row) {
            return row.error();
        }
        m_end = row->at(0).text.toLongLong();
        m_found.alone = row->at(1).text == u"t"_s;
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
        const auto row = m_session.one(
            render.finish(u"SELECT "_s + counts.join(u", "_s) + render.from() + u" WHERE "_s + where, m_now));
        if (!row && !isRowsFault(row.error())) {
            return row.error();
        }
        return row.ok();
    }

    /// Halves a part in which a row fails down to single blocks. `failing`: it is known already that one does.
    Result<void> searchPart(qint64 from, qint64 to, bool failing = false)
    {
        const auto fine = failing ? Result<bool>(false) : readable(blocks(from, to));
        if (!fine) {
            return fine.error();
        }
        return *fine || m_found.many ? Result<void>() : narrow(from, to);
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
        const auto rows = m_session.all(render.finish(u"SELECT t.tableoid, t.ctid"_s + render.from()
                + u" WHERE "_s + blocks(from, to) + u" ORDER BY 1, 2"_s,
            m_now));
        if (!rows) {
            return rows.error();
        }
        QMap<quint32, QStringList> tables;
        for (const Cells &row : *rows) {
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
            const auto fine
                = readable(u"t.tableoid = %1 AND t.ctid = ANY ("_s.arg(table) + tidArray(tids) + u")"_s);
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
            const auto fine = readable(u"t.tableoid = %1 AND t.ctid = ANY ("_s.arg(table) + tidArray(tids) + u")"_s);
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
    const qint64 m_from;
    const bool m_first;
    const QStringList m_doubtful;
    Timestamp m_now;
    qint64 m_end = 0; ///< blocks of the largest table, when the search began
    Unreadable m_found;
};

} // namespace

QString Unreadable::note() const
{
    return many ? Tr::tr("%1 or more rows are unreadable, because expressions of the profile fail on them; "
                         "these expressions were left out, and every "
                         "row counts as unknown.")
                      .arg(kMostUnreadable)
                : Tr::tr("%n row(s) are unreadable, because an expression of the profile fails on them; they "
                         "count as unknown.",
                    nullptr, int(count));
}

bool isRowsFault(const Error &error)
{
    if (error.position >= 0) {
        return false; // what was asked is wrong
    }
    // Invalid values; functions that raise; subqueries with several rows; domains that refuse a value.
    return error.kind == ErrorKind::InvalidValue || error.sqlState.startsWith(u"P0")
        || error.sqlState == u"21000" || error.sqlState.startsWith(u"23");
}

Result<Unreadable> findUnreadable(
    Session &session, const Target &target, bool withEffects, const QString &usedIn, qint64 from, bool first)
{
    return UnreadableSearch(session, target, withEffects, usedIn, from, first).run();
}

bool AroundReader::learned(const Error &error)
{
    if (!isRowsFault(error) || m_found.many) {
        return false;
    }
    // What is guarded already does not fail again, so that this finds only further rows. Most often one is all there is, and
    // reading again is the look at the rest of the table; where that fails, too, the rest is looked at to its end.
    const QString failed = m_session.lastSql();
    auto more = findUnreadable(m_session, target(), m_withEffects, failed, m_next, !m_begun);
    if (more && more->count == 0 && m_next > 0) { // another statement, with other expressions
        more = findUnreadable(m_session, target(), m_withEffects, failed);
    }
    if (more && more->count == 0) { // a statement that went past the session (COPY), or that has its
                                    // expressions in another form
        more = findUnreadable(m_session, target(), m_withEffects);
    }
    return more && add(*more);
}

void AroundReader::learnAll()
{
    if (const auto more = findUnreadable(m_session, target(), m_withEffects)) {
        add(*more);
    }
}

bool AroundReader::add(const Unreadable &more)
{
    if (more.count == 0) {
        return false;
    }
    m_next = std::max<qint64>(more.searchedTo, 0);
    m_begun = true;
    for (auto table = more.rows.cbegin(); table != more.rows.cend(); ++table) {
        m_found.rows[table.key()] += *table;
    }
    m_found.count += more.count;
    m_found.many = more.many || m_found.count >= kMostUnreadable;
    m_found.alone = more.alone;
    m_around = readingAround(m_target, m_found);
    return true;
}

bool asksForUnknown(const Filter &filter)
{
    return std::any_of(filter.terms.cbegin(), filter.terms.cend(),
        [](const FilterTerm &term) { return term.field == FilterField::State && term.values.contains(u"unknown"_s); });
}

Target readingAround(const Target &target, const Unreadable &unreadable)
{
    Target guarded = target;
    guarded.readable = exceptSql(unreadable);
    const auto guard = [&guarded](const QString &sql) {
        return u"(CASE WHEN "_s + guarded.readable + u" THEN ("_s + sql + u") END)"_s;
    };
    visitExpressions(
        &guarded.profile,
        [&](Expression *expression, bool) {
            if (!expression->present() || !canFail(target, *expression)) {
                return;
            }
            expression->sql = guard(expression->sql);
            expression->column.clear(); // no index over the column serves what is guarded
            if (!expression->when.isEmpty()) {
                expression->when = guard(expression->when);
            }
        },
        [&guard](QString *sql) { *sql = guard(*sql); });
    for (EffectSpec &effect : guarded.profile.effects) {
        effect.sql = u"SELECT * FROM ("_s + effect.sql + u") AS idemdesk_x WHERE "_s + guarded.readable;
    }
    return guarded;
}

} // namespace idemdesk::sql
