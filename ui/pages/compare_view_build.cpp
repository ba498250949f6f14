// SPDX-License-Identifier: GPL-3.0-or-later
// The parts of the view and their places.
#include "models/compare/compare_controller.h"
#include "models/compare/recipe_keeper.h"
#include "models/fingerprint/recipe_search.h"
#include "ui/delegates/diff_delegate.h"
#include "ui/pages/compare_view.h"
#include "ui/pages/table_setup.h"
#include "ui/pages/target_chooser.h"
#include "ui/theme/theme.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/labelled_field.h"
#include "ui/widgets/notice_bar.h"
#include "ui/widgets/plain_label.h"

#include <QCheckBox>
#include <QComboBox>
#include <QGridLayout>
#include <QHeaderView>
#include <QLineEdit>
#include <QMenu>
#include <QProgressBar>
#include <QPushButton>
#include <QStackedWidget>
#include <QTabWidget>
#include <QTableView>
#include <QTreeView>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

using models::JsonDiffModel;
using models::SideBySideModel;

CompareView::CompareView(models::ConnectionController *connection, models::CompareController *compare, models::RecipeKeeper *keeper, models::Settings *settings, QWidget *parent)
    : QWidget(parent)
    , m_connection(connection)
    , m_compare(compare)
    , m_keeper(keeper)
    , m_ignore(new QLineEdit(this))
    , m_fingerprint(new QLineEdit(this))
    , m_parts(new QLineEdit(this))
    , m_origin(new QComboBox(this))
    , m_notice(new NoticeBar(this))
    , m_stack(new QStackedWidget(this))
    , m_summary(plainLabel({}, this))
    , m_why(plainLabel({}, this))
    , m_recipe(plainLabel({}, this))
    , m_target(new QComboBox(this))
    , m_check(new QPushButton(tr("&Try it on stored rows"), this))
    , m_save(new QPushButton(tr("&Keep it in the profile…"), this))
    , m_checked(plainLabel({}, this))
    , m_only(new QCheckBox(tr("Only &differences"), this))
    , m_tabs(new QTabWidget(this))
    , m_tree(new QTreeView(this))
    , m_sides(new QTableView(this))
    , m_progress(new QProgressBar(this))
    , m_stop(new QPushButton(tr("Stop"), this))
    , m_empty(new EmptyState(this))
    , m_answer(buildAnswer(settings))
{
    setObjectName(u"compareView"_s);
    m_notice->setObjectName(u"compareNotice"_s);
    setAcceptDrops(true);
    auto *sides = new QHBoxLayout;
    sides->setSpacing(2 * kGrid);
    sides->addWidget(buildSide(0, tr("First")), 1);
    auto *swap = new QPushButton(tr("S&wap"), this);
    swap->setObjectName(u"compareSwap"_s);
    connect(swap, &QPushButton::clicked, m_compare, &models::CompareController::swap);
    sides->addWidget(swap);
    sides->addWidget(buildSide(1, tr("Second")), 1);
    m_stack->addWidget(m_answer);
    m_stack->addWidget(m_empty);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(2 * kGrid, 2 * kGrid, 2 * kGrid, 2 * kGrid);
    layout->setSpacing(2 * kGrid);
    layout->addLayout(sides);
    layout->addWidget(buildQuestion());
    layout->addWidget(m_notice);
    layout->addWidget(m_stack, 1);
    wire();
    update();
}

QWidget *CompareView::buildSide(int side, const QString &title)
{
    auto *box = new QWidget(this);
    auto *row = new QHBoxLayout(box);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(kGrid);
    auto *head = plainLabel(title, box);
    QFont bold = head->font();
    bold.setWeight(QFont::DemiBold);
    head->setFont(bold);
    m_names[size_t(side)] = plainLabel({}, box);
    m_names[size_t(side)]->setObjectName(side == 0 ? u"compareFirst"_s : u"compareSecond"_s);
    auto *choice = new QPushButton(tr("Of the case"), box);
    choice->setObjectName(side == 0 ? u"compareChooseFirst"_s : u"compareChooseSecond"_s);
    choice->setAccessibleName(side == 0 ? tr("Choose the first of the requests of the case") : tr("Choose the second of the requests of the case"));
    choice->setMenu(new QMenu(choice));
    choice->hide();
    m_choices[size_t(side)] = choice;
    auto *open = new QPushButton(tr("Open…"), box);
    auto *paste = new QPushButton(tr("Paste"), box);
    open->setAccessibleName(side == 0 ? tr("Open the first payload") : tr("Open the second payload"));
    paste->setAccessibleName(side == 0 ? tr("Paste the first payload") : tr("Paste the second payload"));
    connect(open, &QPushButton::clicked, this, [this, side] { openFile(side); });
    connect(paste, &QPushButton::clicked, this, [this, side] { this->paste(side); });
    row->addWidget(head);
    row->addWidget(m_names[size_t(side)], 1);
    row->addWidget(choice);
    row->addWidget(open);
    row->addWidget(paste);
    return box;
}

