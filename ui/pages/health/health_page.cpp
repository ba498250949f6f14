// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/health/health_page.h"

#include "models/alerts/alert_controller.h"
#include "models/connection/connection_controller.h"
#include "models/format/display_text.h"
#include "models/format/quantities.h"
#include "models/health/health_controller.h"
#include "models/health/health_groups.h"
#include "models/review/review_controller.h"
#include "models/runbook/runbook_table.h"
#include "models/settings.h"
#include "ui/delegates/heading_delegate.h"
#include "ui/delegates/health_delegate.h"
#include "ui/delegates/two_line_delegate.h"
#include "ui/dialogs/fitted_text.h"
#include "ui/pages/health/alerts_view.h"
#include "ui/pages/health/drill_view.h"
#include "ui/pages/health/review_view.h"
#include "ui/theme/console_style.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"
#include "ui/widgets/chip.h"
#include "ui/widgets/content_stack.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/headings.h"
#include "ui/widgets/icon_button.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/notice_bar.h"
#include "ui/widgets/page_header.h"
#include "ui/widgets/table_setup.h"
#include "ui/widgets/target_chooser.h"
#include "ui/widgets/text_view.h"

#include <QClipboard>
#include <QFrame>
#include <QGuiApplication>
#include <QHeaderView>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QSplitter>
#include <QTableView>
#include <QTabWidget>
#include <QToolButton>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

using models::HealthModel;

namespace {

constexpr int kMostSqlLines = 6; // more of them scroll

/// Null where a sign stands in the text instead.
QIcon levelIcon(sql::HealthLevel level)
{
    switch (level) {
    case sql::HealthLevel::Problem:
        return themedIcon(u"cancel"_s, Token::FailedFinal); // the signs of the badges below

    case sql::HealthLevel::Advice:
        return themedIcon(u"ring"_s, Token::InProgress);
    case sql::HealthLevel::Good:
        return themedIcon(u"done"_s, Token::Succeeded);
    case sql::HealthLevel::Unknown:
    case sql::HealthLevel::Nothing:
        break;
    }
    return {};
}

/// Before the text where there is no icon.
QString levelSign(sql::HealthLevel level)
{
    return level == sql::HealthLevel::Unknown ? u"?  "_s : level == sql::HealthLevel::Nothing ? u"○  "_s : QString();
}

} // namespace

Page::Face HealthPage::ownFace()
{
    return { u"health"_s, tr("Health"), u"health"_s };
}

HealthPage::HealthPage(models::ConnectionController *connection, models::HealthController *health,
    models::AlertController *alerts, models::ReviewController *review, models::DrillController *drill,
    models::Settings *settings, QWidget *parent)
    : Page(ownFace(), parent)
    , m_connection(connection)
    , m_health(health)
    , m_alarms(alerts)
    , m_reviews(review)
    , m_settings(settings)
    , m_targets(new TargetChooser(u"healthTarget"_s, this))
    , m_progress(new QProgressBar(this))
    , m_stop(new QPushButton(tr("Stop"), this))
    , m_refresh(new QToolButton(this))
    , m_notice(new NoticeBar(this))
    , m_tabs(new QTabWidget(this))
    , m_alerts(new AlertsView(connection, alerts, settings, this))
    , m_review(new ReviewView(connection, review, settings, this))
    , m_drill(new DrillView(connection, drill, this))
    , m_stack(new ContentStack(this))
    , m_split(new QSplitter(Qt::Vertical, this))
    , m_groups(new models::HealthGroups(health->model(), this))
    , m_table(new QTableView(this))
    , m_question(readableLabel(u"healthQuestion"_s, this))
    , m_seen(readableLabel(u"healthSeen"_s, this))
    , m_why(readableLabel(u"healthWhy"_s, this))
    , m_sqlTitle(readableLabel(u"healthSqlTitle"_s, this))
    , m_sql(new QPlainTextEdit(this))
    , m_sqlBox(new QFrame(this))
    , m_copy(new QPushButton(tr("&Copy SQL"), this))
    , m_keys(new QPushButton(tr("Show &keys"), this))
    , m_recover(new QPushButton(tr("&Open in Recovery"), this))
    , m_runbook(new QPushButton(tr("Open the run&book"), this))
{
    setObjectName(u"healthPage"_s);
    setUpTable(m_table, { u"healthTable"_s, tr("Findings"), m_groups, { 124, 340, 290, 400 } }, settings);
    setTwoLines(m_table, settings);
    m_table->setWordWrap(true);
    m_table->setColumnHidden(HealthModel::Level, true); // its heading says it
    const auto badge = [](int group) {
        const sql::HealthLevel level = models::HealthGroups::levelOf(group);
        return models::HealthGroups::isBeneath(group) ? Badge() : findingBadge(level, models::healthLevelLabel(level));
    };
    // Before the headings are laid out, which take the height of the rows as it is.
    connect(m_groups, &QAbstractItemModel::modelReset, this, &HealthPage::syncRowHeight);
    connect(settings, &models::Settings::compactRowsChanged, this, &HealthPage::syncRowHeight);
    setUpHeadings(m_table, m_groups, badge);
    m_table->setItemDelegateForColumn(HealthModel::Table,
        new HeadingDelegate(badge, new TwoLineDelegate(TwoLineDelegate::First::Text, m_table), m_table));
    m_table->setItemDelegateForColumn(HealthModel::Question, new HeadingDelegate(badge, nullptr, m_table));
    syncColumns();
    splitInTwo(m_split, m_table, buildDetail());
    m_stack->setContent(m_split);
    m_tabs->setObjectName(u"healthTabs"_s);
    m_tabs->setAccessibleName(tr("Report, alerts, review and drill"));
    m_tabs->setDocumentMode(true);
    m_tabs->addTab(buildReport(), tr("Report"));
    m_tabs->addTab(m_alerts, tr("Alerts"));
    m_tabs->addTab(m_review, tr("Review"));
    m_tabs->addTab(m_drill, tr("Drill"));
    auto *layout = pageColumn(this);
    layout->addWidget(new PageHeader(tr("Health"), this));
    layout->addWidget(m_tabs, 1);
    wire();
    onTargetsChanged();
}

