// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/health/review_view.h"

#include "models/connection/connection_controller.h"
#include "models/format/display_text.h"
#include "models/format/quantities.h"
#include "models/review/review_controller.h"
#include "models/review/review_report.h"
#include "models/table/item_role.h"
#include "ui/delegates/health_delegate.h"
#include "ui/delegates/two_line_delegate.h"
#include "ui/dialogs/sign_dialog.h"
#include "ui/theme/theme.h"
#include "ui/widgets/badge_view.h"
#include "ui/widgets/busy_bar.h"
#include "ui/widgets/content_stack.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/headings.h"
#include "ui/widgets/icon_button.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/notice_bar.h"
#include "ui/widgets/questions.h"
#include "ui/widgets/table_setup.h"
#include "ui/widgets/target_chooser.h"

#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QSplitter>
#include <QTableView>
#include <QToolButton>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

using models::ReviewModel;

namespace {

constexpr int kReviewChars = 5'000;

constexpr int kProgressWidth = 160; // pixels

QString standText(models::ReviewStand stand, int count)
{
    switch (stand) {
    case models::ReviewStand::Gap:
        return ReviewView::tr("%n gap(s)", nullptr, count);
    case models::ReviewStand::Open:
        return ReviewView::tr("%n open", "questions", count);
    case models::ReviewStand::Settled:
        return ReviewView::tr("%n settled", "questions", count);
    case models::ReviewStand::NotApplicable:
        break;
    }
    return ReviewView::tr("%n do(es) not apply", "questions", count);
}

Badge standBadge(models::ReviewStand stand, const QString &text)
{
    switch (stand) {
    case models::ReviewStand::Gap:
        return healthBadge(sql::HealthLevel::Problem, text);
    case models::ReviewStand::Open:
        return healthBadge(sql::HealthLevel::Unknown, text);
    case models::ReviewStand::Settled:
        return healthBadge(sql::HealthLevel::Good, text);
    case models::ReviewStand::NotApplicable:
        break;
    }
    return healthBadge(sql::HealthLevel::Nothing, text);
}

Badge reviewBadge(int group)
{
    const auto stand = static_cast<models::ReviewStand>(group);
    return standBadge(stand, models::reviewStandLabel(stand));
}

/// Nobody answered it yet, and the console found nothing.
bool isUnanswered(const QModelIndex &answer)
{
    return answer.column() == ReviewModel::Answer && answer.data().toString() == u"–";
}

/// No answer yet is a link to give one, or a muted dash where none can be given; what is told but not signed says so
/// beneath.
class AnswerDelegate final : public CellDelegate
{
public:
    AnswerDelegate(const models::ReviewController *review, QObject *parent)
        : CellDelegate(parent)
        , m_review(review)
        , m_twoLines(new TwoLineDelegate(TwoLineDelegate::First::Text, this))
    {
    }
    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        if (!index.data(models::DetailRole).toString().isEmpty()) {
            m_twoLines->paint(painter, option, index);
            return;
        }
        CellDelegate::paint(painter, option, index);
    }

protected:
    void initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const override
    {
        CellDelegate::initStyleOption(option, index);
        if (isUnanswered(index)) {
            const bool may = m_review->maySign();
            const QColor color = themeColor(may ? Token::Accent : Token::MutedText);
            option->text = may ? ReviewView::tr("Sign…") : option->text;
            option->palette.setColor(QPalette::Text, color);
            option->palette.setColor(QPalette::HighlightedText, color);
        }
    }

private:
    const models::ReviewController *m_review;
    TwoLineDelegate *m_twoLines;
};

} // namespace

