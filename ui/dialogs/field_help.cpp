// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/field_help.h"

#include "models/help/help_pages.h"
#include "ui/dialogs/help_dialog.h"

#include <QApplication>
#include <QDialog>
#include <QKeyEvent>
#include <QPointer>
#include <QWhatsThis>

namespace idemdesk::ui {

void FieldHelp::install()
{
    static QPointer<FieldHelp> installed;
    if (installed == nullptr) {
        installed = new FieldHelp(qApp);
        qApp->installEventFilter(installed);
    }
}

QString FieldHelp::textOf(const QWidget *widget)
{
    for (; widget != nullptr; widget = widget->isWindow() ? nullptr : widget->parentWidget()) {
        if (!widget->whatsThis().isEmpty()) {
            return widget->whatsThis();
        }
        if (const QString text = models::fieldHelp(widget->objectName()); !text.isEmpty()) {
            return text;
        }
    }
    return {};
}

void FieldHelp::explain(QWidget *widget)
{
    const QString text = textOf(widget);
    if (text.isEmpty()) {
        QWhatsThis::enterWhatsThisMode();
    } else {
        QWhatsThis::showText(widget->mapToGlobal(widget->rect().bottomLeft()), text, widget);
    }
}

bool FieldHelp::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::Polish && watched->isWidgetType()) {
        auto *widget = static_cast<QWidget *>(watched);
        if (widget->whatsThis().isEmpty() && !widget->objectName().isEmpty()) {
            widget->setWhatsThis(models::fieldHelp(widget->objectName()));
        }
    } else if (event->type() == QEvent::KeyPress && watched->isWidgetType()) {
        auto *widget = static_cast<QWidget *>(watched);
        const auto *key = static_cast<QKeyEvent *>(event);
        const auto *dialog = qobject_cast<QDialog *>(widget->window());
        if (key->key() == Qt::Key_F1 && dialog != nullptr) {
            if (key->modifiers() == Qt::ShiftModifier) {
                explain(widget);
                return true;
            }
            if (key->modifiers() == Qt::NoModifier && qobject_cast<const HelpDialog *>(dialog) == nullptr) {
                HelpDialog::showTopic(widget->window(), models::dialogTopic(dialog->objectName()));
                return true;
            }
        }
    }
    return QObject::eventFilter(watched, event);
}

} // namespace idemdesk::ui
