// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/error.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QComboBox>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QRegularExpression>
#include <QTest>

namespace idemdesk::test {

/// Any warning fails the test, but for what the platform without a screen says once per window.
inline void failOnWarning()
{
    // The offscreen platform says so of dialogs and of lists that open.
    QTest::failOnWarning(QRegularExpression(
        QStringLiteral("^(?!This plugin does not support (propagateSizeHints|raise|grabbing the keyboard))")));
}

/// The child widget of this name, or null.
template <typename T> T *named(QWidget *parent, const char16_t *name)
{
    return parent->findChild<T *>(QString::fromUtf16(name));
}

/// An error whose every part tries to be more than text.
inline sql::Error hostileError()
{
    sql::Error error;
    error.kind = sql::ErrorKind::Authentication;
    error.what = QStringLiteral("The server refused <img src=x>.");
    error.why = QStringLiteral("The role \"<b>app</b>\" may not log in.");
    error.todo = QStringLiteral("Ask the owner of <a href=x>pg_hba.conf</a>.");
    error.sqlState = QStringLiteral("28P01");
    error.detail = QStringLiteral("FATAL: password authentication failed for user \"<img src=x>\u202E\"");
    return error;
}

/// Every widget a person can reach says its name to a screen reader and to a test.
inline QStringList nameless(QWidget *dialog)
{
    QStringList found;
    for (QWidget *widget : dialog->findChildren<QWidget *>()) {
        const bool reachable = qobject_cast<QAbstractButton *>(widget) != nullptr
            || qobject_cast<QLineEdit *>(widget) != nullptr || qobject_cast<QAbstractItemView *>(widget) != nullptr
            || qobject_cast<QComboBox *>(widget) != nullptr || qobject_cast<QPlainTextEdit *>(widget) != nullptr;
        const bool ofQt = widget->inherits("QHeaderView") || widget->inherits("QTableCornerButton")
            || widget->objectName().startsWith(QStringLiteral("qt_")) || widget->parentWidget()->inherits("QTabBar");
        if (reachable && !ofQt && widget->isVisibleTo(dialog)
            && (widget->objectName().isEmpty() || widget->accessibleName().isEmpty())) {
            found.append(QString::fromLatin1(widget->metaObject()->className()) + u' ' + widget->objectName());
        }
    }
    return found;
}

} // namespace idemdesk::test
