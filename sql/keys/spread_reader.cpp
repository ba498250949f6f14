// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/keys/spread_reader.h"

#include "sql/keys/counting.h"
#include "sql/keys/predicate.h"
#include "sql/keys/resolve.h"
#include "sql/keys/scope_parts.h"
#include "sql/keys/state_predicate.h"
#include "sql/keys/table_sample.h"
#include "sql/keys/unreadable.h"
#include "sql/profile/expression_sql.h"
#include "sql/session/server_clock.h"
#include "sql/types/tr.h"

#include <QHash>
#include <algorithm>
#include <cmath>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

constexpr qint64 kMostSpreadCounted = 20'000; ///< rows of a large table that are counted one by one
constexpr qint64 kMostSpreadOfSmall = 60'000; ///< and of one that is read whole without a second thought
constexpr qint64 kMostSpreadSampled = 40'000; ///< rows of the blocks that a sample reads
constexpr qsizetype kLeastSpreadSampled = 30; ///< rows that match in a sample, to tell anything by
/// What finding the rows of a filter may cost in a large table, in the planner's units.
constexpr double kMostSpreadCost = 50'000;
constexpr qint64 kMostSpreadBuckets = 60;
constexpr qsizetype kMostSpreadScopes = 4; ///< with a line of their own
/// Lengths of a bucket in seconds; longer ones are whole months of thirty days.
constexpr std::array<qint64, 13> kSpreadLengths { 1, 5, 15, 60, 300, 900, kHour, 3 * kHour, 6 * kHour, 12 * kHour, kDay,
    7 * kDay, 30 * kDay };

/// One row, as far as a spread goes.
struct SpreadRow {
    std::optional<qint64> second; ///< since 1970; nothing: it has no such time, or an infinite one
    bool failed = false;
    bool stuck = false;
    qsizetype scope = 0;
    double weight = 1; ///< rows of the table that it stands for
};

/// The place of a row among kSpreadAges; `now` in seconds since 1970.
std::size_t spreadAge(qint64 now, qint64 second)
{
    return std::size_t(std::upper_bound(kSpreadAges.cbegin(), kSpreadAges.cend(), now - second) - kSpreadAges.cbegin());
}

void countIn(SpreadCount *place, const SpreadRow &row)
{
    place->rows += row.weight;
    place->failed += row.failed ? row.weight : 0;
    place->stuck += row.stuck ? row.weight : 0;
}

void addScope(SpreadScope *sum, const SpreadScope &more)
{
    sum->rows += more.rows;
    for (std::size_t age = 0; age < more.ages.size(); ++age) {
        sum->ages.at(age).rows += more.ages.at(age).rows;
        sum->ages.at(age).failed += more.ages.at(age).failed;
        sum->ages.at(age).stuck += more.ages.at(age).stuck;
    }
}

/// Which scopes there are, by the order in which they were met.
class SpreadScopeNumbers
{
public:
    qsizetype of(const Cells &scope)
    {
        QString name;
        for (const Cell &part : scope) {
            name += part.null ? u"-"_s : u'+' + QString::number(part.text.size()) + u':' + part.text;
        }
        const auto known = m_numbers.constFind(name);
        if (known != m_numbers.constEnd()) {
            return *known;
        }
        m_scopes += scope;
        return *m_numbers.insert(name, m_scopes.size() - 1);
    }
    const QList<Cells> &scopes() const { return m_scopes; }

private:
    QHash<QString, qsizetype> m_numbers;
    QList<Cells> m_scopes;
};

qint64 spreadBucketLength(qint64 seconds)
{
    for (const qint64 length : kSpreadLengths) {
        if (seconds / length < kMostSpreadBuckets) {
            return length;
        }
    }
    return (seconds / kMostSpreadBuckets / kSpreadLengths.back() + 1) * kSpreadLengths.back();
}

qint64 floorToBucket(qint64 second, qint64 length)
{
    const qint64 rest = second % length;
    return second - (rest < 0 ? rest + length : rest);
}

/// The filter says itself where the time ends: what comes after is not silence.
bool filterEndsTime(const Filter &filter, Role by)
{
    return std::any_of(filter.terms.cbegin(), filter.terms.cend(), [by](const FilterTerm &term) {
        const auto role = term.field == FilterField::Age ? by : filterFieldFacts(term.field).roles.front();
        const bool less = term.op == FilterOperator::Less || term.op == FilterOperator::LessOrEqual;
        const bool greater = term.op == FilterOperator::Greater || term.op == FilterOperator::GreaterOrEqual;
        // A greater age is an earlier time; what is not later than a time ends there, what is left out ends nothing.
        const bool upTo = (term.field == FilterField::Age) != term.negated ? greater : less;
        const bool within = term.op == FilterOperator::Equal && !term.negated && term.field != FilterField::Age;
        return role == by && !term.isNull && (upTo || within);
    });
}

