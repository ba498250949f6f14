// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/purge/purge_figures.h"

#include "models/actions/action_runner.h"
#include "models/actions/action_words.h"
#include "models/format/quantities.h"
#include "sql/types/tr.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QLocale>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

QString notLookedAt(const ActionRunner &runner)
{
    return runner.throttled() ? Tr::tr("Not looked at yet") : Tr::tr("Not looked at: full speed");
}

PurgeFigure lagFigure(const ActionRunner &runner)
{
    PurgeFigure lag { Tr::tr("Standby lag"), u"–"_s, {}, false };
    const auto &pressure = runner.pressure();
    if (!pressure) {
        lag.note = notLookedAt(runner);
    } else if (pressure->unreadable) {
        lag.note = Tr::tr("This login may not read it");
    } else if (!pressure->lagSeconds) {
        lag.note = Tr::tr("No standby");
    } else {
        lag.figure = Tr::tr("%1 s").arg(QLocale().toString(*pressure->lagSeconds, 'f', 1));
        lag.holdsOff = pressure->lagHolds;
        lag.note = lag.holdsOff ? Tr::tr("Waits for it") : QString();
    }
    return lag;
}

PurgeFigure waitsFigure(const ActionRunner &runner)
{
    PurgeFigure waits { Tr::tr("Lock waits"), u"–"_s, {}, false };
    const auto &pressure = runner.pressure();
    if (!pressure) {
        waits.note = notLookedAt(runner);
        return waits;
    }
    waits.figure = countText(pressure->lockWaits);
    waits.holdsOff = pressure->lockWaits > 0 || pressure->vacuum;
    waits.note = pressure->vacuum ? Tr::tr("Waits for vacuum")
        : pressure->lockWaits > 0 ? Tr::tr("Waits for them")
                                  : QString();
    return waits;
}

/// A guess after the first batch, which says so until enough were seen to tell the time.
PurgeFigure timeFigure(const ActionRunner &runner)
{
    using Stage = ActionRunner::Stage;
    PurgeFigure time { Tr::tr("Time left"), Tr::tr("Paused"),
        runner.sweeping() ? Tr::tr("Looks for rows that were locked") : QString(), false };
    if (runner.stage() == Stage::Paused || runner.stage() == Stage::Stopped) {
        return time;
    }
    const sql::ActionRecord &action = runner.action();
    const qint64 rows = action.plannedRows - rowsDone(action.counts) - rowsSkipped(action.counts);
    const double rate = runner.rowsPerSecond();
    if (const qint64 left = runner.secondsLeft(); left >= 0) {
        time.figure = left == 0 ? Tr::tr("Almost done") : durationText(left);
    } else if (rate > 0 && rows > 0) {
        time.figure = Tr::tr("About %1").arg(durationText(std::max<qint64>(1, qint64(double(rows) / rate))));
        time.note = time.note.isEmpty() ? Tr::tr("Early estimate") : time.note;
    } else {
        time.figure = Tr::tr("Estimating…");
    }
    return time;
}

bool keepsPurgedRows(const sql::ActionRecord &action)
{
    return QJsonDocument::fromJson(action.planJson).object().value(u"images"_s).toBool(true);
}

} // namespace

QList<PurgeFigure> purgeFigures(const ActionRunner &runner)
{
    const sql::ActionRecord &action = runner.action();
    const QString done = countText(rowsDone(action.counts));
    if (runner.stage() == ActionRunner::Stage::Ended) {
        const qint64 skipped = rowsSkipped(action.counts);
        QList<PurgeFigure> figures { { Tr::tr("Purged"), done,
                                         Tr::tr("of %1 planned rows").arg(countText(action.plannedRows)), false },
            { Tr::tr("Skipped"), countText(skipped), Tr::tr("changed or locked since"), false } };
        // The numbers add up to what was planned.
        if (const qint64 left = action.plannedRows - rowsDone(action.counts) - skipped; left > 0) {
            figures += { Tr::tr("Left"), countText(left),
                action.state == sql::ActionState::Finished ? Tr::tr("gone before, or not due any more")
                                                           : Tr::tr("not reached"),
                false };
        }
        // Until when it can be undone stands beside the button that does it.
        if (rowsDone(action.counts) > 0 && !keepsPurgedRows(action)) {
            figures += { Tr::tr("Undo"), Tr::tr("Not possible"), Tr::tr("the rows were not kept"), false };
        }
        return figures;
    }
    const qint64 percent
        = action.plannedRows > 0 ? std::min<qint64>(100, 100 * rowsDone(action.counts) / action.plannedRows) : 0;
    return { { Tr::tr("Throughput"), rateText(runner.rowsPerSecond()),
                 Tr::tr("%1 so far, %2 %", "rows, percent").arg(rowsText(rowsDone(action.counts))).arg(percent),
                 false },
        timeFigure(runner), lagFigure(runner), waitsFigure(runner) };
}

QString purgeEndDetail(const sql::ActionRecord &action, const QDate &today)
{
    QStringList sentences;
    if (action.state == sql::ActionState::Cancelled) {
        sentences += Tr::tr("The rest is untouched.");
    }
    if (rowsDone(action.counts) > 0) {
        const QDate last = QDate::fromString(action.keepUntil.left(10), Qt::ISODate);
        const qint64 days = last.isValid() ? today.daysTo(last) : -1;
        sentences += !keepsPurgedRows(action) ? Tr::tr("What is gone was not kept and cannot be undone.")
            : days > 0 ? Tr::tr("Undo possible for %n day(s), until %1.", nullptr, int(days)).arg(action.keepUntil)
                       : Tr::tr("Undo possible until %1.").arg(action.keepUntil);
    }
    return sentences.join(u' ');
}

} // namespace idemdesk::models
