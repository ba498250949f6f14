// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/connect_form.h"

#include "models/format/display_text.h"
#include "models/format/labels.h"
#include "ui/dialogs/saved_list.h"
#include "ui/theme/theme.h"
#include "ui/widgets/forms.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/questions.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTabWidget>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

const QString kVerified = QStringLiteral("verify-full");

constexpr int kPortWidth = 32 * kGrid;

/// On whatever tab they stand, the fields begin below each other.
void alignFields(const QWidget *parent)
{
    QList<QWidget *> names;
    for (const QFormLayout *form : parent->findChildren<QFormLayout *>()) {
        for (int row = 0; row < form->rowCount(); ++row) {
            const QLayoutItem *name = form->itemAt(row, QFormLayout::LabelRole);
            if (name != nullptr && name->widget() != nullptr) {
                names += name->widget();
            }
        }
    }
    int widest = 0;
    for (const QWidget *name : std::as_const(names)) {
        widest = std::max(widest, name->sizeHint().width());
    }
    for (QWidget *name : std::as_const(names)) {
        name->setMinimumWidth(widest);
    }
}

} // namespace

ConnectForm::ConnectForm(bool canKeep, QWidget *parent)
    : QWidget(parent)
    , m_canKeep(canKeep)
    , m_environment(new QComboBox(this))
    , m_readOnly(new QCheckBox(tr("Read-&only"), this))
    , m_tabs(new QTabWidget(this))
    , m_unverified(new QCheckBox(tr("Al&low sending the password to an unverified server"), this))
    , m_unverifiedHint(noteLabel({}, u"connectUnverifiedHint"_s, this))
{
    setObjectName(u"connectForm"_s);
    m_environment->setObjectName(u"connectEnvironment"_s);
    m_environment->setIconSize(QSize(3 * kGrid, 3 * kGrid));
    for (const sql::Environment environment : sql::kAllOf<sql::Environment>) {
        const QString label = models::environmentLabel(environment);
        m_environment->addItem(
            environmentDot(environment, palette()), label.isEmpty() ? tr("Not marked") : label, int(environment));
    }
    m_readOnly->setObjectName(u"connectReadOnly"_s);
    m_readOnly->setAccessibleName(tr("Read-only"));
    m_readOnly->setToolTip(tr("No action that changes rows is offered on this connection."));
    m_unverified->setObjectName(u"connectUnverified"_s);
    m_unverified->setAccessibleName(tr("Allow sending the password to an unverified server"));
    m_tabs->setObjectName(u"connectTabs"_s);
    m_tabs->setAccessibleName(tr("How the connection is described"));
    m_tabs->setDocumentMode(true); // without a frame, whose width would push the fields in
    m_tabs->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed); // in a higher dialog the room is below the form
    m_tabs->addTab(fieldsPage(), tr("&Fields"));
    m_tabs->addTab(textPage(), tr("&URI or conninfo"));
    m_tabs->addTab(servicePage(), tr("Ser&vice"));

    layOut();

    connect(m_tabs, &QTabWidget::currentChanged, this, &ConnectForm::onTab);
    connect(m_keep, &QCheckBox::toggled, this, &ConnectForm::updatePasswordHint);
    connect(m_unverified, &QCheckBox::toggled, this, &ConnectForm::updateUnverifiedHint);
    for (const QLineEdit *edit : findChildren<QLineEdit *>()) {
        connect(edit, &QLineEdit::textChanged, this, &ConnectForm::changed);
    }
    for (const QComboBox *combo : { m_environment, m_sslMode }) {
        connect(combo, &QComboBox::currentIndexChanged, this, &ConnectForm::changed);
    }
    for (const QCheckBox *box : { m_readOnly, m_keep, m_unverified }) {
        connect(box, &QCheckBox::toggled, this, &ConnectForm::changed);
    }
    updatePasswordHint();
    updateUnverifiedHint();
}

