// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/cache/cache_comparison.h"

#include "sql/cache/cache_judge.h"
#include "sql/cache/cache_reader.h"
#include "sql/cache/cache_rows.h"
#include "sql/keys/order.h"
#include "sql/keys/page_reader.h"
#include "sql/keys/unseen.h"
#include "sql/session/server_clock.h"
#include "sql/types/tr.h"

#include <QHash>
#include <QSet>
#include <QThread>
#include <algorithm>
#include <chrono>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

constexpr qint64 kComparedBytes = 1'024; // of a value; what is larger is "another value"
constexpr qsizetype kNamesAtOnce = 2'000; // so that memory does not grow with the cache
constexpr qsizetype kMostDoubted = 20'000; // that are looked at again
constexpr int kSettleSliceMs = 50;

qint64 steadyMs()
{
    return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

Result<CacheSpec> specOf(const Target &target)
{
    if (target.profile.cache) {
        return *target.profile.cache;
    }
    return makeError(ErrorKind::NotSaid, Tr::tr("The profile of %1 names no cache.").arg(target.profile.relation),
        Tr::tr("Its key “cache” is missing, which says how entries are called."),
        Tr::tr("Add “cache” to the profile; “idemdeskctl help profile” shows how."));
}

bool mayHideRows(const Target &target)
{
    return target.relation.rowSecurity || !target.hiddenBeside.isEmpty();
}

CachedKey cachedKeyOf(const KeyRecord &record)
{
    CachedKey key;
    for (const Cell &part : record.scope) {
        key.scope += part.text;
    }
    key.key = record.key.text;
    return key;
}

/// Needs no second look: it is about the entry alone.
bool isSettled(CacheFindingKind kind)
{
    switch (kind) {
    case CacheFindingKind::Ahead:
    case CacheFindingKind::SeveralRows:
    case CacheFindingKind::Behind:
    case CacheFindingKind::WithoutRow:
    case CacheFindingKind::NotCached:
        return false;
    case CacheFindingKind::WrongType:
    case CacheFindingKind::UnknownValue:
    case CacheFindingKind::NeverExpires:
    case CacheFindingKind::TtlLong:
    case CacheFindingKind::TtlShort:
        return true;
    }
    return true;
}

/// One comparison while it runs.
class CacheLook
{
public:
    CacheLook(Session &session, RedisSession &cache, const Target &target, const CacheRequest &request,
        CacheKeyForm form, const Timestamp &now)
        : m_session(session)
        , m_cache(cache)
        , m_target(target)
        , m_request(request)
        , m_form(std::move(form))
        , m_judge(*target.profile.cache, now, steadyMs(), mayHideRows(target))
    {
        m_report.now = now;
        m_report.notes = unseenNotes(target);
        if (const auto baseline = m_judge.baselineMs()) {
            m_report.baselineSeconds = *baseline / 1'000;
        }
    }

    Result<CacheReport> run()
    {
        TRY(m_report.facts, m_cache.facts());
        TRY(lookThroughCache());
        TRY(lookThroughRows());
        TRY(lookAgain());
        if (m_report.entries == 0 && m_report.wholeCache && m_report.inProgress > 0) {
            m_report.notes += Tr::tr("The cache has no entry of this table at all. Is it the right one, and the right "
                                     "database of it?");
        }
        if (m_undecided > 0) {
            m_report.notes
                += Tr::tr("%Ln more may disagree: so many were not looked at again.", nullptr, int(m_undecided));
        }
        std::stable_sort(m_report.findings.begin(), m_report.findings.end(),
            [](const CacheFinding &a, const CacheFinding &b) { return a.kind < b.kind; });
        return m_report;
    }

private:
    /// All that is known of one name.
    struct Named {
        CachedPair pair;
        QList<CachedKey> keys; ///< that the name may stand for
        bool untold = false; ///< it has no row, but for one whose scope is partly NULL, which it may be of
    };

    Result<void> lookThroughCache()
    {
        TRY(const auto scan, scanCache(m_cache, m_form.pattern(), m_request.mostEntries));
        m_report.wholeCache = scan.whole && m_report.facts.behind.isEmpty();
        if (!m_report.facts.behind.isEmpty()) {
            m_report.notes += m_report.facts.behind;
        }
        m_odd = scan.tooLong;
        for (qsizetype from = 0; from < scan.names.size(); from += kNamesAtOnce) {
            TRY(lookAtNames(scan.names.mid(from, kNamesAtOnce)));
        }
        if (m_odd > 0) {
            m_report.notes += Tr::tr("%Ln name(s) in the cache cannot be read as a key.", nullptr, int(m_odd));
        }
        if (m_untold > 0) {
            m_report.notes
                += Tr::tr("Whether %Ln entry(ies) have a row is not known: one of the same key has NULL in its scope.",
                    nullptr, int(m_untold));
        }
        m_report.minutes = m_judge.minutesOf(m_expiring);
        m_report.spread = m_judge.spreadOf(m_expiring);
        m_expiring.clear();
        return {};
    }

    /// Of many names no more is kept than what disagrees.
    Result<void> lookAtNames(const QList<QByteArray> &some)
    {
        QList<Named> named;
        QList<QByteArray> names;
        for (const QByteArray &name : some) {
            const auto keys = m_form.rowsOf(name);
            m_odd += keys ? 0 : 1;
            if (keys && !keys->isEmpty()) {
                named.append({ {}, *keys });
                names += name;
            }
        }
        TRY(const auto entries, readEntries(m_cache, names, kComparedBytes));
        for (qsizetype i = 0; i < entries.size(); ++i) {
            named[i].pair.entry = entries.at(i);
        }
        // What expired since its name was found is nothing that was looked at.
        named.removeIf([](const Named &one) { return !one.pair.entry.present(); });
        TRY(findRows(&named));
        m_report.entries += named.size();
        for (const Named &one : std::as_const(named)) {
            m_known.insert(one.pair.entry.name);
            CacheEntry expiring;
            expiring.ttlMs = one.pair.entry.ttlMs;
            expiring.atMs = one.pair.entry.atMs;
            m_expiring += expiring;
        }
        judgeAll(named);
        return {};
    }

    Result<void> findRows(QList<Named> *named) const
    {
        QList<CachedKey> wanted;
        QList<qsizetype> owners;
        for (qsizetype i = 0; i < named->size(); ++i) {
            wanted += named->at(i).keys;
            owners.resize(wanted.size(), i);
            (*named)[i].pair.rows.clear();
            (*named)[i].untold = false;
        }
        TRY(const auto found, rowsOfKeys(m_session, m_target, wanted));
        for (const FoundRow &row : found) {
            addRow(row.record, &(*named)[owners.at(row.wanted)].pair.rows);
        }
        return findRowsWithoutScope(named);
    }

    /// Of what has no row so far.
    Result<void> findRowsWithoutScope(QList<Named> *named) const
    {
        QList<CachedKey> wanted;
        QList<qsizetype> owners;
        for (qsizetype i = 0; i < named->size(); ++i) {
            wanted += named->at(i).pair.rows.isEmpty() ? named->at(i).keys : QList<CachedKey>();
            owners.resize(wanted.size(), i);
        }
        TRY(const auto found, rowsWithoutScope(m_session, m_target, wanted));
        for (const FoundRow &row : found) {
            Named &one = (*named)[owners.at(row.wanted)];
            if (writesNull(wanted.at(row.wanted), row.record)) {
                addRow(row.record, &one.pair.rows);
            } else {
                one.untold = true;
            }
        }
        for (Named &one : *named) {
            one.untold = one.untold && one.pair.rows.isEmpty();
        }
        return {};
    }

    static void addRow(const KeyRecord &record, QList<KeyRecord> *rows)
    {
        const auto same = [&record](const KeyRecord &other) { return other.sameRow(record); };
        if (std::none_of(rows->cbegin(), rows->cend(), same)) {
            *rows += record;
        }
    }

    Result<void> lookThroughRows()
    {
        PageRequest page;
        page.limit = m_request.mostRows;
        FilterTerm inProgress;
        inProgress.field = FilterField::State;
        inProgress.values = { stateName(KeyState::InProgress) };
        page.filter.terms = { inProgress };
        TRY(const auto working, readPage(m_session, m_target, page));
        m_report.inProgress = working.rows.size();
        m_report.allInProgress = !working.more;
        page.filter = {};
        page.order = newestFirst();
        TRY(const auto recent, readPage(m_session, m_target, page));
        m_report.recent = recent.rows.size();
        m_report.recentOrder = recent.order;
        for (const QString &note : working.notes + recent.notes) {
            m_report.notes += m_report.notes.contains(note) ? QStringList() : QStringList { note };
        }
        return readEntriesOf(working.rows + recent.rows);
    }

    /// An order by a time that an index serves, its last first; else the default.
    QString newestFirst() const
    {
        const QList<OrderChoice> choices = orderChoices(m_target);
        for (const OrderChoice &choice : choices) {
            if (choice.isTime && choice.indexServes) {
                return choice.descending ? choice.label : u'-' + choice.label;
            }
        }
        return {};
    }

    Result<void> readEntriesOf(const QList<KeyRecord> &records)
    {
        QList<QByteArray> names;
        QHash<QByteArray, QList<KeyRecord>> rows;
        qint64 nameless = 0;
        for (const KeyRecord &record : records) {
            const auto name = m_form.entryOf(record.scope, record.key);
            nameless += name ? 0 : 1;
            if (!name || m_known.contains(*name)) {
                continue;
            }
            QList<KeyRecord> &same = rows[*name];
            if (same.isEmpty()) {
                names += *name;
            }
            addRow(record, &same);
        }
        if (nameless > 0) {
            m_report.notes
                += Tr::tr("Of %Ln row(s) the entry is not known, as their key or a part of their scope is NULL.",
                    nullptr, int(nameless));
        }
        TRY(const auto entries, readEntries(m_cache, names, kComparedBytes));
        QList<Named> named;
        for (const CacheEntry &entry : entries) {
            const QList<KeyRecord> found = rows.value(entry.name);
            QList<CachedKey> keys;
            for (const KeyRecord &record : found) {
                const CachedKey key = cachedKeyOf(record);
                keys += keys.contains(key) ? QList<CachedKey>() : QList { key };
            }
            named.append({ { entry, found }, keys });
        }
        judgeAll(named);
        return {};
    }

    void judgeAll(const QList<Named> &named)
    {
        for (const Named &one : named) {
            if (one.pair.entry.present() && m_judge.baselineMs() && m_judge.writtenTtlMs(one.pair)) {
                ++m_report.ttlChecked;
            }
            const QList<CacheFindingKind> kinds = m_judge.judge(one.pair);
            for (const CacheFindingKind kind : kinds) {
                if (kind == CacheFindingKind::NotCached && !m_report.facts.behind.isEmpty()) {
                    continue; // not seen there, which is not the same as not there
                }
                if (isSettled(kind)) {
                    tell(one, kind);
                } else if (one.untold && kind == CacheFindingKind::WithoutRow) {
                    ++m_untold;
                } else if (m_doubted.size() < kMostDoubted) {
                    m_doubted.append({ one, kind });
                } else {
                    ++m_undecided;
                }
            }
        }
    }

    /// Entry, row, entry: where the entry is the same both times, it was so when the row was read.
    Result<void> lookAgain()
    {
        if (m_doubted.isEmpty()) {
            return {};
        }
        for (int waited = 0; waited < m_request.settleMs; waited += kSettleSliceMs) {
            if (m_cache.stopAsked()) {
                return makeError(ErrorKind::Cancelled, Tr::tr("The request was cancelled."));
            }
            QThread::msleep(kSettleSliceMs);
        }
        QList<Named> again;
        QList<QByteArray> names;
        for (const auto &[named, kind] : std::as_const(m_doubted)) {
            again += named;
            names += named.pair.entry.name;
        }
        TRY(const auto before, readEntries(m_cache, names, kComparedBytes));
        TRY(findRows(&again));
        TRY(const auto after, readEntries(m_cache, names, kComparedBytes));
        for (qsizetype i = 0; i < again.size(); ++i) {
            again[i].pair.entry = after.at(i);
            const bool still = before.at(i).sameContent(after.at(i)) && !again.at(i).untold
                && m_judge.judge(again.at(i).pair).contains(m_doubted.at(i).second);
            if (still) {
                tell(again.at(i), m_doubted.at(i).second);
            } else {
                ++m_report.settled;
            }
        }
        return {};
    }

    void tell(const Named &named, CacheFindingKind kind)
    {
        if (++m_report.counts[kind] > m_request.mostFindings) {
            return;
        }
        CacheFinding finding;
        finding.kind = kind;
        finding.entry = named.pair.entry;
        finding.rows = named.pair.rows;
        if (!finding.rows.isEmpty()) {
            finding.scope = finding.rows.constFirst().scope;
            finding.key = finding.rows.constFirst().key;
        } else {
            for (const QString &part : named.keys.constFirst().scope) {
                finding.scope += Cell::of(part);
            }
            finding.key = Cell::of(named.keys.constFirst().key);
        }
        finding.cached = m_judge.stateOf(finding.entry);
        finding.shortLived = m_judge.shortLived(named.pair);
        if (kind == CacheFindingKind::TtlShort) {
            finding.writtenTtlMs = m_judge.writtenTtlMs(named.pair);
        }
        m_report.findings += finding;
    }

    Session &m_session;
    RedisSession &m_cache;
    const Target &m_target;
    const CacheRequest m_request;
    const CacheKeyForm m_form;
    const CacheJudge m_judge;
    CacheReport m_report;
    QSet<QByteArray> m_known; ///< names that the look through the cache found
    QList<CacheEntry> m_expiring; ///< when each entry expires, and nothing else of it
    QList<std::pair<Named, CacheFindingKind>> m_doubted;
    qint64 m_odd = 0; ///< names that cannot be read as keys
    qint64 m_undecided = 0; ///< beyond those
    qint64 m_untold = 0; ///< entries that may be of a row whose scope is partly NULL
};

/// The form of the entries' names.
Result<CacheKeyForm> formOf(const Target &target)
{
    TRY(const auto spec, specOf(target));
    QString expected;
    const auto form = CacheKeyForm::read(spec.key, target.profile, &expected);
    if (!form) {
        return makeError(ErrorKind::Usage, Tr::tr("The entries' names in the profile cannot be used."), expected);
    }
    return *form;
}

} // namespace

