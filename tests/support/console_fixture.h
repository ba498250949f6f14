// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/test_cluster.h"

#include <QHash>
#include <QList>
#include <QStringList>
#include <functional>
#include <memory>
#include <optional>

struct pg_conn;

namespace idemdesk::tests {

/// One bare libpq connection, so that these tests owe nothing to the console's own sessions and gateways.
class Connection
{
public:
    struct Answer {
        QString state; ///< SQLSTATE, empty where it worked; "lost" where the connection went
        QString message;
        QList<QStringList> rows;
        bool ok() const { return state.isEmpty(); }
        /// The first cell; where it failed, what went wrong, which no comparison with an expected value survives.
        QString value() const;
    };
    explicit Connection(const QString &conninfo);
    ~Connection();
    Connection(const Connection &) = delete;
    Connection &operator=(const Connection &) = delete;

    /// Without arguments several statements may be given at once; the last one's rows come back.
    Answer run(const QString &sql, const QList<std::optional<QString>> &arguments = {});
    QString value(const QString &sql, const QList<std::optional<QString>> &arguments = {})
    {
        return run(sql, arguments).value();
    }
    QString state(const QString &sql, const QList<std::optional<QString>> &arguments = {})
    {
        return run(sql, arguments).state;
    }
    /// Sends without waiting for the answer.
    void send(const QString &sql);
    Answer take();
    int pid() const;
    int socket() const;
    void drop(); ///< closes the socket without a word to the server, as a killed client does

private:
    Answer read(void *result) const;
    pg_conn *m_connection;
};

/// A cluster with the console installed as a DBA would, its logins, and a registered target "k" (app.k). Each
/// database() is a fresh copy. Logins: op, op2 (operators), appr, adm, viewer, service (no member of anything), boss (a
/// superuser).
class ConsoleFixture
{
public:
    explicit ConsoleFixture(const QStringList &settings = {});

    TestCluster &cluster() { return m_cluster; }
    QString superuser() const { return QStringLiteral("boss"); }
    /// What becomes of the database before it.
    enum class Former { Dropped, Kept };
    /// Makes a new database from the template and goes on in it.
    void fresh(Former former = Former::Dropped);
    /// The same with what `once` makes of it: it runs for the first call alone, later ones copy its database.
    void fresh(const std::function<void()> &once);
    /// A fresh copy of what `once` makes of a fresh one, when this `kind` is asked for first. Others stay as they are.
    void fresh(const QString &kind, const std::function<void()> &once);
    QString database() const { return m_database; }
    std::unique_ptr<Connection> as(const QString &login) const;
    /// A connection as superuser to the present database.
    Connection &root();
    void forgetRoot() { m_root.reset(); } ///< after a crash of the server
    bool ready() const; ///< does the server take connections?

    static QString compiled(); ///< what "k" is registered with
    static QString profile() { return QStringLiteral("{\"x\":1}"); }
    static QString profileSha(const QString &profile = ConsoleFixture::profile());
    /// Registers app.k again with other SQL; gives the answer's JSON.
    QString registerTarget(const QString &compiled, const QString &settings = QStringLiteral("{}"),
        const QString &profile = ConsoleFixture::profile(), const QString &name = QStringLiteral("k"),
        bool store = true);

    /// Takes out "k", whose profile is none: for what reads every target, and must name one that it cannot read.
    void forgetBare();

    static QString newId();
    /// The frozen set of rows of app.k that a condition picks, in the order of their keys.
    QString frozen(const QString &where, int rule = 0, const QString &effect = {});
    /// Opens an action and gives its id, or what went wrong.
    Connection::Answer open(Connection &who, const QString &id, const QString &verb, const QString &rows,
        const QString &plan = QStringLiteral("{}"), const QString &reason = QStringLiteral("because"));
    Connection::Answer openPurge(Connection &who, const QString &id, int expected, bool images = true,
        const QString &cutoff = QStringLiteral("now"), const QString &scopes = QStringLiteral("null"));
    /// Outcomes of a batch as the server sums them: {"done": 3}.
    static QString counts(Connection &who, const QString &function, const QString &id, int batch, int limit = 500);
    /// "t" where the trail is whole, else where and why it is not.
    static QString verified(Connection &who);

private:
    TestCluster m_cluster;
    QString m_database = QStringLiteral("console_template");
    QString m_template = m_database;
    QHash<QString, QString> m_kinds; ///< the database that each is copied from
    int m_number = 0;
    std::unique_ptr<Connection> m_root;
};

} // namespace idemdesk::tests
