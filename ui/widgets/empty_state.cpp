// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/empty_state.h"

#include "models/connection/connection_controller.h"
#include "ui/theme/console_style.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"
#include "ui/widgets/labels.h"

#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

constexpr int kDisc = 72; // pixels across
constexpr int kCompactDisc = 48;
constexpr double kDiscPart = 0.12; // of the icon's colour

} // namespace

EmptyState::EmptyState(QWidget *parent)
    : QWidget(parent)
    , m_icon(new QLabel(this))
    , m_title(titleLabel({}, this))
    , m_text(wrappedLabel({}, this))
    , m_button(new QPushButton(this))
    , m_second(new QPushButton(this))
{
    setObjectName(u"emptyState"_s);
    m_title->setObjectName(u"emptyStateTitle"_s);
    m_text->setObjectName(u"emptyStateText"_s);
    m_button->setObjectName(u"emptyStateButton"_s);
    m_second->setObjectName(u"emptyStateSecond"_s);
    m_second->hide();
    for (QLabel *label : { m_icon, m_title, m_text }) {
        label->setAlignment(Qt::AlignCenter);
    }
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse); // it may name a statement to hand on
    m_text->setFixedWidth(130 * kGrid);
    // Not aligned by the layout that stacks them: it would give a wrapped text the height of its first guess.
    auto *textRow = new QHBoxLayout;
    textRow->addStretch(1);
    textRow->addWidget(m_text);
    textRow->addStretch(1);
    auto *layout = new QVBoxLayout(this);
    layout->setSpacing(2 * kGrid);
    layout->addStretch(2);
    layout->addWidget(m_icon, 0, Qt::AlignCenter);
    layout->addWidget(m_title, 0, Qt::AlignCenter);
    layout->addLayout(textRow);
    layout->addSpacing(2 * kGrid);
    auto *buttons = new QHBoxLayout;
    buttons->setSpacing(2 * kGrid);
    buttons->addStretch(1);
    buttons->addWidget(m_button);
    buttons->addWidget(m_second);
    buttons->addStretch(1);
    layout->addLayout(buttons);
    layout->addStretch(3);
    connect(m_button, &QPushButton::clicked, this, &EmptyState::buttonClicked);
    connect(m_second, &QPushButton::clicked, this, &EmptyState::secondClicked);
}

/// The icon on a quiet disc: without it a thin line is lost on a whole page.
QPixmap EmptyState::picture(const QString &iconName) const
{
    const int across = m_compact ? kCompactDisc : kDisc;
    const int inner = across / 2;
    QPixmap picture(QSize(across, across) * devicePixelRatioF());
    picture.setDevicePixelRatio(devicePixelRatioF());
    picture.fill(Qt::transparent);
    QPainter painter(&picture);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(mixed(themeColor(Token::Window), themeColor(Token::MutedText), kDiscPart));
    painter.drawEllipse(QRectF(0, 0, across, across));
    themedIcon(iconName, Token::MutedText)
        .paint(&painter, QRect((across - inner) / 2, (across - inner) / 2, inner, inner));
    return picture;
}

void EmptyState::show(
    const QString &iconName, const QString &title, const QString &text, const QString &button, const QString &second)
{
    m_icon->setPixmap(picture(iconName));
    m_title->setText(title);
    m_text->setText(text);
    m_button->setText(button);
    m_button->setVisible(!button.isEmpty());
    setLook(m_button, second.isEmpty() ? ButtonLook::Plain : ButtonLook::Primary);
    m_second->setText(second);
    m_second->setVisible(!second.isEmpty());
    if (accessibleName() != title) { // a page that reads by itself shows the same again and again
        setAccessibleName(title);
    }
}

void EmptyState::accent()
{
    setLook(m_button, ButtonLook::Primary);
}

void EmptyState::showNotConnected(const QString &text)
{
    show(u"connect"_s, tr("Not connected"), text, tr("Connect…"));
}

bool EmptyState::showNoTable(const models::ConnectionController &connection, int tables, const QString &iconName,
    const QString &notConnected, const QString &needs)
{
    if (connection.database() == nullptr) {
        showNotConnected(notConnected);
    } else if (tables == 0 && !connection.noTableBecause().isEmpty()) {
        show(iconName, tr("No table could be read"), connection.noTableBecause());
    } else if (tables == 0) {
        show(iconName, connection.targetsLoaded() ? tr("No table yet") : tr("Looking for tables"), needs);
    } else {
        return false;
    }
    return true;
}

} // namespace idemdesk::ui
