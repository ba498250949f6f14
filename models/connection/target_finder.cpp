// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/connection/target_finder.h"

#include "models/format/display_text.h"
#include "sql/actions/compile.h"
#include "sql/actions/registered_profile.h"
#include "sql/actions/registration.h"
#include "sql/profile/binder.h"
#include "sql/profile/catalogue.h"
#include "sql/profile/history_profile.h"
#include "sql/profile/profile_json.h"
#include "sql/types/tr.h"

#include <QDir>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

bool endsSearch(const sql::Error &error)
{
    return error.kind == sql::ErrorKind::ConnectionLost || error.kind == sql::ErrorKind::Cancelled
        || error.kind == sql::ErrorKind::Timeout;
}

/// Fewer findings that matter first, then more roles filled.
bool fitsBetter(const sql::Target &a, const sql::Target &b)
{
    const auto troubles = [](const sql::Target &target) {
        return std::count_if(target.findings.cbegin(), target.findings.cend(),
            [](const sql::Finding &finding) { return finding.severity != sql::Finding::Severity::Note; });
    };
    const auto first = troubles(a);
    const auto second = troubles(b);
    return first != second ? first < second : a.profile.roles.size() > b.profile.roles.size();
}

bool namesAnother(const QList<TargetEntry> &kept, const TargetEntry &entry)
{
    return std::any_of(kept.cbegin(), kept.cend(),
        [&entry](const TargetEntry &other) { return other.target.profile.name == entry.target.profile.name; });
}

/// Everything finds a table by its profile's name.
sql::Error nameTaken(const QString &profileName)
{
    return sql::makeError(sql::ErrorKind::Refused,
        Tr::tr("Your profile %1 was not used.").arg(displayText(profileName)),
        Tr::tr("Another table of this database has that name."),
        Tr::tr("Give the profile another name, in its file too."));
}

class Finder
{
public:
    explicit Finder(sql::Session &session)
        : m_session(session)
    {
    }

    /// Those whose tables are there: most databases have one or two of them, and each of the others would be a round
    /// trip.
    sql::Result<void> tryShipped()
    {
        QStringList relations;
        for (const sql::Profile &profile : sql::offeredProfiles()) {
            relations += profile.relation;
        }
        const auto there = sql::namesOfRelations(m_session, relations);
        if (!there.ok() && endsSearch(there.error())) {
            return there.error();
        }
        if (!there.ok()) {
            problem({}, {}, there.error()); // what the server could not look up may well be there
            return {};
        }
        for (const sql::Profile &profile : sql::offeredProfiles()) {
            if (there->contains(profile.relation)) {
                TRY(tryProfile(profile, TargetSource::Shipped, {}));
            }
        }
        return {};
    }

    sql::Result<void> tryProfile(const sql::Profile &profile, TargetSource source, const QString &file)
    {
        auto bound = sql::bindTarget(m_session, profile);
        if (!bound.ok()) {
            if (endsSearch(bound.error())) {
                return bound.error();
            }
            m_found.problems.append({ profile.name, file, bound.error() });
            return {};
        }
        bound->confirmed = true;
        m_found.targets.append({ std::move(*bound), source, file, {}, {} });
        return {};
    }

    /// What an administrator registered in this database; it was vetted there.
    sql::Result<void> tryRegistered(const sql::RegisteredTarget &registered)
    {
        const auto profile = sql::registeredProfile(m_session, registered);
        if (!profile.ok()) {
            m_found.problems.append({ registered.name, {}, profile.error() });
            return {};
        }
        const auto compiled = sql::compiledFromJson(registered.compiledJson);
        auto bound = sql::bindTarget(m_session, *profile);
        if (!bound.ok() || !compiled.ok()) {
            const sql::Error &error = bound.ok() ? compiled.error() : bound.error();
            if (endsSearch(error)) {
                return error;
            }
            m_found.problems.append({ registered.name, {}, error });
            return {};
        }
        bound->confirmed = true;
        bound->registered = true;
        m_found.targets.append({ std::move(*bound), TargetSource::Registered, {}, registered, *compiled });
        return {};
    }

