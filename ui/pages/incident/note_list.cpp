// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/incident/note_list.h"

#include "models/incident/incident_notes.h"
#include "ui/pages/incident/incident_tile.h"
#include "ui/theme/surfaces.h"
#include "ui/theme/theme.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"

#include <QEvent>
#include <QPainter>
#include <QScrollBar>
#include <QStyledItemDelegate>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

constexpr int kNoteMark = 9; // pixels, of a level's shape
constexpr int kIndent = kNoteMark + 2 * kGrid;

models::IncidentLink linkOf(const QModelIndex &index)
{
    return index.data(models::IncidentNotes::LinkRole).value<models::IncidentLink>();
}

/// A sentence that wraps, and beneath it, quieter and on one line, where it comes from: the tooltip has all of it. What
/// stands without a sentence, or leads nowhere, wraps.
class NoteDelegate final : public QStyledItemDelegate
{
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        const bool leads = linkOf(index).kind != models::IncidentLink::Kind::None;
        const bool touched = leads && option.state.testFlag(QStyle::State_MouseOver);
        const bool current = option.state.testFlag(QStyle::State_HasFocus);
        painter->save();
        if (touched || current) {
            drawPanel(painter, option.rect, mixed(themeColor(Token::Base), themeColor(Token::Text), 0.05), {}, kGrid);
        }
        const QRect text = textRect(option.rect);
        const QString sentence = index.data().toString();
        const auto level = static_cast<models::IncidentLevel>(index.data(models::IncidentNotes::LevelOfRole).toInt());
        int used = 0;
        if (!sentence.isEmpty()) {
            const QFontMetrics metrics(option.font);
            paintLevel(painter,
                QRectF(option.rect.left() + kGrid, text.top() + (metrics.height() - kNoteMark) / 2.0, kNoteMark,
                    kNoteMark),
                level);
            painter->setPen(themeColor(leads ? Token::Accent : Token::Text));
            QRect drawn;
            painter->setFont(option.font);
            painter->drawText(text, Qt::TextWordWrap | Qt::AlignLeft | Qt::AlignTop, sentence, &drawn);
            used = drawn.height();
        }
        painter->setPen(themeColor(Token::MutedText));
        const QString detail = index.data(models::IncidentNotes::DetailTextRole).toString();
        painter->drawText(text.adjusted(0, used, 0, 0), Qt::TextWordWrap | Qt::AlignLeft | Qt::AlignTop,
            sentence.isEmpty() || !leads ? detail
                                         : QFontMetrics(option.font).elidedText(detail, Qt::ElideRight, text.width()));
        painter->restore();
        if (current) {
            drawFocusRing(painter, option.rect, kGrid);
        }
    }

    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        // As if the scroll bar were there: it comes once the heights are known.
        const auto *view = qobject_cast<const QListView *>(option.widget);
        const int width
            = view != nullptr ? view->width() - view->verticalScrollBar()->sizeHint().width() : option.rect.width();
        const QRect text = textRect(QRect(0, 0, width, 10'000));
        const QFontMetrics metrics(option.font);
        const auto height = [&](const QString &part) {
            return part.isEmpty() ? 0 : metrics.boundingRect(text, Qt::TextWordWrap | Qt::AlignLeft, part).height();
        };
        const QString sentence = index.data().toString();
        const QString detail = index.data(models::IncidentNotes::DetailTextRole).toString();
        const bool leads = linkOf(index).kind != models::IncidentLink::Kind::None;
        const int lower = sentence.isEmpty() || detail.isEmpty() || !leads ? height(detail) : metrics.height();
        return { width, height(sentence) + lower + 2 * kGrid };
    }

private:
    static QRect textRect(const QRect &rect) { return rect.adjusted(kIndent + kGrid, kGrid, -kGrid, 0); }
};

} // namespace

