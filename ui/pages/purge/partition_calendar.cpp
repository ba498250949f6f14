// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/purge/partition_calendar.h"

#include "ui/theme/surfaces.h"
#include "ui/theme/theme.h"
#include "ui/widgets/plain_tool_tips.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QLocale>
#include <QPainter>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

using Verdict = models::PartitionPeriod::Verdict;

constexpr int kFieldHeight = 22; // pixels
constexpr int kDaySwatch = 12; // pixels
constexpr int kDayField = 26; // wide
constexpr int kLongField = 84;
constexpr int kTimeField = 128; // with a time of day
constexpr int kLineTitle = 76;
constexpr int kMostLines = 6; // the oldest ones

Token verdictToken(Verdict verdict)
{
    switch (verdict) {
    case Verdict::Whole: // what the table is looked at for
        return Token::Succeeded;
    case Verdict::Partly:
        return Token::Warning;
    case Verdict::Needed:
        return Token::MutedText;
    case Verdict::Empty:
        break;
    }
    return Token::Border;
}

/// An outline that is dashed where there is nothing inside.
QPen verdictPen(Verdict verdict, int width)
{
    return { themeColor(verdict == Verdict::Empty ? Token::MutedText : verdictToken(verdict)), double(width),
        verdict == Verdict::Empty ? Qt::DashLine : Qt::SolidLine };
}

/// Beside its colour; nothing where the rows stay.
QString verdictSign(Verdict verdict)
{
    switch (verdict) {
    case Verdict::Whole:
        return u"✓"_s;
    case Verdict::Partly:
        return u"–"_s;
    case Verdict::Empty:
        return u"·"_s;
    case Verdict::Needed:
        break;
    }
    return {};
}

} // namespace

PartitionCalendar::PartitionCalendar(QWidget *parent)
    : QWidget(parent)
{
    setObjectName(u"partitionCalendar"_s);
    setAccessibleName(tr("Partitions by time"));
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void PartitionCalendar::setPeriods(
    const QList<models::PartitionPeriod> &periods, const QStringList &textOf, const QString &zone)
{
    m_zone = zone;
    m_periods = periods;
    m_texts = textOf;
    m_current = -1;
    m_days = models::standForDays(periods);
    m_times = std::any_of(periods.cbegin(), periods.cend(),
        [](const models::PartitionPeriod &period) { return period.from.time() != QTime(0, 0); });
    setVisible(!periods.isEmpty());
    place();
}

/// Days below their month; longer ones fill line after line.
void PartitionCalendar::place()
{
    m_places.clear();
    m_lines.clear();
    const int across = std::max(1, (width() - (m_days ? kLineTitle : 0)) / fieldWidth());
    for (int i = 0; i < m_periods.size(); ++i) {
        const models::PartitionPeriod &period = m_periods.at(i);
        if (m_days) {
            const QString month = QLocale().toString(period.from.date(), u"MMM yyyy"_s);
            if (m_lines.isEmpty() || m_lines.constLast() != month) {
                m_lines += month;
            }
            m_places += QPoint(period.from.date().day() - 1, int(m_lines.size()) - 1);
        } else {
            m_places += QPoint(i % across, i / across);
            m_lines.resize(i / across + 1);
        }
    }
    // The oldest are what may go: where there are too many, the newest are left to the list.
    m_lines.resize(std::min<qsizetype>(m_lines.size(), kMostLines));
    updateGeometry();
    update();
}

int PartitionCalendar::fieldWidth() const
{
    return m_days ? kDayField : m_times ? kTimeField : kLongField;
}

QSize PartitionCalendar::sizeHint() const
{
    return { kLineTitle + 31 * kDayField, (int(m_lines.size()) + 1) * (kFieldHeight + 2) };
}

QRect PartitionCalendar::fieldOf(int number) const
{
    const QPoint at = m_places.value(number);
    if (at.y() >= m_lines.size()) {
        return {};
    }
    const int wide = fieldWidth();
    return { (m_days ? kLineTitle : 0) + at.x() * wide, (at.y() + 1) * (kFieldHeight + 2), wide - 2, kFieldHeight };
}

int PartitionCalendar::periodAt(const QPoint &point) const
{
    for (int i = 0; i < m_periods.size(); ++i) {
        if (fieldOf(i).contains(point)) {
            return i;
        }
    }
    return -1;
}

void PartitionCalendar::setCurrent(int row)
{
    const auto found = std::find_if(m_periods.cbegin(), m_periods.cend(),
        [row](const models::PartitionPeriod &period) { return period.row == row; });
    m_current = found == m_periods.cend() ? -1 : int(found - m_periods.cbegin());
    setAccessibleDescription(m_current >= 0 ? m_texts.value(m_periods.at(m_current).row) : QString());
    update();
}

void PartitionCalendar::choose(int number)
{
    if (number >= 0 && number < m_periods.size()) {
        setCurrent(m_periods.at(number).row);
        emit chosen(m_periods.at(number).row);
    }
}

bool PartitionCalendar::event(QEvent *event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto *help = static_cast<QHelpEvent *>(event);
        if (const int number = periodAt(help->pos()); number >= 0) {
            PlainToolTips::show(help->globalPos(), m_texts.value(m_periods.at(number).row), this, fieldOf(number));
        }
        return true;
    }
    return QWidget::event(event);
}