class SpreadReader
{
public:
    SpreadReader(Session &session, const Target &target, const Filter &filter, Role by)
        : m_session(session)
        , m_filter(filter)
        , m_around(session, target, false)
    {
        m_spread.by = by;
    }

    Result<KeySpread> read()
    {
        TRY(m_spread.now, serverNow(m_session));
        TRY(collect());
        if (!m_around.note().isEmpty()) {
            m_spread.notes += m_around.note();
        }
        fold();
        return m_spread;
    }

private:
    const RelationFacts &relation() const { return m_around.whole().relation; }

    Result<void> collect()
    {
        if (isSmall(relation())) {
            m_around.prepare(m_filter);
            auto whole = readRows({}, kMostSpreadOfSmall + 1);
            while (!whole && m_around.learned(whole.error())) {
                whole = readRows({}, kMostSpreadOfSmall + 1);
            }
            TRY(whole);
            return qint64(m_rows.size()) > kMostSpreadOfSmall ? sample() : Result<void>();
        }
        if (m_filter.empty()) {
            return sample();
        }
        TRY(const auto statement, rowsStatement(m_filter, {}, kMostSpreadCounted + 1));
        TRY(const auto cheap, cheaperThan(m_session, statement, kMostSpreadCost));
        if (!cheap) {
            return sample();
        }
        const auto found = readRows({}, kMostSpreadCounted + 1);
        // Behind a row that cannot be read lies a look at the whole table: a sample is bounded in any case.
        const bool broken = !found && isRowsFault(found.error());
        return broken || (found && qint64(m_rows.size()) > kMostSpreadCounted) ? sample() : found;
    }

    Result<void> sample()
    {
        TableSample sample(relation(), kMostSpreadSampled);
        const auto readOnce = [&](const QString &sampled) -> Result<qint64> {
            TRY(readRows(sampled, sample.mostRows() + 1));
            return qint64(m_rows.size());
        };
        TRY(sample.read(m_session, m_around, m_spread.now, readOnce));
        m_spread.share = sample.share();
        if (m_rows.size() < kLeastSpreadSampled) {
            return makeError(ErrorKind::Refused, Tr::tr("Too few rows of a sample match to estimate from them."),
                Tr::tr("Counting them would mean to read much of the table."), Tr::tr("Narrow the filter."));
        }
        for (SpreadRow &row : m_rows) {
            row.weight = 1 / m_spread.share;
        }
        return countNewest();
    }

    /// Puts the rows of the last hour in the place of those that the sample met, where they are found cheaply.
    Result<void> countNewest()
    {
        FilterTerm age;
        age.field = FilterField::Age;
        age.op = FilterOperator::Less;
        age.values = { QString::number(kSpreadAges.front()) };
        Filter newest = m_filter;
        newest.terms += age;
        TRY(const auto statement, rowsStatement(newest, {}, kMostSpreadCounted + 1));
        TRY(const auto cheap, cheaperThan(m_session, statement, kMostSpreadCost));
        if (!cheap) {
            return {};
        }
        QList<SpreadRow> counted;
        if (const auto found = appendRows(statement, &counted); !found) {
            // The sample tells all the same.
            return isRowsFault(found.error()) || found.error().kind == ErrorKind::Timeout ? Result<void>() : found;
        }
        if (counted.size() > kMostSpreadCounted) {
            return {};
        }
        const qint64 now = m_spread.now.micros / kMicros;
        const auto isNewest = [now](const SpreadRow &row) { return row.second && spreadAge(now, *row.second) == 0; };
        m_rows.removeIf(isNewest);
        std::copy_if(counted.cbegin(), counted.cend(), std::back_inserter(m_rows), isNewest);
        m_spread.newestCounted = true;
        return {};
    }

    Result<Statement> rowsStatement(const Filter &filter, const QString &sampled, qint64 limit)
    {
        const Target &target = m_around.target();
        TRY(const auto resolved, resolveFilter(m_session, target, filter));
        Render render(target);
        TRY(const auto condition, filterCondition(render, resolved));
        const auto stuck = staleCondition(render);
        m_spread.stuckKnown = stuck.has_value();
        QStringList columns { u"pg_catalog.date_part('epoch', "_s + timestamptzSql(target.profile.role(m_spread.by))
                + u")"_s,
            holds(stateIn(render, { KeyState::FailedRetryable, KeyState::FailedFinal })),
            holds(stuck.value_or(u"false"_s)) };
        for (const ScopePart &part : partsOf(target)) {
            columns += part.sql;
        }
        return render.finish(u"SELECT "_s + columns.join(u", "_s) + render.from() + sampled + u" WHERE "_s + condition
                + (limit > 0 ? u" LIMIT "_s + QString::number(limit) : QString()),
            m_spread.now);
    }