ReviewView::ReviewView(models::ConnectionController *connection, models::ReviewController *review,
    models::Settings *settings, QWidget *parent)
    : QWidget(parent)
    , m_connection(connection)
    , m_review(review)
    , m_targets(new TargetChooser(u"reviewTarget"_s, this))
    , m_save(new QPushButton(tr("Save as &PDF…"), this))
    , m_refresh(new QToolButton(this))
    , m_notice(new NoticeBar(this))
    , m_stand(new QWidget(this))
    , m_progress(new QProgressBar(this))
    , m_settled(plainLabel({}, this))
    , m_busy(new BusyBar(u"reviewBusy"_s, tr("Looking at the table"), this))
    , m_stack(new ContentStack(this))
    , m_groups(new models::ReviewGroups(review->model(), this))
    , m_table(new QTableView(this))
    , m_question(readableLabel(u"reviewQuestion"_s, this))
    , m_found(readableLabel(u"reviewFound"_s, this))
    , m_signature(readableLabel(u"reviewSignature"_s, this))
    , m_sign(new QPushButton(tr("&Sign an answer…"), this))
{
    setUpTable(m_table,
        { u"reviewTable"_s, tr("Questions of the review; Enter signs an answer"), m_groups, { 520, 620 } }, settings);
    setTwoLines(m_table, settings);
    setUpHeadings(m_table, m_groups, &reviewBadge, new TwoLineDelegate(TwoLineDelegate::First::Text, m_table));
    m_table->setItemDelegateForColumn(ReviewModel::Answer, new AnswerDelegate(review, m_table));
    m_table->setWordWrap(true);
    m_busy->keepItsPlace();
    auto *split = new QSplitter(Qt::Vertical, this);
    splitInTwo(split, m_table, buildList());
    m_stack->setContent(split);
    auto *layout = tabColumn(this);
    layout->addWidget(buildBar());
    layout->addWidget(m_notice);
    layout->addWidget(buildStand());
    layout->addWidget(m_busy);
    layout->addWidget(m_stack, 1);
    wire();
    onTargetsChanged();
}

QWidget *ReviewView::buildBar()
{
    m_save->setObjectName(u"reviewSave"_s);
    m_save->setToolTip(tr("A file to print or to send on: PDF, HTML or JSON"));
    setUpIconButton(m_refresh, u"reviewRefresh"_s, u"refresh"_s, tr("Look again (F5)"));
    auto *bar = new QWidget(this);
    barRow({ m_targets, nullptr, m_save, m_refresh }, bar);
    return bar;
}

/// How far the review is: what is settled as a bar, and how many questions stand otherwise.
QWidget *ReviewView::buildStand()
{
    m_stand->setObjectName(u"reviewStand"_s);
    m_stand->setAccessibleName(tr("How the questions stand"));
    m_progress->setObjectName(u"reviewProgress"_s);
    m_progress->setAccessibleName(tr("Questions that are settled"));
    m_progress->setFixedWidth(kProgressWidth);
    m_settled->setObjectName(u"reviewSettled"_s);
    auto *row = barRow({ m_progress, m_settled }, m_stand);
    for (const models::ReviewStand stand : sql::kAllOf<models::ReviewStand>) {
        auto *badge = new BadgeView(u"reviewStand_%1"_s.arg(int(stand)), m_stand);
        row->addWidget(badge);
        m_badges += badge;
    }
    row->addStretch(1);
    return m_stand;
}

void ReviewView::syncStand()
{
    const auto &report = m_review->report();
    m_stand->setVisible(report.has_value());
    if (!report) {
        return;
    }
    int asked = 0;
    int settled = 0;
    int at = 0;
    for (const models::ReviewStand stand : sql::kAllOf<models::ReviewStand>) {
        const auto count = int(report->count(stand));
        asked += stand == models::ReviewStand::NotApplicable ? 0 : count;
        settled += stand == models::ReviewStand::Settled ? count : 0;
        const bool said = stand == models::ReviewStand::Settled; // beside the bar
        m_badges.at(at++)->setBadge(count > 0 && !said ? standBadge(stand, standText(stand, count)) : Badge());
    }
    m_progress->setRange(0, std::max(asked, 1));
    m_progress->setValue(settled);
    m_settled->setText(tr("%1 of %2 settled").arg(models::countText(settled), models::countText(asked)));
}

