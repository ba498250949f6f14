// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/sql/attacks/machine/run.h"

#include "sql/actions/registration.h"
#include "sql/profile/binder.h"
#include "sql/profile/profile_json.h"
#include "tests/support/registered_table.h"

#include <QElapsedTimer>
#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace idemdesk::tests::machine {

Run::Run(ConsoleFixture &console, quint64 seed, Tally *tally, const QString &fault)
    : m_console(console)
    , m_chance(seed)
    , m_tally(tally)
{
    m_console.fresh();
    m_root = std::make_unique<Wire>(m_console.cluster().conninfoAs(m_console.superuser(), m_console.database()));
    m_root->run(u"SET timezone = 'UTC'; SET datestyle = 'ISO, YMD'; SET intervalstyle = 'postgres'; SET "
                "extra_float_digits = 1"_s);
    prepare(fault);
}

QString Run::rootValue(const QString &sql, const Wire::Arguments &arguments)
{
    const auto answer = m_root->run(sql, arguments);
    if (!answer.ok()) {
        qFatal("%s\n%s", qPrintable(answer.value()), qPrintable(sql));
    }
    return answer.value();
}

void Run::prepare(const QString &fault)
{
    if (!fault.isEmpty()) {
        rootValue(fault);
    }
    rootValue(u"INSERT INTO model.bystander (name) SELECT s || '.' || n FROM unnest(ARRAY['m_app', 'm_other', "
              "'m_part']) s, unnest(ARRAY['kept', 'own', 'ref']) n"_s);
    rootValue(u"SELECT model.begin()"_s);
    const int wanted = 1 + m_chance.below(2);
    for (int number = 1; number <= wanted; ++number) {
        for (int tries = 0; tries < 6 && !makeTarget(number); ++tries) { }
    }
    for (const TargetPlan &plan : m_plans) {
        if (plan.children) {
            rootValue(u"INSERT INTO model.bystander (name) VALUES ('%1.child_%2')"_s.arg(plan.schema, plan.name));
        }
    }
    rootValue(u"SELECT model.begin()"_s);
}

/// Makes a table and registers it; false where that was refused, after which nothing of it is left.
bool Run::makeTarget(int number)
{
    const QStringList schemas { u"m_app"_s, u"m_other"_s, u"m_part"_s };
    const QStringList owners { u"app_owner"_s, u"other_owner"_s, u"part_owner"_s };
    const int place = number == 2 ? 1 : m_chance.percent(30) ? 2 : 0;
    TargetPlan plan = planTarget(
        m_chance, u"t%1"_s.arg(number), schemas.at(place), owners.at(place), number * 1000, m_chance.percent(40));
    QStringList script { u"SET ROLE "_s + plan.owner };
    script += plan.statements;
    script
        += u"GRANT SELECT, INSERT, UPDATE, DELETE ON %1 TO idemdesk_runner_%2, service"_s.arg(plan.table(), plan.owner);
    script += u"GRANT SELECT ON %1 TO op, op2, duo, adm%2"_s.arg(
        plan.table(), m_chance.percent(50) ? u", viewer"_s : QString());
    script += u"GRANT SELECT, UPDATE ON %1 TO appr"_s.arg(plan.table());
    script += u"RESET ROLE"_s;
    script += plan.modelRow();
    script += u"SELECT model.watch('%1')"_s.arg(plan.name);
    m_script += script;
    const auto made = m_root->run(u"BEGIN; "_s + script.join(u";\n"_s) + u"; COMMIT"_s);
    if (!made.ok()) {
        m_root->run(u"ROLLBACK"_s);
        m_root->run(u"RESET ROLE"_s);
        note(u"table not made: "_s + made.message.section(u'\n', 0, 0).left(90));
        return false;
    }
    if (registerPlan(plan)) {
        m_plans.append(plan);
        rootValue(u"SELECT model.begin()"_s);
        for (const QString &feature : std::as_const(plan.features)) {
            note(u"accepted with: "_s + feature);
        }
        return true;
    }
    const QString before = rootValue(u"SELECT string_agg(x, E'\\n') FROM model.judge() x"_s);
    if (!before.isEmpty()) {
        differ(u"a refused registration left: "_s + before);
    }
    rootValue(
        u"DROP FUNCTION shadow.wrote_%1, shadow.gone_%1 CASCADE; DELETE FROM model.target WHERE name = '%1'"_s.arg(
            plan.name));
    m_root->run(u"DROP TABLE %1 CASCADE; DROP TABLE IF EXISTS %2.child_%3 CASCADE; DROP FUNCTION IF EXISTS "
                "%2.attacks_0_%3, %2.attacks_1_%3, %2.attacks_2_%3, %2.attacks_3_%3 CASCADE"_s.arg(
                    plan.table(), plan.schema, plan.name));
    return false;
}

