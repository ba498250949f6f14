// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/empty_state.h"

#include "models/connection/connection_controller.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"
#include "ui/widgets/labels.h"

#include <QPushButton>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

EmptyState::EmptyState(QWidget *parent)
    : QWidget(parent)
    , m_icon(new QLabel(this))
    , m_title(titleLabel({}, this))
    , m_text(wrappedLabel({}, this))
    , m_button(new QPushButton(this))
{
    setObjectName(u"emptyState"_s);
    m_title->setObjectName(u"emptyStateTitle"_s);
    m_text->setObjectName(u"emptyStateText"_s);
    m_button->setObjectName(u"emptyStateButton"_s);
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
    layout->addWidget(m_button, 0, Qt::AlignCenter);
    layout->addStretch(3);
    connect(m_button, &QPushButton::clicked, this, &EmptyState::buttonClicked);
}

void EmptyState::show(const QString &iconName, const QString &title, const QString &text, const QString &button)
{
    m_icon->setPixmap(themedIcon(iconName, Token::MutedText).pixmap(QSize(40, 40)));
    m_title->setText(title);
    m_text->setText(text);
    m_button->setText(button);
    m_button->setVisible(!button.isEmpty());
    setAccessibleName(title);
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
