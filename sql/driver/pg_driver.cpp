// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/driver/pg_driver.h"

#include "sql/driver/pg_connect.h"
#include "sql/driver/pg_describe.h"
#include "sql/driver/pg_link.h"
#include "sql/driver/pg_result.h"
#include "sql/driver/pg_watch.h"
#include "sql/types/statement.h"

#include <QCoreApplication>
#include <QVariant>

Q_DECLARE_OPAQUE_POINTER(pg_conn *)

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

constexpr int openTimeoutMs = 30'000; // of QSqlDatabase::open(), which has no deadline

PgFailure noTransaction()
{
    return refusal(QCoreApplication::translate("PgDriver", "No transaction is open."));
}

} // namespace

class PgDriver::Private
{
public:
    explicit Private(PgDriver *driver)
        : watch(link.get(), driver)
    {
    }
    /// Runs one statement without an envelope; its command tag, or an empty one after a failure.
    QByteArray control(const QByteArray &sql, const PgEnvelope &envelope = {})
    {
        PgExchange exchange(link);
        if (exchange.send(sql, {}, false, envelope)) {
            exchange.drain();
        }
        // A COMMIT that was confirmed is one, whatever became of the connection afterwards.
        return exchange.failed() && exchange.tag() != "COMMIT" ? QByteArray() : exchange.tag();
    }

    std::shared_ptr<PgLink> link = std::make_shared<PgLink>();
    PgWatch watch;
    QString begin;
    QStringList along;
    QStringList channels;
};

PgDriver::PgDriver(QObject *parent)
    : QSqlDriver(parent)
    , d(std::make_unique<Private>(this))
{
    // Queued: whoever listens may start a statement, and one may just be ending where these come from.
    connect(&d->watch, &PgWatch::died, this, &PgDriver::connectionDied, Qt::QueuedConnection);
    connect(
        &d->watch, &PgWatch::notified, this,
        [this](const QString &name, bool self, const QString &payload) {
            if (d->channels.contains(name)) {
                emit notification(name, self ? SelfSource : OtherSource, payload);
            }
        },
        Qt::QueuedConnection);
}

PgDriver::~PgDriver()
{
    PgDriver::close();
}

bool PgDriver::hasFeature(DriverFeature feature) const
{
    switch (feature) {
    case Transactions:
    case QuerySize:
    case Unicode:
    case PreparedQueries:
    case EventNotifications:
    case FinishQuery:
        return true;
    default: // placeholders are PostgreSQL's own, neither ? nor :name
        return false;
    }
}

bool PgDriver::open(const QString &db, const QString &user, const QString &password, const QString &host, int port,
    const QString &options)
{
    QList<std::pair<QByteArray, QByteArray>> overrides { { "dbname", db.toUtf8() }, { "user", user.toUtf8() },
        { "host", host.toUtf8() } };
    if (port >= 0) {
        overrides.append({ "port", QByteArray::number(port) });
    }
    return openConninfo(options, password, overrides, QDeadlineTimer(openTimeoutMs));
}

bool PgDriver::openConninfo(const QString &conninfo, const QString &password,
    const QList<std::pair<QByteArray, QByteArray>> &overrides, QDeadlineTimer deadline)
{
    close();
    PgFailure failure;
    PGconn *connection
        = connectTo(conninfo.toUtf8(), password.toUtf8(), overrides, deadline, *d->link->interrupter, &failure);
    if (connection == nullptr) {
        d->link->failure = failure;
        setLastError(sqlErrorOf(failure, QSqlError::ConnectionError));
        setOpenError(true);
        return false;
    }
    d->link->failure = {};
    d->link->adopt(connection);
    d->watch.start();
    setLastError(QSqlError());
    setOpenError(false);
    setOpen(true);
    return true;
}

void PgDriver::close()
{
    d->watch.stop();
    d->link->drop();
    d->link->abandonStream(); // its result learns that the connection is gone
    d->channels.clear();
    setOpen(false);
    setOpenError(false);
}

QSqlResult *PgDriver::createResult() const
{
    return new PgResult(this, d->link);
}

bool PgDriver::beginTransaction()
{
    d->link->abandonStream();
    if (inTransaction()) {
        d->link->failure = refusal(tr("A transaction is open already."));
    } else {
        QStringList statements = d->begin.isEmpty() ? d->link->envelope.before : QStringList(d->begin) + d->along;
        const QString last = statements.isEmpty() ? u"BEGIN"_s : statements.takeLast();
        // All in one round trip; if one fails, the exchange rolls back what BEGIN opened.
        if (!d->control(last.toUtf8(), PgEnvelope { statements, {} }).isEmpty()) {
            setLastError(QSqlError());
            return true;
        }
    }
    setLastError(sqlErrorOf(d->link->failure, QSqlError::TransactionError));
    return false;
}

