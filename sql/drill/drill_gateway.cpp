// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/drill/drill_gateway.h"

#include "sql/driver/pg_driver.h"
#include "sql/profile/expression_sql.h"
#include "sql/types/tr.h"

#include <QCryptographicHash>
#include <numeric>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

/// The statement of a profile with the call's values bound: all are texts, which the statement casts.
Statement drillStatement(const QString &sql, const DrillCall &call)
{
    const QByteArray digest = QCryptographicHash::hash(call.payload.toUtf8(), QCryptographicHash::Sha256).toHex();
    const QMap<QString, QString> values { { u"key"_s, call.key }, { u"fact"_s, call.fact },
        { u"payload"_s, call.payload }, { u"hash"_s, QString::fromLatin1(digest) } };
    Statement statement;
    QMap<QString, QString> places;
    for (const QString &name : variablesIn(sql)) {
        if (values.contains(name)) {
            places.insert(name, statement.bind(values.value(name)) + u"::pg_catalog.text"_s);
        }
    }
    // The console's functions act for a person's own statement alone, and this is none: two comments before it tell
    // them (idemdesk._enter).
    statement.sql = u"/*idemdesk drill*/ /*of a profile*/ "_s + renderVariables(sql, places);
    return statement;
}

/// The server answered with an error, so that the session goes on.
bool isAnswer(const Error &error)
{
    return !error.sqlState.isEmpty() && error.kind != ErrorKind::ConnectionLost && error.kind != ErrorKind::Cancelled
        && error.kind != ErrorKind::Superseded;
}

QString rowText(const Cells &row)
{
    QStringList values;
    for (const Cell &cell : row) {
        values += cell.null ? u"NULL"_s : cell.text;
    }
    return values.join(u" | "_s);
}

/// One statement's answer, its last row; what the server refused is one, too.
Result<DrillAnswer> answerOf(Session &session, const QString &sql, const DrillCall &call, QString *firstValue = nullptr)
{
    DrillAnswer answer;
    const auto rows = session.all(drillStatement(sql, call));
    if (!rows) {
        if (!isAnswer(rows.error())) {
            return rows.error();
        }
        answer.refused = true;
        answer.sqlState = rows.error().sqlState;
        answer.text = rows.error().detail.isEmpty() ? rows.error().why : rows.error().detail.section(u'\n', 0, 0);
        return answer;
    }
    if (!rows->isEmpty()) {
        answer.text = rowText(rows->constLast());
        if (firstValue != nullptr) {
            *firstValue = rows->constLast().value(0).text;
        }
    }
    return answer;
}

/// The profile's statements leave the transaction to the console; what was done after one ended it stays for good.
Result<void> stillOpen(Session &session, const QString &why = {})
{
    if (session.driver().inTransaction()) {
        return {};
    }
    return makeError(ErrorKind::Refused, Tr::tr("A statement of the drill ended the transaction."), why,
        Tr::tr("Leave COMMIT and ROLLBACK to the console."));
}

/// Rows that this transaction changed or removed so far, in every table and by whatever code; what a command says of
/// itself leaves out functions, triggers and cascades.
Result<qint64> rowsTaken(Session &session)
{
    TRY(const auto row,
        session.one({ u"SELECT COALESCE(pg_catalog.sum(s.n_tup_upd + s.n_tup_del), 0)::pg_catalog.int8 FROM "
                      "pg_catalog.pg_stat_xact_all_tables AS s"_s,
            {} }));
    return row.constFirst().text.toLongLong();
}