/// What is known of the question that is selected.
QWidget *ReviewView::buildList()
{
    m_question->setFont(Theme::title());
    m_sign->setObjectName(u"reviewSign"_s);
    auto *detail = new QWidget(this);
    auto *layout = lowerColumn(detail);
    auto *head = barRow({});
    head->addWidget(m_question, 1);
    head->addWidget(m_sign);
    layout->addLayout(head);
    layout->addWidget(m_found);
    layout->addWidget(m_signature);
    layout->addStretch(1);
    return detail;
}

void ReviewView::wire()
{
    using Controller = models::ReviewController;
    connect(m_targets, &TargetChooser::chosen, this, &ReviewView::showTarget);
    connect(m_refresh, &QToolButton::clicked, m_review, &Controller::refresh);
    connect(m_notice, &NoticeBar::primaryClicked, m_review, &Controller::refresh);
    connect(m_save, &QPushButton::clicked, this, &ReviewView::save);
    connect(m_sign, &QPushButton::clicked, this, &ReviewView::askSign);
    connect(m_table, &QTableView::activated, this, &ReviewView::askSign);
    connect(m_table, &QTableView::clicked, this, [this](const QModelIndex &index) {
        if (isUnanswered(index)) {
            askSign();
        }
    });
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this] {
        if (const models::ReviewItem *item = current()) {
            m_chosen = item->question->name();
        }
        showItem();
    });
    connect(m_groups, &QAbstractItemModel::modelReset, this, &ReviewView::selectAgain);
    connect(m_review, &Controller::changed, this, &ReviewView::sync);
    connect(m_review, &Controller::signedAnswer, this, [this](const QString &, qint64 seq) {
        m_unsigned.reset();
        m_notice->showNotice(NoticeBar::Kind::Good, tr("Signed: row %1 of the audit log.").arg(seq));
    });
    connect(m_review, &Controller::signFailed, this, [this](const sql::Error &error) { m_notice->showError(error); });
    connect(m_review, &Controller::written, this,
        [this](const QString &path) { m_notice->showNotice(NoticeBar::Kind::Good, tr("Written to %1.").arg(path)); });
    connect(m_review, &Controller::writeFailed, this, [this](const sql::Error &error) { m_notice->showError(error); });
    connect(m_connection, &models::ConnectionController::targetsChanged, this, &ReviewView::onTargetsChanged);
    connect(m_connection, &models::ConnectionController::stateChanged, this, &ReviewView::sync);
}

const models::ReviewItem *ReviewView::current() const
{
    return m_review->model()->row(m_groups->sourceRow(m_table->currentIndex().row()));
}

void ReviewView::activate()
{
    if (!m_review->report() && !m_review->busy() && !m_review->error()) {
        m_review->refresh();
    }
}

void ReviewView::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    activate();
}

void ReviewView::showTarget(const QString &name)
{
    m_targets->choose(name);
    m_notice->clear();
    m_review->choose(m_targets->target());
    if (isVisible()) {
        activate();
    }
}

void ReviewView::onTargetsChanged()
{
    m_review->choose(m_targets->refill(m_connection->targets(), m_review->target()));
    if (isVisible()) {
        activate();
    }
    sync();
}

/// The question that was selected stays so, under whatever heading it stands now; else the first one is.
void ReviewView::selectAgain()
{
    const auto &rows = m_review->model()->rows();
    const auto chosen = std::find_if(rows.cbegin(), rows.cend(),
        [this](const models::ReviewItem &item) { return item.question->name() == m_chosen; });
    int row = chosen != rows.cend() ? m_groups->rowOf(int(chosen - rows.cbegin())) : -1;
    for (int i = 0; row < 0 && i < m_groups->rowCount(); ++i) {
        row = m_groups->isHeading(i) ? -1 : i;
    }
    m_table->setCurrentIndex(m_groups->index(std::max(row, 0), m_groups->headingColumn()));
    showItem();
}

