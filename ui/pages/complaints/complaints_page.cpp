// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/complaints/complaints_page.h"

#include "models/complaint/complaint_controller.h"
#include "models/format/display_text.h"
#include "models/format/quantities.h"
#include "ui/delegates/hit_delegate.h"
#include "ui/delegates/state_delegate.h"
#include "ui/delegates/two_line_delegate.h"
#include "ui/theme/console_style.h"
#include "ui/theme/surfaces.h"
#include "ui/theme/theme.h"
#include "ui/theme/ticked_column.h"
#include "ui/widgets/busy_bar.h"
#include "ui/widgets/case_view.h"
#include "ui/widgets/content_stack.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/icon_button.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/notice_bar.h"
#include "ui/widgets/page_header.h"
#include "ui/widgets/table_setup.h"
#include "ui/widgets/wrap_row.h"

#include <QApplication>
#include <QComboBox>
#include <QGridLayout>
#include <QHeaderView>
#include <QLineEdit>
#include <QPainter>
#include <QPushButton>
#include <QStackedWidget>
#include <QTableView>
#include <QToolButton>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

using models::ComplaintModel;

namespace {

constexpr int kMostMatchWidth = 300; // pixels, at texts of the usual size
constexpr int kUsualWindow = 1; // ± 1 hour
constexpr int kMatchNoteChars = 4'000; // a table that was not searched is never cut away

/// Rows that are judged elsewhere have a box that nobody can tick: beside them stands where they can be.
class TickDelegate final : public CellDelegate
{
public:
    using CellDelegate::CellDelegate;

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        CellDelegate::paint(painter, option, index);
        QStyleOptionViewItem box = option;
        initStyleOption(&box, index);
        if (box.features & QStyleOptionViewItem::HasCheckIndicator) {
            return;
        }
        const QStyle *style = box.widget != nullptr ? box.widget->style() : QApplication::style();
        box.rect = style->subElementRect(QStyle::SE_ItemViewItemDecoration, &box, box.widget);
        box.state = QStyle::State_Off;
        style->drawPrimitive(QStyle::PE_IndicatorItemViewItemCheck, &box, painter, box.widget);
    }

protected:
    void initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const override
    {
        CellDelegate::initStyleOption(option, index);
        if (option->features & QStyleOptionViewItem::HasCheckIndicator) {
            return;
        }
        const QStyle *style = option->widget != nullptr ? option->widget->style() : QApplication::style();
        option->features |= QStyleOptionViewItem::HasDecoration; // of nothing, and as wide as the box
        option->decorationSize = { style->pixelMetric(QStyle::PM_IndicatorWidth, option, option->widget),
            style->pixelMetric(QStyle::PM_IndicatorHeight, option, option->widget) };
    }
};

/// The ground that the question stands on.
class QuestionCard final : public QWidget
{
public:
    using QWidget::QWidget;

    /// One line of what was asked needs no ground of its own.
    void setFolded(bool folded)
    {
        m_folded = folded;
        const int side = folded ? 0 : 4 * kGrid;
        const int foot = folded ? 0 : 3 * kGrid;
        layout()->setContentsMargins(side, foot, side, foot);
        update();
    }

protected:
    void paintEvent(QPaintEvent *) override
    {
        if (m_folded) {
            return;
        }
        QPainter painter(this);
        drawPanel(&painter, rect(), themeColor(Token::Base), themeColor(Token::Border), kRadius);
    }

private:
    bool m_folded = false;
};

/// A field beneath its name: the example stands whole in it, however many are beside each other.
void addBeneath(QGridLayout *grid, QLineEdit *field, const QString &objectName, const QString &title,
    const QString &example, int row, int column)
{
    field->setObjectName(objectName);
    field->setAccessibleName(title);
    field->setPlaceholderText(example);
    field->setClearButtonEnabled(true);
    grid->addWidget(buddyLabel(title, field, grid->parentWidget()), row, column);
    grid->addWidget(field, row + 1, column);
}

QStringList shownNotes(const QStringList &sentences)
{
    QStringList texts;
    for (const QString &text : sentences) {
        texts += models::displayText(text, kMatchNoteChars);
    }
    return texts;
}