/// A table that is emptied as a whole counts no rows, and loses the count of those that were taken before. It is locked
/// then against everybody, which no statement about single rows does. Rows that were written through a foreign table
/// are another database's, and are counted there.
Result<void> nothingUncounted(Session &session)
{
    TRY(const auto row,
        session.one({ u"SELECT pg_catalog.string_agg(l.relation::pg_catalog.regclass::pg_catalog.text, ', ') "
                      "FILTER (WHERE l.mode = 'AccessExclusiveLock'), "
                      "pg_catalog.string_agg(l.relation::pg_catalog.regclass::pg_catalog.text, ', ') "
                      "FILTER (WHERE l.mode <> 'AccessExclusiveLock') FROM "
                      "pg_catalog.pg_locks AS l WHERE l.locktype = 'relation' AND (l.mode = 'AccessExclusiveLock' OR "
                      "(l.mode <> 'AccessShareLock' AND l.mode <> 'RowShareLock' AND EXISTS (SELECT FROM "
                      "pg_catalog.pg_class AS c WHERE c.oid = l.relation AND c.relkind = 'f'))) AND "
                      "l.granted AND l.pid = pg_catalog.pg_backend_pid() AND l.database = (SELECT d.oid FROM "
                      "pg_catalog.pg_database AS d WHERE d.datname = pg_catalog.current_database())"_s,
            {} }));
    if (!row.at(1).null) {
        return makeError(ErrorKind::Refused,
            Tr::tr("A statement of the drill writes to another database (%1), so it took none.").arg(row.at(1).text),
            {}, Tr::tr("Drill where the tables themselves are."));
    }
    if (row.constFirst().null) {
        return {};
    }
    return makeError(ErrorKind::Refused,
        Tr::tr("A statement of the drill empties or changes a whole table (%1), so it took none.")
            .arg(row.constFirst().text),
        {}, Tr::tr("Let it delete what has $key or $fact."));
}

Result<DrillAnswer> performWithin(Session &session, const DrillSpec &spec, const DrillCall &call)
{
    DrillAnswer last;
    if (!spec.claim.isEmpty()) {
        QString said;
        TRY(last, answerOf(session, spec.claim, call, &said));
        if (!last.refused) {
            TRY(stillOpen(session));
        }
        last.worked = spec.claimed.contains(said);
        if (last.refused || !last.worked) {
            return last;
        }
    }
    for (const QString &sql : spec.perform) {
        TRY(const DrillAnswer answer, answerOf(session, sql, call));
        if (answer.refused) {
            return answer;
        }
        last.text = answer.text.isEmpty() ? last.text : answer.text;
        TRY(stillOpen(session));
    }
    return last;
}

} // namespace

Result<DrillPlace> drillPlace(Session &session)
{
    // Two lines that say what it is for say nothing.
    TRY(const auto row,
        session.one(
            { u"SELECT CASE WHEN s.lines = 1 THEN pg_catalog.substring(s.said, "
              "'(?:^|\\n)[ ]*idemdesk:[ ]*(development|test|staging)[ ]*(?:\\n|$)') END, "
              "pg_catalog.concat_ws(' ', pg_catalog.pg_postmaster_start_time(), s.oid), "
              "pg_catalog.current_setting('track_counts') FROM (SELECT d.oid, "
              "pg_catalog.shobj_description(d.oid, 'pg_database') AS said, (SELECT pg_catalog.count(*) FROM "
              "pg_catalog.regexp_matches(pg_catalog.shobj_description(d.oid, 'pg_database'), 'idemdesk:', 'g')) "
              "AS lines FROM pg_catalog.pg_database AS d WHERE d.datname = pg_catalog.current_database()) AS s"_s,
                {} }));
    DrillPlace place;
    place.environment = row.at(0).null ? std::optional<Environment>() : environmentFromName(row.at(0).text);
    place.server = row.at(1).text;
    place.counts = row.at(2).text == u"on";
    return place;
}

namespace {

/// The claim and the work of one command, which is no more than a service does for one.
Result<DrillAnswer> performBounded(Session &session, const DrillSpec &spec, const DrillCall &call)
{
    constexpr qint64 kMostRows = 100;
    TRY(const qint64 before, rowsTaken(session));
    TRY(const auto answer, performWithin(session, spec, call));
    if (answer.refused) {
        return answer;
    }
    TRY(nothingUncounted(session));
    TRY(const qint64 after, rowsTaken(session));
    if (after - before > kMostRows) {
        return makeError(ErrorKind::Refused,
            Tr::tr("The statements of one command changed %1 rows, so nothing was kept.").arg(after - before), {},
            Tr::tr("Let them name $key or $fact."));
    }
    return answer;
}

} // namespace

Result<DrillAnswer> drillPerform(Session &session, const DrillSpec &spec, const DrillCall &call, bool commit)
{
    TRY(session.begin());
    auto answer = performBounded(session, spec, call);
    if (!answer || answer->refused) {
        session.rollback();
        return answer;
    }
    if (commit) {
        if (const auto done = session.commit(); !done) {
            if (!isAnswer(done.error())) {
                return done.error();
            }
            session.rollback();
            answer->refused = true; // a constraint that is looked at in the end
            answer->sqlState = done.error().sqlState;
            answer->text = done.error().detail.section(u'\n', 0, 0);
        }
    }
    return answer;
}

