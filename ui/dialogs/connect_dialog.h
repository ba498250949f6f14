// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/connection/saved_connections.h"
#include "sql/types/connection.h"
#include "sql/types/error.h"

#include <QDialog>
#include <QPointer>
#include <optional>

class QPushButton;

namespace idemdesk::models {
class SecretStore;
} // namespace idemdesk::models

namespace idemdesk::ui {

class ConnectForm;
class NoticeBar;
class SavedList;

/// Chooses, edits and saves connections. It stays open after connectRequested(): its owner calls setBusy()
/// and showError(), and accept() once the connection is there.
class ConnectDialog final : public QDialog
{
    Q_OBJECT

public:
    /// Both outlive the dialog; secrets may be null.
    ConnectDialog(models::SavedConnections *saved, models::SecretStore *secrets, QWidget *parent = nullptr);

    void setBusy(bool busy);
    void showError(const sql::Error &error);
    void accept() override; ///< the server took the password: only now is it kept

signals:
    void connectRequested(const idemdesk::sql::ConnectionSettings &settings);

private:
    void buildLayout();
    void addButtons();
    bool canKeep() const;
    void showCurrent();
    void startNew();
    bool save(); ///< false where it failed, which is shown then
    /// Another connection was selected: shows it, but asks first where the form holds what was not saved.
    void changeTo(const QString &id);
    void askAboutEdits(const QString &id);
    void showSaved(const QString &id);
    void askRemove();
    void remove(const QString &id);
    void requestConnect();
    void finishConnect(const models::SavedConnection &connection, const QString &password);
    /// Saves the form; false where that failed, which is shown then.
    bool store(models::SavedConnection *connection);
    /// Puts the typed password into the keychain, or takes the kept one out of it, as the form says.
    void storeSecret(const models::SavedConnection &connection, const QString &password);
    void showSecretError(const sql::Error &error);
    static void markKept(
        models::SavedConnections *saved, const QPointer<ConnectDialog> &dialog, const QString &id, bool kept);
    bool savesFirst() const;
    void updateConnect();

    models::SavedConnections *m_saved;
    models::SecretStore *m_secrets;
    SavedList *m_list;
    ConnectForm *m_form;
    NoticeBar *m_banner;
    QPushButton *m_new;
    QPushButton *m_remove;
    QPushButton *m_save = nullptr;
    QPushButton *m_connect = nullptr;
    QString m_shown; ///< id of the connection in the form; empty: a new one
    bool m_busy = false;
    QPointer<QWidget> m_focused; ///< before it became busy
    /// What is kept once the server has agreed: a mistyped password must not replace the good one.
    std::optional<std::pair<models::SavedConnection, QString>> m_toKeep;
    quint64 m_ticket = 0; ///< of the newest wish to connect; older answers of the keychain are dropped
};

} // namespace idemdesk::ui
