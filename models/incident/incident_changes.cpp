// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/incident/incident_changes.h"

#include "models/format/display_text.h"
#include "models/format/quantities.h"
#include "models/trends/trend_words.h"
#include "sql/trends/trend_gateway.h"
#include "sql/types/tr.h"

#include <QLocale>
#include <algorithm>
#include <cmath>
#include <numeric>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

constexpr double kFactor = 2; // of the usual, from which on it is worth a sentence
constexpr double kRaised = 1.5; // of the usual, for a slot that belongs to a rise
constexpr double kNoise = 3; // standard deviations of a count (Poisson)
constexpr double kLeastMore = 3; // of what happens hardly ever
constexpr double kWorthMissing = 10; // an hour; fewer new keys than that may be chance
constexpr int kLeastSlots = 9; // of twelve
constexpr int kReasonChars = 200;
constexpr int kLeastHours = 6; // of the day, to say what an hour usually holds

/// What one scope's metric did.
struct Change {
    double now = 0;
    double usual = 0;
    double factor = 0; ///< since it began; 0 where it usually is nothing
    int since = 0; ///< slot from which on it is raised
    double raised = 0; ///< how much since then: a count, or the mean of what is held
    double usualThen = 0; ///< in as much time
    bool fewer = false;
};

QString metricWords(const QString &metric)
{
    return metric == u"failures_final"    ? Tr::tr("final failures")
        : metric == u"failures_retryable" ? Tr::tr("failures")
        : metric == u"stale"              ? Tr::tr("stuck keys")
        : metric == u"retries"            ? Tr::tr("retries")
        : metric == u"backlog"            ? Tr::tr("waiting messages")
                                          : Tr::tr("new keys");
}

QList<double> known(const sql::HistoryValues &values)
{
    QList<double> list;
    for (const auto &value : values) {
        if (value) {
            list += *value;
        }
    }
    return list;
}

double median(QList<double> values)
{
    std::sort(values.begin(), values.end());
    const qsizetype half = values.size() / 2;
    return values.size() % 2 == 1 ? values.at(half) : (values.at(half - 1) + values.at(half)) / 2;
}

bool isGauge(const QString &metric)
{
    return metric == u"stale" || metric == u"backlog";
}

/// Since when it is raised without a break, and how much since then.
void findRise(const sql::HistoryValues &hour, bool gauge, Change *change)
{
    const double usualSlot = gauge ? change->usual : change->usual / sql::TableHistory::kSlots;
    const double least = std::max(usualSlot * kRaised, gauge ? 1.0 : 1e-9);
    int slot = int(hour.size());
    double sum = 0;
    while (slot > 0 && hour.at(slot - 1).value_or(0) >= least) {
        --slot;
        sum += *hour.at(slot);
    }
    const int length = int(hour.size()) - slot;
    change->since = slot;
    change->raised = gauge && length > 0 ? sum / length : sum;
    change->usualThen = gauge ? change->usual : usualSlot * length;
    change->factor = change->usual <= 0 ? 0 : length > 0 ? sum / length / usualSlot : change->now / change->usual;
}

/// How far a count may be from its usual by chance.
double chanceOf(double usual)
{
    return kNoise * std::sqrt(std::max(usual, 1.0)) + kLeastMore;
}

/// So far beyond the usual that chance does not explain it.
bool standsOut(double now, double usual)
{
    return now >= kFactor * usual && now - usual >= chanceOf(usual);
}

std::optional<Change> changeOf(const sql::ScopeHistory &series, bool gauge)
{
    const auto now = heldInHour(series);
    const QList<double> days = known(series.before);
    if (!now || days.size() < kLeastDays) {
        return std::nullopt;
    }
    Change change;
    change.now = *now;
    change.usual = median(days);
    if (standsOut(change.now, change.usual)) {
        findRise(series.hour, gauge, &change);
        return change;
    }
    const bool missing = series.metric == u"claims" && change.usual >= kWorthMissing
        && change.now * kFactor <= change.usual && change.usual - change.now >= chanceOf(change.usual);
    if (!missing) {
        return std::nullopt;
    }
    change.fewer = true;
    change.factor = change.now / change.usual;
    return change;
}

QString whoseText(const sql::ScopeHistory &series, const sql::Profile &profile)
{
    sql::TrendSeries named;
    named.scope = series.scope;
    return series.scope.isEmpty() ? displayText(profile.shownTitle(), 60) : seriesName(named);
}

QString factorWords(double factor)
{
    return QLocale().toString(factor, 'f', factor < 10 ? 1 : 0);
}

