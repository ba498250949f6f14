// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/provider/statement_store.h"

#include "sql/local/private_database.h"
#include "sql/types/tr.h"

#include <QDir>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

constexpr qint64 kRowsAtOnce = 50'000; // of one transaction

QString storeFailed()
{
    return Tr::tr("The statement could not be kept in a temporary file.");
}

/// What people take for the same: letters and digits alone.
QString nearForm(const QString &reference)
{
    QString near;
    for (const QChar c : reference.toCaseFolded()) {
        near += c.isLetterOrNumber() ? QString(c) : QString();
    }
    return near;
}

StatementLine lineFrom(const QSqlQuery &row, int first)
{
    StatementLine line;
    line.number = row.value(first).toLongLong();
    line.amount = row.value(first + 1).toString();
    line.currency = row.value(first + 2).toString();
    if (!row.value(first + 3).isNull()) {
        line.at = Timestamp { Timestamp::Kind::Finite, row.value(first + 3).toLongLong() };
    }
    line.outcome = static_cast<LineOutcome>(row.value(first + 4).toInt());
    line.text = row.value(first + 5).toString();
    if (!row.value(first + 6).isNull()) {
        line.until = Timestamp { Timestamp::Kind::Finite, row.value(first + 6).toLongLong() };
    }
    return line;
}

/// The number that a query of one text finds first.
Result<std::optional<int>> firstOf(QSqlQuery *query, const QString &text)
{
    query->bindValue(0, text);
    if (!query->exec()) {
        return makeError(ErrorKind::File, storeFailed(), query->lastError().text());
    }
    const QVariant value = query->next() ? query->value(0) : QVariant();
    query->finish();
    return value.isNull() ? std::nullopt : std::optional(value.toInt());
}

} // namespace

StatementStore::~StatementStore()
{
    m_addLine.reset();
    m_addHere.reset();
    m_find.reset();
    m_findNear.reset();
    m_addNear.reset();
    m_isNear.reset();
    m_database.reset();
}

Result<std::unique_ptr<StatementStore>> StatementStore::open()
{
    std::unique_ptr<StatementStore> store(new StatementStore);
    if (!store->m_folder.isValid()) {
        return makeError(ErrorKind::File, storeFailed(), store->m_folder.errorString(),
            Tr::tr("See whether the folder for temporary files has room; TMPDIR names another one."));
    }
    // It lives as long as this program looks at it, so that nothing is lost with the power.
    TRY(store->m_database,
        PrivateDatabase::open(store->m_folder.filePath(u"statement.sqlite"_s), storeFailed(),
            { u"PRAGMA journal_mode = OFF"_s, u"PRAGMA synchronous = OFF"_s, u"PRAGMA locking_mode = EXCLUSIVE"_s,
                u"PRAGMA cache_size = -16000"_s, u"PRAGMA temp_store = FILE"_s,
                u"CREATE TABLE line (no INTEGER PRIMARY KEY, reference TEXT NOT NULL, amount TEXT, currency TEXT, "
                "at INTEGER, until INTEGER, outcome INTEGER NOT NULL, id TEXT, text TEXT NOT NULL, near TEXT)"_s,
                u"CREATE UNIQUE INDEX line_once ON line (id, reference, outcome, coalesce(amount, ''), "
                "coalesce(currency, '')) WHERE id IS NOT NULL"_s,
                u"CREATE TABLE near_here (near TEXT PRIMARY KEY) WITHOUT ROWID"_s,
                u"CREATE TABLE here (reference TEXT NOT NULL, identity TEXT NOT NULL, scope TEXT, key TEXT, amount "
                u"TEXT, "
                "currency TEXT, state TEXT NOT NULL, provider TEXT NOT NULL, stale INTEGER, "
                "UNIQUE (reference, identity))"_s }));
    const PrivateDatabase &database = *store->m_database;
    store->m_addLine = std::make_unique<QSqlQuery>(
        database.prepared(u"INSERT OR IGNORE INTO line (no, reference, amount, currency, at, until, outcome, id, "
                          "text, near) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"_s));
    store->m_addHere = std::make_unique<QSqlQuery>(
        database.prepared(u"INSERT OR IGNORE INTO here (reference, identity, scope, key, amount, currency, state, "
                          "provider, stale) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"_s));
    store->m_addNear
        = std::make_unique<QSqlQuery>(database.prepared(u"INSERT OR IGNORE INTO near_here (near) VALUES (?)"_s));
    store->m_isNear = std::make_unique<QSqlQuery>(database.prepared(u"SELECT 1 FROM near_here WHERE near = ?"_s));
    return store;
}