Result<CacheReport> compareCache(
    Session &session, RedisSession &cache, const Target &target, const CacheRequest &request)
{
    TRY(const auto form, formOf(target));
    // Where rows are hidden nothing is said of what has no row; else a hidden row must be an error.
    std::optional<WholeRows> asked;
    if (!mayHideRows(target)) {
        asked.emplace(session);
    }
    TRY(const auto now, serverNow(session));
    return CacheLook(session, cache, target, request, form, now).run();
}

Result<QByteArray> cacheNameOf(const Target &target, const KeyRecord &record)
{
    TRY(const auto form, formOf(target));
    return form.entryOf(record.scope, record.key).value_or(QByteArray());
}

Result<QList<CachedEntry>> readCachedEntries(
    Session &session, RedisSession &cache, const Target &target, const QList<QByteArray> &names, qint64 mostBytes)
{
    TRY(const auto form, formOf(target));
    TRY(const auto now, serverNow(session));
    const CacheJudge judge(*target.profile.cache, now, steadyMs(), mayHideRows(target));
    QList<CachedEntry> all;
    QList<CachedPair> pairs;
    for (const QByteArray &name : names) {
        const auto keys = form.rowsOf(name);
        if (!keys || keys->isEmpty()) {
            return makeError(ErrorKind::Usage,
                Tr::tr("“%1” is no name of an entry of %2.").arg(QString::fromUtf8(name), target.profile.relation),
                Tr::tr("The profile's “cache” says how they are called."));
        }
        CachedEntry one;
        CachedPair pair;
        TRY(const auto rows, rowsOfKeys(session, target, *keys));
        TRY(const auto others, rowsWithoutScope(session, target, *keys)); // as the server counts them
        for (const FoundRow &row : rows + others) {
            one.rows += row.record.state;
            pair.rows += row.record;
        }
        all += one;
        pairs += pair;
    }
    TRY(const auto entries, readEntries(cache, names, mostBytes));
    for (qsizetype i = 0; i < entries.size(); ++i) {
        all[i].entry = entries.at(i);
        all[i].cached = judge.stateOf(entries.at(i));
        pairs[i].entry = entries.at(i);
        all[i].shortLived = judge.shortLived(pairs.at(i));
    }
    return all;
}

