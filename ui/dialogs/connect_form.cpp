// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/connect_form.h"

#include "models/connection/connection_fields.h"
#include "models/format/labels.h"
#include "ui/theme/theme.h"
#include "ui/widgets/plain_label.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <QLineEdit>
#include <QTabWidget>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

QLineEdit *field(QWidget *parent, const QString &objectName, const QString &placeholder)
{
    auto *edit = new QLineEdit(parent);
    edit->setObjectName(objectName);
    edit->setPlaceholderText(placeholder);
    return edit;
}

} // namespace

ConnectForm::ConnectForm(bool keychain, QWidget *parent)
    : QWidget(parent)
    , m_tabs(new QTabWidget(this))
    , m_name(field(this, u"connectName"_s, tr("Such as “Orders, production”")))
    , m_password(field(this, u"connectPassword"_s, {}))
    , m_keep(new QCheckBox(tr("&Keep it in the system's keychain"), this))
    , m_environment(new QComboBox(this))
    , m_readOnly(new QCheckBox(tr("&Read-only: offer no action on this connection"), this))
{
    m_tabs->setObjectName(u"connectTabs"_s);
    m_tabs->addTab(buildFields(), tr("&Fields"));
    m_tabs->addTab(buildText(), tr("&Text or service"));
    m_password->setEchoMode(QLineEdit::Password);
    m_keep->setObjectName(u"connectKeep"_s);
    m_environment->setObjectName(u"connectEnvironment"_s);
    m_readOnly->setObjectName(u"connectReadOnly"_s);
    m_environment->addItem(tr("Not marked"), int(sql::Environment::Unmarked));
    for (const sql::Environment environment :
        { sql::Environment::Development, sql::Environment::Test, sql::Environment::Staging, sql::Environment::Production }) {
        QPixmap swatch(14, 14);
        swatch.fill(themeColor(*tokenOf(environment)));
        m_environment->addItem(QIcon(swatch), models::environmentLabel(environment), int(environment));
    }
    auto *form = new QFormLayout;
    form->setSpacing(2 * kGrid);
    form->addRow(tr("&Name:"), m_name);
    form->addRow(m_tabs);
    form->addRow(tr("&Password:"), m_password);
    form->addRow(QString(), m_keep);
    form->addRow(tr("&Environment:"), m_environment);
    form->addRow(QString(), m_readOnly);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addLayout(form);
    layout->addStretch(1);
    connect(m_tabs, &QTabWidget::currentChanged, this, &ConnectForm::syncTabs);
    setKeychain(keychain);
}

QWidget *ConnectForm::buildFields()
{
    auto *tab = new QWidget(this);
    m_host = field(tab, u"connectHost"_s, tr("Name, address or socket folder; empty: the local socket"));
    m_port = field(tab, u"connectPort"_s, u"5432"_s);
    m_database = field(tab, u"connectDatabase"_s, tr("Empty: the name of the user"));
    m_user = field(tab, u"connectUser"_s, tr("Empty: the name of this account"));
    m_rootCert = field(tab, u"connectRootCert"_s, tr("File of the authority, for verify-ca and verify-full"));
    m_sslMode = new QComboBox(tab);
    m_sslMode->setObjectName(u"connectSslMode"_s);
    m_sslMode->addItem(tr("As libpq decides"), QString());
    m_sslMode->addItem(tr("verify-full: encrypted, right server"), u"verify-full"_s);
    m_sslMode->addItem(tr("verify-ca: encrypted, known authority"), u"verify-ca"_s);
    m_sslMode->addItem(tr("require: encrypted, any server"), u"require"_s);
    m_sslMode->addItem(tr("prefer: encrypted if offered"), u"prefer"_s);
    m_sslMode->addItem(tr("allow: encrypted if demanded"), u"allow"_s);
    m_sslMode->addItem(tr("disable: not encrypted"), u"disable"_s);
    auto *form = new QFormLayout(tab);
    form->setSpacing(2 * kGrid);
    form->addRow(tr("&Host:"), m_host);
    form->addRow(tr("P&ort:"), m_port);
    form->addRow(tr("&Database:"), m_database);
    form->addRow(tr("&User:"), m_user);
    form->addRow(tr("En&cryption:"), m_sslMode);
    form->addRow(tr("Root &certificate:"), m_rootCert);
    return tab;
}

