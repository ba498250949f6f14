// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/conflicts/compare_view.h"

#include "models/compare/compare_controller.h"
#include "models/compare/recipe_keeper.h"
#include "models/connection/connection_controller.h"
#include "models/diff/diff_words.h"
#include "models/fingerprint/recipe_search.h"
#include "models/format/display_text.h"
#include "models/format/quantities.h"
#include "ui/delegates/diff_delegate.h"
#include "ui/pages/conflicts/payload_side.h"
#include "ui/pages/conflicts/recipe_pane.h"
#include "ui/theme/surfaces.h"
#include "ui/theme/theme.h"
#include "ui/widgets/busy_bar.h"
#include "ui/widgets/content_stack.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/forms.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/notice_bar.h"
#include "ui/widgets/questions.h"
#include "ui/widgets/table_setup.h"
#include "ui/widgets/wrap_row.h"

#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDragEnterEvent>
#include <QGridLayout>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMimeData>
#include <QPainter>
#include <QPushButton>
#include <QTableView>
#include <QTabWidget>
#include <QTreeView>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

constexpr int kWholeText = 4'000; // characters of a sentence that quotes payloads
constexpr int kUnfold = 400; // rows a tree opens by itself
constexpr int kCodeRow = 20; // pixels: lines of a payload stand as close as in an editor

} // namespace

/// How many differences there are of one kind, with the sign that they have beneath.
class CountMark final : public QLabel
{
public:
    CountMark(Token token, QWidget *parent)
        : QLabel(parent)
        , m_token(token)
    {
        setTextFormat(Qt::PlainText);
        setContentsMargins(2 * kGrid, kGrid / 2, 2 * kGrid, kGrid / 2);
        setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
        hide();
    }
    void show(const QString &sign, const QString &text, bool shown)
    {
        setText(sign.isEmpty() ? text : sign + u' ' + text);
        setAccessibleName(text);
        setVisible(shown);
    }

protected:
    void paintEvent(QPaintEvent *) override
    {
        QPainter painter(this);
        const QColor color = themeColor(m_token);
        const QColor base = themeColor(Token::Base);
        drawPanel(&painter, rect(), badgeFill(color, base, themeScheme()), badgeFrame(color, base, 0.55, themeScheme()),
            kGrid);
        painter.setPen(color);
        painter.drawText(contentsRect(), Qt::AlignCenter, text());
    }

private:
    Token m_token;
};

using models::JsonDiffModel;
using models::SideBySideModel;

CompareView::CompareView(models::ConnectionController *connection, models::CompareController *compare,
    models::RecipeKeeper *keeper, models::Settings *settings, QWidget *parent)
    : QWidget(parent)
    , m_connection(connection)
    , m_compare(compare)
    , m_keeper(keeper)
    , m_swap(new QPushButton(tr("S&wap"), this))
    , m_options(new QPushButton(tr("Op&tions"), this))
    , m_ignore(new QLineEdit(this))
    , m_fingerprint(new QLineEdit(this))
    , m_parts(new QLineEdit(this))
    , m_origin(new QComboBox(this))
    , m_notice(new NoticeBar(this))
    , m_stack(new ContentStack(this))
    , m_summary(readableLabel(u"compareSummary"_s, this))
    , m_countRow(new QWidget(this))
    , m_why(readableLabel(u"compareWhy"_s, this))
    , m_recipe(readableLabel(u"compareRecipe"_s, this))
    , m_recipePane(new RecipePane(connection, compare, keeper, this))
    , m_only(new QCheckBox(tr("Only &differences"), this))
    , m_tabs(new QTabWidget(this))
    , m_tree(new QTreeView(this))
    , m_sides(new QTableView(this))
    , m_progress(new BusyBar(u"compareProgress"_s, tr("Comparing"), this))
    , m_stop(new QPushButton(tr("Stop"), this))
    , m_answer(buildAnswer(settings))
{
    setObjectName(u"compareView"_s);
    m_notice->setObjectName(u"compareNotice"_s);
    setAcceptDrops(true);
    m_swap->setObjectName(u"compareSwap"_s);
    m_options->setObjectName(u"compareOptions"_s);
    m_options->setCheckable(true);
    m_stop->setObjectName(u"compareStop"_s);
    auto *sides = barRow({});
    sides->addWidget(buildSide(0), 1);
    sides->addWidget(m_swap);
    sides->addWidget(buildSide(1), 1);
    for (QWidget *part : std::initializer_list<QWidget *> { m_options, m_progress, m_stop }) {
        sides->addWidget(part, 0, Qt::AlignTop);
    }
    m_question = buildQuestion();
    m_stack->setContent(m_answer);
    auto *layout = tabColumn(this);
    layout->addLayout(sides);
    layout->addWidget(m_question);
    layout->addWidget(m_notice);
    layout->addWidget(m_stack, 1);
    wire();
    sync();
}