/// In sections: what the connection is called, where it goes, and how it signs in.
void ConnectForm::layOut()
{
    QFormLayout *layout = formColumn(this);
    const auto section = [this, layout](const QString &title, bool first) {
        QLabel *heading = strongLabel(title, this);
        heading->setContentsMargins(0, first ? 0 : 2 * kGrid, 0, 0);
        layout->addRow(heading);
    };
    section(tr("This connection"), true);
    m_name = addEdit(layout, tr("&Name"), u"connectName"_s, tr("Optional; defaults to database and host"));
    auto *environment = new QWidget(this);
    QHBoxLayout *marks = barRow({}, environment);
    marks->addWidget(m_environment, 1);
    marks->addWidget(m_readOnly);
    addRow(layout, tr("&Environment"), environment, m_environment);
    section(tr("Server"), false);
    layout->addRow(m_tabs);
    section(tr("Sign in"), false);
    QWidget *password = passwordRow();
    addRow(layout, tr("Pass&word"), password, m_password);
    layout->addRow(QString(), m_passwordHint);
    layout->addRow(QString(), m_unverified);
    layout->addRow(QString(), m_unverifiedHint);
    alignFields(this);
    const QList<QWidget *> order { m_name, m_environment, m_readOnly, m_tabs, m_host, m_port, m_database, m_user,
        m_sslMode, m_rootCert, m_browse, m_text, m_service, m_password, m_keep, m_unverified };
    for (int i = 1; i < order.size(); ++i) {
        setTabOrder(order.at(i - 1), order.at(i));
    }
}

QLineEdit *ConnectForm::addEdit(
    QFormLayout *layout, const QString &label, const QString &objectName, const QString &placeholder)
{
    auto *edit = new QLineEdit(layout->parentWidget());
    edit->setObjectName(objectName);
    edit->setPlaceholderText(placeholder);
    addRow(layout, label, edit);
    return edit;
}

QWidget *ConnectForm::fieldsPage()
{
    auto *page = new QWidget(this);
    QFormLayout *layout = formColumn(page);
    layout->setContentsMargins(0, 3 * kGrid, 0, 3 * kGrid); // its fields stand under those above the tabs
    auto *address = new QWidget(page);
    m_host = new QLineEdit(address);
    m_host->setObjectName(u"connectHost"_s);
    m_host->setPlaceholderText(tr("Name, address or socket folder"));
    m_port = new QLineEdit(address);
    m_port->setObjectName(u"connectPort"_s);
    m_port->setAccessibleName(tr("Port"));
    m_port->setPlaceholderText(tr("5432 if empty"));
    m_port->setFixedWidth(kPortWidth);
    QHBoxLayout *host = barRow({}, address);
    host->addWidget(m_host, 1);
    host->addWidget(buddyLabel(tr("&Port"), m_port, address));
    host->addWidget(m_port);
    addRow(layout, tr("&Host"), address, m_host);
    m_database = addEdit(layout, tr("&Database"), u"connectDatabase"_s);
    m_user = addEdit(layout, tr("U&ser"), u"connectUser"_s);
    m_sslMode = new QComboBox(page);
    m_sslMode->setObjectName(u"connectSslMode"_s);
    m_sslMode->addItem(tr("libpq's default"), QString());
    const std::pair<const char16_t *, QString> modes[]
        = { { u"disable", tr("disable: not encrypted") }, { u"allow", tr("allow: encrypted if demanded") },
              { u"prefer", tr("prefer: encrypted if offered") }, { u"require", tr("require: encrypted, any server") },
              { u"verify-ca", tr("verify-ca: encrypted, known authority") },
              { u"verify-full", tr("verify-full: encrypted, right server") } };
    for (const auto &[mode, text] : modes) {
        m_sslMode->addItem(text, QString::fromUtf16(mode));
    }
    addRow(layout, tr("Encr&yption"), m_sslMode);

    auto *certificate = new QWidget(page);
    auto *row = barRow({}, certificate);
    m_rootCert = new QLineEdit(certificate);
    m_rootCert->setObjectName(u"connectRootCertificate"_s);
    m_rootCert->setPlaceholderText(tr("For verify-ca and verify-full"));
    m_browse = new QPushButton(tr("&Browse…"), certificate);
    m_browse->setObjectName(u"connectBrowse"_s);
    m_browse->setAccessibleName(tr("Choose the root certificate's file"));
    m_browse->setAutoDefault(false);
    connect(m_browse, &QPushButton::clicked, this, &ConnectForm::browse);
    row->addWidget(m_rootCert, 1);
    row->addWidget(m_browse);
    addRow(layout, tr("&Root certificate"), certificate, m_rootCert);
    m_othersNote = noteLabel({}, u"connectOthers"_s, page);
    m_othersNote->hide();
    layout->addRow(m_othersNote);
    return page;
}

QWidget *ConnectForm::textPage()
{
    auto *page = new QWidget(this);
    QFormLayout *layout = formColumn(page);
    layout->setContentsMargins(0, 3 * kGrid, 0, 3 * kGrid); // its fields stand under those above the tabs
    m_text = addEdit(
        layout, tr("&Given as"), u"connectText"_s, tr("e.g. %1").arg(u"postgresql://app@db.example:5432/orders"_s));
    layout->addRow(noteLabel(tr("A URI or libpq's key=value text. A password does not belong in it: enter it below."),
        u"connectTextNote"_s, page));
    return page;
}

