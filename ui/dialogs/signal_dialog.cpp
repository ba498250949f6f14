// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/signal_dialog.h"

#include "models/format/display_text.h"
#include "ui/dialogs/fitted_text.h"
#include "ui/dialogs/reason_form.h"
#include "ui/theme/console_style.h"
#include "ui/theme/theme.h"
#include "ui/widgets/button_row.h"
#include "ui/widgets/enter_keys.h"
#include "ui/widgets/environment_band.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/text_view.h"

#include <QFormLayout>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

constexpr int kSignalWidth = 560; // pixels
constexpr int kFactChars = 60;
constexpr int kStatementChars = 1'000;
constexpr int kStatementLines = 8; // more of them scroll

/// The fields of all forms begin at one line.
void alignNames(const QList<QFormLayout *> &forms)
{
    QList<QWidget *> names;
    int width = 0;
    for (const QFormLayout *form : forms) {
        for (int row = 0; form != nullptr && row < form->rowCount(); ++row) {
            const QLayoutItem *item = form->itemAt(row, QFormLayout::LabelRole);
            if (item != nullptr && item->widget() != nullptr) {
                names += item->widget();
                width = std::max(width, item->widget()->sizeHint().width());
            }
        }
    }
    for (QWidget *name : std::as_const(names)) {
        name->setMinimumWidth(width);
    }
}

} // namespace

SignalDialog::SignalDialog(const sql::BackendActivity &backend, sql::SignalVerb verb, const QString &age,
    const QString &role, const QString &connection, sql::Environment environment, QWidget *parent)
    : QDialog(parent)
    , m_form(new ReasonForm(
          u"signal"_s, environment == sql::Environment::Production ? QString::number(backend.pid) : QString(), this))
{
    const bool cancel = verb == sql::SignalVerb::Cancel;
    setObjectName(u"signalDialog"_s);
    setWindowTitle(cancel ? tr("Cancel a statement") : tr("End session"));
    setMinimumWidth(kSignalWidth);
    auto *layout = dialogColumn(this);
    if (QLabel *band = environmentBand(environment, connection, this)) {
        layout->addWidget(band);
    }
    auto *heading = titleLabel(
        cancel ? tr("Cancel the statement of session %1?").arg(backend.pid) : tr("End session %1?").arg(backend.pid),
        this);
    layout->addWidget(heading);
    auto *statement = new QPlainTextEdit(models::displayText(backend.query, kStatementChars), this);
    QFormLayout *facts = factsOf(backend, age, role, statement);
    layout->addLayout(facts);
    auto *what = wrappedLabel(cancel ? tr("Its statement ends with an error, and its transaction is rolled back unless "
                                          "the service goes on in it. The session stays.")
                                     : tr("Its connection is closed and its transaction rolled back. What it had not "
                                          "committed is lost; its service has to connect again."),
        this);
    layout->addWidget(what);
    layout->addWidget(m_form);
    alignNames({ facts, qobject_cast<QFormLayout *>(m_form->layout()) });
    auto *buttons = new ButtonRow(this);
    m_go = buttons->addGo(u"signalGo"_s, cancel ? tr("&Cancel its statement") : tr("&End session"));
    setLook(m_go, ButtonLook::Danger);
    // Beside "Cancel its statement" the same word would mean two things.
    QPushButton *stay = buttons->addStay(u"signalLeave"_s, cancel ? tr("Let it run") : tr("Cancel"));
    buttons->setDefault(stay);
    layout->addWidget(buttons);
    connect(m_go, &QPushButton::clicked, this, &QDialog::accept);
    connect(m_form, &ReasonForm::changed, this, [this] { m_go->setEnabled(m_form->complete()); });
    guideEnter(this, m_form->fields(), m_go);
    setTabOrder(stay, statement); // to read, after all that is filled in
    m_form->focusFirst();
    m_go->setEnabled(false); // nothing is filled in yet
}

QFormLayout *SignalDialog::factsOf(
    const sql::BackendActivity &backend, const QString &age, const QString &role, QPlainTextEdit *statement)
{
    auto *facts = new QFormLayout;
    facts->setHorizontalSpacing(3 * kGrid); // as the form beneath
    facts->setVerticalSpacing(kGrid);
    facts->setLabelAlignment(Qt::AlignLeft | Qt::AlignTop);
    const auto fact = [&](const QString &name, const QString &text) {
        auto *label = plainLabel(text.isEmpty() ? u"–"_s : models::displayText(text, kFactChars), this);
        facts->addRow(name, label);
    };
    fact(tr("User"), backend.user);
    fact(tr("Application"), backend.application);
    fact(tr("In transaction for"), age);
    fact(tr("Blocks"), role);
    setUpCode(statement, u"signalStatement"_s, tr("Statement"));
    statement->document()->setDocumentMargin(2 * kGrid);
    fitToLines(statement, kStatementLines);
    facts->addRow(tr("Statement"), statement);
    return facts;
}

QString SignalDialog::reason() const
{
    return m_form->reason();
}

QString SignalDialog::ticket() const
{
    return m_form->ticket();
}

} // namespace idemdesk::ui
