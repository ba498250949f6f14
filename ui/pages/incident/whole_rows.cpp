// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/incident/whole_rows.h"

#include "ui/theme/theme.h"

#include <QAbstractItemModel>
#include <QEvent>
#include <QHeaderView>
#include <QScopedValueRollback>
#include <QScrollBar>
#include <QTableView>
#include <algorithm>

namespace idemdesk::ui {

WholeRows::WholeRows(QTableView *table, int growingFrom, QWidget *parent)
    : QWidget(parent)
    , m_table(table)
    , m_growingFrom(growingFrom)
{
    table->setParent(this);
    table->setVerticalScrollMode(QAbstractItemView::ScrollPerItem);
    table->horizontalScrollBar()->installEventFilter(this);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    connect(table->model(), &QAbstractItemModel::modelReset, this, &WholeRows::fitLater);
    connect(table->model(), &QAbstractItemModel::rowsInserted, this, &WholeRows::fitLater);
    connect(table->model(), &QAbstractItemModel::rowsRemoved, this, &WholeRows::fitLater);
    // By the settings, or by the theme with the size of texts.
    connect(table->verticalHeader(), &QHeaderView::sectionResized, this, &WholeRows::fitLater);
}

QSize WholeRows::sizeHint() const
{
    return m_table->sizeHint();
}

QSize WholeRows::minimumSizeHint() const
{
    return m_table->minimumSizeHint();
}

void WholeRows::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    fit();
}

void WholeRows::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) {
        fitLater();
    }
}

/// A horizontal scroll bar takes its room from the rows.
bool WholeRows::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::Show || event->type() == QEvent::Hide) {
        fitLater();
    }
    return QWidget::eventFilter(watched, event);
}

int WholeRows::besideRows() const
{
    const QHeaderView *header = m_table->horizontalHeader();
    const int titles = header->isHidden() ? 0 : std::max(header->minimumHeight(), header->sizeHint().height());
    const QScrollBar *bar = m_table->horizontalScrollBar();
    return 2 * m_table->frameWidth() + titles + (bar->isVisibleTo(m_table) ? bar->sizeHint().height() : 0);
}

void WholeRows::fitLater()
{
    if (m_fitting || m_waiting) {
        return;
    }
    m_waiting = true;
    QMetaObject::invokeMethod(
        this,
        [this] {
            m_waiting = false;
            fit();
        },
        Qt::QueuedConnection);
}

void WholeRows::fit()
{
    const QScopedValueRollback fitting(m_fitting, true);
    const int usual
        = m_growingFrom > 0 ? Theme::scaled(m_growingFrom) : m_table->verticalHeader()->defaultSectionSize();
    const int room = height() - besideRows();
    int row = usual;
    int used = height();
    if (usual > 0 && m_table->model()->rowCount() * usual > room) {
        const int whole = std::max(1, room / usual);
        if (m_growingFrom > 0) {
            row = std::clamp(room / whole, usual, usual + usual / 4);
        }
        used = std::min(used, besideRows() + whole * row);
    }
    if (m_growingFrom > 0) {
        m_table->verticalHeader()->setDefaultSectionSize(row);
    }
    m_table->setGeometry(0, 0, width(), used);
}

} // namespace idemdesk::ui
