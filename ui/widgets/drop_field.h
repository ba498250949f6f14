// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

namespace idemdesk::ui {

/// Takes a file that is dropped on it. Only its name is taken: who hears of it says what is read, and when.
class DropField final : public QFrame
{
    Q_OBJECT

public:
    DropField(const QString &objectName, const QString &text, QWidget *parent);

signals:
    void dropped(const QString &path); ///< of a file of this computer, the first of several

protected:
    void dragEnterEvent(QDragEnterEvent *event) override;
    void dragLeaveEvent(QDragLeaveEvent *event) override;
    void dropEvent(QDropEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    bool m_over = false; ///< a file is above it
};

} // namespace idemdesk::ui
