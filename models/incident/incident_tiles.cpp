// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/incident/incident_tiles.h"

#include "models/format/quantities.h"
#include "models/incident/incident_changes.h"
#include "sql/trends/recent_history.h"
#include "sql/types/tr.h"

#include <QLocale>
#include <algorithm>
#include <cmath>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

bool hasBacklog(const OverviewEntry &entry)
{
    const sql::TargetKind kind = entry.target.profile.kind;
    return kind == sql::TargetKind::Inbox || kind == sql::TargetKind::Outbox || kind == sql::TargetKind::Job;
}

namespace {

constexpr double kBehind = 1.5; // seconds; a purge waits from there on
constexpr double kFarBehind = 30; // seconds
constexpr double kMany = 2; // of the usual

/// A figure put together from several tables, and what it leaves out.
struct Sum {
    double value = 0;
    qsizetype known = 0;
    qsizetype unknown = 0; ///< tables of which it should be known and is not
    bool atLeast = false;
    bool about = false;
    QString why; ///< of the first of those
    double worst = -1; ///< the largest part
    QString worstTable;

    void add(const QString &table, double part)
    {
        value += part;
        ++known;
        if (part > worst) {
            worst = part;
            worstTable = table;
        }
    }
    void miss(const QString &reason)
    {
        ++unknown;
        why = why.isEmpty() ? reason : why;
    }
};

/// The hour and what it usually holds, of those scopes alone of which both are known.
struct Compared {
    double now = 0;
    double usual = 0;
    double apart = 0; ///< of now, what scopes hold that were each looked at by itself
    bool any = false;
};

void addCount(const QString &table, const sql::RowCount &count, Sum *sum)
{
    sum->atLeast = sum->atLeast || count.kind == sql::RowCount::Kind::AtLeast;
    sum->about = sum->about || count.kind == sql::RowCount::Kind::Estimated;
    sum->add(table, double(count.rows));
}

/// Buckets of all tables put together; known where any of them is.
void addDay(const sql::HistoryValues &values, bool highest, sql::HistoryValues *day)
{
    day->resize(std::max(day->size(), values.size()));
    for (qsizetype i = 0; i < values.size(); ++i) {
        if (values.at(i)) {
            const double so = day->at(i).value_or(0);
            (*day)[i] = highest ? std::max(so, *values.at(i)) : so + *values.at(i);
        }
    }
}

QString waiting(const OverviewEntry &entry)
{
    return entry.error ? entry.error->what : Tr::tr("Not counted yet.");
}

class TileMaker
{
public:
    explicit TileMaker(const IncidentFacts &facts)
        : m_facts(facts)
    {
    }

    IncidentTile stuck() const
    {
        Sum sum = begun();
        for (const OverviewEntry &entry : m_facts.tables) {
            if (!entry.target.profile.stale) {
                continue; // which the table's line says
            }
            if (!entry.summary || entry.error) {
                sum.miss(waiting(entry));
            } else {
                addCount(entry.target.profile.name, entry.summary->stale, &sum);
            }
        }
        noteNoRule(&sum);
        IncidentTile tile = counted(u"stuck"_s, Tr::tr("Stuck now"), sum);
        tile.day = dayOf(u"stale"_s, false);
        tile.unit = Tr::tr("keys");
        tile.link = keys(sum.worstTable, u"state:stuck"_s);
        rate(&tile, sum, sum.value > 0 ? IncidentLevel::Watch : IncidentLevel::Quiet,
            sum.value > 0 ? Tr::tr("Review") : Tr::tr("None"));
        return tile;
    }

