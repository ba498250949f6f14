// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/table_setup.h"

#include "models/format/display_text.h"
#include "models/keys/key_table_model.h"
#include "models/settings.h"
#include "models/table/headed_rows.h"
#include "models/table/row_model_base.h"
#include "models/trends/trend_table_model.h"
#include "ui/delegates/record_delegate.h"
#include "ui/delegates/state_delegate.h"

#include <QAbstractItemModel>
#include <QHeaderView>
#include <QKeyEvent>
#include <QRegularExpression>
#include <QStyledItemDelegate>
#include <QTableWidget>
#include <QTreeView>
#include <algorithm>
#include <utility>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

constexpr int kBadgeRows = 1'000;
constexpr int kBadgeMargin = kCellPadding + 2 * kGrid; // pixels, left and right of a badge

/// A tree has no row height of its own: its delegate says it.
class RowHeightDelegate final : public QStyledItemDelegate
{
public:
    RowHeightDelegate(models::Settings *settings, QObject *parent)
        : QStyledItemDelegate(parent)
        , m_settings(settings)
    {
    }
    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        return { QStyledItemDelegate::sizeHint(option, index).width(),
            Theme::scaled(m_settings->compactRows() ? kCompactRowHeight : kRowHeight) };
    }

private:
    models::Settings *m_settings;
};

/// A key of the table itself, not a shortcut: whatever else has the focus keeps its Space.
class SpaceToggle final : public QObject
{
public:
    explicit SpaceToggle(QTableView *table)
        : QObject(table)
        , m_table(table)
    {
    }
    bool eventFilter(QObject *, QEvent *event) override
    {
        if (event->type() != QEvent::KeyPress) {
            return false;
        }
        const auto *key = static_cast<const QKeyEvent *>(event);
        const int row = m_table->currentIndex().row();
        if (key->key() != Qt::Key_Space || key->modifiers() != Qt::NoModifier || row < 0) {
            return false;
        }
        QAbstractItemModel *model = m_table->model();
        for (int column = 0; column < model->columnCount(); ++column) {
            const QModelIndex index = model->index(row, column);
            if (model->flags(index).testFlags(Qt::ItemIsUserCheckable | Qt::ItemIsEnabled)) {
                const bool checked = index.data(Qt::CheckStateRole).toInt() == Qt::Checked;
                return model->setData(index, checked ? Qt::Unchecked : Qt::Checked, Qt::CheckStateRole);
            }
        }
        return false;
    }

private:
    QTableView *m_table;
};

/// Widens a column with the texts.
class BadgeFit final : public QObject
{
public:
    BadgeFit(QTableView *table, int column, QStringList labels)
        : QObject(table)
        , m_table(table)
        , m_column(column)
        , m_labels(std::move(labels))
    {
        fit();
    }
    bool eventFilter(QObject *, QEvent *event) override
    {
        if (event->type() == QEvent::FontChange) {
            // Afterwards: the theme widens all columns by the same factor.
            QMetaObject::invokeMethod(
                this, [this] { fit(); }, Qt::QueuedConnection);
        }
        return false;
    }

    /// More badges than it was made for; the columns beside do not jump about when fewer are listed.
    void add(const QStringList &labels)
    {
        const auto before = m_labels.size();
        for (const QString &label : labels) {
            m_labels += m_labels.contains(label) ? QStringList() : QStringList { label };
        }
        if (m_labels.size() != before) {
            fit();
        }
    }

private:
    void fit()
    {
        int width = 0;
        for (const QString &label : std::as_const(m_labels)) {
            width = std::max(width, badgeWidth({ label }, m_table->font()));
        }
        // The badges' font has the zoom in it already.
        m_table->setColumnWidth(
            m_column, std::max(width + Theme::scaled(kBadgeMargin), leastColumnWidth(m_table, m_column)));
    }

    QTableView *m_table;
    int m_column;
    QStringList m_labels;
};

/// The menu of a key's cell filters by it, and a cell of a chart's numbers leads to its keys.
bool eachCellLeads(const QAbstractItemModel *model)
{
    return qobject_cast<const models::KeyTableModel *>(model) != nullptr
        || qobject_cast<const models::TrendTableModel *>(model) != nullptr;
}

void setUpView(QAbstractItemView *view, const TableSpec &spec)
{
    view->setObjectName(spec.objectName);
    view->setAccessibleName(spec.accessibleName);
    if (spec.model != nullptr) {
        view->setModel(spec.model);
    }
    view->setSelectionBehavior(QAbstractItemView::SelectRows);
    view->setProperty(kMarksRows, !eachCellLeads(view->model()));
    view->setSelectionMode(spec.selection);
    view->setEditTriggers(QAbstractItemView::NoEditTriggers);
    view->setAlternatingRowColors(true);
    view->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
}

