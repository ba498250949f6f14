// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/content_stack.h"

#include "ui/widgets/empty_state.h"

namespace idemdesk::ui {

ContentStack::ContentStack(QWidget *parent)
    : QStackedWidget(parent)
    , m_empty(new EmptyState(this))
{
    addWidget(m_empty);
}

void ContentStack::setContent(QWidget *content)
{
    m_content = content;
    insertWidget(0, content);
    setCurrentWidget(content);
}

void ContentStack::showContent(bool shown)
{
    setCurrentWidget(shown ? m_content : m_empty);
}

} // namespace idemdesk::ui