void PartitionCalendar::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    if (!m_days && event->size().width() != event->oldSize().width()) {
        place();
    }
}

void PartitionCalendar::mousePressEvent(QMouseEvent *event)
{
    if (event->button() == Qt::LeftButton) {
        choose(periodAt(event->pos()));
    }
}

void PartitionCalendar::keyPressEvent(QKeyEvent *event)
{
    const int step = event->key() == Qt::Key_Right ? 1 : event->key() == Qt::Key_Left ? -1 : 0;
    if (step == 0 || m_periods.isEmpty()) {
        QWidget::keyPressEvent(event);
    } else {
        choose(std::clamp(m_current + step, 0, int(m_periods.size()) - 1));
    }
}

void PartitionCalendar::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    paintLegend(&painter);
    painter.setPen(themeColor(Token::MutedText));
    for (int line = 0; m_days && line < m_lines.size(); ++line) {
        painter.drawText(QRect(0, (line + 1) * (kFieldHeight + 2), kLineTitle - kGrid, kFieldHeight),
            Qt::AlignLeft | Qt::AlignVCenter, m_lines.at(line));
    }
    for (int i = 0; i < m_periods.size(); ++i) {
        if (fieldOf(i).isValid()) {
            paintField(&painter, i);
        }
    }
    if (hasFocus()) {
        drawFocusRing(&painter, m_current >= 0 && fieldOf(m_current).isValid() ? fieldOf(m_current) : rect(), 4);
    }
}

void PartitionCalendar::paintField(QPainter *painter, int number) const
{
    const models::PartitionPeriod &period = m_periods.at(number);
    const QRect field = fieldOf(number);
    const QColor color = themeColor(verdictToken(period.verdict));
    const QColor ground
        = number == m_current ? themeColor(Token::Selection) : mixed(themeColor(Token::Base), color, 0.14);
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(verdictPen(period.verdict, number == m_current ? 2 : 1));
    painter->setBrush(ground);
    painter->drawRoundedRect(QRectF(field).adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
    underline(painter, field, period.verdict, 4);
    painter->setPen(themeColor(Token::Text));
    const QString day = m_days ? QString::number(period.from.date().day())
                               : QLocale().toString(period.from, m_times ? u"d MMM yy HH:mm"_s : u"d MMM yy"_s);
    const QString sign = m_days ? QString() : verdictSign(period.verdict);
    painter->drawText(field, Qt::AlignCenter, sign.isEmpty() ? day : tr("%1 %2", "sign, day").arg(sign, day));
}

/// Not by colour alone: what goes whole is underlined, what goes in part half.
void PartitionCalendar::underline(QPainter *painter, const QRect &field, Verdict verdict, int margin) const
{
    if (m_days && (verdict == Verdict::Whole || verdict == Verdict::Partly)) {
        const int room = field.width() - 2 * margin;
        const int wide = verdict == Verdict::Whole ? room : room / 2;
        painter->fillRect(
            QRect(field.left() + margin, field.bottom() - margin, wide, 2), themeColor(verdictToken(verdict)));
    }
}

void PartitionCalendar::paintLegend(QPainter *painter) const
{
    int left = 0;
    for (const Verdict verdict : { Verdict::Whole, Verdict::Partly, Verdict::Needed, Verdict::Empty }) {
        const auto of = std::count_if(m_periods.cbegin(), m_periods.cend(),
            [verdict](const models::PartitionPeriod &period) { return period.verdict == verdict; });
        if (of == 0) {
            continue;
        }
        const QString text = tr("%1 %2", "verdict, number").arg(models::verdictText(verdict)).arg(of);
        painter->setPen(verdictPen(verdict, 1));
        painter->setBrush(mixed(themeColor(Token::Base), themeColor(verdictToken(verdict)), 0.14));
        const QRect swatch(left, (kFieldHeight - kDaySwatch) / 2, kDaySwatch, kDaySwatch);
        painter->drawRect(swatch);
        underline(painter, swatch, verdict, 3);
        left += kDaySwatch + 2 * kGrid;
        painter->setPen(themeColor(Token::MutedText));
        const int wide = fontMetrics().horizontalAdvance(text);
        painter->drawText(QRect(left, 0, wide + 1, kFieldHeight), Qt::AlignLeft | Qt::AlignVCenter, text);
        left += wide + 5 * kGrid;
    }
    painter->setPen(themeColor(Token::MutedText));
    painter->drawText(QRect(left, 0, width() - left, kFieldHeight), Qt::AlignLeft | Qt::AlignVCenter,
        fontMetrics().elidedText(beginText(), Qt::ElideRight, width() - left));
}

/// Days of UTC do not begin at midnight elsewhere.
QString PartitionCalendar::beginText() const
{
    const QTime begin = m_periods.isEmpty() ? QTime(0, 0) : m_periods.constFirst().from.time();
    const bool one = std::all_of(m_periods.cbegin(), m_periods.cend(),
        [begin](const models::PartitionPeriod &period) { return period.from.time() == begin; });
    return !m_days                    ? tr("times in %1").arg(m_zone)
        : one && begin == QTime(0, 0) ? tr("days in %1").arg(m_zone)
        : one ? tr("days in %1, each from %2 on").arg(m_zone, QLocale().toString(begin, u"HH:mm"_s))
              : tr("days in %1, not from midnight on").arg(m_zone);
}

} // namespace idemdesk::ui
