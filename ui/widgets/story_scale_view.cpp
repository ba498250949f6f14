// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/story_scale_view.h"

#include "ui/theme/theme.h"
#include "ui/widgets/plain_tool_tips.h"

#include <QHelpEvent>
#include <QPainter>
#include <algorithm>
#include <array>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

using Kind = models::StoryEvent::Kind;
using Span = models::StoryScale::Span;

constexpr int kScaleHeight = 88; // pixels
constexpr int kScaleSide = 20; // left and right of the axis
constexpr double kSign = 5; // half of a sign's width
constexpr int kAxisAt = 34; // from the top
constexpr int kBarHalf = 6; // of an attempt's bar
constexpr int kBracketAt = 52;
constexpr int kBracketLeg = 5;
constexpr int kMostGapLines = 3; // as many cuts as there are

Token signToken(Kind kind)
{
    switch (kind) {
    case Kind::Created:
        return Token::Pending;
    case Kind::Claimed:
    case Kind::Heartbeat:
    case Kind::Updated:
        return Token::InProgress;
    case Kind::LeaseEnds:
    case Kind::Expires:
        return Token::Stale;
    case Kind::Completed:
    case Kind::Effect:
        return Token::Succeeded;
    case Kind::EffectMissing:
        return Token::FailedRetryable;
    case Kind::EffectUnreadable:
        return Token::Unknown;
    case Kind::Conflict:
        return Token::FailedFinal;
    case Kind::Lock:
    case Kind::CacheEnds:
        return Token::Stale;
    case Kind::Cached:
        return Token::InProgress;
    case Kind::Action:
    case Kind::Now:
        return Token::Accent;
    case Kind::Silence:
        return Token::Border;
    }
    return Token::Pending;
}

/// Around the origin.
QPolygonF signShape(Kind kind)
{
    switch (kind) {
    case Kind::Effect:
    case Kind::EffectMissing:
    case Kind::EffectUnreadable:
        return { { { 0, -kSign - 1 }, { kSign + 1, 0 }, { 0, kSign + 1 }, { -kSign - 1, 0 } } };
    case Kind::Conflict:
        return { { { 0, -kSign - 1 }, { kSign + 1, kSign }, { -kSign - 1, kSign } } };
    case Kind::Action:
    case Kind::Lock:
    case Kind::Cached:
        return { { { -kSign, -kSign }, { kSign, -kSign }, { kSign, kSign }, { -kSign, kSign } } };
    case Kind::LeaseEnds:
    case Kind::Expires:
    case Kind::CacheEnds:
        return { { { -kSign, -kSign }, { kSign, -kSign }, { 0, kSign } } };
    case Kind::Created:
    case Kind::Claimed:
    case Kind::Heartbeat:
    case Kind::Updated:
    case Kind::Completed:
    case Kind::Now:
    case Kind::Silence:
        break; // a dot
    }
    return {};
}

} // namespace

void paintStorySign(QPainter *painter, const QPointF &place, Kind kind, bool future)
{
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    const QColor color = themeColor(signToken(kind));
    const bool hollow = future || kind == Kind::EffectMissing || kind == Kind::EffectUnreadable;
    painter->setPen(QPen(color, 2, future ? Qt::DotLine : Qt::SolidLine));
    painter->setBrush(hollow ? QBrush(themeColor(Token::Base)) : QBrush(color));
    painter->translate(place);
    const QPolygonF shape = signShape(kind);
    if (shape.isEmpty()) {
        painter->drawEllipse(QPointF(0, 0), kSign - 0.5, kSign - 0.5);
    } else {
        painter->setPen(QPen(color, 1.5, future ? Qt::DotLine : Qt::SolidLine));
        painter->drawPolygon(shape);
    }
    painter->restore();
}