/// Every match is of one table, which the line above then names.
bool ofOneTable(const ComplaintModel &matches)
{
    for (int row = 1; row < matches.rowCount(); ++row) {
        if (matches.target(*matches.candidate(row)).profile.name
            != matches.target(*matches.candidate(0)).profile.name) {
            return false;
        }
    }
    return matches.rowCount() > 0;
}

} // namespace

Page::Face ComplaintsPage::ownFace()
{
    return { u"complaints"_s, tr("Complaints"), u"complaints"_s };
}

ComplaintsPage::ComplaintsPage(models::ConnectionController *connection, models::ComplaintController *complaint,
    models::Settings *settings, QWidget *parent)
    : Page(ownFace(), parent)
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
    , m_silent(new NoticeBar(this))
    , m_stack(new ContentStack(this))
    , m_steps(new QStackedWidget(this))
    , m_form(new QWidget(this))
    , m_askedRow(new QWidget(this))
    , m_edit(new QPushButton(tr("&Edit search"), this))
    , m_about(iconButton(u"complaintAbout"_s, u"info"_s, tr("What was searched, and what was not"), this))
    , m_table(new QTableView(this))
    , m_counted(wrappedLabel({}, this))
    , m_across(new NoticeBar(this))
    , m_brief(strongLabel({}, this))
    , m_incomplete(new NoticeBar(this))
    , m_notSearched(noteLabel({}, u"complaintNotSearched"_s, this))
    , m_there(new QPushButton(this))
    , m_judge(new QPushButton(tr("&Get verdict"), this))
    , m_back(new QPushButton(tr("&Back to the matches"), this))
    , m_asked(plainLabel({}, this))
    , m_next(new QPushButton(tr("&Next complaint"), this))
    , m_case(new CaseView(complaint->caseController(), this))
{
    setObjectName(u"complaintsPage"_s);
    m_notice->setObjectName(u"complaintNotice"_s);
    m_silent->setObjectName(u"complaintSilent"_s);
    m_incomplete->setObjectName(u"complaintIncomplete"_s);
    setUpTable(m_table,
        { u"complaintTable"_s, tr("Requests that may be meant"), complaint->model(),
            { 204, 124, 224, 144, 112, 100, 240, 120, 200, 120 }, QAbstractItemView::ExtendedSelection },
        settings);
    setTwoLines(m_table, settings);
    m_table->horizontalHeader()->setStretchLastSection(false);
    m_table->horizontalHeader()->setSectionResizeMode(ComplaintModel::Key, QHeaderView::Stretch);
    m_table->setColumnHidden(ComplaintModel::Result, true); // muted beneath the key
    m_table->setItemDelegateForColumn(
        ComplaintModel::Table, new TwoLineDelegate(TwoLineDelegate::First::Text, m_table));
    m_table->setItemDelegateForColumn(
        ComplaintModel::Member, new TwoLineDelegate(TwoLineDelegate::First::Text, m_table));
    m_table->setItemDelegateForColumn(ComplaintModel::Began, new TickDelegate(m_table));
    m_table->horizontalHeader()->setProperty(kTickedColumn, int(ComplaintModel::Began));
    m_table->setItemDelegateForColumn(ComplaintModel::Match, new HitDelegate(m_table));
    m_table->setItemDelegateForColumn(ComplaintModel::Key, new TwoLineDelegate(TwoLineDelegate::First::Key, m_table));
    m_table->setItemDelegateForColumn(ComplaintModel::State, new StateDelegate(m_table));
    toggleBySpace(m_table);
    m_steps->addWidget(buildSearch());
    m_steps->addWidget(buildCase());
    auto *layout = pageColumn(this);
    layout->addWidget(new PageHeader(tr("Complaints"), this));
    layout->addWidget(m_steps, 1);
    wire();
    sync();
}

QWidget *ComplaintsPage::buildSearch()
{
    auto *search = new QWidget(this);
    m_stack->setContent(buildCandidates());
    auto *layout = partColumn(search);
    layout->addWidget(buildQuestion());
    layout->addWidget(m_notice);
    layout->addWidget(m_silent);
    layout->addWidget(m_stack, 1);
    return search;
}

