// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QDialog;
class QHBoxLayout;
class QLabel;
class QPushButton;

namespace idemdesk::ui {

/// The buttons under a dialog, in one order on every desktop: on the left what only helps, then on the right what the
/// dialog is for, and at the edge what leaves everything as it is.
class ButtonRow final : public QWidget
{
    Q_OBJECT

public:
    explicit ButtonRow(QDialog *dialog);

    QPushButton *addAside(const QString &objectName, const QString &text); ///< helps, and decides nothing
    QPushButton *addBack(const QString &objectName, const QString &text); ///< to the step before; comes before a go
    QPushButton *addGo(const QString &objectName, const QString &text); ///< does what the dialog is for: primary
    /// Rejects the dialog, as Escape does.
    QPushButton *addStay(const QString &objectName, const QString &text);
    /// Takes Enter wherever no other button has the focus. What cannot be taken back is never the default.
    void setDefault(QPushButton *button);
    /// Why the button that the dialog is for cannot be pressed, before it; empty where it can.
    void showReason(const QString &why);

private:
    QPushButton *add(const QString &objectName, const QString &text, int at);

    QDialog *m_dialog;
    QHBoxLayout *m_row;
    QLabel *m_reason;
    int m_asides = 0;
    int m_goes = 0;
};

} // namespace idemdesk::ui
