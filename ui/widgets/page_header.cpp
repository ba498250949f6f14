// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/page_header.h"

#include "ui/widgets/icon_button.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"

#include <QToolButton>

namespace idemdesk::ui {

PageHeader::PageHeader(const QString &title, QWidget *page)
    : QWidget(page)
    , m_row(barRow({ titleLabel(title, this) }, this))
{
}

void PageHeader::add(std::initializer_list<QWidget *> widgets)
{
    for (QWidget *widget : widgets) {
        if (widget == nullptr) {
            m_row->addStretch(1);
        } else {
            m_row->addWidget(widget);
        }
    }
}

void PageHeader::add(QWidget *widget, int stretch)
{
    m_row->addWidget(widget, stretch);
}

QHBoxLayout *PageHeader::addGroup()
{
    auto *group = new QHBoxLayout;
    m_row->addLayout(group);
    return group;
}

QToolButton *PageHeader::addCommand(const QString &objectName, const QString &icon, const QString &toolTip)
{
    QToolButton *button = iconButton(objectName, icon, toolTip, this);
    m_row->addWidget(button);
    return button;
}

} // namespace idemdesk::ui
