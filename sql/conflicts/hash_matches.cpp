// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/conflicts/hash_matches.h"

#include "sql/keys/scope_parts.h"
#include "sql/keys/value_fit.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QUuid>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

// Names that no column of the searched table has: a profile's expressions may name its columns without the alias.
const QString kValue = QStringLiteral("w.idemdesk_value");
const QString kPlace = QStringLiteral("w.idemdesk_place");
const QString kScope = QStringLiteral("w.idemdesk_scope");

constexpr qsizetype kUuidBytes = 16;

QString asText(const QString &sql)
{
    return u"("_s + sql + u")::pg_catalog.text"_s;
}

/// The values with their places and scopes, bound as three arrays.
class WantedHashes
{
public:
    void add(qsizetype place, const QString &value, const QString &scope)
    {
        if (value.contains(QChar(0)) || scope.contains(QChar(0))) {
            return; // no text of the server's holds a NUL
        }
        m_values += value;
        m_places += QString::number(place);
        m_scopes += scope;
    }
    bool isEmpty() const { return m_values.isEmpty(); }
    QString rows(Render &render, const QString &castType) const
    {
        return u"ROWS FROM (pg_catalog.unnest(%1), pg_catalog.unnest(%2), pg_catalog.unnest(%3)) AS w "
               "(idemdesk_value, idemdesk_place, idemdesk_scope)"_s.arg(render.bindArray(m_values, castType),
                   render.bindArray(m_places, u"pg_catalog.int4"_s), render.bindArray(m_scopes, u"pg_catalog.text"_s));
    }

private:
    QStringList m_values;
    QStringList m_places;
    QStringList m_scopes;
};

QStringList scopeTexts(const Target &target)
{
    QStringList parts;
    for (const ScopePart &part : partsOf(target)) {
        parts += asText(part.sql);
    }
    return parts;
}

/// One row for each place that matched: its intent where all matching rows are of one.
Result<HashMatches> matches(Session &session, Render &render, const QString &fromWhere)
{
    const Target &target = render.target();
    QStringList cells = scopeTexts(target);
    cells += asText(target.profile.key.sql);
    const QString intent
        = u"pg_catalog.json_build_array("_s + cells.join(u", "_s) + u")::pg_catalog.text COLLATE pg_catalog.\"C\""_s;
    // min and max keep one text a hash, however many rows a common fingerprint has.
    const QString sql = u"SELECT x.p, pg_catalog.min(x.i), pg_catalog.min(x.i) = pg_catalog.max(x.i) FROM (SELECT "_s
        + kPlace + u" AS p, "_s + intent + u" AS i"_s + fromWhere + u" AND "_s + asText(target.profile.key.sql)
        + u" IS NOT NULL AND "_s + namesScopeSql(kScope, target) + u") x GROUP BY 1"_s;
    HashMatches found;
    TRY(session.each(render.finish(sql, {}), [&found](const Row &row) {
        const QJsonArray parts = QJsonDocument::fromJson(row.text(1).toUtf8()).array();
        HashMatch match;
        match.several = !row.truth(2) || parts.isEmpty();
        for (qsizetype i = 0; i + 1 < parts.size(); ++i) {
            match.scope += parts.at(i).toString();
        }
        match.key = parts.last().toString();
        found.insert(row.integer(0), match);
        return true;
    }));
    return found;
}

/// How the column would write this fingerprint, so that an index on it serves. A log may write raw bytes and uuids
/// otherwise.
QStringList storedForms(const ExpressionType &type, const WantedHash &one)
{
    const auto hex = one.hash ? QString::fromLatin1(one.hash->bytes.toHex()) : QString();
    if (type.typeName == u"bytea") {
        return hex.isEmpty() ? QStringList() : QStringList { u"\\x"_s + hex };
    }
    if (type.typeName == u"uuid") {
        return one.hash && one.hash->bytes.size() == kUuidBytes
            ? QStringList { QUuid::fromRfc4122(one.hash->bytes).toString(QUuid::WithoutBraces) }
            : QStringList();
    }
    QStringList forms;
    if (!misfit(type, one.text)) {
        forms += one.text;
    }
    if (type.category == u'S' && one.text.startsWith(u"\\x") && !hex.isEmpty()) {
        forms += hex;
    } else if (type.category == u'S' && one.text.compare(hex, Qt::CaseInsensitive) == 0) {
        forms += { hex, hex.toUpper() };
    }
    forms.removeDuplicates();
    return forms;
}

struct Algorithm {
    const char16_t *name;
    qsizetype bytes;
    const char16_t *before; ///< its SQL, before and after the bytes
    const char16_t *after;
    bool pgcrypto = false; ///< a function in that extension's schema
};

constexpr Algorithm kAlgorithms[] = {
    { u"sha256", 32, u"pg_catalog.sha256(", u")" },
    { u"sha512", 64, u"pg_catalog.sha512(", u")" },
    { u"md5", 16, u"pg_catalog.decode(pg_catalog.md5(", u"), 'hex')" },
    { u"sha1", 20, u".digest(", u", 'sha1')", true },
};

/// SHA-512 is seldom cut to what SHA-256 gives whole, so that it is only tried where nothing else makes so many bytes.
bool mayBe(const Algorithm &algorithm, const HashText &hash)
{
    constexpr qsizetype sha256Bytes = 32;
    const QString name = QString::fromUtf16(algorithm.name);
    if (hash.bytes.size() > algorithm.bytes) {
        return false;
    }
    return hash.algorithm.isEmpty() ? algorithm.bytes <= sha256Bytes || hash.bytes.size() > sha256Bytes
                                    : hash.algorithm == name;
}

