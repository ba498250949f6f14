// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/widgets/plain_label.h"

#include <QGridLayout>
#include <QLineEdit>

namespace idemdesk::ui {

/// Puts a field with its label before it into a form: one name for eyes and screen readers, the example stands in it while it is empty.
inline void addField(QGridLayout *form, QLineEdit *field, const QString &objectName, const QString &title, const QString &example, int row, int column)
{
    auto *label = plainLabel(title, form->parentWidget());
    label->setBuddy(field);
    field->setObjectName(objectName);
    field->setAccessibleName(title);
    field->setPlaceholderText(example);
    field->setClearButtonEnabled(true);
    form->addWidget(label, row, column);
    form->addWidget(field, row, column + 1);
}

} // namespace idemdesk::ui
