// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/profile.h"

#include <QDialog>

class QCheckBox;
class QPlainTextEdit;
class QPushButton;

namespace idemdesk::models {
class ConnectionController;
}

namespace idemdesk::ui {

class ButtonRow;
class NoticeBar;

/// A profile that somebody wrote, before its table is shown: the SQL that will run, which the person says to have read.
/// What was shown is what is added, whatever becomes of its file meanwhile.
class ProfileFileDialog final : public QDialog
{
    Q_OBJECT

public:
    ProfileFileDialog(
        models::ConnectionController *connection, sql::Profile profile, QString path, QWidget *parent = nullptr);

signals:
    void added(const QString &target);

private:
    void add();
    void sync();

    models::ConnectionController *m_connection;
    sql::Profile m_profile;
    QString m_path;
    NoticeBar *m_notice;
    QPlainTextEdit *m_sql;
    QCheckBox *m_read;
    ButtonRow *m_buttons;
    QPushButton *m_go;
    bool m_adding = false;
};

} // namespace idemdesk::ui