Result<CachedRow> readCachedRow(
    Session &session, RedisSession &cache, const Target &target, const KeyRecord &record, qint64 mostBytes)
{
    TRY(const auto form, formOf(target));
    CachedRow cached;
    cached.name = form.entryOf(record.scope, record.key).value_or(QByteArray());
    if (cached.name.isEmpty()) {
        return cached;
    }
    TRY(const auto now, serverNow(session));
    const CacheJudge judge(*target.profile.cache, now, steadyMs(), mayHideRows(target));
    TRY(const auto before, readEntries(cache, { cached.name }, mostBytes));
    TRY(const auto rows, rowsOfKeys(session, target, { cachedKeyOf(record) }));
    TRY(const auto after, readEntries(cache, { cached.name }, mostBytes));
    cached.entry = after.constFirst();
    if (!cached.entry.present()) {
        TRY(const auto facts, cache.facts());
        if (!facts.behind.isEmpty()) {
            return makeError(ErrorKind::ServerStarting, Tr::tr("Whether the key is in the cache is not known."),
                facts.behind, Tr::tr("Ask the primary, or try again when it has caught up."));
        }
    }
    cached.cached = judge.stateOf(cached.entry);
    CachedPair pair { cached.entry, {} };
    for (const FoundRow &row : rows) {
        pair.rows += row.record;
    }
    const bool steady = before.constFirst().sameContent(after.constFirst());
    for (const CacheFindingKind kind : judge.judge(pair)) {
        cached.findings += steady || isSettled(kind) ? QList { kind } : QList<CacheFindingKind>();
    }
    return cached;
}

} // namespace idemdesk::sql
