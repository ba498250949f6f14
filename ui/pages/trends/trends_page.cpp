// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/trends/trends_page.h"

#include "models/connection/connection_controller.h"
#include "models/format/display_text.h"
#include "models/trends/trend_controller.h"
#include "models/trends/trend_words.h"
#include "ui/charts/trend_chart.h"
#include "ui/dialogs/range_dialog.h"
#include "ui/pages/trends/trend_export_button.h"
#include "ui/pages/trends/trend_view.h"
#include "ui/widgets/busy_bar.h"
#include "ui/widgets/content_stack.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/icon_button.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/notice_bar.h"
#include "ui/widgets/page_header.h"
#include "ui/widgets/questions.h"
#include "ui/widgets/target_chooser.h"
#include "ui/widgets/wrap_row.h"

#include <QCheckBox>
#include <QComboBox>
#include <QPushButton>
#include <QSignalBlocker>
#include <QStandardItemModel>
#include <QToolButton>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

constexpr int kCountTickMs = 1'000; // the seconds of a count that goes on
constexpr int kRangeMinuteChars = 16; // of a time, up to its minutes

/// "1–7 Jan 2020" for a range of whole days, of which until is the midnight after the last; empty for any other.
QString daysText(const sql::Timestamp &since, const sql::Timestamp &until, const models::TimeFormat &format)
{
    if (!since.finite() || !until.finite()) {
        return {};
    }
    const QDateTime from = since.toDateTime().toTimeZone(format.zone());
    const QDateTime to = until.toDateTime().toTimeZone(format.zone());
    if (from.time() != QTime(0, 0) || to.time() != QTime(0, 0) || to <= from) {
        return {};
    }
    const QLocale locale;
    const QDate first = from.date();
    const QDate last = to.date().addDays(-1);
    const QString end = locale.toString(last, u"d MMM yyyy"_s);
    if (first == last) {
        return end;
    }
    const bool month = first.month() == last.month() && first.year() == last.year();
    const QString pattern = month ? u"d"_s : first.year() == last.year() ? u"d MMM"_s : u"d MMM yyyy"_s;
    return (month ? u"%1–%2"_s : u"%1 – %2"_s).arg(locale.toString(first, pattern), end);
}

/// Says the range as the choice of ranges does.
QString nothingText(const sql::TrendAnswer &answer, const models::TimeFormat &format)
{
    if (answer.buckets.isEmpty()) {
        return TrendsPage::tr("Nothing in this range");
    }
    const sql::Timestamp &since = answer.buckets.constFirst();
    const QString days = daysText(since, answer.end, format);
    return days.isEmpty()
        ? TrendsPage::tr("Nothing from %1 to %2", "times").arg(format.text(since), format.text(answer.end))
        : TrendsPage::tr("Nothing in %1", "1–7 Jan 2020").arg(days);
}

} // namespace

Page::Face TrendsPage::ownFace()
{
    return { u"trends"_s, tr("Trends"), u"trends"_s };
}

TrendsPage::TrendsPage(models::ConnectionController *connection, models::TrendController *trends,
    models::Settings *settings, QWidget *parent)
    : Page(ownFace(), parent)
    , m_connection(connection)
    , m_trends(trends)
    , m_targets(new TargetChooser(u"trendsTarget"_s, this))
    , m_metric(new QComboBox(this))
    , m_source(new QComboBox(this))
    , m_range(new QComboBox(this))
    , m_bucket(new QComboBox(this))
    , m_byScope(new QCheckBox(tr("By &scope"), this))
    , m_stacked(new QCheckBox(tr("Stac&ked"), this))
    , m_compare(new QCheckBox(tr("&Previous period"), this))
    , m_reset(new QPushButton(tr("Whole &range"), this))
    , m_refresh(new QToolButton(this))
    , m_export(new TrendExportButton(trends, this))
    , m_progress(new BusyBar(u"trendsProgress"_s, tr("Reading the trend"), this))
    , m_stop(new QPushButton(tr("Stop"), this))
    , m_notice(new NoticeBar(this))
    , m_help(wrappedLabel({}, this))
    , m_notes(wrappedLabel({}, this))
    , m_stack(new ContentStack(this))
    , m_view(new TrendView(trends, settings, this))
    , m_offersTitle(strongLabel(tr("This table can show"), this))
    , m_offers(new QWidget(this))
    , m_offerRow(new WrapRow(m_offers))
{
    setObjectName(u"trendsPage"_s);
    m_export->setChart(m_view->chart());
    m_stack->setContent(m_view);
    m_help->setObjectName(u"trendsHelp"_s);
    m_notes->setObjectName(u"trendsNotes"_s);
    auto *layout = pageColumn(this);
    layout->addWidget(buildHeader());
    layout->addWidget(buildOptions());
    layout->addWidget(m_notice);
    layout->addWidget(m_help);
    layout->addWidget(m_stack, 1);
    layout->addWidget(m_offersTitle);
    layout->addWidget(m_offers);
    layout->addWidget(m_notes);
    layout->addStretch();
    wire();
    onTargetsChanged();
}