/// Pixels that a column cannot do without: its title and, where it shows times, one of these.
int leastWidth(const QHeaderView *header, const QAbstractItemModel *model, int column)
{
    int width = header->fontMetrics().horizontalAdvance(model->headerData(column, Qt::Horizontal).toString());
    const auto *headed = qobject_cast<const models::HeadedRows *>(model);
    const auto *rows = qobject_cast<const models::RowModelBase *>(headed != nullptr ? headed->source() : model);
    if (rows != nullptr && rows->showsTime(column)) {
        const QFontMetrics metrics(Theme::figures(header->parentWidget()->font()));
        width = std::max(width, metrics.horizontalAdvance(u"2026-12-28 20:48:58"_s));
    }
    return width + 2 * kCellPadding + kGrid;
}

void setUpHeader(QHeaderView *header, const TableSpec &spec)
{
    header->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    header->setMinimumSectionSize(36);
    header->setMinimumHeight(kCompactRowHeight + 2);
    header->setTextElideMode(Qt::ElideRight);
    header->setStretchLastSection(true);
    for (int column = 0; column < spec.widths.size() && column < header->count(); ++column) {
        header->resizeSection(
            column, std::max(Theme::scaled(spec.widths.at(column)), leastWidth(header, header->model(), column)));
    }
}

/// Keeps shareRoom() true while the table changes its width.
class RoomSharer final : public QObject
{
public:
    RoomSharer(QTableView *table, const QList<int> &columns, int least, int most, const QList<int> &parts)
        : QObject(table)
        , m_table(table)
        , m_columns(columns)
        , m_least(least)
        , m_most(most)
        , m_parts(parts)
    {
        table->horizontalHeader()->setStretchLastSection(false);
        table->viewport()->installEventFilter(this);
        // A header that stretches says nothing of the section that goes, only of those that take its room; and one that
        // does not says it before the section is gone.
        connect(
            table->horizontalHeader(), &QHeaderView::sectionResized, this, [this](int column, int before, int after) {
                if (before == 0 || after == 0 || m_hidden != m_table->horizontalHeader()->hiddenSectionCount()) {
                    QMetaObject::invokeMethod(
                        this, [this] { share(); }, Qt::QueuedConnection);
                } else if (!m_sharing && !m_parts.isEmpty() && !m_columns.contains(column)) {
                    share();
                }
            });
        if (Theme::instance() != nullptr) { // a zoom scales columns in an order of its own
            connect(
                Theme::instance(), &Theme::changed, this, [this] { share(); }, Qt::QueuedConnection);
        }
        share();
    }

protected:
    bool eventFilter(QObject *watched, QEvent *event) override
    {
        // What becomes of its width while it is resized for the first time is told by nothing but this.
        if (event->type() == QEvent::Resize || event->type() == QEvent::Show) {
            share();
        }
        return QObject::eventFilter(watched, event);
    }

private:
    void share()
    {
        const bool within = std::exchange(m_sharing, true);
        shareOut();
        m_sharing = within;
    }

    void shareOut()
    {
        QHeaderView *header = m_table->horizontalHeader();
        m_hidden = header->hiddenSectionCount();
        header->setStretchLastSection(false); // it has its own width again, which is what counts
        int room = m_table->viewport()->width();
        for (int column = 0; column < header->count(); ++column) {
            room -= header->isSectionHidden(column) || m_columns.contains(column) ? 0 : header->sectionSize(column);
        }
        const int least = Theme::scaled(m_least);
        const auto shown = std::count_if(
            m_columns.cbegin(), m_columns.cend(), [header](int column) { return !header->isSectionHidden(column); });
        const bool enough = room >= least * int(shown);
        const int most = Theme::scaled(m_most);
        const bool shared = enough && (most == 0 || room <= most * int(shown));
        header->setStretchLastSection(enough && !shared);
        if (shared && !m_parts.isEmpty()) {
            shareInParts(room, least);
            return;
        }
        for (const int column : m_columns) {
            header->setSectionResizeMode(column, shared ? QHeaderView::Stretch : QHeaderView::Interactive);
            if (!shared && !header->isSectionHidden(column)) {
                header->resizeSection(column, enough ? most : least);
            }
        }
    }

    /// By the parts of those that are shown; the last of them takes what rounding leaves.
    void shareInParts(int room, int least)
    {
        QHeaderView *header = m_table->horizontalHeader();
        int parts = 0;
        for (qsizetype i = 0; i < m_columns.size(); ++i) {
            parts += header->isSectionHidden(m_columns.at(i)) ? 0 : m_parts.value(i, 1);
        }
        for (qsizetype i = 0; i < m_columns.size() && parts > 0; ++i) {
            if (const int column = m_columns.at(i); !header->isSectionHidden(column)) {
                const int own = m_parts.value(i, 1);
                const int width = std::max(least, room * own / parts);
                header->setSectionResizeMode(column, QHeaderView::Interactive);
                header->resizeSection(column, width);
                room -= width;
                parts -= own;
            }
        }
    }

    QTableView *m_table;
    bool m_sharing = false;
    int m_hidden = 0; ///< sections, when the room was shared
    const QList<int> m_columns;
    const int m_least;
    const int m_most; ///< 0: no limit
    const QList<int> m_parts; ///< empty: equal ones
};

} // namespace

