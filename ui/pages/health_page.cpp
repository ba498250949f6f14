// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/health_page.h"

#include "models/alerts/alert_controller.h"
#include "models/connection/connection_controller.h"
#include "models/format/display_text.h"
#include "models/format/quantities.h"
#include "models/health/health_controller.h"
#include "ui/delegates/health_delegate.h"
#include "ui/pages/alerts_view.h"
#include "ui/pages/table_setup.h"
#include "ui/pages/target_chooser.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/notice_bar.h"
#include "ui/widgets/plain_label.h"

#include <QClipboard>
#include <QComboBox>
#include <QFontDatabase>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabWidget>
#include <QTableView>
#include <QToolButton>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

using models::HealthModel;

HealthPage::HealthPage(models::ConnectionController *connection, models::HealthController *health, models::AlertController *alerts,
    models::Settings *settings, QWidget *parent)
    : QWidget(parent)
    , m_connection(connection)
    , m_health(health)
    , m_alarms(alerts)
    , m_targets(new QComboBox(this))
    , m_progress(new QProgressBar(this))
    , m_stop(new QPushButton(tr("Stop"), this))
    , m_refresh(new QToolButton(this))
    , m_notice(new NoticeBar(this))
    , m_summary(plainLabel({}, this))
    , m_tabs(new QTabWidget(this))
    , m_alerts(new AlertsView(connection, alerts, settings, this))
    , m_stack(new QStackedWidget(this))
    , m_split(new QSplitter(Qt::Vertical, this))
    , m_table(new QTableView(this))
    , m_question(plainLabel({}, this))
    , m_seen(plainLabel({}, this))
    , m_why(plainLabel({}, this))
    , m_sqlTitle(plainLabel(tr("This would mend it. Read it, and have the table's owner run it:"), this))
    , m_sql(new QPlainTextEdit(this))
    , m_copy(new QPushButton(tr("&Copy SQL"), this))
    , m_empty(new EmptyState(this))
{
    setObjectName(u"healthPage"_s);
    m_table->setObjectName(u"healthTable"_s);
    m_table->setAccessibleName(tr("Findings"));
    m_table->setModel(health->model());
    setUpTable(m_table, settings);
    m_table->setItemDelegateForColumn(HealthModel::Level, new HealthDelegate(m_table));
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    setColumnWidths(m_table, { 96, 220, 300, 480 });
    m_split->addWidget(m_table);
    m_split->addWidget(buildDetail());
    m_split->setStretchFactor(0, 1);
    m_split->setChildrenCollapsible(false);
    m_stack->addWidget(m_split);
    m_stack->addWidget(m_empty);
    m_summary->setObjectName(u"healthSummary"_s);
    m_tabs->setObjectName(u"healthTabs"_s);
    m_tabs->setDocumentMode(true);
    m_tabs->addTab(buildReport(), tr("Report"));
    m_tabs->addTab(m_alerts, tr("Alerts"));
    auto *title = plainLabel(tr("Health"), this);
    title->setFont(Theme::title());
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(3 * kGrid, 3 * kGrid, 3 * kGrid, 2 * kGrid);
    layout->setSpacing(2 * kGrid);
    layout->addWidget(title);
    layout->addWidget(m_tabs, 1);
    connect(m_alerts, &AlertsView::trendWanted, this, &HealthPage::trendWanted);
    connect(m_targets, &QComboBox::activated, this, [this] { showTarget(m_targets->currentData().toString()); });
    connect(m_refresh, &QToolButton::clicked, health, &models::HealthController::refresh);
    connect(m_stop, &QPushButton::clicked, health, &models::HealthController::cancel);
    connect(m_notice, &NoticeBar::primaryClicked, health, &models::HealthController::refresh);
    connect(m_empty, &EmptyState::buttonClicked, this, [this] {
        if (m_connection->database() == nullptr) {
            emit connectClicked();
        } else {
            m_health->refresh();
        }
    });
    connect(health, &models::HealthController::changed, this, &HealthPage::update);
    connect(alerts, &models::AlertController::changed, this, &HealthPage::update);
    connect(connection, &models::ConnectionController::stateChanged, this, &HealthPage::update);
    connect(connection, &models::ConnectionController::targetsChanged, this, &HealthPage::onTargetsChanged);
    connect(health->model(), &QAbstractItemModel::modelReset, this, [this] {
        m_table->setCurrentIndex(m_table->model()->index(0, 0));
        showFinding();
    });
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &HealthPage::showFinding);
    connect(m_copy, &QPushButton::clicked, this, [this] { QGuiApplication::clipboard()->setText(m_sql->toPlainText()); });
    onTargetsChanged();
}

