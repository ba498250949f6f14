// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/groups/group_trends.h"

#include "models/format/display_text.h"
#include "models/groups/group_session.h"
#include "models/trends/trend_controller.h"
#include "sql/lanes/database.h"
#include "sql/trends/trend_gateway.h"
#include "sql/trends/trend_metrics.h"

#include <QHash>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

constexpr int kGroupTrendDeadlineMs = 120'000; // one pass over a large table
constexpr qsizetype kTrendLabelChars = 40;

sql::TrendSeries emptySeries(const QString &name, qsizetype buckets)
{
    sql::TrendSeries series;
    series.scope = { sql::Cell::of(name) };
    series.values = QList<std::optional<double>>(buckets);
    return series;
}

} // namespace

GroupTrends::GroupTrends(GroupSession *session, QObject *parent)
    : QObject(parent)
    , m_session(session)
{
    connect(session, &GroupSession::memberChanged, this, [this](int member) {
        if (m_session->state(member) == GroupSession::MemberState::Failed) {
            giveUp(member);
        }
        emit changed();
    });
}

GroupTrends::~GroupTrends() = default;

void GroupTrends::choose(const GroupTrendChoice &choice)
{
    if (choice == m_choice) {
        return;
    }
    GroupTrendChoice before = std::exchange(m_choice, choice);
    before.summed = choice.summed;
    if (before == choice) {
        emit changed();
    } else {
        refresh();
    }
}

void GroupTrends::setTimeFormat(const TimeFormat &format)
{
    if (m_format == format) {
        return;
    }
    m_format = format;
    if (!m_parts.empty()) {
        refresh();
    }
}

QString GroupTrends::bucket() const
{
    return TrendController::bucketFor(m_choice.spanSeconds);
}

QList<sql::TrendMetric> GroupTrends::metrics() const
{
    QList<sql::TrendMetric> told;
    for (int member = 0; told.isEmpty() && member < m_session->size(); ++member) {
        if (const TargetEntry *entry = m_session->target(member, m_choice.target)) {
            for (const sql::TrendMetric &metric : sql::trendMetrics(entry->target)) {
                told += metric.available() ? QList { metric } : QList<sql::TrendMetric>();
            }
        }
    }
    return told;
}

QString GroupTrends::whyNotSummed() const
{
    for (const sql::TrendMetric &metric : metrics()) {
        if (metric.id == m_choice.metric) {
            return metric.unit == sql::TrendUnit::Count ? QString() : tr("Shares and times cannot be added up.");
        }
    }
    return {};
}

void GroupTrends::refresh()
{
    m_parts.clear(); // with their requests: no older answer comes
    m_pending = 0;
    if (m_choice.target.isEmpty()) {
        emit changed();
        return;
    }
    for (int member = 0; member < m_session->size(); ++member) {
        Part part;
        part.label = m_session->label(member);
        part.request = std::make_unique<Request>(u"group/trends"_s);
        if (!m_session->answered(member)) {
            part.error = m_session->error(member).value_or(
                sql::makeError(sql::ErrorKind::Unreachable, tr("It has not answered yet.")));
        } else if (m_session->target(member, m_choice.target) == nullptr) {
            part.error = m_session->whyNoTarget(member, m_choice.target);
        }
        m_pending += part.error ? 0 : 1;
        m_parts.push_back(std::move(part));
    }
    for (std::size_t i = 0; i < m_parts.size(); ++i) {
        if (!m_parts.at(i).error) {
            readPart(i);
        }
    }
    emit changed();
}

void GroupTrends::readPart(std::size_t number)
{
    Part &part = m_parts[number];
    sql::TrendRequest request;
    request.metric = m_choice.metric;
    request.bucket = bucket();
    request.spanSeconds = m_choice.spanSeconds;
    request.zone = QString::fromLatin1(m_format.zone().id());
    part.request->setDatabase(m_session->database(int(number)));
    const bool asked = part.request->ask(
        { sql::LaneKind::Background, kGroupTrendDeadlineMs },
        [target = m_session->target(int(number), m_choice.target)->target, request](
            sql::Session &session) { return sql::readTrend(session, target, request); },
        [this, number](const sql::Result<sql::TrendAnswer> &answer) {
            if (answer) {
                m_parts[number].answer = *answer;
            } else {
                m_parts[number].error = answer.error();
            }
            --m_pending;
            emit changed();
        });
    if (!asked) {
        part.error = m_session->error(int(number)).value_or(abandonedError());
        --m_pending;
    }
}

/// A lane would wait for its server: the others are not held up by that. What it said before stays.
void GroupTrends::giveUp(int member)
{
    if (std::size_t(member) < m_parts.size() && m_parts.at(std::size_t(member)).request->busy()) {
        Part &part = m_parts[std::size_t(member)];
        part.request->drop();
        part.error = m_session->error(member).value_or(abandonedError());
        --m_pending;
    }
}

