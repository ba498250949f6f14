// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/connection/connection_trial.h"
#include "models/connection/password_keeper.h"
#include "models/connection/saved_connections.h"
#include "sql/types/connection.h"
#include "sql/types/error.h"

#include <QDialog>
#include <QElapsedTimer>
#include <QPointer>
#include <functional>
#include <optional>

class QPushButton;

namespace idemdesk::models {
class SecretStore;
} // namespace idemdesk::models

namespace idemdesk::ui {

class ConnectForm;
class NoticeBar;
class SavedPanel;

/// Chooses, edits, tests and saves connections: the saved ones are at the left, the form of one at the right. It stays
/// open after connectRequested(): its owner calls setBusy() and showError(), and accept() once the connection is there.
class ConnectDialog final : public QDialog
{
    Q_OBJECT

public:
    /// Both outlive the dialog; secrets may be null.
    ConnectDialog(models::SavedConnections *saved, models::SecretStore *secrets, QWidget *parent = nullptr);

    void offerGroups(bool offered); ///< a button that leads to them
    void setBusy(bool busy);
    void showError(const sql::Error &error);
    void accept() override; ///< the server took the password: only now is it kept
    void done(int result) override;

signals:
    void groupsClicked();
    void connectRequested(const idemdesk::sql::ConnectionSettings &settings);

private:
    void buildLayout();
    void addButtons();
    void wire();
    bool save(); ///< false where it failed, which is shown then
    /// Another connection was selected: shows it, but asks first where the form holds what was not saved.
    void changeTo(const QString &id);
    void leaveForm(const std::function<void()> &next); ///< goes on at once, or once what was edited is saved or dropped
    void showSaved(const QString &id);
    void duplicate(const QString &id);
    void remove(const QString &id);
    void requestConnect();
    void requestTest();
    void showTested(const sql::ServerFacts &facts);
    /// Goes on with the password typed, or with the one in the keychain.
    void withPassword(
        const models::SavedConnection &connection, const std::function<void(const sql::ConnectionSettings &)> &next);
    /// Saves the form; false where that failed, which is shown then.
    bool store(models::SavedConnection *connection);
    /// Puts the typed password into the keychain, or takes the kept one out of it, as the form says.
    void storeSecret(const models::SavedConnection &connection, const QString &password);
    bool savesFirst() const;
    void updateButtons();

    models::SavedConnections *m_saved;
    models::PasswordKeeper m_passwords;
    models::ConnectionTrial m_trial;
    SavedPanel *m_panel;
    ConnectForm *m_form;
    NoticeBar *m_banner;
    QPushButton *m_save = nullptr;
    QPushButton *m_test = nullptr;
    QPushButton *m_groups = nullptr;
    QPushButton *m_connect = nullptr;
    QString m_shown; ///< id of the connection in the form; empty: a new one
    bool m_busy = false;
    QElapsedTimer m_tested;
    QPointer<QWidget> m_focused; ///< before it became busy
    /// What is kept once the server has agreed: a mistyped password must not replace the good one.
    std::optional<std::pair<models::SavedConnection, QString>> m_toKeep;
};

} // namespace idemdesk::ui
