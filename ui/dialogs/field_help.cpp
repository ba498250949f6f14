// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/field_help.h"

#include "models/help/help_pages.h"
#include "ui/dialogs/help_dialog.h"
#include "ui/theme/surfaces.h"
#include "ui/theme/theme.h"

#include <QApplication>
#include <QDialog>
#include <QKeyEvent>
#include <QPainter>
#include <QPointer>
#include <QWhatsThis>

namespace idemdesk::ui {

namespace {

// As Qt measures its window for the text.
constexpr QMargins kAroundHelp(12, 8, 12, 8);

QPointer<FieldHelp> installed;

} // namespace

void FieldHelp::install()
{
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
        if (installed != nullptr) {
            installed->m_said = text;
        }
        QWhatsThis::showText(widget->mapToGlobal(widget->rect().bottomLeft()), text, widget);
    }
}

/// In the window's own colours, with no black frame around it.
void FieldHelp::paint(QWidget *shown) const
{
    QPainter painter(shown);
    painter.fillRect(shown->rect(), themeColor(Token::Raised));
    drawPanel(&painter, shown->rect(), themeColor(Token::Raised), themeColor(Token::ControlBorder), 0);
    painter.setPen(themeColor(Token::Text));
    painter.drawText(shown->rect().marginsRemoved(kAroundHelp),
        Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap | Qt::TextExpandTabs, m_said);
}

bool FieldHelp::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::Polish && watched->isWidgetType()) {
        auto *widget = static_cast<QWidget *>(watched);
        if (widget->whatsThis().isEmpty() && !widget->objectName().isEmpty()) {
            widget->setWhatsThis(models::fieldHelp(widget->objectName()));
        }
    } else if (event->type() == QEvent::WhatsThis && watched->isWidgetType()) {
        m_said = static_cast<QWidget *>(watched)->whatsThis();
    } else if (event->type() == QEvent::Paint && !m_said.isEmpty() && watched->inherits("QWhatsThat")) {
        paint(static_cast<QWidget *>(watched));
        return true;
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
