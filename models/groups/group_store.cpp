// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/groups/group_store.h"

#include "models/connection/connection_fields.h"
#include "models/connection/saved_connections.h"
#include "models/format/display_text.h"
#include "models/groups/group_file.h"
#include "models/keys/private_file.h"

#include <QDir>
#include <QFileInfo>
#include <QSet>
#include <QSettings>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

sql::GroupKind kindNamed(const QString &name)
{
    for (const sql::GroupKind kind : { sql::GroupKind::Shards, sql::GroupKind::Replicas }) {
        if (groupKindName(kind) == name) {
            return kind;
        }
    }
    return sql::GroupKind::Regions;
}

sql::Error notSaved(const QString &why, const QString &todo)
{
    return sql::makeError(sql::ErrorKind::Usage, GroupStore::tr("The group was not saved."), why, todo);
}

sql::Error connectionGone(const QString &label)
{
    return sql::makeError(sql::ErrorKind::Usage, GroupStore::tr("%1 leads nowhere.").arg(displayText(label)),
        GroupStore::tr("Its saved connection was deleted."),
        GroupStore::tr("Edit the group and pick another connection."));
}

} // namespace

QString groupKindName(sql::GroupKind kind)
{
    switch (kind) {
    case sql::GroupKind::Regions:
        return u"regions"_s;
    case sql::GroupKind::Shards:
        return u"shards"_s;
    case sql::GroupKind::Replicas:
        return u"replicas"_s;
    }
    return {};
}

GroupStore::GroupStore(QSettings *settings, SavedConnections *connections, QObject *parent)
    : QObject(parent)
    , m_settings(settings)
    , m_connections(connections)
{
    load();
}

void GroupStore::load()
{
    const int size = m_settings->beginReadArray(u"groups"_s);
    for (int i = 0; i < size; ++i) {
        m_settings->setArrayIndex(i);
        SavedGroup group;
        group.name = m_settings->value(u"name"_s).toString();
        group.kind = kindNamed(m_settings->value(u"kind"_s).toString());
        group.lastUsed = m_settings->value(u"lastUsed"_s).toString();
        const int members = m_settings->beginReadArray(u"members"_s);
        for (int of = 0; of < members; ++of) {
            m_settings->setArrayIndex(of);
            group.members += SavedGroupMember { m_settings->value(u"label"_s).toString(),
                m_settings->value(u"connection"_s).toString(), m_settings->value(u"conninfo"_s).toString() };
        }
        m_settings->endArray();
        if (check(group, {})) { // what somebody wrote by hand is held to the same rules
            m_all += group;
        }
    }
    m_settings->endArray();
}

const SavedGroup *GroupStore::find(const QString &name) const
{
    const auto it
        = std::find_if(m_all.cbegin(), m_all.cend(), [&name](const SavedGroup &group) { return group.name == name; });
    return it == m_all.cend() ? nullptr : &*it;
}

sql::Result<void> GroupStore::check(const SavedGroup &group, const QString &before) const
{
    if (group.name.trimmed().isEmpty()) {
        return notSaved(tr("It has no name."), tr("Give it a name."));
    }
    if (group.name != before && find(group.name) != nullptr) {
        return notSaved(tr("Another group is called %1.").arg(displayText(group.name)), tr("Give it another name."));
    }
    if (group.members.size() < 2) {
        return notSaved(tr("A group has at least two members."), tr("Add a connection."));
    }
    QSet<QString> labels;
    for (const SavedGroupMember &member : group.members) {
        if (member.label.trimmed().isEmpty()) {
            return notSaved(tr("A member has no label."), tr("Give each member a label, such as eu."));
        }
        if (!isMemberLabel(member.label)) {
            return notSaved(tr("%1 is no label.").arg(displayText(member.label)),
                tr("Take at most 60 letters, digits and signs, without commas and blanks around it."));
        }
        if (labels.contains(member.label)) {
            return notSaved(tr("Two members are called %1.").arg(displayText(member.label)),
                tr("Give each member a label of its own."));
        }
        labels += member.label;
        if (member.connectionId.isEmpty()) {
            if (member.conninfo.trimmed().isEmpty()) {
                return notSaved(tr("%1 leads nowhere.").arg(displayText(member.label)), tr("Pick its connection."));
            }
            TRY(checkConninfo(member.conninfo));
        }
    }
    return {};
}

