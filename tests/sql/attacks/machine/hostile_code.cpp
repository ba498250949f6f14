// SPDX-License-Identifier: GPL-3.0-or-later
// What a table's owner may have it do. Where a trigger may rightly change something, it says so itself
// (shadow.wrote_…, or the plan's "touched"); of all else nothing may be left.
#include "tests/sql/attacks/machine/target_plan.h"

using namespace Qt::StringLiterals;

namespace idemdesk::tests::machine {

namespace {

struct HostileBody {
    QString name;
    QString sql; ///< within BEGIN … END of a trigger function
    bool before = false; ///< only as BEFORE … FOR EACH ROW
    bool after = false; ///< only as AFTER … FOR EACH ROW
};

/// An attempt that must come to nothing; whether it says so does not matter.
QString attempt(const QString &sql)
{
    return u"BEGIN %1; EXCEPTION WHEN OTHERS THEN NULL; END;"_s.arg(sql);
}

const QStringList kAttempts {
    u"DELETE FROM idemdesk.audit"_s,
    u"UPDATE idemdesk.action SET state = 'running', approved_by = 'appr'"_s,
    u"UPDATE idemdesk.target SET approval_above = NULL"_s,
    u"INSERT INTO idemdesk.shared_login VALUES ('appr')"_s,
    u"TRUNCATE idemdesk.action_item"_s,
    u"DROP TRIGGER keep_rows ON idemdesk.audit"_s,
    u"ALTER TABLE idemdesk.audit DISABLE TRIGGER ALL"_s,
    u"ALTER FUNCTION idemdesk._evidence(jsonb, jsonb, text, timestamptz, text, text[]) STRICT"_s,
    u"CREATE FUNCTION idemdesk.now() RETURNS timestamptz LANGUAGE sql AS 'SELECT NULL::timestamptz'"_s,
    u"GRANT idemdesk_owner TO PUBLIC"_s,
    u"GRANT SELECT ON idemdesk.action_item TO PUBLIC"_s,
    u"DELETE FROM m_app.kept"_s,
    u"UPDATE m_other.kept SET a = a + 1"_s,
    u"TRUNCATE m_part.kept"_s,
    // Its owner's code may do that, where it runs as the owner.
    u"IF starts_with(current_user::text, 'idemdesk_runner_') THEN DELETE FROM @S.own; END IF"_s,
    // The service and the approver have rights of their own there; the console's runner has none.
    u"IF current_user NOT IN ('service', 'appr') THEN DELETE FROM @X; END IF"_s,
    u"IF current_user NOT IN ('service', 'appr') THEN UPDATE @X SET note = 'reached'; END IF"_s,
    u"PERFORM idemdesk.approve_action((SELECT h.id FROM shadow.hint h ORDER BY h.n DESC LIMIT 1), true)"_s,
    u"PERFORM idemdesk.set_action((SELECT h.id FROM shadow.hint h ORDER BY h.n LIMIT 1), 'cancelled')"_s,
    u"PERFORM idemdesk.unregister_target('@N')"_s,
    u"PERFORM idemdesk.set_kept('items', '7 days')"_s,
    u"PERFORM idemdesk.purge_batch((SELECT h.id FROM shadow.hint h ORDER BY h.n DESC LIMIT 1), 1, 10000)"_s,
    u"PERFORM idemdesk._chain('lie', NULL, NULL, NULL, '{}', NULL)"_s,
    u"EXECUTE 'SET ROLE idemdesk_owner'"_s,
    u"EXECUTE 'SET SESSION AUTHORIZATION appr'"_s,
    u"EXECUTE 'CREATE SCHEMA sneaked'"_s,
    u"EXECUTE 'ALTER ROLE op SUPERUSER'"_s,
    u"EXECUTE (SELECT format('ALTER FUNCTION %s RESET ALL', p.oid::regprocedure) FROM pg_proc p WHERE "
    "p.proowner = current_user::regrole LIMIT 1)"_s,
    u"EXECUTE (SELECT format('ALTER FUNCTION %s SECURITY INVOKER', p.oid::regprocedure) FROM pg_proc p WHERE "
    "p.proowner = current_user::regrole LIMIT 1)"_s,
    u"CREATE TEMP TABLE pg_class (a int)"_s,
    u"CREATE FUNCTION pg_temp.format(text) RETURNS text LANGUAGE sql AS 'SELECT NULL::text'"_s,
};

const QString kEveryFourth = u"abs(hashtext(CASE TG_OP WHEN 'DELETE' THEN OLD.k::text ELSE NEW.k::text END)) % 4 = 1"_s;

const QStringList kRaised { u"P0001"_s, u"23514"_s, u"22003"_s, u"40P01"_s, u"55P03"_s, u"ID020"_s, u"ID004"_s,
    u"23505"_s, u"42501"_s, u"42883"_s };
const QStringList kSet { u"'datestyle', 'SQL, DMY'"_s, u"'array_nulls', 'off'"_s, u"'timezone', 'Asia/Kathmandu'"_s,
    u"'row_security', 'off'"_s, u"'search_path', 'evil, pg_catalog'"_s, u"'session_replication_role', 'replica'"_s,
    u"'quote_all_identifiers', 'on'"_s, u"'statement_timeout', '0'"_s, u"'transaction_read_only', 'off'"_s,
    u"'extra_float_digits', '-15'"_s, u"'intervalstyle', 'sql_standard'"_s };

HostileBody hostileBody(Chance &chance)
{
    switch (chance.below(12)) {
    case 0:
        return { u"trigger sets a column"_s, u"IF TG_OP <> 'DELETE' THEN NEW.note := 'by a trigger'; END IF;"_s, true,
            false };
    case 1:
        return { u"trigger writes a neighbour"_s,
            u"IF pg_trigger_depth() = 1 THEN UPDATE @T t SET note = left(coalesce(t.note, '') || '+', 20) "
            u"WHERE t.ctid = (SELECT o.ctid FROM @T o "
            "WHERE o.k <> OLD.k ORDER BY o.k::text LIMIT 1) AND t.tableoid = (SELECT o.tableoid FROM @T o "
            "WHERE o.k <> OLD.k ORDER BY o.k::text LIMIT 1) "
            "RETURNING shadow.wrote_@N(t) INTO v_said; END IF;"_s,
            false, true };
    case 2:
        return { u"trigger raises"_s,
            u"IF %1 THEN RAISE EXCEPTION 'not this row' USING ERRCODE = '%2'; END IF;"_s.arg(
                kEveryFourth, chance.of(kRaised)),
            chance.percent(50), true };
    case 3:
        return { u"trigger swallows"_s, u"IF %1 THEN RETURN NULL; END IF;"_s.arg(kEveryFourth), true, false };
    case 4:
        return { u"trigger sets a setting"_s, u"PERFORM set_config(%1, false);"_s.arg(chance.of(kSet)), false, false };
    case 5:
        return { u"trigger locks and notifies"_s,
            u"PERFORM pg_advisory_xact_lock(hashtext('idemdesk')); NOTIFY idemdesk_trail, 'x'; "
            "SET CONSTRAINTS ALL DEFERRED;"_s,
            false, false };
    case 6:
        return { u"trigger writes the log"_s, u"INSERT INTO @S.log (what) VALUES (TG_OP);"_s, false, false };
    default: {
        QString sql;
        for (int i = 0, n = chance.below(4); i <= n; ++i) {
            sql += attempt(chance.of(kAttempts));
        }
        return { u"trigger attempts"_s, sql, false, false };
    }
    }
}

QStringList triggerStatements(
    Chance &chance, HostileBody body, const QString &name, const TargetPlan &plan, bool plain, QStringList *features)
{
    const bool definer = chance.percent(15);
    if (plan.schema == u"m_part") { // there the runner has all that is its owner's
        body.sql.replace(u"@S.own"_s, u"m_app.kept"_s);
    }
    body.sql.replace(u"@X"_s, plan.schema == u"m_other" ? u"m_app.t1"_s : u"m_other.t2"_s);
    const bool row = body.before || body.after || chance.percent(70);
    const bool late = !plain && row && !body.before && chance.percent(12);
    const bool before = body.before || (!body.after && !late && chance.percent(50));
    const QString events = body.after && body.name != u"trigger raises"_s
        ? u"UPDATE"_s
        : chance.of(QStringList { u"UPDATE"_s, u"DELETE"_s, u"INSERT OR UPDATE OR DELETE"_s, u"UPDATE OR DELETE"_s });
    *features += body.name;
    if (late) {
        *features += u"deferrable trigger"_s;
    }
    return { u"CREATE FUNCTION @S.%1() RETURNS trigger LANGUAGE plpgsql%2 AS $body$ DECLARE v_said text; "
             u"BEGIN %3 IF TG_LEVEL = 'STATEMENT' THEN RETURN NULL; END IF; "
             "IF TG_OP = 'DELETE' THEN RETURN OLD; END IF; RETURN NEW; END $body$"_s.arg(
                 name, definer ? u" SECURITY DEFINER"_s : QString(), body.sql),
        u"CREATE %1TRIGGER %2 %3 %4 ON @T %5FOR EACH %6 EXECUTE FUNCTION @S.%2()"_s.arg(
            late ? u"CONSTRAINT "_s : QString(), name, before ? u"BEFORE"_s : u"AFTER"_s, events,
            late ? u"DEFERRABLE INITIALLY %1 "_s.arg(chance.percent(50) ? u"DEFERRED"_s : u"IMMEDIATE"_s) : QString(),
            row ? u"ROW"_s : u"STATEMENT"_s) };
}

/// Rows of another table that point at this one.
void addChildren(Chance &chance, TargetPlan *plan)
{
    const QString act = chance.of(QStringList {
        u"CASCADE"_s, u"SET NULL"_s, u"RESTRICT"_s, u"NO ACTION"_s, u"NO ACTION DEFERRABLE INITIALLY DEFERRED"_s });
    QStringList own;
    for (const QString &column : plan->identity) {
        own += u"p_"_s + column;
    }
    plan->statements += u"CREATE TABLE @S.child_@N AS SELECT %1 FROM @T t ORDER BY t.k::text LIMIT 3"_s.arg([&] {
        QStringList list;
        for (const QString &column : plan->identity) {
            list += u"t.%1 AS p_%1"_s.arg(column);
        }
        return list.join(u", "_s);
    }());
    plan->statements
        += u"ALTER TABLE @S.child_@N ADD FOREIGN KEY (%1) REFERENCES @T ON DELETE %2"_s.arg(own.join(u", "_s), act);
    plan->features += u"foreign key in, "_s + act.section(u" DEF"_s, 0, 0);
    plan->children = true;
}

void addRule(Chance &chance, TargetPlan *plan)
{
    const QString event = chance.of(QStringList { u"UPDATE"_s, u"DELETE"_s, u"INSERT"_s });
    const QString act = chance.of(QStringList { u"INSTEAD NOTHING"_s, u"ALSO NOTIFY attacked"_s,
        u"ALSO INSERT INTO @S.log (what) VALUES ('rule')"_s,
        u"ALSO SELECT idemdesk.approve_action((SELECT h.id FROM shadow.hint h ORDER BY h.n DESC LIMIT 1), true)"_s });
    plan->statements += u"CREATE RULE rewrites AS ON %1 TO @T DO %2"_s.arg(event, act);
    plan->features += u"rule on "_s + event;
}

} // namespace

void addHostileCode(Chance &chance, TargetPlan *plan, bool plain)
{
    plan->touched = { u"note"_s };
    for (int i = 0, n = chance.below(plain ? 2 : 4); i < n; ++i) {
        plan->statements
            += triggerStatements(chance, hostileBody(chance), u"attacks_%1_@N"_s.arg(i), *plan, plain, &plan->features);
    }
    if (chance.percent(plain ? 6 : 18)) {
        addChildren(chance, plan);
    }
    if (!plain && chance.percent(8)) {
        addRule(chance, plan);
    }
    if (!plain && chance.percent(8)) {
        plan->statements += QStringList { u"ALTER TABLE @T ENABLE ROW LEVEL SECURITY"_s,
            u"CREATE POLICY partial ON @T USING (%1) WITH CHECK (true)"_s.arg(
                chance.percent(50) ? u"true"_s : u"st::text <> 'dead'"_s) };
        plan->features += u"row security"_s;
    }
    if (!plain && chance.percent(6) && plan->partitions.isEmpty()) {
        plan->statements += u"CREATE TABLE @S.heir_@N () INHERITS (@T)"_s;
        plan->statements += u"ALTER TABLE @S.heir_@N ADD PRIMARY KEY (%1)"_s.arg(plan->identity.join(u", "_s));
        plan->features += u"inherited"_s;
    }
    if (!plain && chance.percent(5)) {
        plan->statements += u"ALTER TABLE @T ADD CONSTRAINT bounded CHECK (att < 6)"_s;
    }
}

QStringList laterTrigger(Chance &chance, const TargetPlan &plan, int number)
{
    QStringList features;
    QStringList statements
        = triggerStatements(chance, hostileBody(chance), u"later_%1_@N"_s.arg(number), plan, false, &features);
    for (QString &statement : statements) {
        statement.replace(u"@S"_s, plan.schema).replace(u"@T"_s, plan.table()).replace(u"@N"_s, plan.name);
    }
    return statements;
}

} // namespace idemdesk::tests::machine
