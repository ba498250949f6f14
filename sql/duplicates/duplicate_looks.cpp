// SPDX-License-Identifier: GPL-3.0-or-later
#include "sql/duplicates/duplicate_looks.h"

#include "sql/duplicates/payload_fields.h"
#include "sql/types/tr.h"

using namespace Qt::StringLiterals;

namespace idemdesk::sql {

namespace {

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
        fingerprint();
        payload();
        return m_looks;
    }

private:
    static QString textOf(const QString &sql) { return u"("_s + sql + u")::pg_catalog.text"_s; }

    void none(const QString &key, const QString &what)
    {
        if (!broken(u"$.roles."_s + key, what)) { // binding leaves out what it cannot read
            m_notes += Tr::tr("The profile names no %1, so %2 was not looked for.").arg(key, what);
        }
    }

    /// Says why a part of the profile cannot be used, where binding it to the table found a problem.
    bool broken(const QString &path, const QString &what)
    {
        for (const Finding &finding : m_target.findings) {
            if (finding.jsonPath == path && finding.severity == Finding::Severity::Problem) {
                m_notes += Tr::tr("What the profile says at %1 cannot be used, so %2 was not looked for there: %3")
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
        const QString id = u"(e.idemdesk_e OPERATOR(pg_catalog.->>) 'id')"_s;
        for (qsizetype i = 0; i < m_profile.effects.size(); ++i) {
            const EffectSpec &effect = m_profile.effects.at(i);
            if (!effect.proves) {
                continue;
            }
            any = true;
            if (broken(u"$.effects[%1].sql"_s.arg(i), Tr::tr("a repeated effect"))) {
                continue;
            }
            m_looks.append({ DuplicateReason::SeveralEffects, Tr::tr("several effects of one key"), id,
                id + u" IS NOT NULL"_s, effect.sql, effect.type, {} });
            m_looks.append({ DuplicateReason::SameBusinessReference, Tr::tr("one effect of several keys"), id,
                id + u" IS NOT NULL"_s, effect.sql, effect.type, {} });
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
        const QString id = m_profile.role(Role::ResultId).sql;
        const QString shared = m_profile.has(Role::ResultType) ? u"pg_catalog.concat_ws('/', "_s
                + textOf(m_profile.role(Role::ResultType).sql) + u", "_s + textOf(id) + u')'
                                                               : textOf(id);
        m_looks.append({ DuplicateReason::SameResult, Tr::tr("the same result"), shared,
            u"("_s + id + u") IS NOT NULL"_s, {}, {}, {} });
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
                const QString shared = textOf(references.at(i));
                m_looks.append({ DuplicateReason::SameBusinessReference, Tr::tr("the same business reference"), shared,
                    shared + u" IS NOT NULL"_s, {}, {}, {} });
            }
        }
    }

    void fingerprint()
    {
        if (!m_profile.has(Role::Fingerprint)) {
            none(roleName(Role::Fingerprint), Tr::tr("one request under several keys"));
            return;
        }
        const QString shared = textOf(m_profile.role(Role::Fingerprint).sql);
        m_looks.append({ DuplicateReason::SameFingerprint, Tr::tr("the same fingerprint"), shared,
            shared + u" IS NOT NULL"_s, {}, {}, {} });
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
            m_notes += Tr::tr("The payloads are stored as %1, not as jsonb, so %2 was not looked for.").arg(type, what);
        } else {
            const QString stored = m_profile.role(Role::RequestPayload).sql;
            const QString kept = payloadWithout(stored, fields);
            m_looks.append({ DuplicateReason::NearPayload, Tr::tr("nearly the same payload"),
                u"pg_catalog.encode(pg_catalog.sha256(pg_catalog.convert_to("_s + kept
                    + u"::pg_catalog.text, 'UTF8')), 'hex')"_s,
                u"("_s + stored + u") IS NOT NULL"_s, {}, {}, fields });
        }
    }

    const Target &m_target;
    const Profile &m_profile;
    QStringList &m_notes;
    bool &m_complete;
    QList<DuplicateLook> m_looks;
};

} // namespace

QList<DuplicateLook> duplicateLooks(const Target &target, QStringList *notes, bool *complete)
{
    bool &searchedAll = *complete;
    return Looks(target, *notes, searchedAll).all();
}

} // namespace idemdesk::sql