bool PgDriver::commitTransaction()
{
    d->link->abandonStream();
    if (!d->link->alive()) {
        d->link->failure = connectionGone();
    } else if (!inTransaction()) {
        d->link->failure = noTransaction();
    } else if (d->control("COMMIT") == "COMMIT") {
        setLastError(QSqlError());
        return true;
    }
    setLastError(sqlErrorOf(d->link->failure, QSqlError::TransactionError));
    return false;
}

bool PgDriver::rollbackTransaction()
{
    d->link->abandonStream();
    if (!d->link->alive()) {
        d->link->failure = connectionGone();
    } else if (!inTransaction()) {
        d->link->failure = noTransaction();
    } else if (d->control("ROLLBACK") == "ROLLBACK") {
        setLastError(QSqlError());
        return true;
    }
    setLastError(sqlErrorOf(d->link->failure, QSqlError::TransactionError));
    return false;
}

/// The whole name as one identifier: a dot in it is part of the name.
QString PgDriver::escapeIdentifier(const QString &identifier, IdentifierType /*type*/) const
{
    return quoteIdentifier(identifier);
}

/// Never: a name that begins and ends with quotes is a name, too.
bool PgDriver::isIdentifierEscaped(const QString & /*identifier*/, IdentifierType /*type*/) const
{
    return false;
}

QVariant PgDriver::handle() const
{
    return QVariant::fromValue(d->link->connection());
}

bool PgDriver::subscribeToNotification(const QString &name)
{
    if (d->link->envelope.active()) { // the pooler gives the server connection to somebody else
        d->link->failure = refusal(tr("Notifications do not work behind a transaction pooler."));
    } else if (d->channels.contains(name)) {
        d->link->failure = refusal(tr("This connection listens to “%1” already.").arg(name));
    } else if (name.isEmpty() || name.contains(QChar(0))) {
        d->link->failure = refusal(tr("This is not the name of a channel."));
    } else if (!d->control("LISTEN " + quoteIdentifier(name).toUtf8()).isEmpty()) {
        d->channels.append(name);
        return true;
    }
    setLastError(sqlErrorOf(d->link->failure, QSqlError::StatementError));
    return false;
}

bool PgDriver::unsubscribeFromNotification(const QString &name)
{
    if (d->channels.removeAll(name) == 0) {
        d->link->failure = refusal(tr("This connection does not listen to “%1”.").arg(name));
    } else if (!d->control("UNLISTEN " + quoteIdentifier(name).toUtf8()).isEmpty()) {
        return true;
    }
    setLastError(sqlErrorOf(d->link->failure, QSqlError::StatementError));
    return false;
}

QStringList PgDriver::subscribedToNotifications() const
{
    return d->channels;
}

void PgDriver::setEnvelope(const PgEnvelope &envelope)
{
    d->link->envelope = envelope;
}

const PgEnvelope &PgDriver::envelope() const
{
    return d->link->envelope;
}

void PgDriver::setBegin(const QString &begin, const QStringList &along)
{
    d->begin = begin;
    d->along = along;
}

bool PgDriver::describe(
    const QString &sql, QList<quint32> *parameterTypes, QList<quint32> *columnTypes, QStringList *columnNames)
{
    QByteArray bytes;
    QString reason;
    PgDescription description;
    const bool sent = encodeStatement(sql, &bytes, &reason);
    if (!sent) {
        d->link->failure = refusal(reason);
    }
    if (!sent || !describeOn(d->link, bytes, &description)) {
        setLastError(sqlErrorOf(d->link->failure, QSqlError::StatementError));
        return false;
    }
    if (parameterTypes != nullptr) {
        *parameterTypes = description.parameterTypes;
    }
    if (columnTypes != nullptr) {
        *columnTypes = description.columnTypes;
    }
    if (columnNames != nullptr) {
        *columnNames = description.columnNames;
    }
    return true;
}

pg_conn *PgDriver::connection() const
{
    return d->link->connection();
}

std::shared_ptr<PgInterrupter> PgDriver::interrupter() const
{
    return d->link->interrupter;
}

bool PgDriver::alive() const
{
    return d->link->alive();
}

PgFailure PgDriver::lastFailure() const
{
    return d->link->failure;
}

QList<PgFailure> PgDriver::takeNotices()
{
    return std::exchange(d->link->notices, {});
}

int PgDriver::backendPid() const
{
    return PQbackendPID(d->link->connection());
}

bool PgDriver::inTransaction() const
{
    return d->link->inTransaction();
}

QString PgDriver::tls() const
{
    PGconn *connection = d->link->connection();
    if (connection == nullptr || PQsslInUse(connection) == 0) {
        return {};
    }
    return QString::fromLatin1(PQsslAttribute(connection, "protocol")) + u", "_s
        + QString::fromLatin1(PQsslAttribute(connection, "cipher"));
}

} // namespace idemdesk::sql
