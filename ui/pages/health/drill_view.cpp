// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/health/drill_view.h"

#include "models/connection/connection_controller.h"
#include "models/drill/drill_controller.h"
#include "models/drill/drill_report.h"
#include "models/format/display_text.h"
#include "models/format/time_format.h"
#include "models/table/item_role.h"
#include "sql/types/health.h"
#include "ui/delegates/health_delegate.h"
#include "ui/theme/console_style.h"
#include "ui/theme/theme.h"
#include "ui/widgets/busy_bar.h"
#include "ui/widgets/content_stack.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/notice_bar.h"
#include "ui/widgets/questions.h"
#include "ui/widgets/table_setup.h"
#include "ui/widgets/target_chooser.h"
#include "ui/widgets/text_view.h"

#include <QHeaderView>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QStandardItemModel>
#include <QTableView>
#include <QTextDocument>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

constexpr int kDrillChars = 4'000;
enum DrillColumn { DrillAttempt, DrillExpected, DrillVerdictBadge, DrillSeen, DrillColumnCount };

sql::HealthLevel drillLevel(models::DrillVerdict verdict)
{
    return verdict == models::DrillVerdict::Failed ? sql::HealthLevel::Problem
        : verdict == models::DrillVerdict::Passed  ? sql::HealthLevel::Good
                                                   : sql::HealthLevel::Nothing;
}

} // namespace

DrillView::DrillView(models::ConnectionController *connection, models::DrillController *drill, QWidget *parent)
    : QWidget(parent)
    , m_connection(connection)
    , m_drill(drill)
    , m_targets(new TargetChooser(u"drillTarget"_s, this))
    , m_start(new QPushButton(tr("&Run the drill…"), this))
    , m_stop(new QPushButton(tr("Stop"), this))
    , m_save(new QPushButton(tr("Save as &PDF…"), this))
    , m_notice(new NoticeBar(this))
    , m_busy(new BusyBar(u"drillBusy"_s, tr("Running the drill"), this))
    , m_summary(noteLabel({}, u"drillSummary"_s, this))
    , m_stack(new ContentStack(this))
    , m_tests(new QTableView(this))
    , m_model(new QStandardItemModel(0, DrillColumnCount, this))
    , m_statements(new QPlainTextEdit(this))
{
    m_targets->prefer([](const models::TargetEntry &entry) { return entry.target.profile.drill.has_value(); });
    m_start->setObjectName(u"drillStart"_s);
    setLook(m_start, ButtonLook::Primary);
    m_stop->setObjectName(u"drillStop"_s);
    m_stop->setToolTip(tr("Ends after the test that runs"));
    m_save->setObjectName(u"drillSave"_s);
    m_save->setToolTip(tr("A file to print or to send on: PDF, HTML or JSON"));
    m_busy->keepItsPlace();
    m_stack->setContent(buildContent());
    auto *bar = new QWidget(this);
    barRow({ m_targets, nullptr, m_stop, m_save, m_start }, bar);
    auto *layout = tabColumn(this);
    layout->addWidget(bar);
    layout->addWidget(m_notice);
    layout->addWidget(m_summary);
    layout->addWidget(m_busy);
    layout->addWidget(m_stack, 1);
    wire();
    onTargetsChanged();
}

QWidget *DrillView::buildContent()
{
    m_model->setHorizontalHeaderLabels({ tr("Attempt"), tr("Expected"), tr("Result"), tr("Seen") });
    setUpSmallTable(
        m_tests, { u"drillTests"_s, tr("Tests, and what they saw"), m_model, { 280, 320, 120, 320 } }, kRowHeight);
    m_tests->setItemDelegateForColumn(DrillVerdictBadge, new HealthDelegate(m_tests));
    fitToBadges(m_tests, DrillVerdictBadge,
        { tr("Not run"), tr("No result yet"), tr("Running"), models::drillVerdictLabel(models::DrillVerdict::Failed),
            models::drillVerdictLabel(models::DrillVerdict::Passed),
            models::drillVerdictLabel(models::DrillVerdict::NotApplicable) });
    // Sentences get the room there is, and as many lines as they need.
    QHeaderView *header = m_tests->horizontalHeader();
    header->setStretchLastSection(false);
    for (const int column : { DrillAttempt, DrillExpected, DrillSeen }) {
        header->setSectionResizeMode(column, QHeaderView::Stretch);
    }
    m_tests->setWordWrap(true);
    m_tests->verticalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    setUpCode(m_statements, u"drillStatement"_s, tr("Statements of the drill"));
    m_statements->document()->setDocumentMargin(2 * kGrid);
    auto *content = new QWidget(this);
    auto *layout = partColumn(content);
    layout->addWidget(m_tests, 2);
    layout->addWidget(strongLabel(tr("Statements of the drill"), content));
    layout->addWidget(m_statements, 1);
    return content;
}

void DrillView::wire()
{
    using Controller = models::DrillController;
    connect(m_targets, &TargetChooser::chosen, m_drill, &Controller::choose);
    connect(m_start, &QPushButton::clicked, this, &DrillView::askStart);
    connect(m_stop, &QPushButton::clicked, this, [this] {
        m_stop->setEnabled(false);
        m_summary->setText(tr("Stopping after this test…"));
        m_drill->stop();
    });
    connect(m_save, &QPushButton::clicked, this, &DrillView::save);
    connect(m_drill, &Controller::changed, this, &DrillView::sync);
    connect(m_drill, &Controller::written, this,
        [this](const QString &path) { m_notice->showNotice(NoticeBar::Kind::Good, tr("Written to %1.").arg(path)); });
    connect(m_drill, &Controller::writeFailed, this, [this](const sql::Error &error) { m_notice->showError(error); });
    connect(m_connection, &models::ConnectionController::targetsChanged, this, &DrillView::onTargetsChanged);
    connect(m_connection, &models::ConnectionController::stateChanged, this, &DrillView::sync);
}

