// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/cache_option.h"
#include "app/ctl/context.h"
#include "app/ctl/json_out.h"
#include "app/ctl/not_read.h"
#include "app/ctl/opened_target.h"
#include "models/cache/cache_metrics.h"
#include "models/format/quantities.h"
#include "models/trends/prometheus.h"
#include "sql/actions/action_gateway.h"
#include "sql/actions/registered_profile.h"
#include "sql/actions/registration.h"
#include "sql/cache/cache_comparison.h"
#include "sql/cache/cache_sample.h"
#include "sql/keys/unreadable.h"
#include "sql/keys/unseen.h"
#include "sql/profile/binder.h"
#include "sql/profile/profile_json.h"
#include "sql/trends/minute_series.h"
#include "sql/trends/sample_schedule.h"
#include "sql/trends/trend_samples.h"
#include "sql/trends/trend_snapshot.h"
#include "sql/types/tr.h"

#include <QJsonArray>

#include <algorithm>
#include <numeric>

using namespace Qt::StringLiterals;

namespace idemdesk::app {

namespace {

/// The registered targets, or the one of them that --target names.
sql::Result<QList<sql::RegisteredTarget>> wantedTargets(const Context &context, sql::Session &session)
{
    auto all = sql::readRegisteredTargets(session);
    if (!all || !context.has(u"target"_s)) {
        return all;
    }
    const QString name = context.value(u"target"_s);
    TRY(const auto found, registeredNamed(*all, name));
    if (!found) {
        QStringList names;
        for (const sql::RegisteredTarget &target : std::as_const(*all)) {
            names += target.name;
        }
        const QString near = didYouMean(name, names);
        return usageError(Tr::tr("“%1” is not registered in this database.").arg(name),
            near.isEmpty() ? Tr::tr("“idemdeskctl targets” lists what is.") : near);
    }
    return QList<sql::RegisteredTarget> { *found };
}

} // namespace

namespace {

/// --cron on|off|status
Exit cron(const Context &context)
{
    const QString word = context.value(u"cron"_s);
    TRY_OR(fail, const auto session, context.connect(sql::LaneKind::Write));
    auto schedule = sql::readSampleSchedule(*session);
    if (schedule && word != u"status"
        && (schedule->state == sql::SampleSchedule::State::On || schedule->state == sql::SampleSchedule::State::Off)) {
        TRY_OR(fail, sql::setSampleSchedule(*session, word == u"on"));
        schedule = sql::readSampleSchedule(*session);
    }
    if (!schedule) {
        return fail(schedule.error());
    }
    if (context.json()) {
        printJson({ { u"state"_s, sql::sampleScheduleName(schedule->state) }, { u"why"_s, schedule->why },
            { u"script"_s, textOrNull(schedule->script) } });
    } else {
        print(schedule->why + u'\n' + (schedule->script.isEmpty() ? QString() : schedule->script + u'\n'));
    }
    const bool wanted = word == u"status" || (word == u"on") == (schedule->state == sql::SampleSchedule::State::On);
    return wanted ? Exit::Done : Exit::Refused;
}

/// The caches of these targets, where the command line or the environment names a Redis: what it says is kept with
/// their samples. False where one of them could not be looked at, which is said.
bool sampleCaches(const Context &context, sql::Session &session, const QList<sql::RegisteredTarget> &targets)
{
    bool whole = true;
    if (cacheUrl(context).isEmpty()) {
        return whole;
    }
    const auto cache = openCache(context, {});
    for (const sql::RegisteredTarget &target : targets) {
        const auto profile = sql::registeredProfile(session, target);
        if (!profile || !profile->cache) {
            continue;
        }
        const auto sample
            = cache ? sql::readCacheSample(**cache, *profile) : sql::Result<sql::CacheSample>(cache.error());
        const auto stored
            = sample ? sql::storeCacheSample(session, target.name, *sample) : sql::Result<qint64>(sample.error());
        if (!stored) {
            note(target.name + u": "_s + stored.error().line());
            whole = false;
        }
    }
    return whole;
}

Exit runSample(const Context &context)
{
    if (context.has(u"cron"_s)) {
        return cron(context);
    }
    TRY_OR(fail, const auto session, context.connect(sql::LaneKind::Write));
    if (noteNotInstalled(*session, Tr::tr("so there is nowhere to keep a sample"))) {
        return Exit::Unknown;
    }
    TRY_OR(fail, const auto targets, wantedTargets(context, *session));
    // One table that is locked or gone must not keep the others from being sampled.
    QJsonArray items;
    QList<QStringList> rows;
    bool failed = false;
    for (const sql::RegisteredTarget &target : targets) {
        const auto stored = sql::takeSample(*session, target.name);
        failed = failed || !stored;
        items.append(
            QJsonObject { { u"target"_s, target.name }, { u"stored"_s, stored ? QJsonValue(*stored) : QJsonValue() },
                { u"error"_s, stored ? QJsonValue() : QJsonValue(stored.error().line()) } });
        rows += QStringList { target.name, stored ? models::countText(*stored) : u"–"_s,
            !stored            ? stored.error().line()
                : *stored == 0 ? Tr::tr("this minute was sampled already")
                               : QString() };
    }
    failed = !sampleCaches(context, *session, targets) || failed;
    if (const auto kept = sql::maintain(*session); !kept) {
        note(kept.error().line());
        failed = true;
    }
    if (context.json()) {
        printJson({ { u"items"_s, items }, { u"next"_s, QJsonValue() } });
    } else if (rows.isEmpty()) {
        note(Tr::tr("No target is registered, so there is nothing to sample."));
    } else {
        print(table({ Tr::tr("TARGET"), Tr::tr("NUMBERS"), Tr::tr("NOTE") }, rows));
    }
    return failed ? Exit::Failed : targets.isEmpty() ? Exit::Unknown : Exit::Done;
}

/// What cannot be read is named, and keeps nothing else from being told.
template <typename T> T orNoted(const sql::Result<T> &read, bool *partly)
{
    if (!read) {
        note(read.error().line());
        *partly = true;
    }
    return read ? *read : T();
}

/// The caches of these targets, where the command line or the environment names a Redis.
class ScrapedCaches
{
public:
    ScrapedCaches(const Context &context, sql::Session &session)
        : m_session(session)
    {
        if (!cacheUrl(context).isEmpty()) {
            m_opened.emplace(openCache(context, {}));
        }
    }

