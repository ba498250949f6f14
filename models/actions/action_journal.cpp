// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/actions/action_journal.h"

#include "models/keys/private_file.h"
#include "sql/types/tr.h"

#include <QDir>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QStandardPaths>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

ActionJournal::ActionJournal(QString path)
    : m_path(std::move(path))
{
    load();
}

void ActionJournal::load()
{
    const auto bytes = readPrivateFile(m_path);
    if (!bytes || !*bytes) {
        return;
    }
    m_entries.clear();
    const QJsonArray written = QJsonDocument::fromJson(**bytes).object().value(u"actions"_s).toArray();
    for (const QJsonValue &value : written) {
        JournalEntry entry;
        entry.id = value[u"id"_s].toString();
        entry.server = value[u"server"_s].toString();
        entry.target = value[u"target"_s].toString();
        entry.verb = sql::verbFromName(value[u"verb"_s].toString()).value_or(sql::ActionVerb::Recover);
        entry.rows = value[u"rows"_s].toInteger();
        entry.asked = QDateTime::fromString(value[u"asked"_s].toString(), Qt::ISODateWithMs);
        if (!entry.id.isEmpty()) {
            m_entries.append(entry);
        }
    }
}

QString ActionJournal::serverOf(const sql::ServerFacts &facts)
{
    return u"%1 on %2:%3 as %4"_s.arg(facts.database, facts.host, facts.port, facts.user);
}

QString ActionJournal::defaultPath()
{
    return QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) + u"/actions.json"_s;
}

sql::Result<void> ActionJournal::add(const JournalEntry &entry)
{
    load();
    m_entries.removeIf([&entry](const JournalEntry &other) { return other.id == entry.id; });
    m_entries.append(entry);
    const auto stored = store();
    if (!stored) {
        m_entries.removeLast();
    }
    return stored;
}

sql::Result<void> ActionJournal::remove(const QString &id)
{
    load();
    return m_entries.removeIf([&id](const JournalEntry &entry) { return entry.id == id; }) > 0 ? store()
                                                                                               : sql::Result<void>();
}

sql::Result<void> ActionJournal::store() const
{
    QJsonArray written;
    for (const JournalEntry &entry : m_entries) {
        written.append(QJsonObject { { u"id"_s, entry.id }, { u"server"_s, entry.server },
            { u"target"_s, entry.target }, { u"verb"_s, sql::verbName(entry.verb) }, { u"rows"_s, entry.rows },
            { u"asked"_s, entry.asked.toString(Qt::ISODateWithMs) } });
    }
    QDir().mkpath(QFileInfo(m_path).absolutePath());
    const auto stored = writePrivateFile(m_path, QJsonDocument(QJsonObject { { u"actions"_s, written } }).toJson());
    if (stored) {
        return {};
    }
    sql::Error error = stored.error();
    error.what = Tr::tr("The journal of actions could not be written, so nothing was sent.");
    error.why = Tr::tr("%1: %2").arg(m_path, error.why);
    error.todo = Tr::tr("Make room, or make the folder writable, and try again.");
    return error;
}

} // namespace idemdesk::models