QWidget *HealthPage::buildBar()
{
    m_targets->setObjectName(u"healthTarget"_s);
    m_targets->setAccessibleName(tr("Table"));
    setUpTargetChooser(m_targets);
    m_refresh->setObjectName(u"healthRefresh"_s);
    m_refresh->setIcon(themedIcon(u"refresh"_s));
    m_refresh->setToolTip(tr("Look again (F5)"));
    m_refresh->setAccessibleName(tr("Look again"));
    m_progress->setObjectName(u"healthProgress"_s);
    m_progress->setMaximumWidth(160);
    m_stop->setObjectName(u"healthStop"_s);
    auto *bar = new QWidget(this);
    auto *row = new QHBoxLayout(bar);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(2 * kGrid);
    row->addWidget(m_targets);
    row->addStretch(1);
    row->addWidget(m_progress);
    row->addWidget(m_stop);
    row->addWidget(m_refresh);
    return bar;
}

QWidget *HealthPage::buildReport()
{
    auto *report = new QWidget(this);
    auto *layout = new QVBoxLayout(report);
    layout->setContentsMargins(2 * kGrid, 2 * kGrid, 2 * kGrid, 2 * kGrid);
    layout->setSpacing(2 * kGrid);
    layout->addWidget(buildBar());
    layout->addWidget(m_notice);
    layout->addWidget(m_summary);
    layout->addWidget(m_stack, 1);
    return report;
}

QWidget *HealthPage::buildDetail()
{
    m_question->setObjectName(u"healthQuestion"_s);
    m_question->setFont(Theme::title());
    m_seen->setObjectName(u"healthSeen"_s);
    m_why->setObjectName(u"healthWhy"_s);
    for (QLabel *label : { m_question, m_seen, m_why, m_sqlTitle }) {
        label->setWordWrap(true);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    }
    m_sql->setObjectName(u"healthSql"_s);
    m_sql->setAccessibleName(tr("SQL that would mend it"));
    m_sql->setReadOnly(true);
    m_sql->setTabChangesFocus(true);
    m_sql->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_sql->setMaximumHeight(76);
    m_copy->setObjectName(u"healthCopy"_s);
    auto *sql = new QHBoxLayout;
    sql->setSpacing(2 * kGrid);
    sql->addWidget(m_sql, 1);
    sql->addWidget(m_copy, 0, Qt::AlignTop);
    auto *detail = new QWidget(this);
    auto *layout = new QVBoxLayout(detail);
    layout->setContentsMargins(0, 2 * kGrid, 0, 0);
    layout->setSpacing(kGrid);
    layout->addWidget(m_question);
    layout->addWidget(m_seen);
    layout->addWidget(m_why);
    layout->addWidget(m_sqlTitle);
    layout->addLayout(sql);
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
    m_targets->setCurrentIndex(std::max(0, m_targets->findData(name)));
    m_health->model()->setTarget(name);
    update();
}

void HealthPage::showTab(const QString &name) { m_tabs->setCurrentIndex(name == u"alerts" ? 1 : 0); }