void setUpTable(QTableView *table, const TableSpec &spec, models::Settings *settings)
{
    setUpSmallTable(table, spec);
    const auto applyHeight = [table, settings] {
        table->verticalHeader()->setDefaultSectionSize(
            Theme::scaled(settings->compactRows() ? kCompactRowHeight : kRowHeight));
    };
    applyHeight();
    QObject::connect(settings, &models::Settings::compactRowsChanged, table, applyHeight);
}

void setUpSmallTable(QTableView *table, const TableSpec &spec, int rowHeight)
{
    setUpView(table, spec);
    table->setShowGrid(false);
    table->setWordWrap(false);
    table->setCornerButtonEnabled(false);
    table->setTabKeyNavigation(false);
    table->verticalHeader()->hide();
    // Fixed heights: anything that measures rows asks every one of a million.
    table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    table->verticalHeader()->setMinimumSectionSize(kCompactRowHeight); // the style's own is that of a heading
    table->verticalHeader()->setDefaultSectionSize(Theme::scaled(rowHeight));
    setUpHeader(table->horizontalHeader(), spec);
    table->horizontalHeader()->setHighlightSections(false);
    table->horizontalHeader()->setSectionsClickable(false); // a click would select a million cells
}

void setTwoLines(QTableView *table, models::Settings *settings)
{
    const auto applyHeight = [table, settings] {
        const int lines = 2 * table->fontMetrics().height();
        table->verticalHeader()->setDefaultSectionSize(lines + (settings->compactRows() ? kGrid : 3 * kGrid));
    };
    applyHeight();
    QObject::connect(settings, &models::Settings::compactRowsChanged, table, applyHeight);
}

namespace {

/// Columns of numbers alone stand right, as their headings do.
void alignNumbers(QTableWidget *table)
{
    static const QRegularExpression number(u"^\\d[\\d,]*$"_s);
    for (int column = 0; column < table->columnCount(); ++column) {
        bool numbers = table->rowCount() > 0;
        for (int row = 0; numbers && row < table->rowCount(); ++row) {
            numbers = number.match(table->item(row, column)->text()).hasMatch();
        }
        for (int row = 0; numbers && row < table->rowCount(); ++row) {
            table->item(row, column)->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
        }
        if (numbers) {
            table->horizontalHeaderItem(column)->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
        }
    }
}

} // namespace

QTableWidget *textTable(
    const TableSpec &spec, const QStringList &header, const QList<QStringList> &rows, int rowHeight, QWidget *parent)
{
    auto *table = new QTableWidget(int(rows.size()), int(header.size()), parent);
    table->setHorizontalHeaderLabels(header);
    setUpSmallTable(table, spec, rowHeight);
    for (int row = 0; row < rows.size(); ++row) {
        for (int column = 0; column < rows.at(row).size(); ++column) {
            const QString text = models::displayText(rows.at(row).at(column));
            auto *item = new QTableWidgetItem(text);
            item->setToolTip(text);
            table->setItem(row, column, item);
        }
    }
    alignNumbers(table);
    return table;
}

void setUpTree(QTreeView *tree, const TableSpec &spec, models::Settings *settings)
{
    setUpView(tree, spec);
    tree->setUniformRowHeights(true);
    tree->setWordWrap(false);
    setUpHeader(tree->header(), spec);
    tree->setItemDelegate(new RowHeightDelegate(settings, tree));
    QObject::connect(settings, &models::Settings::compactRowsChanged, tree, [tree] { tree->doItemsLayout(); });
}

void setUpValueTree(QTreeView *tree, const TableSpec &spec)
{
    setUpView(tree, spec);
    tree->setUniformRowHeights(true);
    setUpHeader(tree->header(), spec);
    tree->setItemDelegate(new CompactDelegate(tree));
}

void fitToBadges(QTableView *table, int column, const QStringList &labels)
{
    table->installEventFilter(new BadgeFit(table, column, labels));
}

void fitToListedBadges(QTableView *table, int column)
{
    auto *fit = new BadgeFit(table, column, {});
    table->installEventFilter(fit);
    const auto measure = [table, column, fit] {
        QStringList labels;
        const int rows = std::min(table->model()->rowCount(), kBadgeRows);
        for (int row = 0; row < rows; ++row) {
            const QModelIndex index = table->model()->index(row, column);
            if (index.data(models::StateRole).isValid()) {
                labels += index.data().toString();
            }
        }
        labels.removeDuplicates();
        fit->add(labels);
    };
    QObject::connect(table->model(), &QAbstractItemModel::modelReset, fit, measure);
    QObject::connect(table->model(), &QAbstractItemModel::rowsInserted, fit, measure);
    measure();
}

void toggleBySpace(QTableView *table)
{
    table->installEventFilter(new SpaceToggle(table));
}

int leastColumnWidth(const QTableView *table, int column)
{
    return leastWidth(table->horizontalHeader(), table->model(), column);
}

void shareRoom(QTableView *table, const QList<int> &columns, int least, int most, const QList<int> &parts)
{
    new RoomSharer(table, columns, least, most, parts); // the table owns it
}

void fitToHeader(QTableView *table, int column, int least)
{
    table->setColumnWidth(column, std::max(Theme::scaled(least), leastColumnWidth(table, column)));
}

} // namespace idemdesk::ui
