// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/actions/registered_profile.h"

#include "sql/actions/compile.h"
#include "sql/profile/profile_json.h"
#include "sql/types/tr.h"

#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

/// What decides which rows an action takes and what becomes of them, without what only samples count.
QJsonObject actedBy(const QByteArray &compiledJson)
{
    QJsonObject compiled = QJsonDocument::fromJson(compiledJson).object();
    compiled.remove(u"samples"_s);
    compiled.remove(u"readable"_s); // by the rights of whoever compiles
    return compiled;
}

} // namespace

bool isShippedProfile(const Profile &profile)
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

Result<void> requireAsProfiled(Session &session, const Target &target, const RegisteredTarget &registered)
{
    TRY(const auto compiled, compileTarget(session, target));
    if (actedBy(compiled.json) == actedBy(registered.compiledJson)) {
        return {};
    }
    return makeError(ErrorKind::Refused,
        Tr::tr("What is registered for %1 is not what its profile says.").arg(registered.name),
        Tr::tr("An action might take other rows than a preview shows."),
        Tr::tr("Have an administrator register the table again."));
}

Result<Profile> registeredProfile(const Session &session, const RegisteredTarget &registered)
{
    TRY(const auto profile, profileFromJson(registered.profileJson, registered.name));
    if (profile.relation != registered.relation) {
        return makeError(ErrorKind::Refused, Tr::tr("The profile %1 was not used.").arg(registered.name),
            Tr::tr("It is about the table %1, but actions would change %2.").arg(profile.relation, registered.relation),
            Tr::tr("Have an administrator register the table again."));
    }
    if (!session.facts().superuser || isShippedProfile(profile)) {
        return profile;
    }
    return makeError(ErrorKind::Refused, Tr::tr("The profile %1 was not used.").arg(registered.name),
        Tr::tr("Whoever registers a table chooses SQL, and as a superuser it could do anything."),
        Tr::tr("Connect with a login of your own that may only read the table."));
}

} // namespace idemdesk::sql
