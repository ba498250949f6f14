// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/keys/gone_keys.h"

#include "models/actions/action_words.h"
#include "models/format/display_text.h"
#include "models/format/time_format.h"
#include "models/triage/frozen_set.h"
#include "sql/actions/purge_stay.h"
#include "sql/types/tr.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

using WantedScope = QMap<QString, std::optional<QString>>;

constexpr int kPurges = 50;
constexpr int kScopes = 200;
constexpr int kKey = -1;
constexpr qsizetype kShownChars = 200;

/// For each column of the identity the part of the scope that it is, or kKey; empty where a column is neither.
QList<int> partsOfIdentity(const sql::Profile &profile)
{
    QList<int> parts;
    for (const QString &column : profile.identity) {
        const auto part = std::find_if(profile.scope.cbegin(), profile.scope.cend(),
            [&column](const sql::LabelledExpression &one) { return one.value.column == column; });
        if (profile.key.column != column && part == profile.scope.cend()) {
            return {};
        }
        parts += profile.key.column == column ? kKey : int(part - profile.scope.cbegin());
    }
    return parts;
}

bool fits(const sql::Profile &profile, const sql::Cells &scope, const WantedScope &wanted)
{
    if (scope.size() != profile.scope.size()) { // of an older profile
        return false;
    }
    for (qsizetype i = 0; i < scope.size(); ++i) {
        const auto part = wanted.constFind(profile.scope.at(i).label);
        if (part != wanted.cend()
            && (part->has_value() ? scope.at(i).null || scope.at(i).text != **part : !scope.at(i).null)) {
            return false;
        }
    }
    return true;
}

/// The scope that is named as a whole, and those that purges took rows of.
sql::Result<QList<sql::Cells>> scopesOf(
    sql::Session &session, const sql::Profile &profile, const QString &name, const WantedScope &wanted)
{
    QList<sql::Cells> scopes;
    sql::Cells named;
    for (const sql::LabelledExpression &part : profile.scope) {
        const auto given = wanted.constFind(part.label);
        if (given == wanted.cend()) {
            break;
        }
        named += given->has_value() ? sql::Cell::of(**given) : sql::Cell();
    }
    if (named.size() == profile.scope.size()) {
        return QList<sql::Cells> { named };
    }
    sql::ActionFilter filter;
    filter.target = name;
    filter.verb = sql::ActionVerb::Purge;
    filter.limit = kPurges;
    TRY(const auto purges, sql::readActions(session, filter));
    QStringList ids;
    for (const sql::ActionRecord &purge : purges) {
        ids += purge.id;
    }
    TRY(scopes,
        ids.isEmpty() ? sql::Result<QList<sql::Cells>>(scopes) : sql::readScopesOfPurges(session, ids, kScopes));
    scopes.removeIf([&](const sql::Cells &scope) { return !fits(profile, scope, wanted); });
    return scopes;
}

} // namespace

sql::Result<QList<GoneKey>> readGoneKeys(sql::Session &session, const sql::Target &target,
    const QString &registeredName, const QString &key, const WantedScope &scope)
{
    const QList<int> parts = partsOfIdentity(target.profile);
    if (parts.isEmpty() || registeredName.isEmpty()) {
        return QList<GoneKey>();
    }
    const bool keyAlone = std::all_of(parts.cbegin(), parts.cend(), [](int part) { return part == kKey; });
    TRY(const auto scopes,
        keyAlone ? sql::Result<QList<sql::Cells>>(QList<sql::Cells> { sql::Cells(target.profile.scope.size()) })
                 : scopesOf(session, target.profile, registeredName, scope));
    QList<sql::Cells> identities;
    for (const sql::Cells &one : scopes) {
        sql::Cells identity;
        for (const int part : parts) {
            identity += part == kKey ? sql::Cell::of(key) : one.value(part);
        }
        identities += identity;
    }
    QList<GoneKey> gone;
    if (identities.isEmpty()) {
        return gone;
    }
    TRY(const auto touches, sql::readTouchesOfRows(session, registeredName, identities));
    for (auto row = touches.cbegin(); row != touches.cend(); ++row) {
        gone += GoneKey { keyAlone ? sql::Cells() : scopes.value(row.key()), row.value() };
    }
    return gone;
}

QStringList goneSentences(const sql::Result<QList<GoneKey>> &keys)
{
    if (!keys) {
        return { Tr::tr("Whether it was purged could not be looked up: %1").arg(keys.error().line()) };
    }
    QStringList sentences;
    for (const GoneKey &one : *keys) {
        const sql::KeyTouch &touch = one.touches.constFirst();
        const QString scope
            = one.scope.isEmpty() ? QString() : displayText(scopeText(one.scope), kShownChars) + u": "_s;
        const QString done = touch.verb == sql::ActionVerb::Purge
            ? outcomeLabel(touch.outcome)
            : Tr::tr("%1: %2", "action, outcome").arg(verbLabel(touch.verb), outcomeLabel(touch.outcome));
        const QString what = touch.undoneBy.isEmpty() ? done : Tr::tr("%1, undone since,").arg(done);
        const QString why = touch.reason.isEmpty()
            ? QString()
            : u' ' + Tr::tr("Reason: %1.").arg(displayText(touch.reason, kShownChars));
        sentences += Tr::tr("%1%2 by %3 on %4, in action %5.")
                         .arg(scope, what, displayText(touch.who, kShownChars), TimeFormat::named().text(touch.at),
                             touch.action)
            + why;
    }
    return sentences;
}

} // namespace idemdesk::models