NoteCard::NoteCard(const QString &objectName, const QString &title, models::IncidentNotes *notes, QWidget *parent)
    : QWidget(parent)
    , m_title(title)
    , m_list(new QListView(this))
    , m_all(new QToolButton(this))
{
    m_list->setObjectName(objectName);
    m_list->setAccessibleName(title);
    m_list->setModel(notes);
    m_list->setItemDelegate(new NoteDelegate(m_list));
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setResizeMode(QListView::Adjust);
    m_list->setSelectionMode(QAbstractItemView::NoSelection);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_list->setMouseTracking(true);
    m_list->viewport()->setAutoFillBackground(false);
    m_all->setObjectName(objectName + u"All"_s);
    m_all->setAutoRaise(true);
    m_all->setFocusPolicy(Qt::StrongFocus);
    QSizePolicy stays = m_all->sizePolicy();
    stays.setRetainSizeWhenHidden(true); // the list stays where it is
    m_all->setSizePolicy(stays);
    m_all->hide();
    QLabel *heading = strongLabel(title, this);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(2 * kGrid, 2 * kGrid, 2 * kGrid, 2 * kGrid);
    layout->setSpacing(kGrid);
    heading->setContentsMargins(kGrid, 0, 0, 0);
    layout->addLayout(barRow({ heading, nullptr, m_all }));
    layout->addWidget(m_list, 1);
    layout->addStretch(0);
    const auto open = [this](const QModelIndex &index) {
        if (const models::IncidentLink link = linkOf(index); link.kind != models::IncidentLink::Kind::None) {
            emit linkActivated(link);
        }
    };
    connect(m_all, &QToolButton::clicked, this, &NoteCard::allWanted);
    connect(notes, &QAbstractItemModel::modelReset, this, &NoteCard::fitLater);
    connect(notes, &QAbstractItemModel::dataChanged, this, &NoteCard::fitLater);
    connect(m_list, &QListView::clicked, this, open);
    connect(m_list, &QListView::activated, this, open);
}

void NoteCard::setExpanded(bool expanded)
{
    m_expanded = expanded;
    fitLater();
}

void NoteCard::setScrollable(bool scrollable)
{
    m_list->setVerticalScrollBarPolicy(scrollable ? Qt::ScrollBarAsNeeded : Qt::ScrollBarAlwaysOff);
    m_all->setEnabled(scrollable);
    fitLater();
}

void NoteCard::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    fit();
}

void NoteCard::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange) {
        fitLater();
    }
}

/// Once the list has its new lines and its new width.
void NoteCard::fitLater()
{
    QMetaObject::invokeMethod(this, &NoteCard::fit, Qt::QueuedConnection);
}

/// The list ends at a whole entry; how many there are says the button beside the title.
void NoteCard::fit()
{
    const QAbstractItemModel *notes = m_list->model();
    const int room = height() - m_list->y() - 2 * kGrid;
    int used = 0;
    int shown = 0;
    int entries = 0;
    for (int row = 0; row < notes->rowCount(); ++row) {
        const int next = m_list->sizeHintForIndex(notes->index(row, 0)).height();
        shown += shown == row && (row == 0 || used + next <= room) ? 1 : 0;
        used += shown > row ? next : 0;
        entries += notes->index(row, 0).data().toString().isEmpty() ? 0 : 1;
    }
    m_list->setMaximumHeight(std::max(1, std::min(used, room)));
    m_all->setText(m_expanded ? tr("Fewer")
            : m_kinds         ? tr("All %n kind(s)", nullptr, entries)
                              : tr("All %n", nullptr, entries));
    m_all->setAccessibleName(m_expanded ? tr("Show fewer: %1").arg(m_title) : tr("Show all: %1").arg(m_title));
    m_all->setVisible(m_all->isEnabled() && (m_expanded || shown < entries));
}

void NoteCard::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    drawPanel(&painter, rect(), themeColor(Token::Base), themeColor(Token::Border), kRadius);
}

} // namespace idemdesk::ui
