// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>

class QDialog;
class QPushButton;
class QWidget;

namespace idemdesk::ui {

/// Enter on a focused button is that button, whatever the default button of the dialog is. Call it when all of them are
/// there.
void guideEnter(QDialog *dialog);

/// For a dialog whose default button gives up. Enter in a field goes on to the next one, and
/// from the last to `go`: the default never takes an Enter that was typed into a field, a list or a text. Tab takes the
/// same way.
void guideEnter(QDialog *dialog, const QList<QWidget *> &fields, QPushButton *go);

} // namespace idemdesk::ui
