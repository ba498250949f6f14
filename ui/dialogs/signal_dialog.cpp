// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/signal_dialog.h"

#include "models/format/display_text.h"
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
#include <QPlainTextEdit>
#include <QPushButton>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

constexpr int kSignalWidth = 560; // pixels
constexpr int kFactChars = 60;
constexpr int kStatementChars = 1'000;
constexpr int kStatementHeight = 80; // pixels

} // namespace

SignalDialog::SignalDialog(const sql::BackendActivity &backend, sql::SignalVerb verb, const QString &age,
    const QString &role, const QString &connection, sql::Environment environment, QWidget *parent)
    : QDialog(parent)
    , m_form(new ReasonForm(
          u"signal"_s, environment == sql::Environment::Production ? QString::number(backend.pid) : QString(), this))
{
    const bool cancel = verb == sql::SignalVerb::Cancel;
    setObjectName(u"signalDialog"_s);
    setWindowTitle(cancel ? tr("Cancel a statement") : tr("End a session"));
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
    layout->addLayout(factsOf(backend, age, role, statement));
    auto *what = wrappedLabel(cancel ? tr("Its statement ends with an error, and its transaction is rolled back unless "
                                          "the service goes on in it. The session stays.")
                                     : tr("Its connection is closed and its transaction rolled back. What it had not "
                                          "committed is lost; its service has to connect again."),
        this);
    layout->addWidget(what);
    layout->addWidget(m_form);
    auto *buttons = new ButtonRow(this);
    m_go = buttons->addGo(u"signalGo"_s, cancel ? tr("&Cancel its statement") : tr("&End the session"));
    setLook(m_go, ButtonLook::Danger);
    QPushButton *stay = buttons->addStay(u"signalLeave"_s, tr("Keep it"));
    buttons->setDefault(stay);
    layout->addWidget(buttons);
    connect(m_go, &QPushButton::clicked, this, &QDialog::accept);
    connect(m_form, &ReasonForm::changed, this, [this] { m_go->setEnabled(m_form->complete()); });
    guideEnter(this, m_form->fields(), m_go);
    setTabOrder(stay, statement); // to read, after all that is filled in
    m_form->focusFirst();
    m_go->setEnabled(false); // nothing is filled in yet
}

QLayout *SignalDialog::factsOf(
    const sql::BackendActivity &backend, const QString &age, const QString &role, QPlainTextEdit *statement)
{
    auto *facts = new QFormLayout;
    facts->setSpacing(kGrid);
    const auto fact = [&](const QString &name, const QString &text) {
        auto *label = plainLabel(text.isEmpty() ? u"–"_s : models::displayText(text, kFactChars), this);
        facts->addRow(name, label);
    };
    fact(tr("User"), backend.user);
    fact(tr("Application"), backend.application);
    fact(tr("In transaction for"), age);
    fact(tr("Locks"), role);
    setUpCode(statement, u"signalStatement"_s, tr("Statement"));
    statement->setFixedHeight(kStatementHeight);
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
