// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/rail.h"

#include "models/format/quantities.h"
#include "ui/theme/icons.h"
#include "ui/theme/surfaces.h"
#include "ui/theme/theme.h"

#include <QButtonGroup>
#include <QEvent>
#include <QPainter>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

constexpr int kRailBar = 3; // pixels
constexpr int kLeastRail = 152;

} // namespace

void RailButton::setCount(const QString &count, Mood mood)
{
    m_count = count;
    m_mood = mood;
    update();
}

/// The page in front has a tint and a bar of three pixels at the edge: told without colour, too.
void RailButton::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    if (isChecked() || underMouse()) {
        const QColor touched = mixed(themeColor(Token::Rail), themeColor(Token::Text), 0.06);
        drawPanel(&painter, rect(), isChecked() ? themeColor(Token::Selection) : touched, {}, kRadius);
    }
    if (isChecked()) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(themeColor(Token::Accent));
        painter.drawRoundedRect(QRectF(0, kGrid, kRailBar, height() - 2 * kGrid), kRailBar / 2.0, kRailBar / 2.0);
    }
    const QRect icon(3 * kGrid, (height() - iconSize().height()) / 2, iconSize().width(), iconSize().height());
    this->icon().paint(&painter, icon);
    painter.setFont(isChecked() ? Theme::heading() : font());
    painter.setPen(themeColor(Token::Text));
    painter.drawText(
        rect().adjusted(icon.right() + 2 * kGrid + 2, 0, -kGrid, 0), Qt::AlignLeft | Qt::AlignVCenter, text());
    paintCount(&painter);
    if (hasFocus()) {
        drawFocusRing(&painter, rect(), kRadius);
    }
}

void RailButton::paintCount(QPainter *painter) const
{
    if (m_count.isEmpty()) {
        return;
    }
    QFont small = Theme::figures(font());
    small.setWeight(QFont::DemiBold);
    painter->setFont(small);
    const QFontMetrics metrics(small);
    // Beside a long name the pill is narrower: the two never touch.
    const int name = 3 * kGrid + iconSize().width() + 2 * kGrid + 2
        + QFontMetrics(isChecked() ? Theme::heading() : this->font()).horizontalAdvance(text());
    const int number = metrics.horizontalAdvance(m_count);
    const bool tight = name + kGrid + number + 5 * kGrid > this->width();
    const int width = number + (tight ? kGrid + 2 : 3 * kGrid);
    const int height = metrics.height() + kGrid / 2;
    const QRectF pill(this->width() - width - (tight ? 1 : 2) * kGrid, (this->height() - height) / 2.0, width, height);
    const bool firing = m_mood == Mood::Firing;
    painter->setPen(Qt::NoPen);
    painter->setBrush(firing ? themeColor(Token::DangerFill)
                             : badgeFill(themeColor(Token::Stale), themeColor(Token::Base), themeScheme()));
    painter->drawRoundedRect(pill, height / 2.0, height / 2.0);
    painter->setPen(themeColor(firing ? Token::OnDanger : Token::Stale));
    painter->drawText(pill, Qt::AlignCenter, m_count);
}

Rail::Rail(QWidget *parent)
    : QWidget(parent)
    , m_layout(new QVBoxLayout(this))
    , m_group(new QButtonGroup(this))
{
    setObjectName(u"rail"_s);
    setAccessibleName(tr("Pages"));
    m_layout->setContentsMargins(kGrid, 2 * kGrid, kGrid, 2 * kGrid);
    m_layout->setSpacing(kGrid / 2);
    m_layout->addStretch(1);
    m_group->setExclusive(true);
    fitWidth();
}

void Rail::addPage(const QString &id, const QString &title, const QString &iconName)
{
    auto *button = new RailButton(this);
    button->setObjectName(u"rail_"_s + id);
    button->setText(title);
    button->setIcon(themedIcon(iconName));
    button->setIconSize({ 20, 20 });
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    button->setCheckable(true);
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::StrongFocus);
    button->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    button->setMinimumHeight(34);
    button->setAccessibleName(title);
    m_group->addButton(button);
    m_layout->insertWidget(m_layout->count() - 1, button);
    m_buttons.insert(id, button);
    m_titles.insert(id, title);
    // Not by a click: assistive technology switches a button on without one.
    connect(button, &QToolButton::toggled, this, [this, id](bool on) {
        if (on) {
            emit chosen(id);
        }
    });
    showToolTip(id);
}

void Rail::setOffered(const QString &id, bool offered, const QString &title)
{
    if (RailButton *button = m_buttons.value(id)) {
        m_titles.insert(id, title);
        button->setText(title);
        button->setAccessibleName(title);
        button->setVisible(offered);
        showToolTip(id);
    }
}

void Rail::setKeys(const QString &id, const QString &keys)
{
    m_keys.insert(id, keys);
    showToolTip(id);
}

void Rail::showToolTip(const QString &id)
{
    const QString keys = m_keys.value(id);
    QStringList lines { keys.isEmpty() ? m_titles.value(id) : tr("%1 (%2)").arg(m_titles.value(id), keys) };
    if (const QString waiting = m_waiting.value(id); !waiting.isEmpty()) {
        lines += waiting;
    }
    if (RailButton *button = m_buttons.value(id)) {
        button->setToolTip(lines.join(u'\n'));
    }
}

/// Larger texts get the room that they need.
void Rail::fitWidth()
{
    const int text = QFontMetrics(Theme::heading()).horizontalAdvance(u"Complaints 1,234"_s);
    setFixedWidth(std::max(kLeastRail, text + 12 * kGrid));
}

void Rail::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange) {
        fitWidth();
    }
}

void Rail::setCurrent(const QString &id)
{
    if (QToolButton *button = m_buttons.value(id)) {
        const QSignalBlocker blocker(button); // it is there already
        button->setChecked(true);
    }
}

void Rail::setCount(const QString &id, qint64 count, const QString &explanation, RailButton::Mood mood)
{
    setCount(id, sql::RowCount { sql::RowCount::Kind::Exact, count }, explanation, mood);
}

void Rail::setCount(const QString &id, const sql::RowCount &count, const QString &explanation, RailButton::Mood mood)
{
    if (RailButton *button = m_buttons.value(id)) {
        const bool some = count.rows > 0;
        button->setCount(some ? models::countText(count) : QString(), mood);
        button->setAccessibleDescription(some ? explanation : QString());
        m_waiting.insert(id, some ? explanation : QString());
        showToolTip(id);
    }
}

} // namespace idemdesk::ui
