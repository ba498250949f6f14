// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/keychain_store.h"

#include <qt6keychain/keychain.h>

using namespace Qt::StringLiterals;

namespace idemdesk::app {

namespace {

const QString kService = QStringLiteral("idemdesk");

sql::Error errorOf(const QKeychain::Job &job)
{
    return sql::makeError(sql::ErrorKind::Other, KeychainStore::tr("The keychain did not keep or give the password."),
        job.errorString(),
        KeychainStore::tr(
            "The password is kept for this session only. Unlock or start the system's keychain to keep it."));
}

bool entryMissing(const QKeychain::Job &job)
{
    return job.error() == QKeychain::EntryNotFound;
}

/// Without D-Bus or a Secret Service the job ends with one of these; access denied by the person is something else.
bool keychainMissing(const QKeychain::Job &job)
{
    return job.error() == QKeychain::NoBackendAvailable || job.error() == QKeychain::NotImplemented
        || job.error() == QKeychain::OtherError;
}

} // namespace

KeychainStore::KeychainStore(QObject *parent)
    : QObject(parent)
{
}

void KeychainStore::get(
    const QString &id, QObject *context, std::function<void(sql::Result<std::optional<QString>>)> done)
{
    auto *job = new QKeychain::ReadPasswordJob(kService, this); // deletes itself after finished()
    job->setKey(id);
    connect(job, &QKeychain::Job::finished, context, [this, done = std::move(done)](QKeychain::Job *finished) {
        if (finished->error() == QKeychain::NoError) {
            done(std::optional<QString>(static_cast<QKeychain::ReadPasswordJob *>(finished)->textData()));
        } else if (entryMissing(*finished)) {
            done(std::optional<QString>());
        } else {
            m_available = m_available && !keychainMissing(*finished);
            done(errorOf(*finished));
        }
    });
    job->start();
}

void KeychainStore::set(
    const QString &id, const QString &secret, QObject *context, std::function<void(sql::Result<void>)> done)
{
    auto *job = new QKeychain::WritePasswordJob(kService, this);
    job->setKey(id);
    job->setTextData(secret);
    connect(job, &QKeychain::Job::finished, context, [this, done = std::move(done)](QKeychain::Job *finished) {
        if (finished->error() == QKeychain::NoError) {
            done(sql::Result<void>());
        } else {
            m_available = m_available && !keychainMissing(*finished);
            done(errorOf(*finished));
        }
    });
    job->start();
}

void KeychainStore::remove(const QString &id, QObject *context, std::function<void(sql::Result<void>)> done)
{
    auto *job = new QKeychain::DeletePasswordJob(kService, this);
    job->setKey(id);
    connect(job, &QKeychain::Job::finished, context, [this, done = std::move(done)](QKeychain::Job *finished) {
        if (finished->error() == QKeychain::NoError || entryMissing(*finished)) {
            done(sql::Result<void>());
        } else {
            m_available = m_available && !keychainMissing(*finished);
            done(errorOf(*finished));
        }
    });
    job->start();
}

} // namespace idemdesk::app
