// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/driver/pg_driver.h"
#include "tests/support/test_cluster.h"

#include <QSqlDatabase>
#include <QSqlError>
#include <QSqlQuery>
#include <QTest>

namespace idemdesk::tests {

/// A QSqlDatabase with its own name that is removed again with this object.
class Link
{
public:
    /// On the console's driver.
    static Link ours(const QString &conninfo, const QList<std::pair<QByteArray, QByteArray>> &overrides = {})
    {
        auto *driver = new sql::PgDriver;
        const bool open = driver->openConninfo(conninfo, {}, overrides, QDeadlineTimer(10'000));
        Link link(QSqlDatabase::addDatabase(driver, freshName()));
        link.m_driver = driver;
        if (!open) {
            qFatal("%s", qPrintable(driver->lastFailure().message));
        }
        return link;
    }
    /// On Qt's stock driver, over a Unix socket.
    static Link stock(const QString &folder, const QString &user, const QString &database, int port = 5432)
    {
        QSqlDatabase db = QSqlDatabase::addDatabase(QStringLiteral("QPSQL"), freshName());
        db.setHostName(folder);
        db.setPort(port);
        db.setUserName(user);
        db.setDatabaseName(database);
        if (!db.open()) {
            qFatal("%s", qPrintable(db.lastError().text()));
        }
        return Link(db);
    }
    Link(Link &&other) noexcept
        : m_db(std::exchange(other.m_db, {}))
        , m_driver(other.m_driver)
    {
    }
    Link &operator=(Link &&) = delete;
    ~Link()
    {
        const QString name = m_db.connectionName();
        m_db = {};
        if (!name.isEmpty()) {
            QSqlDatabase::removeDatabase(name);
        }
    }

    QSqlDatabase &db() { return m_db; }
    sql::PgDriver &driver() { return *m_driver; }
    QSqlQuery query(bool forwardOnly = false) const
    {
        QSqlQuery query(m_db);
        query.setForwardOnly(forwardOnly);
        return query;
    }
    /// The first value of the answer, "NULL", or "error SQLSTATE: message".
    QString ask(const QString &sql, const QVariantList &values = {}, bool forwardOnly = false) const
    {
        QSqlQuery query = this->query(forwardOnly);
        query.prepare(sql);
        for (const QVariant &value : values) {
            query.addBindValue(value);
        }
        if (!query.exec()) {
            return failureText(query);
        }
        if (!query.next()) {
            return query.lastError().isValid() ? failureText(query) : QString();
        }
        return query.isNull(0) ? QStringLiteral("NULL") : query.value(0).toString();
    }
    static QString failureText(const QSqlQuery &query)
    {
        return QStringLiteral("error ") + query.lastError().nativeErrorCode() + QStringLiteral(": ")
            + query.lastError().databaseText();
    }

private:
    explicit Link(const QSqlDatabase &db)
        : m_db(db)
    {
    }
    static QString freshName()
    {
        static int count = 0;
        return QStringLiteral("link") + QString::number(++count);
    }

    QSqlDatabase m_db;
    sql::PgDriver *m_driver = nullptr; ///< owned by m_db
};

} // namespace idemdesk::tests
