// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/enter_keys.h"

#include <QDialog>
#include <QKeyEvent>
#include <QPushButton>
#include <QToolButton>

namespace idemdesk::ui {

namespace {

class EnterGuide final : public QObject
{
public:
    EnterGuide(QDialog *dialog, QList<QWidget *> fields, QPushButton *go)
        : QObject(dialog)
        , m_dialog(dialog)
        , m_fields(std::move(fields))
        , m_go(go)
    {
        dialog->installEventFilter(this);
        for (QWidget *field : std::as_const(m_fields)) {
            field->installEventFilter(this);
        }
        for (QAbstractButton *button : dialog->findChildren<QAbstractButton *>()) {
            if (isButton(button)) {
                button->installEventFilter(this);
            }
        }
    }

    bool eventFilter(QObject *watched, QEvent *event) override
    {
        if (event->type() != QEvent::KeyPress) {
            return false;
        }
        const int key = static_cast<QKeyEvent *>(event)->key();
        if (key != Qt::Key_Return && key != Qt::Key_Enter) {
            return false;
        }
        // At the dialog arrives what the focused widget did not take.
        auto *from = watched == m_dialog ? m_dialog->focusWidget() : static_cast<QWidget *>(watched);
        if (watched != m_dialog && isButton(from)) {
            static_cast<QAbstractButton *>(from)->click(); // does nothing where it is disabled
            return true;
        }
        // Buttons and fields took theirs already: what comes to the dialog all the same was meant for its default.
        if (m_go == nullptr || from == nullptr || from == m_dialog
            || (watched == m_dialog && (m_fields.contains(from) || isButton(from)))) {
            return false;
        }
        goOn(m_fields.indexOf(from));
        return true;
    }

private:
    /// Not a box to tick, which is a field.
    static bool isButton(QWidget *widget)
    {
        return qobject_cast<QPushButton *>(widget) != nullptr || qobject_cast<QToolButton *>(widget) != nullptr;
    }

    void goOn(qsizetype from)
    {
        for (qsizetype i = from + 1; i < m_fields.size(); ++i) {
            if (m_fields.at(i)->isEnabled() && m_fields.at(i)->isVisible()) {
                m_fields.at(i)->setFocus(Qt::TabFocusReason);
                return;
            }
        }
        // What is missing for the button stands in a field before.
        (m_go->isEnabled() ? static_cast<QWidget *>(m_go) : m_fields.constFirst())->setFocus(Qt::TabFocusReason);
    }

    QDialog *m_dialog;
    QList<QWidget *> m_fields;
    QPushButton *m_go;
};

} // namespace

void guideEnter(QDialog *dialog)
{
    new EnterGuide(dialog, {}, nullptr);
}

void guideEnter(QDialog *dialog, const QList<QWidget *> &fields, QPushButton *go)
{
    new EnterGuide(dialog, fields, go);
    QList<QWidget *> order = fields;
    order += go;
    for (QPushButton *button : dialog->findChildren<QPushButton *>()) {
        if (button->isDefault() && button != go) {
            button->setAutoDefault(true); // both: the frame of the default follows the focus from one to the other
            order += button;
        }
    }
    go->setAutoDefault(true);
    for (qsizetype i = 1; i < order.size(); ++i) {
        QWidget::setTabOrder(order.at(i - 1), order.at(i));
    }
}

} // namespace idemdesk::ui
