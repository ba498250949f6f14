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
constexpr int kLeastSource = 8; // letters of a source; of fewer nothing can be told
constexpr int kIndent = kNoteMark + 2 * kGrid;

models::IncidentLink linkOf(const QModelIndex &index)
{
    return index.data(models::IncidentNotes::LinkRole).value<models::IncidentLink>();
}

} // namespace

/// A sentence that wraps, and beneath it, quieter and on one line, where it comes from: the tooltip has all of it. What
/// stands without a sentence, or leads nowhere, wraps. In brief what leads somewhere is one line, its source behind it.
class NoteDelegate final : public QStyledItemDelegate
{
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void setBrief(bool brief) { m_brief = brief; }
    bool brief() const { return m_brief; }

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        const bool leads = linkOf(index).kind != models::IncidentLink::Kind::None;
        const bool touched = leads && option.state.testFlag(QStyle::State_MouseOver);
        const bool current = option.state.testFlag(QStyle::State_HasFocus);
        painter->save();
        painter->setFont(option.font);
        if (touched || current) {
            drawPanel(painter, option.rect, mixed(themeColor(Token::Base), themeColor(Token::Text), 0.05), {}, kGrid);
        }
        const QRect text = textRect(option.rect);
        const QFontMetrics metrics(option.font);
        if (!index.data().toString().isEmpty()) {
            paintLevel(painter,
                QRectF(option.rect.left() + kGrid, text.top() + (metrics.height() - kNoteMark) / 2.0, kNoteMark,
                    kNoteMark),
                static_cast<models::IncidentLevel>(index.data(models::IncidentNotes::LevelOfRole).toInt()));
        }
        if (oneLine(index)) {
            paintLine(painter, text, metrics, index);
        } else {
            paintLines(painter, text, metrics, index);
        }
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
        if (oneLine(index)) {
            return { width, metrics.height() + 2 * margin() };
        }
        const auto height = [&](const QString &part) {
            return part.isEmpty() ? 0 : metrics.boundingRect(text, Qt::TextWordWrap | Qt::AlignLeft, part).height();
        };
        const QString sentence = index.data().toString();
        const QString detail = detailOf(index);
        const bool leads = linkOf(index).kind != models::IncidentLink::Kind::None;
        const int lower = sentence.isEmpty() || detail.isEmpty() || !leads ? height(detail) : metrics.height();
        return { width, height(sentence) + lower + 2 * margin() };
    }

private:
    static QString detailOf(const QModelIndex &index)
    {
        return index.data(models::IncidentNotes::DetailTextRole).toString();
    }
    bool oneLine(const QModelIndex &index) const
    {
        return m_brief && linkOf(index).kind != models::IncidentLink::Kind::None && !index.data().toString().isEmpty();
    }
    int margin() const { return m_brief ? kGrid / 2 : kGrid; }
    QRect textRect(const QRect &rect) const { return rect.adjusted(kIndent + kGrid, margin(), -kGrid, 0); }

    /// The sentence, and as much of its source as has room behind it.
    static void paintLine(QPainter *painter, const QRect &text, const QFontMetrics &metrics, const QModelIndex &index)
    {
        const QString sentence = metrics.elidedText(index.data().toString(), Qt::ElideRight, text.width());
        painter->setPen(themeColor(Token::Accent));
        painter->drawText(text, Qt::AlignLeft | Qt::AlignTop, sentence);
        const QRect rest = text.adjusted(metrics.horizontalAdvance(sentence) + 2 * kGrid, 0, 0, 0);
        if (rest.width() > kLeastSource * metrics.averageCharWidth()) {
            painter->setPen(themeColor(Token::MutedText));
            painter->drawText(
                rest, Qt::AlignLeft | Qt::AlignTop, metrics.elidedText(detailOf(index), Qt::ElideRight, rest.width()));
        }
    }

    static void paintLines(QPainter *painter, const QRect &text, const QFontMetrics &metrics, const QModelIndex &index)
    {
        const bool leads = linkOf(index).kind != models::IncidentLink::Kind::None;
        const QString sentence = index.data().toString();
        QRect drawn;
        if (!sentence.isEmpty()) {
            painter->setPen(themeColor(leads ? Token::Accent : Token::Text));
            painter->drawText(text, Qt::TextWordWrap | Qt::AlignLeft | Qt::AlignTop, sentence, &drawn);
        }
        painter->setPen(themeColor(Token::MutedText));
        const QString detail = detailOf(index);
        painter->drawText(text.adjusted(0, drawn.height(), 0, 0), Qt::TextWordWrap | Qt::AlignLeft | Qt::AlignTop,
            sentence.isEmpty() || !leads ? detail : metrics.elidedText(detail, Qt::ElideRight, text.width()));
    }

    bool m_brief = false;
};

NoteCard::NoteCard(const QString &objectName, const QString &title, models::IncidentNotes *notes, QWidget *parent)
    : QWidget(parent)
    , m_title(title)
    , m_list(new QListView(this))
    , m_delegate(new NoteDelegate(m_list))
    , m_all(new QToolButton(this))
{
    m_list->setObjectName(objectName);
    m_list->setAccessibleName(title);
    m_list->setModel(notes);
    m_list->setItemDelegate(m_delegate);
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

int NoteCard::wanted() const
{
    m_delegate->setBrief(false);
    int height = 0;
    for (int row = 0; row < m_list->model()->rowCount(); ++row) {
        height += m_list->sizeHintForIndex(m_list->model()->index(row, 0)).height();
    }
    return height;
}

/// The list ends at a whole entry; how many there are says the button beside the title. Where not all of them have room
/// they are brief: more of them are seen then.
void NoteCard::fit()
{
    const QAbstractItemModel *notes = m_list->model();
    const int room = height() - m_list->y() - 2 * kGrid;
    const bool before = m_delegate->brief();
    m_delegate->setBrief(wanted() > room);
    if (m_delegate->brief() != before) {
        m_list->doItemsLayout();
    }
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
