// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/sql/attacks/machine/target_plan.h"
#include "tests/sql/attacks/machine/wire.h"

#include <functional>
#include <map>

namespace idemdesk::tests::machine {

/// How often things happened, over all runs.
using Tally = std::map<QString, qint64>;

/// One run: a fresh database, one or two random tables, and people who act on them in turns, each on a
/// connection of their own. One thread steps them; whoever waits for a lock waits while the others go on.
class Run
{
public:
    /// fault: SQL that plants one, as superuser, before anything is registered; empty: none.
    Run(ConsoleFixture &console, quint64 seed, Tally *tally, const QString &fault);

    /// Tries so many actions; gives what differs from the model. An action is an opened or tried verb
    /// (open_action, open_undo, a partition, a registration) with all its batches, approvals and pauses.
    QStringList play(int actions);
    int actions() const { return m_actions; }
    /// Everything that was said, in its order, by whom, and what came back.
    const QStringList &script() const { return m_script; }
    /// Were any rows changed by an action?
    static qint64 changedRows(const Tally &tally);

private:
    using Then = std::function<void(const Connection::Answer &)>;
    struct Actor {
        std::unique_ptr<Wire> wire;
        Then then;
        QString what;
        bool imageless = false;
    };
    struct Known {
        QString id;
        int plan = 0;
        QString verb;
        int batch = 1; ///< the next one
        QString state = QStringLiteral("running");
        QString by;
        bool images = true;
    };

    // run.cpp
    void prepare(const QString &fault);
    bool makeTarget(int number);
    bool registerPlan(const TargetPlan &plan);
    void settle(const QString &who);
    void reap(int milliseconds);
    void quiesce(const QString &but = {});
    void note(const QString &what, qint64 n = 1) { (*m_tally)[what] += n; }
    QString rootValue(const QString &sql, const Wire::Arguments &arguments = {});
    void differ(const QString &what) { m_differences += what; }
    /// Sends a statement and waits for the answer, or till it waits for somebody. Nothing where that person
    /// waits already.
    bool say(const QString &who, const QString &sql, const Wire::Arguments &arguments = {}, const QString &what = {},
        Then then = {});
    /// An entry function called as it should be: noted for the model, then said, in a random correct form.
    void call(const QString &who, const QString &function, const Wire::Arguments &arguments, const QString &types,
        const QString &action = {}, const QString &batch = {}, Then then = {});
    Actor &actor(const QString &who);

    // run_actions.cpp: what operators and approvers do
    void step();
    void recoverFrom(const QString &who);
    void openChange(const QString &who);
    QString forged(const QString &rows, QString *verb, QString *id);
    void openPurge(const QString &who);
    void openUndo(const QString &who);
    void batch(const QString &who);
    void set(const QString &who);
    void approve(const QString &who);
    void partition(const QString &who);
    void wrapped(const QString &who);
    void opened(const QString &who, const QString &id, int plan, const QString &verb, bool images,
        const Connection::Answer &answer);
    Known *known(const QString &id);
    Known *pick(const QStringList &states);

    // run_people.cpp: what everybody else does
    void worker();
    QString newRows(const TargetPlan &plan, int count, bool finished, int from, int to);
    QString writeToMeantRow(const TargetPlan &plan, const QString &action);
    QString usualChange(const TargetPlan &plan);
    void admin();
    void owner();
    /// The owner changes a table, and commits that while somebody waits for it.
    void race();
    void endRace();
    void oldRows(int place);
    void repair(const TargetPlan &plan);
    void registerAgain(
        const TargetPlan &plan, const QString &name, const QString &settings, const std::optional<QString> &stale);
    void session(const QString &who);
    /// Settings that whoever acts may have made the session begin with.
    QString oddSettings(const QString &who);
    void transaction(const QString &who);
    void forge(const QString &who);
    void look(const QString &who);
    void touch(const QString &who);

    ConsoleFixture &m_console;
    Chance m_chance;
    Tally *m_tally;
    std::unique_ptr<Wire> m_root;
    std::map<QString, Actor> m_actors;
    QList<TargetPlan> m_plans; ///< registered ones
    QList<Known> m_known;
    QStringList m_script;
    QStringList m_differences;
    int m_actions = 0;
    QMap<QString, QStringList> m_stored; ///< {profile, compiled} of each target when it was last registered
    int m_inserted = 0;
    int m_later = 0;
    int m_race = -1; ///< place of a plan whose table is being changed in a transaction that is open
    int m_raced = -1; ///< of one whose change nobody may have consented to
    int m_changed = -1; ///< place of a plan whose table its owner changed
};

} // namespace idemdesk::tests::machine
