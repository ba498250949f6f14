// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/connect_dialog.h"

#include "models/connection/saved_connections.h"
#include "models/connection/secret_store.h"
#include "models/format/display_text.h"
#include "ui/dialogs/connect_form.h"
#include "ui/dialogs/saved_list.h"
#include "ui/theme/theme.h"
#include "ui/widgets/button_row.h"
#include "ui/widgets/enter_keys.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/notice_bar.h"
#include "ui/widgets/questions.h"

#include <QHBoxLayout>
#include <QPushButton>
#include <QSignalBlocker>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

constexpr int kListWidth = 60 * kGrid;
constexpr int kDialogWidth = 200 * kGrid;

} // namespace

ConnectDialog::ConnectDialog(models::SavedConnections *saved, models::SecretStore *secrets, QWidget *parent)
    : QDialog(parent)
    , m_saved(saved)
    , m_secrets(secrets)
    , m_list(new SavedList(saved, this))
    , m_form(new ConnectForm(canKeep(), this))
    , m_banner(new NoticeBar(this))
    , m_new(new QPushButton(tr("New conne&ction"), this))
    , m_remove(new QPushButton(tr("Re&move…"), this))
{
    setObjectName(u"connectDialog"_s);
    setWindowTitle(tr("Connect to a database"));
    setAccessibleName(windowTitle());
    buildLayout();

    connect(m_list, &QListWidget::itemDoubleClicked, this, &ConnectDialog::requestConnect);
    connect(m_new, &QPushButton::clicked, this, &ConnectDialog::startNew);
    connect(m_remove, &QPushButton::clicked, this, &ConnectDialog::askRemove);
    connect(m_form, &ConnectForm::changed, this, &ConnectDialog::updateConnect);
    const QString last = saved->lastUsed();
    m_list->select(saved->find(last) != nullptr || saved->all().isEmpty() ? last : saved->all().constFirst().id);
    showCurrent();
    m_form->focusFirst();
    connect(m_list, &QListWidget::itemSelectionChanged, this, [this] { changeTo(m_list->currentId()); });
}

void ConnectDialog::buildLayout()
{
    QLabel *label = buddyLabel(tr("Saved connect&ions:"), m_list, this);
    m_list->setFixedWidth(kListWidth);
    m_new->setObjectName(u"connectNew"_s);
    m_new->setAccessibleName(tr("Enter a new connection"));
    m_remove->setObjectName(u"connectRemove"_s);
    m_remove->setAccessibleName(tr("Remove the selected connection"));

    auto *listButtons = new QHBoxLayout;
    listButtons->setSpacing(2 * kGrid);
    listButtons->addWidget(m_new, 1);
    listButtons->addWidget(m_remove);
    auto *left = new QVBoxLayout;
    left->setSpacing(2 * kGrid);
    left->addWidget(label);
    left->addWidget(m_list, 1);
    left->addLayout(listButtons);
    auto *right = new QVBoxLayout;
    right->setSpacing(3 * kGrid);
    right->addWidget(m_form);
    right->addStretch(1);
    auto *columns = new QHBoxLayout;
    columns->setSpacing(4 * kGrid);
    columns->addLayout(left);
    columns->addLayout(right, 1);
    auto *layout = dialogColumn(this);
    layout->setSpacing(3 * kGrid);
    layout->addWidget(m_banner);
    layout->addLayout(columns, 1);
    addButtons();
    setMinimumWidth(kDialogWidth);
}

void ConnectDialog::addButtons()
{
    auto *buttons = new ButtonRow(this);
    m_save = buttons->addAside(u"connectSave"_s, tr("S&ave"));
    m_save->setAccessibleName(tr("Save this connection"));
    m_connect = buttons->addGo(u"connectConnect"_s, tr("Connect"));
    buttons->addStay(u"connectCancel"_s, tr("Cancel"));
    // Enter connects from every field; another button takes it only while it has the focus.
    for (QPushButton *button : { m_new, m_remove }) {
        button->setAutoDefault(false);
    }
    buttons->setDefault(m_connect);
    guideEnter(this); // the form's buttons are there, too
    connect(m_save, &QPushButton::clicked, this, &ConnectDialog::save);
    connect(m_connect, &QPushButton::clicked, this, &ConnectDialog::requestConnect);
    layout()->addWidget(buttons);
}

bool ConnectDialog::canKeep() const
{
    return m_secrets != nullptr && m_secrets->available();
}

