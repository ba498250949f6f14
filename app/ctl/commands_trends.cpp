// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/context.h"
#include "app/ctl/group_option.h"
#include "app/ctl/group_run.h"
#include "app/ctl/json_out.h"
#include "app/ctl/opened_target.h"
#include "sql/trends/trend_gateway.h"
#include "sql/types/tr.h"

#include <QJsonArray>
#include <QMap>
#include <QTimeZone>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::app {

namespace {

constexpr int kMostSeries = 50;

sql::Result<sql::TrendRequest> trendRequest(const Context &context)
{
    sql::TrendRequest request;
    request.metric = context.value(u"metric"_s);
    request.bucket = context.value(u"bucket"_s);
    request.zone = context.value(u"zone"_s);
    request.byScope = context.has(u"by"_s);
    request.source = sql::trendSourceFromName(context.value(u"source"_s)).value_or(sql::TrendSource::Rows);
    request.registeredName = context.target();
    request.top = context.number(u"top"_s);
    if (!QTimeZone::isTimeZoneIdAvailable(request.zone.toUtf8())) {
        return usageError(
            Tr::tr("“%1” is not a time zone.").arg(request.zone), Tr::tr("Use a name such as Europe/Berlin."));
    }
    const auto span = sql::durationSeconds(context.value(u"since"_s));
    request.since = span ? std::nullopt : context.time(u"since"_s);
    request.spanSeconds = span.value_or(0);
    request.until = context.time(u"until"_s);
    return request;
}

QString nameOf(const sql::TrendSeries &series)
{
    if (series.other) {
        return Tr::tr("other");
    }
    QStringList parts;
    for (const sql::Cell &part : series.scope) {
        parts += part.null ? u"–"_s : part.text;
    }
    return parts.isEmpty() ? Tr::tr("all") : parts.join(u" / "_s);
}

void printTable(const sql::TrendAnswer &answer)
{
    QStringList header { Tr::tr("FROM") };
    for (const sql::TrendSeries &series : answer.series) {
        header += nameOf(series);
    }
    const auto told = [&answer](qsizetype bucket) {
        return std::any_of(answer.series.cbegin(), answer.series.cend(),
            [bucket](const sql::TrendSeries &series) { return series.values.at(bucket).has_value(); });
    };
    qsizetype first = 0;
    while (first + 1 < answer.buckets.size() && !told(first)) {
        ++first;
    }
    QList<QStringList> rows;
    for (qsizetype i = first; i < answer.buckets.size(); ++i) {
        // How long ago would tell no bucket from the next; none begins within a second.
        QStringList cells { answer.buckets.at(i).toRfc3339().remove(u".000000"_s) };
        for (const sql::TrendSeries &series : answer.series) {
            const auto &value = series.values.at(i);
            cells += value ? QString::number(*value, 'g', 10) : u"–"_s;
        }
        rows += cells;
    }
    print(table(header, rows));
    if (first > 0) {
        note(Tr::tr("Nothing is known of the time before %1.").arg(rows.constFirst().constFirst()));
    }
    if (answer.lastOpen) {
        note(Tr::tr("The last one is still filling."));
    }
}

void printDocument(const sql::Target &target, const sql::TrendRequest &request, const sql::TrendAnswer &answer)
{
    QJsonArray items;
    for (const sql::TrendSeries &series : answer.series) {
        QJsonObject scope;
        for (qsizetype i = 0; i < series.scope.size() && i < target.profile.scope.size(); ++i) {
            const sql::Cell &part = series.scope.at(i);
            scope.insert(target.profile.scope.at(i).label, part.null ? QJsonValue() : QJsonValue(part.text));
        }
        QJsonArray points;
        for (qsizetype i = 0; i < answer.buckets.size(); ++i) {
            const bool last = i + 1 == answer.buckets.size();
            const auto &value = series.values.at(i);
            points.append(QJsonObject { { u"from"_s, answer.buckets.at(i).toRfc3339() },
                { u"to"_s, (last ? answer.end : answer.buckets.at(i + 1)).toRfc3339() },
                { u"value"_s, value ? QJsonValue(*value) : QJsonValue() }, { u"open"_s, last && answer.lastOpen } });
        }
        items.append(QJsonObject { { u"scope"_s, series.scope.isEmpty() ? QJsonValue() : QJsonValue(scope) },
            { u"other"_s, series.other }, { u"points"_s, points } });
    }
    printJson({ { u"metric"_s, answer.metric.id }, { u"title"_s, answer.metric.title },
        { u"unit"_s, sql::trendUnitName(answer.metric.unit) }, { u"source"_s, sql::trendSourceName(answer.source) },
        { u"bucket"_s, request.bucket }, { u"zone"_s, request.zone }, { u"now"_s, answer.now.toRfc3339() },
        { u"items"_s, items }, { u"next"_s, QJsonValue() }, { u"notes"_s, QJsonArray::fromStringList(answer.notes) } });
}

Exit listMetrics(const Context &context, const sql::Target &target)
{
    QJsonArray items;
    QList<QStringList> rows;
    const auto metrics = sql::trendMetrics(target);
    for (const sql::TrendMetric &metric : metrics) {
        items.append(QJsonObject { { u"metric"_s, metric.id }, { u"title"_s, metric.title }, { u"help"_s, metric.help },
            { u"unit"_s, sql::trendUnitName(metric.unit) }, { u"gauge"_s, metric.gauge },
            { u"available"_s, metric.available() },
            { u"missing"_s, metric.available() ? QJsonValue() : QJsonValue(metric.missing) },
            { u"sampled"_s, metric.available(sql::TrendSource::Samples) } });
        QStringList sources;
        if (metric.available()) {
            sources += Tr::tr("rows");
        }
        if (metric.available(sql::TrendSource::Samples)) {
            sources += Tr::tr("samples");
        }
        rows += QStringList { metric.id, sql::trendUnitName(metric.unit),
            sources.isEmpty() ? u"–"_s : sources.join(u", "_s), metric.available() ? metric.help : metric.missing };
    }
    if (context.json()) {
        printJson({ { u"items"_s, items }, { u"next"_s, QJsonValue() } });
    } else {
        print(table(
            { Tr::tr("METRIC"), Tr::tr("UNIT"), Tr::tr("SOURCE"), Tr::tr("MEANING, OR WHAT IS MISSING") }, rows, true));
    }
    return Exit::Done;
}

Exit runTrends(const Context &context)
{
    TRY_OR(fail, const auto request, trendRequest(context));
    TRY_OR(fail, const auto opened, openTarget(context));
    const sql::Target *target = &opened.target;
    const auto session = context.connect(sql::LaneKind::Background); // one pass over a large table takes its time
    if (!session) {
        return fail(session.error());
    }
    if (request.metric.isEmpty()) {
        return listMetrics(context, *target);
    }
    QStringList known;
    for (const sql::TrendMetric &metric : sql::trendMetrics(*target)) {
        known += metric.id;
    }
    if (!known.contains(request.metric)) {
        const QString near = didYouMean(request.metric, known);
        const QString all = Tr::tr("“idemdeskctl trends” without --metric lists them.");
        return misused(
            Tr::tr("There is no metric “%1”.").arg(request.metric), near.isEmpty() ? all : near + u' ' + all);
    }
    TRY_OR(fail, const auto answer, sql::readTrend(**session, *target, request));
    if (context.json() || capturing()) { // from which a group's table is made
        printDocument(*target, request, answer);
    }
    if (!context.json()) {
        printTable(answer);
        for (const QString &line : answer.notes) {
            note(line);
        }
    }
    return answer.partly ? Exit::Unknown : Exit::Done;
}

/// What a series of a member is called over its column.
QString nameOf(const QJsonObject &item)
{
    QStringList parts { item.value(u"member"_s).toString() };
    const QJsonObject scope = item.value(u"scope"_s).toObject();
    for (const QJsonValue &part : scope) {
        parts += part.isNull() ? u"–"_s : part.toString();
    }
    return item.value(u"other"_s).toBool() ? parts.constFirst() + u' ' + Tr::tr("other") : parts.join(u' ');
}

/// One column a series, and the sum of all; nothing where some member that has series does not know a bucket.
class SeriesTogether
{
public:
    explicit SeriesTogether(const QList<MemberAnswer> &answers)
        : m_items(itemsOf(answers))
    {
        for (const QJsonObject &item : m_items) {
            QMap<QString, QJsonValue> values;
            const QJsonArray points = item.value(u"points"_s).toArray();
            for (const QJsonValue &point : points) {
                const QString from = point[u"from"].toString();
                values.insert(from, point[u"value"]);
                m_ends.insert(from, point[u"to"].toString());
                m_open[from] = m_open.value(from) || point[u"open"].toBool();
            }
            m_series += values;
        }
    }

