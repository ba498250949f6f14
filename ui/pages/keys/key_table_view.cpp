// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/keys/key_table_view.h"

#include "models/filter/filter_edit.h"
#include "models/format/display_text.h"
#include "models/format/labels.h"
#include "models/format/quantities.h"
#include "models/keys/cell_filter.h"
#include "models/keys/column_fit.h"
#include "models/keys/key_browser.h"
#include "models/keys/key_cells.h"
#include "models/keys/key_table_model.h"
#include "models/settings.h"
#include "ui/delegates/key_delegate.h"
#include "ui/delegates/state_delegate.h"
#include "ui/theme/theme.h"
#include "ui/widgets/frozen_columns.h"
#include "ui/widgets/table_setup.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMenu>
#include <QScrollBar>
#include <algorithm>
#include <limits>
#include <numeric>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

constexpr int kShortKeyWidth = 150; // pixels, at texts of the usual size
constexpr int kLeastKeyWidth = 210; // of a key that is longer; of a cut one both ends tell it from others
constexpr int kUsualKeyWidth = 270;
constexpr int kUsualErrorWidth = 160; // a dozen letters more than a heading: enough to tell errors apart
constexpr int kMostKeyWidth = 330;
constexpr int kLeastScopeWidth = 72;
constexpr int kUsualScopeWidth = 160;
constexpr int kMostScopeWidth = 260;
constexpr int kRowsMeasured = 60;
constexpr int kFewRows = 10; // each of them counts
constexpr int kLeastRoom = 120; // less is no table that anybody sees

/// Results begin with what they are: only their ends tell them apart.
class ResultDelegate final : public CellDelegate
{
public:
    using CellDelegate::CellDelegate;

protected:
    void initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const override
    {
        CellDelegate::initStyleOption(option, index);
        option->textElideMode = Qt::ElideMiddle;
    }
};

/// The columns that are fitted by what they hold; -1: not shown.
struct FittedPlaces {
    qsizetype key = -1;
    qsizetype result = -1;
    qsizetype error = -1;
    qsizetype owner = -1;
};

/// The widths of these columns. A result of which there is next to nothing to see gives its room to the key, and to
/// errors that are cut, and so does the owner: why a key failed is read, what it made and who had it is looked up.
QList<int> widthsOf(QList<models::FittingColumn> columns, const FittedPlaces &places, int room)
{
    const auto [key, result, error, owner] = places;
    QList<int> widths = models::fitColumns(columns, room);
    const auto lacks = [&columns, &widths](qsizetype column, int wanted) {
        return column >= 0 && widths.at(column) > 0 && widths.at(column) < std::min(columns.at(column).wanted, wanted);
    };
    const auto giveWay = [&](qsizetype column, int least) {
        if (column >= 0 && widths.at(column) > 0 && !columns.at(column).chosen) {
            columns[column].rank = std::numeric_limits<int>::max(); // the first to go, and it must
            columns[column].wanted = columns[column].least = least;
            widths = models::fitColumns(columns, room);
        }
    };
    const int whole = std::numeric_limits<int>::max();
    if (lacks(key, Theme::scaled(kUsualKeyWidth)) || lacks(error, whole)) {
        giveWay(result, room);
    }
    if (lacks(error, Theme::scaled(kUsualErrorWidth))) {
        giveWay(owner, room);
    }
    return widths;
}

} // namespace

KeyTableView::KeyTableView(models::KeyBrowserController *browser, models::Settings *settings, QWidget *parent)
    : QTableView(parent)
    , m_browser(browser)
    , m_settings(settings)
    , m_text(new CellDelegate(this))
    , m_figures(new CellDelegate(this))
    , m_key(new KeyDelegate(this))
    , m_result(new ResultDelegate(this))
    , m_state(new StateDelegate(this))
    , m_frozen(nullptr)
{
    m_figures->setFigures(true);
    setUpTable(
        this, { u"keysTable"_s, tr("Keys"), browser->model(), {}, QAbstractItemView::ExtendedSelection }, settings);
    setContextMenuPolicy(Qt::CustomContextMenu);
    horizontalHeader()->setSectionsMovable(true);
    horizontalHeader()->setContextMenuPolicy(Qt::CustomContextMenu);
    // A click sorts; the stock one would select a million cells.
    disconnect(horizontalHeader(), &QHeaderView::sectionPressed, this, nullptr);
    disconnect(horizontalHeader(), &QHeaderView::sectionEntered, this, nullptr);
    horizontalHeader()->setSectionsClickable(true);
    horizontalHeader()->setProperty(kFitsItself, true);
    m_frozen = new FrozenColumns(this); // once the table is what it will be
    wire();
}

