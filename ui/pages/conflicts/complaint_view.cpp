// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/conflicts/complaint_view.h"

#include "models/complaint/complaint_controller.h"
#include "models/format/display_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/busy_bar.h"
#include "ui/widgets/case_view.h"
#include "ui/widgets/content_stack.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/forms.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/notice_bar.h"
#include "ui/widgets/table_setup.h"

#include <QComboBox>
#include <QGridLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QSplitter>
#include <QTableView>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

using models::ComplaintModel;

namespace {

constexpr int kUsualWindow = 1; // ± 1 hour

} // namespace

ComplaintView::ComplaintView(models::ConnectionController *connection, models::ComplaintController *complaint,
    models::Settings *settings, QWidget *parent)
    : QWidget(parent)
    , m_connection(connection)
    , m_complaint(complaint)
    , m_key(new QLineEdit(this))
    , m_customer(new QLineEdit(this))
    , m_resource(new QLineEdit(this))
    , m_amount(new QLineEdit(this))
    , m_at(new QLineEdit(this))
    , m_window(new QComboBox(this))
    , m_text(new QLineEdit(this))
    , m_find(new QPushButton(tr("&Find"), this))
    , m_progress(new BusyBar(u"complaintProgress"_s, tr("Searching"), this))
    , m_clear(new QPushButton(tr("C&lear"), this))
    , m_stop(new QPushButton(tr("Stop"), this))
    , m_notice(new NoticeBar(this))
    , m_stack(new ContentStack(this))
    , m_split(new QSplitter(Qt::Vertical, this))
    , m_table(new QTableView(this))
    , m_counted(wrappedLabel({}, this))
    , m_judge(new QPushButton(tr("&Judge what is picked"), this))
    , m_case(new CaseView(complaint->caseController(), this))
{
    setObjectName(u"complaintView"_s);
    m_notice->setObjectName(u"complaintNotice"_s);
    setUpTable(m_table,
        { u"complaintTable"_s, tr("Intents that may be meant"), complaint->model(),
            { 165, 180, 170, 290, 105, 80, 140 }, QAbstractItemView::ExtendedSelection },
        settings);
    toggleBySpace(m_table);
    splitInTwo(m_split, buildCandidates(), m_case, 1, 1);
    m_stack->setContent(m_split);
    auto *layout = tabColumn(this);
    layout->addWidget(buildQuestion());
    layout->addWidget(m_notice);
    layout->addWidget(m_stack, 1);
    wire();
    sync();
}

QWidget *ComplaintView::buildQuestion()
{
    auto *question = new QWidget(this);
    QGridLayout *grid = fieldGrid(question);
    addField(grid, m_customer, u"complaintCustomer"_s, tr("Customer"), tr("Whole customer, tenant or user"), 0, 0);
    addField(grid, m_resource, u"complaintResource"_s, tr("Result"), tr("Whole number of the order or payment"), 0, 2);
    addField(grid, m_amount, u"complaintAmount"_s, tr("Amount"), tr("10.50"), 0, 4);
    addField(grid, m_at, u"complaintAt"_s, tr("About when"), tr("2026-11-20 14:30"), 1, 0);
    m_window->setObjectName(u"complaintWindow"_s);
    m_window->setAccessibleName(tr("How far to either side of that time"));
    for (const auto &[title, seconds] :
        { std::pair(tr("± 10 minutes"), 600), std::pair(tr("± 1 hour"), 3'600), std::pair(tr("± 6 hours"), 21'600),
            std::pair(tr("± 1 day"), 86'400), std::pair(tr("± 1 week"), 604'800) }) {
        m_window->addItem(title, seconds);
    }
    m_window->setCurrentIndex(kUsualWindow);
    addField(grid, m_text, u"complaintText"_s, tr("Text"), tr("Anything in the request or response"), 1, 2);
    addField(grid, m_key, u"complaintKey"_s, tr("Key"), tr("Whole key"), 1, 4);
    auto *when = new QHBoxLayout;
    when->setSpacing(kGrid);
    when->addWidget(m_at, 1);
    when->addWidget(m_window);
    grid->addLayout(when, 1, 1);
    m_find->setObjectName(u"complaintFind"_s);
    m_clear->setObjectName(u"complaintClear"_s);
    m_stop->setObjectName(u"complaintStop"_s);
    grid->addWidget(m_find, 0, 6);
    grid->addWidget(m_clear, 1, 6);
    grid->addWidget(m_stop, 1, 6);
    grid->addWidget(m_progress, 1, 7);
    for (const int column : { 1, 3, 5 }) {
        grid->setColumnStretch(column, 1);
    }
    return question;
}

