// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/connection.h"
#include "sql/types/result.h"
#include "sql/types/statement.h"

#include <QSqlQuery>
#include <atomic>
#include <functional>
#include <memory>

namespace idemdesk::sql {

class PgDriver;
class PgInterrupter;
struct PgFailure;

/// The current row of a running statement; valid only inside the callback.
class Row
{
public:
    explicit Row(const QSqlQuery &query)
        : m_query(query)
    {
    }
    Cell cell(int index) const;
    QString text(int index) const; ///< "" for NULL
    bool isNull(int index) const;
    bool truth(int index) const; ///< a boolean column: 't' is true, 'f' and NULL are false
    qint64 integer(int index) const; ///< 0 for NULL
    int columns() const;

private:
    const QSqlQuery &m_query;
};

/// One open connection with the console's settings, through Qt SQL on PgDriver. Lives and dies on one thread.
/// Direct connections get their settings once; behind a transaction pooler every statement carries them (traps 10).
class Session
{
public:
    struct Options {
        LaneKind lane = LaneKind::Read;
        int connectTimeoutMs = 10'000;
        int statementTimeoutMs = 15'000; ///< 0: none
        int lockTimeoutMs = 500;
        int idleInTransactionTimeoutMs = 10'000;
        QString applicationName = QStringLiteral("idemdesk");
        bool readOnly = true; ///< read-only transactions; the write lane says false
        /// Called on this thread before connecting, with what can cut the connection from another one.
        std::function<void(std::shared_ptr<PgInterrupter>)> onSocket;
    };

    static Result<std::unique_ptr<Session>> open(const ConnectionSettings &settings, const Options &options);
    ~Session();
    Session(const Session &) = delete;
    Session &operator=(const Session &) = delete;

    const ServerFacts &facts() const { return m_facts; }

    /// Runs one statement forward-only and calls onRow for each row; false from it stops reading (the rest is drained
    /// or cancelled). Gives the number of rows read. An error in mid-stream is an error, whatever was read before.
    Result<qint64> each(const Statement &statement, const std::function<bool(const Row &)> &onRow);
    /// All rows; for small answers.
    Result<QList<Cells>> all(const Statement &statement);
    /// The only row of an answer that has exactly one; anything else is an error.
    Result<Cells> one(const Statement &statement);
    /// A statement without rows of interest: rows affected.
    Result<qint64> run(const Statement &statement);

    /// Plans a statement without running it (Parse and Describe): parameter and column types, or the error.
    struct Description {
        QList<quint32> parameterTypes;
        QList<quint32> columnTypes;
        QStringList columnNames;
    };
    Result<Description> describe(const QString &sql);

    /// A transaction around several statements: READ COMMITTED, READ ONLY unless this session writes. Never nested.
    Result<void> begin();
    Result<void> commit();
    void rollback();
    /// Before each batch on a target: what an earlier target's code left in the session (a setting of its own, a
    /// channel to listen to) does not reach this one's.
    Result<void> actFor(const QString &target);
    /// A text put in front of each statement as a comment, so that a cancel can name it (lanes).
    void setMarker(const QString &marker) { m_marker = marker; }
    /// Set by the lane when a newer request superseded this one; long loops should look at it.
    const std::atomic_bool *cancelFlag() const { return m_cancelFlag; }
    void setCancelFlag(const std::atomic_bool *flag) { m_cancelFlag = flag; }
    bool cancelled() const { return m_cancelFlag != nullptr && m_cancelFlag->load(); }

    /// The failure of a lost connection as the server itself explained it, where it did; else the failure as it is.
    PgFailure serversWord(const PgFailure &failure);
    /// The statement that was run last, as it was given.
    const QString &lastSql() const { return m_lastSql; }
    bool alive() const; ///< false once the connection was noticed dead
    PgDriver &driver() { return *m_driver; }
    std::shared_ptr<PgInterrupter> interrupter() const;

private:
    friend class WholeRows;
    Session() = default;
    Result<void> connectTo(const ConnectionSettings &settings, const Options &options);
    Result<void> learnFacts();
    void wrapStatements();
    void seeWholeRows(bool whole);
    Result<void> applySettings(const Options &options);
    QSqlQuery prepared(const Statement &statement) const;
    Error failure(const QString &what);

    QString m_connectionName;
    PgDriver *m_driver = nullptr; ///< owned by the QSqlDatabase of m_connectionName
    ServerFacts m_facts;
    QString m_begin; ///< the BEGIN of its transactions
    QString m_settings; ///< the statement that gave it its settings, where they last
    QString m_actsFor;
    QString m_apply; ///< behind a pooler: what gives each of them its settings
    bool m_wholeRows = false;
    QString m_marker;
    mutable QString m_lastSql;
    const std::atomic_bool *m_cancelFlag = nullptr;
};

/// While it lives, the session's statements see every row or fail (Error::rowsHidden): where row security applies, an
/// answer from a part of the rows would say "not there" of what is only hidden. For what is a promise, not for pages.
class WholeRows
{
public:
    explicit WholeRows(Session &session);
    ~WholeRows();
    WholeRows(const WholeRows &) = delete;
    WholeRows &operator=(const WholeRows &) = delete;

private:
    Session &m_session;
    const bool m_outer; ///< another one does it already
};

} // namespace idemdesk::sql