StoryScaleView::StoryScaleView(models::StoryModel *story, QWidget *parent)
    : QWidget(parent)
    , m_story(story)
{
    setObjectName(u"storyScale"_s);
    setAccessibleName(tr("Story to scale"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(story, &QAbstractItemModel::modelReset, this, &StoryScaleView::sync);
    sync();
}

void StoryScaleView::sync()
{
    m_scale = models::scaleOf(m_story->events());
    setAccessibleDescription(m_scale.text());
    setVisible(!m_scale.empty());
    updateGeometry();
    update();
}

int StoryScaleView::gapLines() const
{
    return std::clamp(int(m_scale.gaps.size()), 1, kMostGapLines);
}

QSize StoryScaleView::sizeHint() const
{
    // They may stand so close that their labels need a line each.
    return { 200, kScaleHeight + (gapLines() - 1) * fontMetrics().height() };
}

double StoryScaleView::placeOf(double at) const
{
    return kScaleSide + at * (width() - 2 * kScaleSide);
}

bool StoryScaleView::event(QEvent *event)
{
    if (event->type() != QEvent::ToolTip) {
        return QWidget::event(event);
    }
    const auto *help = static_cast<QHelpEvent *>(event);
    QStringList near; // several may stand in one place
    for (const models::StoryScale::Mark &mark : m_scale.marks) {
        if (std::abs(placeOf(mark.at) - help->pos().x()) <= 2 * kSign && help->pos().y() < kBracketAt) {
            near += mark.text;
        }
    }
    for (const Span &span : m_scale.spans) {
        const bool below = help->pos().y() >= kBracketAt - kBracketLeg;
        if (help->pos().x() >= placeOf(span.from) && help->pos().x() <= placeOf(span.to)
            && below == (span.kind == Span::Kind::Lease)) {
            near += span.text;
        }
    }
    PlainToolTips::show(help->globalPos(), near.join(u'\n'), this);
    return true;
}

void StoryScaleView::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    paintAxis(&painter);
    paintSpans(&painter);
    paintGaps(&painter);
    paintMarks(&painter);
}

void StoryScaleView::paintAxis(QPainter *painter) const
{
    const QColor line = themeColor(Token::ControlBorder);
    painter->setPen(QPen(line, 2));
    painter->drawLine(QPointF(placeOf(0), kAxisAt), QPointF(placeOf(m_scale.now), kAxisAt));
    if (m_scale.now < 1) {
        painter->setPen(QPen(line, 2, Qt::DotLine));
        painter->drawLine(QPointF(placeOf(m_scale.now), kAxisAt), QPointF(placeOf(1), kAxisAt));
    }
    const double now = placeOf(m_scale.now);
    painter->setPen(QPen(themeColor(Token::Accent), 1));
    painter->drawLine(QPointF(now, kAxisAt - 4 * kGrid), QPointF(now, kAxisAt + 2 * kGrid));
    const QString text = tr("now");
    const double wide = fontMetrics().horizontalAdvance(text);
    painter->drawText(
        QRectF(std::clamp(now - wide / 2, 0.0, std::max(0.0, width() - wide)), 0, wide + 1, fontMetrics().height()),
        Qt::AlignCenter, text);
}

void StoryScaleView::paintSpans(QPainter *painter) const
{
    for (const Span &span : m_scale.spans) {
        const QRectF bar(QPointF(placeOf(span.from), kAxisAt - kBarHalf),
            QPointF(std::max(placeOf(span.to), placeOf(span.from) + 2), kAxisAt + kBarHalf));
        if (span.kind != Span::Kind::Lease) {
            const QColor color = themeColor(Token::InProgress);
            painter->setPen(QPen(color, 1, span.kind == Span::Kind::Attempt ? Qt::SolidLine : Qt::DashLine));
            painter->setBrush(span.kind == Span::Kind::Attempt ? QBrush(mixed(themeColor(Token::Base), color, 0.45))
                                                               : QBrush(color, Qt::BDiagPattern));
            painter->drawRoundedRect(bar, 3, 3);
            continue;
        }
        const auto bracket = [&](double from, double to, Qt::PenStyle style) {
            painter->setPen(QPen(themeColor(Token::Stale), 1.5, style));
            painter->drawLine(QPointF(from, kBracketAt), QPointF(to, kBracketAt));
        };
        bracket(bar.left(), std::min(bar.right(), placeOf(m_scale.now)), Qt::SolidLine);
        if (bar.right() > placeOf(m_scale.now)) { // it still runs
            bracket(placeOf(m_scale.now), bar.right(), Qt::DotLine);
        }
        painter->setPen(QPen(themeColor(Token::Stale), 1.5));
        for (const double end : { bar.left(), bar.right() }) {
            painter->drawLine(QPointF(end, kBracketAt), QPointF(end, kBracketAt - kBracketLeg));
        }
        const double wide = fontMetrics().horizontalAdvance(span.text);
        painter->setPen(themeColor(Token::MutedText));
        painter->drawText(QRectF(std::clamp(bar.center().x() - wide / 2, 0.0, std::max(0.0, width() - wide)),
                              kBracketAt + kGrid / 2.0, wide + 1, fontMetrics().height()),
            Qt::AlignCenter, span.text);
    }
}

/// Two slashes where the axis is cut, and beneath them how much of it: a line leads from each label to its place, which
/// no other label lies on. One that finds no room beside the others is left out: tool tip and description have all.
void StoryScaleView::paintGaps(QPainter *painter) const
{
    const int line = fontMetrics().height();
    const int lines = gapLines();
    std::array<double, kMostGapLines> taken {}; // how far the labels of each line reach
    for (const models::StoryScale::Gap &gap : m_scale.gaps) {
        const double middle = placeOf((gap.from + gap.to) / 2);
        painter->fillRect(QRectF(middle - kGrid, kAxisAt - 2 * kGrid, 2 * kGrid, 4 * kGrid), themeColor(Token::Base));
        painter->setPen(QPen(themeColor(Token::MutedText), 1.5));
        for (const double x : { middle - kGrid, middle + kGrid }) {
            painter->drawLine(QPointF(x - 3, kAxisAt + 6), QPointF(x + 3, kAxisAt - 6));
        }
        const double wide = fontMetrics().horizontalAdvance(gap.text) + 1;
        // Several stand at the left of their lines, so that those of later times pass them by.
        const double wanted = lines > 1 ? middle - wide - kGrid : middle - wide / 2;
        const double left = std::clamp(wanted, 0.0, std::max(0.0, width() - wide));
        const auto free
            = std::find_if(taken.begin(), taken.begin() + lines, [left](double reach) { return left >= reach; });
        if (free == taken.begin() + lines) {
            continue;
        }
        const auto row = free - taken.begin();
        *free = left + wide + 2 * kGrid;
        const double top = kScaleHeight - line + double(row) * line;
        if (lines > 1) {
            std::for_each(taken.begin(), free, [middle](double &reach) { reach = std::max(reach, middle + kGrid); });
            painter->setPen(QPen(themeColor(Token::ControlBorder), 1));
            painter->drawLine(QPointF(middle, kAxisAt + 2 * kGrid), QPointF(middle, top + line / 2.0));
            painter->drawLine(QPointF(left + wide, top + line / 2.0), QPointF(middle, top + line / 2.0));
        }
        painter->setPen(themeColor(gap.future ? Token::MutedText : Token::Text));
        painter->drawText(QRectF(left, top, wide, line), Qt::AlignCenter, gap.text);
    }
}

/// Signs of one moment stand above each other, the first on the axis: beside each other they would be of several.
void StoryScaleView::paintMarks(QPainter *painter) const
{
    constexpr int kMostAbove = 2; // signs; what is more lies on the last
    constexpr double kStep = 2 * kSign + 2;
    double last = -kStep;
    int above = 0;
    for (const models::StoryScale::Mark &mark : m_scale.marks) {
        if (mark.kind == Kind::Now) {
            continue;
        }
        const double x = placeOf(mark.at);
        above = x - last < kStep ? std::min(above + 1, kMostAbove) : 0;
        last = above == 0 ? x : last;
        paintStorySign(painter, QPointF(last, kAxisAt - above * kStep), mark.kind, mark.future);
    }
}

} // namespace idemdesk::ui