PayloadSide *CompareView::buildSide(int side)
{
    auto *half = new PayloadSide(side, this);
    connect(half, &PayloadSide::openClicked, this, [this, side] { openFile(side); });
    connect(half, &PayloadSide::pasteClicked, this, [this, side] { paste(side); });
    m_halves[size_t(side)] = half;
    return half;
}

QWidget *CompareView::buildQuestion()
{
    auto *question = new QWidget(this);
    QGridLayout *grid = fieldGrid(question);
    addField(grid, m_fingerprint, u"compareFingerprint"_s, tr("Stored fingerprint"),
        tr("Optional, as the table holds it"), 0, 0);
    addField(grid, m_parts, u"compareParts"_s, tr("Request"), tr("Optional, e.g. method=POST path=/v1/charges"), 0, 2);
    addField(
        grid, m_ignore, u"compareIgnore"_s, tr("Ignore paths"), tr("Optional, e.g. /updated_at /items/*/id"), 1, 2);
    m_ignoreTitle = qobject_cast<QLabel *>(grid->itemAtPosition(1, 2)->widget());
    m_ignore->setToolTip(
        tr("JSON pointers of fields that may differ, with blanks between; * stands for any name or place."));
    m_origin->setObjectName(u"compareOrigin"_s);
    m_origin->setAccessibleName(tr("How the payload was stored"));
    m_origin->addItem(tr("Storage format: unknown"), int(models::PayloadOrigin::Unknown));
    m_origin->addItem(tr("Storage format: bytes or text"), int(models::PayloadOrigin::Bytes));
    m_origin->addItem(tr("Storage format: json"), int(models::PayloadOrigin::JsonText));
    m_origin->addItem(tr("Storage format: jsonb"), int(models::PayloadOrigin::Jsonb));
    grid->addWidget(m_origin, 1, 0, 1, 2); // a text has no paths: what stays stands at the left
    QWidget::setTabOrder(m_parts, m_origin);
    QWidget::setTabOrder(m_origin, m_ignore);
    grid->setColumnStretch(1, 1);
    grid->setColumnStretch(3, 1);
    return question;
}

QWidget *CompareView::buildAnswer(models::Settings *settings)
{
    m_summary->setFont(Theme::title());
    m_only->setObjectName(u"compareOnly"_s);
    m_only->setChecked(true);
    m_compare->treeModel()->setOnlyDifferences(true);
    m_compare->sideModel()->setOnlyDifferences(true);
    setUpTree(
        m_tree, { u"compareTree"_s, tr("Differences as a tree"), m_compare->treeModel(), { 200, 322, 322 } }, settings);
    m_tree->setItemDelegate(
        new DiffDelegate({ JsonDiffModel::First, JsonDiffModel::Second, -1, -1, JsonDiffModel::Difference }, m_tree));
    setUpSmallTable(m_sides,
        { u"compareSides"_s, tr("Both payloads side by side"), m_compare->sideModel(), {},
            QAbstractItemView::ExtendedSelection });
    setUpSides(m_sides);
    m_tabs->setObjectName(u"compareTabs"_s);
    m_tabs->setDocumentMode(true);
    m_tabs->addTab(m_tree, tr("Tree"));
    m_tabs->addTab(m_sides, tr("Side by side"));
    m_corner = new QWidget(m_tabs);
    barRow({ m_only }, m_corner)->setContentsMargins(0, 0, 0, kGrid + 1); // in line with the tabs' own texts
    m_tabs->setCornerWidget(m_corner);
    auto *answer = new QWidget(this);
    auto *layout = partColumn(answer);
    layout->setSpacing(kGrid);
    auto *counts = new WrapRow(m_countRow);
    for (const Token token :
        { Token::Warning, Token::Succeeded, Token::FailedFinal, Token::Accent, Token::Pending, Token::Pending }) {
        m_counts += new CountMark(token, m_countRow);
        counts->add(m_counts.constLast());
    }
    m_countRow->setObjectName(u"compareCounts"_s);
    m_countRow->setAccessibleName(tr("Differences by kind"));
    layout->addWidget(m_summary);
    layout->addWidget(m_countRow);
    layout->addWidget(m_why);
    layout->addWidget(m_recipe);
    layout->addWidget(m_recipePane);
    layout->addWidget(m_tabs, 1);
    return answer;
}

