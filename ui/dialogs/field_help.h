// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QPointer>
#include <QWidget>

namespace idemdesk::ui {

/// Help for what is in front: Shift+F1 says what the field with the focus is for, F1 in a dialog opens its page of the
/// help. The texts stand in the help, by the names of the fields.
class FieldHelp final : public QObject
{
    Q_OBJECT

public:
    static void install(); ///< for the whole application, once

    /// What is said of a widget: its own text, or that of the field it is a part of; empty where there is none.
    static QString textOf(const QWidget *widget);
    /// Shows it beside the widget; where nothing is said of it, what is clicked next is explained.
    static void explain(QWidget *widget);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    using QObject::QObject;
    void say(QWidget *widget, const QString &text, const QPoint &globalPlace);
    bool onShown(QWidget *shown, QEvent *event); ///< what comes to Qt's window; true: it is done
    void paint(QWidget *shown) const;
    void openPage(); ///< of the help, about where the field is that was explained last

    // Of what was explained last; Qt's own window keeps it to itself.
    QString m_name;
    QString m_said;
    QPointer<QWidget> m_widget;
};

} // namespace idemdesk::ui
