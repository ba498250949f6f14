// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>

namespace idemdesk::ui {

/// A label that never reads its text as anything but plain text: Qt's own would open files named in it. All labels of
/// the console come from here.
QLabel *plainLabel(const QString &text = {}, QWidget *parent = nullptr);
/// One line whose end gives way to "…" where there is too little room; text() stays whole. It may become narrow.
QLabel *elidedLabel(QWidget *parent);
QLabel *titleLabel(const QString &text, QWidget *parent); ///< of a page, a dialog or a part of one
QLabel *strongLabel(const QString &text, QWidget *parent);
QLabel *wrappedLabel(const QString &text, QWidget *parent); ///< of sentences
QLabel *buddyLabel(const QString &text, QWidget *buddy, QWidget *parent); ///< names a field, with its mnemonic
QLabel *noteLabel(const QString &text, const QString &objectName, QWidget *parent); ///< wraps; quieter than the rest

/// Sentences that a person may want to hand on: they wrap, and can be selected by mouse and keyboard.
QLabel *readableLabel(const QString &objectName, QWidget *parent);

} // namespace idemdesk::ui