void KeyTableView::wire()
{
    connect(m_browser, &models::KeyBrowserController::targetChanged, this, &KeyTableView::restoreColumns);
    connect(m_browser, &models::KeyBrowserController::selectionRestored, this, &KeyTableView::restoreSelection);
    connect(m_browser->model(), &models::KeyTableModel::jumped, this, [this](int row) {
        const QModelIndex index = m_browser->model()->index(row, 0);
        executeDelayedItemsLayout(); // of another part of the list, whose rows are to be scrolled
        scrollTo(index, QAbstractItemView::PositionAtTop);
        // Said outright: the view's own choice adds the row to what is highlighted while Ctrl is held, as for Ctrl+J.
        selectionModel()->setCurrentIndex(index, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
        reportVisibleRows(); // another part of the list may stand at the same place of the scroll bar
    });
    // What the bar does not move for is told, too: the rows are others. Once they are laid out.
    connect(m_browser->model(), &models::KeyTableModel::modelReset, this, &KeyTableView::reportVisibleRows,
        Qt::QueuedConnection);
    // Another filter's rows are read from their first one on, however far down the list was.
    connect(m_browser, &models::KeyBrowserController::filterAccepted, this, [this] {
        verticalScrollBar()->setValue(verticalScrollBar()->minimum());
        m_wanted.clear(); // and have other errors and owners to be read
    });
    // A reset takes the selection away without a word of the selection model.
    connect(m_browser->model(), &models::KeyTableModel::modelReset, this, &KeyTableView::onSelection);
    connect(selectionModel(), &QItemSelectionModel::selectionChanged, this, &KeyTableView::onSelection);
    connect(selectionModel(), &QItemSelectionModel::currentRowChanged, this, &KeyTableView::onSelection);
    connect(verticalScrollBar(), &QScrollBar::valueChanged, this, &KeyTableView::reportVisibleRows);
    connect(horizontalHeader(), &QHeaderView::customContextMenuRequested, this,
        [this](const QPoint &at) { showColumnMenu(horizontalHeader()->mapToGlobal(at)); });
    connect(this, &QTableView::customContextMenuRequested, this,
        [this](const QPoint &at) { showRowMenu(indexAt(at), viewport()->mapToGlobal(at)); });
    connect(m_frozen, &QTableView::customContextMenuRequested, this,
        [this](const QPoint &at) { showRowMenu(m_frozen->indexAt(at), m_frozen->viewport()->mapToGlobal(at)); });
    connect(m_frozen, &FrozenColumns::headingMenuWanted, this, &KeyTableView::showColumnMenu);
    connect(m_frozen->horizontalHeader(), &QHeaderView::sectionClicked, this, &KeyTableView::sortBy);
    connect(m_settings, &models::Settings::compactRowsChanged, m_frozen, &FrozenColumns::sync, Qt::QueuedConnection);
    connect(horizontalHeader(), &QHeaderView::sectionClicked, this, &KeyTableView::sortBy);
    connect(m_browser, &models::KeyBrowserController::orderChanged, this, &KeyTableView::showOrder);
    connect(horizontalHeader(), &QHeaderView::sectionMoved, this, &KeyTableView::rememberColumns);
    connect(horizontalHeader(), &QHeaderView::sectionResized, this, &KeyTableView::onResized);
    connect(m_browser->model(), &models::KeyTableModel::pageLoaded, this, &KeyTableView::fitToRows);
    connect(
        addKey(tr("Copy"), QKeySequence::Copy), &QAction::triggered, this, [this] { copy(models::CopyFormat::Tsv); });
    connect(
        addKey(tr("Show or hide the detail"), Qt::Key_Space), &QAction::triggered, this, &KeyTableView::spacePressed);
    connect(
        addKey(tr("Stop what is running"), Qt::Key_Escape), &QAction::triggered, this, &KeyTableView::escapePressed);
}

QAction *KeyTableView::addKey(const QString &text, const QKeySequence &keys)
{
    auto *action = new QAction(text, this);
    action->setShortcut(keys);
    action->setShortcutContext(Qt::WidgetShortcut);
    addAction(action);
    return action;
}

QString KeyTableView::layoutId() const
{
    return u"keys/columns/"_s + (m_browser->hasTarget() ? m_browser->target().profile.name : QString());
}

QString KeyTableView::chosenId() const
{
    return layoutId() + u"/chosen"_s;
}

QString KeyTableView::foldedId() const
{
    return layoutId() + u"/folded"_s;
}

void KeyTableView::restoreColumns()
{
    m_restoringColumns = true;
    m_wanted.clear();
    const auto &columns = m_browser->model()->columns();
    for (int i = 0; i < columns.size(); ++i) {
        const models::KeyColumnSpec &spec = columns.at(i);
        setItemDelegateForColumn(i,
            spec.column == models::KeyColumn::State        ? m_state
                : spec.column == models::KeyColumn::Result ? m_result
                : spec.monospace                           ? static_cast<CellDelegate *>(m_key)
                : spec.number                              ? m_figures
                                                           : m_text);
        // A table seen before may have left its columns elsewhere.
        horizontalHeader()->moveSection(horizontalHeader()->visualIndex(i), i);
        setColumnHidden(i, !spec.visible);
    }
    m_chosen = QString::fromUtf8(m_settings->layout(chosenId())).split(u'\n', Qt::SkipEmptyParts);
    m_folded = QString::fromUtf8(m_settings->layout(foldedId())).split(u'\n', Qt::SkipEmptyParts);
    const QByteArray state = m_settings->layout(layoutId());
    if (!state.isEmpty() && horizontalHeader()->restoreState(state)) {
        horizontalHeader()->setSectionsMovable(true);
    } else {
        m_folded.clear();
    }
    m_restoringColumns = false;
    m_setUpFor = layoutId();
    const QString frozen = QString::fromUtf8(m_settings->layout(frozenId()));
    const auto last = std::find_if(
        columns.cbegin(), columns.cend(), [&frozen](const models::KeyColumnSpec &spec) { return spec.id == frozen; });
    m_frozen->setLast(last == columns.cend() ? -1 : int(last - columns.cbegin()));
    fitToRows();
    fitToRoom();
}

int KeyTableView::lastShown() const
{
    int last = -1;
    for (int visual = 0; visual < horizontalHeader()->count(); ++visual) {
        const int column = horizontalHeader()->logicalIndex(visual);
        last = isColumnHidden(column) ? last : column;
    }
    return last;
}

void KeyTableView::onResized(int column, int before, int now)
{
    const auto &columns = m_browser->model()->columns();
    // The last one fills the width, and a column that is hidden or shown gets no width by that; the header says both
    // late.
    const bool byItself = column == lastShown() || before == 0 || now == 0;
    // Until its columns are set up, a new table's header settles by itself.
    if (m_restoringColumns || byItself || column >= columns.size() || m_setUpFor != layoutId()) {
        return;
    }
    const QString id = columns.at(column).id;
    m_folded.removeAll(id);
    if (!m_chosen.contains(id)) {
        m_chosen += id;
    }
    rememberColumns();
}

void KeyTableView::fitToRoom()
{
    const auto &columns = m_browser->model()->columns();
    const int room = viewport()->width();
    if (m_restoringColumns || columns.isEmpty() || room < kLeastRoom) {
        return;
    }
    m_restoringColumns = true;
    QList<int> shown;
    QList<models::FittingColumn> fitting;
    FittedPlaces places;
    const int last = lastShown(); // as wide as what is left, whoever chose it
    for (int i = 0; i < columns.size(); ++i) {
        const models::KeyColumnSpec &spec = columns.at(i);
        if (isColumnHidden(i) && !m_folded.contains(spec.id)) {
            continue; // by choice
        }
        const bool state = spec.column == models::KeyColumn::State;
        models::FittingColumn column;
        column.chosen = m_chosen.contains(spec.id);
        column.rank = spec.rank == 0 ? 0
            : ordered(spec)          ? 1
            : m_empty.contains(i)    ? std::numeric_limits<int>::max() - 1
                                     : spec.rank;
        const int title = leastColumnWidth(this, i);
        const int usual = std::max(Theme::scaled(spec.width), leastOf(spec));
        column.wanted = column.chosen && i != last ? columnWidth(i)
            : state                                ? std::max(stateWidth(), title)
                                                   : std::max(m_wanted.value(i, usual), title);
        column.least = state                        ? column.wanted
            : spec.column == models::KeyColumn::Key ? Theme::scaled(kLeastKeyWidth)
                                                    : std::max(title, std::min(column.wanted, leastOf(spec)));
        places.key = spec.column == models::KeyColumn::Key ? shown.size() : places.key;
        places.result = spec.column == models::KeyColumn::Result ? shown.size() : places.result;
        places.error = spec.column == models::KeyColumn::Error ? shown.size() : places.error;
        places.owner = spec.column == models::KeyColumn::Owner ? shown.size() : places.owner;
        shown += i;
        fitting += column;
    }
    QList<int> widths = widthsOf(fitting, places, room);
    spreadRest(shown, room, &widths);
    m_folded.clear();
    for (qsizetype place = 0; place < shown.size(); ++place) {
        const int column = shown.at(place);
        setColumnHidden(column, widths.at(place) == 0);
        if (widths.at(place) == 0) {
            m_folded += columns.at(column).id;
        } else {
            setColumnWidth(column, widths.at(place));
        }
    }
    m_restoringColumns = false;
    m_frozen->sync();
}

/// A number at the end of a stretched column is far from its neighbours: texts have the rest of the width instead.
void KeyTableView::spreadRest(const QList<int> &shown, int room, QList<int> *widths) const
{
    const auto &columns = m_browser->model()->columns();
    const auto used = std::accumulate(widths->cbegin(), widths->cend(), 0);
    QList<qsizetype> texts;
    int last = -1; // visual
    bool number = false;
    for (qsizetype place = 0; place < shown.size(); ++place) {
        const models::KeyColumnSpec &spec = columns.at(shown.at(place));
        if (widths->at(place) > 0 && !spec.number && !m_chosen.contains(spec.id)) {
            texts += place;
        }
        const int visual = horizontalHeader()->visualIndex(shown.at(place));
        if (widths->at(place) > 0 && visual > last) {
            last = visual;
            number = spec.number;
        }
    }
    if (used < room && !texts.isEmpty() && number) {
        for (const qsizetype place : texts) {
            (*widths)[place] += (room - used) / int(texts.size());
        }
    }
}

/// A time that is cut misleads, as does half a name of a scope that others begin with; a long text has its tooltip.
int KeyTableView::leastOf(const models::KeyColumnSpec &spec) const
{
    constexpr qint64 kLongest = 24 * 3'600 - 60; // hours and minutes with two digits each
    switch (spec.time && spec.column == models::KeyColumn::Own ? models::KeyColumn::Expires : spec.column) {
    case models::KeyColumn::Age:
    case models::KeyColumn::Lease:
    case models::KeyColumn::Expires: {
        const sql::Timestamp time { sql::Timestamp::Kind::Finite, 0 };
        const sql::Timestamp now { sql::Timestamp::Kind::Finite, kLongest * sql::kMicros };
        const QString text
            = spec.column == models::KeyColumn::Age ? models::durationText(kLongest) : models::relativeText(time, now);
        return QFontMetrics(Theme::figures(font())).horizontalAdvance(text) + 2 * kCellPadding + kGrid;
    }
    case models::KeyColumn::ScopePart:
        return Theme::scaled(kUsualScopeWidth);
    case models::KeyColumn::Owner:
        return Theme::scaled(spec.width * 3 / 2); // or what its rows want, where that is less
    case models::KeyColumn::Result:
        return Theme::scaled(spec.width * 3 / 5);
    case models::KeyColumn::Error:
        return Theme::scaled(std::max(kUsualErrorWidth, spec.width * 2 / 5)); // or what its rows want
    default:
        return Theme::scaled(spec.width * 3 / 4);
    }
}

namespace {

/// The least and the most width of a column that is as wide as its rows want; nothing for those with a width of their
/// own. Workers differ in how their names end, and where nothing failed the errors need no room.
std::optional<std::pair<int, int>> roomOf(const models::KeyColumnSpec &spec)
{
    const int usual = spec.width;
    switch (spec.column) {
    case models::KeyColumn::Own:
        return spec.number ? std::nullopt : std::optional(std::pair(kLeastScopeWidth, kMostScopeWidth));
    case models::KeyColumn::ScopePart:
    case models::KeyColumn::Owner:
        return std::pair(kLeastScopeWidth, kMostScopeWidth);
    case models::KeyColumn::Key:
        return std::pair(kShortKeyWidth, kMostKeyWidth);
    case models::KeyColumn::Result:
        return std::pair(kLeastScopeWidth, usual);
    case models::KeyColumn::Error: // sentences: what others leave is theirs
        return std::pair(kLeastScopeWidth, 2 * usual);
    default:
        return std::nullopt;
    }
}

} // namespace

/// Once for each table and filter: what is read later does not move the columns under a hand.
void KeyTableView::fitToRows()
{
    const models::KeyTableModel *model = m_browser->model();
    if (!m_wanted.isEmpty() || !model->record(0)) {
        return;
    }
    const auto &columns = model->columns();
    m_empty.clear();
    for (int i = 0; i < columns.size(); ++i) {
        const auto room = roomOf(columns.at(i));
        const QFontMetrics metrics(columns.at(i).monospace ? Theme::monospace() : font());
        QList<int> widths;
        for (int row = 0; row < kRowsMeasured && model->record(row); ++row) {
            widths += metrics.horizontalAdvance(model->index(row, i).data().toString());
        }
        std::sort(widths.begin(), widths.end());
        // One long key among many takes no room from what its neighbours say; it is cut, and its tooltip has it whole.
        const bool key = columns.at(i).column == models::KeyColumn::Key;
        const bool many = widths.size() > kFewRows;
        const int width = widths.at(key && many ? (widths.size() - 1) * 9 / 10 : widths.size() - 1);
        if (width == 0) {
            m_empty += i;
        }
        if (!room) {
            continue;
        }
        m_wanted.insert(
            i, std::clamp(width + 2 * kCellPadding + kGrid, Theme::scaled(room->first), Theme::scaled(room->second)));
    }
    fitToRoom();
}

void KeyTableView::sortBy(int column)
{
    const QString label = models::orderOf(m_browser->model()->columns().at(column), m_browser->target().profile);
    const auto orders = m_browser->orders();
    const bool known = std::any_of(
        orders.cbegin(), orders.cend(), [&label](const models::OrderOption &order) { return order.label == label; });
    if (known) {
        m_browser->setOrder(m_browser->effectiveOrder() == label ? u'-' + label : label);
    }
}

/// The rows are in the order of this column: without it nobody sees why they stand as they do.
bool KeyTableView::ordered(const models::KeyColumnSpec &spec) const
{
    const QString order = m_browser->effectiveOrder();
    const QString label = order.startsWith(u'-') ? order.mid(1) : order;
    return !label.isEmpty() && models::orderOf(spec, m_browser->target().profile) == label;
}

void KeyTableView::showOrder()
{
    const QString order = m_browser->effectiveOrder();
    const bool turned = order.startsWith(u'-');
    const QString label = turned ? order.mid(1) : order;
    const auto orders = m_browser->orders();
    const auto known = std::find_if(
        orders.cbegin(), orders.cend(), [&label](const models::OrderOption &option) { return option.label == label; });
    const bool descending = known != orders.cend() && known->descending != turned;
    const auto &columns = m_browser->model()->columns();
    for (int column = 0; known != orders.cend() && column < columns.size(); ++column) {
        if (models::orderOf(columns.at(column), m_browser->target().profile) == label && columns.at(column).visible) {
            // What began last has the least age.
            const bool falling = descending != (columns.at(column).column == models::KeyColumn::Age);
            horizontalHeader()->setSortIndicatorShown(true);
            horizontalHeader()->setSortIndicator(column, falling ? Qt::DescendingOrder : Qt::AscendingOrder);
            if (m_setUpFor == layoutId()) {
                fitToRoom(); // the column may have been one without room
            }
            return;
        }
    }
    horizontalHeader()->setSortIndicatorShown(false);
}

void KeyTableView::setDimmed(bool dimmed)
{
    QPalette colors;
    if (dimmed) {
        colors.setColor(QPalette::Text, themeColor(Token::MutedText));
    }
    setPalette(colors);
}

/// The state is what the list is read for: its longest usual text fits.
int KeyTableView::stateWidth() const
{
    Badge longest;
    const sql::Profile &profile = m_browser->target().profile;
    QStringList texts;
    for (const sql::KeyState state : sql::kAllStates) {
        const bool here = profile.otherStates == state || profile.nullState == state
            || std::any_of(profile.states.cbegin(), profile.states.cend(),
                [state](const auto &one) { return one.second == state; });
        texts += here && state == sql::KeyState::Pending
            ? tr("%1, expired").arg(tr("%1, stuck").arg(models::stateLabel(state)))
            : here ? tr("%1, expired").arg(models::stateLabel(state))
                   : models::stateLabel(state);
    }
    for (const QString &text : texts) {
        Badge badge;
        badge.text = text;
        if (badgeWidth(badge, font()) > badgeWidth(longest, font())) {
            longest = badge;
        }
    }
    return badgeWidth(longest, font()) + 2 * kGrid;
}

void KeyTableView::keyboardSearch(const QString &)
{
    // The stock search reads row after row of a list that is not here. The filter is the search.
}

void KeyTableView::rememberColumns()
{
    if (!m_restoringColumns && m_browser->hasTarget()) {
        m_settings->setLayout(layoutId(), horizontalHeader()->saveState());
        m_settings->setLayout(chosenId(), m_chosen.join(u'\n').toUtf8());
        m_settings->setLayout(foldedId(), m_folded.join(u'\n').toUtf8());
    }
}

QString KeyTableView::frozenId() const
{
    return layoutId() + u"/frozen"_s;
}

void KeyTableView::freeze(int column)
{
    m_settings->setLayout(frozenId(), column < 0 ? QByteArray() : m_browser->model()->columns().at(column).id.toUtf8());
    m_frozen->setLast(column);
}

/// A column that had no room is shown all the same: then the list scrolls.
void KeyTableView::toggleColumn(int column, bool shown)
{
    const QString id = m_browser->model()->columns().at(column).id;
    m_restoringColumns = true;
    setColumnHidden(column, !shown);
    if (shown && !m_chosen.contains(id)) {
        setColumnWidth(column,
            std::max(Theme::scaled(m_browser->model()->columns().at(column).width), leastColumnWidth(this, column)));
    }
    m_restoringColumns = false;
    m_folded.removeAll(id);
    m_chosen.removeAll(id);
    m_chosen += id;
    fitToRoom();
    rememberColumns();
}

void KeyTableView::addFreezing(QMenu *menu, int column)
{
    if (column >= 0) {
        QAction *freezing = menu->addAction(tr("&Freeze up to this column"));
        freezing->setObjectName(u"freezeColumns"_s);
        connect(freezing, &QAction::triggered, this, [this, column] { freeze(column); });
    }
    QAction *release = menu->addAction(tr("&Release the frozen columns"));
    release->setObjectName(u"releaseColumns"_s);
    release->setEnabled(m_frozen->last() >= 0);
    connect(release, &QAction::triggered, this, [this] { freeze(-1); });
}

void KeyTableView::showColumnMenu(const QPoint &globalPlace)
{
    auto *menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setObjectName(u"columnMenu"_s);
    const auto &columns = m_browser->model()->columns();
    for (int i = 0; i < columns.size(); ++i) {
        const QString title = models::displayText(columns.at(i).title, 60).replace(u'&', u"&&"_s);
        QAction *action
            = menu->addAction(m_folded.contains(columns.at(i).id) ? tr("%1 (no room now)").arg(title) : title);
        action->setObjectName(u"column_"_s + columns.at(i).id);
        action->setCheckable(true);
        action->setChecked(!isColumnHidden(i));
        // The key stays: without it a row says nothing.
        action->setEnabled(columns.at(i).column != models::KeyColumn::Key);
        connect(action, &QAction::toggled, this, [this, i](bool shown) { toggleColumn(i, shown); });
    }
    menu->addSeparator();
    connect(menu->addAction(tr("Reset columns")), &QAction::triggered, this, [this] {
        for (const QString &id : { layoutId(), frozenId(), chosenId(), foldedId() }) {
            m_settings->setLayout(id, {});
        }
        restoreColumns();
    });
    const QHeaderView *header = horizontalHeader();
    const int inFrozen
        = m_frozen->horizontalHeader()->logicalIndexAt(m_frozen->horizontalHeader()->mapFromGlobal(globalPlace));
    const bool frozen = m_frozen->isVisible()
        && m_frozen->horizontalHeader()->rect().contains(m_frozen->horizontalHeader()->mapFromGlobal(globalPlace));
    addFreezing(menu, frozen ? inFrozen : header->logicalIndexAt(header->mapFromGlobal(globalPlace)));
    menu->popup(globalPlace);
}

void KeyTableView::showRowMenu(const QModelIndex &cell, const QPoint &globalPlace)
{
    auto *menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setObjectName(u"rowMenu"_s);
    addCellFilters(menu, cell);
    addActions(menu);
    addCopies(menu);
    menu->popup(globalPlace);
}

/// The rows that show the same, and those that do not.
void KeyTableView::addCellFilters(QMenu *menu, const QModelIndex &cell)
{
    const auto record = cell.isValid() ? m_browser->model()->record(cell.row()) : std::nullopt;
    if (!record) {
        return;
    }
    const auto filter = models::cellFilter(*record, m_browser->model()->columns().at(cell.column()),
        m_browser->target().profile, m_browser->vocabulary().zone);
    if (!filter) {
        return;
    }
    const QString shown = models::displayText(filter->term, 60).replace(u'&', u"&&"_s);
    const QString others = models::filterWithoutField(m_browser->filterText(), filter->field);
    QAction *only = menu->addAction(tr("&Filter by %1").arg(shown));
    only->setObjectName(u"filterByValue"_s);
    connect(only, &QAction::triggered, this,
        [this, text = models::filterWithTerm(others, filter->term)] { emit filterWanted(text); });
    QAction *without = menu->addAction(tr("&Leave out %1").arg(shown));
    without->setObjectName(u"filterWithoutValue"_s);
    connect(without, &QAction::triggered, this,
        [this, text = models::filterWithTerm(m_browser->filterText(), u'-' + filter->term)] {
            emit filterWanted(text);
        });
    menu->addSeparator();
}

/// What can be done with the selected keys; where it is decided is another page.
void KeyTableView::addActions(QMenu *menu)
{
    const int keys = int(m_browser->selection().size()); // also those whose page is no longer held
    const sql::Profile &profile = m_browser->target().profile;
    const auto add = [&](const QString &name, const QString &text, bool possible) {
        QAction *action = menu->addAction(text);
        action->setObjectName(name);
        action->setEnabled(possible && keys > 0);
        return action;
    };
    connect(add(u"recoverSelected"_s, tr("&Recover %n key(s)…", nullptr, keys), !profile.recover.isEmpty()),
        &QAction::triggered, this, [this] { emit actionWanted(sql::ActionVerb::Recover); });
    connect(add(u"requeueSelected"_s, tr("Re&queue %n key(s)…", nullptr, keys), !profile.requeue.isEmpty()),
        &QAction::triggered, this, [this] { emit actionWanted(sql::ActionVerb::Requeue); });
    connect(add(u"caseSelected"_s, tr("Case &file of %n key(s)…", nullptr, keys), true), &QAction::triggered, this,
        &KeyTableView::caseWanted);
    menu->addSeparator();
}

void KeyTableView::addCopies(QMenu *menu)
{
    const bool some = selectionModel()->hasSelection();
    const std::pair<QString, models::CopyFormat> entries[]
        = { { tr("Copy as &text"), models::CopyFormat::Text }, { tr("Copy as table (TS&V)"), models::CopyFormat::Tsv },
              { tr("Copy as &JSON"), models::CopyFormat::Json }, { tr("Copy as &SQL"), models::CopyFormat::Sql } };
    for (const auto &[text, format] : entries) {
        QAction *action = menu->addAction(text);
        action->setEnabled(some);
        connect(action, &QAction::triggered, this, [this, chosen = format] { copy(chosen); });
    }
}

void KeyTableView::copy(models::CopyFormat format)
{
    const auto records = m_browser->selectedRecords();
    if (!records.isEmpty()) {
        QGuiApplication::clipboard()->setText(
            models::copyRecords(format, records, m_browser->target(), m_browser->model()->timeFormat()));
    }
    if (records.size() < selectedCount()) {
        emit copiedInPart(records.size(), selectedCount());
    }
}

qint64 KeyTableView::selectedCount() const
{
    qint64 rows = 0;
    const auto ranges = selectionModel()->selection();
    for (const QItemSelectionRange &range : ranges) {
        rows += range.height();
    }
    return rows;
}

void KeyTableView::onSelection()
{
    if (m_restoringSelection) {
        return;
    }
    QList<int> rows;
    const auto ranges = selectionModel()->selection();
    for (const QItemSelectionRange &range : ranges) {
        for (int row = range.top(); row <= range.bottom() && rows.size() < kMostSelected; ++row) {
            rows.append(row);
        }
    }
    m_browser->setSelection(rows);
    emit currentRecordChanged();
}

void KeyTableView::restoreSelection(const QList<int> &rows)
{
    m_restoringSelection = true;
    QItemSelection selection;
    const auto *model = m_browser->model();
    for (const int row : rows) {
        selection.select(model->index(row, 0), model->index(row, model->columnCount() - 1));
    }
    selectionModel()->select(selection, QItemSelectionModel::ClearAndSelect);
    if (rows.size() == 1) {
        selectionModel()->setCurrentIndex(model->index(rows.first(), 0), QItemSelectionModel::NoUpdate);
    }
    m_restoringSelection = false;
}

void KeyTableView::reportVisibleRows()
{
    const int first = rowAt(0);
    int last = rowAt(viewport()->height() - 1);
    if (last > first && rowViewportPosition(last) + rowHeight(last) > viewport()->height()) {
        --last; // half a row is none that anybody reads
    }
    if (first >= 0) {
        m_browser->setVisibleRows(first, last >= 0 ? last : m_browser->model()->rowCount() - 1);
    }
}

int KeyTableView::shownRow() const
{
    if (!selectionModel()->hasSelection()) {
        return -1;
    }
    const int current = currentIndex().row();
    return selectionModel()->isRowSelected(current) ? current : selectionModel()->selection().constFirst().top();
}

void KeyTableView::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Home && event->modifiers() == Qt::ControlModifier
        && m_browser->model()->jumpToFront()) {
        return;
    }
    QTableView::keyPressEvent(event);
}

/// Ctrl+Home and Ctrl+End go to a row: with Ctrl the stock view moves the current row alone, and the highlight stays
/// behind.
QItemSelectionModel::SelectionFlags KeyTableView::selectionCommand(const QModelIndex &index, const QEvent *event) const
{
    if (event != nullptr && event->type() == QEvent::KeyPress) {
        const auto *key = static_cast<const QKeyEvent *>(event);
        const bool edge = key->key() == Qt::Key_Home || key->key() == Qt::Key_End;
        if (edge && key->modifiers() == Qt::ControlModifier) {
            return QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows;
        }
    }
    return QTableView::selectionCommand(index, event);
}

void KeyTableView::resizeEvent(QResizeEvent *event)
{
    QTableView::resizeEvent(event);
    if (event->size().width() != event->oldSize().width()) {
        fitToRoom();
    }
    reportVisibleRows();
}

void KeyTableView::changeEvent(QEvent *event)
{
    QTableView::changeEvent(event);
    if (event->type() == QEvent::FontChange && m_frozen != nullptr) {
        m_wanted.clear();
        fitToRows();
        fitToRoom();
    }
}

} // namespace idemdesk::ui