Result<void> StatementStore::commitSometimes()
{
    if (m_pending == 0) {
        TRY(m_database->run(storeFailed(), u"BEGIN"_s, {}));
    }
    if (++m_pending >= kRowsAtOnce) {
        m_pending = 0;
        TRY(m_database->run(storeFailed(), u"COMMIT"_s, {}));
        TRY(m_database->run(storeFailed(), u"BEGIN"_s, {}));
        m_pending = 1;
    }
    return {};
}

Result<bool> StatementStore::addLine(const StatementLine &line)
{
    TRY(commitSometimes());
    const auto orNull = [](const QString &text) { return text.isEmpty() ? QVariant() : QVariant(text); };
    const auto orTime = [](const std::optional<Timestamp> &time) { return time ? QVariant(time->micros) : QVariant(); };
    TRY(const qint64 added,
        m_database->run(storeFailed(), m_addLine.get(),
            { line.number, line.reference, orNull(line.amount), orNull(line.currency), orTime(line.at),
                orTime(line.until), static_cast<int>(line.outcome), orNull(line.id), line.text,
                orNull(nearForm(line.reference)) }));
    return added > 0;
}

Result<void> StatementStore::finishLines()
{
    if (m_pending > 0) {
        m_pending = 0;
        TRY(m_database->run(storeFailed(), u"COMMIT"_s, {}));
    }
    TRY(m_database->run(storeFailed(), u"CREATE INDEX line_by_reference ON line (reference, outcome, no)"_s, {}));
    TRY(m_database->run(storeFailed(), u"CREATE INDEX line_near ON line (near)"_s, {}));
    m_findNear = std::make_unique<QSqlQuery>(m_database->prepared(u"SELECT 1 FROM line WHERE near = ? LIMIT 1"_s));
    m_find = std::make_unique<QSqlQuery>(m_database->prepared(u"SELECT min(outcome) FROM line WHERE reference = ?"_s));
    return {};
}

Result<StatementStore::Coverage> StatementStore::coverage()
{
    Coverage found;
    TRY(m_database->each(storeFailed(),
        u"SELECT count(*), count(at), min(at), max(at), coalesce(sum(outcome < 2), 0) FROM line"_s, {},
        [&found](const QSqlQuery &row) {
            found.lines = row.value(0).toLongLong();
            found.timed = row.value(1).toLongLong();
            found.told = row.value(4).toLongLong();
            if (found.timed > 0) {
                found.from = Timestamp { Timestamp::Kind::Finite, row.value(2).toLongLong() };
                found.to = Timestamp { Timestamp::Kind::Finite, row.value(3).toLongLong() };
            }
            return true;
        }));
    return found;
}

Result<qint64> StatementStore::sharedIds()
{
    qint64 shared = 0;
    TRY(m_database->each(storeFailed(),
        u"SELECT count(*) FROM (SELECT id FROM line WHERE id IS NOT NULL AND reference <> '' GROUP BY id "
        "HAVING min(reference) <> max(reference))"_s,
        {}, [&shared](const QSqlQuery &row) {
            shared = row.value(0).toLongLong();
            return true;
        }));
    return shared;
}

Result<QStringList> StatementStore::references(const QString &after, int most)
{
    QStringList list;
    TRY(m_database->each(storeFailed(),
        u"SELECT DISTINCT reference FROM line WHERE reference > ? AND outcome < 2 ORDER BY reference LIMIT ?"_s,
        { after.isNull() ? u""_s : after, most }, [&list](const QSqlQuery &row) {
            list += row.value(0).toString();
            return true;
        }));
    return list;
}

Result<StatementStore::Named> StatementStore::named(const QString &reference)
{
    TRY(const auto outcome, firstOf(m_find.get(), reference));
    if (outcome) {
        return *outcome < static_cast<int>(LineOutcome::Other) ? Named::Yes : Named::LeftAside;
    }
    const QString near = nearForm(reference);
    TRY(const auto other, near.isEmpty() ? Result<std::optional<int>>(std::nullopt) : firstOf(m_findNear.get(), near));
    return other ? Named::Nearly : Named::No;
}

