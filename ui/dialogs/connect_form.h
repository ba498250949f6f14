// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/connection/connection_fields.h"
#include "models/connection/saved_connections.h"

#include <QWidget>

class QCheckBox;
class QComboBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QPushButton;
class QTabWidget;

namespace idemdesk::ui {

/// One connection as a form: what it is called, where it goes (by fields, by one text, or by a service's
/// name), and its password. Going to another tab takes what was entered along.
class ConnectForm final : public QWidget
{
    Q_OBJECT

public:
    enum Tab { FieldsTab, TextTab, ServiceTab };

    /// canKeep: there is a keychain.
    explicit ConnectForm(bool canKeep, QWidget *parent = nullptr);

    void setConnection(const models::SavedConnection &connection);
    /// The form's content was saved as this; what is typed stays.
    void adopt(const models::SavedConnection &connection);
    /// As entered, with the id of the connection that was set. Fails where libpq does not understand it.
    sql::Result<models::SavedConnection> connection() const;
    /// Something was typed or chosen since the connection was set or adopted.
    bool edited() const { return entered() != m_untouched; }
    /// The same, but for a password typed: it is no part of what is saved.
    bool connectionEdited() const;
    QString password() const; ///< as typed now
    bool keepPassword() const;
    /// The keychain has this connection's password now, or has it no more.
    void setPasswordKept(bool kept);
    void setCanKeep(bool canKeep);
    void focusFirst(); ///< the first field that a person must fill in, else the password

signals:
    void changed(); ///< something was typed or chosen

private:
    void layOut();
    QWidget *fieldsPage();
    QWidget *textPage();
    QWidget *servicePage();
    QWidget *passwordRow();
    QLineEdit *addEdit(
        QFormLayout *layout, const QString &label, const QString &objectName, const QString &placeholder = {});
    void showFields(const models::ConnectionFields &fields);
    models::ConnectionFields fields() const;
    QString conninfo(int tab) const;
    void onTab(int tab);
    void browse();
    void updatePasswordHint();
    void updateUnverifiedHint();
    bool isNew() const { return m_connection.id.isEmpty(); }
    QStringList entered() const;

    models::SavedConnection m_connection;
    QStringList m_untouched; ///< entered() when the connection was set
    QList<std::pair<QString, QString>> m_others;
    bool m_canKeep;
    int m_tab = FieldsTab;
    QLineEdit *m_name;
    QComboBox *m_environment;
    QCheckBox *m_readOnly;
    QTabWidget *m_tabs;
    QLineEdit *m_host = nullptr;
    QLineEdit *m_port = nullptr;
    QLineEdit *m_database = nullptr;
    QLineEdit *m_user = nullptr;
    QComboBox *m_sslMode = nullptr;
    QLineEdit *m_rootCert = nullptr;
    QPushButton *m_browse = nullptr;
    QLabel *m_othersNote = nullptr;
    QLineEdit *m_text = nullptr;
    QLineEdit *m_service = nullptr;
    QLineEdit *m_password = nullptr;
    QCheckBox *m_keep = nullptr;
    QLabel *m_passwordHint = nullptr;
    QCheckBox *m_unverified;
    QLabel *m_unverifiedHint;
};

} // namespace idemdesk::ui