    IncidentTile oldest() const
    {
        Sum sum = begun();
        qint64 longest = -1;
        for (const OverviewEntry &entry : m_facts.tables) {
            if (!entry.target.profile.stale) {
                continue;
            }
            if (!entry.summary || entry.error) {
                sum.miss(waiting(entry));
                continue;
            }
            const auto &since = entry.summary->oldestStale;
            if (!since && entry.summary->stale.rows > 0) {
                sum.miss(Tr::tr("Its rule for stuck keys names no time."));
                continue;
            }
            const qint64 age = since ? (entry.summary->now.micros - since->micros) / sql::kMicros : 0;
            sum.add(entry.target.profile.name, double(age));
            longest = since ? std::max(longest, age) : longest;
        }
        noteNoRule(&sum);
        IncidentTile tile = figured(u"oldest"_s, Tr::tr("Oldest stuck"), sum,
            longest < 0 ? Tr::tr("none") : durationText(longest).section(u' ', 0, 1));
        tile.day = dayOf(u"oldest_stale"_s, true);
        tile.link = keys(sum.worstTable, u"state:stuck"_s);
        const bool late = longest >= kLongStuckSeconds;
        rate(&tile, sum,
            longest < 0 ? IncidentLevel::Quiet
                : late  ? IncidentLevel::Act
                        : IncidentLevel::Watch,
            longest < 0 ? Tr::tr("None")
                : late  ? Tr::tr("Act now")
                        : Tr::tr("Check them"));
        return tile;
    }

    IncidentTile failures() const
    {
        Sum sum = begun();
        sql::HistoryValues day;
        Compared compared;
        for (const OverviewEntry &entry : m_facts.tables) {
            const sql::TableHistory history = historyOf(entry);
            const auto hour = failuresLastHour(history);
            if (hour) {
                sum.add(entry.target.profile.name, *hour);
            }
            if (const QString why = failuresMissing(entry, history); !why.isEmpty()) {
                sum.miss(why);
            } else if (!hour && knowsFailures(history)) {
                sum.miss(Tr::tr("Too few samples of the last hour."));
            }
            addDay(history.day.value(u"failures_retryable"_s), false, &day);
            addDay(history.day.value(u"failures_final"_s), false, &day);
            compare(history, &compared);
        }
        IncidentTile tile = counted(u"failures"_s, Tr::tr("Failures"), sum);
        tile.day = day;
        if (sum.known == 0 && !day.isEmpty()) {
            tile.day.last().reset(); // what few minutes of this hour say is no more than the figure above
        }
        tile.unit = Tr::tr("last hour");
        tile.link = keys(sum.worstTable, u"state:failed_final,failed_retryable"_s);
        rateFailures(&tile, sum, compared);
        return tile;
    }

    IncidentTile conflicts() const
    {
        Sum sum;
        if (m_facts.reading && m_facts.reading->conflictsLastHour) {
            sum.add({}, *m_facts.reading->conflictsLastHour);
        } else {
            sum.miss(m_facts.reading ? m_facts.reading->noConflicts : notRead());
        }
        IncidentTile tile = counted(u"conflicts"_s, Tr::tr("Reused keys"), sum);
        tile.unit = Tr::tr("last hour");
        tile.day = m_facts.reading ? m_facts.reading->conflicts : sql::HistoryValues();
        tile.link = { IncidentLink::Kind::Page, {}, u"conflicts"_s };
        rate(&tile, sum, sum.value > 0 ? IncidentLevel::Watch : IncidentLevel::Quiet,
            sum.value > 0 ? Tr::tr("Check them") : Tr::tr("None"));
        return tile;
    }

    IncidentTile backlog() const
    {
        Sum sum = begun();
        bool any = false;
        for (const OverviewEntry &entry : m_facts.tables) {
            if (!hasBacklog(entry)) {
                continue;
            }
            any = true;
            if (!entry.summary || entry.error) {
                sum.miss(waiting(entry));
                continue;
            }
            sql::RowCount waits = entry.summary->states.value(sql::KeyState::Pending);
            const sql::RowCount again = entry.summary->states.value(sql::KeyState::FailedRetryable);
            addCount(entry.target.profile.name, { std::max(waits.kind, again.kind), waits.rows + again.rows }, &sum);
        }
        IncidentTile tile = counted(u"backlog"_s, Tr::tr("Backlog"), sum);
        tile.unit = Tr::tr("messages");
        tile.day = dayOf(u"backlog"_s, false);
        tile.link = keys(sum.worstTable, u"state:pending,failed_retryable"_s);
        if (!any && sum.unknown == 0) {
            nothing(&tile, Tr::tr("No such table"), Tr::tr("No outbox, inbox or job table is here."));
        } else {
            rateBacklog(&tile, sum);
        }
        return tile;
    }

