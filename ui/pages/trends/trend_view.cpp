// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/trends/trend_view.h"

#include "models/trends/trend_controller.h"
#include "models/trends/trend_table_model.h"
#include "models/trends/trend_words.h"
#include "sql/types/utc.h"
#include "ui/charts/small_multiples.h"
#include "ui/charts/trend_chart.h"
#include "ui/delegates/bar_delegate.h"
#include "ui/theme/theme.h"
#include "ui/widgets/table_setup.h"

#include <QDateTime>
#include <QHeaderView>
#include <QResizeEvent>
#include <QScrollArea>
#include <QTableView>
#include <algorithm>
#include <cmath>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

constexpr double kMillisToMicros = 1000;

sql::Timestamp timestampOf(double millis)
{
    return sql::Timestamp::fromDateTime(QDateTime::fromMSecsSinceEpoch(qint64(millis), sql::kUtc));
}
constexpr int kTimesWidth = 250; // pixels
constexpr int kLeastValueWidth = 110;

double millisOf(const sql::Timestamp &time)
{
    return double(time.micros) / kMillisToMicros;
}

} // namespace

TrendView::TrendView(models::TrendController *trends, models::Settings *settings, QWidget *parent)
    : QTabWidget(parent)
    , m_trends(trends)
    , m_chart(new TrendChart(this))
    , m_scopesTab(new QScrollArea(this))
    , m_scopes(new SmallMultiples(m_scopesTab))
    , m_table(new QTableView(this))
{
    setObjectName(u"trendsTabs"_s);
    setDocumentMode(true);
    m_chart->setAccessibleName(tr("Chart; the tab Table has its numbers"));
    setUpTable(m_table,
        { u"trendsTable"_s, tr("The chart's numbers"), m_trends->table(), {}, QAbstractItemView::ExtendedSelection },
        settings);
    m_table->setItemDelegate(new BarDelegate(m_table));
    m_table->horizontalHeader()->setStretchLastSection(false);
    m_scopesTab->setObjectName(u"trendsScopes"_s);
    m_scopesTab->setWidgetResizable(true);
    m_scopesTab->setFrameShape(QFrame::NoFrame);
    m_scopesTab->setWidget(m_scopes);
    addTab(m_chart, tr("Chart"));
    addTab(m_scopesTab, tr("Per scope"));
    setTabToolTip(1, tr("A small chart for each scope"));
    addTab(m_table, tr("Table"));
    wire();
}

void TrendView::showTab(const QString &name)
{
    setCurrentWidget(name == u"table" ? static_cast<QWidget *>(m_table)
            : name == u"scopes"       ? static_cast<QWidget *>(m_scopesTab)
                                      : m_chart);
}

void TrendView::wire()
{
    connect(m_chart, &TrendChart::hovered, this, [this](double x) { markBucket(bucketAt(x)); });
    connect(m_chart, &TrendChart::left, this, [this] { markBucket(-1); });
    connect(m_chart, &TrendChart::stepped, this, [this](int buckets) {
        const qsizetype last = m_trends->answer() ? m_trends->answer()->buckets.size() - 1 : -1;
        markBucket(m_marked < 0 ? last : std::clamp<qsizetype>(m_marked + buckets, 0, last));
    });
    connect(m_chart, &TrendChart::activated, this, &TrendView::openKeys);
    connect(m_chart, &TrendChart::rangeChosen, this,
        [this](double from, double to) { emit rangeChosen(timestampOf(from), timestampOf(to)); });
    connect(m_scopes, &SmallMultiples::activated, this, [this](int line) {
        const auto &answer = m_trends->answer();
        const qsizetype last = answer ? answer->buckets.size() - 1 - (answer->lastOpen ? 1 : 0) : -1;
        if (const QString filter = m_trends->filterAt(last, line); !filter.isEmpty()) {
            emit keysWanted(filter);
        }
    });
    connect(m_table, &QTableView::activated, this, [this](const QModelIndex &index) {
        const QString filter
            = m_trends->filterAt(m_trends->table()->bucketAt(index.row()), m_trends->table()->seriesAt(index.column()));
        if (!filter.isEmpty()) {
            emit keysWanted(filter);
        }
    });
}

void TrendView::draw(bool stacked)
{
    const auto &answer = m_trends->answer();
    if (!answer) {
        m_chart->clear();
        return;
    }
    const auto *previous = m_trends->previous() ? &*m_trends->previous() : nullptr;
    const sql::TrendMetric metric = answer->metric;
    models::TrendPicture picture = models::trendPicture(*answer, previous, stacked, m_trends->timeFormat());
    models::bindColors(&picture, m_trends->colors());
    if (m_trends->hours()) {
        models::addBands(&picture, *answer, *m_trends->hours());
    }
    picture.sampledAt = sampleTime();
    models::addLimits(&picture, m_trends->limits());
    models::addMarkers(&picture, m_trends->events(), m_trends->target().target.profile.name);
    const QString axisTitle = models::trendAxisText(metric, m_trends->bucket());
    const auto tick = [metric](double value) { return models::trendTickText(metric, value); };
    const auto numbers = [answer = *answer, bucket = m_trends->bucket()](
                             const models::TrendLine &line) { return models::trendLineText(line, answer, bucket); };
    m_chart->setPicture(picture,
        { axisTitle, m_trends->timeFormat().zoneText(), tick,
            [metric](double value) { return models::trendValueText(metric, value); }, numbers });
    // By themselves they stand on nothing, and no period before is laid over them.
    models::TrendPicture alone = models::trendPicture(*answer, nullptr, false, m_trends->timeFormat());
    models::bindColors(&alone, m_trends->colors());
    alone.sampledAt = picture.sampledAt;
    if (m_trends->hours()) {
        models::addBands(&alone, *answer, *m_trends->hours());
    }
    m_scopes->setPicture(alone, { axisTitle, tick, numbers });
    setTabEnabled(indexOf(m_scopesTab), alone.lines.size() > 1);
    fitTable();
    m_marked = -1;
}

