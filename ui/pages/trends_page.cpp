// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/trends_page.h"

#include "models/connection/connection_controller.h"
#include "models/format/display_text.h"
#include "models/keys/private_file.h"
#include "models/trends/trend_controller.h"
#include "models/trends/trend_export.h"
#include "models/trends/trend_table_model.h"
#include "models/trends/trend_words.h"
#include "sql/types/utc.h"
#include "ui/charts/trend_chart.h"
#include "ui/dialogs/range_dialog.h"
#include "ui/pages/table_setup.h"
#include "ui/pages/target_chooser.h"
#include "ui/theme/theme.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/notice_bar.h"
#include "ui/widgets/plain_label.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QProgressBar>
#include <QPushButton>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QStandardItemModel>
#include <QTabWidget>
#include <QTableView>
#include <QToolButton>
#include <algorithm>
#include <cmath>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

constexpr double kMillisToMicros = 1000;

sql::Timestamp timestampOf(double millis) { return sql::Timestamp::fromDateTime(QDateTime::fromMSecsSinceEpoch(qint64(millis), sql::kUtc)); }
double millisOf(const sql::Timestamp &time) { return double(time.micros) / kMillisToMicros; }

} // namespace

TrendsPage::TrendsPage(models::ConnectionController *connection, models::TrendController *trends, models::Settings *settings, QWidget *parent)
    : QWidget(parent)
    , m_connection(connection)
    , m_trends(trends)
    , m_targets(new QComboBox(this))
    , m_metric(new QComboBox(this))
    , m_source(new QComboBox(this))
    , m_range(new QComboBox(this))
    , m_bucket(new QComboBox(this))
    , m_byScope(new QCheckBox(tr("By &scope"), this))
    , m_stacked(new QCheckBox(tr("Stac&ked"), this))
    , m_compare(new QCheckBox(tr("The period &before"), this))
    , m_reset(new QPushButton(tr("Whole &range"), this))
    , m_refresh(new QToolButton(this))
    , m_export(new QToolButton(this))
    , m_progress(new QProgressBar(this))
    , m_stop(new QPushButton(tr("Stop"), this))
    , m_notice(new NoticeBar(this))
    , m_help(plainLabel({}, this))
    , m_notes(plainLabel({}, this))
    , m_tabs(new QTabWidget(this))
    , m_stack(new QStackedWidget(this))
    , m_chart(new TrendChart(this))
    , m_table(new QTableView(this))
    , m_empty(new EmptyState(this))
{
    setObjectName(u"trendsPage"_s);
    m_table->setObjectName(u"trendsTable"_s);
    m_table->setAccessibleName(tr("The chart's numbers"));
    m_table->setModel(m_trends->table());
    setUpTable(m_table, settings);
    m_chart->setAccessibleName(tr("Chart; the tab Table has its numbers"));
    m_tabs->setObjectName(u"trendsTabs"_s);
    m_tabs->setDocumentMode(true);
    m_tabs->addTab(m_chart, tr("Chart"));
    m_tabs->addTab(m_table, tr("Table"));
    m_stack->addWidget(m_tabs);
    m_stack->addWidget(m_empty);
    m_help->setObjectName(u"trendsHelp"_s);
    m_help->setWordWrap(true);
    m_notes->setObjectName(u"trendsNotes"_s);
    m_notes->setWordWrap(true);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(3 * kGrid, 3 * kGrid, 3 * kGrid, 2 * kGrid);
    layout->setSpacing(2 * kGrid);
    layout->addWidget(buildBar());
    layout->addWidget(buildOptions());
    layout->addWidget(m_notice);
    layout->addWidget(m_help);
    layout->addWidget(m_stack, 1);
    layout->addWidget(m_notes);
    wire();
    onTargetsChanged();
}

