// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/group_option.h"

#include "models/groups/group_file.h"
#include "sql/types/tr.h"

using namespace Qt::StringLiterals;

namespace idemdesk::app {

Option groupOption()
{
    return Option::text(u"group"_s, Tr::tr("FILE"),
        Tr::tr("A group of databases: a JSON file with a name, a kind (regions, shards or replicas), and members. Each "
               "member has a label and a conninfo without a password."));
}

sql::Result<sql::ConnectionGroup> groupOf(const Context &context)
{
    if (!context.has(u"group"_s)) {
        return usageError(Tr::tr("The option --group is missing."), Tr::tr("Name the file of a group of databases."));
    }
    return models::groupFromFile(context.value(u"group"_s));
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
