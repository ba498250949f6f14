// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/session/session.h"

#include "sql/driver/pg_driver.h"
#include "sql/driver/pg_password.h"
#include "sql/session/error_text.h"
#include "sql/session/watched_counters.h"
#include "sql/types/tr.h"

#include <QDateTime>
#include <QDir>
#include <QFileInfo>
#include <QMap>
#include <QSqlDatabase>
#include <QSqlError>
#include <QSqlRecord>

#include <atomic>
#include <libpq-fe.h>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

using Setting = std::pair<QString, QString>;

/// What every session of the console runs under (DESIGN 2, reliability 2.3). Output formats are fixed so that texts
/// read back exactly; search_path is the catalogue alone (CVE-2018-1058).
QList<Setting> settingsFor(const Session::Options &options)
{
    return {
        { u"search_path"_s, u"pg_catalog, pg_temp"_s },
        { u"statement_timeout"_s, QString::number(options.statementTimeoutMs) },
        { u"lock_timeout"_s, QString::number(options.lockTimeoutMs) },
        { u"idle_in_transaction_session_timeout"_s, QString::number(options.idleInTransactionTimeoutMs) },
        { u"TimeZone"_s, u"UTC"_s },
        { u"DateStyle"_s, u"ISO, YMD"_s },
        { u"IntervalStyle"_s, u"postgres"_s },
        { u"bytea_output"_s, u"hex"_s },
        { u"extra_float_digits"_s, u"1"_s },
        { u"standard_conforming_strings"_s, u"on"_s },
        { u"client_connection_check_interval"_s, u"2000"_s },
    };
}

/// One statement that applies all settings: to the session, or only to the transaction it runs in.
QString applyStatement(const QList<Setting> &settings, bool local)
{
    QStringList calls;
    for (const auto &[name, value] : settings) {
        calls += u"pg_catalog.set_config("_s + quoteLiteral(name) + u", "_s + quoteLiteral(value)
            + (local ? u", true)"_s : u", false)"_s);
    }
    return u"SELECT "_s + calls.join(u", "_s);
}

/// The conninfo with what keeps the environment from sending the session elsewhere or changing it behind the person's
/// back (reliability 4.1), unless the connection settings say so themselves: an empty value in the text, other than one
/// handed over by itself, stops libpq from looking into PGHOSTADDR and PGOPTIONS. A text that libpq cannot read stays
/// as it is, for libpq to say why.
QString guardedConninfo(const QString &conninfo)
{
    PQconninfoOption *parsed = PQconninfoParse(conninfo.toUtf8().constData(), nullptr);
    if (parsed == nullptr) {
        return conninfo;
    }
    QMap<QString, QString> given;
    for (const PQconninfoOption *option = parsed; option->keyword != nullptr; ++option) {
        if (option->val != nullptr) {
            given.insert(QString::fromUtf8(option->keyword), QString::fromUtf8(option->val));
        }
    }
    PQconninfoFree(parsed);
    if (!given.contains(u"service"_s)) {
        for (const auto &[keyword, value] :
            { Setting { u"hostaddr"_s, QString() }, { u"options"_s, QString() }, { u"gssencmode"_s, u"disable"_s } }) {
            if (!given.contains(keyword)) {
                given.insert(keyword, value);
            }
        }
    }
    QStringList parts;
    for (auto option = given.cbegin(); option != given.cend(); ++option) {
        QString value = option.value();
        value.replace(u'\\', u"\\\\"_s).replace(u'\'', u"\\'"_s);
        parts += option.key() + u"='"_s + value + u'\'';
    }
    return parts.join(u' ');
}

/// libpq ignores a password file that others may read, and says so only on stderr.
QString passwordFileWarning()
{
    const QString path = qEnvironmentVariable("PGPASSFILE", QDir::homePath() + u"/.pgpass"_s);
    const QFileInfo info(path);
    constexpr QFile::Permissions kOpen = QFile::ReadGroup | QFile::WriteGroup | QFile::ReadOther | QFile::WriteOther;
    if (info.isFile() && (info.permissions() & kOpen) != QFile::Permissions()) {
        return Tr::tr("The password file %1 is ignored because other accounts may read it; its mode must be 0600.")
            .arg(path);
    }
    return {};
}

constexpr int kOldestSession = 140'000;
constexpr int kNewestTried = 18;

/// The catalogue and the functions that the console asks for are not all there before 14.
Error tooOld(const ServerFacts &facts)
{
    return makeError(ErrorKind::Refused,
        Tr::tr("This server is PostgreSQL %1, which is too old for the console.")
            .arg(facts.versionText.section(u' ', 0, 0)),
        Tr::tr("The console needs PostgreSQL 14 or later."),
        Tr::tr("Have this server upgraded, or connect to a newer one, such as a logical replica of it."));
}