    bool any() const { return !m_ends.isEmpty(); }
    std::optional<double> sum(const QString &from) const
    {
        double sum = 0;
        for (const auto &values : m_series) {
            if (!values.value(from).isDouble()) {
                return std::nullopt;
            }
            sum += values.value(from).toDouble();
        }
        return sum;
    }
    QJsonArray sums() const
    {
        QJsonArray points;
        for (auto it = m_ends.cbegin(); it != m_ends.cend(); ++it) {
            const auto value = sum(it.key());
            points.append(QJsonObject { { u"from"_s, it.key() }, { u"to"_s, it.value() },
                { u"value"_s, value ? QJsonValue(*value) : QJsonValue() }, { u"open"_s, m_open.value(it.key()) } });
        }
        return points;
    }
    CapturedTable table(bool summed) const
    {
        CapturedTable made;
        made.header = QStringList { Tr::tr("FROM") };
        for (const QJsonObject &item : m_items) {
            made.header += summed ? QStringList() : QStringList { nameOf(item) };
        }
        made.header += summed ? QStringList { Tr::tr("SUM") } : QStringList();
        for (auto it = m_ends.cbegin(); it != m_ends.cend(); ++it) {
            QStringList row { QString(it.key()).remove(u".000000"_s) };
            if (summed) {
                const auto value = sum(it.key());
                row += value ? QString::number(*value, 'g', 10) : u"–"_s;
            }
            for (const auto &values : summed ? QList<QMap<QString, QJsonValue>>() : m_series) {
                const QJsonValue value = values.value(it.key());
                row += value.isDouble() ? QString::number(value.toDouble(), 'g', 10) : u"–"_s;
            }
            made.rows += row;
        }
        return made;
    }

private:
    QList<QJsonObject> m_items;
    QList<QMap<QString, QJsonValue>> m_series; ///< by m_items, then by the bucket's beginning
    QMap<QString, QString> m_ends; ///< of the buckets
    QMap<QString, bool> m_open;
};

/// Of a group one series a member, or with --sum their sum.
Exit runTrendsOver(const Context &context)
{
    const bool summed = context.has(u"sum"_s);
    if (summed && (!context.has(u"group"_s) || !context.has(u"metric"_s))) {
        return misused(Tr::tr("--sum goes with --group and --metric."));
    }
    if (summed) {
        TRY_OR(fail, const auto group, groupOf(context));
        if (group.kind != sql::GroupKind::Shards) {
            note(Tr::tr("The members hold copies of the same keys: the sum counts a key once for each copy."));
        }
    }
    GroupView view;
    if (context.has(u"metric"_s)) {
        view.merged = [summed](const QList<MemberAnswer> &answers) -> std::optional<CapturedTable> {
            const SeriesTogether series(answers);
            return series.any() ? std::optional(series.table(summed)) : std::nullopt;
        };
        view.together = [summed](const QList<MemberAnswer> &answers, QStringList * /*lines*/, QJsonObject *document) {
            document->insert(u"sum"_s, summed ? QJsonValue(SeriesTogether(answers).sums()) : QJsonValue());
        };
    }
    return overMembers(runTrends, view)(context);
}

} // namespace