/// The search is folded away: what was asked stays in a line.
QWidget *ComplaintsPage::buildCase()
{
    auto *part = new QWidget(this);
    m_back->setObjectName(u"complaintBack"_s);
    m_asked->setObjectName(u"complaintAsked"_s);
    m_asked->setForegroundRole(QPalette::PlaceholderText);
    m_asked->setMinimumWidth(1);
    m_next->setObjectName(u"complaintNext"_s);
    auto *bar = barRow({ m_back });
    bar->addWidget(m_asked, 1);
    bar->addWidget(m_next);
    auto *layout = partColumn(part);
    layout->addLayout(bar);
    layout->addWidget(m_case, 1);
    return part;
}

QWidget *ComplaintsPage::buildQuestion()
{
    auto *question = new QuestionCard(this);
    question->setObjectName(u"complaintForm"_s);
    QLabel *title = plainLabel(tr("What does the complaint say?"), question);
    title->setFont(Theme::heading());
    question->setAccessibleName(title->text());
    auto *fields = new QWidget(m_form);
    auto *grid = new QGridLayout(fields);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(4 * kGrid);
    grid->setVerticalSpacing(kGrid / 2);
    addFields(grid);
    auto *layout = new QVBoxLayout(question);
    auto *form = partColumn(m_form);
    form->setSpacing(2 * kGrid);
    form->addWidget(title);
    form->addWidget(fields);
    form->addWidget(buildQuestionFoot());
    layout->addWidget(m_form);
    layout->addWidget(buildAsked());
    question->setFolded(false);
    return question;
}

/// What was asked, a field a chip; each leads back to its field.
QWidget *ComplaintsPage::buildAsked()
{
    m_askedRow->setObjectName(u"complaintAskedRow"_s);
    m_edit->setObjectName(u"complaintEdit"_s);
    auto *chips = new QWidget(m_askedRow);
    auto *wrapped = new WrapRow(chips);
    for (QLineEdit *field : fields()) {
        auto *chip = new QToolButton(chips);
        chip->setObjectName(field->objectName() + u"Chip"_s);
        chip->setFocusPolicy(Qt::StrongFocus);
        chip->setToolTip(tr("Edit this part of the search"));
        connect(chip, &QToolButton::clicked, this, [this, field] { editSearch(field); });
        wrapped->add(chip);
        m_chipButtons += chip;
    }
    auto *row = barRow({}, m_askedRow);
    row->addWidget(chips, 1);
    row->addWidget(m_edit, 0, Qt::AlignTop);
    return m_askedRow;
}

void ComplaintsPage::showForm()
{
    m_editing = true;
    syncFold();
}

void ComplaintsPage::editSearch(QLineEdit *field)
{
    showForm();
    field->setFocus(Qt::OtherFocusReason);
    field->selectAll();
}

void ComplaintsPage::syncFold()
{
    const bool found = m_complaint->answered() && !m_complaint->busy() && m_complaint->model()->rowCount() > 0;
    const bool fold = found && !m_editing && !questionText().isEmpty();
    const bool hadFocus = m_form->isAncestorOf(window()->focusWidget());
    syncChips();
    m_askedRow->setVisible(fold);
    m_form->setVisible(!fold);
    static_cast<QuestionCard *>(m_form->parentWidget())->setFolded(fold);
    if (fold && hadFocus && m_steps->currentIndex() == 0) {
        m_table->setFocus(Qt::OtherFocusReason); // the matches come next
        if (!m_table->currentIndex().isValid()) {
            m_table->setCurrentIndex(m_table->model()->index(0, 0));
        }
    }
}

void ComplaintsPage::syncChips()
{
    const QList<QLineEdit *> asked = fields();
    for (qsizetype i = 0; i < asked.size(); ++i) {
        QString value = models::displayText(asked.at(i)->text().trimmed(), 60);
        m_chipButtons.at(i)->setVisible(!value.isEmpty());
        value += asked.at(i) == m_at ? u' ' + m_window->currentText() : QString();
        const QString text = tr("%1: %2", "field, what was asked").arg(asked.at(i)->accessibleName(), value);
        m_chipButtons.at(i)->setText(QString(text).replace(u'&', u"&&"_s));
        m_chipButtons.at(i)->setAccessibleName(text);
    }
}

