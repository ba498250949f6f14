// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/opened_target.h"

#include "models/filter/filter_parser.h"
#include "sql/actions/compile.h"
#include "sql/actions/registration.h"
#include "sql/profile/binder.h"
#include "sql/profile/profile_json.h"
#include "sql/types/tr.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::app {

namespace {

sql::Error notRegistered(const QString &name)
{
    sql::Error error;
    error.kind = sql::ErrorKind::Refused;
    error.what = Tr::tr("“%1” is not registered in this database, so no action can run on it.").arg(name);
    error.why = Tr::tr("Actions run only through the console's own functions, which know registered targets alone.");
    error.todo = Tr::tr("An idemdesk_admin registers it with “idemdeskctl targets add”.");
    return error;
}

} // namespace

sql::Result<OpenedTarget> openTarget(const Context &context, bool mustBeRegistered)
{
    if (!context.has(u"target"_s)) {
        return context.profile().error();
    }
    const QString name = context.value(u"target"_s);
    auto session = context.connect();
    if (!session) {
        // A name that is neither shipped nor a file is the likelier mistake.
        const auto known = Context::profileNamed(name);
        return known ? session.error() : known.error();
    }
    OpenedTarget opened;
    auto registered = sql::readRegisteredTargets(**session);
    if (!registered) {
        // Whoever may not see what is registered may read by a shipped profile or a file all the same.
        if (mustBeRegistered || registered.error().kind != sql::ErrorKind::Privilege || !Context::profileNamed(name)) {
            return registered.error();
        }
        registered = QList<sql::RegisteredTarget>();
    }
    const auto found = std::find_if(
        registered->cbegin(), registered->cend(), [&name](const sql::RegisteredTarget &target) { return target.name == name; });
    // Bound to another table it is not the target that was registered.
    if (found != registered->cend() && !context.has(u"relation"_s)) {
        opened.registered = *found;
    } else if (mustBeRegistered) {
        return notRegistered(name);
    }
    const auto profile = opened.registered ? sql::profileFromJson(opened.registered->profileJson, name) : context.profile();
    if (!profile) {
        return profile.error();
    }
    auto target = sql::bindTarget(**session, *profile);
    if (!target) {
        return target.error();
    }
    opened.target = std::move(*target);
    opened.target.registered = opened.registered.has_value();
    if (opened.registered) {
        const auto compiled = sql::compiledFromJson(opened.registered->compiledJson);
        if (!compiled) {
            return compiled.error();
        }
        opened.compiled = *compiled;
    }
    opened.session = std::move(*session);
    return opened;
}

sql::Result<sql::Filter> filterOf(const Context &context, const sql::Target &target)
{
    models::FilterVocabulary vocabulary;
    for (const auto &part : target.profile.scope) {
        vocabulary.scopeLabels += part.label;
    }
    return models::parseFilter(context.value(u"filter"_s), vocabulary);
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