void TrendsPage::wire()
{
    connect(m_targets, &QComboBox::activated, this, [this] { showTarget(m_targets->currentData().toString()); });
    connect(m_metric, &QComboBox::activated, this, [this] { choose([this](models::TrendChoice &choice) { choice.metric = m_metric->currentData().toString(); }); });
    connect(m_source, &QComboBox::activated, this, [this] {
        choose([this](models::TrendChoice &choice) { choice.source = static_cast<sql::TrendSource>(m_source->currentData().toInt()); });
        fillMetrics();
    });
    connect(m_range, &QComboBox::activated, this, [this] {
        if (m_range->currentData().toLongLong() == kOwnRange) {
            askRange();
            return;
        }
        choose([this](models::TrendChoice &choice) {
            choice.spanSeconds = m_range->currentData().toLongLong();
            choice.since.reset();
            choice.until.reset();
        });
    });
    connect(m_reset, &QPushButton::clicked, this, [this] {
        choose([](models::TrendChoice &choice) {
            choice.since.reset();
            choice.until.reset();
        });
    });
    connect(m_bucket, &QComboBox::activated, this, [this] { choose([this](models::TrendChoice &choice) { choice.bucket = m_bucket->currentData().toString(); }); });
    connect(m_byScope, &QCheckBox::toggled, this, [this](bool on) { choose([on](models::TrendChoice &choice) { choice.byScope = on; }); });
    connect(m_compare, &QCheckBox::toggled, this, [this](bool on) { choose([on](models::TrendChoice &choice) { choice.compare = on; }); });
    connect(m_stacked, &QCheckBox::toggled, this, &TrendsPage::drawChart);
    connect(m_refresh, &QToolButton::clicked, m_trends, &models::TrendController::refresh);
    connect(m_stop, &QPushButton::clicked, m_trends, &models::TrendController::cancel);
    connect(m_notice, &NoticeBar::primaryClicked, m_trends, &models::TrendController::refresh);
    connect(m_trends, &models::TrendController::changed, this, &TrendsPage::update);
    connect(m_connection, &models::ConnectionController::targetsChanged, this, &TrendsPage::onTargetsChanged);
    connect(m_connection, &models::ConnectionController::stateChanged, this, &TrendsPage::update);
    connect(m_empty, &EmptyState::buttonClicked, this, &TrendsPage::connectClicked);
    connect(m_chart, &TrendChart::hovered, this, [this](double x) { markBucket(bucketAt(x)); });
    connect(m_chart, &TrendChart::left, this, [this] { markBucket(-1); });
    connect(m_chart, &TrendChart::stepped, this, [this](int buckets) {
        const qsizetype last = m_trends->answer() ? m_trends->answer()->buckets.size() - 1 : -1;
        markBucket(m_marked < 0 ? last : std::clamp<qsizetype>(m_marked + buckets, 0, last));
    });
    connect(m_chart, &TrendChart::activated, this, &TrendsPage::openKeys);
    connect(m_chart, &TrendChart::rangeChosen, this, [this](double from, double to) {
        choose([from, to](models::TrendChoice &choice) {
            choice.since = timestampOf(from);
            choice.until = timestampOf(to);
        });
    });
    connect(m_table, &QTableView::activated, this, [this](const QModelIndex &index) {
        const QString filter = m_trends->filterAt(m_trends->table()->bucketAt(index.row()), index.column() - 1);
        if (!filter.isEmpty()) {
            emit keysWanted(m_trends->target().target.profile.name, filter);
        }
    });
}

void TrendsPage::activate()
{
    if (!m_trends->answer() && !m_trends->busy()) {
        m_trends->refresh();
    }
}

void TrendsPage::onTargetsChanged()
{
    const QString kept = m_trends->target().target.profile.name;
    m_targets->clear();
    for (const models::TargetEntry &entry : m_connection->targets()) {
        addTarget(m_targets, entry.target.profile);
    }
    const int index = m_targets->findData(kept);
    m_targets->setCurrentIndex(std::max(index, m_targets->count() > 0 ? 0 : -1));
    const models::TargetEntry *entry = m_connection->target(kept);
    if (index < 0 || (entry != nullptr && entry->registeredAt() != m_trends->target().registeredAt())) {
        showTarget(m_targets->currentData().toString()); // samples of a registered table are kept elsewhere
    }
    update();
}

void TrendsPage::showTarget(const QString &name)
{
    m_targets->setCurrentIndex(m_targets->findData(name));
    const models::TargetEntry *entry = m_connection->target(name);
    m_trends->setTarget(entry != nullptr ? *entry : models::TargetEntry());
    fillMetrics();
}

void TrendsPage::showMetric(const QString &metric)
{
    m_metric->setCurrentIndex(m_metric->findData(metric));
    choose([&](models::TrendChoice &choice) { choice.metric = metric; });
}

void TrendsPage::showTab(const QString &name) { m_tabs->setCurrentWidget(name == u"table" ? static_cast<QWidget *>(m_table) : m_chart); }

