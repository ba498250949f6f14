// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/regions/row_hash.h"

#include "sql/keys/scope_parts.h"

#include <algorithm>
#include <iterator>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

constexpr int kKeySeed = 1;
constexpr int kFirstRoleSeed = 2;
constexpr int kFirstScopeSeed = 16; // behind the roles'
constexpr qsizetype kMostLabels = 16; // of an enum that are compared one by one

constexpr QStringView kNothing = u"0::pg_catalog.int8";

constexpr Role kComparedRoles[] { Role::Status, Role::Fingerprint, Role::ErrorCode, Role::ResultType, Role::ResultId,
    Role::ResponseCode, Role::ResponseBody };
constexpr Role kResultRoles[] { Role::ResultType, Role::ResultId, Role::ResponseCode, Role::ResponseBody };

/// As text, by code points: the same on every server.
QString asText(const QString &sql)
{
    return u"("_s + sql + u")::pg_catalog.text COLLATE pg_catalog.\"C\""_s;
}

/// NULL for NULL.
QString textHash(const QString &sql, int seed)
{
    return u"pg_catalog.hashtextextended("_s + asText(sql) + u", "_s + QString::number(seed) + u')';
}

/// The hash of the text of an enum: to write that costs more than all else of a row, so the labels' hashes are
/// constants. One that was added since has no constant.
QString enumHash(Render &render, const QString &sql, const ExpressionType &type, int seed)
{
    QString out = u"CASE ("_s + sql + u')';
    for (const QString &label : type.enumLabels) {
        out += u" WHEN "_s + render.bind(label, type.castType) + u" THEN "_s + textHash(render.bindText(label), seed);
    }
    return out + u" ELSE "_s + textHash(sql, seed) + u" END"_s;
}

QString valueHash(Render &render, const QString &sql, const ExpressionType &type, int seed, bool byType)
{
    const bool labelled = !type.enumLabels.isEmpty() && type.enumLabels.size() <= kMostLabels;
    if (labelled && !type.castType.isEmpty()) {
        return enumHash(render, sql, type, seed);
    }
    const QString end = u", "_s + QString::number(seed) + u')';
    if (byType && type.typeName == u"uuid") {
        return u"pg_catalog.uuid_hash_extended("_s + sql + end;
    }
    if (byType && QStringList { u"int2"_s, u"int4"_s, u"int8"_s }.contains(type.typeName)) {
        return u"pg_catalog.hashint8extended(("_s + sql + u")::pg_catalog.int8"_s + end;
    }
    return textHash(sql, seed);
}

QString seeded(const QString &hash, int seed)
{
    return u"COALESCE("_s + hash + u", "_s + QString::number(seed) + u')';
}

/// A row's answer counts as its result where it names neither type nor id: that may be large.
QString bodySql(const Target &target)
{
    const QString body = asText(target.profile.roles.value(Role::ResponseBody).sql);
    QStringList unnamed;
    for (const Role role : { Role::ResultType, Role::ResultId }) {
        if (target.profile.has(role)) {
            unnamed += u"("_s + target.profile.roles.value(role).sql + u") IS NULL"_s;
        }
    }
    return unnamed.isEmpty() ? body : u"CASE WHEN "_s + unnamed.join(u" AND "_s) + u" THEN "_s + body + u" END"_s;
}

QStringList roleHashes(Render &render, const auto &roles, bool byType)
{
    const Target &target = render.target();
    QStringList hashes;
    for (const Role role : roles) {
        if (!target.profile.has(role)) {
            continue;
        }
        const int seed = kFirstRoleSeed
            + int(std::find(std::begin(kComparedRoles), std::end(kComparedRoles), role) - std::begin(kComparedRoles));
        const QString hash = role == Role::ResponseBody
            ? textHash(bodySql(target), seed)
            : valueHash(render, target.profile.roles.value(role).sql, target.roleTypes.value(role), seed, byType);
        hashes += seeded(hash, seed);
    }
    return hashes;
}

} // namespace

QString resultHash(Render &render)
{
    return rowHash(kNothing.toString(),
        (QStringList { kNothing.toString() } + roleHashes(render, kResultRoles, false)).join(u" # "_s));
}

QString keyHash(Render &render)
{
    return seeded(textHash(render.target().profile.key.sql, kKeySeed), kKeySeed);
}

QString restHash(Render &render, bool byType)
{
    QStringList hashes { kNothing.toString() };
    int seed = kFirstScopeSeed;
    for (const ScopePart &part : partsOf(render.target())) {
        hashes += seeded(valueHash(render, part.sql, part.type, seed, byType), seed);
        ++seed;
    }
    return u"("_s + (hashes + roleHashes(render, kComparedRoles, byType)).join(u" # "_s) + u')';
}

QString rowHash(const QString &key, const QString &rest)
{
    // Hashed once more: without it, parts that change places between two rows would cancel out in a sum.
    return u"pg_catalog.hashint8extended("_s + key + u" # "_s + rest + u", 0)"_s;
}

QStringList keyTexts(const Target &target)
{
    QStringList parts;
    for (const ScopePart &part : partsOf(target)) {
        parts += asText(part.sql);
    }
    parts += asText(target.profile.key.sql);
    return parts;
}

QString probeHash()
{
    return rowHash(textHash(u"'idemdesk, a text of some length'"_s, kKeySeed),
        u"pg_catalog.uuid_hash_extended('00112233-4455-6677-8899-aabbccddeeff', 2)"_s);
}

bool sameTypes(const Target &one, const Target &other)
{
    bool same = one.scopeTypes.size() == other.scopeTypes.size();
    for (qsizetype i = 0; same && i < one.scopeTypes.size(); ++i) {
        same = one.scopeTypes.at(i).typeName == other.scopeTypes.at(i).typeName;
    }
    for (const Role role : kComparedRoles) {
        same = same && one.roleTypes.value(role).typeName == other.roleTypes.value(role).typeName;
    }
    return same;
}

QStringList comparedSql(const Profile &profile)
{
    QStringList sql;
    for (const LabelledExpression &part : profile.scope) {
        sql += part.label + u": "_s + part.value.sql;
    }
    sql += u"key: "_s + profile.key.sql;
    for (const Role role : kComparedRoles) {
        sql += roleName(role) + u": "_s + profile.roles.value(role).sql;
    }
    return sql;
}

} // namespace idemdesk::sql
