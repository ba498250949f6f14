// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/reason_dialog.h"

#include "models/format/display_text.h"
#include "ui/widgets/button_row.h"
#include "ui/widgets/enter_keys.h"
#include "ui/widgets/environment_band.h"
#include "ui/widgets/forms.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/text_view.h"

#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

constexpr int kReasonWidth = 520; // pixels
constexpr int kDetailsWidth = 760;

} // namespace

ReasonDialog::ReasonDialog(const ReasonQuestion &question, QWidget *parent)
    : QDialog(parent)
    , m_required(question.required)
    , m_toType(question.environment == sql::Environment::Production ? question.toType : QString())
    , m_line(new QLineEdit(this))
{
    setObjectName(question.name);
    setWindowTitle(QString(question.verb).remove(u'&')); // the heading stands inside, whole
    auto *layout = dialogColumn(this);
    if (QLabel *band = environmentBand(question.environment, question.connection, this)) {
        layout->addWidget(band);
    }
    QLabel *heading = titleLabel(question.heading, this);
    heading->setWordWrap(true);
    m_line->setObjectName(question.name + u"Text"_s);
    m_line->setPlaceholderText(question.label);
    m_line->setAccessibleName(question.label);
    connect(m_line, &QLineEdit::textChanged, this, &ReasonDialog::refresh);
    layout->addWidget(heading);
    addFacts(question, layout);
    layout->addWidget(m_line);
    QList<QWidget *> fields { m_line };
    if (!m_toType.isEmpty()) {
        m_typed = new QLineEdit(this);
        m_typed->setObjectName(question.name + u"Typed"_s);
        m_typed->setAccessibleName(tr("Name of the table, to confirm"));
        connect(m_typed, &QLineEdit::textChanged, this, &ReasonDialog::refresh);
        layout->addWidget(
            buddyLabel(tr("T&ype “%1” to confirm").arg(models::displayText(m_toType, 60)), m_typed, this));
        layout->addWidget(m_typed);
        fields += m_typed;
    }
    auto *buttons = new ButtonRow(this);
    m_go = buttons->addGo(question.name + u"Go"_s, question.verb);
    buttons->setDefault(buttons->addStay(question.name + u"Cancel"_s, tr("Cancel")));
    layout->addWidget(buttons);
    connect(m_go, &QPushButton::clicked, this, &QDialog::accept);
    refresh();
    resize(question.details.isEmpty() ? kReasonWidth : kDetailsWidth, sizeHint().height());
    guideEnter(this, fields, m_go);
    m_line->setFocus();
}

void ReasonDialog::addFacts(const ReasonQuestion &question, QVBoxLayout *layout)
{
    if (!question.facts.isEmpty()) {
        auto *facts = new QWidget(this);
        facts->setObjectName(u"auditAskFacts"_s);
        QFormLayout *form = formColumn(facts);
        for (const QStringList &fact : question.facts) {
            QLabel *value = readableLabel(QString(), facts);
            value->setText(fact.value(1));
            form->addRow(plainLabel(fact.value(0), facts), value);
        }
        layout->addWidget(facts);
    }
    if (!question.details.isEmpty()) {
        auto *details = new QPlainTextEdit(question.details, this);
        setUpCode(details, u"auditAskDetails"_s, question.detailsLabel);
        layout->addWidget(buddyLabel(question.detailsLabel, details, this));
        layout->addWidget(details, 1);
    }
}

QString ReasonDialog::text() const
{
    return m_line->text().trimmed();
}

void ReasonDialog::refresh()
{
    m_go->setEnabled((!m_required || !text().isEmpty()) && (m_typed == nullptr || m_typed->text() == m_toType));
}

} // namespace idemdesk::ui