    Result<void> readRows(const QString &sampled, qint64 limit)
    {
        m_rows.clear();
        m_scopes = {};
        TRY(const auto statement, rowsStatement(m_filter, sampled, limit));
        TRY(appendRows(statement, &m_rows));
        m_spread.looked = m_rows.size();
        return {};
    }

    Result<void> appendRows(const Statement &statement, QList<SpreadRow> *rows)
    {
        TRY(m_session.each(statement, [this, rows](const Row &row) {
            SpreadRow one;
            bool number = false;
            const double second = row.text(0).toDouble(&number);
            if (number && std::isfinite(second)) {
                one.second = qint64(std::floor(second));
            }
            one.failed = row.truth(1);
            one.stuck = row.truth(2);
            Cells scope;
            for (int i = 3; i < row.columns(); ++i) {
                scope += row.cell(i);
            }
            one.scope = m_scopes.of(scope);
            *rows += one;
            return true;
        }));
        return {};
    }

    void fold()
    {
        for (const SpreadRow &row : std::as_const(m_rows)) {
            m_spread.undated += row.second ? 0 : row.weight;
        }
        foldTimes();
        foldScopes();
    }

    void foldTimes()
    {
        const qint64 now = m_spread.now.micros / kMicros;
        std::optional<std::pair<qint64, qint64>> ends;
        for (const SpreadRow &row : std::as_const(m_rows)) {
            if (row.second) {
                ends = ends ? std::pair(std::min(ends->first, *row.second), std::max(ends->second, *row.second))
                            : std::pair(*row.second, *row.second);
            }
        }
        if (!ends) {
            return;
        }
        if (!filterEndsTime(m_filter, m_spread.by)) {
            ends->second = std::max(ends->second, now);
        }
        const qint64 length = spreadBucketLength(ends->second - ends->first);
        const qint64 first = floorToBucket(ends->first, length);
        m_spread.bucketSeconds = length;
        m_spread.since = { Timestamp::Kind::Finite, first * kMicros };
        m_spread.buckets = QList<SpreadCount>((ends->second - first) / length + 1);
        for (const SpreadRow &row : std::as_const(m_rows)) {
            if (row.second) {
                countIn(&m_spread.buckets[(*row.second - first) / length], row);
            }
        }
    }

    void foldScopes()
    {
        const qint64 now = m_spread.now.micros / kMicros;
        QList<SpreadScope> scopes(m_scopes.scopes().size());
        for (const SpreadRow &row : std::as_const(m_rows)) {
            if (row.second) {
                countIn(&scopes[row.scope].ages.at(spreadAge(now, *row.second)), row);
                scopes[row.scope].rows += row.weight;
            }
        }
        for (qsizetype i = 0; i < scopes.size(); ++i) {
            scopes[i].scope = m_scopes.scopes().at(i);
        }
        std::stable_sort(
            scopes.begin(), scopes.end(), [](const SpreadScope &a, const SpreadScope &b) { return a.rows > b.rows; });
        // One that would be alone among the others has its own line.
        if (scopes.size() > kMostSpreadScopes + 1) {
            SpreadScope other;
            other.other = true;
            for (qsizetype i = kMostSpreadScopes; i < scopes.size(); ++i) {
                addScope(&other, scopes.at(i));
            }
            scopes.resize(kMostSpreadScopes);
            scopes += other;
        }
        m_spread.scopes = scopes;
    }

    Session &m_session;
    const Filter m_filter;
    AroundReader m_around;
    KeySpread m_spread;
    QList<SpreadRow> m_rows;
    SpreadScopeNumbers m_scopes;
};

} // namespace

std::optional<Role> spreadTime(const Profile &profile)
{
    for (const Role role : { Role::CreatedAt, Role::ClaimedAt }) {
        if (profile.has(role)) {
            return role;
        }
    }
    return std::nullopt;
}

Result<KeySpread> readSpread(Session &session, const Target &target, const Filter &filter)
{
    const auto by = spreadTime(target.profile);
    if (!by) {
        return makeError(ErrorKind::Refused, Tr::tr("This table does not say when its keys began."));
    }
    return SpreadReader(session, target, filter, *by).read();
}

} // namespace idemdesk::sql
