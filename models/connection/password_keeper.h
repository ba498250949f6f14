// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/result.h"

#include <QObject>
#include <functional>

namespace idemdesk::models {

class SavedConnections;
class SecretStore;
struct SavedConnection;

/// The passwords of saved connections: puts them into the keychain, takes them out, and notes with each connection
/// whether it has one. What was begun goes on when this object is gone: a server may be quicker than the keychain.
class PasswordKeeper final : public QObject
{
    Q_OBJECT

public:
    /// Both outlive it; secrets may be null.
    PasswordKeeper(SavedConnections *saved, SecretStore *secrets, QObject *parent = nullptr);

    bool available() const; ///< there is a keychain
    void keep(const SavedConnection &connection, const QString &password);
    void forget(const SavedConnection &connection); ///< takes it out; the connection stays
    void forgetRemoved(const SavedConnection &connection); ///< the connection itself goes, too
    /// Gives the password, empty where there is none. The newest question alone is answered.
    void fetch(const SavedConnection &connection, std::function<void(const sql::Result<QString> &)> accept);
    void dropFetch() { ++m_ticket; }

signals:
    void noted(const QString &id, bool kept); ///< the connection says now whether its password is kept
    void failed(const idemdesk::sql::Error &error);

private:
    std::function<void(const sql::Result<void> &)> noteWhenDone(const QString &id, bool kept);

    SavedConnections *m_saved;
    SecretStore *m_secrets;
    quint64 m_ticket = 0;
};

} // namespace idemdesk::models
