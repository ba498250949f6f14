// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/keys/payload_sample.h"

#include "sql/keys/render.h"
#include "sql/keys/resolve.h"

#include <QCoreApplication>

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

struct Tr {
    Q_DECLARE_TR_FUNCTIONS(PayloadSample)
};

QString textOf(const QString &sql) { return u"("_s + sql + u")::pg_catalog.text"_s; }

/// " ORDER BY …" where the newest rows are found without reading the whole table.
QString newestFirst(const Target &target)
{
    for (const Role role : { Role::CreatedAt, Role::ClaimedAt, Role::UpdatedAt }) {
        if (target.profile.has(role)) {
            const Expression time = target.profile.role(role);
            if (isSmall(target.relation) || indexLeads(target.relation, time.column, false)) {
                return u" ORDER BY ("_s + time.sql + u") DESC"_s;
            }
        }
    }
    return {};
}

/// A part of the profile that the sample needs, and that binding found broken.
std::optional<Error> brokenPart(const Target &target, const QMap<QString, RecipePart> &parts)
{
    for (const Finding &finding : target.findings) {
        for (auto part = parts.cbegin(); part != parts.cend(); ++part) {
            if (part->isSql && finding.jsonPath == recipePartPath(part.key()) && finding.severity == Finding::Severity::Problem) {
                Error error;
                error.kind = ErrorKind::Usage;
                error.what = Tr::tr("The part “%1” of the request cannot be read from the table.").arg(part.key());
                error.why = finding.text;
                error.todo = Tr::tr("Correct its expression in the profile.");
                error.where = finding.jsonPath;
                return error;
            }
        }
    }
    return std::nullopt;
}

} // namespace

Result<PayloadSample> readPayloadSample(Session &session, const Target &target, const QMap<QString, RecipePart> &parts, int limit, qint64 maxBytes)
{
    const Profile &profile = target.profile;
    if (!profile.has(Role::Fingerprint)) {
        Error error;
        error.kind = ErrorKind::Usage;
        error.what = Tr::tr("No recipe can be checked on this table.");
        error.why = Tr::tr("Its profile does not say where the fingerprint is.");
        error.todo = Tr::tr("Map a column to the role fingerprint in the profile.");
        return error;
    }
    if (const auto broken = brokenPart(target, parts)) {
        return *broken;
    }
    PayloadSample sample;
    sample.payloadType = target.roleTypes.value(Role::RequestPayload).typeName;
    const bool bytes = sample.payloadType == u"bytea";
    QString body = u"NULL::pg_catalog.text"_s;
    QString size = u"0"_s;
    if (profile.has(Role::RequestPayload)) {
        const QString payload = profile.role(Role::RequestPayload).sql;
        body = bytes ? u"pg_catalog.encode(("_s + payload + u"), 'hex')"_s : textOf(payload);
        size = u"pg_catalog.octet_length("_s + (bytes ? u"("_s + payload + u')' : textOf(payload)) + u')';
    }
    const QString most = QString::number(maxBytes);
    Render render(target);
    QStringList columns { textOf(profile.key.sql), textOf(profile.role(Role::Fingerprint).sql), size + u" > "_s + most, u"CASE WHEN "_s + size + u" <= "_s + most + u" THEN "_s + body + u" END"_s };
    QStringList read;
    for (auto part = parts.cbegin(); part != parts.cend(); ++part) {
        if (part->isSql) {
            columns += textOf(part->text);
            read += part.key();
        }
    }
    const QString order = newestFirst(target);
    sample.newestFirst = !order.isEmpty();
    const QString sql = u"SELECT "_s + columns.join(u", "_s) + render.from() + u" WHERE ("_s + profile.role(Role::Fingerprint).sql + u") IS NOT NULL"_s + order + u" LIMIT "_s + QString::number(limit);
    const auto done = session.each(render.finish(sql, {}), [&](const Row &row) {
        PayloadRow one;
        one.key = row.text(0);
        one.fingerprint = row.text(1);
        one.tooLarge = row.truth(2);
        if (!row.isNull(3)) {
            one.payload = bytes ? QByteArray::fromHex(row.text(3).toLatin1()) : row.text(3).toUtf8();
        }
        for (auto part = parts.cbegin(); part != parts.cend(); ++part) {
            if (!part->isSql) {
                one.parts.insert(part.key(), part->text.toUtf8());
            }
        }
        for (qsizetype i = 0; i < read.size(); ++i) {
            if (!row.isNull(int(4 + i))) {
                one.parts.insert(read.at(i), row.text(int(4 + i)).toUtf8());
            }
        }
        sample.rows += one;
        return true;
    });
    return done ? Result<PayloadSample>(sample) : Result<PayloadSample>(done.error());
}

} // namespace idemdesk::sql