QWidget *TrendsPage::buildHeader()
{
    m_metric->setObjectName(u"trendsMetric"_s);
    m_metric->setAccessibleName(tr("What is shown"));
    m_metric->setMinimumWidth(200);
    m_metric->setPlaceholderText(tr("Choose a metric"));
    setUpIconButton(m_refresh, u"trendsRefresh"_s, u"refresh"_s, tr("Refresh (F5)"));
    m_stop->setObjectName(u"trendsStop"_s);
    auto *header = new PageHeader(tr("Trends"), this);
    header->add({ m_targets, m_metric, nullptr, m_progress, m_stop, m_export, m_refresh });
    return header;
}

QWidget *TrendsPage::buildOptions()
{
    constexpr qint64 kHour = 3'600;
    constexpr qint64 kDay = 86'400;
    m_source->setObjectName(u"trendsSource"_s);
    m_source->setAccessibleName(tr("Where the numbers come from"));
    m_source->addItem(tr("Source: rows"), int(sql::TrendSource::Rows));
    m_source->setItemData(
        0, tr("What is in the table now; rows that were purged or overwritten are gone"), Qt::ToolTipRole);
    m_source->addItem(tr("Source: samples"), int(sql::TrendSource::Samples));
    m_source->setItemData(
        1, tr("How it was each minute, as open consoles and idemdeskctl sample noted it"), Qt::ToolTipRole);
    m_range->setObjectName(u"trendsRange"_s);
    m_range->setSizeAdjustPolicy(QComboBox::AdjustToContents); // a range of one's own is longer than those offered
    m_range->setAccessibleName(tr("Range of time"));
    const std::pair<QString, qint64> ranges[] = { { tr("Last hour"), kHour }, { tr("Last 6 hours"), 6 * kHour },
        { tr("Last 24 hours"), kDay }, { tr("Last 7 days"), 7 * kDay }, { tr("Last 30 days"), 30 * kDay },
        { tr("Last 90 days"), 90 * kDay }, { tr("Custom range…"), kOwnRange } };
    for (const auto &[text, seconds] : ranges) {
        m_range->addItem(text, seconds);
    }
    m_range->setCurrentIndex(m_range->findData(kDay));
    m_bucket->setObjectName(u"trendsBucket"_s);
    m_bucket->setAccessibleName(tr("Length of a bucket"));
    m_bucket->addItem(tr("Auto interval"), QString());
    const std::pair<QString, QString> lengths[] = { { tr("1 minute"), u"1m"_s }, { tr("5 minutes"), u"5m"_s },
        { tr("15 minutes"), u"15m"_s }, { tr("1 hour"), u"1h"_s }, { tr("6 hours"), u"6h"_s }, { tr("1 day"), u"1d"_s },
        { tr("1 week"), u"1w"_s } };
    for (const auto &[text, length] : lengths) {
        m_bucket->addItem(text, length);
    }
    m_byScope->setObjectName(u"trendsByScope"_s);
    m_stacked->setObjectName(u"trendsStacked"_s);
    m_compare->setObjectName(u"trendsCompare"_s);
    m_compare->setToolTip(tr("Lays the same length of time just before over this one, all scopes together"));
    m_reset->setObjectName(u"trendsReset"_s);
    m_reset->setToolTip(tr("Back from the part that was chosen in the chart"));
    auto *bar = new QWidget(this);
    auto *row = new WrapRow(bar);
    for (QWidget *widget :
        std::initializer_list<QWidget *> { m_source, m_range, m_bucket, m_byScope, m_stacked, m_compare, m_reset }) {
        row->add(widget);
    }
    return bar;
}

