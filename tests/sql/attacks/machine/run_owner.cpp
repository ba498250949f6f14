// SPDX-License-Identifier: GPL-3.0-or-later
// What the owners of tables do to them while actions are under way.
#include "tests/sql/attacks/machine/run.h"

using namespace Qt::StringLiterals;

namespace idemdesk::tests::machine {

/// What its owner did to the table is taken back or looked at, so that people can act on it again.
void Run::repair(const TargetPlan &plan)
{
    quiesce();
    say(plan.owner,
        u"ALTER TABLE %1 DISABLE ROW LEVEL SECURITY; REVOKE CREATE ON SCHEMA %2 FROM mallory"_s.arg(
            plan.table(), plan.schema));
    for (int i = 1; i <= m_later; ++i) {
        say(plan.owner, u"DROP RULE IF EXISTS later_%2 ON %1"_s.arg(plan.table()).arg(i));
        const QString child = u"%1.race_%2_%3"_s.arg(plan.schema).arg(i).arg(plan.name);
        const auto lost = m_root->run(
            u"DELETE FROM model.bystander b WHERE b.name = $1 RETURNING b.digest <> model.digest_of(b.name)"_s,
            { child });
        if (lost.value() == u"t") {
            differ(u"rows of %1 went, or were changed"_s.arg(child));
        }
        say(plan.owner, u"DROP TABLE IF EXISTS "_s + child);
        say(plan.owner, u"DROP FUNCTION IF EXISTS %1.later_%2_%3 CASCADE"_s.arg(plan.schema).arg(i).arg(plan.name));
    }
    m_raced = -1;
    say(u"adm"_s, u"ROLLBACK; RESET ALL"_s);
    rootValue(u"UPDATE model.guarded g SET digest = p.digest FROM model.protected() p WHERE p.name = g.name AND "
              "g.name = 'schemas'"_s);
    registerAgain(plan, plan.name, u"{\"approval_above\": %1}"_s.arg(m_chance.below(9)), std::nullopt);
}

void Run::race()
{
    if (m_race >= 0 || m_raced >= 0 || m_changed >= 0) {
        return;
    }
    const int place = m_chance.below(int(m_plans.size()));
    TargetPlan &plan = m_plans[place];
    const int number = ++m_later;
    QString change;
    if (m_chance.percent(50)) {
        const QString name = u"later_%1_%2"_s.arg(number).arg(plan.name);
        say(plan.owner,
            u"CREATE FUNCTION %1.%2() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.res := 'raced'; "
            u"RETURN "
            "NEW; END $$"_s.arg(plan.schema, name));
        change = u"CREATE TRIGGER %2 BEFORE UPDATE ON %3 FOR EACH ROW EXECUTE FUNCTION %1.%2()"_s.arg(
            plan.schema, name, plan.table());
    } else {
        const QString child = u"%1.race_%2_%3"_s.arg(plan.schema).arg(number).arg(plan.name);
        QStringList own;
        QStringList copied;
        for (const QString &column : plan.identity) {
            own += u"p_"_s + column;
            copied += u"t.%1 AS p_%1"_s.arg(column);
        }
        say(plan.owner, u"CREATE TABLE %1 AS SELECT %2 FROM %3 t"_s.arg(child, copied.join(u", "_s), plan.table()));
        rootValue(u"INSERT INTO model.bystander SELECT $1, model.digest_of($1) WHERE to_regclass($1) IS NOT NULL"_s,
            { child });
        plan.children = true;
        change = u"ALTER TABLE %1 ADD FOREIGN KEY (%2) REFERENCES %3 ON DELETE CASCADE"_s.arg(
            child, own.join(u", "_s), plan.table());
    }
    m_raced = place;
    say(plan.owner, u"BEGIN"_s);
    say(plan.owner, change, {}, u"race"_s, [=, this](const Connection::Answer &answer) {
        if (answer.ok()) {
            m_race = place;
        } else {
            say(m_plans.at(place).owner, u"ROLLBACK"_s);
            m_changed = place; // what was made before the change is taken back with it
        }
    });
}

void Run::endRace()
{
    const int place = std::exchange(m_race, -1);
    m_changed = place;
    say(m_plans.at(place).owner, m_chance.percent(90) ? u"COMMIT"_s : u"ROLLBACK"_s);
}

/// The table's owner changes it while actions are under way.
void Run::owner()
{
    m_changed = m_chance.below(int(m_plans.size()));
    const TargetPlan &plan = m_plans.at(m_changed);
    const QString t = plan.table();
    const QString &s = plan.schema;
    quiesce();
    const auto judged = m_root->run(u"SELECT * FROM model.judge_events()"_s);
    for (const QStringList &row : judged.rows) {
        differ(row.value(0));
    }
    QStringList statements;
    switch (m_chance.below(9)) {
    case 0:
        statements += u"ALTER TABLE %1 ADD COLUMN later_%2 int DEFAULT 7"_s.arg(t).arg(++m_later);
        break;
    case 1:
        statements = laterTrigger(m_chance, plan, ++m_later);
        break;
    case 2:
        statements += u"ALTER TABLE %1 DISABLE TRIGGER USER"_s.arg(t);
        break;
    case 3:
        statements += u"ALTER TABLE %1 ENABLE TRIGGER USER"_s.arg(t);
        break;
    case 4:
        statements += u"CREATE RULE later_%2 AS ON DELETE TO %1 DO INSTEAD NOTHING"_s.arg(t).arg(++m_later);
        break;
    case 5:
        statements += u"ALTER TABLE %1 ENABLE ROW LEVEL SECURITY"_s.arg(t);
        break;
    case 6:
        statements += u"ALTER TABLE %1 DISABLE ROW LEVEL SECURITY"_s.arg(t);
        break;
    case 7:
        statements += u"GRANT CREATE ON SCHEMA %1 TO mallory"_s.arg(s);
        break;
    default:
        statements += u"ALTER TABLE %1 ALTER COLUMN note TYPE varchar(200)"_s.arg(t);
        break;
    }
    if (m_chance.percent(50)) {
        statements += u"REVOKE CREATE ON SCHEMA %1 FROM mallory"_s.arg(s);
    }
    for (const QString &statement : std::as_const(statements)) {
        say(plan.owner, statement, {}, u"owner"_s);
    }
    rootValue(u"SELECT model.watch('%1'); UPDATE model.guarded g SET digest = p.digest FROM "
              u"model.protected() p WHERE "
              "p.name = g.name AND g.name = 'schemas'"_s.arg(plan.name));
}

} // namespace idemdesk::tests::machine
