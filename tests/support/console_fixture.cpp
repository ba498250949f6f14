// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/console_fixture.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QRegularExpression>
#include <QUuid>

#include <utility>

#include <libpq-fe.h>
#include <sys/socket.h>

using namespace Qt::StringLiterals;

namespace idemdesk::tests {

namespace {

const auto kTable = uR"(
CREATE SCHEMA app AUTHORIZATION app_owner;
SET ROLE app_owner;
CREATE TABLE app.k (tenant text NOT NULL, key text NOT NULL, status text NOT NULL, locked_until timestamptz,
    attempts integer NOT NULL DEFAULT 0, result text, updated_at timestamptz, expires_at timestamptz, price numeric,
    pad char(5), doc json, PRIMARY KEY (tenant, key));
CREATE TABLE app.eff (id text PRIMARY KEY, tenant text, key text);
INSERT INTO app.k SELECT 't' || i % 3, 'k' || lpad(i::text, 3, '0'), 'processing', now() - interval '1 hour 0.123456 s', 1, NULL, now(),
    now() + interval '1 day', 1.50, 'ab', '{"a": 1.00,"a":2}' FROM generate_series(1, 50) i;
INSERT INTO app.k SELECT 't' || i % 3, 'd' || lpad(i::text, 4, '0'), 'succeeded', NULL, 1, 'x', now(),
    now() - interval '1 day' * (1 + i % 30), 1.50, 'ab', '{"a": 1.00}' FROM generate_series(1, 600) i;
GRANT USAGE ON SCHEMA app TO idemdesk_runner_app_owner, op, op2;
GRANT SELECT, UPDATE (status, locked_until, updated_at, result, attempts), DELETE, INSERT ON app.k TO idemdesk_runner_app_owner;
GRANT SELECT ON app.eff TO idemdesk_runner_app_owner;
GRANT SELECT ON app.k TO op, op2;
GRANT USAGE ON SCHEMA app TO service;
GRANT SELECT, INSERT, UPDATE, DELETE ON app.k TO service;
RESET ROLE;
)"_s;

const auto kLogins = uR"(
CREATE ROLE boss LOGIN SUPERUSER; CREATE ROLE op LOGIN; CREATE ROLE op2 LOGIN; CREATE ROLE adm LOGIN;
CREATE ROLE appr LOGIN; CREATE ROLE viewer LOGIN; CREATE ROLE service LOGIN; CREATE ROLE app_owner LOGIN;
GRANT idemdesk_operator TO op, op2; GRANT idemdesk_admin TO adm; GRANT idemdesk_approver TO appr;
GRANT idemdesk_viewer TO viewer; SELECT idemdesk.make_runner('app_owner');
)"_s;

/// The console's own files as one script, as its package holds them.
QString installation()
{
    QString script = u"BEGIN; SET LOCAL search_path = pg_catalog;\n"_s;
    const QDir folder(QStringLiteral(IDEMDESK_SOURCE_DIR) + u"/sql/console"_s);
    QStringList files { u"prepare.sql"_s };
    const QStringList subjects = QDir(folder.filePath(u"schema"_s)).entryList({ u"*.sql"_s }, QDir::Files, QDir::Name);
    for (const QString &name : subjects) {
        files += u"schema/"_s + name;
    }
    files += u"finish.sql"_s;
    // An upgrade's file is named after its version; without one it is the first.
    const auto upgrades = QDir(folder.filePath(u"upgrades"_s)).entryList({ u"*.sql"_s }, QDir::Files, QDir::Name);
    const int version = upgrades.isEmpty() ? 1 : upgrades.constLast().section(u'_', 0, 0).toInt();
    for (const QString &name : files) {
        if (name == files.constLast()) { // which remembers what is there
            script += u"INSERT INTO idemdesk.migration (version, name) VALUES (%1, 'install');\n"_s.arg(version);
        }
        QFile file(folder.filePath(name));
        if (!file.open(QIODevice::ReadOnly)) {
            qFatal("%s cannot be read", qPrintable(name));
        }
        script += QString::fromUtf8(file.readAll()) + u'\n';
    }
    return script + u"COMMIT;"_s;
}

