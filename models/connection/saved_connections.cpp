// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/connection/saved_connections.h"

#include "models/connection/connection_fields.h"
#include "models/keys/private_file.h"

#include <QDir>
#include <QFileInfo>
#include <QSettings>
#include <QUuid>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

/// A word this version does not know counts as production: the careful reading.
sql::Environment environmentOf(const QString &text)
{
    return text.isEmpty() ? sql::Environment::Unmarked
                          : sql::environmentFromName(text).value_or(sql::Environment::Production);
}

} // namespace

sql::ConnectionSettings SavedConnection::settings() const
{
    sql::ConnectionSettings settings;
    settings.name = name;
    settings.conninfo = conninfo;
    settings.environment = environment;
    settings.readOnly = readOnly;
    settings.unverifiedPassword = unverifiedPassword;
    return settings;
}

SavedConnections::SavedConnections(QSettings *settings, QObject *parent)
    : QObject(parent)
    , m_settings(settings)
{
    load();
}

void SavedConnections::load()
{
    const int size = m_settings->beginReadArray(u"connections"_s);
    for (int i = 0; i < size; ++i) {
        m_settings->setArrayIndex(i);
        SavedConnection connection;
        connection.id = m_settings->value(u"id"_s).toString();
        connection.name = m_settings->value(u"name"_s).toString();
        connection.conninfo = m_settings->value(u"conninfo"_s).toString();
        connection.environment = environmentOf(m_settings->value(u"environment"_s).toString());
        connection.readOnly = m_settings->value(u"readOnly"_s, false).toBool();
        connection.passwordInKeychain = m_settings->value(u"passwordInKeychain"_s, false).toBool();
        connection.unverifiedPassword = m_settings->value(u"unverifiedPassword"_s, false).toBool();
        if (!connection.id.isEmpty() && find(connection.id) == nullptr) {
            m_all.append(connection);
        }
    }
    m_settings->endArray();
}

const SavedConnection *SavedConnections::find(const QString &id) const
{
    const auto it
        = std::find_if(m_all.cbegin(), m_all.cend(), [&id](const SavedConnection &known) { return known.id == id; });
    return it == m_all.cend() ? nullptr : &*it;
}

sql::Result<SavedConnection> SavedConnections::save(SavedConnection connection)
{
    TRY(checkConninfo(connection.conninfo));
    if (connection.id.isEmpty()) {
        connection.id = QUuid::createUuid().toString(QUuid::WithoutBraces);
    }
    if (connection.name.trimmed().isEmpty()) {
        connection.name = conninfoSummary(connection.conninfo);
    }
    const QList<SavedConnection> before = m_all;
    const auto it = std::find_if(
        m_all.begin(), m_all.end(), [&connection](const SavedConnection &known) { return known.id == connection.id; });
    if (it == m_all.end()) {
        m_all.append(connection);
    } else {
        *it = connection;
    }
    if (const auto stored = store(); !stored.ok()) {
        m_all = before;
        return stored.error();
    }
    emit changed();
    return connection;
}

void SavedConnections::remove(const QString &id)
{
    if (m_all.removeIf([&id](const SavedConnection &known) { return known.id == id; }) > 0) {
        const auto stored = store();
        Q_UNUSED(stored) // the list on screen is right either way; a file that cannot be written shows at the next save
        emit changed();
    }
}

QString SavedConnections::lastUsed() const
{
    return m_settings->value(u"connection/lastUsed"_s).toString();
}

void SavedConnections::setLastUsed(const QString &id)
{
    m_settings->setValue(u"connection/lastUsed"_s, id);
}

sql::Result<void> SavedConnections::store()
{
    // Settings write through a link that was put there meanwhile.
    QDir().mkpath(QFileInfo(m_settings->fileName()).absolutePath());
    if (auto ours = claimPrivateFile(m_settings->fileName()); !ours) {
        return ours;
    }
    m_settings->remove(u"connections"_s);
    m_settings->beginWriteArray(u"connections"_s, int(m_all.size()));
    for (int i = 0; i < m_all.size(); ++i) {
        const SavedConnection &connection = m_all.at(i);
        m_settings->setArrayIndex(i);
        m_settings->setValue(u"id"_s, connection.id);
        m_settings->setValue(u"name"_s, connection.name);
        m_settings->setValue(u"conninfo"_s, connection.conninfo);
        m_settings->setValue(u"environment"_s, sql::environmentName(connection.environment));
        m_settings->setValue(u"readOnly"_s, connection.readOnly);
        m_settings->setValue(u"passwordInKeychain"_s, connection.passwordInKeychain);
        m_settings->setValue(u"unverifiedPassword"_s, connection.unverifiedPassword);
    }
    m_settings->endArray();
    m_settings->sync();
    if (m_settings->status() != QSettings::NoError) {
        return sql::makeError(sql::ErrorKind::File, tr("The saved connections could not be written."),
            tr("The settings file %1 cannot be changed.").arg(m_settings->fileName()),
            tr("Check its permissions and the free space."));
    }
    // Host names, user names and databases are nobody else's business.
    return claimPrivateFile(m_settings->fileName());
}

} // namespace idemdesk::models

#include "moc_saved_connections.cpp"
