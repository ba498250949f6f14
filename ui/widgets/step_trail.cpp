// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/step_trail.h"

#include "ui/theme/theme.h"

#include <QPainter>
#include <QStyle>

namespace idemdesk::ui {

namespace {

constexpr int kStepMark = 6 * kGrid; // pixels across, of the circle with the step's number
constexpr int kBetween = 8 * kGrid; // of the line from one step to the next

QFont strong(QFont font)
{
    font.setWeight(QFont::DemiBold);
    return font;
}

} // namespace

StepTrail::StepTrail(QWidget *parent)
    : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

void StepTrail::addStep(const QString &name)
{
    m_names.append(name);
    updateGeometry();
}

void StepTrail::setCurrent(int step)
{
    m_current = step;
    setAccessibleName(tr("Step %1 of %2: %3").arg(step + 1).arg(m_names.size()).arg(m_names.value(step)));
    update();
}

/// As wide as in bold: nothing moves as a step becomes the one at hand.
int StepTrail::nameWidth(const QString &name) const
{
    return QFontMetrics(strong(font())).horizontalAdvance(name);
}

QSize StepTrail::sizeHint() const
{
    int width = 0;
    for (const QString &name : m_names) {
        width += (width == 0 ? 0 : kBetween + 4 * kGrid) + kStepMark + 2 * kGrid + nameWidth(name);
    }
    return { width, kStepMark };
}

void StepTrail::drawMark(QPainter *painter, const QRect &mark, int step) const
{
    const bool atHand = step == m_current;
    const bool done = step < m_current;
    painter->setPen(QPen(themeColor(done || atHand ? Token::Accent : Token::ControlBorder), 1.5));
    painter->setBrush(atHand ? QBrush(themeColor(Token::AccentFill)) : QBrush(Qt::NoBrush));
    painter->drawEllipse(QRectF(mark).adjusted(1, 1, -1, -1));
    if (done) {
        const QPointF tick[] = { mark.topLeft() + QPointF(7, 12.5), mark.topLeft() + QPointF(10.5, 16),
            mark.topLeft() + QPointF(17, 8.5) };
        painter->drawPolyline(tick, 3);
        return;
    }
    painter->setPen(themeColor(atHand ? Token::OnAccent : Token::MutedText));
    painter->setFont(strong(font()));
    painter->drawText(mark, Qt::AlignCenter, QString::number(step + 1));
}

void StepTrail::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const auto placed = [this](const QRect &part) { return QStyle::visualRect(layoutDirection(), rect(), part); };
    int x = 0;
    for (int step = 0; step < m_names.size(); ++step) {
        if (step > 0) {
            const QRect line = placed({ x + 2 * kGrid, kStepMark / 2, kBetween, 1 });
            painter.fillRect(line, themeColor(step <= m_current ? Token::Accent : Token::ControlBorder));
            x += kBetween + 4 * kGrid;
        }
        drawMark(&painter, placed({ x, 0, kStepMark, kStepMark }), step);
        x += kStepMark + 2 * kGrid;
        const QString &name = m_names.at(step);
        const int width = nameWidth(name);
        painter.setFont(step == m_current ? strong(font()) : font());
        painter.setPen(themeColor(step == m_current ? Token::Text : Token::MutedText));
        painter.drawText(placed({ x, 0, width, kStepMark }), Qt::AlignLeading | Qt::AlignVCenter, name);
        x += width;
    }
}

} // namespace idemdesk::ui