/// A cluster with the console and the logins, before any table.
ClusterTemplate installedConsole()
{
    const QString script = installation() + kLogins;
    return ClusterTemplate(
        u"console"_s,
        [script](TestCluster &cluster) {
            cluster.psql(u"postgres"_s, u"CREATE DATABASE console_template"_s);
            cluster.psql(u"console_template"_s, script);
        },
        script.toUtf8());
}

} // namespace

QString Connection::Answer::value() const
{
    if (!ok()) {
        return state + u": "_s + message;
    }
    return rows.isEmpty() ? u"(no row)"_s : rows.first().value(0);
}

Connection::Connection(const QString &conninfo)
    : m_connection(PQconnectdb(conninfo.toUtf8().constData()))
{
    if (PQstatus(m_connection) != CONNECTION_OK) {
        qFatal("%s", PQerrorMessage(m_connection));
    }
    PQsetNoticeProcessor(
        m_connection, [](void *, const char *) {}, nullptr);
}

Connection::~Connection()
{
    PQfinish(m_connection);
}

Connection::Answer Connection::read(void *handle) const
{
    auto *result = static_cast<PGresult *>(handle);
    Answer out;
    const ExecStatusType status = PQresultStatus(result);
    if (status == PGRES_TUPLES_OK) {
        for (int row = 0; row < PQntuples(result); ++row) {
            QStringList cells;
            for (int column = 0; column < PQnfields(result); ++column) {
                cells.append(QString::fromUtf8(PQgetvalue(result, row, column)));
            }
            out.rows.append(cells);
        }
    } else if (status != PGRES_COMMAND_OK) {
        const char *state = result ? PQresultErrorField(result, PG_DIAG_SQLSTATE) : nullptr;
        out.state = state ? QString::fromLatin1(state) : u"lost"_s;
        out.message = QString::fromUtf8(PQerrorMessage(m_connection)).trimmed();
    }
    PQclear(result);
    return out;
}

Connection::Answer Connection::run(const QString &sql, const QList<std::optional<QString>> &arguments)
{
    // The console's functions act only as statements of their own: what is asked of their answer is asked afterwards.
    static const QRegularExpression named(u"^SELECT (b .+) FROM (idemdesk\\.[a-z]\\w*\\([^()]*\\)) b$"_s);
    static const QRegularExpression direct(u"^SELECT (idemdesk\\.[a-z]\\w*\\([^()]*\\)) (->.+)$"_s);
    if (const auto match = named.match(sql); match.hasMatch()) {
        const Answer answer = run(u"SELECT "_s + match.captured(2), arguments);
        return answer.ok()
            ? run(u"SELECT "_s + match.captured(1) + u" FROM (VALUES ($1::jsonb)) AS x (b)"_s, { answer.value() })
            : answer;
    }
    if (const auto match = direct.match(sql); match.hasMatch()) {
        const Answer answer = run(u"SELECT "_s + match.captured(1), arguments);
        return answer.ok() ? run(u"SELECT ($1::jsonb) "_s + match.captured(2), { answer.value() }) : answer;
    }
    if (arguments.isEmpty()) {
        return read(PQexec(m_connection, sql.toUtf8().constData()));
    }
    QList<QByteArray> texts;
    for (const auto &argument : arguments) {
        texts.append(argument.value_or(QString()).toUtf8());
    }
    QList<const char *> values;
    for (qsizetype i = 0; i < texts.size(); ++i) {
        values.append(arguments.at(i) ? texts.at(i).constData() : nullptr);
    }
    return read(PQexecParams(m_connection, sql.toUtf8().constData(), static_cast<int>(values.size()), nullptr,
        values.constData(), nullptr, nullptr, 0));
}

void Connection::send(const QString &sql)
{
    if (PQsendQuery(m_connection, sql.toUtf8().constData()) != 1) {
        qFatal("%s", PQerrorMessage(m_connection));
    }
}

Connection::Answer Connection::take()
{
    Answer last;
    bool any = false;
    while (PGresult *result = PQgetResult(m_connection)) {
        Answer one = read(result);
        if (!any || last.ok()) {
            last = one;
        }
        any = true;
        if (PQstatus(m_connection) == CONNECTION_BAD) {
            break;
        }
    }
    if (!any) {
        last.state = u"lost"_s;
        last.message = QString::fromUtf8(PQerrorMessage(m_connection)).trimmed();
    }
    return last;
}

int Connection::pid() const
{
    return PQbackendPID(m_connection);
}