    IncidentTile alerts() const
    {
        const AlertFacts &alerts = m_facts.alerts;
        Sum sum;
        if (!alerts.judged) {
            sum.miss(alerts.why);
        } else if (alerts.rules == 0) {
            sum.miss(Tr::tr("No rule watches a table here."));
        } else {
            sum.add({}, double(alerts.firing));
            // Of so many unknown the figure is no more than a beginning.
            sum.atLeast = alerts.firing > 0 && alerts.unknown > alerts.firing;
        }
        IncidentTile tile = counted(u"alerts"_s, Tr::tr("Alerts firing"), sum);
        tile.link = { IncidentLink::Kind::Alerts, {}, {} };
        const bool all = alerts.acknowledged == alerts.firing; // somebody is at each of them
        rate(&tile, sum,
            sum.value > 0            ? (all ? IncidentLevel::Watch : IncidentLevel::Act)
                : alerts.pending > 0 ? IncidentLevel::Watch
                                     : IncidentLevel::Quiet,
            sum.value <= 0
                ? (alerts.pending > 0 ? Tr::tr("%n over the limit", nullptr, int(alerts.pending)) : Tr::tr("Quiet"))
                : all                     ? Tr::tr("All acknowledged")
                : alerts.acknowledged > 0 ? Tr::tr("%n acknowledged", nullptr, int(alerts.acknowledged))
                                          : Tr::tr("Firing"));
        if (sum.known > 0) {
            noteUnjudged(&tile);
        }
        return tile;
    }

    IncidentTile replication() const
    {
        IncidentTile tile;
        tile.id = u"replication"_s;
        tile.title = Tr::tr("Replication");
        tile.link = { IncidentLink::Kind::Page, {}, u"activity"_s };
        const std::optional<sql::ReplicationLag> none; // not a copy of either: GCC 14 loses sight of one
        const std::optional<sql::ReplicationLag> &lag = m_facts.reading ? m_facts.reading->replication : none;
        tile.word = Tr::tr("Not looked at");
        if (!lag) {
            tile.why = m_facts.reading ? m_facts.reading->noReplication : notRead();
        } else if (lag->seconds) {
            const bool far = *lag->seconds >= kFarBehind;
            const bool late = *lag->seconds >= kBehind;
            tile.figure = *lag->seconds < 60 ? QLocale().toString(*lag->seconds, 'f', late ? 1 : 0)
                                             : durationText(qint64(*lag->seconds)).section(u' ', 0, 1);
            tile.unit = *lag->seconds < 60 ? Tr::tr("s behind") : Tr::tr("behind");
            tile.level = far ? IncidentLevel::Act : late ? IncidentLevel::Watch : IncidentLevel::Quiet;
            tile.word = far ? Tr::tr("Far behind") : late ? Tr::tr("Behind") : Tr::tr("Keeps up");
            tile.why
                = lag->standby ? Tr::tr("This server is a standby.") : Tr::tr("%n standby(s).", nullptr, lag->standbys);
        } else if (lag->hidden) {
            tile.why = Tr::tr("This login may not see standbys; pg_monitor may.");
        } else {
            tile.figure = u"?"_s;
            tile.word = Tr::tr("Not known");
            if (!lag->standby && lag->standbys == 0) {
                nothing(&tile, Tr::tr("No standby"), Tr::tr("No standby streams from this server."));
            }
        }
        return tile;
    }

private:
    /// Tables that are there and could not be read are missing in every sum.
    Sum begun() const
    {
        Sum sum;
        for (qsizetype i = 0; i < m_facts.notRead; ++i) {
            sum.miss(Tr::tr("It could not be read."));
        }
        return sum;
    }

    /// There is nothing of the kind here: that is no good news, and nothing is missing.
    static void nothing(IncidentTile *tile, const QString &word, const QString &why)
    {
        tile->figure = u"–"_s;
        tile->unit.clear();
        tile->level = IncidentLevel::Nothing;
        tile->word = word;
        tile->why = why;
        tile->link = {};
    }