void ConnectDialog::setBusy(bool busy)
{
    if (busy == m_busy) {
        return;
    }
    m_busy = busy;
    if (busy) {
        m_focused = focusWidget();
    }
    for (QWidget *widget : std::initializer_list<QWidget *> { m_list, m_form, m_new, m_save, m_connect }) {
        widget->setEnabled(!busy);
    }
    m_remove->setEnabled(!busy && !m_list->currentId().isEmpty());
    updateConnect();
    if (!busy && m_focused != nullptr && m_focused->isEnabled()) {
        m_focused->setFocus(Qt::OtherFocusReason);
    }
}

/// Going to a saved connection keeps what was changed of it: a mark as production that held only today would be a trap
/// tomorrow.
bool ConnectDialog::savesFirst() const
{
    return !m_shown.isEmpty() && m_form->connectionEdited();
}

void ConnectDialog::updateConnect()
{
    m_connect->setText(m_busy ? tr("Connecting…") : savesFirst() ? tr("Save and connect") : tr("Connect"));
}

void ConnectDialog::showError(const sql::Error &error)
{
    setBusy(false);
    m_toKeep.reset();
    m_banner->showError(error);
    m_form->focusFirst();
}

void ConnectDialog::showSecretError(const sql::Error &error)
{
    m_form->setCanKeep(canKeep());
    m_banner->showError(error); // connecting goes on: the password typed serves this session
}

void ConnectDialog::changeTo(const QString &id)
{
    if (id == m_shown) {
        return;
    }
    if (!m_form->edited()) {
        showSaved(id);
        return;
    }
    // Later: the list is still in the middle of changing its selection.
    QMetaObject::invokeMethod(
        this,
        [this, id] {
            const QSignalBlocker blocker(m_list);
            m_list->select(m_shown); // what is in the form stays selected until the person decides
            askAboutEdits(id);
        },
        Qt::QueuedConnection);
}

void ConnectDialog::askAboutEdits(const QString &id)
{
    QMessageBox *question = questionBox(this, u"connectEditsQuestion"_s, tr("Unsaved changes"),
        tr("The connection in the form was changed and not saved."), tr("Save it before another one is shown?"));
    QPushButton *keep = addAnswer(question, u"connectEditsSave"_s, tr("Save"), QMessageBox::AcceptRole);
    QPushButton *drop = addAnswer(question, u"connectEditsDiscard"_s, tr("Discard"));
    connect(keep, &QPushButton::clicked, this, [this, id] {
        if (save()) {
            showSaved(id);
        }
    });
    connect(drop, &QPushButton::clicked, this, [this, id] { showSaved(id); });
    openQuestion(question);
}

void ConnectDialog::showSaved(const QString &id)
{
    {
        const QSignalBlocker blocker(m_list);
        m_list->select(id);
    }
    showCurrent();
    if (id.isEmpty()) {
        m_form->focusFirst();
    }
}

void ConnectDialog::showCurrent()
{
    const QString id = m_list->currentId();
    m_shown = id;
    const models::SavedConnection *current = m_saved->find(id);
    m_form->setConnection(current == nullptr ? models::SavedConnection() : *current);
    m_remove->setEnabled(current != nullptr);
    m_banner->clear();
}

void ConnectDialog::startNew()
{
    if (m_form->edited()) {
        askAboutEdits({});
    } else {
        showSaved({});
    }
}

bool ConnectDialog::store(models::SavedConnection *connection)
{
    const auto stored = m_saved->save(*connection);
    if (!stored.ok()) {
        showError(stored.error());
        return false;
    }
    *connection = *stored;
    m_form->adopt(*stored);
    const QSignalBlocker blocker(m_list); // the form stays as it is: the password typed is still wanted
    m_list->select(stored->id);
    m_shown = stored->id;
    m_remove->setEnabled(true);
    return true;
}

bool ConnectDialog::save()
{
    auto entered = m_form->connection();
    if (!entered.ok()) {
        showError(entered.error());
        return false;
    }
    m_banner->clear();
    if (!store(&*entered)) {
        return false;
    }
    if (entered->passwordInKeychain && m_form->keepPassword() && !m_form->password().isEmpty()) {
        m_banner->showNotice(NoticeBar::Kind::Info, tr("The connection is saved."),
            tr("The keychain keeps the password it has until the server has taken the new one: connect once."));
    } else {
        storeSecret(*entered, m_form->password());
    }
    return true;
}

void ConnectDialog::accept()
{
    if (const auto kept = std::exchange(m_toKeep, std::nullopt)) {
        storeSecret(kept->first, kept->second);
    }
    QDialog::accept();
}

