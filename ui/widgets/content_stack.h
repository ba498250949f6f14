// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStackedWidget>

namespace idemdesk::ui {

class EmptyState;

/// What a page shows, or why it shows nothing.
class ContentStack final : public QStackedWidget
{
    Q_OBJECT

public:
    explicit ContentStack(QWidget *parent);
    void setContent(QWidget *content);
    EmptyState *empty() const { return m_empty; }
    void showContent(bool shown); ///< else the empty state

private:
    QWidget *m_content = nullptr;
    EmptyState *m_empty;
};

} // namespace idemdesk::ui