QWidget *ComplaintView::buildCandidates()
{
    m_counted->setObjectName(u"complaintCounted"_s);
    m_judge->setObjectName(u"complaintJudge"_s);
    auto *candidates = new QWidget(this);
    auto *layout = partColumn(candidates);
    layout->setSpacing(kGrid);
    auto *bar = barRow({});
    bar->addWidget(m_counted, 1);
    bar->addWidget(m_judge, 0, Qt::AlignTop);
    layout->addLayout(bar);
    layout->addWidget(m_table, 1);
    return candidates;
}

void ComplaintView::wire()
{
    connect(m_find, &QPushButton::clicked, this, &ComplaintView::ask);
    for (QLineEdit *field : { m_customer, m_resource, m_amount, m_at, m_text, m_key }) {
        connect(field, &QLineEdit::returnPressed, this, &ComplaintView::ask);
    }
    connect(m_clear, &QPushButton::clicked, this, &ComplaintView::clear);
    connect(m_stop, &QPushButton::clicked, m_complaint, &models::ComplaintController::cancel);
    connect(m_judge, &QPushButton::clicked, this, [this] { m_complaint->judgePicked(); });
    connect(m_table, &QTableView::activated, this, [this](const QModelIndex &index) { judgeRow(index.row()); });
    connect(m_notice, &NoticeBar::primaryClicked, this, &ComplaintView::ask);
    connect(m_stack->empty(), &EmptyState::buttonClicked, this, &ComplaintView::connectClicked);
    connect(m_complaint, &models::ComplaintController::changed, this, &ComplaintView::sync);
    connect(m_complaint->model(), &ComplaintModel::pickedChanged, this, &ComplaintView::sync);
    connect(m_complaint->caseController(), &models::CaseController::changed, this, &ComplaintView::showCase);
    connect(m_case, &CaseView::compareWanted, this, &ComplaintView::compareWanted);
    connect(m_connection, &models::ConnectionController::stateChanged, this, &ComplaintView::sync);
    showCase();
}

void ComplaintView::setTimeFormat(const models::TimeFormat &format)
{
    m_format = format;
    m_complaint->model()->setTimeFormat(format);
    m_case->setTimeFormat(format);
    m_at->setToolTip(tr("A date for its whole day, or a time in %1 unless it says otherwise").arg(format.zoneText()));
}

void ComplaintView::askConflict(const sql::ConflictRecord &conflict)
{
    clear();
    m_key->setText(conflict.key.value_or(QString()));
    m_complaint->searchConflict(conflict); // the key with its blanks: it is known to be whole
}

void ComplaintView::clear()
{
    for (QLineEdit *field : { m_customer, m_resource, m_amount, m_at, m_text, m_key }) {
        field->clear();
    }
    m_window->setCurrentIndex(kUsualWindow);
    m_case->setComplaint({});
    m_complaint->clear();
    m_customer->setFocus(Qt::OtherFocusReason);
}

void ComplaintView::ask()
{
    models::ComplaintQuestion question;
    question.key = m_key->text().trimmed();
    question.customer = m_customer->text().trimmed();
    question.resource = m_resource->text().trimmed();
    question.amount = m_amount->text().trimmed();
    question.text = m_text->text().trimmed();
    question.windowSeconds = m_window->currentData().toLongLong();
    if (!m_at->text().trimmed().isEmpty() && !models::setComplaintTime(&question, m_at->text(), m_format.zone())) {
        m_notice->showNotice(NoticeBar::Kind::Error, tr("“%1” is no time.").arg(models::displayText(m_at->text(), 60)),
            tr("Write it such as 2026-11-20 14:30, yesterday 14:30, or a date alone for its whole day."));
        m_at->setFocus(Qt::OtherFocusReason);
        return;
    }
    if (question.empty()) {
        m_notice->showNotice(NoticeBar::Kind::Info, tr("Nothing to look for yet."),
            tr("Fill in what the complaint says: one of the fields is enough, and all that are filled in must fit."));
        m_customer->setFocus(Qt::OtherFocusReason);
        return;
    }
    m_case->setComplaint({});
    m_complaint->search(question);
}