    void read(const QString &name, const sql::Target &target)
    {
        if (!m_opened || !target.profile.cache) {
            return;
        }
        const auto report = *m_opened ? sql::compareCache(m_session, ***m_opened, target, {})
                                      : sql::Result<sql::CacheReport>(m_opened->error());
        if (!report) {
            note(name + u": "_s + report.error().line());
            m_failed = true;
            return;
        }
        m_caches.append({ name, *report });
        m_hitRatio = m_hitRatio ? m_hitRatio : report->facts.hitRatio();
    }
    bool failed() const { return m_failed; } ///< one of them could not be read
    QByteArray text() const { return models::cacheMetricsText(m_caches); }
    std::optional<double> hitRatio() const { return m_hitRatio; }

private:
    sql::Session &m_session;
    std::optional<sql::Result<std::unique_ptr<sql::RedisSession>>> m_opened;
    QList<std::pair<QString, sql::CacheReport>> m_caches;
    std::optional<double> m_hitRatio;
    bool m_failed = false;
};

/// What samples of the last hour say of caches.
struct SampledCaches {
    std::optional<double> hitRatio; ///< of all of them together
    QMap<QString, double> drift; ///< by target: the share of entries off their baseline
};

sql::Result<SampledCaches> readSampledCaches(sql::Session &session, const QList<sql::RegisteredTarget> &targets)
{
    constexpr qint64 kHourBack = 3'600;
    const QStringList metrics { u"cache_lookups"_s, u"cache_misses"_s, u"cache_ttl_judged"_s, u"cache_ttl_off"_s };
    SampledCaches sampled;
    double lookups = 0;
    double misses = 0;
    for (const sql::RegisteredTarget &target : targets) {
        TRY(const auto minutes, sql::readMinutes(session, target.name, metrics, kHourBack));
        const auto sum = [&minutes](const QString &metric) {
            const QList<double> values = minutes.values.value(metric).values();
            return std::accumulate(values.cbegin(), values.cend(), 0.0);
        };
        lookups += sum(metrics.at(0));
        misses += sum(metrics.at(1));
        if (const double judged = sum(metrics.at(2)); judged > 0) {
            sampled.drift.insert(target.name, sum(metrics.at(3)) / judged);
        }
    }
    if (lookups > 0) {
        sampled.hitRatio = std::clamp(1 - misses / lookups, 0.0, 1.0);
    }
    return sampled;
}

/// Leaves what is of these targets, and what is of the whole database.
void keepTotalsOf(const QList<sql::RegisteredTarget> &targets, sql::CounterTotals *totals)
{
    const auto ofAnother = [&targets](const auto &total) {
        return !total.target.isEmpty()
            && std::none_of(targets.cbegin(), targets.cend(),
                [&total](const sql::RegisteredTarget &one) { return one.name == total.target; });
    };
    totals->sampled.removeIf(ofAnother);
    totals->actions.removeIf(ofAnother);
}

Exit runMetrics(const Context &context)
{
    TRY_OR(fail, const auto session, context.connect(sql::LaneKind::Background));
    TRY_OR(fail, const auto targets, wantedTargets(context, *session));
    QList<models::ScrapedTarget> scraped;
    bool partly = false; // rows that could not be read, or not their state
    QList<models::TargetProblem> notRead;
    ScrapedCaches caches(context, *session);
    for (const sql::RegisteredTarget &registered : targets) {
        const auto profile = sql::registeredProfile(*session, registered);
        const auto target = profile ? sql::bindTarget(*session, *profile) : sql::Result<sql::Target>(profile.error());
        const auto values
            = target ? sql::readSnapshot(*session, *target) : sql::Result<QList<sql::SnapshotValue>>(target.error());
        if (!values) {
            notRead.append({ registered.name, {}, values.error() });
            scraped.append({ registered.name, {}, {}, values.error().line() });
            continue;
        }
        models::ScrapedTarget one { registered.name, {}, *values };
        if (target->relation.rowSecurity) { // nothing of its rows was counted
            const sql::Error hidden = sql::makeError(sql::ErrorKind::Privilege, sql::rowsHiddenNote());
            notRead.append({ registered.name, {}, hidden });
            one.notRead = hidden.what;
        }
        for (const sql::SnapshotValue &value : *values) {
            if (value.metric == u"unreadable") {
                sql::Unreadable unreadable;
                unreadable.count = qsizetype(value.value);
                note(registered.name + u": "_s + unreadable.note());
                partly = true;
            }
        }
        if (const QStringList unseen = sql::unseenNotes(*target); !target->relation.rowSecurity && !unseen.isEmpty()) {
            note(registered.name + u": "_s + unseen.join(u' '));
            partly = true;
        }
        for (const sql::LabelledExpression &part : profile->scope) {
            one.scopeLabels += part.label;
        }
        scraped.append(one);
        caches.read(registered.name, *target);
    }
    const auto events = orNoted(sql::readEventTotals(*session), &partly);
    auto totals = orNoted(sql::readCounterTotals(*session), &partly);
    if (context.has(u"target"_s)) {
        keepTotalsOf(targets, &totals);
    }
    const auto sampledCaches = orNoted(readSampledCaches(*session, targets), &partly);
    print(QString::fromUtf8(models::prometheusText(scraped, events, totals,
                                sampledCaches.hitRatio ? sampledCaches.hitRatio : caches.hitRatio())
        + caches.text() + models::cacheDriftText(sampledCaches.drift)));
    noteNotRead(notRead);
    if (targets.isEmpty()) {
        noteNoneRegistered(*session);
    }
    return targets.isEmpty() || !notRead.isEmpty() || partly || caches.failed() ? Exit::Unknown : Exit::Done;
}

} // namespace

Command sampleCommand()
{
    return { .name = u"sample"_s,
        .summary = Tr::tr("take one trend sample of each registered target, for cron"),
        .about = Tr::tr("Takes one sample of each registered target, for cron; of each minute one is kept. With "
                        "“--cron on” pg_cron does so each minute, as this login, where it is installed in the same "
                        "database; the audit log says who set it up.\n\n"
                        "With --cache it also looks at that Redis, for targets whose profile names a cache: look-ups, "
                        "memory, times to live. pg_cron cannot do that."),
        .options = connectOptions() + targetOptions(TargetScope::Every)
            + QList { jsonOption(), cacheOption(),
                Option::word(u"cron"_s, { u"on"_s, u"off"_s, u"status"_s },
                    Tr::tr("Have pg_cron take a sample each minute, end that, or say how it is.")) },
        .examples = { { Tr::tr("One sample now:"), u"sample --connect service=orders"_s },
            { Tr::tr("Have the server take them:"), u"sample --cron on"_s } },
        .run = runSample };
}

Command metricsCommand()
{
    return { .name = u"metrics"_s,
        .summary = Tr::tr("how the registered targets are now, in Prometheus' text format"),
        .about
        = Tr::tr("Writes how the registered targets are now in Prometheus' text format. The gauge "
                 "idempotency_table_readable is 0 for a target whose table could not be read. Exit status 5 then, "
                 "and where no target is registered. With --cache, targets whose profile names a cache are "
                 "compared with it."),
        .options = connectOptions() + targetOptions(TargetScope::Every) + QList { cacheOption() },
        .examples = { { Tr::tr("For the textfile collector of the node exporter:"), u"metrics > idempotency.prom"_s },
            { Tr::tr("Of one target:"), u"metrics --target app.idempotency_request"_s } },
        .run = runMetrics };
}

} // namespace idemdesk::app
