// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

class QDateTimeEdit;
class QLabel;
class QRadioButton;
class QSpinBox;

namespace idemdesk::models {
class KeyBrowserController;
}

namespace idemdesk::ui {

/// Goes to a time, where the list is ordered by one, or to a row by its number.
class JumpDialog final : public QDialog
{
    Q_OBJECT

public:
    explicit JumpDialog(models::KeyBrowserController *browser, QWidget *parent = nullptr);

private:
    void jump();

    models::KeyBrowserController *m_browser;
    QRadioButton *m_byTime;
    QRadioButton *m_byRow;
    QDateTimeEdit *m_time;
    QSpinBox *m_row;
    QLabel *m_error;
};

} // namespace idemdesk::ui