void ComplaintsPage::addFields(QGridLayout *grid)
{
    addBeneath(grid, m_customer, u"complaintCustomer"_s, tr("Customer"), tr("Exact customer, tenant or user"), 0, 0);
    addBeneath(grid, m_resource, u"complaintResource"_s, tr("Order or payment"), tr("Exact order or payment ID"), 0, 1);
    addBeneath(grid, m_amount, u"complaintAmount"_s, tr("Amount"), tr("e.g. 10.50"), 0, 2);
    addBeneath(grid, m_at, u"complaintAt"_s, tr("Around"), tr("e.g. 2026-11-20 14:30"), 3, 0);
    m_window->setObjectName(u"complaintWindow"_s);
    m_window->setAccessibleName(tr("How far around that time"));
    for (const auto &[title, seconds] :
        { std::pair(tr("± 10 minutes"), 600), std::pair(tr("± 1 hour"), 3'600), std::pair(tr("± 6 hours"), 21'600),
            std::pair(tr("± 1 day"), 86'400), std::pair(tr("± 1 week"), 604'800) }) {
        m_window->addItem(title, seconds);
    }
    m_window->setCurrentIndex(kUsualWindow);
    auto *when = new QHBoxLayout;
    when->setSpacing(kGrid);
    when->addWidget(m_at, 1);
    when->addWidget(m_window);
    grid->addLayout(when, 4, 0);
    addBeneath(grid, m_text, u"complaintText"_s, tr("Text"), tr("Anything in the request or response"), 3, 1);
    addBeneath(grid, m_key, u"complaintKey"_s, tr("Key"), tr("Exact key"), 3, 2);
    grid->setRowMinimumHeight(2, kGrid);
    for (const int column : { 0, 1, 2 }) {
        grid->setColumnStretch(column, 1);
    }
}

/// What is to be known of the question, and the one thing to do with it.
QWidget *ComplaintsPage::buildQuestionFoot()
{
    auto *foot = new QWidget(this);
    m_find->setObjectName(u"complaintFind"_s);
    setLook(m_find, ButtonLook::Primary);
    m_clear->setObjectName(u"complaintClear"_s);
    m_stop->setObjectName(u"complaintStop"_s);
    // Beneath the first field, and first after the last one: Tab leads from Key to Find.
    auto *row = barRow({ m_find, m_clear, m_stop, m_progress }, foot);
    row->addWidget(noteLabel(tr("One field is enough. All filled fields must match."), u"complaintHint"_s, foot), 1);
    return foot;
}

QWidget *ComplaintsPage::buildCandidates()
{
    m_counted->setObjectName(u"complaintCounted"_s);
    m_across->setObjectName(u"complaintAcross"_s);
    m_brief->setObjectName(u"complaintBrief"_s);
    m_brief->setWordWrap(true);
    m_about->setCheckable(true);
    m_there->setObjectName(u"complaintThere"_s);
    m_judge->setObjectName(u"complaintJudge"_s);
    setLook(m_judge, ButtonLook::Primary);
    auto *candidates = new QWidget(this);
    auto *layout = partColumn(candidates);
    layout->setSpacing(kGrid);
    auto *bar = barRow({});
    bar->addWidget(m_counted, 1);
    bar->addWidget(m_about, 0, Qt::AlignTop);
    bar->addWidget(m_there, 0, Qt::AlignTop);
    bar->addWidget(m_judge, 0, Qt::AlignTop);
    layout->addLayout(bar);
    layout->addWidget(m_across);
    layout->addWidget(m_brief);
    layout->addWidget(m_incomplete);
    layout->addWidget(m_notSearched);
    layout->addWidget(m_table, 1);
    return candidates;
}

