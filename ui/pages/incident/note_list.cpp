// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/incident/note_list.h"

#include "models/incident/incident_notes.h"
#include "ui/pages/incident/incident_tile.h"
#include "ui/theme/surfaces.h"
#include "ui/theme/theme.h"
#include "ui/widgets/labels.h"

#include <QEvent>
#include <QLinearGradient>
#include <QPainter>
#include <QScrollBar>
#include <QStyledItemDelegate>
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
/// stands without a sentence wraps.
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
            sentence.isEmpty() ? detail : QFontMetrics(option.font).elidedText(detail, Qt::ElideRight, text.width()));
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
        const int lower = sentence.isEmpty() || detail.isEmpty() ? height(detail) : metrics.height();
        return { width, height(sentence) + lower + 2 * kGrid };
    }

private:
    static QRect textRect(const QRect &rect) { return rect.adjusted(kIndent + kGrid, kGrid, -kGrid, 0); }
};

/// A fading edge where a list goes on beneath: what is cut there is told from what ends there.
class FadingFoot final : public QWidget
{
public:
    explicit FadingFoot(QListView *list)
        : QWidget(list)
        , m_list(list)
    {
        setObjectName(u"fadingFoot"_s);
        setAttribute(Qt::WA_TransparentForMouseEvents);
        list->viewport()->installEventFilter(this);
        connect(list->verticalScrollBar(), &QScrollBar::valueChanged, this, &FadingFoot::place);
        connect(list->verticalScrollBar(), &QScrollBar::rangeChanged, this, &FadingFoot::place);
        place();
    }

protected:
    bool eventFilter(QObject *watched, QEvent *event) override
    {
        if (event->type() == QEvent::Resize || event->type() == QEvent::Move) {
            place();
        }
        return QWidget::eventFilter(watched, event);
    }
    void paintEvent(QPaintEvent *) override
    {
        QColor ground = themeColor(Token::Base);
        QLinearGradient fade(0, 0, 0, height());
        fade.setColorAt(1, ground);
        ground.setAlpha(0);
        fade.setColorAt(0, ground);
        QPainter(this).fillRect(rect(), fade);
    }

private:
    void place()
    {
        const QRect seen = m_list->viewport()->geometry();
        const int high = std::min(seen.height(), m_list->fontMetrics().height() + 2 * kGrid);
        setGeometry(seen.left(), seen.bottom() + 1 - high, seen.width(), high);
        setVisible(m_list->verticalScrollBar()->value() < m_list->verticalScrollBar()->maximum());
        raise();
    }

    QListView *m_list;
};

} // namespace

NoteCard::NoteCard(const QString &objectName, const QString &title, models::IncidentNotes *notes, QWidget *parent)
    : QWidget(parent)
    , m_list(new QListView(this))
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
    new FadingFoot(m_list);
    QLabel *heading = strongLabel(title, this);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(2 * kGrid, 2 * kGrid, 2 * kGrid, 2 * kGrid);
    layout->setSpacing(kGrid);
    heading->setContentsMargins(kGrid, 0, 0, 0);
    layout->addWidget(heading);
    layout->addWidget(m_list, 1);
    const auto open = [this](const QModelIndex &index) {
        if (const models::IncidentLink link = linkOf(index); link.kind != models::IncidentLink::Kind::None) {
            emit linkActivated(link);
        }
    };
    connect(m_list, &QListView::clicked, this, open);
    connect(m_list, &QListView::activated, this, open);
}

void NoteCard::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    drawPanel(&painter, rect(), themeColor(Token::Base), themeColor(Token::Border), kRadius);
}

} // namespace idemdesk::ui