Result<qint64> drillEffects(Session &session, const DrillSpec &spec, const DrillCall &call)
{
    TRY(const auto row,
        failed(
            Tr::tr("The effects of the drill could not be counted."), session.one(drillStatement(spec.effects, call))));
    bool number = false;
    const qint64 count = row.value(0).text.toLongLong(&number);
    if (!number || row.size() != 1) {
        return makeError(ErrorKind::Usage, Tr::tr("The query “effects” of the drill gives no number."), {},
            Tr::tr("Let it select one count."));
    }
    return count;
}

Result<qint64> drillMarks(Session &session, const Target &target, const QString &key)
{
    Statement statement { u"SELECT pg_catalog.count(*) FROM "_s + target.relation.sql + u" AS t WHERE ("_s
            + target.profile.key.sql + u")::pg_catalog.text = $1::pg_catalog.text"_s,
        {} };
    statement.bind(key);
    TRY(const auto row, session.one(statement));
    return row.constFirst().text.toLongLong();
}

Result<qint64> drillsLeft(Session &session, const Target &target)
{
    Statement statement { u"SELECT pg_catalog.count(*) FROM (SELECT FROM "_s + target.relation.sql + u" AS t WHERE ("_s
            + target.profile.key.sql + u")::pg_catalog.text LIKE $1::pg_catalog.text LIMIT 1000) AS l"_s,
        {} };
    statement.bind(kDrillKeys.toString() + u'%');
    TRY(const auto row, session.one(statement));
    return row.constFirst().text.toLongLong();
}

namespace {

/// Gives how many rows the statement changed or removed.
Result<qint64> takeByOne(Session &session, const QString &sql, const DrillCall &call)
{
    TRY(const qint64 before, rowsTaken(session));
    TRY(session.run(drillStatement(sql, call)));
    TRY(stillOpen(session, Tr::tr("What it took cannot be given back.")));
    TRY(nothingUncounted(session));
    TRY(const qint64 after, rowsTaken(session));
    return after - before;
}

Result<qint64> takeWithin(Session &session, const QStringList &statements, const QList<DrillCall> &calls, qint64 most)
{
    QList<qint64> taken(calls.size()); // for each call
    for (const QString &sql : statements) {
        for (qsizetype i = 0; i < calls.size(); ++i) {
            TRY(const qint64 more, takeByOne(session, sql, calls.at(i)));
            taken[i] += more;
            if (taken.at(i) > most) {
                return makeError(ErrorKind::Refused,
                    Tr::tr("A statement of the drill would have taken %1 rows, so it took none.").arg(taken.at(i)), {},
                    Tr::tr("Let it name $key or $fact."));
            }
        }
    }
    return std::accumulate(taken.cbegin(), taken.cend(), qint64(0));
}

/// Runs statements that take rows, all of them or none; gives how many they took.
Result<qint64> takeRows(Session &session, const QStringList &statements, const QList<DrillCall> &calls, qint64 most)
{
    TRY(session.begin());
    auto taken = takeWithin(session, statements, calls, most);
    if (!taken) {
        session.rollback();
        return taken;
    }
    TRY(session.commit());
    return taken;
}

} // namespace

Result<qint64> drillExpire(Session &session, const DrillSpec &spec, const DrillCall &call, qint64 most)
{
    return takeRows(session, { spec.expire }, { call }, most);
}

Result<void> drillCleanup(Session &session, const DrillSpec &spec, const QList<DrillCall> &calls, qint64 most)
{
    TRY(takeRows(session, spec.cleanup, calls, most));
    return {};
}

Result<bool> drillRolledBack(Session &session, int backendPid)
{
    constexpr int kLooks = 500; // 10 ms apart
    for (int i = 0; i < kLooks; ++i) {
        // A pooler keeps the backend for others, so that it may stay, without a transaction.
        Statement statement { u"SELECT pg_catalog.count(*) FROM pg_catalog.pg_stat_activity AS a WHERE a.pid = "
                              "$1::pg_catalog.int4 AND a.xact_start IS NOT NULL"_s,
            {} };
        statement.bind(QString::number(backendPid));
        TRY(const auto row, session.one(statement));
        if (row.constFirst().text == u"0") {
            return true;
        }
        TRY(session.run({ u"SELECT pg_catalog.pg_sleep(0.01)"_s, {} }));
    }
    return false;
}

} // namespace idemdesk::sql