void CompareView::setUpSides(QTableView *table)
{
    table->setItemDelegate(new DiffDelegate(
        { SideBySideModel::First, SideBySideModel::Second, SideBySideModel::LineA, SideBySideModel::LineB }, table));
    table->setAlternatingRowColors(false);
    table->verticalHeader()->setMinimumSectionSize(kCodeRow);
    table->verticalHeader()->setDefaultSectionSize(std::max(Theme::scaled(kCodeRow), table->fontMetrics().height()));
    const auto unfold = [table](const QModelIndex &index) {
        if (auto *sides = qobject_cast<SideBySideModel *>(table->model())) {
            sides->unfold(index.row());
        }
    };
    connect(table, &QTableView::clicked, table, unfold);
    connect(table, &QTableView::activated, table, unfold);
    for (const int column : { SideBySideModel::LineA, SideBySideModel::LineB }) {
        table->setColumnWidth(column, 64);
    }
    for (const int column : { SideBySideModel::First, SideBySideModel::Second }) {
        table->horizontalHeader()->setSectionResizeMode(column, QHeaderView::Stretch);
    }
}

void CompareView::wire()
{
    connect(m_swap, &QPushButton::clicked, m_compare, &models::CompareController::swap);
    connect(m_options, &QPushButton::toggled, m_question, &QWidget::setVisible);
    connect(m_options, &QPushButton::clicked, this, [this] { m_optionsChosen = true; });
    connect(m_ignore, &QLineEdit::editingFinished, this, &CompareView::applyRules);
    connect(m_fingerprint, &QLineEdit::editingFinished, this, &CompareView::applyFingerprint);
    connect(m_parts, &QLineEdit::editingFinished, this, &CompareView::applyFingerprint);
    connect(m_origin, &QComboBox::activated, this, &CompareView::applyFingerprint);
    connect(m_only, &QCheckBox::toggled, this, [this](bool only) {
        m_compare->treeModel()->setOnlyDifferences(only);
        m_compare->sideModel()->setOnlyDifferences(only);
    });
    connect(m_compare->treeModel(), &QAbstractItemModel::modelReset, this, [this] {
        const auto &comparison = m_compare->comparison();
        if (comparison && comparison->json()
            && (m_only->isChecked() ? qsizetype(comparison->diff.counts.data() + comparison->diff.counts.form)
                                    : qsizetype(comparison->diff.nodes.size()))
                <= kUnfold) {
            m_tree->expandAll();
        } else {
            m_tree->expandToDepth(0);
        }
    });
    connect(m_stop, &QPushButton::clicked, m_compare, &models::CompareController::cancel);
    connect(m_notice, &NoticeBar::primaryClicked, m_compare, &models::CompareController::compare);
    connect(m_compare, &models::CompareController::changed, this, &CompareView::sync);
    connect(m_recipePane, &RecipePane::checkWanted, this, [this](const QString &target) {
        const auto &comparison = m_compare->comparison();
        const models::TargetEntry *entry = m_connection->target(target);
        const auto parts = models::requestParts(m_parts->text());
        if (entry != nullptr && parts && comparison && comparison->recipe && comparison->recipe->recipe) {
            m_keeper->check(*entry, *comparison->recipe->recipe, *parts);
        }
    });
    connect(
        m_recipePane, &RecipePane::failed, m_notice, [this](const sql::Error &error) { m_notice->showError(error); });
    connect(m_recipePane, &RecipePane::saved, this, [this](const QString &path) {
        m_notice->showNotice(NoticeBar::Kind::Info, tr("The recipe is kept in %1.").arg(models::displayText(path, 200)),
            tr("Profiles of that folder are read when the console looks for tables again."));
    });
}

void CompareView::openFile(int side)
{
    QFileDialog *dialog
        = openFileDialog(this, u"compareFile"_s, tr("Open a payload"), { tr("JSON (*.json)"), tr("All files (*)") });
    connect(dialog, &QFileDialog::fileSelected, this,
        [this, side](const QString &path) { m_compare->openFile(side, path); });
    openDialog(dialog);
}

