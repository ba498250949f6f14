// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cache/cache_place.h"

#include "models/connection/secret_store.h"
#include "models/settings.h"
#include "sql/cache/cache_address.h"

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

/// Of where it is, however it was written.
QString cacheSecretId(const QString &url)
{
    const auto address = sql::cacheAddress(url);
    return u"cache/"_s + (address ? address->text() : url);
}

} // namespace

CachePlace::CachePlace(Settings *settings, SecretStore *secrets, QObject *parent)
    : QObject(parent)
    , m_settings(settings)
    , m_secrets(secrets)
{
}

QString CachePlace::address(const QString &connection) const
{
    return m_settings->cacheAddress(connection);
}

sql::Result<void> CachePlace::setAddress(const QString &connection, const QString &url)
{
    TRY(sql::cacheAddress(url));
    m_settings->setCacheAddress(connection, url);
    return {};
}

bool CachePlace::sampled(const QString &connection) const
{
    return m_settings->cacheSampled(connection);
}

void CachePlace::setSampled(const QString &connection, bool sampled)
{
    m_settings->setCacheSampled(connection, sampled);
}

bool CachePlace::keepsPasswords() const
{
    return m_secrets != nullptr && m_secrets->available();
}

void CachePlace::keepPassword(const QString &url, const QString &password)
{
    if (keepsPasswords()) {
        m_secrets->set(cacheSecretId(url), password, this, [this](const sql::Result<void> &done) {
            if (!done) {
                emit failed(done.error());
            }
        });
    }
}

void CachePlace::rememberPassword(const QString &url, const QString &password)
{
    m_remembered.insert(cacheSecretId(url), password);
}

void CachePlace::fetchPassword(const QString &url, std::function<void(const QString &)> accept)
{
    const quint64 ticket = ++m_ticket;
    if (const auto known = m_remembered.constFind(cacheSecretId(url)); known != m_remembered.cend()) {
        accept(*known);
        return;
    }
    if (!keepsPasswords()) {
        accept({});
        return;
    }
    m_secrets->get(cacheSecretId(url), this,
        [this, ticket, accept = std::move(accept)](const sql::Result<std::optional<QString>> &secret) {
            if (ticket != m_ticket) {
                return;
            }
            if (!secret) {
                emit failed(secret.error());
            }
            // Most need none; the one that does says so.
            accept(secret ? secret->value_or(QString()) : QString());
        });
}

} // namespace idemdesk::models

#include "moc_cache_place.cpp"