int Connection::socket() const
{
    return PQsocket(m_connection);
}

void Connection::drop()
{
    ::shutdown(PQsocket(m_connection), SHUT_RDWR);
}

ConsoleFixture::ConsoleFixture(const QStringList &settings)
    : m_cluster(settings, installedConsole())
{
    m_cluster.psql(m_database, kTable); // what is so and so old, by now
    const QString answer = registerTarget(compiled());
    if (!answer.contains(u"\"registered\": true"_s)) {
        qFatal("the target was not registered: %s", qPrintable(answer));
    }
    fresh();
}

void ConsoleFixture::fresh(Former former)
{
    m_root.reset();
    const QString before = std::exchange(m_database, u"d%1"_s.arg(++m_number));
    // Before each row of most tests, so without a program of its own, and as files: page by page through the server's
    // log, as it is done from PostgreSQL 15 on where nothing is said, takes twice as long.
    static const QString files = TestCluster::majorVersion() < 15 ? QString() : u" STRATEGY FILE_COPY"_s;
    Connection server(m_cluster.conninfo());
    const auto made = server.run(u"CREATE DATABASE %1 TEMPLATE %2%3"_s.arg(m_database, m_template, files));
    if (!made.ok()) {
        qFatal("%s", qPrintable(made.value()));
    }
    // What a runner owns is one list for all databases, read at each row of an action: a hundred of them slow all rows.
    // A database that a prepared transaction still holds stays.
    if (former == Former::Dropped && m_number > 1 && before != m_template) {
        server.run(u"DROP DATABASE %1 WITH (FORCE)"_s.arg(before));
    }
}

void ConsoleFixture::fresh(const std::function<void()> &once)
{
    if (m_template == u"console_template"_s) {
        fresh();
        once();
        m_template = m_database;
    }
    fresh();
}

void ConsoleFixture::fresh(const QString &kind, const std::function<void()> &once)
{
    if (!m_kinds.contains(kind)) {
        fresh();
        once();
        m_kinds.insert(kind, m_database);
    }
    const QString ordinary = std::exchange(m_template, m_kinds.value(kind));
    fresh();
    m_template = ordinary;
}

std::unique_ptr<Connection> ConsoleFixture::as(const QString &login) const
{
    return std::make_unique<Connection>(m_cluster.conninfoAs(login, m_database));
}

bool ConsoleFixture::ready() const
{
    return PQping(m_cluster.conninfo(m_database).toUtf8().constData()) == PQPING_OK;
}

Connection &ConsoleFixture::root()
{
    if (!m_root) {
        m_root = as(superuser());
    }
    return *m_root;
}

QString ConsoleFixture::compiled()
{
    return uR"json({"version":1,"relation":"\"app\".\"k\"",
"identity":[{"name":"tenant","type":"pg_catalog.text","eq":"OPERATOR(pg_catalog.=)"},{"name":"key","type":"pg_catalog.text","eq":"OPERATOR(pg_catalog.=)"}],
"guard":["status","locked_until","attempts"],
"scope":["t.tenant"],"scope_text":"pg_catalog.jsonb_build_array((t.tenant)::pg_catalog.text)::pg_catalog.text",
"state":"CASE (t.status) WHEN 'processing' THEN 'in_progress' WHEN 'succeeded' THEN 'succeeded' WHEN 'failed' THEN 'failed_retryable' WHEN 'dead' THEN 'failed_final' ELSE 'unknown' END",
"in_state":{"in_progress":"t.status = 'processing'","succeeded":"t.status = 'succeeded'","failed_retryable":"t.status = 'failed'","failed_final":"t.status = 'dead'"},
"status":"t.status","stale":"(t.status = 'processing' AND t.locked_until < ($1))","empty_replay":"pg_catalog.num_nulls(t.result)=1",
"rules":[
{"verb":"recover","from":["in_progress"],"status":[],"to":"failed_retryable","set":[["status","'failed'"],["locked_until","NULL"],["updated_at","($1)"]],"needs":null,"forbids":null},
{"verb":"recover","from":["in_progress"],"status":[],"to":"succeeded","set":[["status","'succeeded'"],["result","$4"]],"needs":"eff","forbids":null},
{"verb":"recover","from":["in_progress"],"status":[],"to":"failed_retryable","set":[["status","'failed'"]],"needs":null,"forbids":"eff"},
{"verb":"requeue","from":["failed_retryable"],"status":[],"to":"absent","set":[],"needs":null,"forbids":null},
{"verb":"reclassify","from":["failed_retryable"],"status":["failed"],"to":"failed_final","set":[["status","'dead'"],["result","$2"]],"needs":null,"forbids":null},
{"verb":"recover","from":["in_progress"],"status":[],"to":"succeeded","set":[["status","CASE WHEN t.key = 'k013' THEN 'failed' ELSE 'succeeded' END"],["result","'y'"]],"needs":null,"forbids":null},
{"verb":"recover","from":["in_progress"],"status":[],"to":"succeeded","set":[["status","'succeeded'"]],"needs":"eff","forbids":null}],
"effects":[{"type":"eff","proves":true,"sql":"SELECT f.id FROM app.eff f WHERE f.tenant=t.tenant AND f.key=t.key"}],
"purge":[{"where":"(t.expires_at < ($1))","by":"t.expires_at","by_type":"timestamptz"}]})json"_s;
}

