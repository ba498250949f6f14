// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/opened_target.h"

#include "models/filter/filter_parser.h"
#include "models/keys/gone_keys.h"
#include "sql/actions/compile.h"
#include "sql/actions/registered_profile.h"
#include "sql/actions/registration.h"
#include "sql/audit/audit_gateway.h"
#include "sql/keys/detail_reader.h"
#include "sql/profile/binder.h"
#include "sql/profile/history_profile.h"
#include "sql/profile/profile_json.h"
#include "sql/types/tr.h"

#include <QFileInfo>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::app {

namespace {

sql::Error notRegistered(const QString &name)
{
    return sql::makeError(sql::ErrorKind::Refused,
        Tr::tr("“%1” is not registered in this database, so no action can run on it.").arg(name),
        Tr::tr("Actions run only through the console's own functions, which know registered targets alone."),
        Tr::tr("An idemdesk_admin registers it with “idemdeskctl targets add”."));
}

/// "a=1,b:null" by name; a comma in a value is written twice. names: those that there are; nothing: any.
sql::Result<void> readParts(QString text, const QString &option, const std::optional<QStringList> &names,
    QMap<QString, std::optional<QString>> *parts)
{
    const QString comma(QChar(1));
    const QStringList written = text.replace(u",,"_s, comma).split(u',', Qt::SkipEmptyParts);
    for (QString part : written) {
        part.replace(comma, u","_s);
        const qsizetype equals = part.indexOf(u'=');
        const bool null = equals < 0 && part.endsWith(u":null");
        const QString name = part.left(null ? part.size() - 5 : std::max<qsizetype>(0, equals));
        if (names ? !names->contains(name) : name.isEmpty()) {
            return usageError(Tr::tr("“%1” is not something that %2 can name.").arg(part, option),
                !names ? Tr::tr("Write LABEL=VALUE or LABEL:null.")
                    : names->isEmpty()
                    ? QString()
                    : Tr::tr("Write NAME=VALUE or NAME:null; the names here are: %1.").arg(names->join(u", "_s)));
        }
        parts->insert(name, null ? std::optional<QString>() : std::optional(part.mid(equals + 1)));
    }
    return {};
}

/// The error of a target that nobody knows, with the registered one that was likely meant.
sql::Error withNearest(sql::Error error, const QString &name, const QList<sql::RegisteredTarget> &registered)
{
    QStringList known;
    for (const sql::RegisteredTarget &target : registered) {
        known << target.name << target.relation;
    }
    const QString near = error.kind == sql::ErrorKind::Usage ? didYouMean(name, known) : QString();
    if (!near.isEmpty()) {
        error.todo = near;
    }
    return error;
}

sql::Result<sql::Profile> archiveOf(const sql::Profile &profile)
{
    const auto archive = sql::historyProfile(profile);
    return archive ? sql::Result<sql::Profile>(*archive)
                   : usageError(Tr::tr("The profile of “%1” names no archive.").arg(profile.name),
                       Tr::tr("Add “history” to it, if rows are moved before they are deleted."));
}

/// An archive is opened by the name of its table, unless a file or a target has that name. Empty where none is meant.
QString tableOfArchive(const QString &named, const QList<sql::RegisteredTarget> &registered)
{
    const bool own = QFileInfo::exists(named)
        || std::any_of(registered.cbegin(), registered.cend(),
            [&named](const sql::RegisteredTarget &target) { return target.name == named; });
    return own ? QString() : sql::nameBeforeHistory(named);
}

/// Those that are registered. Whoever may not see them may read by a shipped profile or a file all the same.
sql::Result<QList<sql::RegisteredTarget>> registeredIn(
    sql::Session &session, const QString &name, bool mustBeRegistered)
{
    auto registered = sql::readRegisteredTargets(session);
    if (!registered && !mustBeRegistered && registered.error().kind == sql::ErrorKind::Privilege
        && (sql::shippedProfile(name) || QFileInfo::exists(name))) {
        return QList<sql::RegisteredTarget>();
    }
    return registered;
}

} // namespace

sql::Result<std::optional<sql::RegisteredTarget>> registeredNamed(
    const QList<sql::RegisteredTarget> &targets, const QString &name)
{
    const auto byName = std::find_if(
        targets.cbegin(), targets.cend(), [&name](const sql::RegisteredTarget &target) { return target.name == name; });
    if (byName != targets.cend()) {
        return std::optional(*byName);
    }
    QList<sql::RegisteredTarget> meant;
    for (const sql::RegisteredTarget &target : targets) {
        const auto profile = sql::profileFromJson(target.profileJson, target.name);
        if (isRelation(target.relation, name)
            || (profile && profile->title.compare(name, Qt::CaseInsensitive) == 0 && !name.isEmpty())) {
            meant += target;
        }
    }
    if (meant.size() > 1) {
        QStringList names;
        for (const sql::RegisteredTarget &target : std::as_const(meant)) {
            names += target.name;
        }
        return usageError(
            Tr::tr("“%1” means several targets.").arg(name), Tr::tr("Name one of them: %1.").arg(names.join(u", "_s)));
    }
    return meant.isEmpty() ? std::optional<sql::RegisteredTarget>() : std::optional(meant.constFirst());
}

