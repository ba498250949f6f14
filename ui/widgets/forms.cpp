// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/forms.h"

#include "ui/theme/theme.h"
#include "ui/widgets/labels.h"

#include <QLineEdit>

namespace idemdesk::ui {

QFormLayout *formColumn(QWidget *form)
{
    auto *layout = new QFormLayout(form);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setHorizontalSpacing(3 * kGrid);
    layout->setVerticalSpacing(2 * kGrid);
    layout->setLabelAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    layout->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    return layout;
}

void addRow(QFormLayout *form, const QString &name, QWidget *field, QWidget *buddy)
{
    QWidget *named = buddy == nullptr ? field : buddy;
    named->setAccessibleName(QString(name).remove(u'&').remove(u':'));
    form->addRow(buddyLabel(name, named, form->parentWidget()), field);
}

QGridLayout *fieldGrid(QWidget *form)
{
    auto *grid = new QGridLayout(form);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(2 * kGrid);
    grid->setVerticalSpacing(kGrid);
    return grid;
}

void addField(QGridLayout *form, QLineEdit *field, const QString &objectName, const QString &title,
    const QString &example, int row, int column)
{
    field->setObjectName(objectName);
    field->setAccessibleName(title);
    field->setPlaceholderText(example);
    field->setClearButtonEnabled(true);
    form->addWidget(buddyLabel(title, field, form->parentWidget()), row, column);
    form->addWidget(field, row, column + 1);
}

} // namespace idemdesk::ui
