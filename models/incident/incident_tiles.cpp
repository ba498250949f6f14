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

namespace {

constexpr qint64 kLongStuck = 3'600; // seconds; from then on a caller has given up
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

bool hasBacklog(const OverviewEntry &entry)
{
    const sql::TargetKind kind = entry.target.profile.kind;
    return kind == sql::TargetKind::Inbox || kind == sql::TargetKind::Outbox || kind == sql::TargetKind::Job;
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
        tile.link = keys(sum.worstTable, u"state:stale"_s);
        rate(&tile, sum, sum.value > 0 ? IncidentLevel::Watch : IncidentLevel::Quiet,
            sum.value > 0 ? Tr::tr("Need a person") : Tr::tr("None"));
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
        tile.link = keys(sum.worstTable, u"state:stale"_s);
        const bool late = longest >= kLongStuck;
        rate(&tile, sum,
            longest < 0 ? IncidentLevel::Quiet
                : late  ? IncidentLevel::Act
                        : IncidentLevel::Watch,
            longest < 0 ? Tr::tr("None")
                : late  ? Tr::tr("Act now")
                        : Tr::tr("Look"));
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
        tile.unit = Tr::tr("last hour");
        tile.link = keys(sum.worstTable, u"state:failed_final,failed_retryable"_s);
        const double usual = compared.usual;
        const bool many = compared.any && compared.now >= kMany * usual && compared.now - usual >= 3;
        rate(&tile, sum, many ? IncidentLevel::Act : IncidentLevel::Quiet,
            many && usual < 0.5  ? Tr::tr("Usually none")
                : many           ? Tr::tr("%1 × usual").arg(QLocale().toString(compared.now / usual, 'f', 1))
                : sum.value <= 0 ? Tr::tr("None")
                : !compared.any  ? Tr::tr("Not compared")
                : compared.now < sum.value - 0.5 ? Tr::tr("Not all compared")
                                                 : Tr::tr("As usual"));
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
            sum.value > 0 ? Tr::tr("Look") : Tr::tr("None"));
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
        if (!any && sum.unknown == 0) {
            sum.miss(Tr::tr("No outbox, inbox or job table is here."));
        }
        IncidentTile tile = counted(u"backlog"_s, Tr::tr("Backlog"), sum);
        tile.unit = Tr::tr("messages");
        tile.day = dayOf(u"backlog"_s, false);
        tile.link = keys(sum.worstTable, u"state:pending,failed_retryable"_s);
        rate(&tile, sum, sum.value > 0 && m_facts.alerts.backlogFires ? IncidentLevel::Act : IncidentLevel::Quiet,
            sum.value <= 0                    ? Tr::tr("None")
                : m_facts.alerts.backlogFires ? Tr::tr("Not worked off")
                                              : Tr::tr("Waiting"));
        return tile;
    }

    IncidentTile alerts() const
    {
        Sum sum;
        if (m_facts.alerts.judged) {
            sum.add({}, double(m_facts.alerts.firing));
        } else {
            sum.miss(m_facts.alerts.why);
        }
        IncidentTile tile = counted(u"alerts"_s, Tr::tr("Alerts firing"), sum);
        tile.link = { IncidentLink::Kind::Alerts, {}, {} };
        rate(&tile, sum, sum.value > 0 ? IncidentLevel::Act : IncidentLevel::Quiet,
            sum.value > 0 ? Tr::tr("Firing") : Tr::tr("Quiet"));
        if (m_facts.alerts.judged && m_facts.alerts.unknown > 0) {
            if (tile.level == IncidentLevel::Quiet) { // of these alone
                tile.level = IncidentLevel::Unknown;
                tile.word = Tr::tr("Not all known");
            }
            tile.why = Tr::tr("%n rule(s) cannot be judged.", nullptr, int(m_facts.alerts.unknown));
        }
        return tile;
    }

    IncidentTile replication() const
    {
        IncidentTile tile;
        tile.id = u"replication"_s;
        tile.title = Tr::tr("Replication");
        tile.link = { IncidentLink::Kind::Page, {}, u"activity"_s };
        const auto lag = m_facts.reading ? m_facts.reading->replication : std::nullopt;
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
            const bool some = lag->standby || lag->standbys > 0;
            tile.figure = some ? u"?"_s : u"–"_s;
            tile.level = some ? IncidentLevel::Unknown : IncidentLevel::Quiet;
            tile.word = some ? Tr::tr("Not known") : Tr::tr("No standby");
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
        return Tr::tr("Look");
    case IncidentLevel::Act:
        return Tr::tr("Act now");
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
