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
QHash<int, QString> rowNames(const Context &context, const sql::ActionRecord &action)
{
    QHash<int, QString> names;
    const auto session = context.connect();
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
void noteLeft(const Context &context, const models::ActionRunner &runner)
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
    const QHash<int, QString> names = rowNames(context, runner.action());
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

Exit concluded(const Context &context, const models::ActionRunner &runner)
{
    const sql::ActionRecord &action = runner.action();
    if (context.json()) {
        // The last batch's answer does not say when the action ended.
        const auto session = context.connect();
        const auto now = session ? sql::readAction(**session, action.id)
                                 : sql::Result<std::optional<sql::ActionRecord>>(session.error());
        QJsonObject object = app::jsonOf(now && *now ? **now : action);
        QJsonArray outcomes;
        for (const sql::RowOutcome &outcome : runner.outcomes()) {
            outcomes.append(QJsonObject {
                { u"row"_s, outcome.ordinal }, { u"outcome"_s, outcome.outcome }, { u"detail"_s, outcome.detail } });
        }
        object.insert(u"outcomes"_s, outcomes);
        printJson(object);
    } else {
        print(Tr::tr("%1: %2. Action %3.")
                  .arg(models::actionStateLabel(action.state), models::outcomeText(action), action.id)
            + u'\n');
        noteLeft(context, runner);
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

ActionRun::ActionRun(const Context &context, const sql::ConnectionSettings &settings, BeginAction begin)
    : m_context(context)
    , m_database(settings)
    , m_runner(&m_database, models::ActionJournal::defaultPath())
    , m_begin(std::move(begin))
{
    m_runner.setThrottled(!m_context.has(u"no-pauses"_s));
    connect(&m_database, &sql::Database::stateChanged, &m_runner, [this](sql::LinkState state) { onLink(state); });
    connect(&m_runner, &models::ActionRunner::changed, this, &ActionRun::onChanged);
    connect(&m_runner, &models::ActionRunner::ended, this,
        [this] { conclude([this] { return concluded(m_context, m_runner); }); });
}

void ActionRun::open()
{
    m_database.open();
}

void ActionRun::onLink(sql::LinkState state)
{
    if (state == sql::LinkState::Connected && !m_begun) { // only now the journal can say which server it is
        m_begun = true;
        m_begin(m_runner);
    }
    if (state == sql::LinkState::Failed && (!m_begun || m_runner.stage() == Stage::Starting)) {
        conclude([this] { return fail(m_database.linkError().value_or(sql::Error())); });
    }
}

void ActionRun::onChanged()
{
    if (m_runner.stage() == Stage::Asking) {
        conclude([this] { return asking(); });
    } else if (m_runner.stage() == Stage::Stopped || m_runner.stage() == Stage::Paused) {
        conclude([this] { return stopped(); });
    } else if (m_runner.stage() != Stage::Starting
        && (!m_sinceLine.isValid() || m_sinceLine.elapsed() >= kProgressMs)) {
        m_sinceLine.start();
        tell(progressLine(m_runner));
    }
}

Exit ActionRun::asking() const
{
    if (m_context.json()) {
        printJson(jsonOf(m_runner.action()));
    }
    note(Tr::tr("Another person must approve this: “idemdeskctl approve %1”.").arg(m_runner.action().id));
    return Exit::Refused;
}

Exit ActionRun::stopped() const
{
    const Exit exit = m_runner.error() ? fail(*m_runner.error()) : Exit::Failed;
    const QString &id = m_runner.action().id;
    const std::optional<bool> there = m_runner.begun();
    note(!there ? Tr::tr("Whether the action was begun is not known. “idemdeskctl actions show %1” "
                         "says whether it is there.")
                      .arg(id)
            : *there ? Tr::tr("The action is paused: %1. “idemdeskctl actions resume %2” goes on with it.")
                           .arg(models::outcomeText(m_runner.action()), id)
                     : Tr::tr("The action was not begun; nothing was changed."));
    return exit;
}

void ActionRun::tell(const QString &text) const
{
    note(m_context.member().isEmpty() ? text : Tr::tr("%1: %2").arg(m_context.member(), text));
}

void ActionRun::conclude(const std::function<Exit()> &end)
{
    if (std::exchange(m_over, true)) {
        return;
    }
    if (m_context.member().isEmpty()) {
        m_exit = end();
    } else {
        Capture capture(outputStyle());
        m_exit = end();
        m_said = capture.take();
    }
    emit over();
}

ActionEnd runActionIn(const Context &context, const BeginAction &begin)
{
    const auto settings = context.primarySettings();
    if (!settings) {
        return { fail(settings.error()), {} };
    }
    ActionRun run(context, *settings, begin);
    Interrupt interrupt([&run] {
        note(Tr::tr("Cancelling; once more leaves the action paused where it is."));
        run.cancel();
    });
    QObject::connect(&run, &ActionRun::over, &run, [] { QCoreApplication::exit(); });
    flushOutput(); // the plan, before it is carried out
    run.open();
    QCoreApplication::exec();
    return { run.exit(), run.said() };
}

Exit runAction(const Context &context, const BeginAction &begin)
{
    return runActionIn(context, begin).exit;
}

} // namespace idemdesk::app