void ComplaintsPage::wire()
{
    connect(m_find, &QPushButton::clicked, this, &ComplaintsPage::ask);
    for (const QLineEdit *field : fields()) {
        connect(field, &QLineEdit::returnPressed, this, &ComplaintsPage::ask);
    }
    connect(m_clear, &QPushButton::clicked, this, &ComplaintsPage::clear);
    connect(m_next, &QPushButton::clicked, this, [this] {
        if (m_fromDuplicates) {
            emit duplicatesWanted(1);
        } else {
            clear();
        }
    });
    connect(m_edit, &QPushButton::clicked, this, [this] {
        const QList<QLineEdit *> all = fields();
        const auto filled = std::find_if(
            all.cbegin(), all.cend(), [](const QLineEdit *field) { return !field->text().trimmed().isEmpty(); });
        editSearch(filled == all.cend() ? m_customer : *filled);
    });
    connect(m_about, &QToolButton::toggled, this, &ComplaintsPage::sync);
    connect(m_incomplete, &NoticeBar::primaryClicked, m_about, &QToolButton::toggle);
    connect(m_across, &NoticeBar::primaryClicked, this, [this] {
        const models::AcrossSuspicion &across = m_complaint->across();
        emit differencesWanted(across.target, across.key, across.members[0], across.members[1]);
    });
    connect(m_back, &QPushButton::clicked, this, [this] {
        if (m_fromDuplicates) {
            emit duplicatesWanted(0);
        } else {
            m_steps->setCurrentIndex(0);
        }
    });
    connect(m_stop, &QPushButton::clicked, m_complaint, &models::ComplaintController::cancel);
    connect(m_judge, &QPushButton::clicked, this, [this] { m_complaint->judgePicked(); });
    connect(m_there, &QPushButton::clicked, this, [this] { showThere(m_table->currentIndex().row()); });
    connect(m_table, &QTableView::activated, this, [this](const QModelIndex &index) { openRow(index.row()); });
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &ComplaintsPage::syncMembers);
    connect(m_notice, &NoticeBar::primaryClicked, this, &ComplaintsPage::ask);
    connect(m_silent, &NoticeBar::primaryClicked, m_complaint, &models::ComplaintController::retry);
    connect(m_stack->empty(), &EmptyState::buttonClicked, this, &ComplaintsPage::connectClicked);
    connect(m_complaint, &models::ComplaintController::changed, this, &ComplaintsPage::sync);
    connect(m_complaint->model(), &ComplaintModel::pickedChanged, this, &ComplaintsPage::sync);
    connect(m_complaint->model(), &QAbstractItemModel::modelReset, this, &ComplaintsPage::fitMatches);
    connect(m_complaint->caseController(), &models::CaseController::changed, this, &ComplaintsPage::showCase);
    connect(m_case, &CaseView::compareWanted, this, &ComplaintsPage::compareWanted);
    connect(m_case, &CaseView::recoveryWanted, this, &ComplaintsPage::recoveryWanted);
    connect(m_case, &CaseView::referenceWanted, this, &ComplaintsPage::askReference);
    connect(m_case, &CaseView::providerWanted, this, &ComplaintsPage::providerWanted);
    connect(m_case, &CaseView::pageWanted, this, &ComplaintsPage::pageWanted);
    connect(m_connection, &models::ConnectionController::stateChanged, this, &ComplaintsPage::sync);
    showCase();
}

void ComplaintsPage::activate()
{
    const bool asking = m_steps->currentIndex() == 0 && !m_complaint->answered() && !m_complaint->busy();
    if (asking && !m_steps->isAncestorOf(window()->focusWidget())) {
        m_customer->setFocus(Qt::OtherFocusReason);
    }
}

void ComplaintsPage::setTimeFormat(const models::TimeFormat &format)
{
    m_format = format;
    m_complaint->model()->setTimeFormat(format);
    m_case->setTimeFormat(format);
    m_at->setToolTip(tr("A date for its whole day, or a time in %1 unless it says otherwise").arg(format.zoneText()));
}

void ComplaintsPage::askConflict(const sql::ConflictRecord &conflict)
{
    clear();
    m_key->setText(conflict.key.value_or(QString()));
    m_complaint->searchConflict(conflict); // the key with its blanks: it is known to be whole
}

