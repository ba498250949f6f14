// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/connection/saved_connections.h"

#include <QWidget>

class QCheckBox;
class QComboBox;
class QLineEdit;
class QTabWidget;

namespace idemdesk::ui {

/// The fields of one connection: by field, or as one text (key=value, URI, service=). Both show the same connection.
class ConnectForm final : public QWidget
{
    Q_OBJECT

public:
    explicit ConnectForm(bool keychain, QWidget *parent = nullptr);

    void show(const models::SavedConnection &connection, const QString &password);
    /// An Error where the text is not a conninfo or holds a password.
    sql::Result<models::SavedConnection> connection() const;
    QString password() const;
    bool keepPassword() const;
    void setKeychain(bool available);
    void focusFirst();

private:
    QWidget *buildFields();
    QWidget *buildText();
    void syncTabs(int index);
    QString conninfo() const;

    QString m_id;
    QTabWidget *m_tabs;
    QLineEdit *m_name;
    QLineEdit *m_host;
    QLineEdit *m_port;
    QLineEdit *m_database;
    QLineEdit *m_user;
    QComboBox *m_sslMode;
    QLineEdit *m_rootCert;
    QLineEdit *m_text;
    QLineEdit *m_password;
    QCheckBox *m_keep;
    QComboBox *m_environment;
    QCheckBox *m_readOnly;
    QList<std::pair<QString, QString>> m_others; ///< keywords without a field of their own
};

} // namespace idemdesk::ui