/// Metrics that the table cannot give are listed, greyed, with what would provide them.
void TrendsPage::fillMetrics()
{
    m_metric->clear();
    auto *items = qobject_cast<QStandardItemModel *>(m_metric->model());
    QString first;
    bool known = false;
    for (const sql::TrendMetric &metric : m_trends->metrics()) {
        m_metric->addItem(metric.title, metric.id);
        const int row = m_metric->count() - 1;
        const sql::TrendSource source = m_trends->choice().source;
        const bool there = metric.available(source);
        m_metric->setItemData(row, there ? metric.help : source == sql::TrendSource::Rows ? metric.missing : metric.unsampled, Qt::ToolTipRole);
        items->item(row)->setEnabled(there);
        first = first.isEmpty() && there ? metric.id : first;
        known = known || (there && metric.id == m_trends->choice().metric);
    }
    if (!known && !first.isEmpty()) {
        showMetric(first);
    }
    m_metric->setCurrentIndex(m_metric->findData(m_trends->choice().metric));
}

void TrendsPage::choose(const std::function<void(models::TrendChoice &)> &change)
{
    models::TrendChoice choice = m_trends->choice();
    change(choice);
    m_trends->choose(choice);
    update();
}

void TrendsPage::update()
{
    if (m_trends->error()) {
        m_notice->showError(*m_trends->error(), tr("Retry"));
    } else {
        m_notice->clear();
    }
    const models::TrendChoice &choice = m_trends->choice();
    const auto &answer = m_trends->answer();
    const bool scoped = !m_trends->target().target.profile.scope.isEmpty();
    m_byScope->setEnabled(scoped && !choice.compare);
    m_stacked->setEnabled(scoped && choice.byScope && !choice.compare && answer && answer->metric.unit == sql::TrendUnit::Count);
    m_compare->setEnabled(answer && (!answer->metric.gauge || choice.source == sql::TrendSource::Samples));
    // The choice may have come from elsewhere than these controls.
    const std::pair<QCheckBox *, bool> boxes[] = { { m_byScope, choice.byScope }, { m_compare, choice.compare } };
    for (const auto &[box, on] : boxes) {
        const QSignalBlocker quiet(box);
        box->setChecked(on);
    }
    m_metric->setCurrentIndex(m_metric->findData(choice.metric));
    m_bucket->setCurrentIndex(m_bucket->findData(choice.bucket));
    m_source->setCurrentIndex(m_source->findData(int(choice.source)));
    m_reset->setVisible(choice.since.has_value());
    m_range->setCurrentIndex(m_range->findData(choice.since ? kOwnRange : choice.spanSeconds));
    m_progress->setVisible(m_trends->busy());
    m_stop->setVisible(m_trends->busy());
    m_export->setEnabled(answer.has_value());
    m_refresh->setEnabled(!m_trends->busy() && m_trends->target().target.relation.oid != 0);
    m_help->setText(answer ? answer->metric.help : QString());
    m_help->setVisible(answer.has_value());
    m_notes->setText(answer ? answer->notes.join(u' ') : QString());
    m_notes->setVisible(answer && !answer->notes.isEmpty());
    drawChart();
    updateEmpty();
}

void TrendsPage::updateEmpty()
{
    const auto &answer = m_trends->answer();
    const models::TrendChoice &choice = m_trends->choice();
    if (m_connection->database() == nullptr) {
        m_empty->show(u"connect"_s, tr("Not connected"), tr("Charts of claims, retries, failures and stale keys over time appear here."), tr("Connect…"));
    } else if (m_targets->count() == 0 && !m_connection->noTableBecause().isEmpty()) {
        m_empty->show(u"trends"_s, tr("No table could be read"), m_connection->noTableBecause());
    } else if (m_targets->count() == 0) {
        m_empty->show(u"trends"_s, m_connection->targetsLoaded() ? tr("No table yet") : tr("Looking for tables"),
            tr("A chart needs a table whose columns the console knows how to read."));
    } else if (m_trends->error()) {
        m_empty->show(u"trends"_s, tr("No chart"), tr("The message above says why."));
    } else if (!answer) {
        m_empty->show(u"trends"_s, tr("Reading"), tr("The rows of the range are counted once; on a large table without an index on the time this takes a while."));
    } else {
        m_empty->show(u"trends"_s, tr("Nothing in this range"),
            choice.source == sql::TrendSource::Samples
                ? tr("No sample was taken in it. A console that is open takes one each minute; so does cron with “idemdeskctl sample”.")
                : answer->metric.gauge ? tr("Rows tell only how it is now: choose a range that ends now.") : tr("No row of this kind falls into the range. Choose a longer one."));
    }
    m_stack->setCurrentWidget(answer && !m_chart->picture().empty() ? static_cast<QWidget *>(m_tabs) : m_empty);
}