/// What a person should know of this server before trusting what is shown.
QStringList warningsOf(const ServerFacts &facts)
{
    QStringList warnings;
    if (facts.encoding == u"SQL_ASCII"_s) {
        warnings += Tr::tr("This database does not check its text encoding (SQL_ASCII): bytes that are not UTF-8 "
                           "are shown as \\x escapes.");
    }
    if (facts.versionNumber / 10'000 > kNewestTried) {
        warnings += Tr::tr("This server is PostgreSQL %1. The console was tried with 14 to %2: should something "
                           "fail, look for a newer console.")
                        .arg(facts.versionNumber / 10'000)
                        .arg(kNewestTried);
    }
    if (facts.pooled) {
        warnings
            += Tr::tr("A connection pooler stands in between: cancelling goes through it, and notifications are off.");
    }
    return warnings;
}

const QString kSessionFacts
    = QStringLiteral("SELECT pg_catalog.pg_backend_pid(), pg_catalog.current_database(), session_user, "
                     "pg_catalog.host(pg_catalog.inet_server_addr()), pg_catalog.current_setting('server_version'), "
                     "pg_catalog.current_setting('server_version_num'), pg_catalog.current_setting('server_encoding'), "
                     "pg_catalog.current_setting('TimeZone'), pg_catalog.pg_is_in_recovery(), "
                     "pg_catalog.current_setting('is_superuser'), "
                     "pg_catalog.floor(EXTRACT(epoch FROM pg_catalog.clock_timestamp()) * 1000000)::pg_catalog.int8");

/// What stood on the counters before the program's first own statement there. Where this login may not look, nobody
/// will.
const QString kFirstCounters
    = QStringLiteral("SELECT d.deadlocks, d.xact_rollback, d.conflicts, pg_catalog.concat_ws(' ', (EXTRACT(epoch FROM "
                     "d.stats_reset) * 1000000)::pg_catalog.int8, (EXTRACT(epoch FROM "
                     "pg_catalog.pg_postmaster_start_time()) * 1000000)::pg_catalog.int8) "
                     "FROM pg_catalog.pg_stat_database AS d WHERE d.datname = pg_catalog.current_database()");

} // namespace

Cell Row::cell(int index) const
{
    if (m_query.isNull(index)) {
        return {};
    }
    return Cell::of(m_query.value(index).toString());
}

QString Row::text(int index) const
{
    return m_query.value(index).toString();
}

bool Row::isNull(int index) const
{
    return m_query.isNull(index);
}

bool Row::truth(int index) const
{
    const QString value = text(index);
    return value == u"t"_s || value == u"true"_s;
}

qint64 Row::integer(int index) const
{
    return text(index).toLongLong();
}

int Row::columns() const
{
    return m_query.record().count();
}

Result<std::unique_ptr<Session>> Session::open(const ConnectionSettings &settings, const Options &options)
{
    static std::atomic_int counter = 0;
    std::unique_ptr<Session> session(new Session);
    session->m_connectionName = u"idemdesk-"_s + QString::number(++counter);
    session->m_driver = new PgDriver;
    const QSqlDatabase database = QSqlDatabase::addDatabase(session->m_driver, session->m_connectionName);
    TRY(session->connectTo(settings, options));
    TRY(session->learnFacts());
    if (!countersWatched(session->m_facts)) {
        if (const auto first = session->one({ kFirstCounters, {} })) {
            watchCounters(session->m_facts,
                { first->at(0).text.toLongLong(), first->at(1).text.toLongLong(), first->at(2).text.toLongLong(),
                    first->at(3).text });
        }
    }
    session->m_facts.warnings = warningsOf(session->m_facts);
    TRY(session->applySettings(options));
    return session;
}

Result<void> Session::connectTo(const ConnectionSettings &settings, const Options &options)
{
    if (options.onSocket) {
        options.onSocket(m_driver->interrupter());
    }
    const PgPasswordCare care = careForPassword(
        guardedConninfo(settings.conninfo).toUtf8(), settings.password.toUtf8(), settings.unverifiedPassword);
    QList<std::pair<QByteArray, QByteArray>> overrides { { "application_name", options.applicationName.toUtf8() } };
    overrides += care.overrides;
    const bool sends = care.serverVerified || settings.unverifiedPassword;
    if (!m_driver->openConninfo(QString::fromUtf8(care.conninfo), sends ? settings.password : QString(), overrides,
            QDeadlineTimer(options.connectTimeoutMs))) {
        Error error = connectErrorFrom(m_driver->lastFailure(), care.withheld);
        if (error.kind == ErrorKind::Authentication && !care.withheld) {
            error.why += u' ' + passwordFileWarning();
            error.why = error.why.trimmed();
        }
        return error;
    }
    PGconn *connection = m_driver->connection();
    m_facts.host = QString::fromUtf8(PQhost(connection));
    m_facts.port = QString::fromUtf8(PQport(connection));
    m_facts.unixSocket = m_facts.host.startsWith(u'/') || m_facts.host.startsWith(u'@');
    m_facts.serverVerified = care.serverVerified;
    m_facts.tls = m_driver->tls();
    return {};
}

