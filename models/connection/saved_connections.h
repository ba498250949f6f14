// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/connection.h"
#include "sql/types/result.h"

#include <QList>
#include <QObject>

class QSettings;

namespace idemdesk::models {

/// A connection the person saved. It never has a password: that is in the keychain under secretId(), if anywhere.
struct SavedConnection {
    QString id; ///< stable; made when saved first
    QString name;
    QString conninfo;
    sql::Environment environment = sql::Environment::Unmarked;
    bool readOnly = false;
    bool passwordInKeychain = false;
    bool unverifiedPassword = false; ///< the person allowed to send a password although nothing verifies the server

    QString secretId() const { return QStringLiteral("connection/") + id; }
    sql::ConnectionSettings settings() const; ///< without a password
};

/// Saved connections in the person's settings. The file is readable by its owner alone.
class SavedConnections final : public QObject
{
    Q_OBJECT

public:
    /// settings: outlives this object.
    explicit SavedConnections(QSettings *settings, QObject *parent = nullptr);

    const QList<SavedConnection> &all() const { return m_all; }
    const SavedConnection *find(const QString &id) const;
    /// Adds it, or replaces the one of its id; gives it back with its id. A conninfo with a password in it, or one that
    /// libpq does not understand, is refused.
    sql::Result<SavedConnection> save(SavedConnection connection);
    void remove(const QString &id);
    QString lastUsed() const; ///< id
    void setLastUsed(const QString &id);

signals:
    void changed();

private:
    void load();
    sql::Result<void> store();

    QSettings *m_settings;
    QList<SavedConnection> m_all;
};

} // namespace idemdesk::models