void HealthPage::wire()
{
    connect(m_alerts, &AlertsView::trendWanted, this, &HealthPage::trendWanted);
    connect(m_alerts, &AlertsView::keysWanted, this, &HealthPage::keysWanted);
    connect(m_alerts, &AlertsView::runbookWanted, this, &HealthPage::runbookWanted);
    connect(m_targets, &TargetChooser::chosen, this, &HealthPage::showTarget);
    connect(m_refresh, &QToolButton::clicked, m_health, &models::HealthController::refresh);
    connect(m_stop, &QPushButton::clicked, m_health, &models::HealthController::cancel);
    connect(m_notice, &NoticeBar::primaryClicked, m_health, &models::HealthController::refresh);
    connect(m_stack->empty(), &EmptyState::buttonClicked, this, [this] {
        if (m_connection->database() == nullptr) {
            emit connectClicked();
        } else {
            m_health->refresh();
        }
    });
    connect(m_health, &models::HealthController::changed, this, &HealthPage::sync);
    connect(m_alarms, &models::AlertController::changed, this, &HealthPage::sync);
    connect(m_connection, &models::ConnectionController::stateChanged, this, &HealthPage::sync);
    connect(m_connection, &models::ConnectionController::targetsChanged, this, &HealthPage::onTargetsChanged);
    connect(m_groups, &QAbstractItemModel::modelReset, this, [this] {
        syncColumns();
        m_table->setCurrentIndex(m_groups->index(std::max(0, m_groups->rowOf(0)), m_groups->headingColumn()));
        syncLevels(); // a heading may have shown or hidden its level
        showFinding();
    });
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &HealthPage::showFinding);
    connect(m_keys, &QPushButton::clicked, this, [this] {
        if (const HealthModel::Entry *entry = currentEntry()) {
            emit keysWanted(entry->target, models::healthFilter(entry->finding));
        }
    });
    connect(m_recover, &QPushButton::clicked, this, [this] {
        if (const HealthModel::Entry *entry = currentEntry()) {
            const models::HealthRecovery remedy = recovery();
            emit remedyWanted(entry->target, remedy.filter, remedy.verb);
        }
    });
    connect(m_runbook, &QPushButton::clicked, this, [this] {
        if (const HealthModel::Entry *entry = currentEntry()) {
            emit runbookWanted(models::runbookForFinding(entry->finding), entry->target);
        }
    });
    connect(
        m_copy, &QPushButton::clicked, this, [this] { QGuiApplication::clipboard()->setText(m_sql->toPlainText()); });
}

void HealthPage::refresh()
{
    if (m_tabs->currentWidget() == m_review) {
        m_reviews->refresh();
        return;
    }
    if (m_tabs->currentWidget() == m_drill) {
        return; // a drill is run when somebody says so
    }
    m_health->refresh();
    m_alarms->refresh();
}

void HealthPage::setTimeFormat(const models::TimeFormat &format)
{
    m_alarms->model()->setTimeFormat(format);
    m_reviews->model()->setTimeFormat(format);
}