void HealthPage::onTargetsChanged()
{
    const QString kept = m_health->model()->target();
    m_targets->clear();
    m_targets->addItem(tr("All tables"), QString());
    for (const models::TargetEntry &entry : m_connection->targets()) {
        addTarget(m_targets, entry.target.profile);
    }
    showTarget(m_targets->findData(kept) >= 0 ? kept : QString());
}

void HealthPage::update()
{
    if (m_health->error()) {
        m_notice->showError(*m_health->error(), tr("Retry"));
    } else {
        m_notice->clear();
    }
    const bool busy = m_health->busy();
    m_progress->setVisible(busy);
    m_stop->setVisible(busy);
    m_refresh->setEnabled(!busy && m_health->total() > 0);
    m_progress->setRange(0, int(m_health->total()));
    m_progress->setValue(int(m_health->done()));
    m_progress->setFormat(tr("%v of %m tables"));
    const HealthModel *model = m_health->model();
    qsizetype counts[size_t(sql::HealthLevel::Good) + 1] = {};
    for (int row = 0; row < model->rowCount(); ++row) {
        ++counts[size_t(model->entry(row)->finding.level)];
    }
    m_summary->setText(tr("%1, %2, %3, %4.")
                           .arg(tr("%n problem(s)", nullptr, int(counts[size_t(sql::HealthLevel::Problem)])), tr("%n piece(s) of advice", nullptr, int(counts[size_t(sql::HealthLevel::Advice)])),
                               tr("%n not known", nullptr, int(counts[size_t(sql::HealthLevel::Unknown)])), tr("%n good", nullptr, int(counts[size_t(sql::HealthLevel::Good)]))));
    if (const qsizetype nothing = counts[size_t(sql::HealthLevel::Nothing)]; nothing > 0) {
        m_summary->setText(m_summary->text() + u' ' + tr("For %n question(s) there was nothing to look at.", nullptr, int(nothing)));
    }
    m_summary->setVisible(model->rowCount() > 0);
    // What the rail counts, each number where it comes from; the lists may be narrowed to one table.
    const auto titled = [](const QString &title, qsizetype count) {
        return count > 0 ? tr("%1 (%2)", "tab, number").arg(title, models::countText(count)) : title;
    };
    m_tabs->setTabText(0, titled(tr("Report"), model->problems()));
    m_tabs->setTabText(1, titled(tr("Alerts"), m_alarms->firing()));
    if (m_connection->database() == nullptr) {
        m_empty->show(u"connect"_s, tr("Not connected"), tr("Whether the tables are built so that a retry is safe is answered here."), tr("Connect…"));
    } else if (m_health->total() == 0) {
        m_empty->show(u"health"_s, m_connection->targetsLoaded() ? tr("No table yet") : tr("Looking for tables"), tr("A report needs a table whose columns the console knows how to read."));
    } else if (busy) {
        m_empty->show(u"health"_s, tr("Looking"), tr("Indexes, constraints, vacuum and a sample of the rows are read; nothing is changed."));
    } else {
        m_empty->show(u"health"_s, tr("No report yet"), tr("Unique keys, fingerprints, indexes, retention and vacuum of each table are looked at."), tr("Look now"));
    }
    m_stack->setCurrentWidget(model->rowCount() > 0 ? static_cast<QWidget *>(m_split) : m_empty);
}

void HealthPage::showFinding()
{
    const HealthModel::Entry *entry = m_health->model()->entry(m_table->currentIndex().row());
    const sql::HealthFinding finding = entry != nullptr ? entry->finding : sql::HealthFinding();
    constexpr int kWhole = 2'000;
    m_question->setText(finding.title);
    m_seen->setText(models::displayText(finding.seen, kWhole));
    m_why->setText(models::displayText(finding.why, kWhole));
    m_why->setVisible(!finding.why.isEmpty());
    m_sql->setPlainText(finding.sql);
    m_sqlTitle->setVisible(!finding.sql.isEmpty());
    m_sql->setVisible(!finding.sql.isEmpty());
    m_copy->setVisible(!finding.sql.isEmpty());
}

} // namespace idemdesk::ui