QString sentence(const sql::ScopeHistory &series, const Change &change, const QString &whose, const QString &when)
{
    const QString what = metricWords(series.metric);
    if (change.fewer) {
        return change.now < 1 ? Tr::tr("%1: no %2 in the last hour").arg(whose, what)
                              : Tr::tr("%1: %2 % of its usual %3 in the last hour")
                                    .arg(whose, QString::number(std::lround(change.factor * 100)), what);
    }
    if (change.factor <= 0) {
        return Tr::tr("%1: %2 %3 %4, usually none").arg(whose, countText(std::llround(change.now)), what, when);
    }
    return Tr::tr("%1: %2 ×%3", "whose, what, times the usual").arg(whose, what, factorWords(change.factor));
}

/// A scope's own series that stands out. All scopes beyond the largest are another mixture each time.
std::optional<Change> ownChange(const sql::ScopeHistory &series)
{
    return series.other ? std::nullopt : changeOf(series, isGauge(series.metric));
}

/// It rose within the hour, and not before.
bool within(const Change &change)
{
    return change.since > 0 && change.since < sql::TableHistory::kSlots;
}

sql::Timestamp slotBegan(const IncidentTable &table, int slot)
{
    const sql::Timestamp &began = table.history.hourBegan;
    return { began.kind, began.micros + slot * sql::TableHistory::kSlotSeconds * sql::kMicros };
}

IncidentLevel levelOf(const sql::ScopeHistory &series)
{
    return series.metric == u"failures_final" || series.metric == u"stale" ? IncidentLevel::Act : IncidentLevel::Watch;
}

constexpr double kActWeight = 2; // of what is final, beside what may still end well
constexpr double kLeastUsual = 0.5; // an hour; less is as good as never

/// How far up it belongs: how many times the usual it is, and what is final counts twice.
double gravityOf(const sql::ScopeHistory &series, const Change &change)
{
    const double ratio = change.fewer ? change.usual / std::max(1.0, change.now)
        : change.factor > 0           ? change.factor
                                      : change.now / kLeastUsual;
    return ratio * (levelOf(series) == IncidentLevel::Act ? kActWeight : 1);
}

/// To the keys that the change is about.
IncidentLink linkOf(const IncidentTable &table, const sql::ScopeHistory &series, const Change &change)
{
    QStringList labels;
    for (const sql::LabelledExpression &part : table.target.profile.scope) {
        labels += part.label;
    }
    const auto metrics = sql::trendMetrics(table.target);
    const auto metric = std::find_if(
        metrics.cbegin(), metrics.cend(), [&series](const sql::TrendMetric &one) { return one.id == series.metric; });
    if (metric == metrics.cend()) {
        return {};
    }
    return { IncidentLink::Kind::Keys, table.target.profile.name,
        trendFilter(*metric, slotBegan(table, within(change) ? change.since : 0),
            slotBegan(table, sql::TableHistory::kSlots), labels, series.scope) };
}

IncidentNote noteOf(
    const IncidentTable &table, const sql::ScopeHistory &series, const Change &change, const TimeFormat &format)
{
    const QString when = within(change) ? Tr::tr("since %1").arg(format.text(slotBegan(table, change.since)).mid(11, 5))
                                        : Tr::tr("this hour");
    IncidentNote note;
    note.text = sentence(series, change, whoseText(series, table.target.profile), when);
    // A count has no decimals, and what happens every other day is not nothing.
    const auto rounded
        = [](double value) { return value > 0 && value < 1 ? Tr::tr("under 1") : countText(std::llround(value)); };
    // The numbers of which the sentence gives the ratio: of the same span.
    const bool part = within(change);
    note.detail
        = (isGauge(series.metric) ? Tr::tr("On average %1 %2, usually %3 · %4") : Tr::tr("%1 %2, usually %3 · %4"))
              .arg(rounded(part ? change.raised : change.now), when, rounded(part ? change.usualThen : change.usual),
                  displayText(table.target.profile.shownTitle(), 60));
    note.level = levelOf(series);
    note.link = linkOf(table, series, change);
    return note;
}

} // namespace

std::optional<double> heldInHour(const sql::ScopeHistory &series)
{
    const QList<double> parts = known(series.hour);
    if (parts.size() < kLeastSlots) {
        return std::nullopt;
    }
    const double mean = std::accumulate(parts.cbegin(), parts.cend(), 0.0) / double(parts.size());
    return isGauge(series.metric) ? mean : mean * sql::TableHistory::kSlots;
}