/// What the server says of itself, and how far its clock is from this computer's.
Result<void> Session::learnFacts()
{
    const qint64 asked = QDateTime::currentMSecsSinceEpoch();
    TRY(const auto rows, all({ kSessionFacts, {} }));
    if (rows.size() != 1) {
        return failure(Tr::tr("The server could not be asked for its version."));
    }
    const qint64 answered = QDateTime::currentMSecsSinceEpoch();
    const Cells &row = rows.first();
    m_facts.backendPid = row[0].text.toInt();
    m_facts.database = row[1].text;
    m_facts.user = row[2].text;
    m_facts.serverAddress = row[3].text;
    m_facts.versionText = row[4].text;
    m_facts.versionNumber = row[5].text.toInt();
    if (m_facts.versionNumber < kOldestSession) {
        return tooOld(m_facts);
    }
    m_facts.encoding = row[6].text;
    m_facts.timeZone = row[7].text;
    m_facts.standby = row[8].text == u"t"_s;
    m_facts.superuser = row[9].text == u"on"_s;
    m_facts.serverNow.micros = row[10].text.toLongLong();
    m_facts.clockSkewMicros = m_facts.serverNow.micros - (asked + answered) * 500;
    m_facts.pooled = m_facts.backendPid != m_driver->backendPid();
    return {};
}

Result<void> Session::applySettings(const Options &options)
{
    // A standby takes no transaction that says it will write; one that tries to is refused there at its first change.
    const QString begin = options.readOnly ? u"BEGIN ISOLATION LEVEL READ COMMITTED READ ONLY"_s
        : m_facts.standby                  ? u"BEGIN ISOLATION LEVEL READ COMMITTED"_s
                                           : u"BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE"_s;
    QList<Setting> settings = settingsFor(options);
    m_begin = begin;
    if (m_facts.pooled) {
        // The server connection belongs to the next client of the pool: nothing may outlast the transaction.
        m_apply = applyStatement(settings, true);
        wrapStatements();
        return {};
    }
    settings.append({ u"default_transaction_isolation"_s, u"read committed"_s });
    settings.append({ u"default_transaction_read_only"_s, options.readOnly ? u"on"_s : u"off"_s });
    wrapStatements();
    m_settings = applyStatement(settings, false);
    TRY(run({ m_settings, {} }));
    return {};
}

Result<void> Session::actFor(const QString &target)
{
    // Behind a pooler the server connection is not this session's to clear.
    if (m_actsFor != target && !m_facts.pooled) {
        for (const QString &sql : { u"RESET ALL"_s, u"UNLISTEN *"_s, m_settings }) {
            TRY(run({ sql, {} }));
        }
    }
    m_actsFor = target;
    return {};
}

/// What goes before each statement outside a transaction, and after each BEGIN: the settings that last only so long.
void Session::wrapStatements()
{
    QStringList settings;
    if (!m_apply.isEmpty()) {
        settings += m_apply;
    }
    if (m_wholeRows) {
        settings += applyStatement({ { u"row_security"_s, u"off"_s } }, true);
    }
    m_driver->setBegin(m_begin, settings);
    // What asks for whole rows only reads, so it says so itself: a standby takes no other beginning.
    const QString begin
        = m_wholeRows && m_apply.isEmpty() ? u"BEGIN ISOLATION LEVEL READ COMMITTED READ ONLY"_s : m_begin;
    m_driver->setEnvelope(
        settings.isEmpty() ? PgEnvelope() : PgEnvelope { QStringList(begin) + settings, u"COMMIT"_s });
}

Session::~Session()
{
    m_driver = nullptr;
    QSqlDatabase::removeDatabase(m_connectionName); // closes the connection and deletes the driver
}

PgFailure Session::serversWord(const PgFailure &failure)
{
    if (!failure.sqlState.isEmpty() || m_driver->alive()) {
        return failure;
    }
    // A server that ends an idle session says why before it closes; libpq hands that over as a notice.
    const QList<PgFailure> notices = m_driver->takeNotices();
    for (auto notice = notices.crbegin(); notice != notices.crend(); ++notice) {
        if (notice->severity == u"FATAL"_s || notice->severity == u"PANIC"_s) {
            PgFailure said = *notice;
            said.connectionLost = true;
            return said;
        }
    }
    return failure;
}