QWidget *CompareView::buildQuestion()
{
    auto *question = new QWidget(this);
    auto *grid = new QGridLayout(question);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(2 * kGrid);
    grid->setVerticalSpacing(kGrid);
    addField(grid, m_fingerprint, u"compareFingerprint"_s, tr("Stored fingerprint"), tr("As the table holds it; optional"), 0, 0);
    addField(grid, m_parts, u"compareParts"_s, tr("Request"), tr("method=POST path=/v1/charges key=…; optional"), 0, 2);
    addField(grid, m_ignore, u"compareIgnore"_s, tr("Leave out"), tr("/updated_at /items/*/id"), 1, 0);
    m_ignore->setToolTip(tr("JSON pointers of fields that may differ, with blanks between; * stands for any name or place."));
    m_origin->setObjectName(u"compareOrigin"_s);
    m_origin->setAccessibleName(tr("How the payload was stored"));
    m_origin->addItem(tr("Not known how it was stored"), int(models::PayloadOrigin::Unknown));
    m_origin->addItem(tr("Stored as bytes or text"), int(models::PayloadOrigin::Bytes));
    m_origin->addItem(tr("Stored as json"), int(models::PayloadOrigin::JsonText));
    m_origin->addItem(tr("Stored as jsonb"), int(models::PayloadOrigin::Jsonb));
    m_progress->setObjectName(u"compareProgress"_s);
    m_progress->setRange(0, 0);
    m_progress->setMaximumWidth(90);
    m_progress->setTextVisible(false);
    m_stop->setObjectName(u"compareStop"_s);
    auto *last = new QHBoxLayout;
    last->setSpacing(2 * kGrid);
    last->addWidget(m_origin);
    last->addStretch(1);
    last->addWidget(m_progress);
    last->addWidget(m_stop);
    grid->addLayout(last, 1, 2, 1, 2);
    grid->setColumnStretch(1, 1);
    grid->setColumnStretch(3, 1);
    return question;
}

QWidget *CompareView::buildAnswer(models::Settings *settings)
{
    m_summary->setObjectName(u"compareSummary"_s);
    m_summary->setFont(Theme::title());
    m_why->setObjectName(u"compareWhy"_s);
    m_recipe->setObjectName(u"compareRecipe"_s);
    for (QLabel *label : { m_summary, m_why, m_recipe, m_checked }) {
        label->setWordWrap(true);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    }
    m_only->setObjectName(u"compareOnly"_s);
    m_only->setChecked(true);
    m_compare->treeModel()->setOnlyDifferences(true);
    m_compare->sideModel()->setOnlyDifferences(true);
    m_tree->setObjectName(u"compareTree"_s);
    m_tree->setAccessibleName(tr("Differences as a tree"));
    m_tree->setModel(m_compare->treeModel());
    setUpTree(m_tree, settings);
    m_tree->setItemDelegate(new DiffDelegate({ JsonDiffModel::First, JsonDiffModel::Second }, m_tree));
    const int widths[] = { 240, 300, 300 };
    for (int column = 0; column < 3; ++column) {
        m_tree->setColumnWidth(column, widths[column]);
    }
    m_tree->header()->setStretchLastSection(true);
    m_sides->setObjectName(u"compareSides"_s);
    m_sides->setAccessibleName(tr("Both payloads side by side"));
    m_sides->setModel(m_compare->sideModel());
    setUpTable(m_sides, settings);
    m_sides->setItemDelegate(new DiffDelegate({ SideBySideModel::First, SideBySideModel::Second, SideBySideModel::LineA, SideBySideModel::LineB }, m_sides));
    m_sides->setAlternatingRowColors(false);
    for (const int column : { SideBySideModel::LineA, SideBySideModel::LineB }) {
        m_sides->setColumnWidth(column, 64);
    }
    for (const int column : { SideBySideModel::First, SideBySideModel::Second }) {
        m_sides->horizontalHeader()->setSectionResizeMode(column, QHeaderView::Stretch);
    }
    m_tabs->setObjectName(u"compareTabs"_s);
    m_tabs->setDocumentMode(true);
    m_tabs->addTab(m_tree, tr("Tree"));
    m_tabs->addTab(m_sides, tr("Side by side"));
    m_tabs->setCornerWidget(m_only);
    auto *answer = new QWidget(this);
    auto *layout = new QVBoxLayout(answer);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(kGrid);
    layout->addWidget(m_summary);
    layout->addWidget(m_why);
    layout->addWidget(m_recipe);
    layout->addWidget(buildRecipe());
    layout->addWidget(m_checked);
    layout->addWidget(m_tabs, 1);
    return answer;
}

QWidget *CompareView::buildRecipe()
{
    m_target->setObjectName(u"compareTarget"_s);
    m_target->setAccessibleName(tr("Table whose rows the recipe is tried on"));
    setUpTargetChooser(m_target);
    m_check->setObjectName(u"compareCheck"_s);
    m_save->setObjectName(u"compareSave"_s);
    m_checked->setObjectName(u"compareChecked"_s);
    m_keep = new QWidget(this);
    auto *row = new QHBoxLayout(m_keep);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(2 * kGrid);
    row->addWidget(m_target);
    row->addWidget(m_check);
    row->addWidget(m_save);
    row->addStretch(1);
    return m_keep;
}

} // namespace idemdesk::ui
