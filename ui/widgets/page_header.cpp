// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/page_header.h"

#include "ui/theme/theme.h"
#include "ui/widgets/icon_button.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/wrap_row.h"

#include <QHBoxLayout>
#include <QToolButton>

namespace idemdesk::ui {

PageHeader::PageHeader(const QString &title, QWidget *page)
    : QWidget(page)
    , m_row(new WrapRow(this))
{
    m_row->add(titleLabel(title, this));
}

void PageHeader::add(std::initializer_list<QWidget *> widgets)
{
    for (QWidget *widget : widgets) {
        if (widget == nullptr) {
            m_row->addRoom();
        } else {
            m_row->add(widget);
        }
    }
}

void PageHeader::add(QWidget *widget, int stretch)
{
    m_row->add(widget, stretch);
}

QHBoxLayout *PageHeader::addGroup()
{
    auto *group = new QHBoxLayout;
    group->setSpacing(2 * kGrid);
    m_row->add(group);
    return group;
}

QToolButton *PageHeader::addCommand(const QString &objectName, const QString &icon, const QString &toolTip)
{
    QToolButton *button = iconButton(objectName, icon, toolTip, this);
    if (m_commands == nullptr) {
        m_commands = addGroup(); // they stay together
    }
    m_commands->addWidget(button);
    return button;
}

} // namespace idemdesk::ui