Command trendsCommand()
{
    return { .name = u"trends"_s,
        .summary = Tr::tr("what happened over time, as series of a metric"),
        .about = Tr::tr("What happened over time: from the rows of a target, or with --source samples from samples, "
                        "from what services reported, and from the audit log. Without --metric it lists the metrics, "
                        "and what is missing for those that cannot be told."),
        .options = connectOptions() + QList { groupOption() } + targetOptions()
            + QList { jsonOption(),
                Option::flag(u"sum"_s, Tr::tr("With --group: the sum over all members, not a series for each.")),
                Option::text(u"metric"_s, Tr::tr("METRIC"), Tr::tr("What to show; without it the metrics are listed.")),
                Option::length(u"bucket"_s, Tr::tr("Length of a bucket: 5m, 1h, 6h, 1d, 1w."), u"1h"_s),
                Option::timeOrLength(
                    u"since"_s, Tr::tr("Where the range begins: a time, or a length before its end."), u"1d"_s),
                Option::time(u"until"_s, Tr::tr("Where the range ends; else now.")),
                Option::word(u"by"_s, { u"scope"_s },
                    Tr::tr("One series for each of the largest scopes, and one for the others.")),
                Option::number(u"top"_s, 1, kMostSeries, Tr::tr("How many scopes have a series of their own."), u"8"_s),
                Option::text(u"zone"_s, Tr::tr("ZONE"), Tr::tr("The time zone whose days and weeks count."), u"UTC"_s),
                Option::word(u"source"_s,
                    { sql::trendSourceName(sql::TrendSource::Rows), sql::trendSourceName(sql::TrendSource::Samples) },
                    Tr::tr("“rows”: what is in the table now; “samples”: what “idemdeskctl sample” and open consoles "
                           "noted of a "
                           "registered target."),
                    u"rows"_s) },
        .examples = { { Tr::tr("Which metrics there are:"), u"trends --target app.idempotency_request"_s },
            { Tr::tr("Retries by hour of the last day, by scope:"),
                u"trends --target app.idempotency_request --metric retries --bucket 1h --since 1d --by scope"_s } },
        .run = runTrendsOver,
        .watched = { QString() } };
}

} // namespace idemdesk::app
