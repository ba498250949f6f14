// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/regions/group_trends_view.h"

#include "models/groups/group_session.h"
#include "models/groups/group_trends.h"
#include "models/trends/trend_picture.h"
#include "models/trends/trend_words.h"
#include "ui/charts/trend_chart.h"
#include "ui/theme/theme.h"
#include "ui/widgets/busy_bar.h"
#include "ui/widgets/content_stack.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/notice_bar.h"
#include "ui/widgets/target_chooser.h"
#include "ui/widgets/wrap_row.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QSignalBlocker>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

constexpr qint64 kTrendHour = 3'600;
constexpr qint64 kTrendDay = 86'400;
constexpr double kMicrosOfMilli = 1'000;
constexpr int kLeastChart = 180; // pixels

/// Members that replicate have the same values: each line shows through the gaps of the next one.
models::TrendPicture toldApart(models::TrendPicture picture)
{
    static constexpr Qt::PenStyle patterns[] = { Qt::SolidLine, Qt::DashLine, Qt::DotLine, Qt::DashDotLine };
    for (qsizetype i = 0; i < picture.lines.size(); ++i) {
        picture.lines[i].pattern = patterns[std::size_t(i) % std::size(patterns)];
        picture.lines[i].wide = i == 0 && picture.lines.size() > 1;
    }
    return picture;
}

} // namespace

GroupTrendsView::GroupTrendsView(models::GroupSession *session, QWidget *parent)
    : QWidget(parent)
    , m_session(session)
    , m_trends(new models::GroupTrends(session, this))
    , m_targets(new TargetChooser(u"groupTrendsTarget"_s, this))
    , m_metric(new QComboBox(this))
    , m_range(new QComboBox(this))
    , m_sum(new QCheckBox(tr("&Sum of all members"), this))
    , m_busy(new BusyBar(u"groupTrendsBusy"_s, tr("Reading the trend in all members"), this))
    , m_notice(new NoticeBar(this))
    , m_help(noteLabel({}, u"groupTrendsHelp"_s, this))
    , m_stack(new ContentStack(this))
    , m_chart(new TrendChart(this))
    , m_status(noteLabel({}, u"groupTrendsStatus"_s, this))
{
    setObjectName(u"groupTrendsView"_s);
    m_notice->setObjectName(u"groupTrendsNotice"_s);
    m_chart->setObjectName(u"groupTrendsChart"_s);
    m_chart->setAccessibleName(tr("Chart of all members"));
    // As tall as it was drawn last it would want to stay, and with it all tabs.
    m_chart->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Ignored);
    m_chart->setMinimumHeight(Theme::scaled(kLeastChart));
    m_busy->keepItsPlace();
    m_stack->setContent(m_chart);
    auto *layout = tabColumn(this);
    layout->addWidget(buildBar());
    layout->addWidget(m_busy);
    layout->addWidget(m_notice);
    layout->addWidget(m_help);
    layout->addWidget(m_stack, 1);
    layout->addWidget(m_status);
    wire();
    onTargets();
}

QWidget *GroupTrendsView::buildBar()
{
    m_targets->setAccessibleName(tr("Table"));
    m_metric->setObjectName(u"groupTrendsMetric"_s);
    m_metric->setAccessibleName(tr("What is shown"));
    m_metric->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_range->setObjectName(u"groupTrendsRange"_s);
    m_range->setAccessibleName(tr("Range of time"));
    const std::pair<QString, qint64> ranges[]
        = { { tr("Last hour"), kTrendHour }, { tr("Last 6 hours"), 6 * kTrendHour }, { tr("Last 24 hours"), kTrendDay },
              { tr("Last 7 days"), 7 * kTrendDay }, { tr("Last 30 days"), 30 * kTrendDay } };
    for (const auto &[text, seconds] : ranges) {
        m_range->addItem(text, seconds);
    }
    m_range->setCurrentIndex(m_range->findData(kTrendDay));
    m_sum->setObjectName(u"groupTrendsSum"_s);
    auto *bar = new QWidget(this);
    auto *row = new WrapRow(bar);
    row->add(m_targets, 2);
    row->add(m_metric);
    row->add(m_range);
    row->add(m_sum);
    row->addRoom();
    return bar;
}

void GroupTrendsView::wire()
{
    connect(m_targets, &TargetChooser::chosen, this, &GroupTrendsView::choose);
    connect(m_metric, &QComboBox::activated, this, &GroupTrendsView::choose);
    connect(m_range, &QComboBox::activated, this, &GroupTrendsView::choose);
    connect(m_sum, &QCheckBox::toggled, this, &GroupTrendsView::choose);
    connect(m_notice, &NoticeBar::primaryClicked, this, &GroupTrendsView::refresh);
    connect(m_stack->empty(), &EmptyState::buttonClicked, this, &GroupTrendsView::refresh);
    connect(m_session, &models::GroupSession::memberChanged, this, &GroupTrendsView::onTargets);
    connect(m_trends, &models::GroupTrends::changed, this, &GroupTrendsView::sync);
    connect(m_chart, &TrendChart::hovered, this, &GroupTrendsView::mark);
    connect(m_chart, &TrendChart::left, this, [this] { m_chart->mark(0, {}); });
}

void GroupTrendsView::onTargets()
{
    m_targets->refill(m_session->eachTarget(), m_trends->choice().target);
    if (m_trends->choice().target.isEmpty() && isVisible()) {
        activate();
    }
    sync();
}