void ConnectDialog::storeSecret(const models::SavedConnection &connection, const QString &password)
{
    const QString id = connection.id;
    if (m_secrets == nullptr) {
        return;
    }
    if (m_form->keepPassword() && !password.isEmpty()) {
        // Connecting may be quicker than the keychain, and it closes this dialog: what became of the password is noted
        // all the same.
        m_secrets->set(connection.secretId(), password, m_saved,
            [saved = m_saved, id, dialog = QPointer(this)](const sql::Result<void> &done) {
                markKept(saved, dialog, id, done.ok());
                if (!done.ok() && dialog != nullptr) {
                    dialog->showSecretError(done.error());
                }
            });
    } else if (!m_form->keepPassword() && connection.passwordInKeychain) {
        m_secrets->remove(connection.secretId(), m_saved,
            [saved = m_saved, id, dialog = QPointer(this)](const sql::Result<void> &done) {
                if (done.ok()) {
                    markKept(saved, dialog, id, false);
                } else if (dialog != nullptr) {
                    dialog->showSecretError(done.error());
                }
            });
    }
}

void ConnectDialog::markKept(
    models::SavedConnections *saved, const QPointer<ConnectDialog> &dialog, const QString &id, bool kept)
{
    const models::SavedConnection *known = saved->find(id);
    if (known == nullptr) {
        return;
    }
    models::SavedConnection changed = *known;
    changed.passwordInKeychain = kept;
    const auto stored = saved->save(changed);
    if (dialog == nullptr) {
        return;
    }
    if (!stored.ok()) {
        dialog->showSecretError(stored.error());
    }
    if (dialog->m_list->currentId() == id) {
        dialog->m_form->setPasswordKept(kept);
    }
}

void ConnectDialog::askRemove()
{
    const models::SavedConnection *current = m_saved->find(m_list->currentId());
    if (current == nullptr) {
        return;
    }
    QMessageBox *question = questionBox(this, u"connectRemoveQuestion"_s, tr("Remove a connection"),
        tr("Remove “%1” from the saved connections?").arg(models::displayText(current->name)),
        tr("Its password is taken out of the keychain too. The database is not touched."));
    connect(addAnswer(question, u"connectRemoveYes"_s, tr("Remove")), &QPushButton::clicked, this,
        [this, id = current->id] { remove(id); });
    openQuestion(question);
}

void ConnectDialog::remove(const QString &id)
{
    const models::SavedConnection *known = m_saved->find(id);
    if (known == nullptr) {
        return;
    }
    // Also where none is noted: an earlier program may have put one there and forgotten it. None there is no failure.
    if (m_secrets != nullptr && (known->passwordInKeychain || m_secrets->available())) {
        m_secrets->remove(known->secretId(), m_saved,
            [dialog = QPointer(this), noted = known->passwordInKeychain](const sql::Result<void> &done) {
                if (!done.ok() && noted && dialog != nullptr) {
                    dialog->showSecretError(done.error());
                }
            });
    }
    m_saved->remove(id);
    showSaved(m_saved->all().isEmpty() ? QString() : m_saved->all().constFirst().id);
}

void ConnectDialog::requestConnect()
{
    if (m_busy) {
        return;
    }
    auto entered = m_form->connection();
    if (!entered.ok()) {
        showError(entered.error());
        return;
    }
    m_banner->clear();
    const QString typed = m_form->password();
    const quint64 ticket = ++m_ticket;
    m_toKeep.reset();
    const bool keeps = m_form->keepPassword(); // as it was said: saving may change the box
    if (savesFirst() || (!typed.isEmpty() && keeps)) {
        if (!store(&*entered)) {
            return;
        }
        if (!typed.isEmpty() && keeps) {
            m_toKeep = { *entered, typed };
        } else {
            storeSecret(*entered, typed);
        }
    }
    if (typed.isEmpty() && keeps && entered->passwordInKeychain) {
        setBusy(true);
        m_secrets->get(entered->secretId(), this,
            [this, ticket, connection = *entered](const sql::Result<std::optional<QString>> &secret) {
                if (ticket != m_ticket || !isVisible()) {
                    return;
                }
                if (!secret.ok()) {
                    showError(secret.error());
                    m_form->setCanKeep(canKeep());
                    return;
                }
                finishConnect(connection, secret->value_or(QString()));
            });
        return;
    }
    finishConnect(*entered, typed);
}

void ConnectDialog::finishConnect(const models::SavedConnection &connection, const QString &password)
{
    if (!connection.id.isEmpty()) {
        m_saved->setLastUsed(connection.id);
    }
    sql::ConnectionSettings settings = connection.settings();
    settings.password = password;
    setBusy(true);
    emit connectRequested(settings);
}

} // namespace idemdesk::ui
