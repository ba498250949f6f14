// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/connection/secret_store.h"

#include <QObject>

namespace idemdesk::app {

/// Passwords in the system's keychain (Secret Service, KWallet) through QtKeychain, never in a file of ours: its
/// insecure fallback stays off. Where no keychain answers, every call fails with a sentence and nothing is stored.
class KeychainStore final : public QObject, public models::SecretStore
{
    Q_OBJECT

public:
    explicit KeychainStore(QObject *parent = nullptr);

    bool available() const override { return m_available; }
    void get(
        const QString &id, QObject *context, std::function<void(sql::Result<std::optional<QString>>)> done) override;
    void set(const QString &id, const QString &secret, QObject *context,
        std::function<void(sql::Result<void>)> done) override;
    void remove(const QString &id, QObject *context, std::function<void(sql::Result<void>)> done) override;

private:
    bool m_available = true; ///< until a call found no keychain: 0.13 has no way to ask beforehand
};

} // namespace idemdesk::app