QWidget *HealthPage::buildBar()
{
    m_targets->offerAll(tr("All tables"));
    setUpIconButton(m_refresh, u"healthRefresh"_s, u"refresh"_s, tr("Look again (F5)"));
    m_progress->setObjectName(u"healthProgress"_s);
    m_progress->setMaximumWidth(160);
    m_stop->setObjectName(u"healthStop"_s);
    auto *bar = new QWidget(this);
    barRow({ m_targets, nullptr, m_progress, m_stop, m_refresh }, bar);
    return bar;
}

QWidget *HealthPage::buildReport()
{
    auto *report = new QWidget(this);
    auto *layout = tabColumn(report);
    layout->addWidget(buildBar());
    layout->addWidget(m_notice);
    layout->addLayout(buildLevels());
    layout->addWidget(m_stack, 1);
    return report;
}

/// How many findings there are of each level; those that are on are listed.
QLayout *HealthPage::buildLevels()
{
    auto *row = barRow({});
    for (const sql::HealthLevel level : models::kHealthLevels) {
        auto *chip = new Chip(u"health_"_s + sql::healthLevelName(level), this);
        chip->setChecked(m_health->model()->shows(level));
        if (const QIcon icon = levelIcon(level); !icon.isNull()) {
            chip->setIcon(icon);
            chip->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        }
        connect(chip, &QToolButton::toggled, this, [this, level](bool on) {
            m_health->model()->showLevel(level, on);
            sync();
        });
        row->addWidget(chip);
        m_levels += chip;
    }
    row->addStretch(1);
    return row;
}

/// Of several tables a heading names the check, of one table everything is about it: neither stands in each row, too.
void HealthPage::syncColumns()
{
    m_table->setColumnHidden(HealthModel::Question, m_groups->byCheck());
    m_table->setColumnHidden(HealthModel::Table, !m_groups->byCheck());
}

/// Of several tables each row is two lines, its table above its name in the database; of one table it is one line, and
/// what does not fit stands beneath the list.
void HealthPage::syncRowHeight()
{
    m_table->setWordWrap(m_groups->byCheck());
    if (m_groups->byCheck()) {
        const int lines = 2 * m_table->fontMetrics().height();
        m_table->verticalHeader()->setDefaultSectionSize(lines + (m_settings->compactRows() ? kGrid : 3 * kGrid));
    } else {
        m_table->verticalHeader()->setDefaultSectionSize(
            Theme::scaled(m_settings->compactRows() ? kCompactRowHeight : kRowHeight + kGrid));
    }
}

void HealthPage::syncLevels()
{
    const HealthModel *model = m_health->model();
    const auto count = [model](sql::HealthLevel level) { return int(model->count(level)); };
    const QString texts[] = { tr("%n problem(s)", nullptr, count(sql::HealthLevel::Problem)),
        tr("%n suggestion(s)", nullptr, count(sql::HealthLevel::Advice)),
        tr("%n not known", nullptr, count(sql::HealthLevel::Unknown)),
        tr("%n without data", nullptr, count(sql::HealthLevel::Nothing)),
        tr("%n good", nullptr, count(sql::HealthLevel::Good)) };
    for (int level = 0; level < m_levels.size(); ++level) {
        m_levels.at(level)->setChecked(model->shows(models::kHealthLevels[level]));
        m_levels.at(level)->setText(levelSign(models::kHealthLevels[level]) + texts[level]);
        m_levels.at(level)->setAccessibleName(texts[level]);
        m_levels.at(level)->setVisible(count(models::kHealthLevels[level]) > 0);
    }
}

QWidget *HealthPage::buildDetail()
{
    m_question->setFont(Theme::title());
    setUpCode(m_sql, u"healthSql"_s, tr("Suggested fix"));
    fitToLines(m_sql, kMostSqlLines);
    m_sql->setFrameShape(QFrame::NoFrame);
    m_copy->setObjectName(u"healthCopy"_s);
    m_keys->setObjectName(u"healthKeys"_s);
    m_recover->setObjectName(u"healthRecover"_s);
    m_runbook->setObjectName(u"healthRunbook"_s);
    setLook(m_recover, ButtonLook::Primary);
    // The button stands in the box of what it copies.
    m_sqlBox->setObjectName(u"healthSqlBox"_s);
    m_sqlBox->setFrameShape(QFrame::StyledPanel);
    m_sqlBox->setBackgroundRole(QPalette::Base);
    m_sqlBox->setAutoFillBackground(true);
    auto *sql = barRow({}, m_sqlBox);
    sql->setContentsMargins(kGrid, kGrid, kGrid, kGrid);
    sql->addWidget(m_sql, 1);
    sql->addWidget(m_copy, 0, Qt::AlignTop);
    auto *detail = new QWidget(this);
    auto *layout = lowerColumn(detail);
    auto *head = barRow({});
    head->addWidget(m_question, 1);
    head->addWidget(m_keys);
    head->addWidget(m_recover);
    head->addWidget(m_runbook);
    layout->addLayout(head);
    layout->addWidget(m_seen);
    layout->addWidget(m_why);
    layout->addWidget(m_sqlTitle);
    layout->addWidget(m_sqlBox);
    layout->addStretch(1);
    return detail;
}

