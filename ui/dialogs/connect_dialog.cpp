// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/connect_dialog.h"

#include "models/connection/connection_fields.h"
#include "models/connection/saved_connections.h"
#include "models/connection/secret_store.h"
#include "models/format/display_text.h"
#include "ui/dialogs/connect_form.h"
#include "ui/theme/theme.h"
#include "ui/widgets/notice_bar.h"
#include "ui/widgets/plain_label.h"

#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QListWidget>
#include <QProgressBar>
#include <QPushButton>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

ConnectDialog::ConnectDialog(models::SavedConnections *saved, models::SecretStore *secrets, QWidget *parent)
    : QDialog(parent)
    , m_saved(saved)
    , m_secrets(secrets)
    , m_list(new QListWidget(this))
    , m_form(new ConnectForm(secrets->available(), this))
    , m_notice(new NoticeBar(this))
    , m_progress(new QProgressBar(this))
{
    setObjectName(u"connectDialog"_s);
    setWindowTitle(tr("Connect to a database"));
    m_list->setObjectName(u"savedConnections"_s);
    m_list->setAccessibleName(tr("Saved connections"));
    m_list->setFixedWidth(210);
    m_notice->setObjectName(u"connectNotice"_s);
    m_progress->setRange(0, 0);
    m_progress->setTextVisible(false);
    m_progress->setMaximumHeight(6);
    m_progress->setAccessibleName(tr("Connecting"));

    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    m_connect = buttons->addButton(tr("Connect"), QDialogButtonBox::AcceptRole);
    m_connect->setObjectName(u"connectButton"_s);
    m_connect->setDefault(true);
    auto *saveButton = buttons->addButton(tr("Save"), QDialogButtonBox::ActionRole);
    saveButton->setObjectName(u"connectSave"_s);
    m_remove = buttons->addButton(tr("Remove from the list"), QDialogButtonBox::ActionRole);
    m_remove->setObjectName(u"connectRemove"_s);
    for (QPushButton *button : { saveButton, m_remove }) {
        button->setAutoDefault(false);
    }
    auto *left = new QVBoxLayout;
    auto *listTitle = plainLabel(tr("&Saved connections"), this);
    listTitle->setBuddy(m_list);
    left->addWidget(listTitle);
    left->addWidget(m_list, 1);
    auto *right = new QVBoxLayout;
    right->addWidget(m_notice);
    right->addWidget(m_form, 1);
    right->addWidget(m_progress);
    auto *middle = new QHBoxLayout;
    middle->setSpacing(4 * kGrid);
    middle->addLayout(left);
    middle->addLayout(right, 1);
    auto *layout = new QVBoxLayout(this);
    layout->setSpacing(3 * kGrid);
    layout->addLayout(middle, 1);
    layout->addWidget(buttons);
    resize(760, 520);

    connect(m_list, &QListWidget::currentItemChanged, this, &ConnectDialog::showSaved);
    connect(m_list, &QListWidget::itemActivated, this, &ConnectDialog::start);
    connect(buttons, &QDialogButtonBox::accepted, this, &ConnectDialog::start);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(saveButton, &QPushButton::clicked, this, &ConnectDialog::save);
    connect(m_remove, &QPushButton::clicked, this, &ConnectDialog::removeSaved);
    fillList(saved->lastUsed());
    setBusy(false);
    m_form->focusFirst();
}

void ConnectDialog::fillList(const QString &current)
{
    {
        const QSignalBlocker blocker(m_list);
        m_list->clear();
        auto *fresh = new QListWidgetItem(tr("New connection"), m_list);
        fresh->setData(Qt::UserRole, QString());
        m_list->setCurrentItem(fresh);
        for (const models::SavedConnection &connection : m_saved->all()) {
            const QString name = connection.name.isEmpty() ? models::conninfoSummary(connection.conninfo) : connection.name;
            auto *item = new QListWidgetItem(models::displayText(name, 60), m_list);
            item->setData(Qt::UserRole, connection.id);
            if (const auto token = tokenOf(connection.environment)) {
                QPixmap swatch(14, 14);
                swatch.fill(themeColor(*token));
                item->setIcon(QIcon(swatch));
            }
            if (connection.id == current) {
                m_list->setCurrentItem(item);
            }
        }
    }
    showSaved();
}

void ConnectDialog::showSaved()
{
    const QString id = m_list->currentItem() != nullptr ? m_list->currentItem()->data(Qt::UserRole).toString() : QString();
    const models::SavedConnection *connection = m_saved->find(id);
    m_notice->clear();
    m_remove->setEnabled(connection != nullptr);
    m_form->show(connection != nullptr ? *connection : models::SavedConnection(), {});
    if (connection != nullptr && connection->passwordInKeychain) {
        m_secrets->get(connection->secretId(), this, [this, shown = *connection](const sql::Result<std::optional<QString>> &secret) {
            m_form->setKeychain(m_secrets->available());
            if (secret.ok() && *secret) {
                m_form->show(shown, **secret);
            } else if (!secret.ok()) {
                m_notice->showError(secret.error());
            }
        });
    }
}

void ConnectDialog::save()
{
    const auto connection = m_form->connection();
    if (!connection.ok()) {
        m_notice->showError(connection.error());
        return;
    }
    const auto saved = m_saved->save(*connection);
    if (!saved.ok()) {
        m_notice->showError(saved.error());
        return;
    }
    keepSecret(saved->secretId());
    fillList(saved->id);
}

void ConnectDialog::keepSecret(const QString &id)
{
    if (m_form->keepPassword()) {
        m_secrets->set(id, m_form->password(), this, [this](const sql::Result<void> &kept) {
            m_form->setKeychain(m_secrets->available());
            if (!kept.ok()) {
                m_notice->showError(kept.error());
            }
        });
    } else {
        m_secrets->remove(id, this, [](const sql::Result<void> &) {}); // none there is as good
    }
}

void ConnectDialog::removeSaved()
{
    const QString id = m_list->currentItem()->data(Qt::UserRole).toString();
    if (const models::SavedConnection *connection = m_saved->find(id)) {
        m_secrets->remove(connection->secretId(), this, [](const sql::Result<void> &) {});
        m_saved->remove(id);
        fillList({});
    }
}

void ConnectDialog::start()
{
    const auto connection = m_form->connection();
    if (!connection.ok()) {
        m_notice->showError(connection.error());
        return;
    }
    m_notice->clear();
    m_saved->setLastUsed(connection->id);
    sql::ConnectionSettings settings = connection->settings();
    settings.password = m_form->password();
    setBusy(true);
    emit connectRequested(settings);
}

void ConnectDialog::setBusy(bool busy)
{
    m_progress->setVisible(busy);
    m_connect->setEnabled(!busy);
    m_connect->setText(busy ? tr("Connecting…") : tr("Connect"));
}

void ConnectDialog::showError(const sql::Error &error)
{
    setBusy(false);
    m_notice->showError(error);
}

} // namespace idemdesk::ui
