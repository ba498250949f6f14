// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/keys/payload_sample.h"

#include "sql/keys/detail_reader.h"
#include "sql/keys/render.h"
#include "sql/keys/resolve.h"
#include "sql/types/tr.h"

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

QString textOf(const QString &sql)
{
    return u"("_s + sql + u")::pg_catalog.text"_s;
}

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
            if (part->isSql && finding.jsonPath == recipePartPath(part.key())
                && finding.severity == Finding::Severity::Problem) {
                Error error = makeError(ErrorKind::Usage,
                    Tr::tr("The part “%1” of the request cannot be read from the table.").arg(part.key()), finding.text,
                    Tr::tr("Correct its expression in the profile."));
                error.where = finding.jsonPath;
                return error;
            }
        }
    }
    return std::nullopt;
}

/// What is selected of a row, and how a PayloadRow is made of it.
class PayloadColumns
{
public:
    PayloadColumns(const Target &target, const QMap<QString, RecipePart> &parts, qint64 maxBytes)
        : m_bytes(target.roleTypes.value(Role::RequestPayload).typeName == u"bytea")
        , m_parts(parts)
    {
        const Profile &profile = target.profile;
        QString body = u"NULL::pg_catalog.text"_s;
        QString size = u"0"_s;
        if (profile.has(Role::RequestPayload)) {
            const QString payload = profile.role(Role::RequestPayload).sql;
            body = m_bytes ? u"pg_catalog.encode(("_s + payload + u"), 'hex')"_s : textOf(payload);
            size = u"pg_catalog.octet_length("_s + (m_bytes ? u"("_s + payload + u')' : textOf(payload)) + u')';
        }
        const QString most = QString::number(maxBytes);
        const QString fingerprint
            = profile.has(Role::Fingerprint) ? textOf(profile.role(Role::Fingerprint).sql) : u"NULL::pg_catalog.text"_s;
        m_columns = { textOf(profile.key.sql), fingerprint, size + u" > "_s + most,
            u"CASE WHEN "_s + size + u" <= "_s + most + u" THEN "_s + body + u" END"_s };
        for (auto part = parts.cbegin(); part != parts.cend(); ++part) {
            if (part->isSql) {
                m_columns += textOf(part->text);
                m_read += part.key();
            }
        }
    }

    QString selectList() const { return m_columns.join(u", "_s); }

    PayloadRow row(const Row &row) const
    {
        PayloadRow one;
        one.key = row.text(0);
        one.fingerprint = row.text(1);
        one.tooLarge = row.truth(2);
        if (!row.isNull(3)) {
            one.payload = m_bytes ? QByteArray::fromHex(row.text(3).toLatin1()) : row.text(3).toUtf8();
        }
        for (auto part = m_parts.cbegin(); part != m_parts.cend(); ++part) {
            if (!part->isSql) {
                one.parts.insert(part.key(), part->text.toUtf8());
            }
        }
        for (qsizetype i = 0; i < m_read.size(); ++i) {
            if (!row.isNull(int(4 + i))) {
                one.parts.insert(m_read.at(i), row.text(int(4 + i)).toUtf8());
            }
        }
        return one;
    }

private:
    const bool m_bytes;
    const QMap<QString, RecipePart> m_parts;
    QStringList m_columns;
    QStringList m_read; ///< parts that are columns, in their order
};

} // namespace

Result<PayloadRow> readPayload(Session &session, const Target &target, const Cells &identity,
    const QMap<QString, RecipePart> &parts, qint64 maxBytes)
{
    if (const auto broken = brokenPart(target, parts)) {
        return *broken;
    }
    const PayloadColumns columns(target, parts, maxBytes);
    Render render(target);
    const QString sql = u"SELECT "_s + columns.selectList() + render.from() + u" WHERE "_s
        + identityCondition(render, identity) + u" LIMIT 1"_s;
    std::optional<PayloadRow> found;
    TRY(session.each(render.finish(sql, {}), [&](const Row &row) {
        found = columns.row(row);
        return true;
    }));
    return found ? Result<PayloadRow>(*found) : Result<PayloadRow>(rowGone());
}

Result<PayloadSample> readPayloadSample(
    Session &session, const Target &target, const QMap<QString, RecipePart> &parts, int limit, qint64 maxBytes)
{
    const Profile &profile = target.profile;
    if (!profile.has(Role::Fingerprint)) {
        return makeError(ErrorKind::NotSaid, Tr::tr("No recipe can be checked on this table."),
            Tr::tr("Its profile does not say where the fingerprint is."),
            Tr::tr("Map a column to the role fingerprint in the profile."));
    }
    if (const auto broken = brokenPart(target, parts)) {
        return *broken;
    }
    PayloadSample sample;
    sample.payloadType = target.roleTypes.value(Role::RequestPayload).typeName;
    const PayloadColumns columns(target, parts, maxBytes);
    Render render(target);
    const QString order = newestFirst(target);
    sample.newestFirst = !order.isEmpty();
    const QString sql = u"SELECT "_s + columns.selectList() + render.from() + u" WHERE ("_s
        + profile.role(Role::Fingerprint).sql + u") IS NOT NULL"_s + order + u" LIMIT "_s + QString::number(limit);
    TRY(session.each(render.finish(sql, {}), [&](const Row &row) {
        sample.rows += columns.row(row);
        return true;
    }));
    return sample;
}

} // namespace idemdesk::sql