sql::Result<QString> targetOfTrail(const Context &context, sql::Session &session)
{
    const QString name = context.value(u"target"_s);
    if (name.isEmpty()) {
        return name;
    }
    TRY(const auto registered, sql::readRegisteredTargets(session));
    QStringList names;
    QStringList beginning;
    for (const sql::RegisteredTarget &target : registered) {
        names += target.name;
        beginning += target.name.startsWith(name) ? QStringList { target.name } : QStringList();
    }
    if (names.contains(name)) {
        return name;
    }
    sql::AuditFilter filter;
    filter.target = name;
    filter.limit = 1;
    TRY(const auto trail, sql::readAudit(session, filter));
    if (!trail.isEmpty()) {
        return name;
    }
    TRY(const auto found, registeredNamed(registered, name));
    if (found || beginning.size() == 1) {
        return found ? found->name : beginning.constFirst();
    }
    if (beginning.size() > 1) {
        return usageError(Tr::tr("“%1” means several targets.").arg(name),
            Tr::tr("Name one of them: %1.").arg(beginning.join(u", "_s)));
    }
    const sql::Error unknown
        = usageError(Tr::tr("No target “%1” is registered, and the audit log knows none.").arg(name),
            Tr::tr("“idemdeskctl targets” lists those that are."));
    return withNearest(unknown, name, registered);
}

void warnOfProblems(const QList<sql::Finding> &findings)
{
    for (const sql::Finding &finding : findings) {
        if (finding.severity == sql::Finding::Severity::Problem) {
            note(Tr::tr("Warning: %1: %2").arg(finding.jsonPath, finding.text));
        }
    }
}

sql::Result<OpenedTarget> openTarget(const Context &context, bool mustBeRegistered)
{
    const QString named = context.target();
    if (named.isEmpty()) {
        return context.profile().error();
    }
    auto session = context.connect();
    if (!session && (session.error().kind == sql::ErrorKind::Refused || !context.member().isEmpty())) {
        return session.error(); // the server was reached, or other members of the group may know the name
    }
    if (!session) {
        // A name that is neither shipped nor a file is the likelier mistake.
        const bool file = !sql::shippedProfile(named) && QFileInfo::exists(named);
        const auto known = file ? sql::Result<sql::Profile>(sql::Profile()) : context.profile();
        return known ? session.error() : known.error();
    }
    auto opened = targetIn(context, **session, mustBeRegistered);
    if (opened) {
        warnOfProblems(opened->target.findings);
        opened->session = std::move(*session);
    }
    return opened;
}

sql::Result<OpenedTarget> targetIn(const Context &context, sql::Session &session, bool mustBeRegistered)
{
    const QString named = context.target();
    OpenedTarget opened;
    TRY(const auto registered, registeredIn(session, named, mustBeRegistered));
    const QString live = tableOfArchive(named, registered);
    const QString name = live.isEmpty() ? named : live;
    if (!live.isEmpty() && mustBeRegistered) {
        return usageError(Tr::tr("“%1” is an archive, which the console only reads.").arg(named),
            Tr::tr("Name its table: %1.").arg(live));
    }
    TRY(const auto found, registeredNamed(registered, name));
    // Bound to another table it is not the target that was registered.
    if (found && !context.has(u"relation"_s)) {
        opened.registered = *found;
    } else if (mustBeRegistered) {
        // A name that is neither shipped nor a file is the likelier mistake.
        const bool file = !sql::shippedProfile(name) && QFileInfo::exists(name);
        const auto known = file ? sql::Result<sql::Profile>(sql::Profile()) : context.profileNamed(name);
        return known || known.error().kind != sql::ErrorKind::Usage ? notRegistered(name)
                                                                    : withNearest(known.error(), name, registered);
    }
    auto profile = opened.registered ? sql::registeredProfile(session, *opened.registered)
        : live.isEmpty()             ? context.profile()
                                     : context.profileNamed(live);
    if (!profile) {
        return withNearest(profile.error(), name, registered);
    }
    if (!live.isEmpty()) {
        TRY(profile, archiveOf(*profile));
        opened.registered.reset(); // nothing acts on it
    }
    if (!opened.registered) {
        TRY(context.checkSession(session));
    }
    TRY(opened.target, live.isEmpty() ? sql::bindTarget(session, *profile) : sql::bindArchive(session, *profile));
    opened.target.registered = opened.registered.has_value();
    if (opened.registered) {
        TRY(opened.compiled, sql::compiledFromJson(opened.registered->compiledJson));
        if (mustBeRegistered) { // something acts on it
            TRY(sql::requireAsProfiled(session, opened.target, *opened.registered));
        }
    }
    return opened;
}