void HealthPage::activate()
{
    if (!m_health->read() && !m_health->busy() && !m_health->error()) {
        m_health->refresh();
    }
}

void HealthPage::showTarget(const QString &name)
{
    m_targets->choose(name);
    m_health->model()->setTarget(name);
    sync();
}

void HealthPage::showTab(const QString &name)
{
    m_tabs->setCurrentIndex(int(QStringList { u"report"_s, u"alerts"_s, u"review"_s, u"drill"_s }.indexOf(name)));
}

void HealthPage::onTargetsChanged()
{
    m_health->model()->setTarget(m_targets->refill(m_connection->targets(), m_health->model()->target()));
    sync();
}

void HealthPage::sync()
{
    m_notice->setError(m_health->error(), tr("Retry"));
    const bool busy = m_health->busy();
    m_progress->setVisible(busy);
    m_stop->setVisible(busy);
    m_refresh->setEnabled(!busy && m_health->total() > 0);
    m_progress->setRange(0, int(m_health->total()));
    m_progress->setValue(int(m_health->done()));
    m_progress->setFormat(tr("%v of %m tables"));
    syncLevels();
    // What the rail counts, each number where it comes from; the lists may be narrowed to one table.
    const auto titled = [](const QString &title, qsizetype count) {
        return count > 0 ? tr("%1 (%2)", "tab, number").arg(title, models::countText(count)) : title;
    };
    m_tabs->setTabText(0, titled(tr("Report"), m_health->model()->problems()));
    m_tabs->setTabText(1, titled(tr("Alerts"), m_alarms->unacknowledged()));
    // A level that is hidden keeps its heading, which shows it again.
    m_stack->showContent(m_health->model()->rowCount() > 0 || m_health->model()->hidesWhatIsWrong());
    updateEmpty();
}

void HealthPage::updateEmpty()
{
    EmptyState *empty = m_stack->empty();
    if (m_connection->database() == nullptr) {
        empty->showNotConnected(tr("Whether the tables are built so that a retry is safe is answered here."));
    } else if (m_health->total() == 0) {
        empty->show(u"health"_s, m_connection->targetsLoaded() ? tr("No table yet") : tr("Looking for tables"),
            tr("A report needs a table whose columns the console knows how to read."));
    } else if (m_health->busy()) {
        empty->show(u"health"_s, tr("Checking tables…"),
            tr("Indexes, constraints, vacuum and a sample of the rows are read; nothing is changed."));
    } else if (m_health->read()) {
        empty->show(u"health"_s, tr("Nothing to fix"),
            tr("%n check(s) are good. Switch them on above to see them.", nullptr,
                int(m_health->model()->count(sql::HealthLevel::Good))));
    } else {
        empty->show(u"health"_s, tr("No report yet"),
            tr("Unique keys, fingerprints, indexes, retention and vacuum of each table are looked at."),
            tr("Check now"));
    }
}

/// Null: a heading is selected, or nothing.
const models::HealthEntry *HealthPage::currentEntry() const
{
    return m_health->model()->row(m_groups->sourceRow(m_table->currentIndex().row()));
}

void HealthPage::showFinding()
{
    const HealthModel::Entry *entry = currentEntry();
    const sql::HealthFinding finding = entry != nullptr ? entry->finding : sql::HealthFinding();
    constexpr int kWhole = 2'000;
    m_question->setText(finding.title);
    m_seen->setText(models::displayText(finding.seen, kWhole));
    m_why->setText(models::displayText(finding.why, kWhole));
    m_why->setVisible(!finding.why.isEmpty());
    m_sql->setPlainText(finding.sql);
    m_sqlTitle->setText(models::healthFixTitle(finding));
    m_sqlTitle->setVisible(!finding.sql.isEmpty());
    m_sqlBox->setVisible(!finding.sql.isEmpty());
    m_keys->setVisible(!models::healthFilter(finding).isEmpty());
    m_recover->setVisible(!recovery().filter.isEmpty());
    m_runbook->setVisible(!models::runbookForFinding(finding).isEmpty());
}

models::HealthRecovery HealthPage::recovery() const
{
    const HealthModel::Entry *entry = currentEntry();
    const models::TargetEntry *target = entry != nullptr ? m_connection->target(entry->target) : nullptr;
    return target != nullptr ? models::healthRecovery(entry->finding, target->target.profile)
                             : models::HealthRecovery();
}

} // namespace idemdesk::ui
