// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/field_help.h"

#include "models/help/help_pages.h"
#include "ui/dialogs/help_dialog.h"
#include "ui/theme/surfaces.h"
#include "ui/theme/theme.h"

#include <QAccessible>
#include <QAction>
#include <QApplication>
#include <QDialog>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QPainterPath>
#include <QWhatsThis>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

// As Qt measures its window for the text.
constexpr QMargins kAroundHelp(12, 8, 12, 8);

QPointer<FieldHelp> installed;

/// As a screen reader says it, which knows the labels before fields, too.
QString fieldNameOf(QWidget *widget)
{
    const QAccessibleInterface *face = QAccessible::queryAccessibleInterface(widget);
    QString name = face == nullptr ? widget->accessibleName() : face->text(QAccessible::Name);
    name.remove(u'&');
    return name.endsWith(u':') ? name.chopped(1) : name;
}

bool isOfShown(QEvent::Type type)
{
    return type == QEvent::Show || type == QEvent::Paint || type == QEvent::KeyPress;
}

QString moreText()
{
    return FieldHelp::tr("More in Help (F1)");
}

/// The corners of other surfaces; what lies outside them does not belong to the window.
QRegion roundedRegion(const QRect &rect)
{
    QPainterPath path;
    path.addRoundedRect(rect, kRadius, kRadius);
    return QRegion(path.toFillPolygon().toPolygon());
}

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
        install();
        installed->say(widget, text, widget->mapToGlobal(widget->rect().bottomLeft()));
    }
}

void FieldHelp::say(QWidget *widget, const QString &text, const QPoint &globalPlace)
{
    m_widget = widget;
    m_name = fieldNameOf(widget);
    m_said = text;
    // Qt measures the lines that are painted below. Half bold is a little wider than what it measures.
    const QString room(m_name.size() / 6 + 1, QChar::Nbsp);
    const QString name = m_name.isEmpty() ? QString() : m_name + room + u'\n';
    QWhatsThis::showText(globalPlace, name + text + u"\n\n"_s + moreText(), widget);
}

/// In the window's own colours, with no black frame around it: the field's name, what it is for, and where more stands.
void FieldHelp::paint(QWidget *shown) const
{
    QPainter painter(shown);
    painter.fillRect(shown->rect(), themeColor(Token::Window));
    drawPanel(&painter, shown->rect(), themeColor(Token::Raised), themeColor(Token::ControlBorder), kRadius);
    QRect room = shown->rect().marginsRemoved(kAroundHelp);
    constexpr int kFlags = Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap | Qt::TextExpandTabs;
    painter.setPen(themeColor(Token::Text));
    if (!m_name.isEmpty()) {
        painter.setFont(Theme::heading());
        QRect taken;
        painter.drawText(room, kFlags, m_name, &taken);
        room.setTop(taken.bottom() + 1);
        painter.setFont(shown->font());
    }
    painter.drawText(room, kFlags, m_said);
    painter.setPen(themeColor(Token::MutedText));
    painter.drawText(room, Qt::AlignLeft | Qt::AlignBottom, moreText());
}

void FieldHelp::openPage()
{
    QWidget *window = m_widget == nullptr ? nullptr : m_widget->window();
    if (window == nullptr) {
        return;
    }
    if (const auto *dialog = qobject_cast<const QDialog *>(window)) {
        HelpDialog::showTopic(window, models::dialogTopic(dialog->objectName()));
        return;
    }
    const QList<QAction *> actions = window->actions(); // the window knows its page
    for (QAction *action : actions) {
        if (action->shortcuts().contains(QKeySequence(Qt::Key_F1))) {
            action->trigger();
            return;
        }
    }
}

bool FieldHelp::onShown(QWidget *shown, QEvent *event)
{
    switch (event->type()) {
    case QEvent::Show:
        shown->setMask(roundedRegion(shown->rect()));
        return false;
    case QEvent::Paint:
        paint(shown);
        return true;
    case QEvent::KeyPress:
        if (static_cast<QKeyEvent *>(event)->key() == Qt::Key_F1) {
            shown->close();
            openPage();
            return true;
        }
        return false;
    default:
        return false;
    }
}

bool FieldHelp::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::Polish && watched->isWidgetType()) {
        auto *widget = static_cast<QWidget *>(watched);
        if (widget->whatsThis().isEmpty() && !widget->objectName().isEmpty()) {
            widget->setWhatsThis(models::fieldHelp(widget->objectName()));
        }
    } else if (event->type() == QEvent::WhatsThis && watched->isWidgetType()) {
        auto *widget = static_cast<QWidget *>(watched);
        m_said.clear();
        if (!widget->whatsThis().isEmpty()) {
            say(widget, widget->whatsThis(), static_cast<QHelpEvent *>(event)->globalPos());
            return true;
        }
    } else if (!m_said.isEmpty() && isOfShown(event->type()) && watched->inherits("QWhatsThat")) {
        return onShown(static_cast<QWidget *>(watched), event);
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
