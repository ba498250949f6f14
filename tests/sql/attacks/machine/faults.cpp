// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/sql/attacks/machine/faults.h"

#include <QList>

using namespace Qt::StringLiterals;

namespace idemdesk::tests::machine {

namespace {

struct PlantedFault {
    QString name;
    QString function; ///< as a regprocedure
    QString fragment;
    QString instead;
};

const QList<PlantedFault> kFaults {
    // A recovery does not look whether the row is still what the operator saw.
    { u"guard"_s, u"idemdesk._change_sql(jsonb, text)"_s,
        u"idemdesk._guard((p_context ->> 'relation')::oid, c_compiled)"_s, u"'true'"_s },
    // A purge's batch takes what its caller asks for.
    { u"allowance"_s, u"idemdesk._begin_batch(uuid, integer, integer)"_s,
        u"least(p_limit, v_action.allowance - coalesce((v_action.counts ->> 'purged')::bigint, 0))"_s, u"p_limit"_s },
    // Entry functions act wherever they stand.
    { u"outermost"_s, u"idemdesk._enter(text, text, text)"_s, u"position(E'\\n' IN p_context) > 0 OR"_s,
        u"false AND"_s },
    // A purge forgets its cutoff.
    { u"cutoff"_s, u"idemdesk._purge_rows(jsonb, jsonb, text, text, integer)"_s,
        u"(p_context ->> 'cutoff')::timestamptz"_s, u"'infinity'::timestamptz"_s },
    // An undo overwrites what somebody did since.
    { u"undo"_s, u"idemdesk._restore_row(jsonb, jsonb, jsonb, integer)"_s,
        u"ELSIF c_after IS NOT NULL AND v_item.before IS DISTINCT FROM c_after THEN"_s, u"ELSIF false THEN"_s },
    // Not every row of a batch is written down.
    { u"items"_s,
        u"idemdesk._append(uuid, integer, text[], idemdesk.item[], bytea, jsonb, jsonb, boolean, jsonb)"_s,
        u"v_rows := coalesce(array_length(p_items, 1), 0);"_s,
        u"v_rows := coalesce(array_length(p_items, 1), 0); IF v_rows > 1 AND v_action.verb <> 'undo' THEN "
        u"p_items := p_items[1:v_rows - 1] || ROW(p_items[v_rows].ordinal, "
        "p_items[v_rows].identity, NULL, NULL, 'changed', NULL)::idemdesk.item; END IF;"_s },
    // Rows whose lease still runs are taken.
    { u"lease"_s, u"idemdesk._change_row(jsonb, jsonb, jsonb, uuid)"_s,
        u"(v_leased OR (v_state = 'in_progress' AND v_stale IS FALSE))"_s, u"false"_s },
    { u"stale"_s, u"idemdesk._change_row(jsonb, jsonb, jsonb, uuid)"_s, u"v_stale IS NOT TRUE"_s, u"false"_s },
    // Whoever asks may approve.
    { u"own"_s, u"idemdesk.approve_action(uuid, boolean, text)"_s, u"IF v_action.requested_by = v_who OR EXISTS"_s,
        u"IF EXISTS"_s },
    { u"scope"_s, u"idemdesk._purge_where(jsonb, jsonb, jsonb, boolean, jsonb)"_s, u"CASE WHEN p_scoped THEN"_s,
        u"CASE WHEN false THEN"_s },
    { u"loosened"_s, u"idemdesk._register(text, oid, text, jsonb, text, jsonb, jsonb, jsonb, jsonb)"_s,
        u"v_looser := v_limit.approval_above IS NOT NULL"_s, u"v_looser := false"_s },
    // A batch that waited for the table's owner does not look what he did meanwhile.
    { u"race"_s, u"idemdesk._require_unchanged(jsonb)"_s, u"IF v_why IS NOT NULL THEN"_s, u"IF false THEN"_s },
    { u"rights"_s, u"idemdesk._may_read(oid, text)"_s, u"SELECT EXISTS ("_s, u"SELECT true OR EXISTS ("_s },
};

QString replaceInFunction(const PlantedFault &fault)
{
    return u"DO $planted$ DECLARE d text := pg_get_functiondef('%1'::regprocedure); BEGIN IF "
           u"position($f$%2$f$ IN d) = 0 THEN RAISE EXCEPTION 'the fragment is not there'; END IF; "
           "EXECUTE replace(d, $f$%2$f$, $f$%3$f$); END $planted$; "_s.arg(
               fault.function, fault.fragment, fault.instead);
}

} // namespace

QStringList faultNames()
{
    QStringList names { u"pin"_s };
    for (const PlantedFault &fault : kFaults) {
        names += fault.name;
    }
    return names;
}

QString faultSql(const QString &name)
{
    QString sql;
    if (name == u"nothing") {
        sql = u"SELECT 1; "_s;
    }
    if (name == u"pin") {
        // DateStyle is nobody's business: neither pinned where logins and trampolines enter, nor compared
        // afterwards.
        sql = u"DO $planted$ DECLARE f regprocedure; n int := 0; BEGIN "
              "FOR f IN SELECT p.oid FROM pg_proc p WHERE p.pronamespace = 'idemdesk'::regnamespace "
              "AND 'DateStyle=ISO, YMD' = ANY (p.proconfig) LOOP "
              "EXECUTE format('ALTER FUNCTION %s RESET DateStyle', f); n := n + 1; END LOOP; "
              "IF n < 20 THEN RAISE EXCEPTION 'only % functions had it pinned', n; END IF; END $planted$; "_s
            + replaceInFunction(
                { name, u"idemdesk._require_settings(text[])"_s, u"('DateStyle', 'ISO, YMD'), "_s, QString() });
    }
    for (const PlantedFault &fault : kFaults) {
        if (fault.name == name) {
            sql = replaceInFunction(fault);
        }
    }
    // As the installation ends: the audit log says what is remembered, too, or that alone would give each fault away.
    return sql.isEmpty() ? sql
                         : sql
            + u"DELETE FROM idemdesk.definition; INSERT INTO idemdesk.definition (name, digest) SELECT d.name, "
              "d.digest FROM idemdesk._definitions() d; SELECT idemdesk._chain('settings', NULL, NULL, NULL, "
              "idemdesk._settings_facts() || jsonb_build_object('definitions', idemdesk._definitions_sha()), NULL)"_s;
}

} // namespace idemdesk::tests::machine
