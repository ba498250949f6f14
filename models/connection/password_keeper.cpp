// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/connection/password_keeper.h"

#include "models/connection/saved_connections.h"
#include "models/connection/secret_store.h"

#include <QPointer>

namespace idemdesk::models {

PasswordKeeper::PasswordKeeper(SavedConnections *saved, SecretStore *secrets, QObject *parent)
    : QObject(parent)
    , m_saved(saved)
    , m_secrets(secrets)
{
}

bool PasswordKeeper::available() const
{
    return m_secrets != nullptr && m_secrets->available();
}

std::function<void(const sql::Result<void> &)> PasswordKeeper::noteWhenDone(const QString &id, bool kept)
{
    return [saved = m_saved, id, kept, keeper = QPointer(this)](const sql::Result<void> &done) {
        const SavedConnection *known = saved->find(id);
        const bool there = kept && done.ok();
        std::optional<sql::Error> error = done.ok() ? std::nullopt : std::optional(done.error());
        if (known != nullptr && (kept || done.ok())) {
            SavedConnection changed = *known;
            changed.passwordInKeychain = there;
            if (const auto stored = saved->save(changed); !stored.ok()) {
                error = stored.error();
            }
            if (keeper != nullptr) {
                emit keeper->noted(id, there);
            }
        }
        if (error && keeper != nullptr) {
            emit keeper->failed(*error);
        }
    };
}

void PasswordKeeper::keep(const SavedConnection &connection, const QString &password)
{
    if (m_secrets != nullptr) {
        m_secrets->set(connection.secretId(), password, m_saved, noteWhenDone(connection.id, true));
    }
}

void PasswordKeeper::forget(const SavedConnection &connection)
{
    if (m_secrets != nullptr) {
        m_secrets->remove(connection.secretId(), m_saved, noteWhenDone(connection.id, false));
    }
}

void PasswordKeeper::forgetRemoved(const SavedConnection &connection)
{
    // Also where none is noted: an earlier program may have put one there and forgotten it. None there is no failure.
    if (m_secrets == nullptr || !(connection.passwordInKeychain || m_secrets->available())) {
        return;
    }
    m_secrets->remove(connection.secretId(), m_saved,
        [keeper = QPointer(this), noted = connection.passwordInKeychain](const sql::Result<void> &done) {
            if (!done.ok() && noted && keeper != nullptr) {
                emit keeper->failed(done.error());
            }
        });
}

void PasswordKeeper::fetch(const SavedConnection &connection, std::function<void(const sql::Result<QString> &)> accept)
{
    const quint64 ticket = ++m_ticket;
    m_secrets->get(connection.secretId(), this,
        [this, ticket, accept = std::move(accept)](const sql::Result<std::optional<QString>> &secret) {
            if (ticket == m_ticket) {
                accept(secret.ok() ? sql::Result<QString>(secret->value_or(QString())) : secret.error());
            }
        });
}

} // namespace idemdesk::models

#include "moc_password_keeper.cpp"