bool Run::registerPlan(const TargetPlan &plan)
{
    const auto profile = sql::profileFromJson(plan.profile, u"machine"_s);
    if (!profile) {
        qFatal("profile: %s %s\n%s", qPrintable(profile.error().line()), qPrintable(profile.error().where),
            plan.profile.constData());
    }
    auto admin = openSession(m_console, u"adm"_s, sql::LaneKind::Write);
    const auto target = sql::bindTarget(*admin, *profile);
    if (!target) {
        note(u"refused: not bound, "_s + target.error().line().left(80));
        return false;
    }
    sql::RegistrationSettings settings;
    if (m_chance.percent(75)) {
        settings.approvalAbove = m_chance.below(8);
    }
    if (m_chance.percent(20)) {
        settings.undoWindow = u"0"_s;
    }
    ++m_actions;
    const auto registration = sql::registerTarget(*admin, *target, sql::profileToJson(*profile), settings, true);
    m_script += u"[adm] registers %1: %2"_s.arg(plan.name, QString::fromUtf8(plan.profile));
    if (!registration) {
        note(u"refused: "_s + (registration.error().line() + u' ' + registration.error().detail).left(110));
        return false;
    }
    if (registration->registered) {
        note(u"targets accepted"_s);
        return true;
    }
    for (const auto &item : registration->findings) {
        if (item.severity == u"problem" || item.severity == u"grant") {
            static const QRegularExpression number(u"[0-9]+"_s);
            note(u"refused: "_s + item.code + u": "_s + QString(item.text).replace(number, u"#"_s).left(70));
        }
    }
    note(u"targets refused"_s);
    return false;
}

Run::Actor &Run::actor(const QString &who)
{
    Actor &one = m_actors[who];
    if (!one.wire || one.wire->lost()) {
        one.wire = std::make_unique<Wire>(m_console.cluster().conninfoAs(who, m_console.database()));
        one.then = {};
        const QString settings = u"SET lock_timeout = '400ms'; SET statement_timeout = '20s'"_s + oddSettings(who);
        m_script += u"[%1] %2"_s.arg(who, settings);
        one.wire->run(settings);
    }
    return one;
}

bool Run::say(const QString &who, const QString &sql, const Wire::Arguments &arguments, const QString &what, Then then)
{
    Actor &one = actor(who);
    if (one.wire->waiting()) {
        return false;
    }
    QStringList values;
    for (const auto &argument : arguments) {
        values += argument ? u'\'' + *argument + u'\'' : u"NULL"_s;
    }
    m_script += u"[%1] %2%3"_s.arg(who, sql, values.isEmpty() ? QString() : u"  -- "_s + values.join(u", "_s));
    one.then = std::move(then);
    one.what = what;
    one.wire->send(sql, arguments);
    settle(who);
    return true;
}

