// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QDeadlineTimer>
#include <QList>
#include <QSqlDriver>
#include <QString>
#include <QStringList>
#include <memory>

struct pg_conn;

namespace idemdesk::sql {

/// Every field of a PostgreSQL error or notice (manual 34.3.1, PQresultErrorField), control characters escaped.
struct PgFailure {
    QString severity;
    QString sqlState; ///< empty where libpq itself failed, such as a dead socket
    QString message;
    QString detail;
    QString hint;
    QString context;
    QString schema;
    QString table;
    QString column;
    QString dataType;
    QString constraint;
    QString routine; ///< the server's own function that raised it: the same in every language
    int statementPosition = 0; ///< 1-based character in the statement, 0 unknown
    bool connectionLost = false; ///< the connection is unusable now
    bool byDriver = false; ///< refused by this driver (NUL, COPY, no transaction …); sqlState is empty then
    bool present() const { return !message.isEmpty() || !sqlState.isEmpty(); }
};

/// What may be called on a connection from another thread: cut it, or ask the server to cancel. Stays valid after the
/// connection closed (then it does nothing).
class PgInterrupter
{
public:
    virtual ~PgInterrupter() = default;
    /// shutdown(2) of the socket: the call that waits on it returns at once, and the connection is lost. Never blocks.
    virtual void cut() = 0;
    /// PQcancel: opens a second connection, so it blocks; call it from a helper thread. False with a reason.
    virtual bool requestCancel(QString *reason) = 0;
};

/// Statements sent in the same round trip around each statement outside an explicit transaction, for a transaction
/// pooler (traps 10): BEGIN …; SET LOCAL …; then the statement; then COMMIT, in one pipeline.
struct PgEnvelope {
    QStringList before;
    QString after;
    bool active() const { return !before.isEmpty(); }
};

/// A QSqlDriver over libpq (DESIGN 2): one round trip per statement (PQsendQueryParams), native $1 placeholders,
/// one statement only, single-row mode for forward-only queries, COPY refused, NUL refused, numeric and timestamptz
/// as the server's own text, COMMIT reported truthfully. Use on the thread that opened it; only PgInterrupter may be
/// called from others. Values bind by position (addBindValue); an invalid or null QVariant binds NULL.
class PgDriver final : public QSqlDriver
{
    Q_OBJECT

public:
    explicit PgDriver(QObject *parent = nullptr);
    ~PgDriver() override;

    bool hasFeature(DriverFeature feature) const override;
    bool open(const QString &db, const QString &user, const QString &password, const QString &host, int port,
        const QString &options) override;
    void close() override;
    QSqlResult *createResult() const override;
    bool beginTransaction() override;
    bool commitTransaction() override;
    bool rollbackTransaction() override;
    QString escapeIdentifier(const QString &identifier, IdentifierType type) const override;
    bool isIdentifierEscaped(const QString &identifier, IdentifierType type) const override;
    QVariant handle() const override; ///< PGconn*, under the type name "pg_conn*"
    bool subscribeToNotification(const QString &name) override;
    bool unsubscribeFromNotification(const QString &name) override;
    QStringList subscribedToNotifications() const override;

    /// Connects with a libpq conninfo string, URI or "service=…" (expanded as dbname), then `overrides` (later ones
    /// win), without blocking beyond the deadline. The password is only handed to libpq. False: see lastFailure().
    bool openConninfo(const QString &conninfo, const QString &password,
        const QList<std::pair<QByteArray, QByteArray>> &overrides, QDeadlineTimer deadline);

    void setEnvelope(const PgEnvelope &envelope);
    const PgEnvelope &envelope() const;

    /// SQL of the BEGIN that beginTransaction() sends, such as "BEGIN ISOLATION LEVEL READ COMMITTED READ ONLY",
    /// with SET LOCAL statements to send along in the same round trip.
    void setBegin(const QString &begin, const QStringList &along);

    pg_conn *connection() const; ///< for calls that the driver does not wrap, on its thread
    std::shared_ptr<PgInterrupter> interrupter() const;

    /// Plans a statement without running it: unnamed Parse and Describe in one round trip, inside the envelope's BEGIN
    /// and a COMMIT where one is set. A statement that fails to parse aborts an explicit transaction. Any pointer may
    /// be null.
    bool describe(
        const QString &sql, QList<quint32> *parameterTypes, QList<quint32> *columnTypes, QStringList *columnNames);

    bool alive() const; ///< false once the connection was noticed dead; isOpen() stays true until close()
    PgFailure lastFailure() const; ///< of the last failed call on this driver or one of its results
    QList<PgFailure> takeNotices(); ///< notices since the last call; at most 1,000 are kept
    int backendPid() const; ///< PQbackendPID: made up behind a pooler
    bool inTransaction() const;
    QString tls() const; ///< "TLSv1.3, TLS_AES_256_GCM_SHA384", or empty

signals:
    /// The connection was noticed dead, while idle (needs an event loop on this thread) or by a call. Queued.
    void connectionDied();

private:
    class Private;
    std::unique_ptr<Private> d;
    friend class PgResult;
};

} // namespace idemdesk::sql
