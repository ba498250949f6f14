// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/reason_form.h"

#include "models/format/display_text.h"
#include "ui/widgets/forms.h"

#include <QLineEdit>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

ReasonForm::ReasonForm(const QString &prefix, const QString &toType, QWidget *parent)
    : QWidget(parent)
    , m_toType(toType)
    , m_form(formColumn(this))
    , m_reason(addLine(prefix + u"Reason"_s, tr("&Reason"), tr("Required. Recorded in the audit log")))
    , m_ticket(addLine(prefix + u"Ticket"_s, tr("&Ticket"), tr("Optional")))
{
    if (!toType.isEmpty()) {
        m_typed
            = addLine(prefix + u"Typed"_s, tr("T&ype “%1” to confirm").arg(models::displayText(toType, 60)), QString());
    }
}

QLineEdit *ReasonForm::addLine(const QString &objectName, const QString &label, const QString &hint)
{
    auto *line = new QLineEdit(this);
    line->setObjectName(objectName);
    line->setPlaceholderText(hint);
    addRow(m_form, label, line);
    m_fields += line;
    connect(line, &QLineEdit::textChanged, this, &ReasonForm::changed);
    return line;
}

void ReasonForm::fix(const QString &reason, const QString &ticket)
{
    fill(reason, ticket);
    m_reason->setReadOnly(true);
    m_ticket->setReadOnly(true);
}

void ReasonForm::fill(const QString &reason, const QString &ticket)
{
    m_reason->setText(reason);
    m_ticket->setText(ticket);
}

void ReasonForm::addChoice(QWidget *choice)
{
    m_form->addRow(QString(), choice);
    m_fields += choice;
}

QString ReasonForm::reason() const
{
    return m_reason->text().trimmed();
}

QString ReasonForm::ticket() const
{
    return m_ticket->text().trimmed();
}

bool ReasonForm::typed() const
{
    return m_typed == nullptr || m_typed->text() == m_toType;
}

void ReasonForm::focusFirst()
{
    m_reason->setFocus();
}

} // namespace idemdesk::ui
