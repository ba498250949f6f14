// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QRect>

class QWidget;

namespace idemdesk::ui {

/// Shows every tooltip of the program as plain text. Qt reads a tooltip as rich text where it looks like it, and a key
/// named
/// `<img src=…>` would have the program open that file as soon as the mouse rests on it.
class PlainToolTips final : public QObject
{
    Q_OBJECT

public:
    /// For the whole application; further calls do nothing.
    static void install();
    /// What QToolTip is given: the text as it stands, broken where a word is too long for a tooltip.
    static QString safe(const QString &text);
    /// Shows such a text at once, for what a widget draws itself; it goes when the mouse leaves `area`. Nothing else
    /// calls QToolTip (a test of tests/layers looks).
    static void show(const QPoint &place, const QString &text, QWidget *widget, const QRect &area = {});

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    using QObject::QObject;
};

} // namespace idemdesk::ui