QList<IncidentNote> incidentChanges(const QList<IncidentTable> &tables, const TimeFormat &format)
{
    struct Found {
        double gravity;
        double size;
        IncidentNote note;
    };
    QList<Found> found;
    for (const IncidentTable &table : tables) {
        for (const sql::ScopeHistory &series : table.history.scopes) {
            if (const auto change = ownChange(series)) {
                found.append({ gravityOf(series, *change), std::abs(change->now - change->usual),
                    noteOf(table, series, *change, format) });
            }
        }
    }
    std::stable_sort(found.begin(), found.end(), [](const Found &a, const Found &b) {
        return a.gravity != b.gravity ? a.gravity > b.gravity : a.size > b.size;
    });
    QList<IncidentNote> notes;
    for (const Found &one : std::as_const(found)) {
        notes += one.note;
    }
    return notes;
}

std::optional<IncidentNote> reusedKeysChange(const sql::HistoryValues &hours, std::optional<double> lastHour)
{
    const QList<double> before = known(hours.mid(0, std::max<qsizetype>(0, hours.size() - 1)));
    if (!lastHour || before.size() < kLeastHours) {
        return std::nullopt;
    }
    const double usual = median(before);
    if (!standsOut(*lastHour, usual)) {
        return std::nullopt;
    }
    const QString count = countText(std::llround(*lastHour));
    IncidentNote note;
    note.text = usual <= 0 ? Tr::tr("Reused keys: %1 this hour, usually none").arg(count)
                           : Tr::tr("Reused keys ×%1", "times the usual").arg(factorWords(*lastHour / usual));
    note.detail = Tr::tr("%1 in the last hour, usually %2 in an hour of the last day")
                      .arg(count, usual > 0 && usual < 1 ? Tr::tr("under 1") : countText(std::llround(usual)));
    note.level = IncidentLevel::Watch;
    note.link = { IncidentLink::Kind::Page, {}, u"conflicts"_s };
    return note;
}

std::optional<UnusualScope> worstScope(const IncidentTable &table, const QStringList &metrics)
{
    std::optional<UnusualScope> worst;
    for (const sql::ScopeHistory &series : table.history.scopes) {
        const auto change = metrics.contains(series.metric) ? ownChange(series) : std::nullopt;
        const double more = change ? change->now - change->usual : 0;
        if (more > (worst ? worst->more : 0)) {
            const QString whose = whoseText(series, table.target.profile);
            worst = { change->factor <= 0
                    ? Tr::tr("%1: usually none").arg(whose)
                    : Tr::tr("%1 ×%2", "whose, times the usual").arg(whose, factorWords(change->factor)),
                more, levelOf(series), linkOf(table, series, *change) };
        }
    }
    return worst;
}

int comparedDays(const IncidentTable &table)
{
    qsizetype most = 0;
    for (const sql::ScopeHistory &series : table.history.scopes) {
        most = heldInHour(series) ? std::max(most, known(series.before).size()) : most;
    }
    return int(most);
}

QString comparedSentence(const QList<IncidentTable> &tables)
{
    int compared = 0;
    int days = 0;
    int most = 0;
    int failed = 0;
    bool past = false; // the days before were sampled, whether the last hour was or not
    QString why;
    for (const IncidentTable &table : tables) {
        past = past
            || std::any_of(table.history.scopes.cbegin(), table.history.scopes.cend(),
                [](const sql::ScopeHistory &series) { return !known(series.before).isEmpty(); });
        if (!table.history.notCompared.isEmpty()) {
            ++failed;
            why = table.history.notCompared;
            continue;
        }
        const int of = comparedDays(table);
        most = std::max(most, of);
        if (of >= kLeastDays) {
            ++compared;
            days = days == 0 ? of : std::min(days, of);
        }
    }
    if (failed > 0 && compared == 0) {
        return Tr::tr("%n table(s) could not be compared: %1", nullptr, failed).arg(displayText(why, kReasonChars));
    }
    if (most == 0 && past) {
        return Tr::tr("Too few samples of the last hour. It is compared once samples were taken for most of it.");
    }
    if (tables.isEmpty() || most == 0) {
        return Tr::tr("No samples yet of the days before, so there is nothing to compare with.");
    }
    if (compared == 0) {
        return Tr::tr("Samples of %n day(s) only: too few to compare with.", nullptr, most);
    }
    QStringList sentences {
        Tr::tr("%n table(s) compared with the same hour of the last %1 days.", nullptr, compared).arg(days)
    };
    const int left = int(tables.size()) - compared - failed;
    if (left > 0) {
        sentences += Tr::tr("%n more table(s) have too few samples.", nullptr, left);
    }
    if (failed > 0) {
        sentences
            += Tr::tr("%n table(s) could not be compared: %1", nullptr, failed).arg(displayText(why, kReasonChars));
    }
    return sentences.join(u' ');
}

} // namespace idemdesk::models