    void problem(const QString &name, const QString &file, const sql::Error &error)
    {
        m_found.problems.append({ name, file, error });
    }

    /// The archives of what was found. One that cannot be read is a problem: a key may be there.
    sql::Result<void> tryArchives()
    {
        for (const TargetEntry &entry : std::as_const(m_found.targets)) {
            const auto profile = sql::historyProfile(entry.target.profile);
            if (!profile) {
                continue;
            }
            auto bound = sql::bindArchive(m_session, *profile);
            if (!bound.ok()) {
                if (endsSearch(bound.error())) {
                    return bound.error();
                }
                m_found.problems.append({ profile->name, entry.file, bound.error() });
                continue;
            }
            m_found.archives.append({ std::move(*bound), entry.source, entry.file, {}, {} });
        }
        return {};
    }

    void keepOnePerTable()
    {
        QList<TargetEntry> kept;
        for (const TargetEntry &entry : std::as_const(m_found.targets)) {
            const auto same = std::find_if(kept.begin(), kept.end(), [&entry](const TargetEntry &other) {
                // What two profiles of the person's own say of one table, both are meant to say.
                return other.source != TargetSource::Saved && other.target.relation.oid == entry.target.relation.oid;
            });
            // A table is there once, else its keys count twice: as it was registered, else by the person's own profile,
            // else by the shipped one that fits best.
            if (same != kept.end()) {
                const bool registered = same->source == TargetSource::Registered;
                if (!registered && (entry.source == TargetSource::Saved || fitsBetter(entry.target, same->target))) {
                    *same = entry;
                }
            } else if (entry.source == TargetSource::Saved && namesAnother(kept, entry)) {
                m_found.problems.append(
                    { entry.target.profile.name, entry.file, nameTaken(entry.target.profile.name) });
            } else {
                kept.append(entry);
            }
        }
        m_found.targets = kept;
        // A shipped profile that fails on a table another one fits is no news.
        m_found.problems.removeIf([&kept](const TargetProblem &problem) {
            const auto profile = problem.file.isEmpty() ? sql::shippedProfile(problem.profileName) : std::nullopt;
            return profile && std::any_of(kept.cbegin(), kept.cend(), [&profile](const TargetEntry &entry) {
                return entry.target.profile.relation == profile->relation;
            });
        });
    }

    FoundTargets take() { return std::move(m_found); }

private:
    sql::Session &m_session;
    FoundTargets m_found;
};

} // namespace

sql::Error superuserRefusal(const QString &profileName)
{
    return sql::makeError(sql::ErrorKind::Refused, Tr::tr("The profile %1 was not used.").arg(displayText(profileName)),
        Tr::tr("A profile that is not registered does not run as a superuser: its SQL could do anything."),
        Tr::tr("Connect as a role that may only read."));
}

sql::Result<FoundTargets> findTargets(sql::Session &session, const QString &profileFolder)
{
    Finder finder(session);
    auto registered = sql::readRegisteredTargets(session);
    if (!registered.ok() && registered.error().kind != sql::ErrorKind::Privilege) {
        return registered.error();
    }
    if (!registered.ok()) {
        finder.problem({}, {}, registered.error()); // the shipped profiles need no console schema
        registered = QList<sql::RegisteredTarget>();
    }
    for (const sql::RegisteredTarget &target : *registered) {
        TRY(finder.tryRegistered(target));
    }
    TRY(finder.tryShipped());
    const QDir folder(profileFolder);
    const QStringList files = profileFolder.isEmpty()
        ? QStringList()
        : folder.entryList({ u"*.json"_s }, QDir::Files | QDir::Readable, QDir::Name);
    for (const QString &name : files) {
        const QString path = folder.filePath(name);
        const auto profile = sql::profileFromFile(path);
        if (!profile.ok()) {
            finder.problem(name, path, profile.error());
            continue;
        }
        if (session.facts().superuser) {
            finder.problem(profile->name, path, superuserRefusal(profile->name));
            continue;
        }
        TRY(finder.tryProfile(*profile, TargetSource::Saved, path));
    }
    finder.keepOnePerTable();
    TRY(finder.tryArchives());
    return finder.take();
}

} // namespace idemdesk::models
