// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/group_option.h"

#include "models/connection/saved_connections.h"
#include "models/format/display_text.h"
#include "models/groups/group_file.h"
#include "models/groups/group_store.h"
#include "sql/types/tr.h"

#include <QFileInfo>
#include <QSettings>
#include <QStandardPaths>

using namespace Qt::StringLiterals;

namespace idemdesk::app {

Option groupOption()
{
    return Option::text(u"group"_s, Tr::tr("FILE|NAME"),
        Tr::tr("A group of databases: a JSON file with a name, a kind (regions, shards or replicas), and members. Each "
               "member has a label and a conninfo without a password. Or the name of a group that was saved in the "
               "window; where a file has that name, the file counts."));
}

namespace {

/// Of the settings that the window keeps; they are read, never written.
sql::Result<sql::ConnectionGroup> savedGroup(const QString &name)
{
    QSettings store(
        QStandardPaths::writableLocation(QStandardPaths::AppConfigLocation) + u"/idemdesk.ini"_s, QSettings::IniFormat);
    models::SavedConnections connections(&store);
    const models::GroupStore groups(&store, &connections);
    const models::SavedGroup *saved = groups.find(name);
    if (saved == nullptr) {
        return usageError(Tr::tr("There is no file and no saved group called %1.").arg(models::displayText(name)),
            Tr::tr("Name a group file, or a group that was saved in the window."));
    }
    const models::GroupPlaces places = groups.places(*saved);
    for (const models::GroupPlace &place : places.members) {
        if (place.missing) {
            return *place.missing;
        }
    }
    return places.group();
}

} // namespace

sql::Result<sql::ConnectionGroup> groupOf(const Context &context)
{
    if (!context.has(u"group"_s)) {
        return usageError(Tr::tr("The option --group is missing."),
            Tr::tr("Name the file of a group of databases, or a saved group."));
    }
    const QString named = context.value(u"group"_s);
    // What stands in the folder at hand is what the person sees: it comes first.
    return QFileInfo(named).isFile() ? models::groupFromFile(named) : savedGroup(named);
}

sql::ConnectionSettings memberSettings(const Context &context, const sql::GroupMember &member)
{
    sql::ConnectionSettings settings;
    settings.name = member.label;
    settings.conninfo = member.conninfo;
    settings.unverifiedPassword = context.has(u"unverified-password"_s);
    return settings;
}

} // namespace idemdesk::app
