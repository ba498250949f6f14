// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QLabel;
class QPushButton;

namespace idemdesk::ui {

/// What stands where nothing is: what would be here, and the next step as a button.
class EmptyState final : public QWidget
{
    Q_OBJECT

public:
    explicit EmptyState(QWidget *parent = nullptr);
    /// An empty button text shows no button.
    void show(const QString &iconName, const QString &title, const QString &text, const QString &button = {});

signals:
    void buttonClicked();

private:
    QLabel *m_icon;
    QLabel *m_title;
    QLabel *m_text;
    QPushButton *m_button;
};

} // namespace idemdesk::ui