void ComplaintView::judgeRow(int row)
{
    m_complaint->model()->pick(row, true);
    m_complaint->judgePicked();
}

void ComplaintView::sync()
{
    const bool busy = m_complaint->busy();
    const int rows = m_complaint->model()->rowCount();
    const int picked = int(m_complaint->model()->picked().size());
    if (m_complaint->error()) {
        m_notice->showError(*m_complaint->error(), tr("Retry"));
    } else if (!busy && m_complaint->answered() && !m_complaint->notRead().isEmpty()) {
        const QStringList texts = models::problemTexts(m_complaint->notRead());
        m_notice->showNotice(NoticeBar::Kind::Warning, models::problemSummary(m_complaint->notRead()),
            texts.constFirst(), texts.join(u'\n'));
    } else {
        m_notice->clear();
    }
    m_find->setEnabled(!busy && m_connection->state() == sql::LinkState::Connected);
    m_progress->setVisible(busy);
    m_stop->setVisible(busy);
    m_clear->setVisible(!busy);
    m_judge->setEnabled(picked > 0);
    const QString searched = tr("%n table(s) searched.", nullptr, m_complaint->searched());
    QStringList lines { tr("%n intent(s) may be meant; pick those that belong to the complaint.", nullptr, rows) + u' '
        + searched };
    for (const QString &text : m_complaint->notes()) {
        lines += models::displayText(text, 400);
    }
    m_counted->setText(lines.join(u'\n'));
    m_judge->setText(picked > 0 ? tr("&Judge %n intent(s)", nullptr, picked) : tr("&Judge what is picked"));
    EmptyState *empty = m_stack->empty();
    if (m_connection->database() == nullptr) {
        empty->showNotConnected(
            tr("With what a customer says, the intents that may be meant are found here, and judged."));
    } else if (busy) {
        empty->show(u"conflicts"_s, tr("Looking for intents"), tr("Every table is searched; nothing is changed."));
    } else if (m_complaint->answered() && m_complaint->searched() == 0) {
        empty->show(u"conflicts"_s, tr("Nothing is known"),
            (QStringList { tr("No table could be searched, so an intent may well be there.") } + lines.mid(1))
                .join(u' '));
    } else if (m_complaint->answered() && !m_complaint->notRead().isEmpty()) {
        empty->show(u"conflicts"_s, tr("No intent in the tables that could be read"),
            (QStringList { searched, tr("In the others one may be.") } + lines.mid(1)).join(u' '));
    } else if (m_complaint->answered()) {
        empty->show(u"conflicts"_s,
            m_complaint->whole() ? tr("No intent fits all of that") : tr("No intent in what could be searched"),
            (QStringList { searched,
                 m_complaint->question().keyAlone()
                     ? tr("It may have been purged; the trail of purges and the logs may still tell of it.")
                     : tr("Leave a field empty, or widen the time.") }
                + lines.mid(1))
                .join(u' '));
    } else {
        empty->show(u"conflicts"_s, tr("What does the complaint say?"),
            tr("One of the fields above is enough: a customer, an order, an amount, a time, a piece of the request, or "
               "the key."));
    }
    const bool shown = rows > 0 || m_complaint->caseController()->file() || m_complaint->caseController()->busy();
    m_table->parentWidget()->setVisible(rows > 0);
    m_stack->showContent(shown && !busy);
}

void ComplaintView::showCase()
{
    const models::CaseController *file = m_complaint->caseController();
    const bool shown = file->file() || file->busy() || file->error();
    if (shown && m_case->isHidden()) {
        m_split->setSizes({ height() / 3, height() - height() / 3 });
    }
    m_case->setVisible(shown);
    sync();
}

} // namespace idemdesk::ui