/// The schema of pgcrypto, quoted; empty where it is not installed.
Result<QString> cryptoSchema(Session &session)
{
    TRY(const auto rows,
        session.all({ u"SELECT n.nspname FROM pg_catalog.pg_extension e JOIN pg_catalog.pg_namespace n ON n.oid = "
                      "e.extnamespace WHERE e.extname = 'pgcrypto'"_s,
            {} }));
    return rows.isEmpty() ? QString() : quoteIdentifier(rows.first().first().text);
}

/// What services hash: the key, or the scope and the key with one of these joints.
QStringList hashedTexts(const Target &target)
{
    const QString key = asText(target.profile.key.sql);
    QStringList texts { key };
    const QStringList scope = scopeTexts(target);
    for (const QString &joint : { u""_s, u":"_s, u"|"_s, u"/"_s }) {
        if (!scope.isEmpty()) {
            texts += u"pg_catalog.concat_ws("_s + quoteLiteral(joint) + u", "_s + scope.join(u", "_s) + u", "_s + key
                + u')';
        }
    }
    return texts;
}

} // namespace

Result<HashMatches> matchFingerprints(Session &session, const Target &target, const QList<WantedHash> &wanted)
{
    if (!target.profile.has(Role::Fingerprint)) {
        return HashMatches();
    }
    const ExpressionType type = target.roleTypes.value(Role::Fingerprint);
    WantedHashes values;
    for (qsizetype i = 0; i < wanted.size(); ++i) {
        for (const QString &form : storedForms(type, wanted.at(i))) {
            values.add(i, form, wanted.at(i).scope);
        }
    }
    if (values.isEmpty()) {
        return HashMatches();
    }
    Render render(target);
    const bool typed = !type.castType.isEmpty();
    const QString fingerprint
        = u"("_s + target.profile.role(Role::Fingerprint).sql + u')' + (typed ? QString() : u"::pg_catalog.text"_s);
    const QString rows = values.rows(render, typed ? type.castType : u"pg_catalog.text"_s);
    return matches(session, render,
        u" FROM "_s + rows + u" JOIN "_s + target.relation.sql + u" t ON "_s + fingerprint
            + operatorSql(type.operatorSchema, u"="_s) + kValue + u" WHERE true"_s);
}

Result<HashMatches> matchKeys(Session &session, const Target &target, const QList<WantedHash> &wanted)
{
    const ExpressionType &type = target.keyType;
    WantedHashes values;
    for (qsizetype i = 0; i < wanted.size(); ++i) {
        if (!misfit(type, wanted.at(i).text)) {
            values.add(i, wanted.at(i).text, wanted.at(i).scope);
        }
    }
    if (values.isEmpty()) {
        return HashMatches();
    }
    Render render(target);
    const bool typed = !type.castType.isEmpty();
    const QString key = u"("_s + target.profile.key.sql + u')' + (typed ? QString() : u"::pg_catalog.text"_s);
    const QString rows = values.rows(render, typed ? type.castType : u"pg_catalog.text"_s);
    return matches(session, render,
        u" FROM "_s + rows + u" JOIN "_s + target.relation.sql + u" t ON "_s + key
            + operatorSql(type.operatorSchema, u"="_s) + kValue + u" WHERE true"_s);
}

Result<HashMatches> matchKeyHashes(Session &session, const Target &target, const QList<WantedHash> &wanted)
{
    WantedHashes values;
    QList<Algorithm> algorithms;
    for (const Algorithm &algorithm : kAlgorithms) {
        if (std::any_of(wanted.cbegin(), wanted.cend(),
                [&algorithm](const WantedHash &one) { return one.hash && mayBe(algorithm, *one.hash); })) {
            algorithms += algorithm;
        }
    }
    for (qsizetype i = 0; i < wanted.size(); ++i) {
        if (wanted.at(i).hash) {
            values.add(i, u"\\x"_s + QString::fromLatin1(wanted.at(i).hash->bytes.toHex()), wanted.at(i).scope);
        }
    }
    if (values.isEmpty() || algorithms.isEmpty()) {
        return HashMatches();
    }
    TRY(const auto crypto, cryptoSchema(session));
    QStringList digests;
    for (const Algorithm &algorithm : std::as_const(algorithms)) {
        if (algorithm.pgcrypto && crypto.isEmpty()) {
            continue;
        }
        const QString before = (algorithm.pgcrypto ? crypto : QString()) + QString::fromUtf16(algorithm.before);
        for (const QString &text : hashedTexts(target)) {
            digests += u"("_s + before + u"pg_catalog.convert_to("_s + text + u", 'UTF8')"_s
                + QString::fromUtf16(algorithm.after) + u')';
        }
    }
    if (digests.isEmpty()) {
        return HashMatches();
    }
    Render render(target);
    const QString rows = values.rows(render, u"pg_catalog.bytea"_s);
    // The first eight bytes let the planner hash the few that are wanted; the rest decides.
    return matches(session, render,
        render.from() + u" CROSS JOIN LATERAL (VALUES "_s + digests.join(u", "_s) + u") AS d (idemdesk_digest) JOIN "_s
            + rows + u" ON pg_catalog.substring(d.idemdesk_digest, 1, 8) = pg_catalog.substring("_s + kValue
            + u", 1, 8) AND pg_catalog.substring(d.idemdesk_digest, 1, pg_catalog.length("_s + kValue + u")) = "_s
            + kValue + u" WHERE true"_s);
}

} // namespace idemdesk::sql
