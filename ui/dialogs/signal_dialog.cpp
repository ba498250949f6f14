// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/signal_dialog.h"

#include "models/format/display_text.h"
#include "ui/dialogs/enter_keys.h"
#include "ui/theme/theme.h"
#include "ui/widgets/environment_band.h"
#include "ui/widgets/plain_label.h"

#include <QFontDatabase>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

constexpr int kSignalWidth = 560; // pixels
constexpr int kFactChars = 60;
constexpr int kStatementChars = 1'000;
constexpr int kStatementHeight = 80; // pixels

} // namespace

SignalDialog::SignalDialog(const sql::BackendActivity &backend, sql::SignalVerb verb, const QString &age, const QString &connection, sql::Environment environment,
    QWidget *parent)
    : QDialog(parent)
    , m_pid(backend.pid)
    , m_reason(new QLineEdit(this))
    , m_ticket(new QLineEdit(this))
    , m_go(new QPushButton(this))
{
    const bool cancel = verb == sql::SignalVerb::Cancel;
    setObjectName(u"signalDialog"_s);
    setWindowTitle(cancel ? tr("Cancel a statement") : tr("End a session"));
    setMinimumWidth(kSignalWidth);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(4 * kGrid, 4 * kGrid, 4 * kGrid, 4 * kGrid);
    layout->setSpacing(2 * kGrid);
    if (QLabel *band = environmentBand(environment, connection, this)) {
        layout->addWidget(band);
    }
    auto *heading = plainLabel(cancel ? tr("Cancel the statement of session %1?").arg(backend.pid) : tr("End session %1?").arg(backend.pid), this);
    heading->setFont(Theme::title());
    layout->addWidget(heading);
    auto *facts = new QFormLayout;
    facts->setSpacing(kGrid);
    const auto fact = [&](const QString &name, const QString &text) {
        auto *label = plainLabel(text.isEmpty() ? u"–"_s : models::displayText(text, kFactChars), this);
        facts->addRow(name, label);
    };
    fact(tr("User"), backend.user);
    fact(tr("Application"), backend.application);
    fact(tr("In transaction for"), age);
    auto *statement = new QPlainTextEdit(models::displayText(backend.query, kStatementChars), this);
    statement->setObjectName(u"signalStatement"_s);
    statement->setReadOnly(true);
    statement->setTabChangesFocus(true);
    statement->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    statement->setFixedHeight(kStatementHeight);
    statement->setAccessibleName(tr("Statement"));
    facts->addRow(tr("Statement"), statement);
    layout->addLayout(facts);
    auto *what = plainLabel(cancel ? tr("Its statement ends with an error, and its transaction is rolled back unless the service goes on in it. The session stays.")
                                   : tr("Its connection is closed and its transaction rolled back. What it had not committed is lost; its service has to connect again."),
        this);
    what->setWordWrap(true);
    layout->addWidget(what);
    auto *form = new QFormLayout;
    form->setSpacing(2 * kGrid);
    m_reason->setObjectName(u"signalReason"_s);
    m_reason->setPlaceholderText(tr("Why it is done; the trail keeps it"));
    m_ticket->setObjectName(u"signalTicket"_s);
    m_ticket->setPlaceholderText(tr("Optional"));
    form->addRow(tr("&Reason"), m_reason);
    form->addRow(tr("&Ticket"), m_ticket);
    if (environment == sql::Environment::Production) {
        m_typed = new QLineEdit(this);
        m_typed->setObjectName(u"signalTyped"_s);
        form->addRow(tr("T&ype “%1” to confirm").arg(backend.pid), m_typed);
        connect(m_typed, &QLineEdit::textChanged, this, &SignalDialog::refresh);
    }
    layout->addLayout(form);
    auto *buttons = new QHBoxLayout;
    auto *stay = new QPushButton(tr("Leave it"), this);
    stay->setObjectName(u"signalLeave"_s);
    stay->setDefault(true);
    m_go->setObjectName(u"signalGo"_s);
    m_go->setText(cancel ? tr("&Cancel its statement") : tr("&End the session"));
    buttons->addStretch(1);
    buttons->addWidget(m_go);
    buttons->addWidget(stay);
    layout->addLayout(buttons);
    connect(stay, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_go, &QPushButton::clicked, this, &QDialog::accept);
    connect(m_reason, &QLineEdit::textChanged, this, &SignalDialog::refresh);
    QList<QWidget *> fields { m_reason, m_ticket };
    if (m_typed != nullptr) {
        fields += m_typed;
    }
    guideEnter(this, fields, m_go);
    setTabOrder(stay, statement); // to read, after all that is filled in
    m_reason->setFocus();
    refresh();
}

QString SignalDialog::reason() const { return m_reason->text().trimmed(); }

QString SignalDialog::ticket() const { return m_ticket->text().trimmed(); }

void SignalDialog::refresh() { m_go->setEnabled(!reason().isEmpty() && (m_typed == nullptr || m_typed->text().trimmed() == QString::number(m_pid))); }

} // namespace idemdesk::ui