QString ConsoleFixture::profileSha(const QString &profile)
{
    return QString::fromLatin1(QCryptographicHash::hash(profile.toUtf8(), QCryptographicHash::Sha256).toHex());
}

QString ConsoleFixture::registerTarget(
    const QString &compiled, const QString &settings, const QString &profile, const QString &name, bool store)
{
    return as(u"adm"_s)->value(u"SELECT idemdesk.register_target($1, $2, $3::jsonb, ARRAY['app'], $4::jsonb, $5)"_s,
        { name, profile, compiled, settings, store ? u"true"_s : u"false"_s });
}

void ConsoleFixture::forgetBare()
{
    if (const auto gone = as(u"adm"_s)->run(u"SELECT idemdesk.unregister_target('k')"_s); !gone.ok()) {
        qFatal("%s", qPrintable(gone.value()));
    }
}

QString ConsoleFixture::newId()
{
    return QUuid::createUuid().toString(QUuid::WithoutBraces);
}

QString ConsoleFixture::frozen(const QString &where, int rule, const QString &effect)
{
    return root().value(
        u"SELECT coalesce(jsonb_agg(jsonb_build_object('i', jsonb_build_array(tenant, key), 'g', "
        "jsonb_build_array(status, locked_until::text, attempts::text), 'r', $1::integer, 'e', nullif($2, ''), 't', "
        "CASE WHEN $2 <> '' THEN 'eff' END) ORDER BY key), '[]') FROM app.k WHERE "_s
            + where,
        { QString::number(rule), effect });
}

Connection::Answer ConsoleFixture::open(Connection &who, const QString &id, const QString &verb, const QString &rows,
    const QString &plan, const QString &reason)
{
    return who.run(u"SELECT idemdesk.open_action($1, 'k', $2, $3, 'T-1', $4::jsonb, $5, $6::jsonb) ->> 'state'"_s,
        { id, verb, reason, plan, profileSha(), rows });
}

Connection::Answer ConsoleFixture::openPurge(
    Connection &who, const QString &id, int expected, bool images, const QString &cutoff, const QString &scopes)
{
    const QString at = cutoff == u"now"_s ? root().value(u"SELECT now() - interval '1 s'"_s) : cutoff;
    return open(who, id, u"purge"_s, u"[]"_s,
        u"{\"cutoff\":\"%1\",\"states\":[\"succeeded\",\"failed_final\"],\"scopes\":%2,\"images\":%3,\"expected\":%4}"_s
            .arg(at, scopes, images ? u"true"_s : u"false"_s, QString::number(expected)));
}

QString ConsoleFixture::counts(Connection &who, const QString &function, const QString &id, int batch, int limit)
{
    return who.value(u"SELECT idemdesk.%1($1, $2, $3) -> 'counts'"_s.arg(function),
        { id, QString::number(batch), QString::number(limit) });
}

QString ConsoleFixture::verified(Connection &who)
{
    const auto answer = who.run(u"SELECT intact, first_bad, problem FROM idemdesk.verify_audit()"_s);
    if (!answer.ok() || answer.rows.isEmpty()) {
        return answer.value();
    }
    const QStringList &row = answer.rows.first();
    return row.at(0) == u"t"_s ? u"t"_s : row.at(1) + u": "_s + row.at(2);
}

} // namespace idemdesk::tests