QWidget *ConnectForm::servicePage()
{
    auto *page = new QWidget(this);
    QFormLayout *layout = formColumn(page);
    layout->setContentsMargins(0, 3 * kGrid, 0, 3 * kGrid); // its fields stand under those above the tabs
    m_service = addEdit(layout, tr("Se&rvice"), u"connectService"_s);
    layout->addRow(
        noteLabel(tr("Host, database and user are read from this section of libpq's service file, pg_service.conf."),
            u"connectServiceNote"_s, page));
    return page;
}

QWidget *ConnectForm::passwordRow()
{
    auto *row = new QWidget(this);
    auto *layout = barRow({}, row);
    m_password = new QLineEdit(row);
    m_password->setObjectName(u"connectPassword"_s);
    m_password->setEchoMode(QLineEdit::Password);
    m_keep = new QCheckBox(tr("&Keep in the keychain"), row);
    m_keep->setObjectName(u"connectKeep"_s);
    m_keep->setAccessibleName(tr("Keep the password in the keychain"));
    layout->addWidget(m_password, 1);
    layout->addWidget(m_keep);
    m_passwordHint = noteLabel({}, u"connectPasswordHint"_s, this);
    return row;
}

void ConnectForm::setConnection(const models::SavedConnection &connection)
{
    m_connection = connection;
    m_name->setText(connection.name);
    m_environment->setCurrentIndex(m_environment->findData(int(connection.environment)));
    m_readOnly->setChecked(connection.readOnly);
    m_password->clear();
    m_keep->setChecked(connection.passwordInKeychain);
    m_unverified->setChecked(connection.unverifiedPassword);
    const auto parsed = models::fieldsFromConninfo(connection.conninfo);
    models::ConnectionFields shown = parsed.ok() ? *parsed : models::ConnectionFields();
    if (isNew() && connection.conninfo.isEmpty()) {
        shown.sslMode = kVerified;
    }
    showFields(shown);
    m_text->setText(connection.conninfo);
    const bool uri = connection.conninfo.contains(u"://"_s);
    const bool serviceOnly
        = !shown.service.isEmpty() && shown.host.isEmpty() && shown.database.isEmpty() && shown.others.isEmpty();
    m_tab = !parsed.ok() || uri || (!shown.service.isEmpty() && !serviceOnly) ? TextTab
        : serviceOnly                                                         ? ServiceTab
                                                                              : FieldsTab;
    m_tabs->setCurrentIndex(m_tab);
    updatePasswordHint();
    m_untouched = entered();
    emit changed();
}

QStringList ConnectForm::entered() const
{
    QStringList out { m_password->text(), m_environment->currentText(), m_sslMode->currentText() };
    for (const QLineEdit *edit : { m_name, m_host, m_port, m_database, m_user, m_rootCert, m_text, m_service }) {
        out += edit->text();
    }
    for (const QCheckBox *box : { m_readOnly, m_keep, m_unverified }) {
        out += QString::number(int(box->isChecked()));
    }
    return out;
}

bool ConnectForm::connectionEdited() const
{
    return entered().mid(1) != m_untouched.mid(1); // the password is the first of them
}

void ConnectForm::adopt(const models::SavedConnection &connection)
{
    m_connection = connection;
    m_name->setText(connection.name);
    if (m_tab == TextTab) {
        m_text->setText(connection.conninfo); // what was added to a new one stands there from now on
    }
    updatePasswordHint();
    m_untouched = entered();
    emit changed();
}

void ConnectForm::showFields(const models::ConnectionFields &fields)
{
    m_host->setText(fields.host);
    m_port->setText(fields.port);
    m_database->setText(fields.database);
    m_user->setText(fields.user);
    m_rootCert->setText(fields.sslRootCert);
    m_service->setText(fields.service);
    int mode = m_sslMode->findData(fields.sslMode);
    if (mode < 0) { // one that a later libpq knows
        m_sslMode->addItem(models::displayText(fields.sslMode), fields.sslMode);
        mode = m_sslMode->count() - 1;
    }
    m_sslMode->setCurrentIndex(mode);
    m_others = fields.others;
    QStringList names;
    for (const auto &[keyword, value] : fields.others) {
        names.append(models::displayText(keyword));
    }
    m_othersNote->setText(tr("Also set, see “URI or conninfo”: %1.").arg(names.join(u", "_s)));
    m_othersNote->setVisible(!names.isEmpty());
}

