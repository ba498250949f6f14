// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/run_action.h"

#include "app/ctl/interrupt.h"
#include "app/ctl/json_out.h"
#include "models/actions/action_words.h"
#include "models/format/display_text.h"
#include "models/format/quantities.h"
#include "models/triage/frozen_set.h"
#include "sql/actions/action_gateway.h"
#include "sql/lanes/database.h"
#include "sql/types/tr.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QHash>
#include <QJsonArray>

using namespace Qt::StringLiterals;

namespace idemdesk::app {

namespace {

constexpr qint64 kProgressMs = 500; // between two lines
constexpr int kMostLeft = 20; // rows that are told one by one
constexpr int kMostItems = 10'000; // that are looked through for their names
constexpr int kItemPage = 1'000;
constexpr int kMostNameChars = 120;

using Stage = models::ActionRunner::Stage;

sql::Result<std::unique_ptr<sql::Session>> connectTo(const ActionPlace &place)
{
    sql::Session::Options options;
    options.applicationName = u"idemdesk ctl"_s;
    options.statementTimeoutMs = 60'000;
    return sql::Session::open(place.settings, options);
}

/// With the member before it, where there are several.
QString of(const ActionPlace &place, const QString &text)
{
    return place.member.isEmpty() ? text : Tr::tr("%1: %2").arg(place.member, text);
}

/// That it failed, where a document of one member tells it and the command's own comes later.
Exit failAt(const ActionPlace &place, const sql::Error &error)
{
    if (place.document == nullptr) {
        return fail(error);
    }
    *place.document = { { u"error"_s, errorJson(error) } };
    note(of(place, error.line()));
    return exitOf(error.kind);
}

/// What became of it, for programs.
void give(const ActionPlace &place, const QJsonObject &object)
{
    if (place.document != nullptr) {
        *place.document = object;
    } else {
        printJson(object);
    }
}

QString progressLine(const models::ActionRunner &runner)
{
    const sql::ActionRecord &action = runner.action();
    switch (runner.stage()) {
    case Stage::Holding:
        return Tr::tr("Holding off. %1").arg(runner.holdReasons().join(u' '));
    case Stage::Finding:
        return Tr::tr("The connection was lost; finding out what was done…");
    case Stage::Cancelling:
        return Tr::tr("Cancelling…");
    case Stage::Idle:
    case Stage::Starting:
    case Stage::Asking:
    case Stage::Running:
    case Stage::Pausing:
    case Stage::Paused:
    case Stage::Stopped:
    case Stage::Ended:
        break;
    }
    QString line = Tr::tr("%1 of %2 (%3)")
                       .arg(models::countText(models::rowsDone(action.counts) + models::rowsSkipped(action.counts)),
                           models::countText(action.plannedRows), models::rateText(runner.rowsPerSecond()));
    if (runner.secondsLeft() > 0) {
        line += Tr::tr(", about %1 left").arg(models::durationText(runner.secondsLeft()));
    }
    return runner.sweeping() ? line + Tr::tr("; looking for rows that were locked before") : line;
}

/// What rows of a frozen set are called, by their place in it. Without those that cannot be read: they keep their
/// number. Empty where places come twice, as batches of a purge and of its undo count their own: no name is better
/// than another row's.
QHash<int, QString> rowNames(const ActionPlace &place, const sql::ActionRecord &action)
{
    QHash<int, QString> names;
    const auto session = connectTo(place);
    if (!session) {
        return names;
    }
    int batch = 0;
    int ordinal = 0;
    for (int seen = 0; seen < kMostItems; seen += kItemPage) {
        const auto items = sql::readItems(**session, action.id, batch, ordinal, kItemPage);
        if (!items || items->isEmpty()) {
            break;
        }
        for (const sql::ActionItem &item : *items) {
            if (names.contains(item.ordinal)) {
                return {};
            }
            if (!item.identity.isEmpty()) {
                names.insert(item.ordinal, models::displayText(models::scopeText(item.identity), kMostNameChars));
            }
        }
        batch = items->constLast().batch;
        ordinal = items->constLast().ordinal;
    }
    return names;
}

/// The rows that were left as they were, each with the reason.
void noteLeft(const ActionPlace &place, const models::ActionRunner &runner)
{
    QList<sql::RowOutcome> left;
    for (const sql::RowOutcome &outcome : runner.outcomes()) {
        if (outcome.outcome != u"done") {
            left += outcome;
        }
    }
    if (left.isEmpty()) {
        return;
    }
    const QHash<int, QString> names = rowNames(place, runner.action());
    for (const sql::RowOutcome &outcome : left.mid(0, kMostLeft)) {
        const QString name = names.value(outcome.ordinal, Tr::tr("row %1").arg(outcome.ordinal));
        note(Tr::tr("%1 was left: %2. %3")
                 .arg(name, models::outcomeLabel(outcome.outcome, outcome.detail), outcome.detail));
    }
    if (left.size() > kMostLeft) {
        note(Tr::tr("%n row(s) more were left. “idemdeskctl actions show %1” lists each.", nullptr,
            int(left.size()) - kMostLeft)
                 .arg(runner.action().id));
    }
}

Exit concluded(const Context &context, const ActionPlace &place, const models::ActionRunner &runner)
{
    const sql::ActionRecord &action = runner.action();
    if (context.json()) {
        // The last batch's answer does not say when the action ended.
        const auto session = connectTo(place);
        const auto now = session ? sql::readAction(**session, action.id)
                                 : sql::Result<std::optional<sql::ActionRecord>>(session.error());
        QJsonObject object = app::jsonOf(now && *now ? **now : action);
        QJsonArray outcomes;
        for (const sql::RowOutcome &outcome : runner.outcomes()) {
            outcomes.append(QJsonObject {
                { u"row"_s, outcome.ordinal }, { u"outcome"_s, outcome.outcome }, { u"detail"_s, outcome.detail } });
        }
        object.insert(u"outcomes"_s, outcomes);
        give(place, object);
    } else {
        print(of(place,
                  Tr::tr("%1: %2. Action %3.")
                      .arg(models::actionStateLabel(action.state), models::outcomeText(action), action.id))
            + u'\n');
        noteLeft(place, runner);
    }
    if (action.state == sql::ActionState::Finished) {
        return models::rowsSkipped(action.counts) > 0 ? Exit::Skipped : Exit::Done;
    }
    return Exit::Failed;
}

} // namespace

QJsonObject jsonOf(const sql::ActionRecord &action)
{
    const auto time
        = [](const std::optional<sql::Timestamp> &at) { return at ? QJsonValue(at->toRfc3339()) : QJsonValue(); };
    QJsonObject counts;
    for (auto it = action.counts.cbegin(); it != action.counts.cend(); ++it) {
        counts.insert(it.key(), it.value());
    }
    return { { u"id"_s, action.id }, { u"target"_s, action.target }, { u"verb"_s, sql::verbName(action.verb) },
        { u"state"_s, sql::actionStateName(action.state) }, { u"undo_of"_s, textOrNull(action.undoOf) },
        { u"requested_by"_s, action.requestedBy }, { u"requested_at"_s, action.requestedAt.toRfc3339() },
        { u"approved_by"_s, textOrNull(action.approvedBy) }, { u"approved_at"_s, time(action.approvedAt) },
        { u"finished_at"_s, time(action.finishedAt) }, { u"keep_until"_s, textOrNull(action.keepUntil) },
        { u"reason"_s, action.reason }, { u"ticket"_s, textOrNull(action.ticket) },
        { u"note"_s, textOrNull(action.note) }, { u"planned"_s, action.plannedRows }, { u"counts"_s, counts } };
}

Exit runAction(const Context &context, const std::function<void(models::ActionRunner &)> &begin)
{
    TRY_OR(fail, const auto settings, context.primarySettings());
    return runAction(context, ActionPlace { settings, QString(), nullptr }, begin);
}

Exit runAction(
    const Context &context, const ActionPlace &place, const std::function<void(models::ActionRunner &)> &begin)
{
    sql::Database database(place.settings);
    models::ActionRunner runner(&database, models::ActionJournal::defaultPath());
    runner.setThrottled(!context.has(u"no-pauses"_s));
    Exit exit = Exit::Failed;
    QElapsedTimer sinceLine;
    Interrupt interrupt([&runner] {
        note(Tr::tr("Cancelling; once more leaves the action paused where it is."));
        runner.cancel();
    });
    flushOutput(); // the plan, before it is carried out
    bool begun = false;
    QObject::connect(&database, &sql::Database::stateChanged, &runner, [&](sql::LinkState state) {
        if (state == sql::LinkState::Connected && !begun) { // only now the journal can say which server it is
            begun = true;
            begin(runner);
        }
        if (state == sql::LinkState::Failed && runner.stage() == Stage::Starting) {
            exit = failAt(place, database.linkError().value_or(sql::Error()));
            QCoreApplication::exit();
        }
    });
    QObject::connect(&runner, &models::ActionRunner::changed, &runner, [&] {
        if (runner.stage() == Stage::Asking) {
            if (context.json()) {
                give(place, jsonOf(runner.action()));
            }
            note(of(
                place, Tr::tr("Another person must approve this: “idemdeskctl approve %1”.").arg(runner.action().id)));
            exit = Exit::Refused;
            QCoreApplication::exit();
        } else if (runner.stage() == Stage::Stopped || runner.stage() == Stage::Paused) {
            exit = runner.error() ? failAt(place, *runner.error()) : Exit::Failed;
            const QString &id = runner.action().id;
            const std::optional<bool> there = runner.begun();
            note(!there ? Tr::tr("Whether the action was begun is not known. “idemdeskctl actions show %1” "
                                 "says whether it is there.")
                              .arg(id)
                    : *there ? Tr::tr("The action is paused: %1. “idemdeskctl actions resume %2” goes on with it.")
                                   .arg(models::outcomeText(runner.action()), id)
                             : Tr::tr("The action was not begun; nothing was changed."));
            QCoreApplication::exit();
        } else if (runner.stage() != Stage::Starting && (!sinceLine.isValid() || sinceLine.elapsed() >= kProgressMs)) {
            sinceLine.start();
            note(of(place, progressLine(runner)));
        }
    });
    QObject::connect(&runner, &models::ActionRunner::ended, &runner, [&] {
        exit = concluded(context, place, runner);
        QCoreApplication::exit();
    });
    database.open();
    QCoreApplication::exec();
    return exit;
}

} // namespace idemdesk::app
