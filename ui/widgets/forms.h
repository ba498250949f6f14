// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFormLayout>
#include <QGridLayout>

class QLineEdit;

namespace idemdesk::ui {

/// Fields below each other, their names before them.
QFormLayout *formColumn(QWidget *form);
/// Adds a row whose name is the field's for eyes, keyboard and screen readers. buddy: the one that is meant where the
/// field is made of several.
void addRow(QFormLayout *form, const QString &name, QWidget *field, QWidget *buddy = nullptr);

/// Fields in a few lines, several beside each other.
QGridLayout *fieldGrid(QWidget *form);
/// Puts a field with its name before it into such a form; the example stands in it while it is empty.
void addField(QGridLayout *form, QLineEdit *field, const QString &objectName, const QString &title,
    const QString &example, int row, int column);

} // namespace idemdesk::ui