void ReviewView::showItem()
{
    const models::ReviewItem *item = current();
    const QString found = item == nullptr ? QString()
        : !item->seen.isEmpty()
        ? (models::reviewUnsigned(*item) ? tr("Evidence, not signed: %1") : tr("The console found: %1")).arg(item->seen)
        : tr("Only a person can answer this; in the terminal it is called %1.").arg(item->question->name());
    m_question->setText(item != nullptr ? item->question->text() : QString());
    m_found->setText(models::displayText(found, kReviewChars));
    m_signature->setText(
        item != nullptr ? models::displayText(models::reviewSignature(*item), kReviewChars) : QString());
    m_signature->setVisible(item != nullptr && item->answer);
    m_sign->setEnabled(item != nullptr && m_review->maySign());
    m_sign->setToolTip(
        m_review->report() && m_review->report()->noAnswers ? m_review->report()->noAnswers->line() : QString());
}

void ReviewView::askSign()
{
    const models::ReviewItem *item = current();
    if (item == nullptr || !m_sign->isEnabled()) {
        return;
    }
    auto *dialog = new SignDialog(*m_review->report(), *item, m_connection->facts().user, m_connection->title(),
        m_connection->settings().environment, this);
    // What is signed is what the dialog shows, whatever is read behind it.
    sql::ReviewSigning signing = models::reviewSigning(*m_review->report(), *item, {}, {});
    if (m_unsigned && m_unsigned->question == signing.question && m_unsigned->table == signing.table) {
        dialog->fillIn(m_unsigned->verdict, m_unsigned->note);
    }
    connect(dialog, &QDialog::accepted, this, [this, dialog, signing]() mutable {
        m_notice->clear();
        signing.verdict = dialog->verdict();
        signing.note = dialog->note();
        m_unsigned = signing;
        m_review->sign(signing);
    });
    openDialog(dialog);
}

void ReviewView::save()
{
    QFileDialog *dialog = saveFileDialog(this, u"reviewSaveDialog"_s, tr("Save the review"),
        u"review-"_s + m_review->target() + u".pdf"_s, { tr("PDF (*.pdf)"), tr("HTML (*.html)"), tr("JSON (*.json)") });
    connect(dialog, &QFileDialog::fileSelected, m_review, &models::ReviewController::write);
    openDialog(dialog);
}

void ReviewView::sync()
{
    const auto &report = m_review->report();
    if (m_review->error()) {
        m_failed = true;
        m_notice->showError(*m_review->error(), tr("Retry"));
    } else if (report && report->noAnswers) {
        m_failed = true;
        m_notice->showNotice(NoticeBar::Kind::Warning, tr("Answers cannot be signed here."), report->noAnswers->line());
    } else if (m_failed && report) {
        m_failed = false;
        m_notice->clear();
    }
    m_busy->setVisible(m_review->busy() || m_review->signing());
    const bool connected = m_connection->database() != nullptr;
    if (!connected) {
        m_unsigned.reset(); // the next server may have a table of this name, too
    }
    m_refresh->setEnabled(connected && !m_review->busy() && !m_review->target().isEmpty());
    m_save->setEnabled(report.has_value());
    syncStand();
    EmptyState *empty = m_stack->empty();
    if (!connected) {
        empty->show(
            u"connect"_s, tr("Not connected"), tr("What a review of a table asks is answered and signed here."));
    } else if (m_review->target().isEmpty()) {
        empty->show(u"health"_s, m_connection->targetsLoaded() ? tr("No table yet") : tr("Looking for tables"),
            tr("A review needs a table whose columns the console knows how to read."));
    } else {
        empty->show(u"health"_s, m_review->busy() ? tr("Looking at the table…") : tr("Not read"),
            tr("What the catalogue and the rows answer is filled in; the rest is asked of a person."));
    }
    m_stack->showContent(report.has_value());
    m_table->viewport()->update(); // each row says whether it can be signed
    showItem();
}

} // namespace idemdesk::ui
