// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QProgressBar>

namespace idemdesk::ui {

/// A thin bar that moves while something of unknown length is under way.
class BusyBar final : public QProgressBar
{
    Q_OBJECT

public:
    /// accessibleName: what is under way.
    BusyBar(const QString &objectName, const QString &accessibleName, QWidget *parent);
    /// For a bar that comes and goes above a page's content, which must not move under the pointer.
    void keepItsPlace();
    /// The same without any room of its own: it lies in the gap beneath this widget, whose parent is its own.
    void lieBelow(QWidget *above);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override; ///< of what it lies below
};

} // namespace idemdesk::ui