QWidget *ConnectForm::buildText()
{
    auto *tab = new QWidget(this);
    m_text = field(tab, u"connectText"_s, u"host=db.example dbname=orders user=app"_s);
    auto *help = plainLabel(tr("A libpq connection text, a URI such as postgresql://app@db.example/orders, or service=NAME from your "
                               "pg_service.conf. Leave the password out of it; ~/.pgpass is read as always."),
        tab);
    help->setWordWrap(true);
    auto *form = new QFormLayout(tab);
    form->setSpacing(2 * kGrid);
    form->addRow(tr("&Connection:"), m_text);
    form->addRow(help);
    return tab;
}

void ConnectForm::show(const models::SavedConnection &connection, const QString &password)
{
    m_id = connection.id;
    m_name->setText(connection.name);
    m_text->setText(connection.conninfo);
    m_password->setText(password);
    m_keep->setChecked(connection.passwordInKeychain && m_keep->isEnabled());
    m_environment->setCurrentIndex(std::max(0, m_environment->findData(int(connection.environment))));
    m_readOnly->setChecked(connection.readOnly);
    const auto fields = models::fieldsFromConninfo(connection.conninfo);
    const bool asText = !fields.ok() || !fields->service.isEmpty();
    const QSignalBlocker blocker(m_tabs);
    m_tabs->setCurrentIndex(asText ? 1 : 0);
    if (!asText) {
        syncTabs(0);
    }
}

void ConnectForm::syncTabs(int index)
{
    if (index == 1) {
        m_text->setText(conninfo());
        return;
    }
    const auto fields = models::fieldsFromConninfo(m_text->text());
    if (!fields.ok()) {
        return; // what cannot be read stays as text
    }
    m_host->setText(fields->host);
    m_port->setText(fields->port);
    m_database->setText(fields->database);
    m_user->setText(fields->user);
    m_rootCert->setText(fields->sslRootCert);
    m_sslMode->setCurrentIndex(std::max(0, m_sslMode->findData(fields->sslMode)));
    m_others = fields->others;
    if (!fields->service.isEmpty()) {
        m_others.emplaceBack(u"service"_s, fields->service);
    }
}

QString ConnectForm::conninfo() const
{
    models::ConnectionFields fields;
    fields.host = m_host->text().trimmed();
    fields.port = m_port->text().trimmed();
    fields.database = m_database->text().trimmed();
    fields.user = m_user->text().trimmed();
    fields.sslMode = m_sslMode->currentData().toString();
    fields.sslRootCert = m_rootCert->text().trimmed();
    fields.others = m_others;
    return models::conninfoFromFields(fields);
}

sql::Result<models::SavedConnection> ConnectForm::connection() const
{
    models::SavedConnection connection;
    connection.id = m_id;
    connection.name = m_name->text().trimmed();
    connection.conninfo = m_tabs->currentIndex() == 1 ? m_text->text().trimmed() : conninfo();
    connection.environment = static_cast<sql::Environment>(m_environment->currentData().toInt());
    connection.readOnly = m_readOnly->isChecked();
    connection.passwordInKeychain = keepPassword();
    if (const auto checked = models::checkConninfo(connection.conninfo); !checked.ok()) {
        return checked.error();
    }
    return connection;
}

QString ConnectForm::password() const
{
    return m_password->text();
}

bool ConnectForm::keepPassword() const
{
    return m_keep->isChecked() && m_keep->isEnabled();
}

void ConnectForm::setKeychain(bool available)
{
    m_keep->setEnabled(available);
    m_keep->setToolTip(available ? tr("Otherwise it is kept for this session only.")
                                 : tr("No keychain answers on this computer: the password is kept for this session only."));
    if (!available) {
        m_keep->setChecked(false);
    }
    m_password->setPlaceholderText(available ? QString() : tr("Kept for this session only"));
}

void ConnectForm::focusFirst()
{
    (m_tabs->currentIndex() == 1 ? m_text : m_host)->setFocus();
}

} // namespace idemdesk::ui