sql::Result<void> GroupStore::save(const SavedGroup &group, const QString &before)
{
    TRY(check(group, before));
    const QList<SavedGroup> all = m_all;
    const auto known = std::find_if(m_all.begin(), m_all.end(),
        [&before](const SavedGroup &other) { return !before.isEmpty() && other.name == before; });
    if (known == m_all.end()) {
        m_all += group;
    } else {
        *known = group;
    }
    if (auto stored = store(); !stored) {
        m_all = all;
        return stored;
    }
    emit changed();
    return {};
}

void GroupStore::remove(const QString &name)
{
    if (m_all.removeIf([&name](const SavedGroup &group) { return group.name == name; }) > 0) {
        const auto stored = store();
        Q_UNUSED(stored) // the list on screen is right either way; a file that cannot be written shows at the next save
        emit changed();
    }
}

void GroupStore::setLastUsed(const QString &name, const QString &label)
{
    const auto known
        = std::find_if(m_all.begin(), m_all.end(), [&name](const SavedGroup &group) { return group.name == name; });
    if (known != m_all.end() && known->lastUsed != label) {
        known->lastUsed = label;
        const auto stored = store();
        Q_UNUSED(stored) // a convenience: opening a group does not fail for it
    }
}

sql::Result<void> GroupStore::store()
{
    // Settings write through a link that was put there meanwhile.
    QDir().mkpath(QFileInfo(m_settings->fileName()).absolutePath());
    TRY(claimPrivateFile(m_settings->fileName()));
    m_settings->remove(u"groups"_s);
    m_settings->beginWriteArray(u"groups"_s, int(m_all.size()));
    for (int i = 0; i < m_all.size(); ++i) {
        const SavedGroup &group = m_all.at(i);
        m_settings->setArrayIndex(i);
        m_settings->setValue(u"name"_s, group.name);
        m_settings->setValue(u"kind"_s, groupKindName(group.kind));
        m_settings->setValue(u"lastUsed"_s, group.lastUsed);
        m_settings->beginWriteArray(u"members"_s, int(group.members.size()));
        for (int of = 0; of < group.members.size(); ++of) {
            m_settings->setArrayIndex(of);
            m_settings->setValue(u"label"_s, group.members.at(of).label);
            m_settings->setValue(u"connection"_s, group.members.at(of).connectionId);
            m_settings->setValue(u"conninfo"_s, group.members.at(of).conninfo);
        }
        m_settings->endArray();
    }
    m_settings->endArray();
    m_settings->sync();
    if (m_settings->status() != QSettings::NoError) {
        return sql::makeError(sql::ErrorKind::File, tr("The groups could not be written."),
            tr("The settings file %1 cannot be changed.").arg(m_settings->fileName()),
            tr("Check its permissions and the free space."));
    }
    return claimPrivateFile(m_settings->fileName());
}

GroupPlaces GroupStore::places(const SavedGroup &group) const
{
    GroupPlaces places { group.name, group.kind, {} };
    for (const SavedGroupMember &member : group.members) {
        GroupPlace place;
        place.label = member.label;
        if (member.connectionId.isEmpty()) {
            place.settings.name = member.label;
            place.settings.conninfo = member.conninfo;
        } else if (const SavedConnection *saved = m_connections->find(member.connectionId)) {
            place.settings = saved->settings();
            place.secretId = saved->passwordInKeychain ? saved->secretId() : QString();
        } else {
            place.missing = connectionGone(member.label);
        }
        places.members += place;
    }
    return places;
}

sql::Result<SavedGroup> GroupStore::read(const QString &path) const
{
    TRY(const auto read, groupFromFile(path));
    SavedGroup group { read.name, read.kind, {}, {} };
    for (const sql::GroupMember &member : read.members) {
        SavedGroupMember saved { member.label, {}, member.conninfo };
        for (const SavedConnection &connection : m_connections->all()) {
            if (connection.conninfo == member.conninfo) {
                saved = { member.label, connection.id, {} };
                break;
            }
        }
        group.members += saved;
    }
    return group;
}

sql::Result<void> GroupStore::write(const SavedGroup &group, const QString &path) const
{
    const GroupPlaces to = places(group);
    for (const GroupPlace &place : to.members) {
        if (place.missing) {
            return sql::failed(tr("The group was not written."), *place.missing);
        }
        TRY(checkConninfo(place.settings.conninfo)); // whatever the settings hold: no password leaves them
    }
    TRY(writePrivateFile(path, groupToJson(to.group())));
    return {};
}

} // namespace idemdesk::models

#include "moc_group_store.cpp"
