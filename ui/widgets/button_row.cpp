// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/button_row.h"

#include "ui/theme/console_style.h"
#include "ui/widgets/labels.h"

#include <QDialog>
#include <QHBoxLayout>
#include <QPushButton>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

ButtonRow::ButtonRow(QDialog *dialog)
    : QWidget(dialog)
    , m_dialog(dialog)
    , m_row(new QHBoxLayout(this))
    , m_reason(noteLabel({}, u"buttonReason"_s, this))
{
    m_row->setContentsMargins(0, 0, 0, 0);
    m_reason->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_row->addWidget(m_reason, 1); // empty, it is the room between
}

QPushButton *ButtonRow::addAside(const QString &objectName, const QString &text)
{
    return add(objectName, text, m_asides++);
}

QPushButton *ButtonRow::addBack(const QString &objectName, const QString &text)
{
    return add(objectName, text, m_asides + 1 + m_goes++); // after the room between
}

QPushButton *ButtonRow::addGo(const QString &objectName, const QString &text)
{
    QPushButton *button = addBack(objectName, text);
    setLook(button, ButtonLook::Primary);
    return button;
}

QPushButton *ButtonRow::addStay(const QString &objectName, const QString &text)
{
    QPushButton *button = add(objectName, text, m_row->count());
    connect(button, &QPushButton::clicked, m_dialog, &QDialog::reject);
    return button;
}

QPushButton *ButtonRow::add(const QString &objectName, const QString &text, int at)
{
    auto *button = new QPushButton(text, this);
    button->setObjectName(objectName);
    button->setAccessibleName(QString(text).remove(u'&'));
    button->setAutoDefault(false);
    m_row->insertWidget(at, button);
    return button;
}

void ButtonRow::setDefault(QPushButton *button)
{
    button->setDefault(true);
}

void ButtonRow::showReason(const QString &why)
{
    m_reason->setText(why);
}

} // namespace idemdesk::ui
