// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/actions/registered_profile.h"

#include "sql/profile/profile_json.h"
#include "sql/profile/relation_name.h"
#include "sql/types/statement.h"
#include "sql/types/tr.h"

#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

/// The server saw to it that what was registered is a table; the profile's own text might name a view beside it.
bool namesItsTable(const Profile &profile, const RegisteredTarget &registered)
{
    const auto named = parseRelationName(profile.relation);
    const QString table = QJsonDocument::fromJson(registered.compiledJson).object().value(u"relation"_s).toString();
    return named && table == quoteIdentifier(named->schema) + u'.' + quoteIdentifier(named->name);
}

/// Beside its name, its title, the table that it is bound to, and its links, which run nothing.
bool isShipped(const Profile &profile)
{
    const QByteArray text = profileToJson(profile);
    const QList<Profile> &shipped = offeredProfiles();
    return std::any_of(shipped.cbegin(), shipped.cend(), [&profile, &text](Profile one) {
        one.name = profile.name;
        one.title = profile.title;
        one.relation = profile.relation;
        one.links = profile.links;
        return profileToJson(one) == text;
    });
}

} // namespace

Result<Profile> registeredProfile(const Session &session, const RegisteredTarget &registered)
{
    TRY(const auto profile, profileFromJson(registered.profileJson, registered.name));
    if (!session.facts().superuser || (isShipped(profile) && namesItsTable(profile, registered))) {
        return profile;
    }
    return makeError(ErrorKind::Refused, Tr::tr("The profile %1 was not used.").arg(registered.name),
        Tr::tr("Whoever registers a table chooses SQL, and as a superuser it could do anything."),
        Tr::tr("Connect with a login of your own that may only read the table."));
}

} // namespace idemdesk::sql