/// Takes the answer of one who has it, or leaves him waiting for somebody else.
void Run::settle(const QString &who)
{
    Actor &one = actor(who);
    QElapsedTimer clock;
    clock.start();
    for (int wait = 20; !one.wire->ready(wait); wait = 30) {
        const QString blocked
            = rootValue(u"SELECT cardinality(pg_blocking_pids($1)) > 0"_s, { QString::number(one.wire->pid()) });
        if (blocked == u"t") {
            note(u"waits for a lock"_s);
            m_script += u"[%1] … waits"_s.arg(who);
            return;
        }
        if (clock.elapsed() > 60'000) {
            qFatal("no answer to %s after a minute", qPrintable(m_script.constLast()));
        }
    }
    const auto answer = one.wire->take();
    if (!one.what.isEmpty()) {
        note(one.what + (answer.ok() ? u": ok"_s : u": "_s + answer.state));
        static const QStringList odd { u"XX000"_s, u"42883"_s, u"42P01"_s, u"42703"_s, u"42601"_s, u"42804"_s,
            u"P0002"_s, u"P0003"_s, u"P0004"_s, u"ID010"_s, u"22P02"_s };
        if (odd.contains(answer.state)) {
            note(u"odd: "_s + one.what + u' ' + answer.state + u' ' + answer.message.section(u'\n', 0, 0).left(120));
        }
    }
    m_script += u"[%1] → %2"_s.arg(
        who, answer.ok() ? answer.value().left(200) : answer.state + u": "_s + answer.message.section(u'\n', 0, 0));
    if (const Then then = std::exchange(one.then, {})) {
        then(answer);
    }
}

/// Those who waited and need not any more.
void Run::reap(int milliseconds)
{
    for (auto &[who, one] : m_actors) {
        if (one.wire && one.wire->waiting() && one.wire->ready(milliseconds)) {
            settle(who);
        }
    }
}

/// Ends all transactions and waits for those who wait.
void Run::quiesce(const QString &but)
{
    // No lock lasts so long, however slow the machine is: a deadlock that the server does not see.
    constexpr qint64 kForEverMs = 300'000;
    QElapsedTimer clock;
    clock.start();
    while (clock.elapsed() < kForEverMs) {
        bool any = false;
        for (auto &[who, one] : m_actors) {
            if (who == but || !one.wire) {
                continue;
            }
            if (one.wire->waiting()) {
                any = true;
                if (one.wire->ready(20)) {
                    settle(who);
                }
            } else if (one.wire->inTransaction()) {
                any = true;
                say(who, m_chance.percent(60) ? u"COMMIT"_s : u"ROLLBACK"_s);
            }
        }
        if (!any) {
            if (m_race >= 0) {
                m_changed = std::exchange(m_race, -1);
            }
            return;
        }
    }
    qFatal("somebody waits for ever");
}

void Run::call(const QString &who, const QString &function, const Wire::Arguments &arguments, const QString &types,
    const QString &action, const QString &batch, Then then)
{
    if (actor(who).wire->waiting()) {
        return;
    }
    rootValue(u"INSERT INTO model.sent (who, fn, action, batch) VALUES ($1, $2, nullif($3, '')::uuid, nullif($4, "
              "'')::integer)"_s,
        { who, function, action, batch });
    QStringList places;
    const QStringList names = types.split(u' ', Qt::SkipEmptyParts);
    for (int i = 0; i < arguments.size(); ++i) {
        places += u"$%1"_s.arg(i + 1) + (i < names.size() && names.at(i) != u"-" ? u"::"_s + names.at(i) : QString());
    }
    const QString form = m_chance.of(QStringList { u"SELECT idemdesk.%1(%2)"_s, u"SELECT idemdesk.%1(%2)"_s,
        u"SELECT * FROM idemdesk.%1(%2)"_s, u"/* a remark */ select idemdesk.%1(%2) ;"_s });
    say(who, form.arg(function, places.join(u", "_s)), arguments, function, std::move(then));
}

QStringList Run::play(int actions)
{
    if (m_plans.isEmpty()) {
        return m_differences;
    }
    for (int steps = 0; m_actions < actions && steps < actions * 12; ++steps) {
        step();
        reap(0);
    }
    quiesce();
    const auto answer = m_root->run(u"SELECT * FROM model.judge()"_s);
    if (!answer.ok()) {
        differ(u"the model cannot judge: "_s + answer.value());
    }
    for (const QStringList &row : answer.rows) {
        differ(row.value(0));
    }
    const auto tally = m_root->run(u"SELECT what, n FROM model.tally"_s);
    for (const QStringList &row : tally.rows) {
        note(row.value(0), row.value(1).toLongLong());
    }
    return m_differences;
}

qint64 Run::changedRows(const Tally &tally)
{
    qint64 rows = 0;
    for (const auto &[what, n] : tally) {
        rows += what.endsWith(u" rows") && what != u"direct rows" ? n : 0;
    }
    return rows;
}

} // namespace idemdesk::tests::machine