    /// The sum of all may be as usual while one scope fails: that one is named then.
    void rateFailures(IncidentTile *tile, const Sum &sum, const Compared &compared) const
    {
        const double usual = compared.usual;
        if (compared.any && compared.now >= kMany * usual && compared.now - usual >= 3) {
            rate(tile, sum, IncidentLevel::Act,
                usual < 0.5 ? Tr::tr("Usually none")
                            : Tr::tr("%1 × usual").arg(QLocale().toString(compared.now / usual, 'f', 1)));
        } else if (const auto worst = worstOf({ u"failures_final"_s, u"failures_retryable"_s })) {
            rate(tile, sum, worst->level, worst->words);
            tile->link = worst->link;
        } else if (sum.value <= 0) {
            rate(tile, sum, IncidentLevel::Quiet, Tr::tr("None"));
        } else if (compared.apart < sum.value - 0.5) {
            rate(tile, sum, IncidentLevel::Unknown, compared.any ? Tr::tr("Too few samples") : Tr::tr("Not compared"));
        } else {
            rate(tile, sum, IncidentLevel::Quiet, Tr::tr("As usual"));
        }
    }

    /// That messages wait is their nature. Whether they stay is known by the rules and by the days before alone.
    void rateBacklog(IncidentTile *tile, const Sum &sum) const
    {
        const sql::AlertState stay = m_facts.alerts.backlog;
        if (sum.value <= 0) {
            rate(tile, sum, IncidentLevel::Quiet, Tr::tr("None"));
        } else if (stay == sql::AlertState::Firing) {
            rate(tile, sum, IncidentLevel::Act, Tr::tr("Not worked off"));
        } else if (const auto worst = worstOf({ u"backlog"_s })) {
            rate(tile, sum, worst->level, worst->words);
            tile->link = worst->link;
        } else if (stay == sql::AlertState::Pending) {
            rate(tile, sum, IncidentLevel::Watch, Tr::tr("Over its limit"));
        } else if (stay == sql::AlertState::Unknown) {
            rate(tile, sum, IncidentLevel::Unknown, Tr::tr("Not judged"));
        } else {
            rate(tile, sum, IncidentLevel::Quiet, Tr::tr("Waiting"));
        }
    }

    /// What the alerts leave out, and what is only acknowledged.
    void noteUnjudged(IncidentTile *tile) const
    {
        const AlertFacts &alerts = m_facts.alerts;
        QStringList why;
        if (alerts.acknowledged > 0) {
            why += Tr::tr("%1 of %2 are acknowledged.").arg(countText(alerts.acknowledged), countText(alerts.firing));
        }
        if (alerts.unknown > 0) {
            why += Tr::tr("%n rule(s) cannot be judged.", nullptr, int(alerts.unknown));
        }
        if (alerts.tablesNotJudged > 0) {
            why += Tr::tr("%n table(s) could not be read.", nullptr, int(alerts.tablesNotJudged));
        }
        if (tile->level == IncidentLevel::Quiet && alerts.unknown + alerts.tablesNotJudged > 0) { // of these alone
            tile->level = IncidentLevel::Unknown;
            tile->word = Tr::tr("Not all known");
        }
        tile->why = why.join(u' ');
    }

    std::optional<UnusualScope> worstOf(const QStringList &metrics) const
    {
        std::optional<UnusualScope> worst;
        for (const OverviewEntry &entry : m_facts.tables) {
            const auto one = worstScope({ entry.target, historyOf(entry) }, metrics);
            if (one && (!worst || one->more > worst->more)) {
                worst = one;
            }
        }
        return worst;
    }

    static bool knowsFailures(const sql::TableHistory &history)
    {
        return history.day.contains(u"failures_retryable"_s) || history.day.contains(u"failures_final"_s);
    }

    /// Why the last hour's failures of a table are not known, or not all; empty where nothing hides them.
    QString failuresMissing(const OverviewEntry &entry, const sql::TableHistory &history) const
    {
        if (!m_facts.reading || !m_facts.reading->histories.contains(entry.target.profile.name)) {
            return notRead();
        }
        return history.missing.value(u"failures_final"_s, history.missing.value(u"failures_retryable"_s));
    }

    static void noteNoRule(Sum *sum)
    {
        if (sum->known == 0 && sum->unknown == 0) {
            sum->miss(Tr::tr("No profile here says when a key is stuck."));
        }
    }

    QString notRead() const
    {
        return m_facts.notReadBecause.isEmpty() ? Tr::tr("Not read yet.") : m_facts.notReadBecause;
    }

    sql::TableHistory historyOf(const OverviewEntry &entry) const
    {
        return m_facts.reading ? m_facts.reading->histories.value(entry.target.profile.name) : sql::TableHistory();
    }

