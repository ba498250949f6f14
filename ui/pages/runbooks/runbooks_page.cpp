// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/runbooks/runbooks_page.h"

#include "models/connection/connection_controller.h"
#include "models/runbook/runbook_controller.h"
#include "ui/pages/runbooks/runbook_list_delegate.h"
#include "ui/pages/runbooks/runbook_view.h"
#include "ui/theme/theme.h"
#include "ui/widgets/busy_bar.h"
#include "ui/widgets/content_stack.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/notice_bar.h"
#include "ui/widgets/page_header.h"
#include "ui/widgets/questions.h"
#include "ui/widgets/target_chooser.h"

#include <QFileDialog>
#include <QListWidget>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSplitter>
#include <QToolButton>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

constexpr int kRunbookListWidth = 320; // pixels: the longest title stands whole

} // namespace

Page::Face RunbooksPage::ownFace()
{
    return { u"runbooks"_s, tr("Runbooks"), u"runbooks"_s };
}

RunbooksPage::RunbooksPage(
    models::ConnectionController *connection, models::RunbookController *runbooks, QWidget *parent)
    : Page(ownFace(), parent)
    , m_connection(connection)
    , m_runbooks(runbooks)
    , m_targets(new TargetChooser(u"runbooksTarget"_s, this))
    , m_save(new QPushButton(tr("&Save as PDF…"), this))
    , m_notice(new NoticeBar(this))
    , m_busy(new BusyBar(u"runbooksBusy"_s, tr("Reading the runbook"), this))
    , m_stack(new ContentStack(this))
    , m_split(new QSplitter(Qt::Horizontal, this))
    , m_list(new QListWidget(this))
    , m_view(new RunbookView(this))
{
    setObjectName(u"runbooksPage"_s);
    m_targets->offerAll(tr("All tables"));
    m_save->setObjectName(u"runbooksSave"_s);
    m_save->setToolTip(tr("A file to print or to send on: PDF, HTML or JSON"));
    m_list->setObjectName(u"runbooksList"_s);
    m_list->setAccessibleName(tr("Runbooks"));
    m_list->setItemDelegate(new RunbookListDelegate(m_list));
    fillList();
    splitInTwo(m_split, m_list, m_view, 0, 1);
    m_split->setSizes({ kRunbookListWidth, 3 * kRunbookListWidth });
    m_stack->setContent(m_split);
    m_busy->keepItsPlace();
    auto *header = new PageHeader(tr("Runbooks"), this);
    header->add({ m_targets, nullptr, m_save });
    m_refresh = header->addCommand(u"runbooksRefresh"_s, u"refresh"_s, tr("Look again (F5)"));
    auto *layout = pageColumn(this);
    layout->addWidget(header);
    layout->addWidget(m_notice);
    layout->addWidget(m_busy);
    layout->addWidget(m_stack, 1);
    wire();
    onTargetsChanged();
}

void RunbooksPage::wire()
{
    using Controller = models::RunbookController;
    connect(m_list, &QListWidget::currentRowChanged, this, &RunbooksPage::chooseRow);
    connect(m_targets, &TargetChooser::chosen, this,
        [this](const QString &name) { m_runbooks->open(QString::fromLatin1(m_runbooks->book()->name), name); });
    connect(m_refresh, &QToolButton::clicked, m_runbooks, &Controller::refresh);
    connect(m_notice, &NoticeBar::primaryClicked, m_runbooks, &Controller::refresh);
    connect(m_save, &QPushButton::clicked, this, &RunbooksPage::save);
    connect(m_view, &RunbookView::placeWanted, this, &RunbooksPage::placeWanted);
    connect(m_stack->empty(), &EmptyState::buttonClicked, this, &RunbooksPage::connectClicked);
    connect(m_runbooks, &Controller::changed, this, &RunbooksPage::sync);
    connect(m_runbooks, &Controller::marksChanged, this, &RunbooksPage::fillList);
    connect(m_runbooks, &Controller::written, this,
        [this](const QString &path) { m_notice->showNotice(NoticeBar::Kind::Good, tr("Written to %1.").arg(path)); });
    connect(
        m_runbooks, &Controller::writeFailed, this, [this](const sql::Error &error) { m_notice->showError(error); });
    connect(m_connection, &models::ConnectionController::targetsChanged, this, &RunbooksPage::onTargetsChanged);
    connect(m_connection, &models::ConnectionController::stateChanged, this, &RunbooksPage::sync);
}