void CompareView::paste(int side)
{
    const QString text = QGuiApplication::clipboard()->text();
    if (text.isEmpty()) {
        m_notice->showNotice(
            NoticeBar::Kind::Info, tr("Nothing is copied."), tr("Copy a payload first, then paste it here."));
        return;
    }
    m_compare->setSide(side, side == 0 ? tr("the first, pasted") : tr("the second, pasted"), text.toUtf8());
}

void CompareView::dragEnterEvent(QDragEnterEvent *event)
{
    if (event->mimeData()->hasUrls()) {
        event->acceptProposedAction();
    }
}

void CompareView::dropEvent(QDropEvent *event)
{
    // Two files are both payloads; one is that of the half it falls on.
    QStringList files;
    for (const QUrl &url : event->mimeData()->urls()) {
        if (url.isLocalFile()) {
            files += url.toLocalFile();
        }
    }
    if (files.size() >= 2) {
        m_compare->openFile(0, files.at(0));
        m_compare->openFile(1, files.at(1));
    } else if (!files.isEmpty()) {
        m_compare->openFile(event->position().x() < width() / 2.0 ? 0 : 1, files.constFirst());
    }
}

void CompareView::applyRules()
{
    if (m_ignore->text() != m_rules) { // leaving the field changes nothing
        const QString text = m_ignore->text();
        if (m_compare->setIgnore(text.split(u' ', Qt::SkipEmptyParts))) {
            m_rules = text;
        }
    }
}

void CompareView::applyFingerprint()
{
    const auto parts = models::requestParts(m_parts->text());
    if (!parts) {
        m_notice->showError(parts.error());
        return;
    }
    m_keeper->clear();
    m_compare->setFingerprint(
        m_fingerprint->text().trimmed(), *parts, static_cast<models::PayloadOrigin>(m_origin->currentData().toInt()));
}

void CompareView::setRequests(const QList<models::CaseRequest> &requests)
{
    m_compare->clear();
    m_requests = requests;
    for (int side = 0; side < 2; ++side) {
        QPushButton *choice = m_halves[size_t(side)]->choice();
        choice->setVisible(!requests.isEmpty());
        choice->menu()->clear();
        for (qsizetype i = 0; i < requests.size(); ++i) {
            const QString name = models::displayText(requests.at(i).name, 80).replace(u'&', u"&&"_s);
            QAction *action = choice->menu()->addAction(
                requests.at(i).tooLarge ? tr("%1 (too large; open it from a file)").arg(name) : name, this,
                [this, side, i] { takeRequest(side, i); });
            action->setEnabled(!requests.at(i).tooLarge);
        }
    }
    takeFields({});
    for (qsizetype i = 0, side = 0; i < requests.size() && side < 2; ++i) {
        if (!requests.at(i).tooLarge) {
            takeRequest(int(side++), i);
        }
    }
}

void CompareView::takeRequest(int side, qsizetype at)
{
    const models::CaseRequest &request = m_requests.at(at);
    m_compare->setSide(side, request.name, request.payload);
    if (side == 0) {
        takeFields(request);
    }
}

void CompareView::takeFields(const models::CaseRequest &first)
{
    m_rules = first.ignore.join(u' ');
    m_ignore->setText(m_rules);
    m_compare->setIgnore(first.ignore); // as the profile has them: a pointer may hold a blank
    m_parts->setText(models::partsText(first.parts));
    m_origin->setCurrentIndex(std::max(0, m_origin->findData(int(first.origin))));
    setFingerprint(first.fingerprint);
}

void CompareView::setFingerprint(const QString &stored)
{
    m_fingerprint->setText(stored);
    m_fingerprint->setCursorPosition(0); // its start is what people compare
    applyFingerprint();
}

void CompareView::showTab(const QString &name)
{
    m_tabs->setCurrentIndex(name == u"sides" ? 1 : 0);
}

