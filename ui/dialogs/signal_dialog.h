// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/activity.h"
#include "sql/types/connection.h"

#include <QDialog>

class QLineEdit;
class QPushButton;

namespace idemdesk::ui {

/// The last word before another session is stopped: what it does, what becomes of it; a reason is required, and on a connection marked
/// as production the pid must be typed. Cancel is the default.
class SignalDialog final : public QDialog
{
    Q_OBJECT

public:
    SignalDialog(const sql::BackendActivity &backend, sql::SignalVerb verb, const QString &age, const QString &connection, sql::Environment environment,
        QWidget *parent = nullptr);

    QString reason() const;
    QString ticket() const;

private:
    void refresh();

    int m_pid;
    QLineEdit *m_reason;
    QLineEdit *m_ticket;
    QLineEdit *m_typed = nullptr;
    QPushButton *m_go;
};

} // namespace idemdesk::ui