    sql::HistoryValues dayOf(const QString &metric, bool highest) const
    {
        sql::HistoryValues day;
        for (const OverviewEntry &entry : m_facts.tables) {
            addDay(historyOf(entry).day.value(metric), highest, &day);
        }
        return day;
    }

    /// What this hour usually holds, by the days that are known; nothing of a scope that has too few.
    static void compare(const sql::TableHistory &history, Compared *compared)
    {
        for (const sql::ScopeHistory &series : history.scopes) {
            double sum = 0;
            int days = 0;
            for (const auto &value : series.before) {
                sum += value.value_or(0);
                days += value ? 1 : 0;
            }
            const auto now = heldInHour(series);
            if (series.metric.startsWith(u"failures_") && days >= kLeastDays && now) {
                compared->usual += sum / days;
                compared->now += *now;
                compared->apart += series.other ? 0 : *now;
                compared->any = true;
            }
        }
    }

    static IncidentLink keys(const QString &table, const QString &filter)
    {
        return table.isEmpty() ? IncidentLink() : IncidentLink { IncidentLink::Kind::Keys, table, filter };
    }

    static IncidentTile figured(const QString &id, const QString &title, const Sum &sum, const QString &figure)
    {
        IncidentTile tile;
        tile.id = id;
        tile.title = title;
        if (sum.known > 0) {
            tile.figure = figure;
        }
        if (sum.unknown > 0) {
            tile.why = sum.known > 0 ? Tr::tr("%n table(s) not looked at: %1", nullptr, int(sum.unknown)).arg(sum.why)
                                     : sum.why;
        }
        return tile;
    }

    static IncidentTile counted(const QString &id, const QString &title, const Sum &sum)
    {
        QString figure = sum.value >= 100'000 ? shortCountText(sum.value) : countText(std::llround(sum.value));
        figure = sum.about ? u"≈"_s + figure : sum.atLeast ? figure + u'+' : figure;
        return figured(id, title, sum, figure);
    }

    /// A figure that leaves tables out is never quiet.
    static void rate(IncidentTile *tile, const Sum &sum, IncidentLevel level, const QString &word)
    {
        const bool none = sum.known == 0;
        const bool partly = sum.unknown > 0 && level == IncidentLevel::Quiet;
        tile->level = none || partly ? IncidentLevel::Unknown : level;
        tile->word = none ? Tr::tr("Not looked at") : partly ? Tr::tr("Not all looked at") : word;
        if (sum.value <= 0) {
            tile->link = tile->link.kind == IncidentLink::Kind::Keys ? IncidentLink() : tile->link;
        }
    }

    const IncidentFacts &m_facts;
};

} // namespace

QString levelWord(IncidentLevel level)
{
    switch (level) {
    case IncidentLevel::Quiet:
        return Tr::tr("Quiet");
    case IncidentLevel::Watch:
        return Tr::tr("Check them");
    case IncidentLevel::Act:
        return Tr::tr("Act now");
    case IncidentLevel::Nothing:
        return {};
    case IncidentLevel::Unknown:
        break;
    }
    return Tr::tr("Not known");
}

std::optional<double> failuresLastHour(const sql::TableHistory &history)
{
    std::optional<double> sum;
    for (const sql::ScopeHistory &series : history.scopes) {
        if (!series.metric.startsWith(u"failures_")) {
            continue;
        }
        if (const auto held = heldInHour(series)) {
            sum = sum.value_or(0) + *held;
        }
    }
    for (const QString &metric : { u"failures_retryable"_s, u"failures_final"_s }) {
        // Where no slots are known, the hour before the one that fills.
        const sql::HistoryValues day = history.scopes.isEmpty() ? history.day.value(metric) : sql::HistoryValues();
        if (day.size() > 1 && day.at(day.size() - 2)) {
            sum = sum.value_or(0) + *day.at(day.size() - 2);
        }
    }
    return sum;
}

QList<IncidentTile> incidentTiles(const IncidentFacts &facts)
{
    const TileMaker make(facts);
    return { make.stuck(), make.oldest(), make.failures(), make.conflicts(), make.backlog(), make.alerts(),
        make.replication() };
}

} // namespace idemdesk::models