/// "20:44"; empty where the newest number is not of a sample.
QString TrendView::sampleTime() const
{
    const auto &sampled = m_trends->sampledAt();
    return sampled
        ? QDateTime::fromMSecsSinceEpoch(qint64(millisOf(*sampled)), m_trends->timeFormat().zone()).toString(u"HH:mm"_s)
        : QString();
}

/// Numbers stand near their times, and share what room there is; the bars beneath them are told by each other.
void TrendView::fitTable()
{
    QHeaderView *header = m_table->horizontalHeader();
    header->setSectionResizeMode(QHeaderView::Interactive);
    const int count = m_trends->table()->columnCount();
    m_table->setColumnWidth(0, Theme::scaled(kTimesWidth));
    int needed = m_table->columnWidth(0);
    for (int column = 1; column < count; ++column) {
        fitToHeader(m_table, column, kLeastValueWidth);
        needed += m_table->columnWidth(column);
    }
    if (needed < width()) {
        for (int column = 1; column < count; ++column) {
            header->setSectionResizeMode(column, QHeaderView::Stretch);
        }
    }
}

void TrendView::resizeEvent(QResizeEvent *event)
{
    QTabWidget::resizeEvent(event);
    fitTable();
}

qsizetype TrendView::bucketAt(double x) const
{
    const auto &answer = m_trends->answer();
    if (!answer || answer->buckets.isEmpty()) {
        return -1;
    }
    const auto &buckets = answer->buckets;
    const auto after = std::upper_bound(buckets.begin(), buckets.end(), timestampOf(x));
    return std::max<qsizetype>(0, after - buckets.begin() - 1);
}

void TrendView::markBucket(qsizetype bucket)
{
    m_marked = bucket;
    const auto &answer = m_trends->answer();
    if (!answer || bucket < 0 || bucket >= answer->buckets.size()) {
        m_chart->mark(0, {});
        return;
    }
    QStringList lines { m_trends->timeFormat().text(answer->buckets.at(bucket)) };
    if (answer->lastOpen && bucket + 1 == answer->buckets.size()) {
        lines.first() = answer->metric.gauge ? models::trendAsOfText(answer->source, lines.constFirst())
                                             : tr("%1, still filling").arg(lines.constFirst());
    }
    const auto &drawn = m_chart->picture().lines;
    for (qsizetype i = 0; i < answer->series.size(); ++i) {
        const auto text
            = [answer](const std::optional<double> &value) { return models::trendValueText(answer->metric, value); };
        const QString name = models::seriesName(answer->series.at(i));
        const QString value = text(answer->series.at(i).values.value(bucket));
        const auto band = i < drawn.size() ? models::bandAt(drawn.at(i), millisOf(answer->buckets.at(bucket)))
                                           : std::optional<std::pair<double, double>>();
        lines += band ? tr("%1: %2, by the hour %3 to %4").arg(name, value, text(band->first), text(band->second))
                      : tr("%1: %2").arg(name, value);
    }
    if (m_trends->previous() && !m_trends->previous()->series.isEmpty()) {
        lines += tr("Previous period: %1")
                     .arg(models::trendValueText(
                         answer->metric, m_trends->previous()->series.constFirst().values.value(bucket)));
    }
    const double from = millisOf(answer->buckets.at(bucket));
    const double to = bucket + 1 < answer->buckets.size() ? millisOf(answer->buckets.at(bucket + 1)) : INFINITY;
    for (const models::TrendMarker &marker : m_chart->picture().markers) {
        if (marker.x >= from && marker.x < to) {
            lines += marker.alert ? tr("Alert: %1").arg(marker.text) : marker.text;
        }
    }
    m_chart->mark(millisOf(answer->buckets.at(bucket)), lines.join(u'\n'));
}

/// The keys of the bucket, and of the series whose line is nearest to where the mouse was.
void TrendView::openKeys(double x, double y, bool byKey)
{
    const auto &answer = m_trends->answer();
    const qsizetype bucket = bucketAt(x);
    if (!answer || bucket < 0) {
        return;
    }
    qsizetype nearest = -1;
    double distance = INFINITY;
    double floor = 0;
    for (qsizetype i = 0; !byKey && i < answer->series.size(); ++i) {
        const double value = answer->series.at(i).values.value(bucket).value_or(0);
        const bool stacked = m_chart->picture().stacked;
        const double drawn = std::min(value, m_chart->picture().top); // what is above it stands at the edge
        const double off = stacked ? (y >= floor && y <= floor + value ? 0 : INFINITY) : std::abs(drawn - y);
        if (off < distance) {
            distance = off;
            nearest = i;
        }
        floor += stacked ? value : 0;
    }
    const QString filter = m_trends->filterAt(bucket, nearest);
    if (!filter.isEmpty()) {
        emit keysWanted(filter);
    }
}

} // namespace idemdesk::ui