Error Session::failure(const QString &what)
{
    Error error = errorFrom(serversWord(m_driver->lastFailure()), what);
    if (error.kind == ErrorKind::Other && error.sqlState == u"40001"_s && m_facts.standby) {
        error.kind = ErrorKind::StandbyConflict;
    }
    if (!error.sqlState.isEmpty() && alive() && !m_driver->inTransaction()) {
        noteOwnRollback(m_facts); // a statement by itself is a transaction of its own
    }
    return error;
}

QSqlQuery Session::prepared(const Statement &statement) const
{
    QSqlQuery query(QSqlDatabase::database(m_connectionName, false));
    query.setForwardOnly(true);
    m_lastSql = statement.sql;
    query.prepare(m_marker.isEmpty() ? statement.sql : u"/*"_s + m_marker + u"*/ "_s + statement.sql);
    for (const Cell &value : statement.binds) {
        query.addBindValue(value.null ? QVariant() : QVariant(value.text.isNull() ? u""_s : value.text));
    }
    return query;
}

Result<qint64> Session::each(const Statement &statement, const std::function<bool(const Row &)> &onRow)
{
    QSqlQuery query = prepared(statement);
    if (!query.exec()) {
        return failure(Tr::tr("The server refused the request."));
    }
    qint64 rows = 0;
    const Row row(query);
    while (query.next()) {
        ++rows;
        if (!onRow(row)) {
            return rows;
        }
    }
    if (query.lastError().isValid()) {
        return failure(
            Tr::tr("The answer broke off after %n row(s).", nullptr, static_cast<int>(qMin<qint64>(rows, INT_MAX))));
    }
    return rows;
}

Result<QList<Cells>> Session::all(const Statement &statement)
{
    QList<Cells> answer;
    int columns = -1;
    TRY(each(statement, [&](const Row &row) {
        if (columns < 0) {
            columns = row.columns();
        }
        Cells cells;
        cells.reserve(columns);
        for (int i = 0; i < columns; ++i) {
            cells.append(row.cell(i));
        }
        answer.append(std::move(cells));
        return true;
    }));
    return answer;
}

Result<Cells> Session::one(const Statement &statement)
{
    TRY(auto rows, all(statement));
    if (rows.size() != 1) {
        return makeError(ErrorKind::Protocol, Tr::tr("The server's answer is not the single row that was asked for."),
            Tr::tr("It has %n row(s).", nullptr, static_cast<int>(rows.size())));
    }
    return rows.first();
}

Result<qint64> Session::run(const Statement &statement)
{
    QSqlQuery query = prepared(statement);
    if (!query.exec()) {
        return failure(Tr::tr("The server refused the request."));
    }
    if (query.isSelect()) {
        while (query.next()) { }
        if (query.lastError().isValid()) {
            return failure(Tr::tr("The server refused the request."));
        }
    }
    return query.numRowsAffected();
}

Result<Session::Description> Session::describe(const QString &sql)
{
    Description description;
    if (!m_driver->describe(sql, &description.parameterTypes, &description.columnTypes, &description.columnNames)) {
        return failure(Tr::tr("The server could not plan the statement."));
    }
    return description;
}

Result<void> Session::begin()
{
    if (!m_driver->beginTransaction()) {
        return failure(Tr::tr("A transaction could not be started."));
    }
    return {};
}

Result<void> Session::commit()
{
    if (!m_driver->commitTransaction()) {
        return failure(Tr::tr("The transaction was not confirmed as committed."));
    }
    return {};
}

void Session::rollback()
{
    if (m_driver->inTransaction()) {
        noteOwnRollback(m_facts);
    }
    m_driver->rollbackTransaction();
}

void Session::seeWholeRows(bool whole)
{
    m_wholeRows = whole;
    wrapStatements();
    if (m_driver->inTransaction()) {
        // Where this fails, the transaction has failed with it, and nothing is answered from it.
        const QString last = m_lastSql;
        static_cast<void>(run({ applyStatement({ { u"row_security"_s, whole ? u"off"_s : u"on"_s } }, true), {} }));
        m_lastSql = last;
    }
}

WholeRows::WholeRows(Session &session)
    : m_session(session)
    , m_outer(session.m_wholeRows)
{
    if (!m_outer) {
        m_session.seeWholeRows(true);
    }
}

WholeRows::~WholeRows()
{
    if (!m_outer) {
        m_session.seeWholeRows(false);
    }
}

bool Session::alive() const
{
    return m_driver->alive();
}

std::shared_ptr<PgInterrupter> Session::interrupter() const
{
    return m_driver->interrupter();
}

} // namespace idemdesk::sql