/// The one that is open stays selected, wherever it stands now: nothing is opened by an alert.
void RunbooksPage::fillList()
{
    const QSignalBlocker quiet(m_list);
    m_list->clear();
    const QStringList names = models::runbooksByUrgency(m_runbooks->marks());
    for (const QString &name : names) {
        const models::Runbook &book = *models::runbook(name);
        const models::RunbookMark mark = m_runbooks->marks().value(name);
        const QString title = models::runbookText(book.title);
        const QString symptom = models::runbookText(book.symptom);
        auto *item = new QListWidgetItem(title, m_list);
        item->setData(Qt::UserRole, name);
        item->setData(RunbookListDelegate::FiringRole, mark.firing);
        item->setSizeHint({ 0, kRowHeight });
        item->setToolTip(symptom);
        item->setData(RunbookListDelegate::AnswersRole, mark.read ? QVariant(mark.answers) : QVariant());
        QStringList tells;
        if (mark.firing > 0) {
            tells += tr("%n alert(s) firing.", nullptr, mark.firing);
        }
        if (mark.answers > 0) {
            tells += tr("%n answer(s) need a person.", nullptr, mark.answers);
        } else {
            tells += mark.read ? tr("Read: no answer needs a person.") : tr("Not read yet.");
        }
        if (!tells.isEmpty()) {
            item->setData(Qt::AccessibleTextRole, tr("%1: %2", "a runbook, what fires").arg(title, tells.join(u' ')));
            item->setToolTip((QStringList { symptom } + tells + mark.alerts).join(u'\n'));
        }
    }
    selectOpen();
}

void RunbooksPage::selectOpen()
{
    for (int row = 0; row < m_list->count(); ++row) {
        if (m_list->item(row)->data(Qt::UserRole).toString() == QLatin1StringView(m_runbooks->book()->name)) {
            const QSignalBlocker quiet(m_list);
            m_list->setCurrentRow(row);
        }
    }
}

void RunbooksPage::chooseRow()
{
    if (const QListWidgetItem *item = m_list->currentItem()) {
        m_runbooks->open(item->data(Qt::UserRole).toString(), m_targets->target());
    }
}

void RunbooksPage::showRunbook(const QString &name, const QString &target)
{
    m_targets->choose(target);
    m_runbooks->open(name, m_targets->target());
}

void RunbooksPage::refresh()
{
    m_runbooks->refresh();
}

void RunbooksPage::activate()
{
    if (!m_runbooks->report() && !m_runbooks->busy() && !m_runbooks->error()) {
        m_runbooks->refresh();
    }
}

void RunbooksPage::onTargetsChanged()
{
    const QString shown = m_targets->refill(m_connection->targets(), m_runbooks->target());
    if (m_connection->targetsLoaded() && shown != m_runbooks->target()) { // of another database
        m_runbooks->open(QString::fromLatin1(m_runbooks->book()->name), shown);
    } else if (isVisible()) {
        activate();
    }
    sync();
}

void RunbooksPage::save()
{
    const QString name = QString::fromLatin1(m_runbooks->book()->name);
    QFileDialog *dialog = saveFileDialog(this, u"runbooksSaveDialog"_s, tr("Save the runbook"), name + u".pdf"_s,
        { tr("PDF (*.pdf)"), tr("HTML (*.html)"), tr("JSON (*.json)") });
    connect(dialog, &QFileDialog::fileSelected, m_runbooks, &models::RunbookController::write);
    openDialog(dialog);
}

void RunbooksPage::sync()
{
    m_notice->setError(m_runbooks->error(), tr("Retry"));
    m_busy->setVisible(m_runbooks->busy());
    const bool connected = m_connection->database() != nullptr;
    m_refresh->setEnabled(connected && !m_runbooks->busy());
    m_save->setEnabled(m_runbooks->report().has_value());
    selectOpen();
    m_view->setReport(*m_runbooks->book(), m_runbooks->report() ? &*m_runbooks->report() : nullptr);
    if (!connected) {
        m_stack->empty()->showNotConnected(tr("What to look at in an incident is answered here, from what is there."));
    }
    m_stack->showContent(connected);
}

} // namespace idemdesk::ui
