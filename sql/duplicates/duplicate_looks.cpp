// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/duplicates/duplicate_looks.h"

#include "sql/duplicates/charge_fields.h"
#include "sql/duplicates/payload_fields.h"
#include "sql/profile/expression_sql.h"
#include "sql/types/tr.h"

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

constexpr qint64 kChargesWithin = 3'600; ///< seconds

class Looks
{
public:
    Looks(const Target &target, QStringList &notes, bool &complete)
        : m_target(target)
        , m_profile(target.profile)
        , m_notes(notes)
        , m_complete(complete)
    {
    }

    QList<DuplicateLook> all()
    {
        effects();
        result();
        references();
        charges();
        fingerprint();
        payload();
        return m_looks;
    }

private:
    static QString textOf(const QString &sql)
    {
        return u"("_s + sql + u")::pg_catalog.text COLLATE pg_catalog.\"C\""_s;
    }

    static SharedPart textPart(const QString &sql) { return { textOf(sql), u"pg_catalog.text"_s }; }

    /// As it is stored, where rows can be grouped by that: making texts of millions of numbers costs more than the
    /// rest.
    SharedPart rolePart(Role role) const
    {
        static const QStringList plain { u"uuid"_s, u"int2"_s, u"int4"_s, u"int8"_s, u"bytea"_s };
        const QString type = m_target.roleTypes.value(role).typeName;
        const QString sql = m_profile.role(role).sql;
        return plain.contains(type) ? SharedPart { u'(' + sql + u')', u"pg_catalog."_s + type } : textPart(sql);
    }

    void none(const QString &key, const QString &what)
    {
        if (!broken(u"$.roles."_s + key, what)) { // binding leaves out what it cannot read
            m_notes += Tr::tr("Not looked for, as the profile names no %1: %2.").arg(key, what);
        }
    }

    /// Says why a part of the profile cannot be used, where binding it to the table found a problem.
    bool broken(const QString &path, const QString &what)
    {
        for (const Finding &finding : m_target.findings) {
            if (finding.jsonPath == path && finding.severity == Finding::Severity::Problem) {
                m_notes += Tr::tr("Not looked for, as what the profile says at %1 cannot be used: %2. %3")
                               .arg(path, what, finding.text);
                m_complete = false;
                return true;
            }
        }
        return false;
    }

    void effects()
    {
        bool any = false;
        const QString id = textOf(u"e.id"_s);
        for (qsizetype i = 0; i < m_profile.effects.size(); ++i) {
            const EffectSpec &effect = m_profile.effects.at(i);
            if (!effect.proves) {
                continue;
            }
            any = true;
            if (broken(u"$.effects[%1].sql"_s.arg(i), Tr::tr("a repeated effect"))) {
                continue;
            }
            DuplicateLook several { DuplicateReason::SeveralEffects, Tr::tr("several effects of one key"),
                { textPart(m_profile.key.sql) }, u"e.id IS NOT NULL"_s, effect.sql, effect.type };
            several.unlike = id;
            m_looks.append(several);
            m_looks.append({ DuplicateReason::SameBusinessReference, Tr::tr("one effect of several keys"),
                { { id, u"pg_catalog.text"_s } }, u"e.id IS NOT NULL"_s, effect.sql, effect.type });
        }
        if (!any) {
            m_notes += Tr::tr("The profile names no effect that proves its key. So several effects of one key, or "
                              "shared effects, were not looked for.");
        }
    }

    void result()
    {
        if (!m_profile.has(Role::ResultId)) {
            none(roleName(Role::ResultId), Tr::tr("one result under several keys"));
            return;
        }
        QList<SharedPart> shared { rolePart(Role::ResultId) };
        if (m_profile.has(Role::ResultType)) {
            shared.prepend({ textOf(m_profile.role(Role::ResultType).sql), u"pg_catalog.text"_s, true });
        }
        m_looks.append({ DuplicateReason::SameResult, Tr::tr("the same result"), shared,
            u"("_s + m_profile.role(Role::ResultId).sql + u") IS NOT NULL"_s });
    }

    void references()
    {
        const QStringList &references = m_profile.businessReferences;
        const QString what = Tr::tr("one business matter under several keys");
        if (references.isEmpty()) {
            none(u"business_reference"_s, what);
        }
        for (qsizetype i = 0; i < references.size(); ++i) {
            if (!broken(m_profile.businessReferencePath(i), what)) {
                m_looks.append({ DuplicateReason::SameBusinessReference, Tr::tr("the same business reference"),
                    { textPart(references.at(i)) }, u"("_s + references.at(i) + u") IS NOT NULL"_s });
            }
        }
    }

