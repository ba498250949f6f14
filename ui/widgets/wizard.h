// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QList>

class QLabel;
class QPushButton;
class QStackedWidget;

namespace idemdesk::ui {

class BusyBar;
class ButtonRow;
class NoticeBar;
class StepTrail;

/// One step of a wizard.
struct WizardStep {
    QString name; ///< in the row of steps: a word or two
    QString heading;
    QString go; ///< what the button of this step says
    /// The button does at once what cannot be stopped. Enter never presses it unasked, and no way leads back from the
    /// step after it.
    bool commits = false;
};

/// A dialog in steps: the row of them on top, then heading and content of the one at hand, then Back, the step's own
/// button and Cancel, with the reason beside them while that button cannot be pressed. Enter presses the step's button,
/// but not out of a list or a chooser that takes it for itself; Escape cancels.
class Wizard : public QDialog
{
    Q_OBJECT

public:
    /// prefix: of the buttons' object names, which end in Back, Go and Cancel.
    Wizard(const QString &prefix, const QString &title, QWidget *parent);

    int step() const;

protected:
    void addStep(const WizardStep &step, QWidget *content); ///< in their order
    void begin(); ///< all of them are there
    void showStep(int step);
    /// Why the step's button cannot be pressed, in a short sentence; empty where it can.
    void setWhyNot(const QString &why);
    void setBusy(bool busy);
    NoticeBar *banner() const { return m_banner; }

    virtual void entered(int step) = 0; ///< it is on the screen: gives it the focus
    virtual void go(int step) = 0; ///< its button was pressed
    void press(); ///< as a click on the step's button

    void keyPressEvent(QKeyEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    QList<WizardStep> m_steps;
    StepTrail *m_trail;
    QLabel *m_heading;
    BusyBar *m_busy;
    NoticeBar *m_banner;
    QStackedWidget *m_pages;
    ButtonRow *m_buttons;
    QPushButton *m_back;
    QPushButton *m_go;
    QPushButton *m_cancel;
};

} // namespace idemdesk::ui