int GroupTrends::answered() const
{
    return int(std::count_if(m_parts.cbegin(), m_parts.cend(), [](const Part &part) { return bool(part.answer); }));
}

/// By the buckets of all members. One that is still filling where others have a later one is no value yet.
sql::TrendSeries GroupTrends::seriesOf(const Part &part, const QList<sql::Timestamp> &buckets) const
{
    if (!part.answer) {
        return emptySeries(tr("%1: no answer", "a member of the group").arg(part.label), buckets.size());
    }
    sql::TrendSeries series = emptySeries(part.label, buckets.size());
    const sql::TrendAnswer &own = *part.answer;
    for (qsizetype i = 0; !own.series.isEmpty() && i < own.buckets.size(); ++i) {
        const qsizetype place
            = std::lower_bound(buckets.cbegin(), buckets.cend(), own.buckets.at(i)) - buckets.cbegin();
        const bool early = own.lastOpen && i + 1 == own.buckets.size() && place + 1 < buckets.size();
        if (!early) {
            series.values[place] = own.series.constFirst().values.value(i);
        }
    }
    return series;
}

/// Only where each member that answered has a value: a sum without one of them would look like a drop.
sql::TrendSeries GroupTrends::sumOf(const QList<sql::TrendSeries> &series) const
{
    QStringList labels;
    QList<qsizetype> added;
    for (std::size_t i = 0; i < m_parts.size(); ++i) {
        if (m_parts.at(i).answer) {
            labels += m_parts.at(i).label;
            added += qsizetype(i);
        }
    }
    sql::TrendSeries sum = emptySeries(tr("Sum of %1").arg(labels.join(u", "_s)), series.constFirst().values.size());
    for (qsizetype bucket = 0; bucket < sum.values.size(); ++bucket) {
        std::optional<double> value = 0;
        for (const qsizetype member : std::as_const(added)) {
            const std::optional<double> one = series.at(member).values.at(bucket);
            value = value && one ? std::optional(*value + *one) : std::nullopt;
        }
        sum.values[bucket] = value;
    }
    return sum;
}

std::optional<sql::TrendAnswer> GroupTrends::answer() const
{
    std::optional<sql::TrendAnswer> all;
    QList<sql::Timestamp> buckets;
    for (const Part &part : m_parts) {
        if (!part.answer) {
            continue;
        }
        if (!all) {
            all = *part.answer;
        }
        all->end = std::max(all->end, part.answer->end);
        all->now = std::max(all->now, part.answer->now);
        all->lastOpen = all->lastOpen || part.answer->lastOpen;
        all->partly = all->partly || part.answer->partly;
        buckets += part.answer->buckets;
    }
    if (!all) {
        return std::nullopt;
    }
    std::sort(buckets.begin(), buckets.end());
    buckets.erase(std::unique(buckets.begin(), buckets.end()), buckets.end());
    all->buckets = buckets;
    all->series.clear();
    for (const Part &part : m_parts) {
        all->series += seriesOf(part, buckets);
    }
    if (m_choice.summed && whyNotSummed().isEmpty()) {
        QList<sql::TrendSeries> series { sumOf(all->series) };
        for (std::size_t i = 0; i < m_parts.size(); ++i) { // whoever is missing in the sum is named beside it
            series += m_parts.at(i).answer ? QList<sql::TrendSeries>() : QList { all->series.at(qsizetype(i)) };
        }
        all->series = series;
    }
    return all;
}

QStringList GroupTrends::missing() const
{
    QStringList missing;
    for (const Part &part : m_parts) {
        if (part.error) {
            missing += tr("%1: %2").arg(
                displayText(part.label, kTrendLabelChars), displayText(part.error->line(), kToolTipChars));
        }
    }
    return missing;
}

QStringList GroupTrends::notes() const
{
    QStringList said;
    QHash<QString, QStringList> by;
    for (const Part &part : m_parts) {
        for (const QString &note : part.answer ? part.answer->notes : QStringList()) {
            said += by.contains(note) ? QStringList() : QStringList { note };
            by[note] += displayText(part.label, kTrendLabelChars);
        }
    }
    QStringList notes;
    for (const QString &note : std::as_const(said)) {
        notes += tr("%1: %2").arg(by.value(note).join(u", "_s), displayText(note, kToolTipChars));
    }
    if (m_choice.summed && !whyNotSummed().isEmpty()) {
        notes += whyNotSummed();
    } else if (m_choice.summed && m_session->kind() != sql::GroupKind::Shards) {
        notes += tr("These members hold the same keys: the sum counts a key in each of them.");
    }
    return notes;
}

} // namespace idemdesk::models

#include "moc_group_trends.cpp"
