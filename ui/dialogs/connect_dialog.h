// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/connection.h"
#include "sql/types/error.h"

#include <QDialog>

class QListWidget;
class QProgressBar;
class QPushButton;

namespace idemdesk::models {
class SavedConnections;
class SecretStore;
}

namespace idemdesk::ui {

class ConnectForm;
class NoticeBar;

/// Chooses a saved connection or describes a new one. Stays open while the connect is under way, and says in plain words
/// why it failed; its owner closes it on success.
class ConnectDialog final : public QDialog
{
    Q_OBJECT

public:
    ConnectDialog(models::SavedConnections *saved, models::SecretStore *secrets, QWidget *parent = nullptr);

    void setBusy(bool busy);
    void showError(const sql::Error &error);

signals:
    void connectRequested(const idemdesk::sql::ConnectionSettings &settings);

private:
    void fillList(const QString &current);
    void showSaved();
    void save();
    void removeSaved();
    void start();
    void keepSecret(const QString &id);

    models::SavedConnections *m_saved;
    models::SecretStore *m_secrets;
    QListWidget *m_list;
    ConnectForm *m_form;
    NoticeBar *m_notice;
    QProgressBar *m_progress;
    QPushButton *m_connect;
    QPushButton *m_remove;
};

} // namespace idemdesk::ui