void ComplaintsPage::askReference(const QString &reference, const QString &key)
{
    clear();
    (reference.isEmpty() ? m_key : m_resource)->setText(reference.isEmpty() ? key : reference);
    ask();
}

void ComplaintsPage::judgeKeys(const QString &target, const QStringList &keys, const QList<sql::Cells> &scopes)
{
    clear();
    m_fromDuplicates = true;
    m_complaint->judgeKeys(target, keys, scopes);
}

void ComplaintsPage::clear()
{
    for (QLineEdit *field : fields()) {
        field->clear();
    }
    m_fromDuplicates = false;
    m_editing = false;
    m_about->setChecked(false);
    m_window->setCurrentIndex(kUsualWindow);
    m_case->setComplaint({});
    m_complaint->clear();
    m_steps->setCurrentIndex(0);
    m_customer->setFocus(Qt::OtherFocusReason);
}

void ComplaintsPage::ask()
{
    models::ComplaintQuestion question;
    question.key = m_key->text().trimmed();
    question.customer = m_customer->text().trimmed();
    question.resource = m_resource->text().trimmed();
    question.amount = m_amount->text().trimmed();
    question.text = m_text->text().trimmed();
    question.windowSeconds = m_window->currentData().toLongLong();
    if (!m_at->text().trimmed().isEmpty() && !models::setComplaintTime(&question, m_at->text(), m_format.zone())) {
        m_notice->showNotice(NoticeBar::Kind::Error,
            tr("“%1” is not a time.").arg(models::displayText(m_at->text(), 60)),
            tr("Write it such as 2026-11-20 14:30, yesterday 14:30, or a date alone for its whole day."));
        m_at->setFocus(Qt::OtherFocusReason);
        return;
    }
    if (question.empty()) {
        m_notice->showNotice(NoticeBar::Kind::Info, tr("Nothing to look for yet."),
            tr("Fill in what the complaint says: one field is enough. All filled fields must match."));
        m_customer->setFocus(Qt::OtherFocusReason);
        return;
    }
    m_editing = false; // not before: a field that is wrong stays in view
    m_case->setComplaint({});
    m_complaint->search(question);
}

void ComplaintsPage::openRow(int row)
{
    if (m_complaint->model()->elsewhere(row)) {
        showThere(row);
        return;
    }
    m_complaint->model()->pick(row, true);
    m_complaint->judgePicked();
}

void ComplaintsPage::showThere(int row)
{
    if (const models::Candidate *match = m_complaint->model()->candidate(row)) {
        const QString target = m_complaint->model()->target(*match).profile.name; // the matches go with the member
        emit memberKeysWanted(match->member, target, m_complaint->filterOf(row));
    }
}

void ComplaintsPage::sync()
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
    setLook(m_find, rows > 0 && !busy ? ButtonLook::Plain : ButtonLook::Primary); // then the verdict comes next
    m_progress->setVisible(busy);
    m_stop->setVisible(busy);
    m_clear->setVisible(!busy);
    m_judge->setEnabled(picked > 0);
    const QString searched = searchedText();
    syncCounted(tr("%n table(s) searched", nullptr, m_complaint->searched()));
    syncIncomplete();
    syncMembers();
    syncFold();
    m_judge->setToolTip(picked > 0 ? QString() : tr("Tick one or more."));
    m_judge->setText(picked > 0 ? tr("&Get verdict on %n", nullptr, picked) : tr("&Get verdict"));
    updateEmpty(searched + u'.', shownNotes(m_complaint->notes()));
    m_stack->showContent(rows > 0 && !busy);
}

QString ComplaintsPage::searchedText() const
{
    const QString searched = tr("%n table(s) searched", nullptr, m_complaint->searched());
    return m_complaint->unsearched() == 0
        ? searched
        : searched + u", "_s + tr("%n not searched", nullptr, m_complaint->unsearched());
}

QString ComplaintsPage::membersText() const
{
    return m_complaint->members() == 0
        ? QString()
        : tr("%1 of %2 members answered").arg(m_complaint->membersAnswered()).arg(m_complaint->members());
}