Result<void> StatementStore::addNear(const QString &reference)
{
    TRY(commitSometimes());
    TRY(m_database->run(storeFailed(), m_addNear.get(), { nearForm(reference) }));
    return {};
}

Result<bool> StatementStore::isNear(const QString &reference)
{
    TRY(const auto found, firstOf(m_isNear.get(), nearForm(reference)));
    return found.has_value();
}

Result<void> StatementStore::addHere(const HereRow &row)
{
    TRY(commitSometimes());
    const auto orNull = [](const QString &text) { return text.isEmpty() ? QVariant() : QVariant(text); };
    TRY(m_database->run(storeFailed(), m_addHere.get(),
        { row.reference, row.identity, orNull(row.scope), orNull(row.key), orNull(row.amount), orNull(row.currency),
            stateName(row.state), providerStateName(row.provider), row.stale ? QVariant(*row.stale) : QVariant() }));
    return {};
}

Result<void> StatementStore::finishHere()
{
    if (m_pending > 0) {
        m_pending = 0;
        TRY(m_database->run(storeFailed(), u"COMMIT"_s, {}));
    }
    return {};
}

Result<void> StatementStore::pairs(const std::function<bool(const ReferencePair &)> &onPair)
{
    // Both sides in the order of their indexes, so that neither is sorted nor held.
    const QString sql
        = u"SELECT g.reference, g.happened, g.failed, g.contradictory, l.no, l.amount, l.currency, l.at, l.outcome, "
          "l.text, l.until, "
          "(SELECT count(*) FROM here h WHERE h.reference = g.reference), "
          "h.identity, h.scope, h.key, h.amount, h.currency, h.state, h.provider, h.stale FROM "
          "(SELECT reference, sum(outcome = 0) AS happened, sum(outcome = 1) AS failed, "
          "CASE WHEN sum(outcome = 0) > 0 THEN sum(outcome IN (1, 3)) > 0 AND (count(*) > count(at) OR "
          "max(CASE WHEN outcome IN (1, 3) THEN at END) >= min(CASE WHEN outcome = 0 THEN at END)) "
          "ELSE sum(outcome = 3) > 0 AND (count(*) > count(at) OR "
          "max(CASE WHEN outcome = 3 THEN at END) >= max(CASE WHEN outcome = 1 THEN at END)) END AS contradictory, "
          "coalesce(min(CASE WHEN outcome = 0 THEN no END), min(CASE WHEN outcome = 1 THEN no END)) AS first "
          "FROM line WHERE outcome <> 2 GROUP BY reference HAVING sum(outcome < 2) > 0) g "
          "JOIN line l ON l.no = g.first LEFT JOIN here h ON h.rowid = (SELECT min(i.rowid) FROM here i WHERE "
          "i.reference = g.reference) ORDER BY g.reference"_s;
    return m_database->each(storeFailed(), sql, {}, [&onPair](const QSqlQuery &row) {
        ReferencePair pair;
        pair.reference = row.value(0).toString();
        pair.happened = row.value(1).toLongLong();
        pair.failed = row.value(2).toLongLong();
        pair.contradictory = row.value(3).toBool();
        pair.line = lineFrom(row, 4);
        pair.line.reference = pair.reference;
        pair.rows = row.value(11).toLongLong();
        if (pair.rows > 0) {
            pair.here = { pair.reference, row.value(12).toString(), row.value(13).toString(), row.value(14).toString(),
                row.value(15).toString(), row.value(16).toString(),
                stateFromName(row.value(17).toString()).value_or(KeyState::Unknown),
                providerStateFromName(row.value(18).toString()).value_or(ProviderState::Unknown),
                row.value(19).isNull() ? std::nullopt : std::optional(row.value(19).toBool()) };
        }
        return onPair(pair);
    });
}

Result<QList<StatementLine>> StatementStore::linesOf(const QString &reference, bool all, int most)
{
    QList<StatementLine> lines;
    TRY(m_database->each(storeFailed(),
        u"SELECT no, amount, currency, at, outcome, text, until FROM line WHERE reference = ? AND "_s
            + (all ? u"outcome <> 2"_s : u"outcome = 0"_s) + u" ORDER BY no LIMIT ?"_s,
        { reference, most }, [&](const QSqlQuery &row) {
            StatementLine line = lineFrom(row, 0);
            line.reference = reference;
            lines.append(line);
            return true;
        }));
    return lines;
}

} // namespace idemdesk::sql