    void fingerprint()
    {
        if (!m_profile.has(Role::Fingerprint)) {
            none(roleName(Role::Fingerprint), Tr::tr("one request under several keys"));
            return;
        }
        m_looks.append({ DuplicateReason::SameFingerprint, Tr::tr("the same fingerprint"),
            { rolePart(Role::Fingerprint) }, u"("_s + m_profile.role(Role::Fingerprint).sql + u") IS NOT NULL"_s });
    }

    void payload()
    {
        const QString what = Tr::tr("nearly the same payload under several keys");
        const QString type = m_target.roleTypes.value(Role::RequestPayload).typeName;
        QStringList fields;
        for (const QString &pointer : m_profile.diffIgnore) {
            if (pointerSteps(pointer).contains(u"*"_s)) {
                m_notes += Tr::tr("“%1” in diff_ignore of the profile holds a *. It counts where two payloads are "
                                  "compared, not in this search.")
                               .arg(pointer);
            } else {
                fields += pointer;
            }
        }
        if (!m_profile.has(Role::RequestPayload)) {
            none(roleName(Role::RequestPayload), what);
        } else if (fields.isEmpty()) {
            none(u"diff_ignore"_s, what);
        } else if (type != u"jsonb" && type != u"json") {
            m_notes += Tr::tr("Not looked for, as the payloads are stored as %1, not as jsonb: %2.").arg(type, what);
        } else {
            const QString stored = m_profile.role(Role::RequestPayload).sql;
            const QString kept = payloadWithout(stored, fields);
            DuplicateLook near { DuplicateReason::NearPayload, Tr::tr("nearly the same payload"),
                { { u"pg_catalog.sha256(pg_catalog.convert_to("_s + kept + u"::pg_catalog.text, 'UTF8'))"_s,
                    u"pg_catalog.bytea"_s } },
                u"("_s + stored + u") IS NOT NULL"_s, {}, {}, fields };
            if (m_profile.has(Role::Fingerprint)) { // equal fingerprints are told as such
                near.unlike = textOf(m_profile.role(Role::Fingerprint).sql);
                near.unlikeOrNone = true;
            }
            m_looks.append(near);
        }
    }

    /// Keys that succeeded and whose stored answers hold two charges of one customer and amount, within an hour of each
    /// other on one day in UTC.
    void charges()
    {
        const QString what = Tr::tr("two charges of one customer, amount and hour");
        const auto began = duplicateTime(m_profile);
        const auto fields = chargeFields(m_target);
        if (!fields) {
            if (m_profile.has(Role::ResponseBody)) {
                m_notes += fields.error().why + u' ' + Tr::tr("So %1 were not looked for.").arg(what);
            } else {
                none(roleName(Role::ResponseBody), what);
            }
            return;
        }
        if (!began) {
            none(roleName(Role::CreatedAt), what);
            return;
        }
        const SharedPart customer = textPart(fields->customer);
        const SharedPart amount = textPart(fields->amount);
        const QString at = timestamptzSql(*began);
        DuplicateLook look { DuplicateReason::TwoCharges, what,
            { customer, amount,
                { u"pg_catalog.date_bin('1 day', "_s + at + u", '2000-01-01 00:00Z')"_s, u"pg_catalog.timestamptz"_s,
                    false, false } },
            u"pg_catalog.isfinite("_s + at + u')' };
        look.unlike = textOf(fields->number);
        look.unlikeLater = true;
        look.having = customer.sql + u" IS NOT NULL AND "_s + amount.sql + u" IS NOT NULL"_s;
        look.apartSeconds = kChargesWithin;
        look.succeededOnly = true;
        look.needs = look.having + u" AND "_s + look.unlike + u" IS NOT NULL"_s;
        look.without
            = Tr::tr("No stored response tells customer, amount and number of a charge. So %1 were not looked for.")
                  .arg(what);
        look.bound = Tr::tr("Two charges on either side of midnight (UTC) were not looked for.");
        m_looks.append(look);
    }

    const Target &m_target;
    const Profile &m_profile;
    QStringList &m_notes;
    bool &m_complete;
    QList<DuplicateLook> m_looks;
};

} // namespace

std::optional<Expression> duplicateTime(const Profile &profile)
{
    for (const Role role : { Role::CreatedAt, Role::ClaimedAt, Role::UpdatedAt }) {
        if (profile.has(role)) {
            return profile.role(role);
        }
    }
    return std::nullopt;
}

QList<DuplicateLook> duplicateLooks(const Target &target, QStringList *notes, bool *complete)
{
    bool &searchedAll = *complete;
    return Looks(target, *notes, searchedAll).all();
}

} // namespace idemdesk::sql