/// Which members did not answer, and where the match that is looked at lies.
void ComplaintsPage::syncMembers()
{
    if (m_complaint->answered() && !m_complaint->busy() && !m_complaint->silent().isEmpty()) {
        m_silent->showNotice(NoticeBar::Kind::Warning,
            membersText() + u". "_s + tr("The others may hold a match, too."),
            shownNotes(m_complaint->silent()).join(u'\n'), {}, tr("Search again"));
    } else {
        m_silent->clear();
    }
    const int row = m_table->currentIndex().row();
    const bool elsewhere = m_complaint->model()->elsewhere(row);
    m_there->setVisible(elsewhere);
    m_there->setText(elsewhere
            ? tr("&Show in %1", "a member of the group")
                  .arg(models::displayText(m_complaint->memberLabel(m_complaint->model()->candidate(row)->member), 20))
            : QString());
    m_there->setToolTip(tr("Connects the window to this member; the verdict on its rows is given there."));
}

/// No shade of the line above: whoever stops reading at the matches must not take them for all there are.
void ComplaintsPage::syncIncomplete()
{
    if (!m_complaint->answered() || !m_complaint->leavesOut()) {
        m_incomplete->clear();
        return;
    }
    const int left = m_complaint->unsearched();
    m_incomplete->showNotice(NoticeBar::Kind::Warning,
        tr("Incomplete: %1 of %n table(s) not searched.", nullptr, m_complaint->searched() + left)
            .arg(models::countText(left)),
        tr("They may hold a match too."), {}, m_about->isChecked() ? tr("Hide reasons") : tr("Show reasons"));
}

/// As wide as what was met: the rest of the width is for the key, which tells the matches apart.
void ComplaintsPage::fitMatches()
{
    const ComplaintModel &matches = *m_complaint->model();
    int widest = leastColumnWidth(m_table, ComplaintModel::Match);
    for (int row = 0; row < matches.rowCount(); ++row) {
        const QModelIndex match = matches.index(row, ComplaintModel::Match);
        for (const int role : { int(Qt::DisplayRole), int(models::DetailRole) }) {
            const int wide = m_table->fontMetrics().horizontalAdvance(match.data(role).toString());
            widest = std::max(widest, wide + 2 * kCellPadding + kGrid);
        }
    }
    m_table->setColumnWidth(ComplaintModel::Match, std::min(widest, Theme::scaled(kMostMatchWidth)));
}

/// In one line how many matches of how many tables; beneath what nobody may miss, and for who asks all of it.
void ComplaintsPage::syncCounted(const QString &searched)
{
    const ComplaintModel &matches = *m_complaint->model();
    const int rows = matches.rowCount();
    const bool oneTable = ofOneTable(matches);
    m_table->setColumnHidden(ComplaintModel::Table, oneTable); // each of its rows would say the same
    m_table->setColumnHidden(ComplaintModel::Member, m_complaint->members() == 0);
    m_table->setColumnHidden(ComplaintModel::Customer, !matches.namesCustomers());
    QString counted = m_complaint->cut() ? tr("First %n match(es)", nullptr, rows) : tr("%n match(es)", nullptr, rows);
    if (oneTable) {
        counted += tr(", all in %1", "a table")
                       .arg(matches.index(0, ComplaintModel::Table).data(models::TitleRole).toString());
    }
    QStringList line { counted, searched };
    line += m_complaint->members() > 0 ? QStringList { membersText() } : QStringList();
    line += m_complaint->lastDaysOnly() ? QStringList { tr("last 30 days") } : QStringList();
    line += rows > 1 && matches.picked().isEmpty() ? QStringList { tr("tick what is meant") } : QStringList();
    const QStringList brief = shownNotes(m_complaint->brief());
    m_counted->setText(line.join(u" · "_s));
    const models::AcrossSuspicion &across = m_complaint->across();
    if (across.text.isEmpty()) {
        m_across->clear();
    } else {
        m_across->showNotice(
            NoticeBar::Kind::Error, across.text, {}, {}, across.key.isEmpty() ? QString() : tr("Compare"));
    }
    m_brief->setText(brief.join(u' '));
    m_brief->setVisible(!brief.isEmpty());
    const QStringList notes = shownNotes(m_complaint->notes());
    m_counted->setToolTip(notes.join(u'\n'));
    m_counted->setAccessibleDescription(notes.join(u' '));
    QStringList details = shownNotes(m_complaint->notSearched());
    details += m_complaint->cut() ? QStringList { tr("Narrow the search to see further matches.") } : QStringList();
    m_notSearched->setText(details.join(u'\n'));
    m_about->setVisible(!m_notSearched->text().isEmpty());
    m_notSearched->setVisible(m_about->isChecked() && !m_notSearched->text().isEmpty());
}