void GroupTrendsView::activate()
{
    bool opening = false;
    for (int member = 0; member < m_session->size(); ++member) {
        opening = opening || m_session->state(member) == models::GroupSession::MemberState::Opening;
    }
    // Not before each member has answered or failed: the slower ones would be said to be missing.
    if (m_trends->choice().target.isEmpty() && !m_targets->target().isEmpty() && !opening) {
        choose();
    }
}

void GroupTrendsView::choose()
{
    models::GroupTrendChoice choice = m_trends->choice();
    choice.target = m_targets->target();
    choice.spanSeconds = m_range->currentData().toLongLong();
    choice.summed = m_sum->isChecked();
    if (m_metric->count() > 0) {
        choice.metric = m_metric->currentData().toString();
    }
    m_trends->choose(choice);
}

void GroupTrendsView::refresh()
{
    for (int member = 0; member < m_session->size(); ++member) {
        if (!m_session->answered(member)) {
            m_session->refresh(member);
        }
    }
    m_trends->choice().target.isEmpty() ? activate() : m_trends->refresh();
}

void GroupTrendsView::setTimeFormat(const models::TimeFormat &format)
{
    m_trends->setTimeFormat(format);
}

/// Those of the table; the one that is shown stays where it has it.
void GroupTrendsView::fillMetrics()
{
    const QList<sql::TrendMetric> metrics = m_trends->metrics();
    QStringList ids;
    for (const sql::TrendMetric &metric : metrics) {
        ids += metric.id;
    }
    QStringList shown;
    for (int i = 0; i < m_metric->count(); ++i) {
        shown += m_metric->itemData(i).toString();
    }
    if (ids != shown) {
        m_metric->clear();
        for (const sql::TrendMetric &metric : metrics) {
            m_metric->addItem(metric.title, metric.id);
            m_metric->setItemData(m_metric->count() - 1, metric.help, Qt::ToolTipRole);
        }
    }
    m_metric->setCurrentIndex(std::max(0, m_metric->findData(m_trends->choice().metric)));
}

void GroupTrendsView::sync()
{
    fillMetrics();
    m_busy->setVisible(m_trends->busy());
    const QString whyNot = m_trends->whyNotSummed();
    m_sum->setEnabled(whyNot.isEmpty());
    m_sum->setToolTip(whyNot);
    const bool asked = !m_trends->choice().target.isEmpty();
    const QString answered = tr("%1 of %2 members answered.").arg(m_trends->answered()).arg(m_trends->asked());
    const bool missing = asked && !m_trends->busy() && m_trends->answered() < m_trends->asked();
    if (missing) {
        m_notice->showNotice(NoticeBar::Kind::Warning, answered + u' ' + tr("The others are not drawn."),
            m_trends->missing().join(u'\n'), {}, tr("Read again"));
    } else {
        m_notice->clear();
    }
    m_status->setText(asked ? (QStringList { answered } + m_trends->notes()).join(u' ') : QString());
    draw();
    syncEmpty();
}

void GroupTrendsView::syncEmpty()
{
    const auto answer = m_trends->answer();
    m_stack->showContent(answer.has_value());
    m_help->setText(answer ? answer->metric.help : QString());
    m_help->setVisible(answer.has_value());
    EmptyState *empty = m_stack->empty();
    if (m_trends->choice().target.isEmpty()) {
        empty->show(
            u"trends"_s, tr("No table yet"), tr("Numbers over time come here once one of the members has answered."));
    } else if (m_trends->busy()) {
        empty->show(u"trends"_s, tr("Reading…"), tr("Each member counts for itself; nothing is changed."));
    } else {
        empty->show(u"trends"_s, tr("No member answered"), tr("What happened in them is not known. See above."),
            tr("Read again"));
    }
}

void GroupTrendsView::draw()
{
    const auto answer = m_trends->answer();
    if (!answer) {
        m_chart->clear();
        return;
    }
    const sql::TrendMetric metric = answer->metric;
    const QString bucket = m_trends->bucket();
    m_chart->setPicture(toldApart(models::trendPicture(*answer, nullptr, false, m_trends->timeFormat())),
        { models::trendAxisText(metric, bucket), m_trends->timeFormat().zoneText(),
            [metric](double value) { return models::trendTickText(metric, value); },
            [metric](double value) { return models::trendValueText(metric, value); },
            [answer = *answer, bucket](
                const models::TrendLine &line) { return models::trendLineText(line, answer, bucket); } });
}

/// The values of the bucket under the mouse, a line a member.
void GroupTrendsView::mark(double x)
{
    const auto answer = m_trends->answer();
    if (!answer || answer->buckets.isEmpty()) {
        return;
    }
    const auto &buckets = answer->buckets;
    const auto after = std::upper_bound(buckets.cbegin(), buckets.cend(), x,
        [](double at, const sql::Timestamp &bucket) { return at < double(bucket.micros) / kMicrosOfMilli; });
    const qsizetype bucket = std::max<qsizetype>(0, after - buckets.cbegin() - 1);
    QStringList lines { m_trends->timeFormat().text(buckets.at(bucket)) };
    for (const sql::TrendSeries &series : answer->series) {
        lines += tr("%1: %2", "a member, its value")
                     .arg(models::seriesName(series),
                         models::trendValueText(answer->metric, series.values.value(bucket)));
    }
    m_chart->mark(double(buckets.at(bucket).micros) / kMicrosOfMilli, lines.join(u'\n'));
}

} // namespace idemdesk::ui
