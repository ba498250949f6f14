// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/rail.h"

#include "models/format/quantities.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"

#include <QButtonGroup>
#include <QPainter>
#include <QShortcut>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

void RailButton::setCount(const QString &count)
{
    m_count = count;
    update();
}

void RailButton::paintEvent(QPaintEvent *event)
{
    QToolButton::paintEvent(event);
    if (m_count.isEmpty()) {
        return;
    }
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    QFont small = Theme::figures(font());
    small.setWeight(QFont::DemiBold);
    painter.setFont(small);
    const QFontMetrics metrics(small);
    const int width = metrics.horizontalAdvance(m_count) + 3 * kGrid;
    const int height = metrics.height() + kGrid / 2;
    const QRectF pill(this->width() - width - 2 * kGrid, (this->height() - height) / 2.0, width, height);
    const QColor color = themeColor(Token::Stale);
    painter.setPen(Qt::NoPen);
    painter.setBrush(badgeFill(color, themeColor(Token::Base), themeScheme()));
    painter.drawRoundedRect(pill, height / 2.0, height / 2.0);
    painter.setPen(color);
    painter.drawText(pill, Qt::AlignCenter, m_count);
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
    setFixedWidth(152);
}

void Rail::addPage(const QString &id, const QString &title, const QString &iconName, int number)
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
    button->setToolTip(tr("%1 (Ctrl+%2)").arg(title).arg(number % 10));
    m_group->addButton(button);
    m_layout->insertWidget(m_layout->count() - 1, button);
    m_buttons.insert(id, button);
    m_titles.insert(id, title);
    connect(button, &QToolButton::clicked, this, [this, id] { emit chosen(id); });
    auto *shortcut = new QShortcut(QKeySequence(Qt::CTRL | static_cast<Qt::Key>(Qt::Key_0 + number % 10)), window());
    connect(shortcut, &QShortcut::activated, this, [this, id] { emit chosen(id); });
}

void Rail::setCurrent(const QString &id)
{
    if (QToolButton *button = m_buttons.value(id)) {
        button->setChecked(true);
    }
}

void Rail::setCount(const QString &id, qint64 count, const QString &explanation, bool partly)
{
    if (RailButton *button = m_buttons.value(id)) {
        const QString title = m_titles.value(id);
        button->setCount(count > 0 ? partly ? tr("%1+?", "number of which more may come").arg(models::countText(count))
                                            : models::countText(count)
                                   : QString());
        button->setAccessibleDescription(count > 0 ? explanation : QString());
        button->setToolTip(count > 0 ? title + u'\n' + explanation : title);
    }
}

} // namespace idemdesk::ui
