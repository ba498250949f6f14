// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

class QBoxLayout;
class QLabel;
class QPushButton;

namespace idemdesk::ui {

/// One of two payloads that are compared: its name, and the ways to it. Until there is something to compare it is a
/// place to drop a file on; then it is a line above the comparison.
class PayloadSide final : public QFrame
{
    Q_OBJECT

public:
    /// side: 0 or 1.
    PayloadSide(int side, QWidget *parent);

    void setName(const QString &name); ///< safe to show; empty: there is no payload
    void setZone(bool zone); ///< a place to drop a file on
    QPushButton *choice() const { return m_choice; } ///< of the requests of a case; hidden at first

signals:
    void openClicked();
    void pasteClicked();

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    QLabel *m_name;
    QLabel *m_hint;
    QWidget *m_texts;
    QWidget *m_buttons;
    QPushButton *m_choice;
    QBoxLayout *m_layout;
    bool m_zone = false;
};

} // namespace idemdesk::ui