void TrendsPage::drawChart()
{
    const auto &answer = m_trends->answer();
    if (!answer) {
        m_chart->clear();
        return;
    }
    const auto *previous = m_trends->previous() ? &*m_trends->previous() : nullptr;
    const sql::TrendMetric metric = answer->metric;
    models::TrendPicture picture = models::trendPicture(*answer, previous, m_stacked->isChecked() && m_stacked->isEnabled(), m_trends->timeFormat());
    models::addLimits(&picture, m_trends->limits());
    m_chart->setPicture(picture, models::trendAxisText(metric, m_trends->bucket()), [metric](double value) { return models::trendValueText(metric, value); });
    m_table->setColumnWidth(0, 250);
    for (int column = 1; column < m_trends->table()->columnCount(); ++column) {
        fitToHeader(m_table, column, 110);
    }
    m_marked = -1;
}

qsizetype TrendsPage::bucketAt(double x) const
{
    const auto &answer = m_trends->answer();
    if (!answer || answer->buckets.isEmpty()) {
        return -1;
    }
    const auto &buckets = answer->buckets;
    const auto after = std::upper_bound(buckets.begin(), buckets.end(), timestampOf(x));
    return std::max<qsizetype>(0, after - buckets.begin() - 1);
}

void TrendsPage::markBucket(qsizetype bucket)
{
    m_marked = bucket;
    const auto &answer = m_trends->answer();
    if (!answer || bucket < 0 || bucket >= answer->buckets.size()) {
        m_chart->mark(0, {});
        return;
    }
    QStringList lines { m_trends->timeFormat().text(answer->buckets.at(bucket)) };
    if (answer->lastOpen && bucket + 1 == answer->buckets.size()) {
        lines.first() = tr("%1, still filling").arg(lines.constFirst());
    }
    for (const sql::TrendSeries &series : answer->series) {
        lines += tr("%1: %2").arg(models::seriesName(series), models::trendValueText(answer->metric, series.values.value(bucket)));
    }
    if (m_trends->previous() && !m_trends->previous()->series.isEmpty()) {
        lines += tr("The period before: %1").arg(models::trendValueText(answer->metric, m_trends->previous()->series.constFirst().values.value(bucket)));
    }
    m_chart->mark(millisOf(answer->buckets.at(bucket)), lines.join(u'\n'));
}

/// The keys of the bucket, and of the series whose line is nearest to where the mouse was.
void TrendsPage::openKeys(double x, double y, bool byKey)
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
        const double off = stacked ? (y >= floor && y <= floor + value ? 0 : INFINITY) : std::abs(value - y);
        if (off < distance) {
            distance = off;
            nearest = i;
        }
        floor += stacked ? value : 0;
    }
    const QString filter = m_trends->filterAt(bucket, nearest);
    if (!filter.isEmpty()) {
        emit keysWanted(m_trends->target().target.profile.name, filter);
    }
}

void TrendsPage::askRange()
{
    const auto &answer = m_trends->answer();
    const QDateTime until = answer ? answer->end.toDateTime() : QDateTime::currentDateTimeUtc();
    const QDateTime since = answer && !answer->buckets.isEmpty() ? answer->buckets.constFirst().toDateTime() : until.addDays(-1);
    auto *dialog = new RangeDialog(since, until, m_trends->timeFormat(), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this, dialog] {
        choose([dialog](models::TrendChoice &choice) {
            choice.since = sql::Timestamp::fromDateTime(dialog->since());
            choice.until = sql::Timestamp::fromDateTime(dialog->until());
        });
    });
    connect(dialog, &QDialog::rejected, this, &TrendsPage::update); // the list shows what is chosen again
    dialog->open();
}

void TrendsPage::askExport(const QString &suffix)
{
    auto *dialog = new QFileDialog(this, tr("Export the chart"));
    dialog->setObjectName(u"trendsExportDialog"_s);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(suffix);
    dialog->setNameFilters({ u"*."_s + suffix });
    dialog->setLabelText(QFileDialog::Accept, tr("Export"));
    dialog->selectFile(m_trends->choice().metric + u'.' + suffix);
    connect(dialog, &QFileDialog::fileSelected, this, [this, suffix](const QString &path) {
        if (!m_trends->answer()) {
            return;
        }
        const QByteArray bytes = suffix == u"csv" ? models::trendCsv(*m_trends->answer(), m_trends->previous())
            : suffix == u"svg"                   ? m_chart->svg(m_trends->answer()->metric.title)
                                                 : m_chart->png();
        const auto written = models::writePrivateFile(path, bytes);
        if (!written) {
            m_notice->showError(written.error());
        } else {
            m_notice->showNotice(NoticeBar::Kind::Info, tr("Written to %1.").arg(models::displayText(path, 200)));
        }
    });
    dialog->open();
}

} // namespace idemdesk::ui
