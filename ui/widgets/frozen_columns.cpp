// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/frozen_columns.h"

#include "ui/theme/theme.h"

#include <QEvent>
#include <QHeaderView>
#include <QPainter>
#include <QScrollBar>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

constexpr double kMostFrozen = 0.7; // of the table's width: the others need room, too

} // namespace

FrozenColumns::FrozenColumns(QTableView *table)
    : QTableView(table)
    , m_table(table)
{
    setObjectName(u"frozenColumns"_s);
    setFocusPolicy(Qt::NoFocus); // the keyboard and screen readers go through the table itself
    setFrameShape(QFrame::NoFrame);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setShowGrid(table->showGrid());
    setAlternatingRowColors(table->alternatingRowColors());
    setSelectionBehavior(table->selectionBehavior());
    setSelectionMode(table->selectionMode());
    setVerticalScrollMode(table->verticalScrollMode());
    setWordWrap(false);
    setContextMenuPolicy(Qt::CustomContextMenu);
    verticalHeader()->hide();
    horizontalHeader()->setContextMenuPolicy(Qt::CustomContextMenu);
    horizontalHeader()->setHighlightSections(false);
    horizontalHeader()->setSectionsClickable(true);
    hide();
    wire();
}

void FrozenColumns::wire()
{
    m_table->installEventFilter(this);
    connect(m_table->verticalScrollBar(), &QScrollBar::valueChanged, verticalScrollBar(), &QScrollBar::setValue);
    connect(verticalScrollBar(), &QScrollBar::valueChanged, m_table->verticalScrollBar(), &QScrollBar::setValue);
    const QHeaderView *header = m_table->horizontalHeader();
    connect(header, &QHeaderView::sectionMoved, this, &FrozenColumns::sync);
    connect(header, &QHeaderView::sectionResized, this, &FrozenColumns::sync);
    connect(horizontalHeader(), &QHeaderView::sectionResized, this, [this](int column, int, int width) {
        if (width > 0 && m_table->columnWidth(column) != width) {
            m_table->setColumnWidth(column, width);
        }
    });
    connect(horizontalHeader(), &QHeaderView::customContextMenuRequested, this,
        [this](const QPoint &at) { emit headingMenuWanted(horizontalHeader()->mapToGlobal(at)); });
}

void FrozenColumns::setLast(int column)
{
    m_last = column;
    if (column < 0) {
        hide();
        setModel(nullptr); // rows cost memory, also those that nobody sees
        return;
    }
    if (model() != m_table->model()) {
        setModel(m_table->model());
        setSelectionModel(m_table->selectionModel());
    }
    sync();
}

void FrozenColumns::sync()
{
    if (m_last < 0 || model() == nullptr || m_last >= model()->columnCount()) {
        hide();
        return;
    }
    const QHeaderView *theirs = m_table->horizontalHeader();
    QHeaderView *ours = horizontalHeader();
    const QSignalBlocker blocker(ours);
    const int end = theirs->visualIndex(m_last);
    ours->setMinimumSectionSize(theirs->minimumSectionSize());
    ours->setDefaultAlignment(theirs->defaultAlignment());
    for (int visual = 0; visual < theirs->count(); ++visual) {
        const int column = theirs->logicalIndex(visual);
        ours->moveSection(ours->visualIndex(column), visual);
        const bool shown = visual <= end && !m_table->isColumnHidden(column);
        setColumnHidden(column, !shown);
        if (shown) {
            setColumnWidth(column, m_table->columnWidth(column));
            setItemDelegateForColumn(column, m_table->itemDelegateForColumn(column));
        }
    }
    verticalHeader()->setMinimumSectionSize(m_table->verticalHeader()->minimumSectionSize());
    verticalHeader()->setDefaultSectionSize(m_table->verticalHeader()->defaultSectionSize());
    place();
}

void FrozenColumns::place()
{
    if (m_last < 0) {
        return;
    }
    int width = 0;
    for (int column = 0; model() != nullptr && column < model()->columnCount(); ++column) {
        width += isColumnHidden(column) ? 0 : columnWidth(column);
    }
    const QRect area = m_table->viewport()->geometry();
    setGeometry(area.left(), m_table->frameWidth(), width + 1, area.height() + area.top() - m_table->frameWidth());
    horizontalHeader()->setFixedHeight(m_table->horizontalHeader()->height());
    setVisible(width > 0 && width < kMostFrozen * area.width());
    raise();
    verticalScrollBar()->setValue(m_table->verticalScrollBar()->value());
}

bool FrozenColumns::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::Resize || event->type() == QEvent::Show || event->type() == QEvent::FontChange) {
        QMetaObject::invokeMethod(
            this, &FrozenColumns::place, Qt::QueuedConnection); // once the table has laid itself out
    }
    return QTableView::eventFilter(watched, event);
}

void FrozenColumns::paintEvent(QPaintEvent *event)
{
    QTableView::paintEvent(event);
    QPainter painter(viewport());
    painter.setPen(themeColor(Token::ControlBorder));
    painter.drawLine(viewport()->rect().topRight(), viewport()->rect().bottomRight());
}

} // namespace idemdesk::ui
