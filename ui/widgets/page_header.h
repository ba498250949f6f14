// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <initializer_list>

class QHBoxLayout;
class QToolButton;

namespace idemdesk::ui {

class WrapRow;

/// The line on top of a page: its title, then what the page is about and the commands for all of it.
class PageHeader final : public QWidget
{
    Q_OBJECT

public:
    explicit PageHeader(const QString &title, QWidget *page);

    /// In the order of the calls, from the left; null leaves the room between two.
    void add(std::initializer_list<QWidget *> widgets);
    void add(QWidget *widget, int stretch);
    QHBoxLayout *addGroup(); ///< a place that is filled later
    /// A command by its icon alone, with its name as a tooltip.
    QToolButton *addCommand(const QString &objectName, const QString &icon, const QString &toolTip);

private:
    WrapRow *m_row;
    QHBoxLayout *m_commands = nullptr; ///< of the icons that follow each other
};

} // namespace idemdesk::ui