/// What is found, or why nothing is.
void ComplaintsPage::updateEmpty(const QString &searched, const QStringList &notes)
{
    EmptyState *empty = m_stack->empty();
    if (m_connection->database() == nullptr) {
        empty->showNotConnected(tr("Enter what a customer says; matching requests are found and judged."));
    } else if (m_complaint->busy()) {
        empty->show(u"complaints"_s,
            m_complaint->members() > 0 ? tr("Searching all members…") : tr("Searching the tables…"),
            tr("Nothing is changed."));
    } else if (m_complaint->answered() && m_complaint->searched() == 0) {
        empty->show(u"complaints"_s, tr("Nothing is known"),
            (QStringList { tr("No table could be searched, so a match may be there.") } + notes).join(u' '));
    } else if (m_complaint->answered() && !m_complaint->silent().isEmpty()) {
        empty->show(u"complaints"_s, tr("No match in the members that answered"),
            (QStringList { membersText() + u'.', searched, tr("The others may hold one.") } + notes).join(u' '));
    } else if (m_complaint->answered() && !m_complaint->notRead().isEmpty()) {
        empty->show(u"complaints"_s, tr("No match in the tables that could be read"),
            (QStringList { searched, tr("The others may hold one.") } + notes).join(u' '));
    } else if (m_complaint->answered()) {
        const QStringList members = m_complaint->members() > 0 ? QStringList { membersText() + u'.' } : QStringList();
        empty->show(u"conflicts"_s, m_complaint->whole() ? tr("No match") : tr("No match in what could be searched"),
            (members
                + QStringList { searched,
                    m_complaint->question().keyAlone()
                        ? tr("It may have been purged; the audit log and the services' logs may still tell of it.")
                        : tr("Leave a field empty, or widen the time.") }
                + notes)
                .join(u' '));
    } else {
        empty->show(u"complaints"_s, tr("Matches appear here"),
            tr("Each table that keeps what you fill in is searched; the answer names the others. "
               "Select the request, then get a verdict."));
    }
}

void ComplaintsPage::showCase()
{
    const models::CaseController *file = m_complaint->caseController();
    if (file->file() || file->busy() || file->error()) {
        m_asked->setText(models::displayText(askedText(), 200));
        m_back->setText(m_fromDuplicates ? tr("&Back to Duplicates") : tr("&Back to the matches"));
        m_next->setText(m_fromDuplicates ? tr("&Next group") : tr("&Next complaint"));
        m_back->setVisible(m_fromDuplicates || m_complaint->model()->rowCount() > 0);
        m_steps->setCurrentIndex(1);
    } else {
        m_steps->setCurrentIndex(0);
    }
    sync();
}

QString ComplaintsPage::askedText() const
{
    const QString question = questionText();
    const auto &file = m_complaint->caseController()->file();
    if (!question.isEmpty() || !file) {
        return question;
    }
    QStringList keys;
    for (const models::CaseRow &row : file->rows) {
        keys += row.key;
    }
    keys.removeDuplicates();
    return tr("Keys: %1").arg(keys.join(u", "_s));
}

QString ComplaintsPage::questionText() const
{
    QStringList parts;
    for (const QLineEdit *field : fields()) {
        if (!field->text().trimmed().isEmpty()) {
            parts += field->accessibleName() + u": "_s + field->text().trimmed();
        }
    }
    return parts.join(u" · "_s);
}

} // namespace idemdesk::ui
