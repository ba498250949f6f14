// SPDX-License-Identifier: GPL-3.0-or-later
// What operators and approvers do, rightly and wrongly.
#include "tests/sql/attacks/machine/run.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

using namespace Qt::StringLiterals;

namespace idemdesk::tests::machine {

namespace {

const QStringList kOperators { u"op"_s, u"op2"_s, u"duo"_s };
const QString kReason = u"the machine"_s;

QString jsonField(const Connection::Answer &answer, const QString &name)
{
    return QJsonDocument::fromJson(answer.value().toUtf8()).object().value(name).toVariant().toString();
}

} // namespace

/// One turn of one person.
void Run::step()
{
    const QString op = m_chance.of(kOperators);
    const QString anybody = m_chance.of(
        QStringList { u"op"_s, u"op2"_s, u"duo"_s, u"viewer"_s, u"mallory"_s, u"service"_s, u"adm"_s, u"appr"_s });
    recoverFrom(op);
    const int dice = m_chance.below(100);
    if (dice < 16) {
        openChange(op);
    } else if (dice < 22) {
        openPurge(op);
    } else if (dice < 27) {
        openUndo(op);
    } else if (dice < 53) {
        batch(op);
    } else if (dice < 57) {
        set(op);
    } else if (dice < 63) {
        approve(m_chance.of(QStringList { u"appr"_s, u"appr"_s, u"appr"_s, u"duo"_s, u"op"_s, u"adm"_s }));
    } else if (dice < 66) {
        partition(op);
    } else if (dice < 69) {
        wrapped(anybody);
    } else if (dice < 81) {
        worker();
    } else if (dice < 83) {
        admin();
    } else if (dice < 84) {
        m_chance.percent(50) ? owner() : race();
    } else if (dice < 86) {
        openChange(anybody);
    } else if (dice < 90) {
        session(anybody);
    } else if (dice < 94) {
        transaction(op);
    } else if (dice < 97) {
        forge(anybody);
    } else if (dice < 99) {
        look(m_chance.percent(50) ? u"viewer"_s : anybody);
    } else {
        touch(u"appr"_s);
    }
}

/// People go on after what went wrong: a failed transaction ends, settings are set back, a changed table is
/// registered again. Else most of what follows would be refused for the same reason.
void Run::recoverFrom(const QString &who)
{
    if (actor(who).wire->failedTransaction() && m_chance.percent(80)) {
        say(who, u"ROLLBACK"_s);
    }
    if (m_chance.percent(8)) {
        say(who, u"RESET ALL; SET lock_timeout = '400ms'"_s + oddSettings(who));
    }
    const bool waited = std::any_of(m_actors.begin(), m_actors.end(),
        [](const auto &one) { return one.second.wire && one.second.wire->waiting(); });
    if (m_race >= 0 && m_chance.percent(waited ? 60 : 8)) {
        endRace();
    } else if (m_race < 0 && m_changed >= 0 && m_chance.percent(12)) {
        const int place = std::exchange(m_changed, -1);
        repair(m_plans.at(place));
    }
}

Run::Known *Run::known(const QString &id)
{
    const auto it = std::find_if(m_known.begin(), m_known.end(), [&id](const Known &one) { return one.id == id; });
    return it == m_known.end() ? nullptr : &*it;
}

Run::Known *Run::pick(const QStringList &states)
{
    QList<int> fit;
    for (int i = 0; i < m_known.size(); ++i) {
        if (states.contains(m_known.at(i).state)) {
            fit += i;
        }
    }
    // Most often one of the newest: the older ones are done with.
    return fit.isEmpty()
        ? nullptr
        : &m_known[fit.at(m_chance.percent(60) ? fit.size() - 1 - m_chance.below(qMin(3, int(fit.size())))
                                               : m_chance.below(int(fit.size())))];
}

void Run::opened(
    const QString &who, const QString &id, int plan, const QString &verb, bool images, const Connection::Answer &answer)
{
    const QString state = answer.ok() ? jsonField(answer, u"state"_s) : QString();
    if (state.isEmpty()) {
        return;
    }
    rootValue(u"UPDATE model.asked SET ok = true WHERE n = (SELECT max(a.n) FROM model.asked a WHERE a.action = $1 "
              "AND a.who = $2)"_s,
        { id, who });
    if (known(id)) {
        return;
    }
    note(u"opened: %1 %2"_s.arg(verb, state));
    m_known.append({ id, plan, verb, 1, state, who, images });
    rootValue(u"INSERT INTO shadow.hint (id) VALUES ($1)"_s, { id });
}

/// What no honest console sends.
QString Run::forged(const QString &rows, QString *verb, QString *id)
{
    QJsonArray list = QJsonDocument::fromJson(rows.toUtf8()).array();
    const auto change = [&list](const QString &member, const QJsonValue &value) {
        QJsonObject one = list.first().toObject();
        one.insert(member, value);
        list.replace(0, one);
    };
    switch (list.isEmpty() ? 5 : m_chance.below(7)) {
    case 0:
        list.append(list.first());
        break;
    case 1:
        change(u"r"_s, -1);
        break;
    case 2:
        change(u"r"_s, QJsonValue());
        break;
    case 3:
        change(u"g"_s, QJsonArray { QJsonValue(), QJsonValue(), u"9"_s });
        break;
    case 4:
        list.append(list.first());
        change(u"i"_s, QJsonArray { u"no such"_s, QString(3000, u'x') });
        break;
    case 5:
        *verb = m_chance.of(QStringList { u"purge"_s, u"undo"_s, u"detach"_s, u"limit"_s, u"recover"_s });
        break;
    default:
        if (const Known *other = pick({ u"running"_s, u"finished"_s, u"requested"_s })) {
            *id = other->id;
        }
        break;
    }
    return QString::fromUtf8(QJsonDocument(list).toJson(QJsonDocument::Compact));
}

void Run::openChange(const QString &who)
{
    const int place = m_chance.below(int(m_plans.size()));
    const TargetPlan &plan = m_plans.at(place);
    const int rule = m_chance.below(int(plan.rules.size()));
    const PlannedRule &chosen = plan.rules.at(rule);
    const bool fitting = m_chance.percent(75);
    const QString states = fitting ? u"{"_s + chosen.from.join(u',') + u'}' : QString();
    QString rows = rootValue(u"SELECT model.frozen($1, $2, nullif($3, '')::text[], $4, $5, $6)"_s,
        { plan.name, QString::number(rule), states,
            fitting && chosen.verb == u"recover" && m_chance.percent(80) ? u"true"_s : u"false"_s,
            QString::number(m_chance.below(1000)),
            QString::number(1 + m_chance.below(m_chance.percent(70) ? 5 : 14)) });
    QString id = m_chance.uuid();
    QString verb = chosen.verb;
    if (m_chance.percent(12)) {
        rows = forged(rows, &verb, &id);
    }
    ++m_actions;
    rootValue(
        u"INSERT INTO model.asked (action, who, target, verb, rows, plan) VALUES ($1, $2, $3, $4, $5::jsonb, '{}')"_s,
        { id, who, plan.name, verb, rows });
    const QString sha
        = rootValue(u"SELECT encode(profile_sha, 'hex') FROM (SELECT 1) x LEFT JOIN idemdesk.target t ON t.name = $1"_s,
            { plan.name });
    const QString reason = m_chance.percent(96) ? kReason
                                                : m_chance.of(QStringList { QString(), u" \t\n"_s,
                                                    QString(200'000, u'r'), u"'; DROP TABLE idemdesk.audit; --"_s });
    call(who, u"open_action"_s, { id, plan.name, verb, reason, std::nullopt, u"{}"_s, sha, rows },
        u"uuid text text text text jsonb text jsonb"_s, id, {},
        [=, this](const Connection::Answer &answer) { opened(who, id, place, verb, true, answer); });
}

void Run::openPurge(const QString &who)
{
    const int place = m_chance.below(int(m_plans.size()));
    const TargetPlan &plan = m_plans.at(place);
    const QString id = m_chance.uuid();
    const int dice = m_chance.below(100);
    const QString cutoff = dice < 75 ? rootValue(u"SELECT clock_timestamp() - interval '%1 hours'"_s.arg(
                               m_chance.percent(60) ? 0 : m_chance.below(800)))
                                     : m_chance.of(QStringList { u"now"_s, u"30-01-25"_s, u"01-02-2026"_s,
                                         u"infinity"_s, u"tomorrow"_s, u"2090-01-01"_s, u"yesterday"_s, u"epoch"_s });
    const QString states = m_chance.percent(80)
        ? u"[\"succeeded\",\"failed_final\"]"_s
        : m_chance.of(QStringList { u"[\"succeeded\"]"_s, u"[\"in_progress\"]"_s,
            u"[\"failed_retryable\",\"succeeded\"]"_s, u"[]"_s, u"[\"unknown\"]"_s });
    const bool images = m_chance.percent(85);
    QString scopes = u"null"_s;
    if (m_chance.percent(25)) {
        scopes = rootValue(u"SELECT jsonb_agg(x.s) FROM (SELECT DISTINCT jsonb_build_array(t.s::text) AS s "
                           u"FROM %1 t ORDER BY "
                           "1 LIMIT %2) x"_s.arg(plan.table())
                               .arg(m_chance.below(3)));
        scopes = scopes.isEmpty() ? u"[]"_s : scopes;
    }
    const QString json = u"{\"cutoff\":\"%1\",\"states\":%2,\"scopes\":%3,\"images\":%4,\"expected\":%5}"_s.arg(cutoff,
        states, scopes, images ? u"true"_s : u"false"_s,
        QString::number(m_chance.percent(70) ? m_chance.below(12)
                : m_chance.below(2)          ? 0
                                             : -1));
    ++m_actions;
    rootValue(u"INSERT INTO model.asked (action, who, target, verb, rows, plan) VALUES ($1, $2, $3, 'purge', '[]', "
              "$4::jsonb)"_s,
        { id, who, plan.name, json });
    const QString sha
        = rootValue(u"SELECT encode(profile_sha, 'hex') FROM (SELECT 1) x LEFT JOIN idemdesk.target t ON t.name = $1"_s,
            { plan.name });
    call(who, u"open_action"_s, { id, plan.name, u"purge"_s, kReason, u"T-1"_s, json, sha, u"[]"_s },
        u"uuid text text text text jsonb text jsonb"_s, id, {}, [=, this](const Connection::Answer &answer) {
            opened(who, id, place, u"purge"_s, images, answer);
            if (answer.ok() && m_chance.percent(40)) {
                oldRows(place); // more to take than there was when it was counted
            }
        });
}

void Run::openUndo(const QString &who)
{
    Known *of = pick(m_chance.percent(90) ? QStringList { u"finished"_s, u"cancelled"_s }
                                          : QStringList { u"running"_s, u"paused"_s, u"requested"_s, u"finished"_s });
    if (!of) {
        return;
    }
    const QString id = m_chance.uuid();
    const QString changed = of->id;
    const int place = of->plan;
    ++m_actions;
    call(who, u"open_undo"_s, { id, changed, kReason, std::nullopt }, u"uuid uuid text text"_s, id, {},
        [=, this](const Connection::Answer &answer) { opened(who, id, place, u"undo"_s, true, answer); });
    if (const QString since = m_chance.percent(50) ? writeToMeantRow(m_plans.at(place), changed) : QString();
        !since.isEmpty()) {
        say(u"service"_s, since, {}, u"worker"_s); // what the undo must leave alone
    }
}

void Run::batch(const QString &who)
{
    const Known *found = pick(m_chance.percent(92)
            ? QStringList { u"running"_s }
            : QStringList { u"running"_s, u"paused"_s, u"requested"_s, u"finished"_s, u"cancelled"_s });
    if (!found) {
        return;
    }
    const Known chosen = *found;
    const Known *action = &chosen;
    const QString function = m_chance.percent(3)
        ? m_chance.of(QStringList { u"change_batch"_s, u"purge_batch"_s, u"undo_batch"_s })
        : action->verb == u"purge" ? u"purge_batch"_s
        : action->verb == u"undo"  ? u"undo_batch"_s
                                   : u"change_batch"_s;
    const int number = m_chance.percent(92) ? action->batch : m_chance.below(action->batch + 3) - 1;
    const QString limit = m_chance.percent(90) ? QString::number(1 + m_chance.below(m_chance.percent(70) ? 8 : 600))
                                               : m_chance.of(QStringList { u"-1"_s, u"0"_s, u"2000000000"_s });
    const bool imageless = !action->images;
    if (imageless) {
        // Which rows went can only be told by who is left: nobody else may be writing meanwhile.
        quiesce();
    }
    const QString id = action->id;
    call(who, function, { id, QString::number(number), m_chance.percent(2) ? std::optional<QString>() : limit },
        u"uuid integer integer"_s, id, QString::number(number), [=, this](const Connection::Answer &answer) {
            Known *now = known(id);
            if (!answer.ok() || !now) {
                return;
            }
            if (jsonField(answer, u"batch"_s).toInt() == now->batch && !actor(who).wire->inTransaction()) {
                ++now->batch;
            }
            now->state = jsonField(answer, u"state"_s);
            if (imageless) {
                rootValue(u"SELECT model.note_present($1, $2, $3)"_s,
                    { id, QString::number(number), m_plans.at(now->plan).name });
            }
        });
}

void Run::set(const QString &who)
{
    Known *action = pick({ u"running"_s, u"paused"_s, u"requested"_s, u"finished"_s });
    if (!action) {
        return;
    }
    const QString id = action->id;
    const QString state = action->state == u"paused"
        ? (m_chance.percent(75) ? u"running"_s : u"cancelled"_s)
        : m_chance.of(QStringList { u"paused"_s, u"paused"_s, u"cancelled"_s, u"running"_s, u"finished"_s });
    call(who, u"set_action"_s, { id, state, std::nullopt }, u"uuid text text"_s, id, {},
        [=, this](const Connection::Answer &answer) {
            if (answer.ok() && known(id)) {
                known(id)->state = jsonField(answer, u"state"_s);
            }
        });
}

void Run::approve(const QString &who)
{
    Known *action
        = pick(m_chance.percent(90) ? QStringList { u"requested"_s }
                                    : QStringList { u"running"_s, u"paused"_s, u"finished"_s, u"requested"_s });
    QString id = action ? action->id : QString();
    if (id.isEmpty() || m_chance.percent(15)) { // a looser limit, if one was asked for
        const auto limit = m_root->run(
            u"SELECT id FROM idemdesk.action WHERE verb = 'limit' AND state = 'requested' ORDER BY id LIMIT 1"_s);
        id = limit.rows.isEmpty() ? id : limit.value();
    }
    if (id.isEmpty()) {
        return;
    }
    call(who, u"approve_action"_s, { id, m_chance.percent(88) ? u"true"_s : u"false"_s, std::nullopt },
        u"uuid boolean text"_s, id, {}, [=, this](const Connection::Answer &answer) {
            if (answer.ok() && known(id)) {
                known(id)->state = jsonField(answer, u"state"_s);
            }
        });
}

void Run::partition(const QString &who)
{
    QList<int> fit;
    for (int i = 0; i < m_plans.size(); ++i) {
        if (!m_plans.at(i).partitions.isEmpty()) {
            fit += i;
        }
    }
    if (fit.isEmpty()) {
        return;
    }
    const TargetPlan &plan = m_plans.at(m_chance.of(fit));
    const QString part = m_chance.percent(70) ? plan.partitions.first() : m_chance.of(plan.partitions);
    const QString name = u"\"%1\".\"%2\""_s.arg(part.section(u'.', 0, 0), part.section(u'.', 1));
    const QString verb
        = m_chance.of(QStringList { u"detach"_s, u"detach"_s, u"detach"_s, u"attach"_s, u"attach"_s, u"drop"_s });
    // One that was asked for is done by the same call again.
    const auto asked = m_root->run(
        u"SELECT id FROM idemdesk.action WHERE verb = $1 AND state IN ('requested', 'running') AND plan ->> "
        "'partition' = $2"_s,
        { verb, name });
    const QString id = asked.rows.isEmpty() || m_chance.percent(10) ? m_chance.uuid() : asked.value();
    quiesce(); // so that the model reads the partition as it was
    ++m_actions;
    Wire::Arguments arguments { id, plan.name, name };
    if (verb == u"detach") {
        arguments += m_chance.percent(85) ? u"2026-11-20T00:00:00Z"_s : u"2030-01-01"_s;
    }
    arguments += kReason;
    arguments += std::nullopt;
    const auto place = int(&plan - m_plans.constData());
    call(who, verb + u"_partition"_s, arguments,
        verb == u"detach" ? u"uuid text text text text text"_s : u"uuid text text text text"_s, id, {},
        [=, this](const Connection::Answer &answer) { opened(who, id, place, verb, true, answer); });
    const auto judged = m_root->run(u"SELECT * FROM model.judge_events()"_s);
    for (const QStringList &row : judged.rows) {
        differ(row.value(0));
    }
    if (!judged.ok()) {
        differ(u"the model cannot judge: "_s + judged.value());
    }
}

/// A call that is not the person's own statement: nothing may come of it.
void Run::wrapped(const QString &who)
{
    const Known *action = pick({ u"running"_s, u"requested"_s, u"paused"_s });
    if (!action) {
        return;
    }
    QString inner = m_chance.of(QStringList { u"idemdesk.approve_action('%1', true)"_s,
        u"idemdesk.set_action('%1', 'cancelled')"_s, u"idemdesk.change_batch('%1', %2, 5)"_s,
        u"idemdesk.purge_batch('%1', %2, 500)"_s, u"idemdesk.undo_batch('%1', %2, 5)"_s });
    inner.replace(u"%1"_s, action->id).replace(u"%2"_s, QString::number(action->batch));
    const QString form
        = m_chance.of(QStringList { u"DO $$ BEGIN PERFORM %1; END $$"_s, u"SELECT %1, 1"_s, u"SELECT (SELECT %1)"_s,
            u"WITH x AS (SELECT %1) SELECT * FROM x"_s, u"PREPARE p AS SELECT %1; EXECUTE p; DEALLOCATE p"_s,
            u"BEGIN; DECLARE c CURSOR FOR SELECT %1; FETCH c; COMMIT"_s, u"COPY (SELECT %1) TO STDOUT"_s,
            u"SELECT evil.passes((%1)::text)"_s, u"EXPLAIN ANALYZE SELECT %1"_s, u"SELECT 1; SELECT %1"_s,
            u"SELECT %1; SELECT 1"_s, u"SELECT evil.passes('x') || (%1)::text"_s, u"SELECT * FROM (VALUES (%1)) x"_s,
            u"SELECT * FROM evil.act"_s, u"SELECT * FROM evil.stop"_s, u"SELECT %1 WHERE true"_s, u"SELECT %1 AS x"_s,
            u"CREATE TEMP TABLE w AS SELECT %1; DROP TABLE w"_s, u"VALUES (%1)"_s });
    say(who, QString(form).replace(u"%1"_s, inner), {}, u"wrapped"_s);
}

} // namespace idemdesk::tests::machine