void DrillView::onTargetsChanged()
{
    m_drill->choose(m_targets->refill(m_connection->targets(), m_drill->target()));
}

void DrillView::askStart()
{
    QMessageBox *box = questionBox(this, u"drillAsk"_s, tr("Run the drill?"),
        tr("Run the statements of this drill on %1?").arg(models::displayText(m_connection->title())),
        tr("They write to its tables, with your login. What they make is marked, and taken away again."));
    connect(addAnswer(box, u"drillAskGo"_s, tr("Run it"), QMessageBox::AcceptRole), &QPushButton::clicked, m_drill,
        &models::DrillController::start);
    openQuestion(box);
}

void DrillView::save()
{
    QFileDialog *dialog = saveFileDialog(this, u"drillSaveDialog"_s, tr("Save the drill"),
        u"drill-"_s + m_drill->target() + u".pdf"_s, { tr("PDF (*.pdf)"), tr("HTML (*.html)"), tr("JSON (*.json)") });
    connect(dialog, &QFileDialog::fileSelected, m_drill, &models::DrillController::write);
    openDialog(dialog);
}

void DrillView::sync()
{
    const bool busy = m_drill->busy();
    const auto &report = m_drill->report();
    const QString why = m_drill->whyNot();
    const QString writesTo
        = tr("Writes to %1, and takes it away again.").arg(models::displayText(m_connection->title()));
    if (m_drill->error()) {
        m_notice->showError(*m_drill->error());
    } else if (const QStringList left = m_drill->leftBehind() + (report ? report->left : QStringList());
               !left.isEmpty()) {
        m_notice->showNotice(NoticeBar::Kind::Error, tr("Something could not be taken away again."),
            models::displayText(left.constFirst(), kDrillChars), left.join(u'\n'));
    } else if (!why.isEmpty() && m_connection->database() != nullptr && m_drill->spec()) {
        m_notice->showNotice(NoticeBar::Kind::Warning, tr("No drill runs here."), why);
    } else {
        m_notice->clear();
    }
    m_busy->setVisible(busy);
    m_stop->setEnabled(true);
    m_stop->setVisible(busy);
    m_targets->setEnabled(!busy); // what it finds would be another table's
    m_start->setEnabled(!busy && why.isEmpty() && m_drill->spec());
    m_start->setToolTip(why);
    m_save->setEnabled(report.has_value());
    const QString told = !report
        ? tr("Not run since this program was started.")
        : tr("Last run %1 (UTC): %2").arg(models::TimeFormat().text(report->at), models::drillSummary(*report));
    const bool mayRun = why.isEmpty() && m_drill->spec();
    m_summary->setText(busy && m_drill->running() != nullptr
            ? tr("Runs: %1").arg(models::drillText(m_drill->running()->title))
            : mayRun ? told + u' ' + writesTo
            : report ? told
                     : QString());
    showTests();
    showStatements();
    syncEmpty();
}

void DrillView::syncEmpty()
{
    EmptyState *empty = m_stack->empty();
    if (m_connection->database() == nullptr) {
        empty->show(u"connect"_s, tr("Not connected"),
            tr("A drill tries a service's own statements, on a database for development or staging."));
    } else if (m_drill->target().isEmpty()) {
        empty->show(u"health"_s, m_connection->targetsLoaded() ? tr("No table yet") : tr("Looking for tables"),
            tr("A drill needs a table whose columns the console knows how to read."));
    } else {
        empty->show(u"health"_s, tr("No statements for a drill"),
            tr("Name the service's statements under “drill” in the table's profile."));
    }
    m_stack->showContent(m_drill->spec().has_value());
}

void DrillView::showTests()
{
    m_model->removeRows(0, m_model->rowCount());
    for (const models::DrillTest &test : models::drillTests()) {
        addTest(test);
    }
    m_tests->setColumnHidden(DrillSeen, !m_drill->report());
}

/// While a drill runs its results are not here yet, those of tests that are over neither.
void DrillView::addTest(const models::DrillTest &test)
{
    QString label = !m_drill->busy()  ? tr("Not run")
        : m_drill->running() == &test ? tr("Running")
                                      : tr("No result yet");
    sql::HealthLevel level = sql::HealthLevel::Nothing;
    QString seen;
    if (const auto &report = m_drill->report()) {
        const auto result = std::find_if(report->results.cbegin(), report->results.cend(),
            [&test](const models::DrillResult &each) { return each.test == &test; });
        if (result != report->results.cend()) {
            label = models::drillVerdictLabel(result->verdict);
            level = drillLevel(result->verdict);
            seen = models::displayText(result->seen, kDrillChars);
        }
    }
    auto *badge = new QStandardItem(label);
    badge->setData(int(level), models::LevelRole);
    m_model->appendRow({ new QStandardItem(models::drillText(test.title)),
        new QStandardItem(models::drillText(test.expects)), badge, new QStandardItem(seen) });
}

void DrillView::showStatements()
{
    QString text;
    if (m_drill->spec()) {
        const auto statements = models::drillStatements(*m_drill->spec());
        for (const auto &[what, sql] : statements) {
            text += (text.isEmpty() ? u"-- "_s : u"\n\n-- "_s) + what + u'\n' + models::displayBlock(sql);
        }
    }
    if (text != m_statements->toPlainText()) { // it is read, and selected
        m_statements->setPlainText(text);
    }
}

} // namespace idemdesk::ui