sql::Result<sql::Filter> filterOf(const Context &context, const sql::Target &target)
{
    return models::parseFilter(context.value(u"filter"_s), models::vocabularyOf(target.profile));
}

Option scopeOption()
{
    return Option::text(u"scope"_s, Tr::tr("LABEL=VALUE,…"),
        Tr::tr("The key's scope, part by part; parts left out match any. A part that is NULL is written LABEL:null."));
}

sql::Result<WantedScope> wantedScope(const Context &context)
{
    WantedScope scope;
    TRY(readParts(context.value(u"scope"_s), u"--scope"_s, std::nullopt, &scope));
    return scope;
}

QList<Option> rowOptions()
{
    return {
        scopeOption(),
        Option::text(u"identity"_s, Tr::tr("COLUMN=VALUE,…"),
            Tr::tr(
                "One row of several with this key, by its identity columns. One that is NULL is written COLUMN:null.")),
    };
}

sql::Result<RowChoice> rowChoice(const Context &context, const sql::Target &target)
{
    QStringList labels;
    for (const auto &part : target.profile.scope) {
        labels += part.label;
    }
    RowChoice choice;
    TRY(readParts(context.value(u"scope"_s), u"--scope"_s, labels, &choice.scope));
    if (const auto read
        = readParts(context.value(u"identity"_s), u"--identity"_s, target.profile.identity, &choice.identity);
        !read) {
        return read.error();
    }
    return choice;
}

sql::Result<QList<sql::KeyRecord>> rowsOf(
    sql::Session &session, const sql::Target &target, const QString &key, const RowChoice &choice)
{
    QMap<QString, QString> scope;
    for (auto part = choice.scope.cbegin(); part != choice.scope.cend(); ++part) {
        if (part->has_value()) {
            scope.insert(part.key(), **part);
        }
    }
    auto found = sql::rowsWithKey(session, target, key, scope);
    if (!found) {
        return found;
    }
    QList<sql::KeyRecord> rows = *found;
    rows.removeIf([&](const sql::KeyRecord &record) {
        bool other = false;
        for (qsizetype i = 0; i < target.profile.scope.size(); ++i) {
            const auto wanted = choice.scope.constFind(target.profile.scope.at(i).label);
            other = other || (wanted != choice.scope.cend() && !wanted->has_value() && !record.scope.value(i).null);
        }
        for (qsizetype i = 0; i < target.profile.identity.size(); ++i) {
            const auto wanted = choice.identity.constFind(target.profile.identity.at(i));
            const sql::Cell &cell = record.identity.at(i);
            other = other
                || (wanted != choice.identity.cend()
                    && (wanted->has_value() ? cell.null || cell.text != **wanted : !cell.null));
        }
        return other;
    });
    return rows;
}

sql::Error noKeyIn(const OpenedTarget &opened, const QString &key, const RowChoice &choice)
{
    const sql::Target &target = opened.target;
    const auto gone = opened.registered
        ? models::readGoneKeys(*opened.session, target, opened.registered->name, key, choice.scope)
        : sql::Result<QList<models::GoneKey>>(QList<models::GoneKey>());
    const QStringList became = models::goneSentences(gone);
    return sql::makeError(sql::ErrorKind::Other,
        target.profile.scope.isEmpty()
            ? Tr::tr("There is no key “%1” in %2.").arg(key, target.profile.relation)
            : Tr::tr("There is no key “%1” in %2, or none in this scope.").arg(key, target.profile.relation),
        became.join(u' '),
        target.profile.history
            ? Tr::tr("It may have been moved: look with --target %1.").arg(sql::historyName(target.profile.name))
            : !became.isEmpty()
            ? QString()
            : Tr::tr("It may have been purged. “keys --filter key:START*” searches by its beginning."));
}

Exit failFilter(const Context &context, const sql::Error &error)
{
    const Exit exit = fail(error);
    if (error.position >= 0) {
        note(u"  "_s + context.value(u"filter"_s));
        note(u"  "_s + QString(error.position, u' ') + QString(std::max(1, error.length), u'^'));
        return Exit::Usage;
    }
    return exit;
}

} // namespace idemdesk::app
