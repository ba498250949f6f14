// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sql/types/activity.h"
#include "sql/types/connection.h"

#include <QDialog>

class QFormLayout;
class QPlainTextEdit;
class QPushButton;

namespace idemdesk::ui {

class ReasonForm;

/// The last word before another session is stopped: what it does, what becomes of it; a reason is required, and on a
/// connection marked as production the pid must be typed. Cancel is the default.
class SignalDialog final : public QDialog
{
    Q_OBJECT

public:
    /// role: whom it blocks, in words, such as "2 sessions".
    SignalDialog(const sql::BackendActivity &backend, sql::SignalVerb verb, const QString &age, const QString &role,
        const QString &connection, sql::Environment environment, QWidget *parent = nullptr);

    QString reason() const;
    QString ticket() const;

private:
    QFormLayout *factsOf(
        const sql::BackendActivity &backend, const QString &age, const QString &role, QPlainTextEdit *statement);

    ReasonForm *m_form;
    QPushButton *m_go;
};

} // namespace idemdesk::ui
