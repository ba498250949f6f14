// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/headings.h"

#include "models/table/headed_rows.h"
#include "ui/theme/theme.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QTableView>
#include <algorithm>
#include <optional>

namespace idemdesk::ui {

namespace {

class Headings final : public QObject
{
public:
    Headings(QTableView *table, models::HeadedRows *rows)
        : QObject(table)
        , m_table(table)
        , m_rows(rows)
    {
        connect(rows, &QAbstractItemModel::modelReset, this, &Headings::layOut);
        connect(table, &QTableView::clicked, this, [this](const QModelIndex &index) { turn(index.row()); });
        table->installEventFilter(this);
        layOut();
    }

    bool eventFilter(QObject *, QEvent *event) override
    {
        if (event->type() == QEvent::FontChange) { // after the theme has scaled the rows
            QMetaObject::invokeMethod(
                this, [this] { layOut(); }, Qt::QueuedConnection);
        }
        if (event->type() != QEvent::KeyPress || folded(m_table->currentIndex().row()) == std::nullopt) {
            return false;
        }
        const int row = m_table->currentIndex().row();
        switch (static_cast<const QKeyEvent *>(event)->key()) {
        case Qt::Key_Space:
        case Qt::Key_Return:
        case Qt::Key_Enter:
            turn(row);
            return true;
        case Qt::Key_Left:
        case Qt::Key_Right:
            if (*folded(row) == (static_cast<const QKeyEvent *>(event)->key() == Qt::Key_Right)) {
                turn(row);
            }
            return true;
        default:
            return false;
        }
    }

private:
    /// Nothing: no heading, or one whose rows cannot be hidden.
    std::optional<bool> folded(int row) const
    {
        const QVariant told = m_rows->index(row, m_rows->headingColumn()).data(models::FoldedRole);
        return told.isValid() ? std::optional(told.toBool()) : std::nullopt;
    }

    void turn(int row)
    {
        if (const auto is = folded(row)) {
            const int group = m_rows->groupAt(row);
            m_rows->setFolded(group, !*is);
            for (int at = 0; at < m_rows->rowCount(); ++at) { // what was turned stays the current one
                if (m_rows->isHeading(at) && m_rows->groupAt(at) == group) {
                    m_table->setCurrentIndex(m_rows->index(at, m_rows->headingColumn()));
                }
            }
        }
    }

    void layOut()
    {
        m_table->clearSpans();
        const int ofRow = m_table->verticalHeader()->defaultSectionSize();
        const int ofHeading = std::max(kRowHeight, m_table->fontMetrics().height() + 2 * kGrid) + kGrid;
        for (int row = 0; row < m_rows->rowCount(); ++row) {
            const bool heading = m_rows->isHeading(row);
            // The view keeps heights by place: where a heading was, a row may stand now.
            if (const int height = heading ? ofHeading : ofRow; m_table->rowHeight(row) != height) {
                m_table->setRowHeight(row, height);
            }
            if (heading) {
                m_table->setSpan(row, m_rows->headingColumn(), 1, m_rows->columnCount() - m_rows->headingColumn());
            }
        }
    }

    QTableView *m_table;
    models::HeadedRows *m_rows;
};

} // namespace

void setUpHeadings(
    QTableView *table, models::HeadedRows *rows, HeadingDelegate::BadgeOf badgeOf, QAbstractItemDelegate *ofRows)
{
    table->setItemDelegateForColumn(rows->headingColumn(), new HeadingDelegate(badgeOf, ofRows, table));
    new Headings(table, rows);
}

} // namespace idemdesk::ui
