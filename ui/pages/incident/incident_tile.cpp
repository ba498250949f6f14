// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/incident/incident_tile.h"

#include "models/format/display_text.h"
#include "ui/charts/sparkline.h"
#include "ui/theme/surfaces.h"
#include "ui/theme/theme.h"

#include <QPainter>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

constexpr int kTileHeight = 128; // pixels
constexpr int kLargeHeight = 200;
constexpr int kTileWidth = 136;
constexpr int kLevelSize = 9;
constexpr double kLargeFigure = 1.7; // of a figure's size on a desk
constexpr double kLargeWord = 1.5; // of the other texts' size
constexpr double kOldOpacity = 0.45;
constexpr double kSmallestFigure = 12; // points
constexpr double kFigurePart = 0.6; // of the width, where the day stands beside it

} // namespace

Token tokenOf(models::IncidentLevel level)
{
    switch (level) {
    case models::IncidentLevel::Quiet:
        return Token::Succeeded;
    case models::IncidentLevel::Watch:
        return Token::Warning;
    case models::IncidentLevel::Act:
        return Token::Danger;
    case models::IncidentLevel::Nothing:
        return Token::MutedText;
    case models::IncidentLevel::Unknown:
        break;
    }
    return Token::Unknown;
}

void paintLevel(QPainter *painter, const QRectF &box, models::IncidentLevel level)
{
    const QColor color = themeColor(tokenOf(level));
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(QPen(color, 1.6, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter->setBrush(Qt::NoBrush);
    switch (level) {
    case models::IncidentLevel::Quiet:
        painter->drawPolyline(QPolygonF { { box.left(), box.center().y() },
            { box.left() + box.width() * 0.38, box.bottom() - 1 }, { box.right(), box.top() + 1 } });
        break;
    case models::IncidentLevel::Watch:
        painter->drawEllipse(box);
        break;
    case models::IncidentLevel::Act:
        painter->setBrush(color);
        painter->drawPolygon(QPolygonF { { box.center().x(), box.top() }, box.bottomRight(), box.bottomLeft() });
        break;
    case models::IncidentLevel::Nothing:
        painter->drawLine(QPointF(box.left(), box.center().y()), QPointF(box.right(), box.center().y()));
        break;
    case models::IncidentLevel::Unknown: {
        QFont font = painter->font();
        font.setBold(true);
        painter->setFont(font);
        painter->drawText(box.adjusted(-4, -4, 4, 4), Qt::AlignCenter, u"?"_s);
        break;
    }
    }
    painter->restore();
}

IncidentTileButton::IncidentTileButton(QWidget *parent)
    : QAbstractButton(parent)
{
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(this, &QAbstractButton::clicked, this, [this] {
        if (m_tile.link.kind != models::IncidentLink::Kind::None) {
            emit linkActivated(m_tile.link);
        }
    });
}

void IncidentTileButton::setTile(const models::IncidentTile &tile)
{
    m_tile = tile;
    setObjectName(u"tile_"_s + tile.id);
    const QString figure = tile.figure.isEmpty() ? tr("not known") : tile.figure + u' ' + tile.unit;
    QStringList parts { tr("%1: %2").arg(tile.title, figure.trimmed()), tile.word };
    if (!tile.why.isEmpty()) {
        parts += models::displayText(tile.why, models::kToolTipChars);
    }
    setAccessibleName(parts.join(u". "_s));
    setToolTip(parts.join(u'\n'));
    setCursor(tile.link.kind == models::IncidentLink::Kind::None ? Qt::ArrowCursor : Qt::PointingHandCursor);
    update();
}

void IncidentTileButton::setOld(bool old)
{
    if (old != m_old) {
        m_old = old;
        update();
    }
}

void IncidentTileButton::setLarge(bool large)
{
    m_large = large;
    updateGeometry();
    update();
}

void IncidentTileButton::setCompact(bool compact)
{
    if (compact != m_compact) {
        m_compact = compact;
        updateGeometry();
        update();
    }
}

QSize IncidentTileButton::sizeHint() const
{
    return { kTileWidth, tileHeight() };
}

/// Of a title, a figure and a word with room between them, however large the texts are.
int IncidentTileButton::tileHeight() const
{
    const int words = 3 * QFontMetrics(wordFont()).height() + QFontMetrics(figureFont()).capHeight() + 4 * kGrid;
    return compact() ? words + 2 * kGrid : std::max(Theme::scaled(m_large ? kLargeHeight : kTileHeight), words * 5 / 4);
}

QSize IncidentTileButton::minimumSizeHint() const
{
    return { 96, tileHeight() };
}

void IncidentTileButton::enterEvent(QEnterEvent *)
{
    update();
}

void IncidentTileButton::leaveEvent(QEvent *)
{
    update();
}

/// On a wall what a figure is of must be read from as far as the figure.
QFont IncidentTileButton::wordFont() const
{
    QFont large = font();
    large.setPointSizeF(large.pointSizeF() * (m_large ? kLargeWord : 1.0));
    return large;
}

int IncidentTileButton::levelSize() const
{
    return m_large ? int(kLevelSize * kLargeWord) : kLevelSize;
}

QFont IncidentTileButton::figureFont() const
{
    QFont font = Theme::display();
    font.setPointSizeF(font.pointSizeF() * (m_large ? kLargeFigure : 1.0));
    return Theme::figures(font);
}

void IncidentTileButton::paintHead(QPainter *painter, const QRect &area) const
{
    const QFontMetrics metrics(wordFont());
    painter->setFont(wordFont());
    painter->setPen(themeColor(Token::MutedText));
    const QRect title(area.left(), area.top(), area.width(), metrics.height());
    painter->drawText(
        title, Qt::AlignLeft | Qt::AlignVCenter, metrics.elidedText(m_tile.title, Qt::ElideRight, title.width()));
    const int used = metrics.horizontalAdvance(m_tile.title) + 2 * kGrid;
    if (compact() && !m_tile.figure.isEmpty() && title.width() - used >= metrics.horizontalAdvance(m_tile.unit)) {
        painter->drawText(title, Qt::AlignRight | Qt::AlignVCenter, m_tile.unit); // the day stands beside the figure
    }
    const QRect word = wordRect(area);
    const QRectF mark(area.left(), word.top() + (metrics.height() - levelSize()) / 2.0, levelSize(), levelSize());
    paintLevel(painter, mark, m_tile.level);
    painter->setPen(themeColor(tokenOf(m_tile.level)));
    painter->drawText(word, Qt::AlignLeft | Qt::AlignVCenter, wordLine(word.width()));
}

/// Where it names a scope, the name may be cut, and not what is said of it: "create_o… ×41".
QString IncidentTileButton::wordLine(int width) const
{
    const QFontMetrics metrics(wordFont());
    const qsizetype end = std::max(m_tile.word.lastIndexOf(u" ×"_s), m_tile.word.lastIndexOf(u": "_s));
    if (end < 0 || metrics.horizontalAdvance(m_tile.word) <= width) {
        return metrics.elidedText(m_tile.word, Qt::ElideRight, width);
    }
    const QString said = m_tile.word.mid(end);
    return metrics.elidedText(m_tile.word.left(end), Qt::ElideRight, width - metrics.horizontalAdvance(said)) + said;
}

QRect IncidentTileButton::wordRect(const QRect &area) const
{
    const int indent = levelSize() + kGrid + 2;
    const int height = QFontMetrics(wordFont()).height();
    return { area.left() + indent, area.bottom() - height, area.width() - indent, height };
}

/// The figure is made smaller until it fits; what it counts stands behind it where there is room.
void IncidentTileButton::paintFigure(QPainter *painter, const QRect &area) const
{
    QFont large = figureFont();
    const QString text = m_tile.figure.isEmpty() ? u"–"_s : m_tile.figure;
    while (QFontMetrics(large).horizontalAdvance(text) > area.width() && large.pointSizeF() > kSmallestFigure) {
        large.setPointSizeF(large.pointSizeF() - 1);
    }
    painter->setFont(large);
    const bool loud = m_tile.level == models::IncidentLevel::Act || m_tile.level == models::IncidentLevel::Watch;
    const bool none = m_tile.figure.isEmpty() || m_tile.level == models::IncidentLevel::Nothing;
    painter->setPen(themeColor(none ? Token::MutedText : loud ? tokenOf(m_tile.level) : Token::Text));
    // Digits have nothing below their line: they may stand in less than the font's own height.
    painter->drawText(area, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip, text);
    const int used = QFontMetrics(large).horizontalAdvance(text) + 2 * kGrid;
    const QFontMetrics small(wordFont());
    if (compact() || m_tile.figure.isEmpty() || area.width() - used < small.horizontalAdvance(m_tile.unit)) {
        return;
    }
    painter->setFont(wordFont());
    painter->setPen(themeColor(Token::MutedText));
    const int baseline = area.center().y() + QFontMetrics(large).capHeight() / 2;
    painter->drawText(QPoint(area.left() + used, baseline), m_tile.unit);
}

void IncidentTileButton::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const bool touched = underMouse() && m_tile.link.kind != models::IncidentLink::Kind::None;
    const QColor ground = themeColor(Token::Base);
    drawPanel(&painter, rect(), touched ? mixed(ground, themeColor(Token::Text), 0.04) : ground,
        themeColor(Token::Border), kRadius);
    painter.setOpacity(m_old ? kOldOpacity : 1);
    const int head = QFontMetrics(wordFont()).height();
    const QRect area = rect().adjusted(3 * kGrid, 2 * kGrid + 2, -3 * kGrid, -2 * kGrid - 2);
    // A strip of its own: a line across the figure would be read as part of it.
    const int strip = rect().height() / 5;
    const QRect words = compact() ? area : area.adjusted(0, 0, 0, -strip - kGrid);
    QRect figure = words.adjusted(0, head, 0, -wordRect(words).height());
    QRectF day(area.left(), area.bottom() - strip, area.width(), strip);
    if (compact() && !m_tile.day.isEmpty()) {
        figure.setWidth(int(area.width() * kFigurePart));
        day = QRectF(figure.right() + 2 * kGrid, figure.top() + kGrid, area.right() - figure.right() - 2 * kGrid,
            figure.height() - 2 * kGrid);
    }
    paintSparkline(&painter, day, m_tile.day, themeColor(Token::ControlBorder)); // 3:1, as a chart's line must have
    painter.setOpacity(m_old ? kOldOpacity : 1);
    paintHead(&painter, words);
    paintFigure(&painter, figure);
    painter.setOpacity(1);
    if (hasFocus()) {
        drawFocusRing(&painter, rect(), kRadius);
    }
}

} // namespace idemdesk::ui
