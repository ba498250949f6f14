// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/forms.h"

#include "ui/theme/theme.h"
#include "ui/widgets/labels.h"

#include <QLabel>
#include <QLineEdit>
#include <QPointer>
#include <algorithm>

namespace idemdesk::ui {

namespace {

constexpr int kAroundLine = 14; // pixels of a field beside its text's, where texts are large

/// As high as its field's first line: a form's layout puts a lower name above the middle of it.
class FieldName final : public QLabel
{
public:
    FieldName(QWidget *field, QWidget *parent)
        : QLabel(parent)
        , m_field(field)
    {
        setTextFormat(Qt::PlainText);
        setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    }
    QSize sizeHint() const override
    {
        const QSize own = QLabel::sizeHint();
        const int field = m_field != nullptr ? m_field->sizeHint().height() : 0;
        const int line = std::max(kControlHeight, own.height() + kAroundLine);
        return { own.width(), std::max(own.height(), std::min(field, line)) };
    }
    QSize minimumSizeHint() const override { return { QLabel::minimumSizeHint().width(), sizeHint().height() }; }

private:
    QPointer<QWidget> m_field;
};

} // namespace

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
    auto *label = new FieldName(field, form->parentWidget());
    label->setText(name);
    label->setBuddy(named);
    form->addRow(label, field);
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