void CompareView::sync()
{
    const bool busy = m_compare->busy();
    m_notice->setError(m_compare->error());
    const auto &comparison = m_compare->comparison();
    for (int side = 0; side < 2; ++side) {
        PayloadSide *half = m_halves[size_t(side)];
        half->setName(m_compare->has(side) ? tr("%1, %2").arg(
                          models::displayText(m_compare->name(side), 60), models::bytesText(m_compare->size(side)))
                                           : QString());
        half->setZone(!busy && comparison == nullptr);
    }
    m_swap->setVisible(m_compare->has(0) || m_compare->has(1));
    syncOptions();
    m_progress->setVisible(busy);
    m_stop->setVisible(busy);
    if (busy) {
        m_stack->empty()->show(
            u"conflicts"_s, tr("Comparing"), tr("Large payloads take some seconds; the window stays free meanwhile."));
    } else {
        m_stack->empty()->show(u"conflicts"_s, tr("Add two payloads"),
            tr("Open, paste or drop the request that came first and the one that came again. With a stored "
               "fingerprint, "
               "the console also finds out how the service made it."));
    }
    m_stack->showContent(comparison != nullptr);
    if (comparison) {
        m_summary->setText(models::displayText(comparison->summary, kWholeText));
        QStringList why;
        for (const QString &text : { comparison->notJson, comparison->why }) {
            if (!text.isEmpty()) {
                why += models::displayText(text, kWholeText);
            }
        }
        m_why->setText(why.join(u' '));
        m_why->setVisible(!why.isEmpty());
        m_recipe->setText(models::displayText(comparison->recipeSentence, kWholeText));
        const bool found = comparison->recipe && comparison->recipe->recipe;
        m_recipe->setVisible(!found && !comparison->recipeSentence.isEmpty()); // what is found says the pane
        const bool fewer = m_compare->sideModel()->canFold()
            || (comparison->json() && comparison->treeRows.shown.size() + 1 < comparison->diff.nodes.size());
        m_tabs->setCornerWidget(fewer ? m_corner : nullptr); // one that is hidden cuts the line beneath the tabs
        m_corner->setVisible(fewer); // after it: whatever stood in the corner before, the same widget too, is hidden
        showCounts();
        m_tabs->setTabEnabled(0, comparison->json());
        if (!comparison->json()) {
            m_tabs->setCurrentIndex(1);
        }
    }
    m_recipePane->sync();
}

/// Behind the button until there is a payload, and again once the recipe is found; what a person chose stays.
void CompareView::syncOptions()
{
    int set = m_origin->currentIndex() > 0 ? 1 : 0;
    for (const QLineEdit *field : { m_fingerprint, m_parts, m_ignore }) {
        set += field->text().trimmed().isEmpty() ? 0 : 1;
    }
    m_options->setText(set > 0 ? tr("Op&tions (%1)", "number of options that are set").arg(set) : tr("Op&tions"));
    const auto &comparison = m_compare->comparison();
    for (QWidget *part : std::initializer_list<QWidget *> { m_ignoreTitle, m_ignore }) {
        part->setVisible(!comparison || comparison->json()); // a text has no paths
    }
    const bool found = comparison && comparison->recipe && comparison->recipe->recipe;
    const QWidget *focus = window()->focusWidget();
    if (!m_optionsChosen && (focus == nullptr || !m_question->isAncestorOf(focus))) {
        m_options->setChecked((m_compare->has(0) || m_compare->has(1)) && !found);
    }
    m_question->setVisible(m_options->isChecked());
}

/// Counts where data differ; a sentence where there is nothing to count.
void CompareView::showCounts()
{
    const models::Comparison &comparison = *m_compare->comparison();
    const models::DiffCounts counts = comparison.json() ? comparison.diff.counts : models::lineCounts(comparison);
    const bool counted = counts.data() > 0;
    m_summary->setVisible(!counted);
    m_countRow->setVisible(counted);
    const QString forms = models::formsInWords(comparison.diff.forms);
    m_counts.at(0)->show(u"≠"_s, tr("%n changed", nullptr, counts.changed), counts.changed > 0);
    m_counts.at(1)->show(u"+"_s, tr("%n added", nullptr, counts.added), counts.added > 0);
    m_counts.at(2)->show(u"−"_s, tr("%n removed", nullptr, counts.removed), counts.removed > 0);
    m_counts.at(3)->show(u"↕"_s, tr("%n moved", nullptr, counts.moved), counts.moved > 0);
    m_counts.at(4)->show(u"≈"_s, tr("Formatting: %1").arg(forms), !forms.isEmpty());
    m_counts.at(5)->show({}, tr("%n ignored by rule", nullptr, counts.ignored), counts.ignored > 0);
}

} // namespace idemdesk::ui