void TrendsPage::refresh()
{
    m_trends->refresh();
}

void TrendsPage::setTimeFormat(const models::TimeFormat &format)
{
    m_trends->setTimeFormat(format);
}

void TrendsPage::wire()
{
    connect(
        m_export, &TrendExportButton::failed, this, [this](const sql::Error &error) { m_notice->showError(error); });
    connect(m_export, &TrendExportButton::written, this, [this](const QString &path) {
        m_notice->showNotice(NoticeBar::Kind::Info, tr("Written to %1.").arg(models::displayText(path, 200)));
    });
    connect(m_targets, &TargetChooser::chosen, this, &TrendsPage::showTarget);
    connect(m_metric, &QComboBox::activated, this, [this] {
        choose([this](models::TrendChoice &choice) { choice.metric = m_metric->currentData().toString(); });
    });
    connect(m_source, &QComboBox::activated, this, [this] {
        choose([this](models::TrendChoice &choice) {
            choice.source = static_cast<sql::TrendSource>(m_source->currentData().toInt());
        });
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
    connect(m_bucket, &QComboBox::activated, this, [this] {
        choose([this](models::TrendChoice &choice) { choice.bucket = m_bucket->currentData().toString(); });
    });
    connect(m_byScope, &QCheckBox::toggled, this,
        [this](bool on) { choose([on](models::TrendChoice &choice) { choice.byScope = on; }); });
    connect(m_compare, &QCheckBox::toggled, this,
        [this](bool on) { choose([on](models::TrendChoice &choice) { choice.compare = on; }); });
    connect(m_stacked, &QCheckBox::toggled, this, &TrendsPage::draw);
    connect(m_refresh, &QToolButton::clicked, m_trends, &models::TrendController::refresh);
    connect(m_stop, &QPushButton::clicked, m_trends, &models::TrendController::cancel);
    connect(m_notice, &NoticeBar::primaryClicked, m_trends, &models::TrendController::refresh);
    connect(m_trends, &models::TrendController::changed, this, &TrendsPage::sync);
    connect(m_connection, &models::ConnectionController::targetsChanged, this, &TrendsPage::onTargetsChanged);
    connect(m_connection, &models::ConnectionController::stateChanged, this, &TrendsPage::sync);
    wireContent();
}

void TrendsPage::wireContent()
{
    m_tick.setInterval(kCountTickMs);
    connect(&m_tick, &QTimer::timeout, this, &TrendsPage::updateEmpty);
    connect(m_stack->empty(), &EmptyState::buttonClicked, this, [this] {
        if (m_trends->busy()) {
            m_trends->cancel();
            return;
        }
        if (m_connection->database() == nullptr) {
            emit connectClicked();
            return;
        }
        if (!m_trends->answer()) {
            m_trends->refresh();
            return;
        }
        choose([](models::TrendChoice &choice) {
            choice.spanSeconds = kLongRange;
            choice.since.reset();
            choice.until.reset();
        });
    });
    connect(m_view, &TrendView::rangeChosen, this, [this](const sql::Timestamp &from, const sql::Timestamp &to) {
        choose([from, to](models::TrendChoice &choice) {
            choice.since = from;
            choice.until = to;
        });
    });
    connect(m_view, &TrendView::keysWanted, this,
        [this](const QString &filter) { emit keysWanted(m_trends->target().target.profile.name, filter); });
}

void TrendsPage::activate()
{
    if (!m_trends->answer() && !m_trends->busy()) {
        m_trends->refresh();
    }
}

void TrendsPage::onTargetsChanged()
{
    const QString current = m_trends->target().target.profile.name;
    const QString name = m_targets->refill(m_connection->targets(), current);
    const models::TargetEntry *entry = m_connection->target(name);
    if (current != name || name.isEmpty()
        || (entry != nullptr && entry->registeredAt() != m_trends->target().registeredAt())) {
        setTarget(name); // samples of a registered table are kept elsewhere
    }
    sync();
}

void TrendsPage::showTarget(const QString &name)
{
    m_targets->choose(name);
    setTarget(name);
}

void TrendsPage::setTarget(const QString &name)
{
    const models::TargetEntry *entry = m_connection->target(name);
    m_trends->setTarget(entry != nullptr ? *entry : models::TargetEntry());
    fillMetrics();
}

void TrendsPage::showMetric(const QString &metric)
{
    m_metric->setCurrentIndex(m_metric->findData(metric));
    choose([&](models::TrendChoice &choice) { choice.metric = metric; });
}

TrendChart *TrendsPage::chart() const
{
    return m_view->chart();
}

void TrendsPage::showTab(const QString &name)
{
    m_view->showTab(name);
}

/// Metrics that the table cannot give are listed, greyed, with what would provide them.
void TrendsPage::fillMetrics()
{
    m_metric->clear();
    const auto offered = m_offers->findChildren<QPushButton *>(Qt::FindDirectChildrenOnly);
    for (QPushButton *button : offered) {
        delete button; // takes itself out of its row
    }
    auto *items = qobject_cast<QStandardItemModel *>(m_metric->model());
    QString first;
    bool known = false;
    for (const sql::TrendMetric &metric : m_trends->metrics()) {
        m_metric->addItem(metric.title, metric.id);
        const int row = m_metric->count() - 1;
        const sql::TrendSource source = m_trends->choice().source;
        const bool there = metric.available(source);
        m_metric->setItemData(row,
            there                                  ? metric.help
                : source == sql::TrendSource::Rows ? metric.missing
                                                   : metric.unsampled,
            Qt::ToolTipRole);
        items->item(row)->setEnabled(there);
        if (there) {
            auto *offer = new QPushButton(metric.title, m_offers);
            offer->setObjectName(u"trendsOffer_"_s + metric.id);
            offer->setToolTip(metric.help);
            connect(offer, &QPushButton::clicked, this, [this, id = metric.id] { showMetric(id); });
            m_offerRow->add(offer);
        }
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
    sync();
}

void TrendsPage::sync()
{
    syncNotice();
    const models::TrendChoice &choice = m_trends->choice();
    const auto &answer = m_trends->answer();
    const bool scoped = !m_trends->target().target.profile.scope.isEmpty();
    m_byScope->setEnabled(scoped && !choice.compare);
    m_stacked->setEnabled(
        scoped && choice.byScope && !choice.compare && answer && answer->metric.unit == sql::TrendUnit::Count);
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
    m_range->setItemText(m_range->findData(kOwnRange), ownRangeText());
    m_range->setCurrentIndex(m_range->findData(choice.since ? kOwnRange : choice.spanSeconds));
    // While nothing is shown the page's middle says what it waits for, with its button.
    m_progress->setVisible(m_trends->busy() && answer);
    m_stop->setVisible(m_trends->busy() && answer);
    if (!m_trends->busy()) {
        m_tick.stop();
    } else if (!m_tick.isActive()) {
        m_since.start();
        m_tick.start();
    }
    m_export->setEnabled(answer.has_value());
    m_refresh->setEnabled(!m_trends->busy() && m_trends->target().target.relation.oid != 0);
    m_help->setText(answer ? answer->metric.help : QString());
    m_help->setVisible(answer.has_value());
    draw();
    updateEmpty();
}

/// The range that is shown where it is one of its own; else what asks for one.
QString TrendsPage::ownRangeText() const
{
    const models::TrendChoice &choice = m_trends->choice();
    if (!choice.since) {
        return tr("Custom range…");
    }
    const auto &times = m_trends->timeFormat();
    if (const QString days = choice.until ? daysText(*choice.since, *choice.until, times) : QString();
        !days.isEmpty()) {
        return days;
    }
    const QString from = times.text(*choice.since).left(kRangeMinuteChars);
    return choice.until ? tr("%1 to %2", "times").arg(from, times.text(*choice.until).left(kRangeMinuteChars))
                        : tr("from %1 on").arg(from);
}

/// What the numbers cannot say; and what line and band are, where there are both.
void TrendsPage::syncNotes()
{
    const auto &answer = m_trends->answer();
    QStringList notes = answer ? answer->notes : QStringList();
    if (answer && m_view->chart()->picture().banded()) {
        notes.prepend(models::trendBandText(answer->metric, m_trends->bucket()));
    }
    m_notes->setText(notes.join(u' '));
    m_notes->setVisible(!notes.isEmpty());
}

/// A metric that this list has not is not to be read again: another one is to be chosen.
void TrendsPage::syncNotice()
{
    const auto &error = m_trends->error();
    const bool unknown = error && m_metric->count() > 0 && m_metric->findData(m_trends->choice().metric) < 0;
    m_offersTitle->setVisible(unknown);
    m_offers->setVisible(unknown);
    if (unknown) {
        m_notice->showNotice(NoticeBar::Kind::Error, error->what, tr("Choose another metric."));
    } else {
        m_notice->setError(error, tr("Retry"));
    }
}

void TrendsPage::draw()
{
    m_view->draw(m_stacked->isChecked() && m_stacked->isEnabled());
    syncNotes();
}

void TrendsPage::updateEmpty()
{
    const auto &answer = m_trends->answer();
    const models::TrendChoice &choice = m_trends->choice();
    m_stack->setVisible(!m_trends->error()); // the message says it all
    m_stack->showContent(answer && !m_view->chart()->picture().empty());
    EmptyState *empty = m_stack->empty();
    if (empty->showNoTable(*m_connection, m_targets->count(), u"trends"_s,
            tr("Charts of claims, retries, failures and stuck keys over time appear here."),
            tr("A chart needs a table whose columns the console knows how to read."))) {
        return;
    }
    if (!answer && m_trends->busy()) {
        const qint64 seconds = m_since.isValid() ? m_since.elapsed() / 1'000 : 0;
        empty->show(u"trends"_s,
            seconds > 0 ? tr("Counting rows… %1 s", "seconds so far").arg(seconds) : tr("Counting rows…"),
            tr("Each row of the range is read once. Without an index on the time, that takes a while."), tr("Stop"));
    } else if (!answer) {
        empty->show(u"trends"_s, tr("Not counted"), tr("Nothing was read."), tr("Count"));
    } else {
        empty->show(u"trends"_s, nothingText(*answer, m_trends->timeFormat()),
            choice.source == sql::TrendSource::Samples ? tr("No sample was taken in it. A console that is open takes "
                                                            "one each minute; so does cron with “idemdeskctl sample”.")
                : answer->metric.gauge ? tr("Rows tell only how it is now: choose a range that ends now.")
                                       : tr("No row of the table began or ended then. Its rows may have been purged."),
            choice.since || choice.spanSeconds < kLongRange ? tr("Show the last 30 days") : QString());
    }
}

void TrendsPage::askRange()
{
    const auto &answer = m_trends->answer();
    const QDateTime until = answer ? answer->end.toDateTime() : QDateTime::currentDateTimeUtc();
    const QDateTime since
        = answer && !answer->buckets.isEmpty() ? answer->buckets.constFirst().toDateTime() : until.addDays(-1);
    auto *dialog = new RangeDialog(since, until, m_trends->timeFormat(), this);
    connect(dialog, &QDialog::accepted, this, [this, dialog] {
        choose([dialog](models::TrendChoice &choice) {
            choice.since = sql::Timestamp::fromDateTime(dialog->since());
            choice.until = sql::Timestamp::fromDateTime(dialog->until());
        });
    });
    connect(dialog, &QDialog::rejected, this, &TrendsPage::sync); // the list shows what is chosen again
    openDialog(dialog);
}

} // namespace idemdesk::ui
