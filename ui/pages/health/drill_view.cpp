// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/health/drill_view.h"

#include "models/connection/connection_controller.h"
#include "models/drill/drill_controller.h"
#include "models/drill/drill_report.h"
#include "models/format/display_text.h"
#include "ui/theme/console_style.h"
#include "ui/theme/theme.h"
#include "ui/widgets/busy_bar.h"
#include "ui/widgets/check_list.h"
#include "ui/widgets/content_stack.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/notice_bar.h"
#include "ui/widgets/questions.h"
#include "ui/widgets/target_chooser.h"

#include <QPushButton>
#include <QScrollArea>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

constexpr int kDrillWidth = 900; // pixels; longer lines are hard to read
constexpr int kDrillChars = 4'000;

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
    , m_lines(new CheckList(u"drillLines"_s, tr("Tests, and what they saw"), this))
{
    m_targets->prefer([](const models::TargetEntry &entry) { return entry.target.profile.drill.has_value(); });
    m_start->setObjectName(u"drillStart"_s);
    setLook(m_start, ButtonLook::Primary);
    m_stop->setObjectName(u"drillStop"_s);
    m_stop->setToolTip(tr("Ends after the test that runs"));
    m_save->setObjectName(u"drillSave"_s);
    m_save->setToolTip(tr("A file to print or to send on: PDF, HTML or JSON"));
    m_busy->keepItsPlace();
    m_stack->setContent(buildLines());
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

QWidget *DrillView::buildLines()
{
    auto *area = new QScrollArea(this);
    area->setObjectName(u"drillView"_s);
    area->setAccessibleName(tr("Drill"));
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto *content = new QWidget(area);
    content->setMaximumWidth(kDrillWidth);
    partColumn(content)->addWidget(m_lines, 1);
    area->setWidget(content);
    area->viewport()->setAutoFillBackground(false);
    content->setAutoFillBackground(false);
    return area;
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
    m_summary->setText(busy && m_drill->running() != nullptr
            ? tr("Runs: %1").arg(models::drillText(m_drill->running()->title))
            : report                           ? models::drillSummary(*report)
            : why.isEmpty() && m_drill->spec() ? tr("Not run yet. What it would do stands below.")
                                               : QString());
    if (report) {
        showReport();
    } else {
        showStatements();
    }
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

/// What would be run, before anything was.
void DrillView::showStatements()
{
    m_lines->clear();
    if (!m_drill->spec()) {
        return;
    }
    m_lines->addHeading(tr("What it tries"));
    for (const models::DrillTest &test : models::drillTests()) {
        m_lines->addNote(u"drillTest"_s, models::drillText(test.title));
    }
    m_lines->addHeading(tr("Statements that would be run"));
    const auto statements = models::drillStatements(*m_drill->spec());
    for (const auto &[what, sql] : statements) {
        m_lines->addNote(u"drillWhat"_s, what);
        QLabel *code = readableLabel(u"drillStatement"_s, this);
        code->setText(models::displayText(sql, kDrillChars));
        code->setFont(Theme::monospace());
        code->setContentsMargins(m_lines->indent(), 0, 0, kGrid);
        m_lines->addWidget(code);
    }
}

void DrillView::showReport()
{
    m_lines->clear();
    for (const models::DrillResult &result : m_drill->report()->results) {
        m_lines->addHeading(models::drillText(result.test->title));
        const QString name = u"drillSeen_"_s + QString::fromLatin1(result.test->name);
        const QString seen = models::displayText(result.seen, kDrillChars);
        if (result.verdict == models::DrillVerdict::NotApplicable) {
            m_lines->addNote(name, tr("Does not apply: %1").arg(seen));
        } else {
            m_lines->add(result.verdict == models::DrillVerdict::Passed ? models::FactSign::Yes : models::FactSign::No,
                name, seen);
            m_lines->addNote(u"drillExpects"_s, tr("Expected: %1").arg(models::drillText(result.test->expects)), 1);
        }
    }
}

} // namespace idemdesk::ui
