// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/result.h"

#include <QHash>
#include <QObject>
#include <functional>

namespace idemdesk::models {

class SecretStore;
class Settings;

/// Where the cache of a connection is: the address in the settings, its password in the keychain, or nowhere
/// but in memory. Lives on
/// the GUI thread.
class CachePlace final : public QObject
{
    Q_OBJECT

public:
    /// Both outlive it; secrets may be null.
    CachePlace(Settings *settings, SecretStore *secrets, QObject *parent = nullptr);

    QString address(const QString &connection) const;
    /// One that holds a password, or is none, is an error and not kept.
    sql::Result<void> setAddress(const QString &connection, const QString &url);
    bool sampled(const QString &connection) const; ///< the cache shall be looked at each minute
    void setSampled(const QString &connection, bool sampled);
    bool keepsPasswords() const; ///< there is a keychain
    void keepPassword(const QString &url, const QString &password);
    /// One that worked: it is known until the program ends, and written nowhere.
    void rememberPassword(const QString &url, const QString &password);
    /// What is remembered or kept for this address, empty where nothing is. The newest question alone is answered.
    void fetchPassword(const QString &url, std::function<void(const QString &)> accept);

signals:
    void failed(const idemdesk::sql::Error &error); ///< of the keychain

private:
    Settings *m_settings;
    SecretStore *m_secrets;
    quint64 m_ticket = 0;
    QHash<QString, QString> m_remembered; ///< by where it is
};

} // namespace idemdesk::models