models::ConnectionFields ConnectForm::fields() const
{
    models::ConnectionFields fields;
    fields.host = m_host->text();
    fields.port = m_port->text();
    fields.database = m_database->text();
    fields.user = m_user->text();
    fields.sslMode = m_sslMode->currentData().toString();
    if (fields.sslMode == kVerified && models::isLocalHost(fields.host)) {
        fields.sslMode.clear(); // on a local socket there is no TLS, and nobody in between
    }
    fields.sslRootCert = m_rootCert->text();
    fields.others = m_others;
    return fields;
}

QString ConnectForm::conninfo(int tab) const
{
    if (tab == TextTab) {
        const QString text = m_text->text().trimmed();
        return isNew() ? models::withVerifiedServer(text) : text;
    }
    if (tab == FieldsTab) {
        return models::conninfoFromFields(fields());
    }
    models::ConnectionFields service;
    service.service = m_service->text();
    return models::conninfoFromFields(service);
}

void ConnectForm::onTab(int tab)
{
    // A text that libpq does not understand stays where it is, for the person to mend.
    const auto entered = models::fieldsFromConninfo(conninfo(m_tab));
    if (entered.ok() && tab == TextTab) {
        const QString text = conninfo(m_tab);
        m_text->setText(isNew() && text == u"sslmode="_s + kVerified ? QString() : text); // nothing else is entered yet
    } else if (entered.ok() && m_tab == TextTab) {
        showFields(*entered);
    }
    m_tab = tab;
}

sql::Result<models::SavedConnection> ConnectForm::connection() const
{
    models::SavedConnection entered = m_connection;
    entered.name = m_name->text().trimmed();
    entered.environment = static_cast<sql::Environment>(m_environment->currentData().toInt());
    entered.readOnly = m_readOnly->isChecked();
    entered.unverifiedPassword = m_unverified->isChecked();
    entered.conninfo = conninfo(m_tab);
    TRY(models::checkConninfo(entered.conninfo));
    return entered;
}

QString ConnectForm::password() const
{
    return m_password->text();
}

bool ConnectForm::keepPassword() const
{
    return m_canKeep && m_keep->isChecked();
}

void ConnectForm::setPasswordKept(bool kept)
{
    m_connection.passwordInKeychain = kept;
    const bool untouched = !edited();
    m_keep->setChecked(kept);
    updatePasswordHint();
    if (untouched) {
        m_untouched = entered();
    }
}

void ConnectForm::setCanKeep(bool canKeep)
{
    m_canKeep = canKeep;
    updatePasswordHint();
}

void ConnectForm::focusFirst()
{
    QLineEdit *first = m_tab == TextTab ? m_text : m_tab == ServiceTab ? m_service : m_host;
    (first->text().isEmpty() ? first : m_password)->setFocus(Qt::OtherFocusReason);
}

void ConnectForm::browse()
{
    QFileDialog *dialog = openFileDialog(this, u"connectCertificateDialog"_s, tr("Choose the root certificate"), {});
    if (!m_rootCert->text().isEmpty()) {
        dialog->selectFile(m_rootCert->text());
    }
    connect(dialog, &QFileDialog::fileSelected, m_rootCert, &QLineEdit::setText);
    openDialog(dialog);
}

void ConnectForm::updatePasswordHint()
{
    m_keep->setEnabled(m_canKeep);
    const bool kept = keepPassword() && m_connection.passwordInKeychain;
    m_password->setPlaceholderText(kept ? tr("Kept in the keychain") : QString());
    QString hint = tr("The password is kept for this session only.");
    if (!m_canKeep) {
        hint = tr("No keychain answers on this computer, so the password is kept for this session only.");
    } else if (kept) {
        hint = tr("Leave the password empty to use the one in the keychain.");
    } else if (m_keep->isChecked()) {
        hint = tr("The password goes to the keychain, and the connection is saved with it.");
    }
    m_passwordHint->setText(hint);
    m_keep->setAccessibleDescription(hint);
}

void ConnectForm::updateUnverifiedHint()
{
    const QString hint = m_unverified->isChecked()
        ? tr("Whoever poses as the server gets the password. The band keeps saying so while you are connected.")
        : tr("Without this, it goes only over a local socket, or to a server verified by verify-full or channel "
             "binding.");
    m_unverifiedHint->setText(hint);
    m_unverified->setAccessibleDescription(hint);
}

} // namespace idemdesk::ui
